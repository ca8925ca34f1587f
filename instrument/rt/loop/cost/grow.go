package cost

import (
	"cmp"
	"slices"
	"time"

	"github.com/fuzzmut/fuzzmut/instrument/rt/loop/exec"
	"github.com/fuzzmut/fuzzmut/instrument/rt/loop/reduce"
	"github.com/fuzzmut/fuzzmut/instrument/rt/pump"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// growing is an input with one argument that grows.
type growing struct {
	*Hunter
	vals   []any // the other arguments
	arg    int
	pump   pump.Pump
	failed func(exec.Execution) error
	grows  int // work, bytes or clock
	err    error
	ran    [2]time.Duration // processor time of the first two lengths, once each
	// fuelMost bounds what a run may burn; 0 means runFuel.
	fuelMost int64
	mutant   uint32 // 0: the original
}

// Exponents that a pump needs to be grown to the next length, after two and after three: it
// may begin slowly.
var goOn = [...]float64{2: 1.2, 3: 1.35}

// follow grows a pump for as long as its work grows too fast, and reports it if it does up to
// the end; and likewise for the bytes that it allocates.
func (h *Hunter) follow(g *growing) error {
	first := firstLen
	if h.drawer.Rand.OneIn(laterOf) {
		first = laterLen
	}
	first = max(first, 2*g.pump.Fixed())
	before := h.Exec.Spent
	defer func() {
		if g.grows == work {
			h.spent += h.Exec.Spent - before
		}
	}()
	points, tooMuch := g.grow(nil, first, sizes)
	if tooMuch && g.err == nil {
		g.pursue(points, first)
		return nil
	}
	if g.err != nil || len(points) < 2 || !g.as(bytes).above(points[:2], goOn[2]) || !h.timed && h.byBytes >= bytesMost {
		h.watch(g, points)
		return g.err
	}
	h.spent += h.Exec.Spent - before
	g.grows, g.failed = bytes, nil
	h.byBytes++
	if points, tooMuch = g.grow(points, first, sizes); tooMuch {
		g.pursue(points, first)
	} else {
		h.watch(g, points)
	}
	return nil
}

// as is a growing input that is judged by something else.
func (g *growing) as(grows int) *growing {
	q := *g
	q.grows = grows
	return &q
}

// shorter divides the first length if that burns too much: some costs grow with a high power.
const shorter = 8

// dearShare is the part of what a run may burn, one in this number, that the second of several lengths
// burns if the last would burn all of it. Shorter ones show as much then, for less.
const dearShare = 16

// dearTime is the same for the time of the second length, where the clock ends the run: what another package does takes
// more than its fuel says.
const dearTime = 2 * time.Millisecond

// grow grows the pump to some lengths, and reports whether it costs too much at the end.
// known are the first of them, as far as they were run before. A length that burns all fuel is
// the last.
func (g *growing) grow(known []wire.Size, first, sizes int) (points []wire.Size, tooMuch bool) {
	times := g.pump.Times(first)
	if len(known) > 0 {
		times = known[0].Times
	}
	for {
		points, tooMuch, again := g.growFrom(known, times, sizes)
		if !again || times <= shorter {
			return points, tooMuch
		}
		times /= shorter
		known = nil
	}
}

// growFrom is grow from a number of repetitions on. again says that there should be fewer, as the
// lengths burn too much.
func (g *growing) growFrom(known []wire.Size, times, sizes int) (points []wire.Size, tooMuch, again bool) {
	for i := 0; i < sizes; i++ {
		if i < len(known) {
			points = append(points, known[i])
		} else {
			s, ok := g.run(times << i)
			switch {
			case !ok && s.Fuel > g.most():
				points, tooMuch = g.ended(points, s)
				return points, tooMuch, len(points) < leastPoints
			case !ok:
				return points, false, false
			}
			if i < len(g.ran) {
				g.ran[i] = s.CPU
			}
			if points = append(points, s); g.grows == bytes && i >= 2 && s.Bytes > bytesRun {
				break
			}
		}
		if n := len(points); n > 1 && n < sizes {
			if !g.above(points, goOn[min(n, len(goOn)-1)]) {
				return points, false, false
			}
			if n == 2 && g.grows == work && times > shorter && (points[1].Fuel > g.most()/dearShare || g.Hunter.timed && g.ran[1] > dearTime) {
				return points, false, true
			}
		}
	}
	return points, g.above(points, Bound), false
}

// leastPoints is how many lengths say whether a cost is too much, if the next one burns all fuel.
const leastPoints = 3

// ended judges lengths, with a last one that ran out of fuel. That it burns more than it was given
// counts if that alone is too much. How much more is not known.
func (g *growing) ended(points []wire.Size, last wire.Size) ([]wire.Size, bool) {
	if with := append(slices.Clip(points), last); len(with) >= leastPoints && g.above(with, Bound) {
		return with, true
	}
	return points, len(points) >= leastPoints && g.above(points, Bound)
}

// above reports whether what grows does so faster than a power of the length.
func (g *growing) above(points []wire.Size, bound float64) bool {
	cost := Work
	if g.grows == bytes {
		cost = Allocated
	}
	_, above := pump.Above(cost(points), bound)
	return above
}

// Work returns the fuel of sizes as points.
func Work(list []wire.Size) (points []pump.Point) {
	for _, s := range list {
		points = append(points, pump.Point{Len: s.Len, Cost: float64(s.Fuel)})
	}
	return points
}

// leastBytes are allocated at least, as far as that counts: small amounts are counted in
// steps, and what the process allocates in addition is among them.
const leastBytes = 64 << 10

// Allocated returns the allocated bytes of sizes as points.
func Allocated(list []wire.Size) (points []pump.Point) {
	for _, s := range list {
		points = append(points, pump.Point{Len: s.Len, Cost: float64(max(s.Bytes, leastBytes))})
	}
	return points
}

// run runs the input with a number of repetitions once. The processor time is that of the target: the text that grows is
// made before, and memory that is new to the process may take longer than a target that only reads it.
func (g *growing) run(times int) (s wire.Size, ok bool) {
	vals := g.grown(times)
	b, _ := reduce.Bytes(vals[g.arg])
	s = wire.Size{Times: times, Len: len(b)}
	if len(b) > g.MaxLen || g.Conn.Shared.Stopping() {
		return s, false
	}
	g.Conn.Shared.SetInput(vals)
	begin := cpu()
	ex, allocated := g.Exec.PricedWith(vals, g.mutant, g.most())
	s.CPU = cpu() - begin
	s.Fuel, s.Bytes = ex.Burned, allocated
	if ex.Kind == wire.Fuel {
		return s, false
	}
	if ex.Kind.Failed() {
		if g.failed != nil {
			g.err = g.failed(ex)
		}
		return s, false
	}
	return s, true
}

// most is what a run may burn; it burns one more if it is ended.
func (g *growing) most() int64 { return cmp.Or(g.fuelMost, runFuel) }

// grown returns the arguments with a number of repetitions, which the target may change.
func (g *growing) grown(times int) []any {
	vals := exec.Clone(g.vals)
	b := g.pump.Grown(nil, times)
	if _, ok := vals[g.arg].(string); ok {
		vals[g.arg] = string(b)
	} else {
		vals[g.arg] = b
	}
	return vals
}

// hotFuel is what a run burns at most that is sampled, if there is a shorter one: more shows no more.
const hotFuel = 1 << 20

// hot returns where the largest of some sizes that is not too dear does most of its work, or allocates most bytes.
func (g *growing) hot(points []wire.Size) []string {
	if g.grows == bytes {
		if frames := g.allocates(points); len(frames) > 0 {
			return frames
		}
	}
	at := points[0]
	for _, s := range points[1:] {
		if s.Fuel <= hotFuel {
			at = s
		}
	}
	vals := g.grown(at.Times)
	g.Conn.Shared.SetInput(vals)
	return g.Exec.Hot(vals, at.Fuel)
}

// allocatesMost is what a run allocates at most, in bytes, whose allocations are all looked at: that takes
// tens of times as long as the run.
const allocatesMost = 4 << 20

// allocates returns where the largest of some sizes that does not allocate too much for that allocates most
// bytes; nil: nowhere in the code that was rewritten.
func (g *growing) allocates(points []wire.Size) []string {
	at := points[0]
	for _, s := range points[1:] {
		if s.Bytes <= allocatesMost {
			at = s
		}
	}
	vals := g.grown(at.Times)
	g.Conn.Shared.SetInput(vals)
	return g.Exec.Allocates(vals, g.most())
}

// wire returns the growing input as it is sent.
func (g *growing) wire() wire.Growing {
	vals := exec.Clone(g.vals)
	if _, ok := vals[g.arg].(string); ok {
		vals[g.arg] = ""
	} else {
		vals[g.arg] = []byte{}
	}
	return wire.Growing{Input: wire.Encode(vals), Arg: g.arg, Pump: wire.Pump(g.pump), ByTime: g.grows == clock}
}

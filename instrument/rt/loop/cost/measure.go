package cost

import (
	"runtime"
	"runtime/debug"
	"slices"
	"time"

	"github.com/fuzzmut/fuzzmut/instrument/rt/loop/conn"
	"github.com/fuzzmut/fuzzmut/instrument/rt/loop/exec"
	"github.com/fuzzmut/fuzzmut/instrument/rt/loop/reduce"
	"github.com/fuzzmut/fuzzmut/instrument/rt/pump"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// Bounds on a measurement.
const (
	// measuredFirst is the length from which on one counts.
	measuredFirst = 1024
	// steepest bounds what a run may burn by what the one before did, and steepestLeast is what it may at
	// least: what grows faster with a doubled length is looked at in finer steps.
	steepest, steepestLeast = 16, 4 << 20
	// long and veryLong are the processor times of a run from which on it is run less often.
	long, veryLong = 50 * time.Millisecond, 200 * time.Millisecond
	// least is the processor time that runs of one length take together: less is not measured
	// well.
	least = 4 * time.Millisecond
	// timedLeast is the processor time from which on a run says something, and timedSizes how many
	// lengths should take that. Where doubled lengths give fewer, they grow by one part in finer.
	timedLeast, timedSizes, finer = 200 * time.Microsecond, 4, 8
	// dearBytes is what a run that is not timed may allocate.
	dearBytes = 64 << 20
	// beyond is how many times longer than the last length one is at which work that grows too fast has
	// to take beyondTime: it would take twenty times as much there.
	beyond, beyondTime = 8, time.Second
	// beyondClocked is the same for what grows by time, which no fuel ends there, and beyondExponent what it has to grow by.
	beyondClocked, beyondExponent = 3, 1.3
	// stackMost is the stack that a goroutine may have, in bytes: what recurses deeply does
	// not end the process sooner than it would elsewhere.
	stackMost = 512 << 20
)

// A Grower measures what growing inputs cost, in a process that does nothing else.
type Grower struct {
	Conn   *conn.Conn
	Target *exec.Target
	Exec   *exec.Executor
	MaxLen int
}

// Serve serves a Grow: lengths that double, up to one that takes req.CPU.
func (m *Grower) Serve(req *wire.Grow) error {
	vals, err := m.Target.Given(req.Input)
	if err != nil {
		return err
	}
	p := pump.Pump(req.Pump)
	if _, ok := textAt(vals, req.Arg); !ok || !p.Valid() {
		return m.Conn.Reply(wire.Reply{Grown: &wire.Grown{Failed: true}})
	}
	defer debug.SetMaxStack(debug.SetMaxStack(stackMost))
	most := m.MaxLen
	if req.Most > 0 {
		most = min(most, req.Most)
	}
	g := &growing{Hunter: &Hunter{Conn: m.Conn, Target: m.Target, Exec: m.Exec, MaxLen: most}, vals: vals, arg: req.Arg, pump: p, fuelMost: m.Exec.HangFuel}
	if req.ByTime {
		g.grows = clock
	}
	if req.Mutant != 0 && m.Exec.FuncOf(req.Mutant) < 0 {
		return m.Conn.Reply(wire.Reply{Grown: &wire.Grown{Failed: true}}) // it can't be switched
	}
	if len(req.Times) > 0 {
		g.mutant, g.fuelMost = req.Mutant, req.Fuel
		done := g.at(req.Times)
		if req.Mutant == 0 && req.Where && len(done.Sizes) > 0 {
			m.where(g, &done)
		}
		return m.Conn.Reply(wire.Reply{Grown: &done})
	}
	done := g.measure(req.CPU)
	if n := len(done.Sizes); n > 0 {
		m.where(g, &done)
	}
	return m.Conn.Reply(wire.Reply{Grown: &done})
}

// where enters where the input of the largest size works, and allocates.
func (m *Grower) where(g *growing, done *wire.Grown) {
	if g.grows == clock {
		done.Frames, done.Outside = g.slow(done.Sizes[len(done.Sizes)-1].Times, clockSampled)
		return
	}
	done.Frames = g.hot(done.Sizes)
	if done.Allocates = g.allocates(done.Sizes); len(done.Allocates) == 0 {
		done.Allocates = done.Frames
	}
}

func textAt(vals []any, i int) ([]byte, bool) {
	if i < 0 || i >= len(vals) {
		return nil, false
	}
	return reduce.Bytes(vals[i])
}

// at runs the input once with each of some numbers of repetitions, as far as it passes. The original may not
// allocate more than dearBytes, and is not run at a length that would probably be too much, if there are
// enough before it: a hang takes long.
func (g *growing) at(times []int) (done wire.Grown) {
	if g.mutant == 0 {
		g.Exec.BoundGarbage(dearBytes)
		defer g.Exec.BoundGarbage(0)
	}
	for _, n := range times {
		if g.mutant == 0 && g.tooDear(done.Sizes) {
			done.Failed = true
			break
		}
		s, ok := g.sizeAt(max(n, 1))
		if !ok {
			done.Failed = true
			break
		}
		done.Sizes = append(done.Sizes, s)
	}
	return done
}

// sizeAt runs a number of repetitions: for the least time of some runs if the input grows by time.
func (g *growing) sizeAt(times int) (wire.Size, bool) {
	if g.grows != clock {
		return g.run(times)
	}
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	return g.least(times, sizeRuns, nil, 0)
}

// tooDear reports whether the size that follows some would burn more than it may, or allocate dearBytes, if
// it grew as the last did.
func (g *growing) tooDear(list []wire.Size) bool {
	n := len(list)
	if n < leastPoints {
		return false
	}
	next := func(last, before int64) float64 { return float64(last) * float64(last) / float64(max(before, 1)) }
	last, before := list[n-1], list[n-2]
	return next(last.Fuel, before.Fuel) > float64(g.most()) || next(max(last.Bytes, leastBytes), max(before.Bytes, leastBytes)) > dearBytes
}

// measure finds lengths at which the input says something, and measures these. Where few of those that double
// take a time that counts before one takes enough, or burns too much, some in between are added.
func (g *growing) measure(enough time.Duration) (done wire.Grown) {
	seen, ended, next := g.scout(enough)
	list := g.longest(seen, ended)
	if (ended == byTime || ended == byFuel) && timedWell(list) < timedSizes {
		list = g.between(list, next, enough)
	}
	done.Failed = ended == byFailure || ended == byFuel
	if g.grows != clock && !grows(list) {
		done.Sizes = list
		return done
	}
	g.fuelMost = g.Exec.HangFuel
	if g.grows == clock {
		defer debug.SetGCPercent(debug.SetGCPercent(-1))
	}
	for _, s := range list {
		if !g.timed(&s) {
			done.Failed = true
			break
		}
		done.Sizes = append(done.Sizes, s)
	}
	if ended == byTime && !done.Failed {
		done.Sizes = g.further(done.Sizes, enough)
	}
	done.Failed = !steadied(done.Sizes, g.timed) || done.Failed
	done.Stops = g.stops(done.Sizes)
	return done
}

// further adds longer sizes where few take a time that counts, though a run had taken enough: that run may have been the
// first with much new memory, which takes tens of times as long on some machines.
func (g *growing) further(list []wire.Size, enough time.Duration) []wire.Size {
	for n := len(list); n > 0 && timedWell(list) < timedSizes && list[n-1].CPU < enough/2; n = len(list) {
		s, ok := g.once(2*list[n-1].Times, list)
		g.fuelMost = g.Exec.HangFuel
		if !ok || !g.timed(&s) {
			break
		}
		list = append(list, s)
	}
	return list
}

// grows reports whether the work of sizes, or what they allocate, may grow too fast at the last of them. Else
// their time does not matter.
func grows(list []wire.Size) bool {
	list = list[max(len(list)-2*timedSizes, 0):]
	least := goOn[len(goOn)-1]
	_, work := pump.Above(Work(list), least)
	_, bytes := pump.Above(Allocated(list), least)
	return work || bytes
}

// An ending is why no longer input is looked at.
type ending int

const (
	byLength  ending = iota // it would be too long
	byFailure               // it fails
	byTime                  // the last one takes enough
	byFuel                  // it burns too much
)

// first is the number of repetitions from which on lengths count, if there are enough of them.
func (g *growing) first() int { return g.pump.Times(max(measuredFirst, 2*g.pump.Fixed())) }

// scout runs the input once at lengths that double, from the shortest on: these cost next to nothing, and
// what burns too much is run only once. next is the number of repetitions that ended it.
func (g *growing) scout(enough time.Duration) (seen []wire.Size, ended ending, next int) {
	first := g.first()
	for next = 1; ; next *= 2 {
		s, ok := g.once(next, seen)
		if ok && g.enough(s, enough) && timedWell(seen) < timedSizes {
			s, ok = g.once(next, seen) // the first time, something may have been made that stays
		}
		switch {
		case ok:
			if seen = append(seen, s); g.enough(s, enough) {
				return seen, byTime, next
			}
		case s.Len > g.MaxLen:
			return seen, byLength, next
		case s.Fuel > g.most():
			return seen, byFuel, next
		case next >= first || g.Conn.Shared.Stopping():
			return seen, byFailure, next
		default: // it fails since it is short
			seen = nil
		}
	}
}

// longest leaves out lengths that are short. Where the work bounds the lengths, and not the input, there are
// at least some.
func (g *growing) longest(seen []wire.Size, ended ending) []wire.Size {
	first := g.first()
	short := 0
	for short < len(seen) && seen[short].Times < first {
		short++
	}
	if ended == byTime || ended == byFuel {
		short = min(short, max(len(seen)-timedSizes, 0))
	}
	return seen[short:len(seen):len(seen)]
}

// once runs the input once with a number of repetitions, and bounds what it may burn by what the sizes
// before did.
func (g *growing) once(times int, before []wire.Size) (s wire.Size, ok bool) {
	g.fuelMost = g.Exec.HangFuel
	if n := len(before); n > 0 {
		g.fuelMost = min(g.fuelMost, before[n-1].Fuel*steepest+steepestLeast)
	}
	return g.run(times)
}

// enough reports whether a size is the last that is needed.
func (g *growing) enough(s wire.Size, enough time.Duration) bool {
	return s.CPU >= enough || s.Fuel > g.Exec.HangFuel/8
}

// between adds sizes before a number of repetitions, until a run takes enough time. The last may have as many.
func (g *growing) between(list []wire.Size, next int, enough time.Duration) []wire.Size {
	before := list
	if n := len(list); n > 0 && list[n-1].Times == next {
		before = list[: n-1 : n-1]
	}
	after := list[len(before):]
	if len(before) == 0 {
		return list
	}
	last := before[len(before)-1].Times
	step := max(last/finer, 1)
	for times := last + step; times < next; times += step {
		s, ok := g.once(times, before)
		if !ok {
			break
		}
		if before = append(before, s); g.enough(s, enough) {
			break
		}
	}
	return append(before, after...)
}

// timedWell counts the sizes whose time says something.
func timedWell(list []wire.Size) (n int) {
	for _, s := range list {
		if s.CPU >= timedLeast {
			n++
		}
	}
	return n
}

// stops looks for a length at which work that grows too fast up to the last size no longer does, as
// where a parser refuses what is nested too deeply. It returns the size if that takes less than a
// second: then a longer text costs nothing more, or no more than it should. An input that
// fails at that length says nothing.
func (g *growing) stops(list []wire.Size) *wire.Size {
	if len(list) == 0 {
		return nil
	}
	last := list[len(list)-1]
	if g.grows == clock {
		return g.stopsTaking(last)
	}
	if _, above := pump.Above(Work(list), Bound); !above || last.CPU <= 0 || last.CPU >= beyondTime {
		return nil
	}
	h := *g
	h.fuelMost = int64(min(float64(last.Fuel)*float64(beyondTime+beyondTime/2)/float64(last.CPU), float64(g.most())))
	times := last.Times * beyond
	if longest := g.pump.Times(g.MaxLen * 9 / 10); times > longest {
		times = longest
	}
	if times <= last.Times {
		return nil
	}
	s, ok := h.run(times)
	if !ok || s.CPU >= beyondTime {
		return nil
	}
	return &s
}

// stopsTaking is stops for what grows by time.
func (g *growing) stopsTaking(last wire.Size) *wire.Size {
	times := min(last.Times*beyondClocked, g.pump.Times(g.MaxLen*9/10))
	if last.CPU <= 0 || last.CPU >= beyondTime || times <= last.Times {
		return nil
	}
	s, ok := g.run(times)
	if !ok || between(last, s) > beyondExponent || s.CPU >= beyondTime {
		return nil
	}
	return &s
}

// timed measures the processor time of a length that was run before, so that caches and pools are filled.
// It reports whether the input still passes.
func (g *growing) timed(s *wire.Size) bool {
	runtime.GC() // what was run before has left garbage, which the first runs would sweep
	once, ok := g.runs(s, 1)
	if ok && once < long {
		var again time.Duration
		again, ok = g.runs(s, 1)
		once = min(once, again) // garbage may have been collected in one: too few would be timed together
	}
	if !ok {
		return false
	}
	var list []time.Duration
	batch := g.batch(s, once)
	if batch == 1 {
		list = append(list, once)
	}
	for len(list) < timesOf(once) {
		d, ok := g.runs(s, batch)
		if !ok {
			return false
		}
		list = append(list, d)
	}
	s.CPU = slices.Min(list) // other work on the processor only adds to it
	return true
}

// steadied times lengths once more that took longer than the next longer one, and takes the less of both: what was run
// before has left memory that is slow to use again, or other work ran beside. It reports whether the input still passes.
func steadied(list []wire.Size, timed func(*wire.Size) bool) bool {
	for i := len(list) - 2; i >= 0; i-- {
		was := list[i].CPU
		if was <= list[i+1].CPU {
			continue
		}
		if !timed(&list[i]) {
			return false
		}
		list[i].CPU = min(list[i].CPU, was)
	}
	return true
}

// runs runs a length some times, and returns the processor time of one.
func (g *growing) runs(s *wire.Size, n int) (time.Duration, bool) {
	if g.grows == clock {
		runtime.GC() // and no other time: what it takes goes by what lives in the process
	}
	var took time.Duration
	for range n {
		again, ok := g.run(s.Times)
		if !ok {
			return 0, false
		}
		s.Fuel, s.Bytes = min(s.Fuel, again.Fuel), min(s.Bytes, again.Bytes)
		took += again.CPU
	}
	return took / time.Duration(n), true
}

// batch is how many runs of a length are timed together. Where garbage is not collected in between, they leave no more than
// dearBytes, or one does.
func (g *growing) batch(s *wire.Size, once time.Duration) int {
	n := int(min(least/max(once, 10*time.Microsecond), 64))
	if g.grows == clock {
		n = min(n, int(dearBytes/max(s.Bytes, 1)))
	}
	return n + 1
}

// timesOf is how often an input that takes a processor time is run for it. The longer it takes, the
// less it varies.
func timesOf(once time.Duration) int {
	switch {
	case once > veryLong:
		return 2
	case once > long:
		return 3
	}
	return 5
}

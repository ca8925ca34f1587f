package cost

import (
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
	// measuredFirst is the length at which it begins.
	measuredFirst = 1024
	// timesOfSize is how often an input of each length is run for its time, after a first run
	// that does not count: caches and pools are filled then. What takes long is run less often.
	timesOfSize, timesOfLong = 5, 3
	// long is the processor time of a run from which on it is run less often.
	long = 50 * time.Millisecond
	// least is the processor time that runs of one length take together: less is not measured
	// well.
	least = 4 * time.Millisecond
	// timedLeast is the processor time from which on a run says something, and timedSizes how many
	// lengths should take that. Where doubled lengths give fewer, they grow by one part in finer.
	timedLeast, timedSizes, finer = 200 * time.Microsecond, 4, 8
	// beyond is how many times longer than the last length one is at which work that grows too fast has
	// to take beyondTime: it would take twenty times as much there.
	beyond, beyondTime = 8, time.Second
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
	g := &growing{Hunter: &Hunter{Conn: m.Conn, Target: m.Target, Exec: m.Exec, MaxLen: most}, vals: vals, arg: req.Arg, pump: p, fuelMost: exec.HangFuel}
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

// at runs the input once with each of some numbers of repetitions, as far as it passes.
func (g *growing) at(times []int) (done wire.Grown) {
	for _, n := range times {
		s, ok := g.run(max(n, 1))
		if !ok {
			done.Failed = true
			break
		}
		done.Sizes = append(done.Sizes, s)
	}
	return done
}

// measure runs the input at lengths that double, until one run takes enough time, or the next
// length would burn more than an input may. Where these are too few, it begins again at shorter
// lengths; where that does not help, lengths that are closer together follow.
func (g *growing) measure(enough time.Duration) (done wire.Grown) {
	times := g.pump.Times(max(measuredFirst, 2*g.pump.Fixed()))
	for {
		var ended ending
		var most int
		done, ended, most = g.doubled(times, enough)
		if ended == byLength {
			break
		}
		if times > 1 && len(done.Sizes) < timedSizes {
			times = max(times/shorter, 1)
			continue
		}
		if n := len(done.Sizes); n > 0 && ended == byFuel && timedWell(done.Sizes) < timedSizes {
			last := done.Sizes[n-1]
			done.Sizes = append(done.Sizes, g.between(last.Times, most, enough)...)
		}
		break
	}
	done.Stops = g.stops(done.Sizes)
	return done
}

// An ending is why no longer input is measured.
type ending int

const (
	byLength ending = iota // it would be too long, or fails
	byTime                 // the last one takes enough
	byFuel                 // it burns more than an input may
)

// doubled measures lengths from a number of repetitions on, each twice the one before, and says what ended that. most is
// the number of repetitions that burns too much, if that is what did.
func (g *growing) doubled(times int, enough time.Duration) (done wire.Grown, ended ending, most int) {
	for ; ; times *= 2 {
		s, ok := g.timed(times)
		if !ok {
			done.Failed = s.Len <= g.MaxLen
			if s.Fuel > g.most() {
				return done, byFuel, times
			}
			return done, byLength, 0
		}
		done.Sizes = append(done.Sizes, s)
		if s.CPU >= enough || s.Fuel > exec.HangFuel/8 {
			return done, byTime, 0
		}
	}
}

// between measures lengths between two numbers of repetitions, until a run takes enough time.
func (g *growing) between(from, to int, enough time.Duration) (list []wire.Size) {
	step := max(from/finer, 1)
	for times := from + step; times < to; times += step {
		s, ok := g.timed(times)
		if !ok {
			return list
		}
		if list = append(list, s); s.CPU >= enough || s.Fuel > exec.HangFuel/8 {
			return list
		}
	}
	return list
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
	if _, above := pump.Above(Work(list), Bound); !above || last.CPU <= 0 || last.CPU >= beyondTime {
		return nil
	}
	h := *g
	h.fuelMost = int64(min(float64(last.Fuel)*float64(beyondTime)/float64(last.CPU), float64(g.most())))
	times := last.Times * beyond
	if longest := g.pump.Times(g.MaxLen * 9 / 10); times > longest {
		times = longest
	}
	if times <= last.Times {
		return nil
	}
	s, ok := h.run(times)
	if !ok {
		return nil
	}
	return &s
}

// timed measures one length.
func (g *growing) timed(times int) (s wire.Size, ok bool) {
	if s, ok = g.run(times); !ok {
		return s, false
	}
	begin := cpu()
	again, ok := g.run(times)
	once := cpu() - begin
	if !ok {
		return s, false
	}
	runs := timesOfSize
	if once > long {
		runs = timesOfLong
	}
	batch := int(min(least/max(once, 10*time.Microsecond), 64)) + 1
	list := make([]time.Duration, runs)
	for i := range list {
		begin := cpu()
		for range batch {
			if again, ok = g.run(times); !ok {
				return s, false
			}
			s.Fuel, s.Bytes = min(s.Fuel, again.Fuel), min(s.Bytes, again.Bytes)
		}
		list[i] = (cpu() - begin) / time.Duration(batch)
	}
	slices.Sort(list)
	s.CPU = list[len(list)/2]
	return s, true
}

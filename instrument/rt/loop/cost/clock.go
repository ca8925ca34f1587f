package cost

import (
	"runtime"
	"runtime/debug"
	"time"

	"github.com/fuzzmut/fuzzmut/instrument/rt/pump"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// What is done in packages that are not rewritten burns no fuel, and may allocate nothing: a search through a text,
// the keys of a map. Where the clock ends the run, the processor time of some pumps is looked at, too: of those whose
// time grew most from the first to the second length, and of others by turns. A look takes as long as tens of pumps
// whose fuel is counted, and gets a share of the hunts' time.

// Bounds on looks.
const (
	// clockShare is the part of the processor time of hunts, one in this number, that looks take.
	clockShare = 4
	// clockFirst is the first length of a look, and clockStep how many times longer the next is. What each call of
	// another package takes in any case hides its growth at shorter ones.
	clockFirst, clockStep = 2048, 4
	// clockRuns is how often a length is run, and clockDearRuns the same for one that takes clockDear. The least time
	// counts: what is seen first takes more, and so does what else the process does.
	clockRuns, clockDearRuns = 3, 2
	// sizeRuns is how often a length is run at most where it is looked at once only, until the runs together take
	// clockWell: beside other work the first few of what is short can take twice as long.
	sizeRuns, clockWell = 16, 4 * time.Millisecond
	// clockGarbage is what runs may allocate, in bytes, until it is collected, and clockGarbageRuns how often a length is run
	// that allocates as much. New memory may take tens of times as long as used memory. Two runs make it used: the
	// runtime clears what it uses again, and so may write to a page in the second run only.
	clockGarbage, clockGarbageRuns = 256 << 10, 4
	// clockLong is the time of a run that is too much for the first of a few lengths; clockDear is one after which the next
	// length is only clockDearStep times longer, and clockMost one after which there is no other.
	clockLong, clockDear, clockMost = 600 * time.Microsecond, 4 * time.Millisecond, 16 * time.Millisecond
	clockDearStep                   = 2
	// clockMegabyte is the time for a megabyte below which nobody would mind.
	clockMegabyte = time.Second
	// clockSampled is the processor time for which a measurement samples where it goes.
	clockSampled = 300 * time.Millisecond
)

// clockOn are the exponents of the processor time that a pump needs between two lengths: to be looked at further
// after the second, and to cost too much at the third.
var clockOn = [...]float64{1: 1.2, 2: 1.4}

// looks are what a hunter has looked at by the clock.
type looks struct {
	took time.Duration
	best *growing // of the pumps since the last look, the one whose time grew most; nil: there is none
	grew float64  // by how much, compared with its length
	last *growing // the last of the pumps
	turn bool     // the best was looked at
}

// watch takes in a pump that was grown to some lengths, and whose work does not grow too fast.
func (h *Hunter) watch(g *growing, points []wire.Size) {
	if !h.timed || len(points) < 2 || g.err != nil {
		return
	}
	g.failed = nil
	h.looks.last = g
	if g.slower(points) <= h.looks.grew {
		return
	}
	// It may have been interrupted.
	again, ok := g.run(points[1].Times)
	if !ok {
		return
	}
	g.ran[1] = min(g.ran[1], again.CPU)
	if grew := g.slower(points); grew > h.looks.grew {
		h.looks.best, h.looks.grew = g, grew
	}
}

// slower is how many times longer a byte took at the second length than at the first.
func (g *growing) slower(points []wire.Size) float64 {
	a, b := points[0], points[1]
	return float64(g.ran[1]) / float64(max(g.ran[0], 1)) * float64(a.Len) / float64(b.Len)
}

// lookDue reports whether there is a pump to look at, and time for it.
func (h *Hunter) lookDue() bool {
	return h.timed && h.looks.last != nil && h.looks.took*clockShare <= h.took
}

// look looks at a pump by the clock, and reports it if it costs too much.
func (h *Hunter) look() error {
	begin := cpu()
	defer func() { h.looks.took += cpu() - begin }()
	g := h.looks.last
	if h.looks.turn = !h.looks.turn; h.looks.turn && h.looks.best != nil {
		g = h.looks.best
	}
	h.looks.best, h.looks.grew, h.looks.last = nil, 0, nil
	g.grows = clock
	points, tooMuch := g.clocked()
	if !tooMuch {
		return nil
	}
	// The function that burns most fuel will do as a place until a fresh process has sampled the time: that takes longer.
	frames := g.hot(points)
	g.placeAt(clock, frames).unsent++
	return h.report(g, points, frames)
}

// clocked times the pump at a few lengths, and reports whether it takes too much at the last of them.
func (g *growing) clocked() (points []wire.Size, tooMuch bool) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // to collect garbage takes its time at some lengths, and not at others
	first := g.pump.Times(max(clockFirst, 2*g.pump.Fixed()))
	for {
		s, ok := g.least(first, clockRuns, nil, 0)
		switch {
		case !ok:
			return nil, false
		case s.CPU >= clockLong && first > clockStep:
			first /= clockStep
			continue
		}
		return g.clockedFrom(s)
	}
}

// clockedFrom goes on after a first length.
func (g *growing) clockedFrom(s wire.Size) (points []wire.Size, tooMuch bool) {
	points = append(points, s)
	for _, bound := range clockOn[1:] {
		if s.CPU >= clockMost || s.CPU <= 0 || s.Bytes >= bytesRun {
			return points, false
		}
		step := clockStep
		if s.CPU >= clockDear {
			step = clockDearStep
		}
		next, ok := g.least(s.Times*step, clockRuns, &s, bound)
		if !ok || between(s, next) <= bound {
			return points, false
		}
		points, s = append(points, next), next
	}
	return points, TooSlow(points)
}

// TooSlow reports whether lengths that were timed a few times each, each some times longer than the one
// before, take too much at the last of them.
func TooSlow(points []wire.Size) bool {
	n := len(points)
	if n < len(clockOn) {
		return false
	}
	e := between(points[n-2], points[n-1])
	last := []pump.Point{{Len: points[n-1].Len, Cost: points[n-1].CPU.Seconds()}}
	return between(points[n-3], points[n-2]) > clockOn[1] && e > clockOn[2] && pump.At(last, e, 1<<20) >= clockMegabyte.Seconds()
}

// between is the exponent of the processor time between two lengths.
func between(a, b wire.Size) float64 {
	return pump.Between(pump.Point{Len: a.Len, Cost: a.CPU.Seconds()}, pump.Point{Len: b.Len, Cost: b.CPU.Seconds()})
}

// least runs a number of repetitions some times, for the least processor time. Nobody else collects garbage meanwhile. It
// ends sooner if that grows less than a bound says: then it is no matter how much less.
func (g *growing) least(times, most int, before *wire.Size, bound float64) (s wire.Size, ok bool) {
	var took time.Duration
	var garbage int64
	for i := 0; i < most || s.Bytes >= clockGarbage && i < clockGarbageRuns; i++ {
		if garbage >= clockGarbage {
			runtime.GC()
			garbage = 0
		}
		again, ok := g.run(times)
		if !ok {
			return again, false
		}
		if i == 0 || again.CPU < s.CPU {
			s = again
		}
		took += again.CPU
		garbage += again.Bytes
		if before != nil && between(*before, s) <= bound || timedEnough(i+1, s, took) {
			break
		}
	}
	return s, true
}

// timedEnough reports whether a length need not be run again after a number of runs that took some time, the least of
// them and all together.
func timedEnough(runs int, least wire.Size, took time.Duration) bool {
	switch {
	case least.Bytes >= clockGarbage:
		return runs >= clockGarbageRuns && took >= clockWell
	case least.CPU >= clockDear:
		return runs >= clockDearRuns
	}
	return runs >= clockRuns && took >= clockWell
}

// slow says where the processor time of a number of repetitions goes, which is run for about a time.
func (g *growing) slow(times int, most time.Duration) (frames []string, outside string) {
	begin := cpu()
	return g.Exec.Slow(func() bool {
		_, ok := g.run(times)
		return ok && cpu()-begin < most
	})
}

// Clocked returns the processor time of sizes as points.
func Clocked(list []wire.Size) (points []pump.Point) {
	for _, s := range list {
		points = append(points, pump.Point{Len: s.Len, Cost: s.CPU.Seconds()})
	}
	return points
}

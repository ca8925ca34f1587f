package growth

import (
	"fmt"
	"time"

	"github.com/fuzzmut/fuzzmut/instrument/rt/codes"
	"github.com/fuzzmut/fuzzmut/instrument/rt/pump"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// Bounds on what counts as too much.
const (
	// timeSlack is what the exponent of the processor time may lie below the bound: short runs
	// have a part that does not grow.
	timeSlack = 0.2
	// timedLeast is the processor time from which on a run says something of it.
	timedLeast = 200 * time.Microsecond
	// timedSizes is how many lengths must take that.
	timedSizes = 3
	// Megabyte is the length for which Verdict.Seconds holds.
	Megabyte = 1 << 20
	// leastAtMegabyte is the time for a megabyte below which nobody would mind.
	leastAtMegabyte = time.Second
	// LeastSizes is how many lengths an exponent of work is fitted to.
	LeastSizes = 4
)

// What grows too fast.
const (
	Work  = "work"
	Bytes = "allocated bytes"
	// Time is the processor time, where neither of the others grows too fast.
	Time = "processor time"
)

// A Verdict is what a measurement says of a candidate.
type Verdict struct {
	Grows    string // Work or Bytes; "" if neither is above the bound
	Exponent float64
	Time     float64 // the exponent of the processor time
	// AtMegabyte is the processor time for a megabyte, which Extrapolated says was not run.
	AtMegabyte   time.Duration
	Extrapolated bool
	Why          string // why it is no finding; "" if it is one
}

// Judge judges a measurement. Growth above length^bound is too much.
func Judge(sizes []wire.Size, bound float64) (v Verdict) {
	if len(sizes) < LeastSizes {
		v.Why = "it can't be measured at enough lengths"
		return v
	}
	last := sizes[max(len(sizes)-2*LeastSizes, 0):] // what is short begins slowly
	fuel, above := pump.Above(points(last, func(s wire.Size) float64 { return float64(s.Fuel) }), bound)
	v.Grows, v.Exponent = Work, fuel
	if !above {
		v.Grows = Bytes
		if v.Exponent, above = pump.Above(points(last, allocated), bound); !above {
			v.Grows, v.Exponent, v.Why = "", fuel, "its work stops growing too fast at some length"
			return v
		}
	}
	v.judgeTime(timedWell(sizes), bound)
	return v
}

// openTime is how far the exponent of the processor time may lie below what it has to be, to be in doubt.
const openTime = 0.3

// InDoubt reports whether only the processor time, held to a bound, speaks against a finding, and may do so by chance: that of
// what allocates depends on memory and on the collector as well. Of what grows by time alone, one length that was timed in a
// slow moment hides how fast the others grow.
func (v *Verdict) InDoubt(bound float64) bool {
	switch v.Why {
	case whyNoTime:
		return v.Grows == Bytes || v.Time > bound-timeSlack-openTime
	case whyTimeAlone:
		return v.Time > bound-openTime
	}
	return false
}

// whyNoTime is why what takes no more time in proportion is no finding.
const whyNoTime = "it burns more work, but takes no more time in proportion"

// whyTimeAlone is why what was seen to grow by its time alone is no finding.
const whyTimeAlone = "its processor time does not grow too fast when measured"

// Least gives each size of a measurement the processor time that another one has for it, if that is less, and
// returns the sizes.
func Least(sizes, other []wire.Size) []wire.Size {
	for i := range sizes {
		for _, o := range other {
			if o.Times == sizes[i].Times {
				sizes[i].CPU = min(sizes[i].CPU, o.CPU)
			}
		}
	}
	return sizes
}

// timedWell are the processor times of the sizes at which they say something.
func timedWell(sizes []wire.Size) (timed []pump.Point) {
	for _, p := range points(sizes, costOf(Time)) {
		if p.Cost >= timedLeast.Seconds() {
			timed = append(timed, p)
		}
	}
	return timed
}

// JudgeTime judges a measurement of a candidate that the search has seen grow by its time. If neither work nor bytes
// grow too fast, the time alone has to, as they would: at as many lengths, and without what short runs are allowed.
func JudgeTime(sizes []wire.Size, bound float64) (v Verdict) {
	if v = Judge(sizes, bound); v.Grows != "" || len(sizes) < LeastSizes {
		return v
	}
	timed := timedWell(sizes)
	v = Verdict{}
	if len(timed) < LeastSizes {
		v.Why = "it takes too little time to be measured"
		return v
	}
	last := timed[max(len(timed)-2*LeastSizes, 0):]
	e, above := pump.Above(last, bound)
	if !above {
		v.Exponent, v.Time, v.Why = e, e, whyTimeAlone
		return v
	}
	v.judgeTime(last, bound)
	v.Grows, v.Exponent = Time, v.Time
	return v
}

// Stops takes a longer input into account at which the work has stopped growing, and takes less than a
// second; nil: there is none.
func (v *Verdict) Stops(longer *wire.Size) {
	if v.Why == "" && (v.Grows == Work || v.Grows == Time) && longer != nil {
		v.Why = fmt.Sprintf("its %s stops growing at some length, %d bytes take less than a second", v.Grows, longer.Len)
	}
}

// stops reports whether a mutant stops the growth: it is no longer too fast, and a part of the
// cost at the longest length is gone. was is what the original costs at the same lengths.
func (v *Verdict) stops(was, now []wire.Size, bound float64) bool {
	cost := costOf(v.Grows)
	list := points(now, cost)
	if v.Grows == Time {
		list = timedWell(now) // what takes less has not been measured
	}
	_, above := pump.Above(list, bound)
	return !above && cost(now[len(now)-1]) <= cost(was[len(was)-1])/stopsShare
}

// stopsLooks is how often a mutant is timed that may stop what grows by time.
const stopsLooks = 3

// stopsWith reports whether a mutant stops the growth; run runs it at some lengths, first at those of was. What
// grows by time is looked at again at longer ones while at least a half of the time is gone: other work on
// the processor only adds to it, and short times say little about how they grow.
func (v *Verdict) stopsWith(was, longer []wire.Size, bound float64, run func([]wire.Size) (*wire.Grown, error)) (bool, error) {
	var now []wire.Size
	cost := costOf(v.Grows)
	for range stopsLooks {
		grown, err := run(was)
		if err != nil || grown.Failed || len(grown.Sizes) != len(was) {
			return false, err
		}
		last := len(was) - 1
		if now = Least(grown.Sizes, now); v.stops(was, now, bound) {
			return true, nil
		}
		if v.Grows != Time || cost(now[last]) > cost(was[last])/2 {
			break
		}
		if len(longer) >= leastStopping {
			was = longer
		}
	}
	return false, nil
}

// Timed returns the longest of the lengths of a measurement that take no more than a time, but at least as many as show
// whether growth stops: at these, mutants are run on what grows by time.
func Timed(measured []wire.Size, most time.Duration) []wire.Size {
	n := 0
	for n < len(measured) && (n < leastStopping || measured[n].CPU <= most) {
		n++
	}
	return measured[max(n-LeastSizes, 0):n]
}

// costOf returns what of a size counts.
func costOf(grows string) func(wire.Size) float64 {
	switch grows {
	case Bytes:
		return allocated
	case Time:
		return func(s wire.Size) float64 { return s.CPU.Seconds() }
	}
	return func(s wire.Size) float64 { return float64(s.Fuel) }
}

// mostStopping is the fuel that a mutant may burn at one length, to stop the growth.
func (v *Verdict) mostStopping(was []wire.Size) int64 {
	last := was[len(was)-1].Fuel
	switch v.Grows {
	case Work:
		last /= stopsShare
	case Bytes:
		last *= 2
	default: // work says nothing of it
		last = max(last*2, timedFuel)
	}
	return min(last, stoppingFuel)
}

// stoppingFuel is what a mutant may burn at most: as much as makes an input hang. A loop that is left after
// 1,000 turns may look at all of a long text in each.
const stoppingFuel = 400_000_000

// timedFuel is what a mutant may burn at least where the growth is by time.
const timedFuel = 4 << 20

// Bounds on the lengths at which the guard of a loop shows whether it stops the growth.
const (
	// longerTimes is how often the pump is repeated at the longest: well above what such a guard
	// allows.
	longerTimes = 16 * codes.MostTurns
	// longerLeast is what it is repeated at least, where longer inputs are not allowed.
	longerLeast = 6 * codes.MostTurns
	longerSizes = 4
)

// Longer returns lengths at which the guard of a loop shows whether it stops the growth of a
// candidate, and what the original would cost there. That is extrapolated from what was
// measured. It returns nil if the input would be too long.
func (v *Verdict) Longer(n *Candidate, measured []wire.Size) (list []wire.Size) {
	p := pump.Pump(n.Pump)
	times := min(longerTimes, p.Times(Megabyte*9/10))
	if times < longerLeast || len(measured) == 0 {
		return nil
	}
	fuel := func(s wire.Size) float64 { return float64(s.Fuel) }
	perFuel, _ := pump.Exponent(points(measured, fuel))
	perBytes, _ := pump.Exponent(points(measured, allocated))
	for i := longerSizes - 1; i >= 0; i-- {
		s := wire.Size{Times: times >> i, Len: len(p.Grown(nil, times>>i))}
		s.Fuel = whole(pump.At(points(measured, fuel), perFuel, s.Len))
		s.Bytes = whole(pump.At(points(measured, allocated), perBytes, s.Len))
		list = append(list, s)
	}
	return list
}

// whole is a number as an integer that can be doubled.
func whole(x float64) int64 { return int64(min(x, 1<<61)) }

// leastStopping is how many lengths say whether the growth stops: of what allocates much the
// search runs no more.
const leastStopping = 3

// stopsShare is the part of the cost that may be left with a mutant that stops the growth.
const stopsShare = 4

// judgeTime says whether it takes longer, too.
func (v *Verdict) judgeTime(timed []pump.Point, bound float64) {
	if len(timed) < timedSizes {
		v.Why = "it takes too little time to be measured"
		return
	}
	var last float64
	v.Time, last = pump.Exponent(timed)
	if v.Time <= bound-timeSlack || last <= bound-2*timeSlack {
		v.Why = whyNoTime
		return
	}
	longest := timed[len(timed)-1]
	v.Extrapolated = longest.Len < Megabyte*9/10
	seconds := pump.At(timed, v.Time, Megabyte)
	const most = float64(1<<63-1) / float64(time.Second)
	v.AtMegabyte = time.Duration(min(seconds, most/2) * float64(time.Second))
	if v.AtMegabyte < leastAtMegabyte {
		v.Why = "a megabyte of it takes less than a second"
	}
}

func points(sizes []wire.Size, cost func(wire.Size) float64) []pump.Point {
	var list []pump.Point
	for _, s := range sizes {
		list = append(list, pump.Point{Len: s.Len, Cost: cost(s)})
	}
	return list
}

// leastBytes are allocated at least, as far as that counts: small amounts are measured in steps.
const leastBytes = 64 << 10

func allocated(s wire.Size) float64 { return float64(max(s.Bytes, leastBytes)) }

package fuzzmut

import (
	"fmt"
	"math/bits"
	"testing"
	"time"
	"unsafe"

	"github.com/fuzzmut/fuzzmut/fuzzmut/term"
)

// property is what a check tests: whether something holds for all terms of a type.
type property struct {
	t    *testing.T
	name string // of the type, and whatever else tells checks of one test apart
	typ  *term.Type
	pkg  string                                              // of the test
	try  func(x *term.Term, most int) (a *attempt, runs int) // until it fails, at most that often
	// test tests a value on another goroutine, if one run of it says whether that fails. one prepares such
	// a test where there is more to prepare than an attempt. nil: see try.
	test func(a *attempt, x *term.Term)
	one  func() (a *attempt, test func(a *attempt, x *term.Term))
	some attempts // for test
	// place draws the value that test gets if it gets no term, and writes it to in; nil: it gets one.
	place   *term.Writer
	in      unsafe.Pointer
	clear   func() // in, before it is written to; nil: all of it is
	source  func(x *term.Term) string
	blocked func() string // what has not returned for mostWait; "": something has. nil: nobody asks
	enough  func() bool   // whether the check may end when its time is over; nil: it may
	reps    int           // runs of each value; more than 1: not each run of one that can fail does

	settings
	tally tally
}

// Bounds of a check.
const (
	discardsPerValue = 20    // before it gives up
	shrinkRuns       = 50000 // for a smaller value
	shrinkTime       = 10 * time.Second
)

// Runs of a value that does not fail each time, where one that failed before is looked for.
const (
	leastReps      = 50
	mostReps       = 5000
	keptReps       = 1000
	runsPerFailure = 5 // for each run in which one failed
)

// check fails the test with a minimized value, if it finds one for which the property
// does not hold.
func (p *property) check() {
	p.t.Helper()
	if p.n < 0 {
		p.t.Fatalf("fuzzmut: it can't test %d values. To fix this: let N, or -%s, be the number of values, or 0 for the default", p.n, countFlag)
	}
	kept := p.failures()
	for _, x := range kept.load(p.typ) {
		if a, _ := p.try(x, p.often(keptReps)); a.Failed() {
			p.t.Fatal(p.counterexample(x, a, "a value that failed before fails again"))
		}
	}
	c := p.course()
	for !c.over {
		c.stretch()
		c.judge()
	}
}

// once tests a value on a separate goroutine.
func (p *property) once(x *term.Term, _ int) (a *attempt, runs int) {
	a, test := p.prepared()
	if text := p.wait(a.start(func() { test(a, x) })); text != "" {
		a.blocks(text)
	}
	return a, 1
}

// prepared is a test that is to be run.
func (p *property) prepared() (a *attempt, test func(a *attempt, x *term.Term)) {
	if p.one != nil {
		return p.one()
	}
	return p.some.next(), p.test
}

// wait waits until a goroutine has ended, or what it does blocks, and says what that is.
func (p *property) wait(done chan struct{}) (blocked string) {
	if p.blocked == nil {
		<-done
		return ""
	}
	tick := time.NewTicker(mostWait)
	defer tick.Stop()
	for {
		select {
		case <-done:
			return ""
		case <-tick.C:
			if text := p.blocked(); text != "" {
				return text
			}
		}
	}
}

func (p *property) giveUp() {
	p.t.Helper()
	p.t.Fatalf("fuzzmut: too few inputs satisfy Assume: %s. To fix this: generate better ones with fuzzmut.Generate or fuzzmut.Represent", &p.tally)
}

// sizes are those of the values of a check: first they grow, so that what fails early is small, and then
// they vary, the smaller ones more often.
type sizes struct {
	grow     int // values
	most     int
	halvings uint64 // until most is 0
}

// sizesOf are those of n values.
func sizesOf(n, most int) sizes {
	return sizes{min(n/2, 200), most, uint64(bits.Len(uint(most)))}
}

// of is the size of value i. The number is random: to draw more than one takes longer.
func (s *sizes) of(number uint64, i int) int {
	if i < s.grow {
		return 1 + i*s.most/s.grow
	}
	halvings, rest := bits.Mul64(number, s.halvings)
	size, _ := bits.Mul64(rest, uint64(max(s.most>>(halvings&63), 1)))
	return 1 + int(size)
}

// often is n where a value has to be run more than once, within bounds, and 1 elsewhere.
func (p *property) often(n int) int {
	if p.reps <= 1 {
		return 1
	}
	return min(max(n, leastReps), mostReps)
}

// rarity returns in how many runs a value that failed is almost certain to fail again.
func (p *property) rarity(x *term.Term, site string) int {
	if p.reps <= 1 || site == blockedSite {
		return 1
	}
	failures, start := 0, time.Now()
	for runs := 0; runs < mostReps && time.Since(start) < shrinkTime/5; {
		a, n := p.try(x, mostReps/10)
		if runs += n; a.Failed() && a.site() == site {
			failures++
		}
		if failures == 3 {
			return runsPerFailure * runs / 3
		}
	}
	return mostReps
}

// shown is Go source for a value with its last attempt.
func (p *property) shown(x *term.Term, a *attempt) string {
	if a.shown != nil {
		return a.shown()
	}
	return p.source(x)
}

// counterexample makes a failing input smaller, keeps it, and says what fails.
func (p *property) counterexample(x *term.Term, first *attempt, which string) string {
	last, start := first, time.Now()
	reps := p.often(p.rarity(x, first.site()))
	late := func() bool {
		return first.site() == blockedSite || (p.time > 0 || p.reps > 1) && time.Since(start) > shrinkTime
	}
	least, minimal := term.Shrink(x, shrinkRuns, func(y *term.Term) bool {
		if late() {
			return false
		}
		a, runs := p.try(y, reps)
		takeDiscard(a)
		if !a.Failed() || a.site() != first.site() {
			return false
		}
		last, reps = a, p.often((reps+runsPerFailure*runs)/2)
		return true
	})
	text := message(which, p.shown(least, last), last, minimal && !late(), reps)
	if err := p.failures().add(least); err != nil {
		text += fmt.Sprintf("\nfuzzmut: the value is not kept for the next run: %v", err)
	}
	return text
}

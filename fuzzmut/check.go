package fuzzmut

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/fuzzmut/fuzzmut/fuzzmut/derive"
	"github.com/fuzzmut/fuzzmut/fuzzmut/search"
	"github.com/fuzzmut/fuzzmut/fuzzmut/term"
)

// property is what a check tests: whether something holds for all terms of a type.
type property struct {
	t      *testing.T
	name   string // of the type, and whatever else tells checks of one test apart
	typ    *term.Type
	pkg    string                                              // of the test
	try    func(x *term.Term, most int) (a *attempt, runs int) // until it fails, at most that often
	source func(x *term.Term) string
	reps   int // runs of each value; more than 1: not each run of one that can fail does

	settings
	tally   tally
	passed  []*term.Term // some of those that were not discarded
	breeder *search.Breeder
}

// Bounds of a check.
const (
	discardsPerValue = 20    // before it gives up
	shrinkRuns       = 50000 // for a smaller value
	shrinkTime       = 10 * time.Second
	keptPassed       = 64 // values
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
	kept := p.failures()
	for _, x := range kept.load(p.typ) {
		if a, _ := p.try(x, p.often(keptReps)); a.Failed() {
			p.t.Fatal(p.counterexample(x, a, "a value that failed before fails again"))
		}
	}
	start := time.Now()
	r := rand.New(rand.NewPCG(p.seed, 0))
	for tested := 0; tested < p.n; {
		x := p.draw(r, sizeOf(r, tested, p.n, p.size))
		a, _ := p.try(x, p.reps)
		p.tally.count(a)
		switch {
		case a.Failed():
			text := p.counterexample(x, a, fmt.Sprintf("input %d of seed %d fails (-%s=%d repeats the run)", p.tally.inputs, p.seed, seedFlag, p.seed))
			p.t.Fatal(text)
		case p.reps > 1 && p.t.Failed():
			p.t.Fatalf("the race detector has found a race, which is above, in input %d of seed %d:\n%s", p.tally.inputs, p.seed, a.shown())
		case !a.Skipped():
			tested++
			p.pass(r, x)
		case p.tally.inputs > discardsPerValue*p.n:
			p.giveUp()
		}
		if p.time > 0 && p.tally.inputs%16 == 0 && time.Since(start) > p.time {
			if tested < leastValues && p.tally.discarded() > discardsPerValue*leastValues {
				p.giveUp()
			}
			if tested >= leastValues {
				p.t.Logf("fuzzmut: seed %d: %d of %d values were tested in %v, which -%s changes", p.seed, tested, p.n, p.time, timeFlag)
				return
			}
		}
	}
}

func (p *property) giveUp() {
	p.t.Helper()
	p.t.Fatalf("fuzzmut: too few inputs satisfy Assume: %s. To fix this: generate better ones with fuzzmut.Generate or fuzzmut.Represent", &p.tally)
}

// sizeOf is the size of a value: first they grow, so that what fails early is small, and
// then they vary, the smaller ones more often.
func sizeOf(r *rand.Rand, i, n, most int) int {
	if grow := min(n/2, 200); i < grow {
		return 1 + i*most/grow
	}
	return 1 + r.IntN(max(most>>r.IntN(bits.Len(uint(most))), 1))
}

// draw draws an input. Where many are discarded, it is often one that was not, with
// changes: most of what is close to it is not discarded either.
func (p *property) draw(r *rand.Rand, size int) *term.Term {
	defer p.blame()
	if n := len(p.passed); n > 0 && 2*p.tally.discarded() > p.tally.inputs && r.IntN(3) > 0 {
		if p.breeder == nil {
			p.breeder = search.NewBreeder(p.typ, search.Options{Seed: p.seed, Size: p.size})
		}
		return p.breeder.Mutate(p.passed[r.IntN(n)], p.passed[r.IntN(n)])
	}
	return p.typ.DrawVaried(r, size)
}

// blame fails the test with what a function that was registered does wrong.
func (p *property) blame() {
	switch v := recover().(type) {
	case nil:
	case *derive.UserError:
		p.t.Fatal(v)
	default:
		panic(v)
	}
}

func (p *property) pass(r *rand.Rand, x *term.Term) {
	if len(p.passed) < keptPassed {
		p.passed = append(p.passed, x)
		return
	}
	p.passed[r.IntN(keptPassed)] = x
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
		if runs += n; a.Failed() && a.site == site {
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
	reps := p.often(p.rarity(x, first.site))
	late := func() bool {
		return first.site == blockedSite || (p.time > 0 || p.reps > 1) && time.Since(start) > shrinkTime
	}
	least, minimal := term.Shrink(x, shrinkRuns, func(y *term.Term) bool {
		if late() {
			return false
		}
		a, runs := p.try(y, reps)
		takeDiscard(a)
		if !a.Failed() || a.site != first.site {
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

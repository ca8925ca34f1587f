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
	pkg    string // of the test
	try    func(x *term.Term) *attempt
	source func(x *term.Term) string

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

// check fails the test with a minimized value, if it finds one for which the property
// does not hold.
func (p *property) check() {
	p.t.Helper()
	kept := p.failures()
	for _, x := range kept.load(p.typ) {
		if a := p.try(x); a.Failed() {
			p.t.Fatal(p.counterexample(x, a, "a value that failed before fails again"))
		}
	}
	start := time.Now()
	r := rand.New(rand.NewPCG(p.seed, 0))
	for tested := 0; tested < p.n; {
		x := p.draw(r, sizeOf(r, tested, p.n, p.size))
		a := p.try(x)
		p.tally.count(a)
		switch {
		case a.Failed():
			text := p.counterexample(x, a, fmt.Sprintf("input %d of seed %d fails (-%s=%d repeats the run)", p.tally.inputs, p.seed, seedFlag, p.seed))
			p.t.Fatal(text)
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

// counterexample makes a failing input smaller, keeps it, and says what fails.
func (p *property) counterexample(x *term.Term, first *attempt, which string) string {
	last, start := first, time.Now()
	least, minimal := term.Shrink(x, shrinkRuns, func(y *term.Term) bool {
		if p.time > 0 && time.Since(start) > shrinkTime {
			return false
		}
		a := p.try(y)
		takeDiscard(a)
		if !a.Failed() || a.site != first.site {
			return false
		}
		last = a
		return true
	})
	if p.time > 0 && time.Since(start) > shrinkTime {
		minimal = false
	}
	text := message(which, p.source(least), last, minimal)
	if err := p.failures().add(least); err != nil {
		text += fmt.Sprintf("\nfuzzmut: the value is not kept for the next run: %v", err)
	}
	return text
}

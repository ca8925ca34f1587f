package fuzzmut

import (
	"fmt"
	"sync/atomic"
	"time"

	"github.com/fuzzmut/fuzzmut/fuzzmut/search"
	"github.com/fuzzmut/fuzzmut/fuzzmut/term"
)

// course is how far a check has come.
type course struct {
	*property
	r       term.Random
	sizes   sizes
	drawer  *term.Drawer
	start   time.Time
	tested  int
	over    bool
	tooFew  bool    // values were not discarded
	passed  []draft // some of those that were not discarded
	breeder *search.Breeder
	done    chan struct{} // is closed when a stretch ends
	turn    atomic.Int32  // idle, running or left: who may change what is below

	x     *term.Term // the last one, valid until the next one is drawn; nil: it is in its place
	drawn draft
	a     *attempt // its test, which is still to be judged; nil: there is none
	wrong error    // what kept a value from being drawn
}

const keptPassed = 64 // values

// What the goroutine of a stretch does.
const (
	idle    = iota // none of the following
	running        // it tests a value
	left           // it is left to itself, since that blocks: it must not go on
)

// course is that of a check which begins.
func (p *property) course() *course {
	return &course{property: p, r: term.Random(p.seed), sizes: sizesOf(p.n, p.size), drawer: p.typ.Drawer(), start: time.Now()}
}

// stretch tests values on one goroutine, until one of them is to be judged, which is the last one.
// One for each takes longer than many a test.
func (c *course) stretch() {
	if c.test == nil && c.one == nil {
		if c.next() {
			c.a, _ = c.try(c.x, c.reps)
		}
		return
	}
	c.done = make(chan struct{})
	go c.run()
	for text := c.wait(c.done); text != ""; text = c.wait(c.done) {
		if c.turn.CompareAndSwap(running, left) {
			c.a.blocks(text)
			return
		}
	}
}

// begins says that the goroutine of a stretch tests a value.
func (c *course) begins(a *attempt) {
	if c.blocked != nil { // else nobody leaves it to itself
		c.a = a
		c.turn.Store(running)
	}
}

// goesOn reports whether the goroutine of a stretch may go on after it has tested a value.
func (c *course) goesOn() bool {
	return c.blocked == nil || c.turn.CompareAndSwap(running, idle) || c.turn.Load() == idle
}

// run tests values until there is one to be judged.
func (c *course) run() {
	var a *attempt // which goes on. It is not in c: to set what others see takes longer while the collector runs
	defer c.ended(&a)
	for !c.over && c.next() {
		var test func(*attempt, *term.Term)
		a, test = c.prepared()
		c.begins(a)
		if test(a, c.x); !c.goesOn() || !a.uneventful() {
			return
		}
		a = nil
		c.passes()
	}
}

// ended does what is left when a goroutine ends, in a test or not. What discards a value ends one: then another one goes
// on, and nobody wakes up in between.
func (c *course) ended(in **attempt) {
	if !c.goesOn() {
		recover() //nolint:errcheck // the check has failed before
		return
	}
	if c.a = *in; c.a == nil {
		if c.over || c.wrong != nil { // else drawing panics, which ends the process
			close(c.done)
		}
		return
	}
	c.a.caught(recover())
	if !c.a.onlySkipped() {
		defer close(c.done)
		c.a.finish()
		return
	}
	c.skips(c.a)
	if c.a = nil; c.over || c.tooFew {
		close(c.done)
		return
	}
	go c.run()
}

// next draws a value, if that can be done.
func (c *course) next() bool {
	number := c.r.Uint64()
	size := c.sizes.of(number, c.tested)
	if c.tally.discarded() > 0 && c.breeds() {
		c.wrong = c.breed()
		return c.wrong == nil
	}
	if c.place == nil {
		c.wrong = c.draw(number, size)
		return c.wrong == nil
	}
	// What is nil is not set again: while the collector runs, that takes longer.
	if c.x != nil || c.drawn.x != nil {
		c.x, c.drawn.x = nil, nil
	}
	c.drawn.seed, c.drawn.size = number, size
	if c.clear != nil {
		c.clear()
	}
	c.place.Draw(c.in, number, size)
	return true
}

// breeds reports whether the next value is one that was not discarded, with changes: where many are discarded, that is often
// so, since most of what is close to one that was not is not discarded either.
func (c *course) breeds() bool {
	return len(c.passed) > 0 && 2*c.tally.discarded() > c.tally.inputs && c.r.IntN(3) > 0
}

// breed changes a value that was not discarded. The error says what a function that was registered does wrong.
func (c *course) breed() (err error) {
	defer recovered(&err)
	if c.breeder == nil {
		c.breeder = search.NewBreeder(c.typ, search.Options{Seed: c.seed, Size: c.size})
	}
	x, y := c.r.IntN(len(c.passed)), c.r.IntN(len(c.passed))
	c.x = c.breeder.Mutate(c.passed[x].term(c.typ), c.passed[y].term(c.typ))
	c.drawn = draft{x: c.x}
	return nil
}

// draw draws a value of any kind. The error is as of breed.
func (c *course) draw(seed uint64, size int) (err error) {
	defer recovered(&err)
	c.drawn = draft{seed: seed, size: size}
	c.x = c.drawer.Drawn(seed, size)
	return nil
}

// value returns the last one.
func (c *course) value() *term.Term {
	if c.x == nil {
		c.x = c.drawn.term(c.typ)
	}
	return c.x
}

// draft is a value that can be drawn again.
type draft struct {
	x    *term.Term // nil before it was
	seed uint64
	size int
}

// term returns the value.
func (d *draft) term(t *term.Type) *term.Term {
	if d.x == nil {
		d.x = t.Drawn(d.seed, d.size)
	}
	return d.x
}

// keepPassed keeps a value that was not discarded.
func (c *course) keepPassed() {
	if len(c.passed) < keptPassed {
		c.passed = append(c.passed, c.drawn)
	} else {
		c.passed[c.r.IntN(keptPassed)] = c.drawn
	}
}

// passes counts a value that was neither discarded nor failed.
func (c *course) passes() {
	c.tally.pass()
	c.tested++
	if c.tally.discarded() > 0 { // else nobody needs it
		c.keepPassed()
	}
	c.over = c.tested >= c.n || c.time > 0 && c.late() && c.tested >= leastValues
}

// late reports whether the time of the check is over.
func (c *course) late() bool {
	if c.time == 0 || c.tally.inputs%16 > 0 {
		return false
	}
	since := time.Since(c.start)
	return since > c.time && (c.enough == nil || c.most == 0 || since > c.most || c.enough())
}

// judge says what became of the last value, and of the check if it is over.
func (c *course) judge() {
	c.t.Helper()
	if c.wrong != nil {
		c.t.Fatal(c.wrong)
	}
	switch a := c.a; {
	case a == nil:
	case a.Failed():
		c.tally.count(a)
		c.t.Fatal(c.counterexample(c.value(), a, fmt.Sprintf("input %d of seed %d fails (-%s=%d repeats the run)", c.tally.inputs, c.seed, seedFlag, c.seed)))
	case c.reps > 1 && c.t.Failed():
		c.tally.count(a)
		c.t.Fatalf("the race detector has found a race, which is above, in input %d of seed %d:\n%s", c.tally.inputs, c.seed, a.shown())
	case a.Skipped():
		c.skips(a)
	default:
		c.passes()
	}
	c.a = nil
	c.report()
}

// report says that the check gives up, or has run out of time.
func (c *course) report() {
	c.t.Helper()
	if c.tooFew {
		c.giveUp()
	}
	if c.over && c.tested < c.n {
		c.t.Logf("fuzzmut: seed %d: %d of %d values were tested in %v, which -%s changes", c.seed, c.tested, c.n, c.time, timeFlag)
	}
}

// skips counts a value that was discarded, and finds out whether too many are.
func (c *course) skips(a *attempt) {
	c.tally.count(a)
	late := c.late()
	c.tooFew = c.tally.inputs > discardsPerValue*c.n || late && c.tested < leastValues && c.tally.discarded() > discardsPerValue*leastValues
	c.over = late && c.tested >= leastValues
}

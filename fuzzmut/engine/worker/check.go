package worker

import (
	"errors"
	"fmt"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/instrument/rt/observe"
	"github.com/fuzzmut/fuzzmut/instrument/rt/pump"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// The program under test runs in the worker, and may write over its memory. So nothing
// that a worker says is taken for granted: numbers that index something are checked
// here, once for all who call.

// errReply is a reply that is none to the request.
var errReply = errors.New("a reply that no worker sends")

// known is what is known of the program and bounds the numbers in replies.
type known struct {
	mutants  int // their indices are 1 to mutants
	counters int
	sites    int
	tests    int
	args     []string // types of the fuzz target's arguments; nil: not known yet
}

func (k *known) sees(mutants int) { k.mutants = max(k.mutants, mutants) }

// request takes note of what a request tells the worker of the program.
func (k *known) request(req *wire.Request) {
	if req.Init != nil {
		k.counters = req.Init.Counters
		k.sees(len(req.Init.MutantFunc))
	}
}

// input decodes an input. It returns nil for what is none of the fuzz target's.
func (k *known) input(data []byte) *corpus.Input {
	in, err := corpus.FromWorker(data)
	if err != nil || k.args != nil && !in.Is(k.args) {
		return nil
	}
	return in
}

// doomMost is the highest reason for which an execution is ended from inside.
const doomMost = 3

// clean takes out of a state what can't be so, and decodes the inputs. It reports whether
// nothing was taken out.
func (k *known) clean(st *State) bool {
	sound := st.Doom <= doomMost
	if !sound {
		st.Doom = 0
	}
	for _, m := range []*uint32{&st.Mutant, &st.Last, &st.Before} {
		if int64(*m) > int64(k.mutants) {
			*m, sound = 0, false
		}
	}
	if st.Test < 0 || st.Test > max(0, k.tests-1) {
		st.Test, sound = 0, false
	}
	for _, input := range []struct {
		raw  *[]byte
		into **corpus.Input
	}{{&st.State.Input, &st.Input}, {&st.State.Previous, &st.Previous}} {
		// Where nothing was run, there is an empty input.
		if len(*input.raw) > 0 {
			*input.into = k.input(*input.raw)
			sound = sound && *input.into != nil
		}
		*input.raw = nil
	}
	return sound
}

// checker checks the replies to one request.
type checker struct {
	*known
	req      *wire.Request
	dialogue wire.Dialogue
	stopped  func() bool     // the worker was asked to stop
	next     int             // the item that is to be answered next
	in       *corpus.Input   // of the reply, if it has one
	bred     []*corpus.Input // of a round
	err      error
}

func newChecker(k *known, req *wire.Request, stopped func() bool) (*checker, error) {
	d, err := wire.Begin(req)
	return &checker{known: k, req: req, dialogue: d, stopped: stopped}, err
}

// reply checks one reply. It reports whether that closes the request.
func (c *checker) reply(r *wire.Reply) (closed bool, err error) {
	closed, err = c.dialogue.Reply(r)
	if err != nil {
		return false, fmt.Errorf("%w: %w", errReply, err)
	}
	c.err, c.in = nil, nil
	if closed {
		c.closing(r)
	} else {
		c.event(r)
	}
	return closed, c.err
}

func (c *checker) fail(format string, args ...any) {
	if c.err == nil {
		c.err = fmt.Errorf("%w: %s", errReply, fmt.Sprintf(format, args...))
	}
}

// closing checks a reply that closes a request.
func (c *checker) closing(r *wire.Reply) {
	q := c.req
	switch {
	case r.Hello != nil:
		c.hello(r.Hello)
	case r.Ran != nil:
		c.stats(&r.Ran.Stats)
		c.amount("fuel", r.Ran.Fuel)
		if q.Run != nil && c.next < len(q.Run.Items) && !c.stopped() {
			c.fail("%d of %d items are done", c.next, len(q.Run.Items))
		}
	case r.Fuzzed != nil:
		c.fuzzed(r.Fuzzed)
	case r.Trimmed != nil:
		c.values(r.Trimmed.Input)
		c.stats(&r.Trimmed.Stats)
	case r.Grown != nil:
		c.sizes(r.Grown.Sizes)
	case r.Replayed != nil:
		if r.Replayed.Execs < 0 || r.Replayed.Execs > int64(len(q.Replay.Items)) {
			c.fail("%d of %d items are done", r.Replayed.Execs, len(q.Replay.Items))
		}
	}
}

// event checks a reply that does not close a request.
func (c *checker) event(r *wire.Reply) {
	switch {
	case r.Result != nil:
		c.result(r.Result)
	case r.Kill != nil:
		c.killed(r.Kill)
	case r.Found != nil:
		c.found(r.Found)
	case r.Failure != nil:
		c.failure(r.Failure)
	case r.About != nil:
		c.values(r.About.Input)
	case r.Unstable != nil:
		c.value(r.Unstable.Value)
	case r.Flaky != nil:
		c.flaky(r.Flaky)
	case r.Costly != nil:
		c.costly(r.Costly)
	case r.Damaged != nil:
		c.damaged(r.Damaged)
	case r.Recording != nil:
		c.recording(r.Recording)
	case r.Effect != nil:
		c.effect(r.Effect)
	case r.Diagnosis != nil:
		c.diagnosis(r.Diagnosis)
	case r.TestRan != nil:
		c.testRan(r.TestRan)
	case r.Tried != nil:
		c.tried(r.Tried)
	case r.Observed != nil:
		c.observed(r.Observed)
	}
}

func (c *checker) index(what string, i, n int) {
	if i < 0 || i >= n {
		c.fail("%s %d of %d", what, i, n)
	}
}

func (c *checker) amount(what string, n int64) {
	if n < 0 {
		c.fail("%s %d", what, n)
	}
}

// mutant checks a mutant's index.
func (c *checker) mutant(m uint32) { c.index("mutant", int(int64(m)-1), c.mutants) }

// ids checks a list of numbers below n.
func (c *checker) ids(what string, list wire.IDs, n int) {
	for _, id := range list {
		if int64(id) >= int64(n) {
			c.fail("%s %d of %d", what, id, n)
			return
		}
	}
}

func (c *checker) list(list wire.IDs) { c.ids("mutant", list, c.mutants+1) }

func (c *checker) features(list wire.Features) {
	for _, f := range list {
		if f.Block() >= c.counters {
			c.fail("feature %d of %d", f, wire.Buckets*c.counters)
			return
		}
	}
}

func (c *checker) tally(list wire.Tally) {
	for _, t := range list {
		if int64(t[0]) > int64(c.mutants) {
			c.fail("mutant %d of %d", t[0], c.mutants)
			return
		}
	}
}

func (c *checker) stats(s *wire.Stats) {
	for _, n := range [...]int64{s.Execs, s.MutantExecs, s.Bred, int64(s.Time), int64(s.Inside), int64(s.Hunted)} {
		c.amount("count", n)
	}
	for _, t := range [...]wire.Tally{s.Reached, s.Infected, s.Executed} {
		c.tally(t)
	}
}

// valuesMost bounds the values of one observation.
const valuesMost = 1 << 24

func (c *checker) value(v wire.Value) {
	if (v != wire.Value{}) {
		c.index("site", int(v.Site), c.sites)
	}
	c.index("value", v.Value-observe.WholeSite, valuesMost)
}

func (c *checker) values(input []byte) {
	if c.in = c.input(input); c.in == nil {
		c.fail("an input that the fuzz target does not take")
	}
}

func (c *checker) outcome(o *wire.Outcome) {
	if o.Kind >= wire.Death {
		c.fail("outcome %d", o.Kind)
	}
}

func (c *checker) hello(h *wire.Hello) {
	c.list(h.InitReached)
	c.list(h.InitInfected)
	c.list(h.InitFired)
	c.amount("fuel", h.StartFuel)
	if c.err == nil {
		c.known.tests, c.known.args = len(h.Tests), h.Types
	}
}

func (c *checker) fuzzed(f *wire.Fuzzed) {
	c.stats(&f.Stats)
	for _, y := range f.Yields {
		if !c.parent(y.ID) {
			c.fail("a yield of entry %d, which is no parent", y.ID)
		}
		c.amount("fuel", y.Fuel)
		c.amount("yield", y.Brought)
	}
	for _, data := range f.Bred {
		in := c.input(data)
		if in == nil {
			c.fail("an input that the fuzz target does not take")
			return
		}
		c.bred = append(c.bred, in)
	}
	c.amount("count", int64(f.Unlogged))
	if f.Tried < 0 || f.Tried > len(c.req.Fuzz.Try) {
		c.fail("%d of %d inputs tried", f.Tried, len(c.req.Fuzz.Try))
	}
}

// parent says whether an entry is one of those that the request has as parents.
func (c *checker) parent(id int) bool {
	for _, p := range c.req.Fuzz.Parents {
		if p.ID == id {
			return true
		}
	}
	return false
}

// item checks the number of an item: each is answered once and in order.
func (c *checker) item(i, n int) {
	if i != c.next {
		c.fail("item %d instead of %d", i, c.next)
	}
	c.index("item", i, n)
	c.next = i + 1
}

func (c *checker) result(r *wire.Result) {
	c.item(r.Item, len(c.req.Run.Items))
	c.outcome(&r.Outcome)
	c.features(r.Features)
	c.list(r.Reached)
	c.list(r.Infected)
	c.amount("fuel", r.Cost)
	if r.Failed < 0 || r.Failed > r.Runs {
		c.fail("%d of %d runs failed", r.Failed, r.Runs)
	}
	if r.Select > wire.SelectEvery {
		c.fail("selection %d", r.Select)
	}
}

func (c *checker) killed(k *wire.Kill) {
	c.mutant(k.Mutant)
	if k.Kind.ByInput() == "" {
		c.fail("a kill of kind %q", k.Kind)
	}
	switch {
	case c.req.Run != nil && k.Item != c.next:
		c.fail("a kill by item %d instead of %d", k.Item, c.next)
	case c.req.Run != nil:
		c.index("item", k.Item, len(c.req.Run.Items))
	case c.req.Replay != nil:
		c.index("item", k.Item, len(c.req.Replay.Items))
	}
}

func (c *checker) found(f *wire.Found) {
	c.values(f.Input)
	c.features(f.Features)
	for i := range f.Kills {
		c.mutant(f.Kills[i].Mutant)
	}
	c.list(f.Infects)
	c.amount("fuel", f.Cost)
}

func (c *checker) failure(f *wire.Failure) {
	if f.Input != nil {
		c.values(f.Input)
	}
	c.outcome(&f.Outcome)
	c.amount("count", f.Count)
	c.amount("fuel", f.Cost)
}

func (c *checker) flaky(f *wire.Flaky) {
	c.values(f.Input)
	c.outcome(&f.Outcome)
	if f.Failed < 0 || f.Failed > f.Runs {
		c.fail("%d of %d runs failed", f.Failed, f.Runs)
	}
}

func (c *checker) costly(g *wire.Costly) {
	c.values(g.Input)
	p := pump.Pump(g.Pump)
	if !p.Valid() || g.Arg < 0 || g.Arg >= len(c.args) || c.args[g.Arg] != "[]byte" && c.args[g.Arg] != "string" {
		c.fail("an input that can't grow")
	}
	c.sizes(g.Sizes)
	c.amount("count", g.Count)
}

func (c *checker) sizes(list []wire.Size) {
	for i, s := range list {
		for _, n := range [...]int64{int64(s.Times), int64(s.Len), s.Fuel, s.Bytes, int64(s.CPU)} {
			c.amount("size", n)
		}
		if i > 0 && s.Len <= list[i-1].Len {
			c.fail("a length of %d after %d", s.Len, list[i-1].Len)
		}
	}
}

func (c *checker) damaged(d *wire.Damaged) {
	c.values(d.Input)
	c.list(d.Suspects)
	c.stats(&d.Stats)
	if d.Value != nil {
		c.value(*d.Value)
	}
	if d.Kill != nil {
		c.mutant(d.Kill.Mutant)
	}
}

func (c *checker) recording(r *wire.Recording) {
	c.item(r.Item, len(c.req.Replay.Items))
	if r.Kind >= wire.Death {
		c.fail("outcome %d", r.Kind)
	}
	for _, e := range r.Events {
		c.index("site", int(e.Site), c.sites)
		c.index("value", e.Value-observe.WholeSite, valuesMost)
	}
	c.amount("count", int64(r.More))
	c.amount("fuel", r.Cost)
}

func (c *checker) effect(m *wire.Effect) {
	c.mutant(m.Mutant)
	c.ids("counter", m.Moved, c.counters)
	c.index("item", m.Item, len(c.req.Repair.Items))
}

func (c *checker) diagnosis(d *wire.Diagnosis) {
	c.item(d.Item, len(c.req.Repair.Items))
	c.outcome(&d.Outcome)
	c.ids("counter", d.Counters, c.counters)
	c.list(d.Tried)
}

func (c *checker) testRan(t *wire.TestRan) {
	list := c.req.Tests.List
	c.index("test", c.next, len(list))
	if c.err == nil && list[c.next] != t.Test {
		c.fail("test %d instead of %d", t.Test, list[c.next])
	}
	c.next++
	c.outcome(&t.Outcome)
	for _, n := range [...]int64{t.Fuel, int64(t.Time), int64(t.Leaked), t.Allocs, t.Bytes} {
		c.amount("count", n)
	}
	if most := (c.mutants/64 + 1) * 8; len(t.Reached) > most || len(t.Infected) > most {
		c.fail("sets of %d and %d bytes for %d mutants", len(t.Reached), len(t.Infected), c.mutants)
	}
}

// tryItem checks that a reply is about the next of some items.
func (c *checker) tryItem(items []wire.TryItem, mutant uint32) {
	c.index("item", c.next, len(items))
	if c.err == nil && items[c.next].Mutant != mutant {
		c.fail("mutant %d instead of %d", mutant, items[c.next].Mutant)
	}
	c.next++
}

func (c *checker) observed(o *wire.Observed) {
	c.tryItem(c.req.Observe.Items, o.Mutant)
	c.amount("runs", int64(o.Runs))
	if s := o.Shown; s != nil {
		c.index("test", s.Test, c.tests)
		c.value(wire.Value{Site: s.Site, Value: s.Value})
	}
}

func (c *checker) tried(t *wire.Tried) {
	q := c.req.Try
	c.tryItem(q.Items, t.Mutant)
	for _, i := range t.Ran {
		c.index("test", i, len(q.Tests))
	}
	if most := (c.mutants/64 + 1) * 8; len(t.Fired) > most {
		c.fail("a set of %d bytes for %d mutants", len(t.Fired), c.mutants)
	}
	if k := t.Kill; k != nil {
		c.index("test", k.Test, c.tests)
		if len(t.Ran) == 0 {
			c.fail("a kill without a test")
		}
		if k.Kind.ByTest() == "" {
			c.fail("a kill of kind %q", k.Kind)
		}
	}
}

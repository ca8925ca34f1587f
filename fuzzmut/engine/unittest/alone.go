package unittest

import (
	"cmp"
	"fmt"
	"slices"
	"sync"

	"github.com/fuzzmut/fuzzmut/instrument/rt/oracle"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// waiters is how many processes that are likely to do nothing but wait there may
// be for each that works.
const waiters = 8

// runAlone decides on the mutants of the queue, each in a process of its own.
func (r *run) runAlone(p *plan) error {
	r.phase("confirmation")
	slices.SortFunc(p.alone.items, func(a, b *item) int { return cmp.Compare(a.verdict.Mutant, b.verdict.Mutant) })
	var working, waiting []*item
	for _, it := range p.alone.items {
		if it.blocked {
			waiting = append(waiting, it)
		} else {
			working = append(working, it)
		}
	}
	if err := r.eachAlone(working, r.o.Parallel); err != nil {
		return err
	}
	if err := r.eachAlone(waiting, waiters*r.o.Parallel); err != nil {
		return err
	}
	return r.eachAlone(r.outside.take(), r.o.Parallel)
}

func (r *run) eachAlone(items []*item, parallel int) error {
	next := dealer(len(items))
	return r.parallel(parallel, func(stop func() bool) error {
		for {
			i, ok := next()
			if !ok || stop() {
				return nil
			}
			if err := r.alone(items[i]); err != nil {
				return err
			}
		}
	})
}

// trial is what a process of its own says of a mutant.
type trial struct {
	killed            bool
	test              *test // nil: before the first
	kind              oracle.Kind
	detail            string
	killedFromOutside bool
	running           bool // a test, when that happened
	interrupted       bool
}

// alone decides on a mutant.
func (r *run) alone(it *item) error {
	v := &it.verdict
	v.Fresh = true
	tests := it.infected
	t, err := r.try(v.Mutant, tests)
	if err != nil || t.interrupted {
		return err
	}
	if t.killed && t.test != nil {
		var ok bool
		if ok, err = r.passes(upTo(tests, t.test)); err == nil && !ok {
			// A test that can't do without the ones before it. All of them, in order,
			// are known to pass.
			tests = r.tests
			t, err = r.try(v.Mutant, tests)
		}
	}
	if err == nil && t.killed && it.survived {
		first := t
		if t, err = r.try(v.Mutant, tests); err == nil && !t.killed {
			v.Reason = fmt.Sprintf("%s failed once and then no more", first.name())
		}
	}
	if err != nil || t.interrupted {
		return err
	}
	switch {
	case t.killedFromOutside && !it.outside:
		it.outside, v.Reason = true, ""
		r.outside.put(it) // whoever does it may have stopped when all else is done
		return nil
	case t.killedFromOutside:
		v.Status, v.Reason = StatusNotRun, "processes were killed from outside"
	case t.killed:
		v.Status, v.Kind, v.Test, v.Detail = StatusKilled, t.kind, t.name(), t.detail
	default:
		v.Status = StatusSurvived
	}
	r.decide(*v)
	return nil
}

// name names the test that killed.
func (t *trial) name() string {
	if t.test == nil {
		return ""
	}
	return t.test.Name
}

// upTo returns the tests up to last.
func upTo(tests []*test, last *test) []*test {
	return tests[:slices.Index(tests, last)+1]
}

// try runs a mutant, 0 for the original, with tests in a process of its own.
//
// If the process is killed from outside it is done again. One that is killed each time
// while the same test runs kills itself, or takes more memory than the system has.
func (r *run) try(mutant uint32, tests []*test) (t trial, err error) {
	own := 0
	for range outsideTries {
		if t, err = r.tryOnce(mutant, tests); err != nil || !t.killedFromOutside {
			return t, err
		}
		if t.running {
			own++
		}
	}
	if own == outsideTries {
		return trial{killed: true, test: t.test, kind: oracle.Exit, detail: "killed by a signal each time"}, nil
	}
	return t, nil
}

// outsideTries is how often a process is started that is killed from outside.
const outsideTries = 5

func (r *run) tryOnce(mutant uint32, tests []*test) (trial, error) {
	p, err := r.startWith(mutant, false)
	if err != nil {
		return r.died(err)
	}
	defer p.Close()
	req := &wire.Try{Alone: true, Tests: costs(tests, r.aloneBounds), Items: []wire.TryItem{{Mutant: mutant}}}
	for i := range tests {
		req.Items[0].Tests = append(req.Items[0].Tests, i)
	}
	t := trial{interrupted: true}
	err = p.mutants(req, func(tried *wire.Tried) {
		t.interrupted = r.ctx.Err() != nil
		if k := tried.Kill; k != nil {
			t.killed, t.test, t.kind, t.detail = true, r.tests[k.Test], k.Kind, k.Detail
		}
	})
	if err != nil {
		return r.died(err)
	}
	return t, nil
}

// died says what the death of a process that tries a mutant means.
func (r *run) died(err error) (trial, error) {
	if r.ctx.Err() != nil {
		return trial{interrupted: true}, nil
	}
	d, fatal := deathOf(err)
	if fatal != nil {
		return trial{}, fatal
	}
	t := trial{killed: true}
	if d.State.Heartbeat > 0 && d.State.Test < len(r.tests) {
		t.test = r.tests[d.State.Test]
	}
	if d.Killed {
		return trial{killedFromOutside: true, running: d.State.Running, test: t.test}, nil
	}
	t.kind, t.detail = killOf(d)
	return t, nil
}

// baselines remembers which lists of tests pass by themselves without a mutant.
type baselines struct {
	mu   sync.Mutex
	seen map[string]*baselineOnce
}

type baselineOnce struct {
	sync.Once
	passes bool
	err    error
}

// passes reports whether the tests, run in a process of their own without a
// mutant, pass.
func (r *run) passes(tests []*test) (bool, error) {
	key := make([]byte, 0, 4*len(tests))
	for _, t := range tests {
		key = fmt.Appendf(key, "%d ", t.index)
	}
	r.baselines.mu.Lock()
	if r.baselines.seen == nil {
		r.baselines.seen = make(map[string]*baselineOnce)
	}
	b := r.baselines.seen[string(key)]
	if b == nil {
		b = &baselineOnce{}
		r.baselines.seen[string(key)] = b
	}
	r.baselines.mu.Unlock()
	b.Do(func() {
		t, err := r.try(0, tests)
		b.passes, b.err = !t.killed && !t.killedFromOutside, err
	})
	return b.passes, b.err
}

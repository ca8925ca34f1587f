// Package fuzzing serves rounds of fuzzing: it breeds inputs from the entries that it is
// given, runs them, and reports those that cover something new, that kill mutants, or
// that fail.
package fuzzing

import (
	"errors"
	"fmt"
	"time"

	"github.com/fuzzmut/fuzzmut/instrument/rt/havoc"
	"github.com/fuzzmut/fuzzmut/instrument/rt/loop/conn"
	"github.com/fuzzmut/fuzzmut/instrument/rt/loop/cost"
	"github.com/fuzzmut/fuzzmut/instrument/rt/loop/coverage"
	"github.com/fuzzmut/fuzzmut/instrument/rt/loop/exec"
	"github.com/fuzzmut/fuzzmut/instrument/rt/loop/filter"
	"github.com/fuzzmut/fuzzmut/instrument/rt/loop/mutants"
	"github.com/fuzzmut/fuzzmut/instrument/rt/loop/values"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// A Config is what a Fuzzer works with, for the life of the worker.
type Config struct {
	Conn   *conn.Conn
	Target *exec.Target
	Exec   *exec.Executor
	Muts   *mutants.Mutants
	Cov    *coverage.Coverage
	Values *values.Values // nil if inputs stand for none

	Funcs     int // of the program
	MaxLen    int // of an argument, in bytes
	Dict      [][]byte
	Constants []wire.Constants
	Record    int // see wire.Init
	CostShare int // see wire.Init
}

// A Fuzzer serves rounds. What it learns in one it keeps for the next.
type Fuzzer struct {
	Config
	entries  map[int][]any // by the coordinator's number
	rng      *havoc.Rand   // seeded again by every round
	mutator  *havoc.Mutator
	adaptive *filter.State
	studies  *studies
	search   *search
	strategy *strategy // nil if inputs stand for no values
	failures *failures
	pace     *pace
	costs    cost.Hunter

	careful bool  // inputs are reported before they are run
	suspect int64 // fuel at which an input is suspected to hang
	thrift  int64 // fuel that finds may still be minimized with
	inputs  int64 // run so far
	news    int64 // features and kills of those that were kept
}

// New returns the fuzzer of a worker.
func New(c Config) *Fuzzer {
	f := &Fuzzer{
		Config: c, entries: make(map[int][]any), rng: havoc.NewRand(0), adaptive: filter.NewState(),
		studies: newStudies(c.Funcs), search: newSearch(c.Muts), suspect: exec.SuspectFuel,
		pace: newPace(),
		failures: &failures{
			conn: c.Conn, target: c.Target, x: c.Exec, muts: c.Muts,
			stacks: make(map[string]*stack), hangs: make(map[string]string), ended: make(map[string]ended),
		},
	}
	f.costs = cost.Hunter{
		Conn: c.Conn, Target: c.Target, Exec: c.Exec, MaxLen: c.MaxLen, Dict: c.Dict, Share: c.CostShare,
	}
	if c.Values != nil {
		f.costs.Share = 0 // a text that stands for a value is not a text to repeat parts of
	}
	f.mutator = havoc.New(f.rng, havoc.Options{MaxLen: c.MaxLen, Dict: c.Dict, Record: c.Record})
	if c.Values != nil {
		f.strategy = newStrategy(c.Values)
		if c.Values.Breeds() {
			f.search.budget = valueSearchBudget
		}
	}
	return f
}

// Suspect is the fuel at which an input is suspected to hang: the last round has set it.
func (f *Fuzzer) Suspect() int64 { return f.suspect }

// Serve serves one round: children of the given parents, until the executions are
// used up or the coordinator wants to stop.
func (f *Fuzzer) Serve(req *wire.Fuzz) error {
	f.careful = req.Careful
	mistake, err := f.takeIn(req)
	if err != nil {
		return err
	}
	begin, inside, hunted := time.Now(), f.Exec.Inside, f.costs.Took()
	r := f.newRound(req)
	for n := int64(0); mistake == nil && n < req.Execs && !r.over(n); n++ {
		if err := r.turn(n); err != nil && !errors.As(err, &mistake) {
			return err
		}
	}
	if err := f.costs.Flush(); err != nil {
		return err
	}
	f.failures.flush()
	stats := f.Muts.Take()
	stats.Time, stats.Inside = time.Since(begin), f.Exec.Inside-inside
	stats.Hunted = f.costs.Took() - hunted
	done := wire.Fuzzed{Stats: stats, Yields: r.parents.yields(), Studied: f.studies.report(), Tried: r.tried, Bred: r.log.list, Unlogged: r.log.lost}
	if f.Values != nil {
		f.Values.Report(&done.Stats)
	}
	if mistake != nil {
		done.Error = mistake.Error()
	}
	return f.Conn.Reply(wire.Reply{Fuzzed: &done})
}

// takeIn takes in what a request tells of the run so far. A mistake of a function that
// makes values ends the round before it begins.
func (f *Fuzzer) takeIn(req *wire.Fuzz) (mistake *userError, err error) {
	for _, id := range req.Dead {
		f.Muts.Kill(id)
	}
	f.costs.Begin(req.Seed, req.Timed, req.Ahead)
	bad := f.Values.Begin(req.Seed, f.Dict, f.Constants)
	for _, e := range req.Add {
		vals, err := f.Target.Given(e.Input)
		if err != nil {
			return nil, err
		}
		f.entries[e.ID] = vals
		f.costs.Add(vals)
		if e.Run {
			f.learn(vals)
		}
		if bad == nil {
			bad = f.meet(e.Input, vals)
		}
	}
	f.Cov.See(req.Seen)
	f.suspect = req.Limit
	if bad != nil && !errors.As(bad, &mistake) {
		return nil, bad
	}
	return mistake, nil
}

// learn runs an entry for its coverage.
func (f *Fuzzer) learn(vals []any) {
	f.setInput(vals)
	f.Cov.Clear()
	ex := f.Exec.Original(exec.Clone(vals), f.Exec.HangFuel)
	f.Muts.CountExec()
	if !ex.Kind.Failed() {
		f.Cov.Merge()
	}
}

// setInput stores the values that the following executions run on.
func (f *Fuzzer) setInput(vals []any) {
	f.Conn.Shared.SetInput(vals)
	if f.careful {
		f.Conn.Reply(wire.Reply{About: &wire.About{Input: wire.Encode(vals)}}) //nolint:errcheck // the request's own reply will meet the same error
	}
}

// damaged reports that the process can't go on, and why.
func (f *Fuzzer) damaged(vals []any, v *mutants.Verdict) error {
	f.failures.flush()
	return f.Muts.ReportDamage(f.Conn, vals, v)
}

// current returns the input in progress, pristine, from the shared mapping: the
// values that the target was given may have been changed by it.
func current(c *conn.Conn, tg *exec.Target) ([]any, error) {
	st := c.Shared.State()
	if st.Input == nil {
		return nil, fmt.Errorf("%w: the current input is gone from the shared memory", conn.ErrBroken)
	}
	vals, err := tg.Decode(st.Input)
	if err != nil {
		return nil, fmt.Errorf("%w: the current input in the shared memory: %w", conn.ErrBroken, err)
	}
	return vals, nil
}

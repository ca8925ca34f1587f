// Package observed is the golden values of a fuzz test: what is observed when entries are
// run, which of it is stable, and the files that keep it beside the entries.
package observed

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/evaluate"
	"github.com/fuzzmut/fuzzmut/fuzzmut/panics"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/trial"
	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/rt/golden"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// Observation is what was observed when one entry was run.
type Observation struct {
	Values  []golden.Value
	Sites   map[string]*instrument.Site // by the names of values
	Failure string                      // why there are no values: the fuzz target failed
	Hangs   bool                        // it failed since it burned all of its fuel
	// Fuel is what the entry has burned, in a binary whose code burns any; of several
	// runs the least: the first of a process may do what is done once.
	Fuel int64
	// Bytes are those allocated, likewise; 0 if they are not measured: see
	// evaluate.Evaluator.
	Bytes int64
}

// stablePasses is how often each of two processes runs an entry, in turns from the
// first to the last and backwards, before its values count as stable: what depends
// on map order, on the process, on its time zone, or on what was run before shows.
const stablePasses = 4

// Once runs entries once.
func Once(ctx context.Context, t *trial.Trial, entries []corpus.Entry) ([]Observation, error) {
	seen, err := observe(ctx, t, t.Engine.Exact.Observe, entries, []pass{{}})
	if err != nil {
		return nil, err
	}
	return seen[0], nil
}

// Stable runs entries often enough to tell which values differ from run to
// run: they are golden.Unstable.
func Stable(ctx context.Context, t *trial.Trial, entries []corpus.Entry) ([]Observation, error) {
	s := newStability(t)
	defer s.close()
	return s.of(ctx, entries)
}

// stableProcesses are those that entries are run in.
const stableProcesses = 2

// stability runs one list of entries after the other often enough to tell which values differ
// from run to run, in the same processes.
type stability struct {
	trial *trial.Trial
	in    [stableProcesses]*evaluate.Observer
}

func newStability(t *trial.Trial) *stability {
	s := &stability{trial: t}
	for i := range s.in {
		s.in[i] = t.Engine.Exact.NewObserver()
		s.in[i].Elsewhere = i > 0
	}
	return s
}

func (s *stability) close() {
	for _, o := range s.in {
		o.Close()
	}
}

// of is Stable for some entries.
func (s *stability) of(ctx context.Context, entries []corpus.Entry) ([]Observation, error) {
	var seen [stableProcesses][][]Observation
	run := func(ctx context.Context, process int) (err error) {
		seen[process], err = observe(ctx, s.trial, s.in[process].Observe, entries, passesIn(process))
		return err
	}
	if err := s.each(ctx, run); err != nil {
		return nil, err
	}
	var merged []Observation
	for _, list := range slices.Concat(seen[:]...) {
		merged = mergeObservations(merged, list)
	}
	return merged, nil
}

// each does something with each process, at once where the user lets several run.
func (s *stability) each(ctx context.Context, do func(ctx context.Context, process int) error) error {
	if s.trial.Project.Options.Parallel < stableProcesses {
		for process := range s.in {
			if err := do(ctx, process); err != nil {
				return err
			}
		}
		return nil
	}
	g, ctx := panics.NewGroup(ctx)
	var errs [stableProcesses]error
	for process := range s.in {
		g.Go(func() error {
			errs[process] = do(ctx, process)
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		return err
	}
	return cmp.Or(errs[:]...) // both say the same, mostly
}

// passesIn is how a process runs entries.
func passesIn(process int) (passes []pass) {
	for i := range stablePasses {
		passes = append(passes, pass{backwards: (i+process)%2 == 1, order: uint64(1 + process*stablePasses + i)})
	}
	return passes
}

// mergeObservations joins the observations of two passes.
func mergeObservations(a, b []Observation) []Observation {
	if a == nil {
		return b
	}
	for i := range a {
		if a[i].Failure == "" {
			a[i].Failure = b[i].Failure
		}
		a[i].Values = golden.Merge(a[i].Values, b[i].Values)
		a[i].Fuel, a[i].Bytes = min(a[i].Fuel, b[i].Fuel), min(a[i].Bytes, b[i].Bytes)
		for name, site := range b[i].Sites {
			a[i].Sites[name] = site
		}
	}
	return a
}

// pass is how entries are run once.
type pass struct {
	backwards bool
	order     uint64 // of maps
}

// observer runs inputs in one process: see evaluate.Evaluator.Observe.
type observer func(ctx context.Context, inputs []*corpus.Input, orders []uint64) ([]evaluate.Observed, error)

// ErrBlocked says that the clock ended an input, and that the rest was not run: see
// evaluate.Evaluator.
var ErrBlocked = errors.New("an input takes too long")

// observe runs entries in one process, once for each pass.
func observe(ctx context.Context, t *trial.Trial, run observer, entries []corpus.Entry, how []pass) ([][]Observation, error) {
	var inputs []*corpus.Input
	var orders []uint64
	for _, p := range how {
		once := trial.Inputs(entries)
		if p.backwards {
			slices.Reverse(once)
		}
		inputs = append(inputs, once...)
		orders = append(orders, slices.Repeat([]uint64{p.order}, len(once))...)
	}
	seen, err := run(ctx, inputs, orders)
	if err != nil {
		return nil, t.EngineError(err)
	}
	if len(seen) < len(inputs) {
		return nil, ErrBlocked
	}
	passes := make([][]Observation, len(how))
	for i, p := range how {
		for _, o := range seen[i*len(entries) : (i+1)*len(entries)] {
			passes[i] = append(passes[i], Named(t, &o))
		}
		if p.backwards {
			slices.Reverse(passes[i])
		}
	}
	return passes, nil
}

// goldenSite says whether golden values are of what the site shows.
func goldenSite(t *trial.Trial, site *instrument.Site) bool {
	of := t.Package.Loaded.Golden
	return of == nil || slices.Contains(of, site.Package)
}

// Named gives what was observed its names.
func Named(t *trial.Trial, o *evaluate.Observed) Observation {
	obs := Observation{Sites: make(map[string]*instrument.Site), Fuel: o.Cost, Bytes: o.Bytes}
	if o.Kind.Failed() {
		obs.Failure, obs.Hangs = trial.FirstLine(o.Message), o.Kind == wire.Fuel
		if o.Kind == wire.Death {
			obs.Failure = "the process ended: " + o.Cause
		}
		return obs
	}
	log := golden.Log{Skipped: o.Kind == wire.Skip}
	for _, e := range o.Events {
		site := &t.Package.Program.Sites[e.Site]
		if site.Target || !goldenSite(t, site) || e.Value >= len(site.Values) {
			continue // a return is not a separate call
		}
		if e.Value == 0 && !site.After {
			log.Begin(site.GoldenName())
		}
		if site.GoldenView(e.Value) == golden.ViewNone {
			continue
		}
		add := log.Add
		if e.Folded {
			add = log.AddFolded
		}
		obs.Sites[add(site.GoldenName(), site.GoldenValue(e.Value), e.Text)] = site
	}
	obs.Values = log.Values()
	return obs
}

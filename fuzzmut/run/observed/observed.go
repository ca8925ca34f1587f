// Package observed is the golden values of a fuzz test: what is observed when entries are
// run, which of it is stable, and the files that keep it beside the entries.
package observed

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"sync/atomic"

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

// passesIn is how often each of several processes runs an entry before its values count as
// stable. All passes are in turns from the first to the last and backwards: what depends on map
// order, on the process, or on what was run before shows. All processes but the first one are of
// other programs, in another time zone: a text that is chosen of two by what the program is as a
// file shows in seven of eight cases.
var passesIn = [...]int{4, 2, 1, 1}

// Once runs entries once.
func Once(ctx context.Context, t *trial.Trial, entries []corpus.Entry) ([]Observation, error) {
	seen, err := observe(ctx, t, t.Engine.Exact.Observe, entries, []pass{{}})
	if err != nil {
		return nil, err
	}
	return seen[0], nil
}

// Again runs entries once more: in another process and with other orders of maps than Once.
func Again(ctx context.Context, t *trial.Trial, entries []corpus.Entry) ([]Observation, error) {
	seen, err := observe(ctx, t, t.Engine.Exact.Observe, entries, []pass{{order: 1}})
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

// stability runs one list of entries after the other often enough to tell which values differ
// from run to run, in the same processes.
type stability struct {
	trial *trial.Trial
	in    [len(passesIn)]*evaluate.Observer
}

func newStability(t *trial.Trial) *stability {
	s := &stability{trial: t}
	for i := range s.in {
		s.in[i] = t.Engine.Exact.NewObserver()
		s.in[i].Elsewhere = i
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
	var seen [len(passesIn)][][]Observation
	run := func(ctx context.Context, process int) (err error) {
		seen[process], err = observe(ctx, s.trial, s.in[process].Observe, entries, passes(process))
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

// each does something with each process, at once with as many as the user lets run.
func (s *stability) each(ctx context.Context, do func(ctx context.Context, process int) error) error {
	g, ctx := panics.NewGroup(ctx)
	var next atomic.Int64
	var errs [len(passesIn)]error
	for range min(s.trial.Project.Options.Parallel, len(passesIn)) {
		g.Go(func() error {
			for {
				process := int(next.Add(1)) - 1
				if process >= len(passesIn) {
					return nil
				}
				if errs[process] = do(ctx, process); errs[process] != nil {
					return nil
				}
			}
		})
	}
	if err := g.Wait(); err != nil {
		return err
	}
	return cmp.Or(errs[:]...) // all say the same, mostly
}

// passes is how a process runs entries.
func passes(process int) (list []pass) {
	before := passesBefore(process)
	for i := range passesIn[process] {
		list = append(list, pass{backwards: (process+i)%2 == 1, order: uint64(1 + before + i)})
	}
	return list
}

// passesBefore is how often the processes before one run an entry.
func passesBefore(process int) (n int) {
	for _, passes := range passesIn[:process] {
		n += passes
	}
	return n
}

// mergeObservations joins the observations of two passes.
func mergeObservations(a, b []Observation) []Observation {
	if a == nil {
		return b
	}
	for i := range a {
		a[i].Merge(&b[i])
	}
	return a
}

// Merge joins an observation with one of another run: what differs is golden.Unstable.
func (o *Observation) Merge(other *Observation) {
	o.Failure = cmp.Or(o.Failure, other.Failure)
	o.Values = golden.Merge(o.Values, other.Values)
	o.Fuel, o.Bytes = min(o.Fuel, other.Fuel), min(o.Bytes, other.Bytes)
	maps.Copy(o.Sites, other.Sites)
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
	list := make([][]Observation, len(how))
	for i, p := range how {
		for _, o := range seen[i*len(entries) : (i+1)*len(entries)] {
			list[i] = append(list[i], Named(t, &o))
		}
		if p.backwards {
			slices.Reverse(list[i])
		}
	}
	return list, nil
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

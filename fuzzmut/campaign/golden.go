package campaign

import (
	"context"
	"slices"

	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/evaluate"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/rt/golden"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// observation is what was observed when one entry was run.
type observation struct {
	values  []golden.Value
	sites   map[string]*instrument.Site // by the names of values
	failure string                      // why there are no values: the fuzz target failed
}

// stablePasses is how often each of two processes runs an entry, in turns from the
// first to the last and backwards, before its values count as stable: what depends
// on map order, on the process, or on what was run before shows.
const stablePasses = 4

// observeOnce runs entries once.
func observeOnce(ctx context.Context, t *trial, entries []corpus.Entry) ([]observation, error) {
	seen, err := observe(ctx, t, entries, []pass{{}})
	if err != nil {
		return nil, err
	}
	return seen[0], nil
}

// observeStable runs entries often enough to tell which values differ from run to
// run: they are golden.Unstable.
func observeStable(ctx context.Context, t *trial, entries []corpus.Entry) ([]observation, error) {
	var merged []observation
	for process := range 2 {
		var passes []pass
		for i := range stablePasses {
			passes = append(passes, pass{backwards: (i+process)%2 == 1, order: uint64(process*stablePasses + i)})
		}
		seen, err := observe(ctx, t, entries, passes)
		if err != nil {
			return nil, err
		}
		for _, list := range seen {
			merged = mergeObservations(merged, list)
		}
	}
	return merged, nil
}

// mergeObservations joins the observations of two passes.
func mergeObservations(a, b []observation) []observation {
	if a == nil {
		return b
	}
	for i := range a {
		if a[i].failure == "" {
			a[i].failure = b[i].failure
		}
		a[i].values = golden.Merge(a[i].values, b[i].values)
		for name, site := range b[i].sites {
			a[i].sites[name] = site
		}
	}
	return a
}

// pass is how entries are run once.
type pass struct {
	backwards bool
	order     uint64 // of maps
}

// observe runs entries in one process, once for each pass.
func observe(ctx context.Context, t *trial, entries []corpus.Entry, how []pass) ([][]observation, error) {
	var inputs [][]byte
	var orders []uint64
	for _, p := range how {
		once := inputsOf(entries)
		if p.backwards {
			slices.Reverse(once)
		}
		inputs = append(inputs, once...)
		orders = append(orders, slices.Repeat([]uint64{p.order}, len(once))...)
	}
	seen, err := t.eng.Exact.Observe(ctx, inputs, orders)
	if err != nil {
		return nil, t.engineError(err)
	}
	passes := make([][]observation, len(how))
	for i, p := range how {
		for _, o := range seen[i*len(entries) : (i+1)*len(entries)] {
			passes[i] = append(passes[i], named(t, &o))
		}
		if p.backwards {
			slices.Reverse(passes[i])
		}
	}
	return passes, nil
}

// named gives what was observed its names.
func named(t *trial, o *evaluate.Observed) observation {
	obs := observation{sites: make(map[string]*instrument.Site)}
	if o.Kind.Failed() {
		obs.failure = firstLine(o.Message)
		if o.Kind == wire.Death {
			obs.failure = "the process ended: " + o.Cause
		}
		return obs
	}
	log := golden.Log{Skipped: o.Kind == wire.Skip}
	for _, e := range o.Events {
		site := &t.b.program.Sites[e.Site]
		if site.Target || e.Value >= len(site.Values) {
			continue
		}
		add := log.Add
		if e.Folded {
			add = log.AddFolded
		}
		obs.sites[add(site.GoldenName(), site.Values[e.Value], e.Text)] = site
	}
	obs.values = log.Values()
	return obs
}

// goldenFile is what is to be kept of an observation.
func goldenFile(t *trial, o *observation) *golden.File {
	return &golden.File{Packages: t.b.loaded.Observed(), Values: o.values}
}

package exec

import (
	"hash/fnv"
	"runtime"
	"strings"
	"sync"

	fuzzmutrt "github.com/fuzzmut/fuzzmut/instrument/rt"
	"github.com/fuzzmut/fuzzmut/instrument/rt/golden"
	"github.com/fuzzmut/fuzzmut/instrument/rt/observe"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// Stopping reports whether the coordinator has asked the worker to stop.
func (x *Executor) Stopping() bool { return x.shared.Stopping() }

// Original runs the unmutated program, at full speed.
func (x *Executor) Original(vals []any, fuel int64) Execution {
	return x.do(vals, 0, fuel)
}

// Detailed is Original, and has a failure tell all about itself.
func (x *Executor) Detailed(vals []any, fuel int64) Execution {
	x.detail = true
	ex := x.do(vals, 0, fuel)
	x.detail = false
	return ex
}

// Weighed is Original, and measures the bytes that the execution allocates; 0 if it fails.
func (x *Executor) Weighed(vals []any, fuel int64) (ex Execution, bytes int64) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	ex = x.do(vals, 0, fuel)
	runtime.ReadMemStats(&after)
	if !ex.Kind.Failed() {
		bytes = int64(after.TotalAlloc - before.TotalAlloc)
	}
	return ex, bytes
}

// Observed is Original, and has what is observed recorded in Rec.
func (x *Executor) Observed(vals []any, fuel int64) Execution {
	x.Rec.Reset()
	fuzzmutrt.Observing = true
	ex := x.do(vals, 0, fuel)
	fuzzmutrt.Observing = false
	return ex
}

// A Hiding lists the fields and methods that golden texts leave out of a value, as
// golden.Renderer has them in its views. Nil: none.
type Hiding func(site uint32, value int) []string

// Written is Detailed, and has what is observed written down as golden texts, not
// recorded in Rec.
func (x *Executor) Written(vals []any, fuel int64, hide Hiding) (Execution, []wire.Seen) {
	return x.written(func() Execution { return x.Detailed(vals, fuel) }, hide)
}

// WrittenMutant is DetailedMutant, and has what is observed written down as Written does.
func (x *Executor) WrittenMutant(vals []any, m uint32, fuel int64, hide Hiding) (Execution, []wire.Seen) {
	return x.written(func() Execution { return x.DetailedMutant(vals, m, fuel) }, hide)
}

// viewsAt are the views for a value, with what is left out of it.
func (x *Executor) viewsAt(site uint32, value int, hide Hiding) map[string]golden.View {
	if hide == nil {
		return x.renderer.Views
	}
	list := hide(site, value)
	if len(list) == 0 {
		return x.renderer.Views
	}
	views := make(map[string]golden.View, len(x.renderer.Views)+len(list))
	for key, view := range x.renderer.Views {
		views[key] = view
	}
	for _, member := range list {
		views[strings.TrimSuffix(member, observe.AnyOrder)] = golden.ViewNone
	}
	return views
}

func (x *Executor) written(run func() Execution, hide Hiding) (Execution, []wire.Seen) {
	gather := golden.Gatherer{Renderer: x.renderer}
	return x.shown(run, func(site uint32, vals []any) (list []wire.Seen) {
		if x.inner[site] {
			return nil
		}
		views := x.siteViews[site]
		for i, v := range vals {
			s := wire.Seen{Site: site, Value: i}
			if i >= len(views) || views[i] != golden.ViewNone {
				gather.Views = x.viewsAt(site, i, hide)
				s.Text, s.Folded = gather.Text(v, viewAt(views, i))
			}
			list = append(list, s)
		}
		return list
	})
}

// Bounds on the inner results of an execution that are looked at: of one function, so that a
// helper that is called often leaves room for those that call it; and of all.
const (
	maxInnerSite = 64
	maxInner     = 4096
)

// Digested is Written with hashes in place of the texts, and with the hashes of inner
// results.
func (x *Executor) Digested(vals []any, fuel int64) (ex Execution, seen []wire.Seen) {
	inner, bySite := 0, make(map[uint32]int)
	return x.shown(func() Execution { return x.Detailed(vals, fuel) }, func(site uint32, vals []any) (list []wire.Seen) {
		if x.inner[site] {
			if bySite[site] == maxInnerSite || inner >= maxInner {
				return nil
			}
			bySite[site]++
			inner += len(vals)
			for i, v := range vals {
				list = append(list, wire.Seen{Site: site, Value: i, Hash: x.Rec.Hash(v)})
			}
			return list
		}
		views := x.siteViews[site]
		for i, v := range vals {
			s := wire.Seen{Site: site, Value: i}
			if view := viewAt(views, i); view != golden.ViewNone {
				h := fnv.New64a()
				h.Write([]byte(x.renderer.Write(v, view)))
				s.Hash = h.Sum64()
			}
			list = append(list, s)
		}
		return list
	})
}

// shown makes a run, and gathers what describe says of the values at each site.
func (x *Executor) shown(run func() Execution, describe func(site uint32, vals []any) []wire.Seen) (ex Execution, seen []wire.Seen) {
	var mu sync.Mutex // the target may have goroutines
	x.show = func(site uint32, vals []any) {
		mu.Lock()
		defer mu.Unlock()
		seen = append(seen, describe(site, vals)...)
	}
	fuzzmutrt.Observing = true
	ex = run()
	fuzzmutrt.Observing = false
	x.show = x.Rec.Record
	mu.Lock()
	defer mu.Unlock()
	return ex, seen
}

// Shows reports whether golden values are sure to have a difference.
func (x *Executor) Shows(d observe.Difference) bool {
	return d.Plain && len(x.renderer.Views) == 0 && (d.Value < 0 || viewAt(x.siteViews[d.Site], d.Value) == "")
}

func viewAt(views []golden.View, i int) golden.View {
	if i < len(views) {
		return views[i]
	}
	return ""
}

// Trace runs the unmutated program through the mutable bodies of the functions
// that hold live mutants, observing results, and recording in
// fuzzmutrt.Reached and Infected what the mutants would have done. With values,
// the observed values themselves are kept, so that differences can be explained.
func (x *Executor) Trace(vals []any, bodies [][]bool, fuel int64, values bool) Execution {
	clear(fuzzmutrt.Reached)
	clear(fuzzmutrt.Infected)
	for i, p := range fuzzmutrt.Packages {
		copy(p.Slow, bodies[i])
	}
	if values {
		x.Rec.Reset()
	} else {
		x.Rec.ResetHashes()
	}
	fuzzmutrt.Tracing = true
	fuzzmutrt.Observing = true
	ex := x.do(vals, 0, fuel)
	fuzzmutrt.Observing = false
	fuzzmutrt.Tracing = false
	x.Spent += (TraceFactor - 1) * (ex.Burned + ExecutionFuel)
	for _, p := range fuzzmutrt.Packages {
		clear(p.Slow)
	}
	return ex
}

// Compared runs the unmutated program through the mutable bodies of the functions,
// which hand the operands of their comparisons to fuzzmutrt.OperandsHook.
func (x *Executor) Compared(vals []any, funcs []int32, fuel int64) Execution {
	for _, f := range funcs {
		*x.slow[f] = true
	}
	fuzzmutrt.Tracing, fuzzmutrt.Recording = true, true
	ex := x.do(vals, 0, fuel)
	x.Spent += (recordFactor - 1) * (ex.Burned + ExecutionFuel)
	fuzzmutrt.Tracing, fuzzmutrt.Recording = false, false
	for _, f := range funcs {
		*x.slow[f] = false
	}
	return ex
}

// Again runs the unmutated program and compares what is observed with ref.
func (x *Executor) Again(vals []any, ref *observe.Log, fuel int64) Execution {
	x.Rec.ResetAgainst(ref)
	fuzzmutrt.Observing = true
	ex := x.do(vals, 0, fuel)
	fuzzmutrt.Observing = false
	return ex
}

// Mutant runs one mutant and compares what is observed with ref.
func (x *Executor) Mutant(vals []any, m uint32, ref *observe.Log, fuel int64) Execution {
	slow := x.slow[x.FuncOf(m)]
	*slow = true
	x.Rec.ResetAgainst(ref)
	fuzzmutrt.Observing = true
	ex := x.do(vals, m, fuel)
	fuzzmutrt.Observing = false
	x.Spent += ex.Burned + ExecutionFuel // and as much for what is observed
	*slow = false
	return ex
}

// Hoarded reports whether the last run was of a mutant that was ended for its heap.
func (x *Executor) Hoarded() bool { return x.ration.hoards }

// HoardText says why it was ended.
func (x *Executor) HoardText() string { return x.ration.text() }

// Hoards reports whether the heap of the original grows beyond what a mutant's may, or it
// allocates so much that a mutant which allocates too much may do a few times the same work.
func (x *Executor) Hoards(vals []any, fuel int64) bool {
	x.weighing, x.ration.weighs = true, true
	x.do(vals, 0, fuel)
	x.weighing, x.ration.weighs = false, false
	return x.ration.hoards
}

// HeavyMutant is Mutant with a heap that may grow.
func (x *Executor) HeavyMutant(vals []any, m uint32, ref *observe.Log, fuel int64) Execution {
	x.ration.off = true
	ex := x.Mutant(vals, m, ref, fuel)
	x.ration.off = false
	return ex
}

// DetailedMutant runs one mutant, observes nothing, and has a failure tell all about
// itself.
func (x *Executor) DetailedMutant(vals []any, m uint32, fuel int64) Execution {
	slow := x.slow[x.FuncOf(m)]
	*slow = true
	x.detail = true
	ex := x.do(vals, m, fuel)
	x.detail = false
	*slow = false
	return ex
}

// FuncOf returns the number of the function that holds a mutant, -1 if it can't be
// switched.
func (x *Executor) FuncOf(m uint32) int32 { return x.mutantFunc[m-1] }

package fuzzmut

import (
	"cmp"
	"fmt"
	"math"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/fuzzmut/fuzzmut/fuzzmut/internal/linear"
	"github.com/fuzzmut/fuzzmut/fuzzmut/term"
)

// A Call is one of an operation in a history: see [Machine].
type Call struct {
	// Goroutine is that which made the call, from 1. It is 0 for calls of the test itself: before
	// all others, or after them.
	Goroutine int
	Op        string // name of the operation
	Args      []any  // those that are drawn
	Results   []any  // nil where it has panicked
	Panic     any    // what it has panicked with, or nil
	// Start and End say when it began and ended. A call had ended before another one began if its
	// End is less than the Start of that.
	Start, End int64
}

// mostSteps bounds the calls that look for an order of a history.
const mostSteps = 50_000

// reference is what calls are made on one after the other: a model, or a state.
type reference struct{ state, model reflect.Value }

// outcome is how a call ended there.
type outcome struct {
	results  []reflect.Value
	panicked any
}

// judge fails the test if there is no order of the calls in which the model, or a state that has
// one goroutine, returns the same.
func (s *sequence[S]) judge(t testing.TB, x *term.Term) {
	model := s.model
	calls := s.timedCalls()
	if len(calls) == 0 {
		return
	}
	s.noteGivenUp(calls)
	h := historyOf(calls)
	if slices.ContainsFunc(*s.explained, h.same) {
		return
	}
	first := reference{model: model}
	o := linear.Object[reference]{
		New: func() reference {
			if r := first; r.model.IsValid() {
				first = reference{}
				return r
			}
			return s.reference(x)
		},
		Step: func(r reference, i int) bool { return s.fits(calls[i], s.stepOn(r, calls[i])) },
	}
	if model.IsValid() {
		o.Equal = func(a, b reference) bool { return reflect.DeepEqual(a.model.Interface(), b.model.Interface()) }
	}
	s.judgements++
	switch r := linear.Check(h.intervals, o, mostSteps); r.Verdict {
	case linear.Unknown:
		s.runner.unknown++
	case linear.Linearizable:
		if len(*s.explained) < mostExplained {
			*s.explained = append(*s.explained, h)
		}
	case linear.NotLinearizable:
		if model.IsValid() || s.steady(x, orders(calls, r)...) {
			s.fail(t, "no order", s.noOrder(x, calls, r))
		}
	}
}

// mostExplained bounds the histories of a sequence that are kept.
const mostExplained = 16

// history is what some calls did, and when.
type history struct {
	calls     []*step
	intervals []linear.Interval
	before    []uint64 // for each call, those that had ended when it began
}

func historyOf(calls []*step) history {
	h := history{calls, make([]linear.Interval, len(calls)), make([]uint64, len(calls))}
	for i, st := range calls {
		h.intervals[i] = linear.Interval{Start: st.start.Load(), End: st.end.Load()}
	}
	for i, a := range h.intervals {
		for j, b := range h.intervals {
			if b.End < a.Start && j < linear.MostCalls {
				h.before[i] |= 1 << j
			}
		}
	}
	return h
}

// same reports whether an order of one history is one of the other, which is of the same sequence.
func (h history) same(other history) bool {
	return slices.Equal(h.before, other.before) && slices.EqualFunc(h.calls, other.calls, func(a, b *step) bool {
		return a.call == b.call && a.gaveUp == b.gaveUp && (a.panicked == nil) == (b.panicked == nil) && slices.EqualFunc(a.results, b.results, agrees)
	})
}

// timedCalls are those at once and after them, without those that were left out.
func (s *sequence[S]) timedCalls() []*step {
	return slices.DeleteFunc(slices.Clone(s.done[s.together:]), func(st *step) bool { return st.left })
}

// noteGivenUp finds the calls that may have given up since others were at work.
func (s *sequence[S]) noteGivenUp(calls []*step) {
	for _, st := range calls {
		st.gaveUp = slices.Contains(s.GivesUp, st.op.name) && st.fruitless() && slices.ContainsFunc(calls, st.beside)
	}
}

// fruitless reports whether a call has returned false or an error, as its last result.
func (st *step) fruitless() bool {
	if len(st.results) == 0 {
		return false
	}
	v := st.results[len(st.results)-1]
	return v.Kind() == reflect.Bool && !v.Bool() || v.Type() == errorType && !v.IsNil()
}

// beside reports whether another goroutine had a call at the same time.
func (st *step) beside(other *step) bool {
	return other.goroutine != st.goroutine && st.goroutine > 0 && other.goroutine > 0 &&
		st.start.Load() <= other.end.Load() && other.start.Load() <= st.end.Load()
}

// checkGivesUp returns an error if GivesUp names what can't give up.
func (r *runner[S]) checkGivesUp() error {
	for _, name := range r.GivesUp {
		i := slices.IndexFunc(r.ops, func(op *operation) bool { return op.name == name })
		if i < 0 {
			return fmt.Errorf("GivesUp names %s, which is no operation", name)
		}
		t := r.ops[i].fn.Type()
		if n := t.NumOut(); n == 0 || t.Out(n-1).Kind() != reflect.Bool && t.Out(n-1) != errorType {
			return fmt.Errorf("GivesUp names %s, whose last result is no bool and no error: nobody sees that it gives up", name)
		}
	}
	return nil
}

// reference makes what the calls at once begin with.
func (s *sequence[S]) reference(x *term.Term) reference {
	quiet := &sequence[S]{runner: s.runner, a: quietly(s.tb)}
	state, model := quiet.begin(quiet.a, x)
	r := reference{model: model}
	if !model.IsValid() {
		r.state = reflect.ValueOf(&state).Elem()
	}
	for _, st := range s.done[:s.together] {
		if !st.left {
			s.stepOn(r, st)
		}
	}
	return r
}

// stepOn makes a call on a reference.
func (s *sequence[S]) stepOn(r reference, st *step) (o outcome) {
	if st.gaveUp {
		return outcome{results: st.results}
	}
	_, args := s.calls.Args(st.call)
	if r.model.IsValid() {
		defer func() {
			v := recover()
			if err, ok := v.(runtime.Error); ok && !s.documented(err) {
				panic(err) // a fault of the model
			}
			o.panicked = v
		}()
		o.results = called(r.model.Method(st.op.modelMethod), args)
		return o
	}
	quiet := quietly(s.tb)
	defer func() {
		if o.panicked = recover(); o.panicked == nil && quiet.Failed() {
			o.panicked = "the test fails"
		}
	}()
	o.results = st.op.invoke(&step{TB: quiet, op: st.op, call: st.call}, r.state, args)
	return o
}

// fits reports whether a call has ended as it does on a reference.
func (s *sequence[S]) fits(st *step, o outcome) bool {
	if st.panicked != nil || o.panicked != nil {
		return st.panicked != nil && o.panicked != nil
	}
	for i, v := range st.results {
		if judged(v, o.results[i], reflect.TypeFor[S]()) && !agrees(v, o.results[i]) {
			return false
		}
	}
	return true
}

// steadyTries is how often calls are made again: which element of a map comes first is the same
// more often than not.
const steadyTries = 64

// steady reports whether calls of the state do the same each time, in each of some orders. If not,
// what they return one after the other tells nothing, and that of the operation that differed never does.
func (s *sequence[S]) steady(x *term.Term, orders ...[]*step) bool {
	for _, calls := range orders {
		if slices.ContainsFunc(calls, func(st *step) bool { return s.unsteady[st.op] }) {
			return false
		}
		first := s.alone(x, calls)
		for range steadyTries {
			for i, o := range s.alone(x, calls) {
				if !s.fits(&step{results: first[i].results, panicked: first[i].panicked}, o) {
					s.unsteady[calls[i].op] = true
					return false
				}
			}
		}
	}
	return true
}

// orders are that in which calls began, and those in which the longest one that fits goes on.
func orders(calls []*step, r linear.Result) (list [][]*step) {
	began := slices.SortedStableFunc(slices.Values(calls), func(a, b *step) int { return cmp.Compare(a.start.Load(), b.start.Load()) })
	list = append(list, began)
	for _, next := range r.Next {
		var order []*step
		for _, i := range append(slices.Clone(r.Order), next) {
			order = append(order, calls[i])
		}
		list = append(list, order)
	}
	return list
}

// alone is what calls do one after the other.
func (s *sequence[S]) alone(x *term.Term, calls []*step) (list []outcome) {
	r := s.reference(x)
	for _, st := range calls {
		list = append(list, s.stepOn(r, st))
	}
	return list
}

// noOrder says how far the longest order goes.
func (s *sequence[S]) noOrder(x *term.Term, calls []*step, r linear.Result) string {
	var b strings.Builder
	b.WriteString("no order of the calls explains what they returned\n")
	if len(r.Order) > 0 {
		b.WriteString("the longest order that fits begins with\n")
	}
	for _, i := range r.Order {
		fmt.Fprintf(&b, "\t%s\n", s.line(calls[i]))
	}
	what := "the model"
	if s.ops[0].model == "" {
		what = "one after the other it"
	}
	for _, i := range r.Next {
		ref := s.reference(x)
		for _, j := range r.Order {
			s.stepOn(ref, calls[j])
		}
		o := s.stepOn(ref, calls[i])
		fmt.Fprintf(&b, "next, %s %s, and %s %s\n", calls[i].op.name, ended(calls[i].results, calls[i].panicked), what, ended(o.results, o.panicked))
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// ended says how a call ended.
func ended(list []reflect.Value, panicked any) string {
	switch {
	case panicked != nil:
		return fmt.Sprintf("panics: %v", panicked)
	case len(list) == 0:
		return "returned"
	}
	return "returned " + results(list)
}

// history is what has happened, for [Machine.History].
func (s *sequence[S]) history() (list []Call) {
	for i, st := range s.done {
		if st.left {
			continue
		}
		c := Call{Goroutine: st.goroutine, Op: st.op.name, Panic: st.panicked, Start: st.start.Load(), End: st.end.Load()}
		if i < s.together {
			c.Start, c.End = int64(2*(i-s.together)), int64(2*(i-s.together)+1)
		}
		_, args := s.calls.Args(st.call)
		c.Args, c.Results = interfaces(args), interfaces(st.results)
		list = append(list, c)
	}
	return list
}

func interfaces(values []reflect.Value) (list []any) {
	for _, v := range values {
		list = append(list, observable(v))
	}
	return list
}

// agrees reports whether two results of calls at once are the same. What a pointer points to may be
// changed by others: there is one, or none.
func agrees(a, b reflect.Value) bool {
	switch k := a.Kind(); k {
	case reflect.Pointer, reflect.Func, reflect.Chan, reflect.UnsafePointer:
		return a.IsNil() == b.IsNil()
	case reflect.Interface:
		if a.IsNil() || b.IsNil() || a.Type() == errorType {
			return a.IsNil() == b.IsNil()
		}
		return a.Elem().Type() == b.Elem().Type() && agrees(a.Elem(), b.Elem())
	case reflect.Slice, reflect.Array:
		if k == reflect.Slice && a.IsNil() != b.IsNil() || a.Len() != b.Len() {
			return false
		}
		for i := range a.Len() {
			if !agrees(a.Index(i), b.Index(i)) {
				return false
			}
		}
		return true
	case reflect.Map:
		return agreeingMaps(a, b)
	case reflect.Struct:
		for i := range a.NumField() {
			if !agrees(a.Field(i), b.Field(i)) {
				return false
			}
		}
		return true
	case reflect.Float32, reflect.Float64:
		return a.Float() == b.Float() || math.IsNaN(a.Float()) && math.IsNaN(b.Float())
	}
	return a.Equal(b)
}

func agreeingMaps(a, b reflect.Value) bool {
	if a.IsNil() != b.IsNil() || a.Len() != b.Len() {
		return false
	}
	for it := a.MapRange(); it.Next(); {
		if v := b.MapIndex(it.Key()); !v.IsValid() || !agrees(it.Value(), v) {
			return false
		}
	}
	return true
}

// reportRuns says how often calls were made at the same time, and which histories were not judged.
func (r *runner[S]) reportRuns(t testing.TB) {
	t.Helper()
	t.Logf("fuzzmut: %s: in %d of %d runs calls were made at the same time", r.name(), r.overlaps, r.runs)
	if r.unknown > 0 {
		t.Logf("fuzzmut: %s: of %d histories that differ, %d were not judged: %d calls were not enough to find an order", r.name(), r.judgements, r.unknown, mostSteps)
	}
}

package fuzzmut

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/fuzzmut/fuzzmut/fuzzmut/internal/literal"
	"github.com/fuzzmut/fuzzmut/fuzzmut/term"
)

// String is Go source that does what the sequence has done.
func (s *sequence[S]) String() string {
	before, atOnce := s.done, []*step(nil)
	if s.together >= 0 {
		before, atOnce = s.done[:s.together], s.done[s.together:]
	}
	lines := []string{""}
	if s.start != nil {
		lines[0] = s.start()
	}
	lines = append(lines, s.lines(before, "")...)
	lines = append(lines, s.linesAtOnce(atOnce)...)
	return strings.Join(lines, "\n")
}

// planned is Go source of the calls of a sequence that is not run: of all that were drawn, those that would be left out as
// well.
func (r *runner[S]) planned(x *term.Term) string {
	s := &sequence[S]{runner: r, together: -1}
	at, args := r.calls.Begin(x)
	s.start = func() string { return s.beginning(r.begin[at], args) }
	add := func(goroutine int, calls []*term.Term) {
		for _, call := range calls {
			s.done = append(s.done, &step{op: r.ops[call.Alt()], call: call, goroutine: goroutine})
		}
	}
	add(0, r.calls.List(x))
	if r.Goroutines > 1 {
		s.together = len(s.done)
		goroutines, after := r.calls.AtOnce(x)
		for i, calls := range goroutines {
			add(i+1, calls)
		}
		add(0, after)
	}
	return s.String()
}

// lines are those of calls that were not left out.
func (s *sequence[S]) lines(calls []*step, indent string) (lines []string) {
	for _, st := range calls {
		if st.running() || !st.left {
			lines = append(lines, indent+s.line(st))
		}
	}
	return lines
}

// linesAtOnce are goroutines, and what comes after them.
func (s *sequence[S]) linesAtOnce(calls []*step) (lines []string) {
	if len(calls) == 0 {
		return nil
	}
	lines = append(lines, "var all sync.WaitGroup")
	for len(calls) > 0 && calls[0].goroutine > 0 {
		n := slices.IndexFunc(calls, func(st *step) bool { return st.goroutine != calls[0].goroutine })
		if n < 0 {
			n = len(calls)
		}
		if inside := s.lines(calls[:n], "\t"); len(inside) > 0 {
			lines = append(append(append(lines, "all.Go(func() {"), inside...), "})")
		}
		calls = calls[n:]
	}
	return append(append(lines, "all.Wait()"), s.lines(calls, "")...)
}

// beginning is the call of a constructor.
func (s *sequence[S]) beginning(c *constructor, args []reflect.Value) string {
	switch {
	case c.unnamed:
		return s.literalState(c)
	case c.source != "":
		return "s := " + c.source
	}
	texts := make([]string, len(args))
	for i, v := range args {
		texts[i], _ = literal.Source(v, s.pkg)
	}
	if len(args) > 0 && !c.omitted && c.fn.Type().IsVariadic() {
		texts[len(args)-1] += "..."
	}
	to := "s"
	if c.fn.Type().NumOut() == 2 {
		to = "s, _"
	}
	return to + " := " + c.call + "(" + strings.Join(texts, ", ") + ")"
}

// literalState is what a function literal returns. It has no name that could be called: the
// package may have another function New.
func (s *sequence[S]) literalState(c *constructor) string {
	t := reflect.TypeFor[S]()
	if isPlain(t, nil) {
		if v, ok := c.make(nil, t); ok {
			if text, ok := literal.Source(v, s.pkg); ok {
				return "s := " + text + " // as New of the Machine returns it"
			}
		}
	}
	text := "var s " + literal.Type(t, s.pkg) + " // what New of the Machine returns"
	if place := placeOf(c.fn); place != "" {
		text += ", " + place
	}
	return text
}

// isPlain reports whether values of a type are nothing but data: no other goroutine is known to
// use them, as it may a channel or what a lock protects, so that they may be read.
func isPlain(t reflect.Type, inside []reflect.Type) bool {
	if slices.Contains(inside, t) {
		return true
	}
	inside = append(inside, t)
	switch t.Kind() {
	case reflect.Chan, reflect.Func, reflect.Interface, reflect.UnsafePointer:
		return false
	case reflect.Map:
		return isPlain(t.Key(), inside) && isPlain(t.Elem(), inside)
	case reflect.Pointer, reflect.Slice, reflect.Array:
		return isPlain(t.Elem(), inside)
	case reflect.Struct:
		if p := t.PkgPath(); p == "sync" || strings.HasPrefix(p, "sync/") {
			return false
		}
		for i := range t.NumField() {
			if !isPlain(t.Field(i).Type, inside) {
				return false
			}
		}
	}
	return true
}

// line is a call, and what it returned.
func (s *sequence[S]) line(st *step) string {
	_, drawn := s.calls.Args(st.call)
	args := make([]string, st.op.fn.Type().NumIn())
	args[st.op.state] = "s"
	if st.op.tb >= 0 {
		args[st.op.tb] = "t"
	}
	for i, k := range st.op.drawn {
		args[k], _ = literal.Source(drawn[i], s.pkg)
		if st.op.fn.Type().IsVariadic() && k == len(args)-1 {
			args[k] += "..."
		}
	}
	if strings.HasPrefix(st.op.call, "s.") {
		args = append(args[:st.op.state], args[st.op.state+1:]...)
	}
	text := st.op.call + "(" + strings.Join(args, ", ") + ")"
	if t := st.op.fn.Type(); st.args == nil && t.NumOut() == 1 && isIterator(t.Out(0)) {
		text = "for range " + text + " {}"
	}
	if comment := s.comment(st); comment != "" {
		return text + " // " + comment
	}
	if len(st.results) > 0 {
		text += " // returns " + results(st.results)
	}
	if st.results != nil && st.modeled != nil && results(st.modeled) != results(st.results) {
		text += "; the model: " + results(st.modeled)
	}
	return text
}

// running reports whether a call at once has not ended: nothing else of it may be read then.
func (st *step) running() bool { return st.args != nil && st.end.Load() == 0 }

// comment says what a call at once did, and when; "": it was not at once, and did nothing special.
func (s *sequence[S]) comment(st *step) string {
	start, end := st.start.Load(), st.end.Load()
	switch {
	case st.args == nil:
		return ""
	case start == 0:
		return "not called"
	case end == 0:
		return "has not returned"
	}
	var texts []string
	switch {
	case st.panicked != nil:
		texts = append(texts, fmt.Sprintf("panics: %v", st.panicked))
	case len(st.results) > 0:
		texts = append(texts, "returns "+results(st.results))
	}
	if st.goroutine > 0 {
		texts = append(texts, fmt.Sprintf("from %d to %d", s.rank(start), s.rank(end)))
	}
	return strings.Join(texts, ", ")
}

// rank is the place of a time among those at which calls at once began and ended.
func (s *sequence[S]) rank(at int64) int {
	var times []int64
	for _, st := range s.done[s.together:] {
		if end := st.end.Load(); end != 0 && st.goroutine > 0 && !st.left {
			times = append(times, st.start.Load(), end)
		}
	}
	slices.Sort(times)
	i, _ := slices.BinarySearch(slices.Compact(times), at)
	return i + 1
}

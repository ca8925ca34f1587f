package fuzzmut

import (
	"reflect"
	"strings"

	"github.com/fuzzmut/fuzzmut/fuzzmut/internal/literal"
)

// String is Go source that does what the sequence has done.
func (s *sequence[S]) String() string {
	lines := []string{s.start}
	for _, st := range s.done {
		if !st.left {
			lines = append(lines, s.line(st))
		}
	}
	return strings.Join(lines, "\n")
}

// beginning is the call of a constructor.
func (s *sequence[S]) beginning(c *constructor, args []reflect.Value) string {
	if c.source != "" {
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
	if len(st.results) > 0 {
		text += " // " + results(st.results)
	}
	if st.results != nil && st.modeled != nil && results(st.modeled) != results(st.results) {
		text += "; the model: " + results(st.modeled)
	}
	return text
}

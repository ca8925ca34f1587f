package sequence

import (
	"cmp"
	"fmt"
	"go/types"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A Variable of the package is set when an input begins, and set back in the end: then the
// calls of one input do not change what those of others return.
type Variable struct {
	Name    string
	Type    types.Type
	Initial string   // source of what it is set to; "": zero
	Kept    bool     // it begins as it is, and is set back alone
	Choices []string // source of what a step may set it to, for what stands for the clock, or for random numbers
}

// stateRank has calls that set variables of the state come after all that make or show something.
const stateRank = lastRank + 1

// addState adds the state of the calls, and what sets it. Calls that would ask the outside know when.
func (s *Sequence) addState(all []Variable) {
	used := make(map[string]bool)
	for _, c := range s.calls {
		if c.fn == nil || c.field || s.uses == nil {
			continue
		}
		c.unless = s.unless(c.fn)
		for _, name := range s.uses(c.fn) {
			used[name] = true
		}
	}
	for _, v := range all {
		if source, ok := s.initial(v); (ok || v.Kept) && used[v.Name] && !slices.Contains(fuzzNames, v.Name) {
			v.Initial = source
			s.state = append(s.state, v)
			if len(v.Choices) > 1 {
				s.calls = append(s.calls, &call{
					function: v.Name, setting: true, state: true, receiver: -1, rank: stateRank,
					params: []param{{form: choiceParam, choices: v.Choices, typ: s.source(v.Type)}},
				})
			}
		}
	}
}

// fuzzNames are what a fuzz test and a test call other things.
var fuzzNames = []string{"ops", "op", "text", "text2", "texts", "seen", "t", "f"}

// initial is source of what a variable is set to; false: the file can't name it.
func (s *Sequence) initial(v Variable) (string, bool) {
	if v.Initial != "" {
		return v.Initial, true
	}
	switch u := v.Type.Underlying().(type) {
	case *types.Basic:
		switch info := u.Info(); {
		case info&types.IsBoolean != 0:
			return "false", true
		case info&types.IsString != 0:
			return `""`, true
		case info&types.IsNumeric != 0:
			return "0", true
		}
		return "nil", true
	case *types.Struct, *types.Array:
		return s.source(v.Type) + "{}", s.importable(v.Type)
	}
	return "nil", true
}

// stateOf are the variables that calls use.
func (s *Sequence) stateOf(calls []*call) []Variable {
	return slices.DeleteFunc(slices.Clone(s.state), func(v Variable) bool {
		return !slices.ContainsFunc(calls, func(c *call) bool {
			return c.state && c.function == v.Name || c.fn != nil && !c.field && slices.Contains(s.uses(c.fn), v.Name)
		})
	})
}

// setUp is source that sets the state of a fuzz test, and what else comes before the first call.
func (s *Sequence) setUp() string {
	lines := slices.Clone(s.first)
	if len(s.state) > 0 {
		lines = append(lines, s.kept(), "defer func() { "+s.back()+" }()\n", s.begun())
	}
	return strings.Join(lines, "\n")
}

// Begin is source of a function that does for a test what the fuzz test does for an input, and the
// paths of what it imports.
func (s *Sequence) Begin(name string) (source string, imports []string) {
	what := " sets variables of the package for the rest of a test: whatever other tests have left there,\n" +
		"// and whatever the time is, the calls return the same.\n"
	if s.begun() == "" {
		what = " has a test leave variables of the package as they are.\n"
	}
	source = fmt.Sprintf("\n// %[1]s%[2]sfunc %[1]s(t *testing.T) {\n%[3]st.Cleanup(func() { %[4]s })\n%[5]s}\n", name, what, s.kept(), s.back(), s.begun())
	for _, p := range s.importPaths() {
		if names(source, s.packageName(p)) {
			imports = append(imports, p)
		}
	}
	return source, imports
}

// kept is source that keeps what the variables of the state are.
func (s *Sequence) kept() string {
	own, was := s.stateNames()
	return strings.Join(was, ", ") + " := " + strings.Join(own, ", ") + "\n"
}

// back is source that sets them back.
func (s *Sequence) back() string {
	own, was := s.stateNames()
	return strings.Join(own, ", ") + " = " + strings.Join(was, ", ")
}

// begun is source that sets them to what they are when an input begins.
func (s *Sequence) begun() string {
	var b strings.Builder
	for _, v := range s.state {
		if !v.Kept {
			b.WriteString(v.Name + " = " + v.Initial + "\n")
		}
	}
	return b.String()
}

// stateNames are the names of the variables of the state, and of those that keep what they were.
func (s *Sequence) stateNames() (own, was []string) {
	for _, v := range s.state {
		r, size := utf8.DecodeRuneInString(v.Name)
		own, was = append(own, v.Name), append(was, "was"+string(unicode.ToUpper(r))+v.Name[size:])
	}
	return own, was
}

// begins says whether steps use the state.
func (w *caseWriter) begins(list []*step) bool {
	return slices.ContainsFunc(list, func(st *step) bool { return len(w.stateOf([]*call{st.call})) > 0 })
}

// stateSeedsMost bounds the inputs that change the state, and then call what reads it.
const stateSeedsMost = 48

// stateSeeds are inputs that call all that sets variables which another call reads, then this
// one, and then methods of what it makes.
func (s *Sequence) stateSeeds() (list []seed) {
	for i, c := range s.calls {
		if c.fn == nil || c.receiver >= 0 || len(s.stateOf([]*call{c})) == 0 || len(list) == stateSeedsMost {
			continue
		}
		var ops strings.Builder
		for k, setter := range s.calls {
			if setter.fn != nil && setter.receiver < 0 && k != i && !setter.makes() && len(setter.params) > 0 && len(setter.unless) == 0 && s.shares(setter, c) {
				ops.WriteString(s.record(k))
			}
		}
		ops.WriteString(s.record(i))
		ops.WriteString(s.shown(c))
		if n := stepsMost * s.width; ops.Len() > n {
			list = append(list, seed{ops.String()[ops.Len()-n:], seedTexts})
			continue
		}
		list = append(list, seed{ops.String(), seedTexts})
	}
	return list
}

// seedTexts are long enough for what reads bytes.
var seedTexts = [2]string{"0000000000000000", "a"}

// shares says whether a call uses a variable that another one uses.
func (s *Sequence) shares(a, b *call) bool {
	list := s.stateOf([]*call{b})
	return slices.ContainsFunc(s.stateOf([]*call{a}), func(v Variable) bool {
		return slices.ContainsFunc(list, func(w Variable) bool { return v.Name == w.Name })
	})
}

// shownMost is how many methods a seed calls on what it has made.
const shownMost = 6

// shown are records of methods that show something of what a call makes, those with fewest arguments.
func (s *Sequence) shown(c *call) string {
	var at []int
	for i, m := range s.calls {
		if m.receiver >= 0 && !m.field && !m.setting && m.shows() && slices.ContainsFunc(c.results, func(r result) bool { return r.form == kept && r.kind == m.receiver }) {
			at = append(at, i)
		}
	}
	slices.SortStableFunc(at, func(a, b int) int { return cmp.Compare(len(s.calls[a].params), len(s.calls[b].params)) })
	var ops strings.Builder
	for _, i := range at[:min(len(at), shownMost)] {
		ops.WriteString(s.record(i))
	}
	return ops.String()
}

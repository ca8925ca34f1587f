package sequence

import (
	"maps"
	"slices"
	"strings"
	"unicode/utf8"
)

// titleMost is how many names a title has, and differMost how long what tells it from others.
const (
	titleMost  = 6
	differMost = 60
)

// title is what a case is called: what is called in it, each several times in turn once.
func title(names []string) string {
	names = slices.Compact(names)
	if n := len(names); n > titleMost {
		names = append(slices.Clone(names[:titleMost-2]), "...", names[n-1])
	}
	return strings.Join(names, ", ")
}

// NameOf is what a test of some inputs is named after, as the fuzz test is: "Tree_sequence". That is the first type, or
// else the first function. Where none of them has to do with it, it is one that most of them have to do with.
func (s *Sequence) NameOf(list []*Steps) string {
	count := make(map[string]int)
	for _, st := range list {
		for _, name := range st.subjects() {
			count[name]++
		}
	}
	best := s.base()
	if count[best] > 0 || len(count) == 0 {
		return strings.TrimPrefix(s.Fuzz, "Fuzz")
	}
	for _, name := range slices.Sorted(maps.Keys(count)) {
		if count[name] > count[best] {
			best = name
		}
	}
	return best + "_sequence"
}

// subjects are the names of the types of the values that calls have to do with, or where there are none the functions that
// are called.
func (s *Steps) subjects() []string {
	var types, functions []string
	for _, st := range s.list {
		if k := st.call.receiver; k >= 0 {
			types = append(types, s.sequence.kinds[k].named.Obj().Name())
		} else if st.call.fn != nil {
			functions = append(functions, st.call.function)
		}
		for _, r := range st.call.results {
			if r.form == kept && r.kind != noKind {
				types = append(types, s.sequence.kinds[r.kind].named.Obj().Name())
			}
		}
	}
	if len(types) == 0 {
		types = functions
	}
	slices.Sort(types)
	return slices.Compact(types)
}

// Entitle tells cases apart that have the same title: by the first call that is another in each of them, or else by what
// they return. Where neither is short, the title stays.
func Entitle(cases []Case) {
	alike := make(map[string][]int)
	for i, c := range cases {
		alike[c.Title] = append(alike[c.Title], i)
	}
	for _, places := range alike {
		if len(places) == 1 {
			continue
		}
		for i, text := range differing(cases, places) {
			cases[places[i]].Title += ": " + text
		}
	}
}

// differing is what tells some cases apart, a text for each; nil: nothing does.
func differing(cases []Case, places []int) []string {
	most := 0
	for _, i := range places {
		most = max(most, len(cases[i].calls))
	}
	for at := range most + 1 {
		var texts []string
		for _, i := range places {
			switch c := cases[i]; {
			case at == most:
				texts = append(texts, c.Result)
			case at < len(c.calls):
				texts = append(texts, c.calls[at])
			}
		}
		long := func(text string) bool { return text == "" || utf8.RuneCountInString(text) > differMost }
		if len(texts) == len(places) && !slices.ContainsFunc(texts, long) && len(slices.Compact(slices.Sorted(slices.Values(texts)))) == len(texts) {
			return texts
		}
	}
	return nil
}

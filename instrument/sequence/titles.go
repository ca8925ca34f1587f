package sequence

import (
	"fmt"
	"maps"
	"math"
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
			functions = append(functions, st.call.fn.Name())
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

// Entitle tells cases apart that have the same title: by the first call that is another in each of them, by what they
// return, or by the calls in turn that are another in some of them. Of long ones they have what is around the first
// difference. What is still alike has a number.
func Entitle(cases []Case) {
	all := make([]int, len(cases))
	for i := range cases {
		all[i] = i
	}
	for _, places := range alike(cases, all) {
		entitle(cases, places, 0)
	}
	for _, places := range alike(cases, all) {
		for n, i := range places[1:] {
			cases[i].Title += fmt.Sprintf(" (%d)", n+2)
		}
	}
}

// alike are the places of cases with the same title, where there are several.
func alike(cases []Case, places []int) (groups [][]int) {
	by := make(map[string][]int)
	for _, i := range places {
		by[cases[i].Title] = append(by[cases[i].Title], i)
	}
	for _, i := range places {
		if list := by[cases[i].Title]; len(list) > 1 && list[0] == i {
			groups = append(groups, list)
		}
	}
	return groups
}

// entitle tells some cases with the same title apart, by their calls from one on.
func entitle(cases []Case, places []int, from int) {
	at, texts := differing(cases, places, from)
	for k, text := range texts {
		cases[places[k]].Title += ": " + text
	}
	if texts == nil {
		return
	}
	for _, places := range alike(cases, places) {
		entitle(cases, places, at+1)
	}
}

// differing is what tells some cases apart, a text for each, and which call that is: one that is short and another in
// each, or else the first one that is another in some of them, shortened to where it differs; nil: nothing does. What
// they return comes after all calls.
func differing(cases []Case, places []int, from int) (at int, texts []string) {
	most := 0
	for _, i := range places {
		most = max(most, len(cases[i].calls))
	}
	long := func(text string) bool { return text == "" || utf8.RuneCountInString(text) > differMost }
	first, some := 0, []string(nil)
	for at := from; at <= most; at++ {
		var texts []string
		for _, i := range places {
			switch c := cases[i]; {
			case at == most:
				texts = append(texts, c.Result)
			case at < len(c.calls):
				texts = append(texts, c.calls[at])
			}
		}
		if len(texts) != len(places) || slices.Contains(texts, "") || differ(texts) == 1 {
			continue
		}
		if !slices.ContainsFunc(texts, long) && differ(texts) == len(texts) {
			return at, texts
		}
		if short := around(texts); some == nil && differ(short) > 1 {
			first, some = at, short
		}
	}
	return first, some
}

// differ counts the texts that are different.
func differ(texts []string) int { return len(slices.Compact(slices.Sorted(slices.Values(texts)))) }

// around are texts in one line, shortened to where they differ if one is long.
func around(texts []string) []string {
	list := make([]string, len(texts))
	common, most := math.MaxInt, 0
	for i, text := range texts {
		list[i] = strings.Join(strings.Fields(text), " ")
		most = max(most, utf8.RuneCountInString(list[i]))
		for common = min(common, len(list[i])); list[i][:common] != list[0][:common]; {
			common--
		}
	}
	if most <= differMost {
		return list
	}
	before := []rune(list[0][:common])
	from := max(0, len(before)-differMost/4)
	for at := from; at > 0 && at > len(before)-differMost/2; at-- {
		if before[at-1] == ' ' {
			from = at // a word, as the name of what is called, is whole
			break
		}
	}
	for i, text := range list {
		part := []rune(text)[from:]
		begin, end := "", ""
		if from > 0 {
			begin = "…"
		}
		if len(part) > differMost {
			part, end = part[:differMost], "…"
		}
		list[i] = begin + string(part) + end
	}
	return list
}

package sequence

import (
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

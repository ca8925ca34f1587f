package text

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
)

// reasonsShown bounds the reasons for sites without mutants in a text report that is
// not verbose.
const reasonsShown = 3

// sites says how many sites have no mutants, and why.
func (t *text) sites(s *report.Sites) {
	switch {
	case s.Sites == 0:
		return
	case s.Mutated == s.Sites:
		t.linef("  sites: %s, all with mutants", report.Group(int64(s.Sites)))
		return
	}
	t.linef("  sites: %s; %s with mutants, %s left out, %s suppressed as noise", report.Group(int64(s.Sites)), report.Group(int64(s.Mutated)),
		report.Group(int64(total(s.LeftOut))), report.Group(int64(total(s.Suppressed))))
	reasons := byCount(s.LeftOut, s.Suppressed)
	if t.o.Verbose {
		for _, r := range reasons {
			t.linef("    %5d  %s", r.n, r.why)
		}
		return
	}
	var shown []string
	for _, r := range reasons[:min(reasonsShown, len(reasons))] {
		shown = append(shown, fmt.Sprintf("%s %s", r.why, report.Group(int64(r.n))))
	}
	if n := len(reasons) - len(shown); n > 0 {
		shown = append(shown, fmt.Sprintf("%s (-v)", report.Plural(n, "more")))
	}
	t.linef("    without mutants: %s", strings.Join(shown, "; "))
}

func total(reasons map[string]int) int {
	n := 0
	for _, k := range reasons {
		n += k
	}
	return n
}

type reasonCount struct {
	why string
	n   int
}

// byCount returns reasons with their counts, the most frequent ones first.
func byCount(lists ...map[string]int) []reasonCount {
	var all []reasonCount
	for _, list := range lists {
		for why, n := range list {
			all = append(all, reasonCount{why, n})
		}
	}
	slices.SortFunc(all, func(a, b reasonCount) int { return cmp.Or(cmp.Compare(b.n, a.n), cmp.Compare(a.why, b.why)) })
	return all
}

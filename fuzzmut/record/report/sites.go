package report

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/fuzzmut/fuzzmut/instrument"
)

// Sites counts the places in the mutated packages that the operators would change.
// Each value in a table is a place, though the table is left out as a whole.
type Sites struct {
	Sites   int `json:"sites"`
	Mutated int `json:"mutated"` // with mutants
	// LeftOut and Suppressed count those without, by reason: where no mutant can be
	// made, and where nobody would want one.
	LeftOut    map[string]int `json:"left_out"`
	Suppressed map[string]int `json:"suppressed"`
}

// SitesOf returns the sites of a program.
func SitesOf(p *instrument.Program) Sites {
	c := &p.Census
	if c.Sites == 0 {
		return Sites{}
	}
	s := Sites{Sites: c.Sites, Mutated: c.Sites - c.LeftOut() - c.Suppressed(), LeftOut: map[string]int{}, Suppressed: map[string]int{}}
	maps.Copy(s.LeftOut, c.Left)
	maps.Copy(s.Suppressed, c.Noise)
	return s
}

// reasonsShown bounds the reasons for sites without mutants in a text report that is
// not verbose.
const reasonsShown = 3

// sites says how many sites have no mutants, and why.
func (t *text) sites(s *Sites) {
	switch {
	case s.Sites == 0:
		return
	case s.Mutated == s.Sites:
		t.linef("  sites: %s, all with mutants", group(int64(s.Sites)))
		return
	}
	t.linef("  sites: %s; %s with mutants, %s left out, %s suppressed as noise", group(int64(s.Sites)), group(int64(s.Mutated)),
		group(int64(total(s.LeftOut))), group(int64(total(s.Suppressed))))
	reasons := byCount(s.LeftOut, s.Suppressed)
	if t.o.Verbose {
		for _, r := range reasons {
			t.linef("    %5d  %s", r.n, r.why)
		}
		return
	}
	var shown []string
	for _, r := range reasons[:min(reasonsShown, len(reasons))] {
		shown = append(shown, fmt.Sprintf("%s %s", r.why, group(int64(r.n))))
	}
	if n := len(reasons) - len(shown); n > 0 {
		shown = append(shown, fmt.Sprintf("%s (-v)", Plural(n, "more")))
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

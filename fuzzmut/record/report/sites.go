package report

import (
	"maps"

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

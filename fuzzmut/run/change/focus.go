package change

import "github.com/fuzzmut/fuzzmut/instrument"

// Focus is the part of the code that a run is about: there it looks for kills, and
// for that it adds entries. A nil aim is all of the code.
type Focus struct {
	mutants   []bool // by number
	blocks    []bool
	Functions int // with mutants
	Count     int // of mutants
}

// Mutant says whether a mutant is aimed at.
func (a *Focus) Mutant(m uint32) bool { return a == nil || a.mutants[m] }

// Block says whether a block of code is.
func (a *Focus) Block(b int) bool { return a == nil || b < len(a.blocks) && a.blocks[b] }

// FocusOn aims at the declarations that have changed.
func FocusOn(p *instrument.Program, code *Sources, changed func(path string, d *Declaration) bool) *Focus {
	a := &Focus{mutants: make([]bool, len(p.Mutants)+1), blocks: make([]bool, len(p.Blocks))}
	seen := make(map[*Declaration]bool)
	for i := range p.Mutants {
		m := &p.Mutants[i]
		d := code.Of(m)
		if m.Status == instrument.StatusSkipped || d == nil || !changed(m.File, d) {
			continue
		}
		a.mutants[m.Index] = true
		a.Count++
		if !seen[d] {
			seen[d] = true
			a.Functions++
		}
	}
	for i := range p.Blocks {
		b := &p.Blocks[i]
		d := code.at(b.File, b.Line)
		a.blocks[i] = d != nil && changed(b.File, d)
	}
	return a
}

// FocusOnMutants aims at single mutants, and at the blocks of the declarations that have any
// of them.
func FocusOnMutants(p *instrument.Program, code *Sources, wanted func(m *instrument.Mutant) bool) *Focus {
	some := make(map[*Declaration]bool)
	for i := range p.Mutants {
		if d := code.Of(&p.Mutants[i]); d != nil && wanted(&p.Mutants[i]) {
			some[d] = true
		}
	}
	a := FocusOn(p, code, func(_ string, d *Declaration) bool { return some[d] })
	a.Count = 0
	for i := range p.Mutants {
		m := &p.Mutants[i]
		a.mutants[m.Index] = a.mutants[m.Index] && wanted(m)
		if a.mutants[m.Index] {
			a.Count++
		}
	}
	return a
}

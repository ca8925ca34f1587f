package campaign

import "github.com/fuzzmut/fuzzmut/instrument"

// aim is the part of the code that a run is about: there it looks for kills, and
// for that it adds entries. A nil aim is all of the code.
type aim struct {
	mutants   []bool // by number
	blocks    []bool
	functions int // with mutants
	count     int // of mutants
}

// mutant says whether a mutant is aimed at.
func (a *aim) mutant(m uint32) bool { return a == nil || a.mutants[m] }

// block says whether a block of code is.
func (a *aim) block(b int) bool { return a == nil || b < len(a.blocks) && a.blocks[b] }

// aimAt aims at the declarations that have changed.
func aimAt(p *instrument.Program, code *sources, changed func(path string, d *declaration) bool) *aim {
	a := &aim{mutants: make([]bool, len(p.Mutants)+1), blocks: make([]bool, len(p.Blocks))}
	seen := make(map[*declaration]bool)
	for i := range p.Mutants {
		m := &p.Mutants[i]
		d := code.of(m)
		if m.Status == instrument.StatusSkipped || d == nil || !changed(m.File, d) {
			continue
		}
		a.mutants[m.Index] = true
		a.count++
		if !seen[d] {
			seen[d] = true
			a.functions++
		}
	}
	for i := range p.Blocks {
		b := &p.Blocks[i]
		d := code.at(b.File, b.Line)
		a.blocks[i] = d != nil && changed(b.File, d)
	}
	return a
}

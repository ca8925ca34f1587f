package share

import (
	"cmp"
	"slices"

	"github.com/fuzzmut/fuzzmut/corpus/matrix"
	"github.com/fuzzmut/fuzzmut/instrument/rt/oracle"
)

// failingKept is how many inputs of a stack stay.
const failingKept = 4

// needs finds the inputs that are needed for a binary: few that show and kill all that its logs
// say of any.
func (p *pruner) needs(k *known) {
	byFuzz := make(map[string][]Record)
	for _, r := range k.records {
		if r.Fuzz != "" {
			byFuzz[r.Fuzz] = append(byFuzz[r.Fuzz], r)
		}
	}
	for _, fuzz := range keys(byFuzz) {
		p.needsEntries(k.pkg, fuzz, byFuzz[fuzz])
		p.needsFailing(k.pkg, fuzz, byFuzz[fuzz])
	}
}

// shows is what an input is known for.
type shows struct {
	kills map[int]oracle.Kind
	hits  map[int]bool
	cost  int64
}

// needsEntries finds the entries of one fuzz test that are needed.
func (p *pruner) needsEntries(pkg, fuzz string, records []Record) {
	inputs, mutants, features := make(map[string]*shows), make(map[uint32]int), make(map[uint32]int)
	of := func(name string) *shows {
		if p.have[place{Entries, pkg, fuzz, name}] == nil {
			return nil
		}
		if inputs[name] == nil {
			inputs[name] = &shows{kills: make(map[int]oracle.Kind), hits: make(map[int]bool)}
		}
		return inputs[name]
	}
	for _, r := range records {
		switch {
		case r.Kill != nil:
			kind, ok := oracle.Parse(r.Kill.Kind)
			if s := of(r.Kill.Input); ok && kind.ByInput() != "" && s != nil {
				s.kills[number(mutants, r.Kill.Mutant)] = kind
			}
		case r.Cover != nil:
			if s := of(r.Cover.Input); s != nil {
				s.cost = r.Cover.Cost
				for _, f := range r.Cover.Features {
					s.hits[number(features, f)] = true
				}
			}
		}
	}
	names := keys(inputs)
	m := matrix.New(len(mutants), len(features))
	for _, name := range names {
		in := p.have[place{Entries, pkg, fuzz, name}]
		in.measured = true
		m.Add(matrix.Entry{Name: name, Size: int(in.size), Fuel: inputs[name].cost}, inputs[name].killList(), inputs[name].hitList())
	}
	for _, i := range matrix.Minimise(m, matrix.Prefs{}) {
		p.have[place{Entries, pkg, fuzz, names[i]}].needed = true
	}
}

// number returns the number of a value, from 0 in the order in which they come: whatever the
// values are, the table is no larger than the records are.
func number(numbers map[uint32]int, v uint32) int {
	n, ok := numbers[v]
	if !ok {
		n = len(numbers)
		numbers[v] = n
	}
	return n
}

func (s *shows) killList() (list []matrix.Kill) {
	for _, mutant := range keys(s.kills) {
		list = append(list, matrix.Kill{Mutant: mutant, Kind: s.kills[mutant]})
	}
	return list
}

func (s *shows) hitList() (list []matrix.Hit) {
	for _, block := range keys(s.hits) {
		list = append(list, matrix.Hit{Block: block, Bucket: 1})
	}
	return list
}

// needsFailing finds the failing inputs of one fuzz test that are needed: the smallest of each
// stack.
func (p *pruner) needsFailing(pkg, fuzz string, records []Record) {
	stacks := make(map[string][]*stored)
	for _, r := range records {
		if r.Fail == nil {
			continue
		}
		if in := p.have[place{Failing, pkg, fuzz, r.Fail.Input}]; in != nil && !slices.Contains(stacks[r.Fail.Key], in) {
			in.measured = true
			stacks[r.Fail.Key] = append(stacks[r.Fail.Key], in)
		}
	}
	for _, list := range stacks {
		slices.SortFunc(list, func(a, b *stored) int { return cmp.Or(cmp.Compare(a.size, b.size), cmp.Compare(a.name, b.name)) })
		for _, in := range list[:min(failingKept, len(list))] {
			in.needed = true
		}
	}
}

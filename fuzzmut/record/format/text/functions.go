package text

import (
	"cmp"
	"slices"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
)

// startsOnly says whether a mutant acts before the first input and no input reaches it.
func startsOnly(m *report.Mutant) bool { return m.Start.Reached && m.Reached == 0 }

// apart divides mutants into those that inputs may reach, and those that act before the
// first input alone: their counts are of processes, not of inputs.
func apart(ms []report.Mutant) (byInputs, atStart []report.Mutant) {
	for i := range ms {
		if startsOnly(&ms[i]) {
			atStart = append(atStart, ms[i])
		} else {
			byInputs = append(byInputs, ms[i])
		}
	}
	return byInputs, atStart
}

// A functionCount is a function with a number of mutants.
type functionCount struct {
	name  string
	count int
}

// countByFunction counts the mutants that belong, by function, those with most
// first.
func countByFunction(ms []report.Mutant, belongs func(*report.Mutant) bool) []functionCount {
	index := make(map[string]int)
	var out []functionCount
	for i := range ms {
		if !belongs(&ms[i]) {
			continue
		}
		name := ms[i].Function
		j, ok := index[ms[i].Package+"."+name]
		if !ok {
			j = len(out)
			index[ms[i].Package+"."+name] = j
			out = append(out, functionCount{name: name})
		}
		out[j].count++
	}
	slices.SortStableFunc(out, func(a, b functionCount) int {
		return cmp.Or(cmp.Compare(b.count, a.count), cmp.Compare(a.name, b.name))
	})
	return out
}

package unittest

// If a long test kills mutants of a function, the next one is likely to kill more of them. One
// that is killed has its group fail, and the others of the group have to run again. So
// if the long test before has killed one in suspectShare mutants of a function, or more, the
// others come into no group.
const suspectShare = 3

// tally counts the mutants that a long test was run with, and those that it has killed.
type tally struct{ run, killed int }

// count counts the mutants that a long test was run with, by function.
func (c *confirmer) count(items []*item) {
	tallies := make(map[int]tally)
	for _, it := range items {
		if it.unpaid || it.outside {
			continue
		}
		t := tallies[c.function(it)]
		t.run++
		if it.verdict.Status == StatusKilled {
			t.killed++
		}
		tallies[c.function(it)] = t
	}
	c.tallies = tallies
}

// suspects returns the mutants that the next long test is likely to kill, and the others.
func (c *confirmer) suspects(items []*item) (suspects, others []*item) {
	for _, it := range items {
		fn := c.function(it)
		t := c.tallies[fn]
		if fn >= 0 && !it.far && t.killed > 0 && t.killed*suspectShare >= t.run {
			suspects = append(suspects, it)
		} else {
			others = append(others, it)
		}
	}
	return suspects, others
}

// function is the number of the function that holds a mutant, -1 if none does.
func (c *confirmer) function(it *item) int {
	return c.suite.launch.o.Program.Mutants[it.verdict.Mutant-1].FuncIndex
}

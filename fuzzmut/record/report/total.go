package report

import "github.com/fuzzmut/fuzzmut/instrument/rt/oracle"

// weight orders statuses by what they say about a mutant when several fuzz
// tests give it different ones: a kill by any of them is a kill, and where one of them
// says nothing yet, nothing is known.
var weight = map[string]int{Skipped: 1, Static: 2, NotCovered: 3, Survived: 4, Pending: 5, Killed: 6}

// IsStatus reports whether a status is one of those that mutants have.
func IsStatus(status string) bool { return weight[status] > 0 }

// Outweighs reports whether one fate of a mutant says more about it than another one.
func Outweighs(a, b *Mutant) bool { return a.weight() > b.weight() }

// weight is that of the status; with an input that is left out, a mutant is no survivor.
func (m *Mutant) weight() int {
	if m.KilledByLeftOut != "" {
		return 2*weight[Survived] + 1
	}
	return 2 * weight[m.Status]
}

// Total summarises several fuzz tests as if they were one: a mutant that one of
// them kills is killed, by the kind of the first that does.
func Total(tests []FuzzTest) Score {
	if len(tests) == 1 {
		return Summarise(tests[0].Mutants) // no two of them are the same mutant
	}
	type fate struct{ status, kind string }
	fates := make(map[[2]string]fate)
	for i := range tests {
		for j := range tests[i].Mutants {
			m := &tests[i].Mutants[j]
			key := [2]string{m.Package, m.ID}
			if weight[m.Status] > weight[fates[key].status] {
				fates[key] = fate{m.Status, m.KillKind}
			}
		}
	}
	score := Score{KillKinds: make(map[string]int)}
	for _, f := range fates {
		score.count(f.status, f.kind)
	}
	score.finish()
	return score
}

// Unconfirmed counts the mutants that were killed while fuzzing and for which there was no time to run them once more, by
// any of the fuzz tests: an input may kill in one process that does not in another.
func Unconfirmed(tests []FuzzTest) (n int) {
	confirmed := make(map[[2]string]bool)
	for i := range tests {
		for j := range tests[i].Mutants {
			if m := &tests[i].Mutants[j]; m.Status == Killed {
				key := [2]string{m.Package, m.ID}
				confirmed[key] = confirmed[key] || !m.Unconfirmed
			}
		}
	}
	for _, yes := range confirmed {
		if !yes {
			n++
		}
	}
	return n
}

// Summarise returns the score of one fuzz test's mutants.
func Summarise(ms []Mutant) Score {
	score := Score{KillKinds: make(map[string]int)}
	for i := range ms {
		score.count(ms[i].Status, ms[i].KillKind)
	}
	score.finish()
	return score
}

// count adds a mutant.
func (s *Score) count(status, killKind string) {
	switch status {
	case Killed:
		s.Killed++
		s.KillKinds[killKind]++
	case Survived:
		s.Survived++
	case NotCovered:
		s.NotCovered++
	case Pending:
		s.Pending++
	case Static:
		s.Static++
	case Skipped:
		s.Skipped++
	}
}

// finish computes what depends on the counts.
func (s *Score) finish() {
	s.Mutants = s.Killed + s.Survived + s.NotCovered
	if s.Mutants > 0 {
		s.Score = float64(s.Killed) / float64(s.Mutants)
	}
}

// KnownCrashes counts the buckets of failing inputs that show known failures.
func KnownCrashes(f *FuzzTest) (n int) {
	for i := range f.Crashes {
		if f.Crashes[i].Known {
			n++
		}
	}
	return n
}

// Gaps counts the mutants that were killed by a different result alone, which the assertions of
// the fuzz tests miss: oracle gaps. inside is the number of those that show in unexported state
// only.
func Gaps(s *Score) (all, inside int) {
	inside = s.KillKinds[oracle.OnlyInside.String()]
	return s.KillKinds[oracle.Difference.String()] + inside, inside
}

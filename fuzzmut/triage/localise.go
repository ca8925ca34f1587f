package triage

import (
	"cmp"
	"math"
	"slices"

	"github.com/fuzzmut/fuzzmut/corpus/bitset"
)

// Spectrum is all that localization goes by.
type Spectrum struct {
	Failures int // failing inputs
	Passing  int // passing inputs
	Mutants  []Effect
	// Covered are, by failing input, the statements that it covers.
	Covered []bitset.Set
	// PassingCover is, by statement, how many passing inputs cover it.
	PassingCover []int
}

// Effect is what a mutant does.
type Effect struct {
	Statement int        // that it changes
	Repairs   bitset.Set // failing inputs that pass with it
	Changes   bitset.Set // failing inputs that fail otherwise with it
	Breaks    int        // passing inputs that fail with it
	// Moved are, by failing input that it repairs, the statements that are covered
	// with it and not without it, or the other way round. Inputs may be missing.
	Moved map[int]bitset.Set
}

// breaksNothing reports whether the mutant counts as a repair at all (§2).
func (e *Effect) breaksNothing() bool { return e.Breaks == 0 }

// Suspect is a mutant or a statement, with the score that a localizer gives it.
type Suspect struct {
	Number int
	Score  float64
}

// byScore sorts suspects, the highest scores first, and lower numbers before higher
// ones.
func byScore(list []Suspect) []Suspect {
	slices.SortStableFunc(list, func(a, b Suspect) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Number, b.Number))
	})
	return list
}

// Repair ranks the mutants that repair a failing input (§3): the score r_f of a
// mutant is 1/(1+d), where d is the distance to the furthest failing input that it
// repairs too. What repairs much else is likely to hide failures rather than to
// fix one.
func (s *Spectrum) Repair(failure int, m Metric) []Suspect {
	var list []Suspect
	for i := range s.Mutants {
		e := &s.Mutants[i]
		if !e.breaksNothing() || !e.Repairs.Has(failure) {
			continue
		}
		far := 0.0
		for _, other := range e.Repairs.Members() {
			far = max(far, m(failure, other))
		}
		list = append(list, Suspect{Number: i, Score: 1 / (1 + far)})
	}
	return byScore(list)
}

// Coverage ranks statements by how the repairs of a failing input move its path
// (§5.3). A statement scores for each repair of this failure that moves it, the
// less the more repairs of any failure move it: its score is the share of this
// failure's repairs that move it, times the share that they are of all repairs,
// of all failures, that move it.
func (s *Spectrum) Coverage(failure int) []Suspect {
	moved, all, repairs := make(map[int]int), make(map[int]int), 0
	for i := range s.Mutants {
		e := &s.Mutants[i]
		if !e.breaksNothing() {
			continue
		}
		for f, set := range e.Moved {
			if f == failure {
				repairs++
			}
			for _, st := range set.Members() {
				all[st]++
				if f == failure {
					moved[st]++
				}
			}
		}
	}
	var list []Suspect
	for st, n := range moved {
		list = append(list, Suspect{Number: st, Score: ratio(n, repairs) * ratio(n, all[st])})
	}
	return byScore(list)
}

// MUSE ranks statements after S. Moon, Y. Kim, M. Kim and S. Yoo, "Ask the mutants"
// (ICST 2014): the mean over the mutants of a statement of the share of the
// failures that pass with it, less the share of the passing inputs that fail,
// weighted by how much commoner the one is than the other. The failures are those
// in among.
func (s *Spectrum) MUSE(among bitset.Set) []Suspect {
	repaired, broken := s.sums(among)
	weight := ratio(repaired*s.Passing, broken*among.Len())
	return s.perStatement(func(effects []*Effect) float64 {
		sum := 0.0
		for _, e := range effects {
			sum += ratio(e.Repairs.Shared(among), among.Len()) - weight*ratio(e.Breaks, s.Passing)
		}
		return sum / float64(len(effects))
	})
}

// MUSEUM ranks statements after S. Hong et al., "Mutation-based fault localization
// for real-world multilingual programs" (ASE 2015): as MUSE, with the two sides
// each measured by how often it happens with any mutant.
func (s *Spectrum) MUSEUM(among bitset.Set) []Suspect {
	repaired, broken := s.sums(among)
	return s.perStatement(func(effects []*Effect) float64 {
		sum := 0.0
		for _, e := range effects {
			sum += ratio(e.Repairs.Shared(among), repaired+1) - ratio(e.Breaks, broken+1)
		}
		return sum / float64(len(effects)+1)
	})
}

// Metallaxis ranks statements after M. Papadakis and Y. Le Traon, "Metallaxis-FL"
// (STVR 2015): the best of its mutants by Ochiai's formula, where a mutant is
// killed by a failing input that no longer fails as it did, and by a passing input
// that fails.
func (s *Spectrum) Metallaxis(among bitset.Set) []Suspect {
	return s.perStatement(func(effects []*Effect) float64 {
		best := 0.0
		for _, e := range effects {
			killed := e.Repairs.Or(e.Changes).Shared(among)
			best = max(best, ochiai(killed, e.Breaks, among.Len()))
		}
		return best
	})
}

// Ochiai ranks statements by coverage: how many of the failures cover it, over the
// geometric mean of the failures and of the inputs that do.
func (s *Spectrum) Ochiai(among bitset.Set) []Suspect {
	counts := make(map[int]int)
	for _, f := range among.Members() {
		if f < len(s.Covered) {
			for _, st := range s.Covered[f].Members() {
				counts[st]++
			}
		}
	}
	var list []Suspect
	for st, n := range counts {
		passing := 0
		if st < len(s.PassingCover) {
			passing = s.PassingCover[st]
		}
		list = append(list, Suspect{Number: st, Score: ochiai(n, passing, among.Len())})
	}
	return byScore(list)
}

func ochiai(failed, passed, failures int) float64 {
	if failed == 0 {
		return 0
	}
	return float64(failed) / math.Sqrt(float64(failures)*float64(failed+passed))
}

// sums counts the pairs of mutants and failures that pass, and of mutants and
// passing inputs that fail.
func (s *Spectrum) sums(among bitset.Set) (repaired, broken int) {
	for i := range s.Mutants {
		repaired += s.Mutants[i].Repairs.Shared(among)
		broken += s.Mutants[i].Breaks
	}
	return repaired, broken
}

// perStatement ranks the statements that have mutants.
func (s *Spectrum) perStatement(score func(effects []*Effect) float64) []Suspect {
	effects := make(map[int][]*Effect)
	for i := range s.Mutants {
		e := &s.Mutants[i]
		effects[e.Statement] = append(effects[e.Statement], e)
	}
	list := make([]Suspect, 0, len(effects))
	for st, of := range effects {
		list = append(list, Suspect{Number: st, Score: score(of)})
	}
	return byScore(list)
}

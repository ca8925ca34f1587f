package triage

import (
	"slices"
	"testing"
)

// twoBugs are inputs as triage tells of them: two bugs at one place, which other
// mutants repair, and one elsewhere.
func twoBugs() *triaged {
	input := func(name, label, token string, repaired ...int) triagedInput {
		return triagedInput{Name: name, Label: label, Token: token, Kind: "panic: " + token, Stack: []string{token, "caller"}, Covered: []int{1}, Repaired: repaired}
	}
	return &triaged{Operators: []string{"nil-guard", "statement-deletion"}, Inputs: []triagedInput{
		input("a1", "A", "leaf", 0), input("a2", "A", "leaf", 0), input("a3", "A", "leaf", 0),
		input("b", "B", "leaf", 1), input("c", "C", "other", 0, 1),
	}}
}

func TestSortersOnTwoBugsAtOnePlace(t *testing.T) {
	t1 := twoBugs()
	_, labels, bugs := t1.labels()
	if bugs != 3 || !slices.Equal(labels, []int{0, 0, 0, 1, 2}) {
		t.Fatalf("%d bugs, labels %v", bugs, labels)
	}
	for _, s := range sorters() {
		if s.metrics == nil {
			continue
		}
		metrics := s.metrics(t1)
		f, a := t1.rankings(metrics), compare(s.buckets(t1, metrics[0]), labels)
		switch s.name {
		case "hybrid: fuzzmut triage":
			if f.all != 3 || f.perfect != 1 || a.ARI != 1 {
				t.Errorf("%s: last bug at %.1f, perfect %.2f, %+v", s.name, f.all, f.perfect, a)
			}
		case "top frame":
			if f.all <= 3 || a.Clusters != 2 {
				t.Errorf("%s: last bug at %.1f, %+v", s.name, f.all, a)
			}
		}
	}
	if f := t1.random(); f.all <= 3 || f.within3 >= 3 {
		t.Errorf("a random order does as well as can be: %+v", f)
	}
}

// Only mutants that count are taken, and they get new numbers.
func TestCasesOfSomeOperators(t *testing.T) {
	cases := twoBugs().cases(notGuards)
	for i, want := range [][]int{{}, {}, {}, {1}, {1}} {
		if got := cases[i].Repaired.Members(); !slices.Equal(got, want) {
			t.Errorf("input %d is repaired by %v, want %v", i, got, want)
		}
	}
}

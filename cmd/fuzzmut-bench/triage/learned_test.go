package triage

import (
	"bytes"
	"strings"
	"testing"
	"text/tabwriter"
)

func TestEveryWeightsAddUpToTheWhole(t *testing.T) {
	seen := make(map[weights]bool)
	for _, w := range everyWeights() {
		sum := 0
		for _, part := range w {
			sum += part
		}
		if sum != weightParts || seen[w] {
			t.Errorf("%v: adds up to %d, seen before: %t", w, sum, seen[w])
		}
		seen[w] = true
	}
	if len(seen) != 56 {
		t.Errorf("%d weights, want 56: five parts for four", len(seen))
	}
}

// What mutants do tells the bugs of one set apart, which fail alike; where the other
// fails says nothing, since one bug fails in two places.
func TestWeightsAreLearnedFromTheOtherSets(t *testing.T) {
	input := func(name, label, token string, repaired int) triagedInput {
		return triagedInput{Name: name, Label: label, Token: token, Kind: "panic", Stack: []string{token}, Covered: []int{1}, Repaired: []int{repaired}}
	}
	set := func(name string, inputs ...triagedInput) *triaged {
		return &triaged{Module: name, Operators: []string{"a", "b"}, Inputs: inputs}
	}
	teacher := set("teacher", input("1", "A", "x", 0), input("2", "A", "y", 0), input("3", "B", "x", 1), input("4", "B", "y", 1))
	other := set("other", input("1", "A", "x", 0), input("2", "A", "y", 0), input("3", "B", "x", 1), input("4", "B", "y", 1))
	settings := everyLearned()
	agreements := [][]float64{agreementsOf(teacher, settings), agreementsOf(other, settings)}
	k := learnedFrom(agreements, func(i int) bool { return i == 0 }, settings)
	if w := settings[k].weights; w[0] <= w[1]+w[3] {
		t.Errorf("weights %v: what mutants do should count most", w)
	}
	if agreements[1][k] != 1 {
		t.Errorf("the other set has %.2f with %v at %.2f", agreements[1][k], settings[k].weights, settings[k].threshold)
	}
}

func TestTwoVersionsOfAModuleDoNotTeachEachOther(t *testing.T) {
	var out bytes.Buffer
	a, b := twoBugs(), twoBugs()
	a.Module, b.Module = "gomarkdown", "gomarkdown24"
	w := tabwriter.NewWriter(&out, 0, 0, 2, ' ', 0)
	printLearned(w, []*triaged{a, b})
	w.Flush()
	if strings.Contains(out.String(), "gomarkdown") {
		t.Errorf("printed, though no other module can teach:\n%s", &out)
	}
	c := twoBugs()
	c.Module = "other"
	out.Reset()
	printLearned(w, []*triaged{a, b, c})
	w.Flush()
	if got := out.String(); strings.Count(got, "\n") != 6 || !strings.Contains(got, "mean") {
		t.Errorf("want a line for each of three and their mean:\n%s", got)
	}
}

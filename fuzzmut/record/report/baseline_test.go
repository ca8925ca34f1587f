package report

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// twoTests is a report of two fuzz tests that share three mutants.
func twoTests() *Report {
	return &Report{Tests: []FuzzTest{
		{Name: "FuzzA", Mutants: []Mutant{
			mutant("a", "f", 3, Survived, 2, 1), mutant("b", "f", 2, Survived, 1, 0), mutant("c", "g", 9, NotCovered, 0, 0),
		}},
		{Name: "FuzzB", Mutants: []Mutant{
			mutant("a", "f", 3, Killed, 2, 1), mutant("b", "f", 2, NotCovered, 0, 0), mutant("c", "g", 9, NotCovered, 0, 0),
			mutant("d", "g", 8, Skipped, 0, 0),
		}},
	}}
}

func TestAMutantLivesIfNoFuzzTestKillsIt(t *testing.T) {
	living, others := Living(twoTests().Tests)
	var got []string
	for _, m := range living {
		got = append(got, m.ID+" "+m.Status)
	}
	if diff := cmp.Diff([]string{"b survived", "c not-covered"}, got); diff != "" {
		t.Error(diff)
	}
	want := map[[2]string]string{{"example.com/calc", "a"}: Killed, {"example.com/calc", "d"}: Skipped}
	if diff := cmp.Diff(want, others); diff != "" {
		t.Error(diff)
	}
}

func TestOnlyNewSurvivorsAreShown(t *testing.T) {
	r := twoTests()
	r.Baseline = Baseline{File: "accepted.txt", NewOnly: true, Stale: []Stale{{"example.com/calc", "x", Gone}}}
	r.Mark(func(m *Mutant) bool { return m.ID == "c" })
	if r.Baseline.Accepted != 1 || r.Baseline.New != 1 {
		t.Errorf("%+v", r.Baseline)
	}
	var b bytes.Buffer
	if err := r.WriteText(&b, TextOptions{}); err != nil {
		t.Fatal(err)
	}
	text := b.String()
	for id, want := range map[string]bool{"[a]": false, "[b]": true, "g (1)": false, "accepted.txt: 1 live mutant accepted": true, "x of example.com/calc is gone": true} {
		if strings.Contains(text, id) != want {
			t.Errorf("%q shown: %v, want %v\n%s", id, !want, want, text)
		}
	}
}

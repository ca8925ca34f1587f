package report_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/format/text"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report/reporttest"
)

// twoTests is a report of two fuzz tests that share three mutants.
func twoTests() *report.Report {
	return &report.Report{Tests: []report.FuzzTest{
		{Name: "FuzzA", Mutants: []report.Mutant{
			reporttest.Mutant("a", "f", 3, report.Survived, 2, 1), reporttest.Mutant("b", "f", 2, report.Survived, 1, 0), reporttest.Mutant("c", "g", 9, report.NotCovered, 0, 0),
		}},
		{Name: "FuzzB", Mutants: []report.Mutant{
			reporttest.Mutant("a", "f", 3, report.Killed, 2, 1), reporttest.Mutant("b", "f", 2, report.NotCovered, 0, 0), reporttest.Mutant("c", "g", 9, report.NotCovered, 0, 0),
			reporttest.Mutant("d", "g", 8, report.Skipped, 0, 0),
		}},
	}}
}

func TestAMutantLivesIfNoFuzzTestKillsIt(t *testing.T) {
	living, others := report.Living(twoTests().Tests)
	var got []string
	for _, m := range living {
		got = append(got, m.ID+" "+m.Status)
	}
	if diff := cmp.Diff([]string{"b survived", "c not-covered"}, got); diff != "" {
		t.Error(diff)
	}
	want := map[[2]string]string{{"example.com/calc", "a"}: report.Killed, {"example.com/calc", "d"}: report.Skipped}
	if diff := cmp.Diff(want, others); diff != "" {
		t.Error(diff)
	}
}

func TestOnlyNewSurvivorsAreShown(t *testing.T) {
	r := twoTests()
	r.Baseline = report.Baseline{File: "accepted.txt", NewOnly: true, Stale: []report.Stale{{"example.com/calc", "x", report.Gone}}}
	r.Mark(func(m *report.Mutant) bool { return m.ID == "c" })
	if r.Baseline.Accepted != 1 || r.Baseline.New != 1 {
		t.Errorf("%+v", r.Baseline)
	}
	var b bytes.Buffer
	if err := (text.Format{}).Write(&b, r); err != nil {
		t.Fatal(err)
	}
	text := b.String()
	for id, want := range map[string]bool{"[a]": false, "[b]": true, "g (1)": false, "accepted.txt: 1 live mutant accepted": true, "x of example.com/calc is gone": true} {
		if strings.Contains(text, id) != want {
			t.Errorf("%q shown: %v, want %v\n%s", id, !want, want, text)
		}
	}
}

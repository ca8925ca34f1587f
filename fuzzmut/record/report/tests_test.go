package report_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report/reporttest"
)

// Listing what is missing must end, whatever divisions the results are of.
func TestShardsOfManyDivisionsAreRefused(t *testing.T) {
	var many []string
	for n := 2; n < 1000; n++ {
		many = append(many, fmt.Sprintf("1/%d", n))
	}
	for _, name := range []string{strings.Join(many, ","), "1/2000000000"} {
		if _, err := report.MergeTests([]*report.TestReport{reporttest.Shard(name, "s", 0)}); err == nil {
			t.Errorf("%.20s: no error", name)
		}
	}
}

func TestMergingAddsUp(t *testing.T) {
	m, err := report.MergeTests([]*report.TestReport{
		reporttest.Shard("1/2", "s", 1, reporttest.Killed("k1", 10, "panic"), reporttest.Mutant("b", "f", 2, report.NotCovered, 0, 0)),
		reporttest.Shard("2/2", "s", 2, reporttest.Mutant("a", "f", 1, report.Survived, 1, 1), reporttest.Killed("b", 2, "assertion"), reporttest.Killed("k1", 10, "fuel")),
	})
	if err != nil {
		t.Fatal(err)
	}
	want := report.Score{Mutants: 3, Killed: 2, Survived: 1, Score: 2.0 / 3, KillKinds: map[string]int{"panic": 1, "assertion": 1}}
	if diff := cmp.Diff(want, m.Score); diff != "" {
		t.Error(diff)
	}
	if run := m.Packages[0]; len(m.Packages) != 1 || run.Judged != 5 || run.MutantRuns != 10 || run.CPUSeconds != 2 || run.Tests[0].Kills != 3 {
		t.Errorf("%+v", m.Packages)
	}
	if m.Shard != "" || len(m.Warnings) != 0 {
		t.Errorf("shard %q, warnings %q", m.Shard, m.Warnings)
	}
}

// What one shard sets aside is set aside in the merged result.
func TestMergingKeepsWhatWasSetAside(t *testing.T) {
	first, second := reporttest.Shard("1/2", "s", 1), reporttest.Shard("2/2", "s", 1)
	first.Packages[0].SetAside = []report.SetAside{{Name: "TestB", Passed: 1, Failed: 1, Output: "late"}}
	second.Packages[0].SetAside = []report.SetAside{{Name: "TestC", Failed: 2}, {Name: "TestB", Passed: 3, Failed: 1, Output: "later"}}
	m, err := report.MergeTests([]*report.TestReport{first, second})
	if err != nil {
		t.Fatal(err)
	}
	want := []report.SetAside{{Name: "TestB", Passed: 4, Failed: 2, Output: "late"}, {Name: "TestC", Failed: 2}}
	if diff := cmp.Diff(want, m.Packages[0].SetAside); diff != "" {
		t.Error(diff)
	}
	if first.Packages[0].SetAside[0].Passed != 1 {
		t.Error("merging changes what it merges")
	}
}

func TestMergingNamesMissingShards(t *testing.T) {
	m, err := report.MergeTests([]*report.TestReport{reporttest.Shard("3/4", "s", 0), reporttest.Shard("1/4", "s", 0), reporttest.Shard("3/4", "s", 0)})
	if err != nil {
		t.Fatal(err)
	}
	if m.Shard != "1/4,3/4" || len(m.Warnings) != 1 || !strings.HasSuffix(m.Warnings[0], "no result of shard 2/4, 4/4") {
		t.Errorf("shard %q, warnings %q", m.Shard, m.Warnings)
	}
	if diff := cmp.Diff([]string{"2/4", "4/4"}, m.Missing); diff != "" {
		t.Errorf("missing (-want +got):\n%s", diff)
	}
	if m, err = report.MergeTests([]*report.TestReport{m, reporttest.Shard("2/4", "s", 0), reporttest.Shard("4/4", "s", 0)}); err != nil || m.Shard != "" || len(m.Warnings)+len(m.Missing) > 0 {
		t.Errorf("shard %q, %v, warnings %q", m.Shard, err, m.Warnings)
	}
}

func TestResultsOfDifferentCodeAreNotMerged(t *testing.T) {
	_, err := report.MergeTests([]*report.TestReport{reporttest.Shard("1/2", "s", 0), reporttest.Shard("2/2", "other", 0)})
	if err == nil || !strings.Contains(err.Error(), "different versions of package example.com/calc") {
		t.Errorf("got %v", err)
	}
}

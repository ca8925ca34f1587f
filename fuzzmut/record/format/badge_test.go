package format

import (
	"bytes"
	"encoding/json"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report/reporttest"
)

func TestBadges(t *testing.T) {
	scored := func(killed, mutants int, least float64) *report.TestReport {
		return &report.TestReport{Score: report.Score{Killed: killed, Mutants: mutants, Score: float64(killed) / float64(mutants)}, MinScore: least}
	}
	crashed := reporttest.Fuzzed()
	clean := reporttest.Fuzzed()
	for i := range clean.Tests {
		clean.Tests[i].Crashes = nil
	}
	known := reporttest.Fuzzed()
	for i := range known.Tests {
		for j := range known.Tests[i].Crashes {
			known.Tests[i].Crashes[j].Known = true
		}
	}
	failed := []report.ValueChange{{Failure: "panic: nine"}}
	var got []string
	for _, r := range []report.Result{
		scored(1999, 2000, 0), scored(2000, 2000, 0), scored(83, 100, 0.8), scored(83, 100, 0.9), scored(7, 10, 0), scored(1, 10, 0),
		&report.TestReport{}, &report.TestReport{Score: report.Score{Pending: 3}}, crashed, clean, known,
		&report.Verification{Tests: []report.VerifiedTest{{Values: 1200}, {Values: 34}}},
		&report.Verification{Tests: []report.VerifiedTest{{Values: 12, Changed: 2}, {Values: 34, Files: []report.FileProblem{{}}}}},
		&report.Verification{Tests: []report.VerifiedTest{{Values: 12, Failing: 1, Changes: failed}, {Values: 34}}},
		&report.Verification{Tests: []report.VerifiedTest{{Values: 12, Changed: 2, Changes: failed}}},
		&report.Verification{Tests: []report.VerifiedTest{{Values: 12, Changed: 2, Changes: []report.ValueChange{{}, {}}, Updated: true}}},
		&report.Verification{Tests: []report.VerifiedTest{{Values: 12, Changed: 2, Changes: failed, Updated: true}}},
		&report.Verification{},
	} {
		var b bytes.Buffer
		if err := (asBadge{}).Write(&b, r); err != nil {
			t.Fatal(err)
		}
		var members map[string]any
		if err := json.Unmarshal(b.Bytes(), &members); err != nil || members["schemaVersion"] != 1.0 {
			t.Fatalf("%v\n%s", err, &b)
		}
		line := members["label"].(string) + "|" + members["message"].(string) + "|" + members["color"].(string)
		if members["isError"] == true {
			line += "|error"
		}
		got = append(got, line)
		for name := range members {
			if !slices.Contains([]string{"schemaVersion", "label", "message", "color", "isError"}, name) {
				t.Errorf("a member %q", name)
			}
		}
	}
	total := report.Total(clean.Tests)
	score := scoreBadge(total, 0)
	want := []string{
		"mutation score|99.9 %|brightgreen", "mutation score|100.0 %|brightgreen", "mutation score|83.0 %|green",
		"mutation score|83.0 %|red|error", "mutation score|70.0 %|yellowgreen", "mutation score|10.0 %|orange",
		"mutation score|no mutants|lightgrey", "mutation score|not measured|lightgrey",
		"mutation score|" + score.Message + ", 2 failures|red|error",
		"mutation score|" + score.Message + "|" + score.Color,
		"mutation score|" + score.Message + "|" + score.Color,
		"golden values|1,234 unchanged|brightgreen", "golden values|3 changed|red|error",
		"golden values|1 entry fails|red|error", "golden values|2 changed, 1 entry fails|red|error",
		"golden values|12 unchanged|brightgreen", "golden values|1 entry fails|red|error", "golden values|none|lightgrey",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("badges (-want +got):\n%s", diff)
	}
	if err := (asBadge{}).Write(new(bytes.Buffer), &report.Listing{}); err == nil {
		t.Error("a listing has a badge")
	}
}

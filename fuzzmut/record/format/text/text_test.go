package text

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report/reporttest"
	"github.com/fuzzmut/fuzzmut/instrument/goldenfile"
)

func TestReportText(t *testing.T) {
	for name, opts := range map[string]Format{
		"report.golden":         {},
		"report-verbose.golden": {Verbose: true},
		"report-quiet.golden":   {Quiet: true},
	} {
		var buf bytes.Buffer
		if err := opts.Write(&buf, reporttest.Fuzzed()); err != nil {
			t.Fatal(err)
		}
		goldenfile.Compare(t, name, buf.Bytes())
	}
}

// The last line says how many mutants there was no time for: its score is that of the others.
func TestTheLastLineCountsWhatWasNotJudged(t *testing.T) {
	killed, survived, pending := report.Mutant{ID: "a", Status: report.Killed}, report.Mutant{ID: "b", Status: report.Survived}, report.Mutant{ID: "c", Status: report.Pending}
	unconfirmed := report.Mutant{ID: "d", Status: report.Killed, Unconfirmed: true}
	for _, c := range []struct {
		mutants []report.Mutant
		want    string
	}{
		{[]report.Mutant{killed, survived}, "FuzzX: mutation score 50.0 % (1 of 2 killed), 0 entries added, no failing inputs\n"},
		{[]report.Mutant{killed, survived, pending}, "FuzzX: mutation score 50.0 % (1 of 2 killed), 1 not judged: 33.3 % if they survive, 0 entries added, no failing inputs\n"},
		{[]report.Mutant{killed, survived, unconfirmed}, "FuzzX: mutation score 66.6 % (2 of 3 killed), 1 of the kills not confirmed, 0 entries added, no failing inputs\n"},
		{[]report.Mutant{pending}, "FuzzX: mutation score not measured, 1 not judged, 0 entries added, no failing inputs\n"},
	} {
		var b bytes.Buffer
		r := &report.Report{Tests: []report.FuzzTest{{Name: "FuzzX", Mutants: c.mutants}}}
		if err := (Format{Quiet: true}).Write(&b, r); err != nil || b.String() != c.want {
			t.Errorf("%q, %v; want %q", &b, err, c.want)
		}
	}
}

// A figure that was not measured is shown nowhere.
func TestWhatWasNotMeasuredIsNoFigure(t *testing.T) {
	r := reporttest.Fuzzed()
	f := &r.Tests[0]
	f.Interrupted, f.NotMeasured, f.Coverage = true, "interrupted while entries were chosen", report.Coverage{Blocks: 90}
	for i := range f.Mutants {
		f.Mutants[i].Status = report.Pending
	}
	report.Classify(f.Mutants)
	f.Score = report.Summarise(f.Mutants)
	var text, list bytes.Buffer
	if err := errors.Join(Format{Verbose: true}.Write(&text, r), json.NewEncoder(&list).Encode(r.Canonical())); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(text.String(), "\n  mutation score and coverage not measured: interrupted while entries were chosen\n") ||
		!strings.Contains(text.String(), "\n2 fuzz tests: mutation score not measured, ") {
		t.Error("the text does not say that nothing was measured")
	}
	if strings.Contains(text.String(), "0.0 %") || strings.Contains(text.String(), "blocks") {
		t.Error("the text has figures")
	}
	if t.Failed() {
		t.Log(text.String())
	}
	var out struct{ Tests []map[string]any }
	if err := json.Unmarshal(list.Bytes(), &out); err != nil {
		t.Fatal(err)
	}
	for i, measured := range []bool{false, true} {
		for _, member := range []string{"score", "coverage"} {
			if _, ok := out.Tests[i][member]; ok != measured {
				t.Errorf("test %d: has %s: %v", i, member, ok)
			}
		}
	}
}

func TestWhatThereWasNoTimeForIsSaidWithNumbers(t *testing.T) {
	for _, c := range []struct {
		late report.Late
		want string
	}{
		{report.Late{}, ""},
		{report.Late{Cached: 120}, "120 inputs in Go's fuzz cache"},
		{
			report.Late{Entries: 1, Unconfirmed: 2, Mutants: 30, Static: 5, Golden: 4},
			"1 new entry that may not be needed, 2 kills to be confirmed, 30 mutants to be run on all entries, 5 mutants that act before the first input, 4 entries to get golden values, or to be compared with them",
		},
	} {
		if got := c.late.String(); got != c.want {
			t.Errorf("%+v: %q, want %q", c.late, got, c.want)
		}
	}
}

func TestReportWithoutTestsSaysSo(t *testing.T) {
	var buf bytes.Buffer
	if err := (Format{}).Write(&buf, new(report.Report)); err != nil {
		t.Fatal(err)
	}
	if got := buf.String(); got != "no fuzz test was run\n" {
		t.Errorf("got %q", got)
	}
}

func TestListingText(t *testing.T) {
	l := &report.Listing{Mutants: []report.Mutant{
		reporttest.Mutant("a", "add", 3, report.Pending, 0, 0),
		reporttest.Mutant("b", "", 4, report.Static, 0, 0),
		reporttest.Mutant("c", "sub", 5, report.Skipped, 0, 0),
	}}
	l.Mutants[0].Original = "{\n\t\treturn 1\n\t}"
	l.Mutants[0].Replacement = ""
	var buf bytes.Buffer
	if err := (Format{}).Write(&buf, l); err != nil {
		t.Fatal(err)
	}
	goldenfile.Compare(t, "listing.golden", buf.Bytes())
	buf.Reset()
	if err := (Format{Quiet: true}).Write(&buf, l); err != nil {
		t.Fatal(err)
	}
	if got, want := buf.String(), "3 mutants, 1 static, 1 skipped\n"; got != want {
		t.Errorf("quiet: got %q, want %q", got, want)
	}
	l.Mutants[2].Reason = "in uninteresting code: it only logs"
	for verbose, lines := range map[bool]int{false: 3, true: 4} {
		buf.Reset()
		if err := (Format{Verbose: verbose}).Write(&buf, l); err != nil {
			t.Fatal(err)
		}
		if got := buf.String(); strings.Count(got, "\n") != lines || !strings.HasSuffix(got, "\n3 mutants, 1 static, 1 skipped (1 in uninteresting code)\n") {
			t.Errorf("verbose %t, with a mutant in uninteresting code: got %q", verbose, got)
		}
	}
	buf.Reset()
	l = &report.Listing{Skips: []report.Skip{{File: "a.go", Line: 2, What: "f", Reason: "no body"}}}
	if err := (Format{Verbose: true}).Write(&buf, l); err != nil {
		t.Fatal(err)
	}
	if got, want := buf.String(), "left out: a.go:2 f: no body\n0 mutants, 0 static, 0 skipped\n"; got != want {
		t.Errorf("verbose: got %q, want %q", got, want)
	}
}

func TestPercentNeverRoundsUpToAll(t *testing.T) {
	for fraction, want := range map[float64]string{
		0: "0.0 %", 1: "100.0 %", 0.99999: "99.9 %", 0.29: "29.0 %", 2.0 / 3: "66.6 %", 0.7: "70.0 %",
	} {
		if got := percent(fraction); got != want {
			t.Errorf("percent(%v) = %q, want %q", fraction, got, want)
		}
	}
}

// unknown is a result that nobody has written a text for.
type unknown struct{}

func (unknown) Canonical() any { return nil }

func TestAResultWithoutTextIsAnError(t *testing.T) {
	var buf bytes.Buffer
	if err := (Format{}).Write(&buf, unknown{}); err == nil || !strings.Contains(err.Error(), "text.unknown") || buf.Len() > 0 {
		t.Errorf("%v, %q", err, buf.String())
	}
}

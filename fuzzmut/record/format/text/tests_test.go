package text

import (
	"bytes"
	"strings"
	"testing"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report/reporttest"
	"github.com/fuzzmut/fuzzmut/instrument/goldenfile"
)

func TestTestReportText(t *testing.T) {
	for name, opts := range map[string]Format{
		"tests.golden":         {},
		"tests-verbose.golden": {Verbose: true},
		"tests-quiet.golden":   {Quiet: true},
	} {
		var buf bytes.Buffer
		if err := opts.Write(&buf, reporttest.Tested()); err != nil {
			t.Fatal(err)
		}
		goldenfile.Compare(t, name, buf.Bytes())
	}
	var buf bytes.Buffer
	if err := (Format{}).Write(&buf, new(report.TestReport)); err != nil {
		t.Fatal(err)
	}
	if got := buf.String(); got != "no mutants to judge\n" {
		t.Errorf("got %q", got)
	}
}

// Whatever was not measured is not printed as a figure, nor as if there were nothing to measure.
func TestScoreOf(t *testing.T) {
	for want, s := range map[string]report.Score{
		"no mutants": {},
		"mutation score not measured, 3 not judged":                                   {Pending: 3},
		"mutation score 50.0 % (1 of 2 killed)":                                       {Mutants: 2, Killed: 1, Score: 0.5},
		"mutation score 50.0 % (1 of 2 killed), 3 not judged: 20.0 % if they survive": {Mutants: 2, Killed: 1, Score: 0.5, Pending: 3},
	} {
		if got := scoreOf(s); got != want {
			t.Errorf("%+v: %q, want %q", s, got, want)
		}
	}
}

// A test that fails for what fuzzmut does to the code is no riddle: the reason stands below what it prints.
func TestWhyATestIsSetAside(t *testing.T) {
	var b bytes.Buffer
	r := &report.TestReport{Packages: []report.TestRun{{Package: "p", SetAside: []report.SetAside{
		{Name: "TestA", Failed: 2, Output: "a_test.go:3: got 7", Likely: "it counts allocations"}, {Name: "TestB", Failed: 2, Output: "no"},
	}}}}
	if err := (Format{}).Write(&b, r); err != nil {
		t.Fatal(err)
	}
	if want := "  TestA fails: a_test.go:3: got 7\n    it counts allocations\n  TestB fails: no\n"; !strings.Contains(b.String(), want) {
		t.Errorf("%q is not in\n%s", want, b.String())
	}
}

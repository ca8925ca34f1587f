package restriction

import (
	"strings"
	"testing"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
)

// Without a change, nothing is left out and nothing is said.
func TestNoRestriction(t *testing.T) {
	none := New(Options{DiffBy: "function"})
	if none != nil || none.Plan() != nil || none.Choice(nil) != nil || none.Begin(t.Context(), nil) != nil {
		t.Errorf("%+v restricts", none)
	}
	res := &report.FuzzTest{Mutants: []report.Mutant{{ID: "a"}}}
	Narrow(none.Choice(nil), nil, res)
	rep := &report.Report{}
	none.Enter(rep)
	if len(res.Mutants) != 1 || res.Mutants[0].Changed || rep.Diff != "" || rep.DiffBy != "" {
		t.Errorf("%+v, %+v", res, rep)
	}
}

// A report says what it is restricted to.
func TestEnter(t *testing.T) {
	rep := &report.Report{}
	New(Options{Patch: strings.NewReader("x")}).Enter(rep)
	if rep.Diff != "-" || rep.DiffBy != "line" {
		t.Errorf("%+v", rep)
	}
	New(Options{Diff: "main"}).Enter(nil)
}

package score

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/accepted"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
)

// result is one with a mutant that lives and one that is killed.
func result() *report.Report {
	return &report.Report{Tests: []report.FuzzTest{{Mutants: []report.Mutant{
		{Package: "p", ID: "lives", Operator: "statement-deletion", Status: report.Survived, Function: "F", Description: "remove  x()"},
		{Package: "p", ID: "dies", Operator: "statement-deletion", Status: report.Killed},
	}}}}
}

func TestAListIsComparedWithTheResult(t *testing.T) {
	entry := func(pkg, id, op string) accepted.Entry {
		return accepted.Entry{ID: accepted.ID{Package: pkg, Mutant: id}, Operator: op}
	}
	for _, c := range []struct {
		name    string
		entries []accepted.Entry
		newOnly bool
		stale   string // statuses
		want    string // of the error
		code    exit.Code
	}{
		{name: "an empty list"},
		{name: "a new one", newOnly: true, want: "1 live mutant is not in list", code: exit.Score},
		{name: "an accepted one", entries: []accepted.Entry{entry("p", "lives", "statement-deletion")}, newOnly: true},
		{name: "killed meanwhile", entries: []accepted.Entry{entry("p", "dies", "statement-deletion")}, stale: report.Killed},
		{name: "gone", entries: []accepted.Entry{entry("p", "other", "statement-deletion")}, stale: report.Gone},
		{name: "of a package that was not mutated", entries: []accepted.Entry{entry("q", "other", "statement-deletion")}},
		{name: "of an operator that was not used", entries: []accepted.Entry{entry("p", "other", "no-such-operator")}},
	} {
		rep := result()
		x := &comparison{opts: Options{Baseline: "list", NewOnly: c.newOnly}, list: &accepted.List{Entries: c.entries}, rep: rep}
		err := x.compare(nil)
		if (err == nil) != (c.want == "") || err != nil && (exit.CodeOf(err) != c.code || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: got %v, want %q", c.name, err, c.want)
		}
		var stale []string
		for _, s := range rep.Baseline.Stale {
			stale = append(stale, s.Status)
		}
		if got := strings.Join(stale, " "); got != c.stale {
			t.Errorf("%s: stale %q, want %q", c.name, got, c.stale)
		}
	}
}

func TestAPartOfAResultWritesNoList(t *testing.T) {
	path := filepath.Join(t.TempDir(), "list")
	x := &comparison{opts: Options{Baseline: path, WriteBaseline: true}, list: &accepted.List{}, rep: result()}
	err := x.compare(exit.Errorf(exit.Interrupted, "interrupted"))
	if _, serr := os.Stat(path); exit.CodeOf(err) != exit.Usage || !os.IsNotExist(serr) {
		t.Errorf("%v, %v", err, serr)
	}
	if err := x.compare(exit.Errorf(exit.Score, "low")); err != nil {
		t.Errorf("a low score is a whole result: %v", err)
	}
	list, err := accepted.Mutants.Read(path)
	if err != nil || len(list.Entries) != 1 || list.Entries[0].Mutant != "lives" || list.Entries[0].What != "F: remove x()" {
		t.Errorf("%+v, %v", list, err)
	}
}

func TestAListThatIsNotThereIsMadeOnDemandOnly(t *testing.T) {
	path := filepath.Join(t.TempDir(), "list")
	if _, err := readAccepted(Options{Baseline: path}); exit.CodeOf(err) != exit.Usage || !strings.Contains(err.Error(), "-write-baseline makes it") {
		t.Errorf("got %v", err)
	}
	if list, err := readAccepted(Options{Baseline: path, WriteBaseline: true}); err != nil || list == nil {
		t.Errorf("%v, %v", list, err)
	}
	if list, err := readAccepted(Options{}); err != nil || list != nil {
		t.Errorf("none is asked for: %v, %v", list, err)
	}
}

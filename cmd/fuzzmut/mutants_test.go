package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/project"
	"github.com/fuzzmut/fuzzmut/instrument"
)

// withMutants returns a fake that knows two programs which share a mutant.
func withMutants(t *testing.T) *fake {
	t.Helper()
	dir := t.TempDir()
	file := filepath.Join(dir, "a.go")
	if err := os.WriteFile(file, []byte("package a\n\nvar x = 1 + 2\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	mutant := func(id string) instrument.Mutant {
		return instrument.Mutant{
			ID: id, Package: "a", Operator: "math", File: file, Line: 3, Column: 11, Offset: 21, End: 22,
			Original: "+", Replacement: "-",
		}
	}
	program := func(ids ...string) *instrument.Program {
		p := &instrument.Program{Test: instrument.TestPackage{ModuleDir: dir}}
		for _, id := range ids {
			p.Mutants = append(p.Mutants, mutant(id))
		}
		return p
	}
	f := newFake(nil)
	f.jobs.mutants = func(context.Context, project.Options) ([]*instrument.Program, error) {
		return []*instrument.Program{program("aa1", "aa2"), program("aa2", "ab", "ab3")}, nil
	}
	return f
}

func TestMutantsOfSeveralProgramsAreListedOnce(t *testing.T) {
	f := withMutants(t)
	f.check(t, exit.OK, "mutants")
	var ids []string
	for line := range strings.Lines(f.out.String()) {
		ids = append(ids, strings.Fields(line)[0])
	}
	if got, want := strings.Join(ids, " "), "aa1 aa2 ab ab3 4"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestMutantsAsJSON(t *testing.T) {
	f := withMutants(t)
	f.check(t, exit.OK, "mutants", "-json", "-")
	if n := strings.Count(f.out.String(), `"status": "pending"`); n != 4 {
		t.Errorf("%d mutants in %s", n, &f.out)
	}
}

func TestShowTakesAnIDOrTheBeginningOfOne(t *testing.T) {
	for id, want := range map[string]string{
		"aa1": "-var x = 1 + 2\n+var x = 1 - 2\n",
		"aa2": "+var x = 1 - 2\n", // twice the same mutant
		"ab":  "+var x = 1 - 2\n", // also the beginning of another
		"ab3": "+++ b/a.go\n",
	} {
		f := withMutants(t)
		f.check(t, exit.OK, "mutants", "-show", id)
		if !strings.Contains(f.out.String(), want) {
			t.Errorf("-show %s: got %q, want %q", id, &f.out, want)
		}
	}
	for id, want := range map[string]string{
		"aa": `aa1 and aa2 both begin with "aa"`,
		"z":  `no mutant "z"`,
	} {
		f := withMutants(t)
		f.check(t, exit.Usage, "mutants", "-show", id)
		if !strings.Contains(f.errs.String(), want) {
			t.Errorf("-show %s: got %q, want %q", id, &f.errs, want)
		}
	}
	f := withMutants(t)
	f.check(t, exit.Usage, "mutants", "-show", "aa1", "-json", "-")
}

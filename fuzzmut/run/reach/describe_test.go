package reach

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fuzzmut/fuzzmut/fuzzmut/run/project"
	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/load"
)

// inModule is a package under test, with others of its module and one outside of the
// directory that the command runs in.
func inModule() (*project.Project, *project.Package) {
	p := &project.Project{Options: project.Options{Dir: filepath.FromSlash("/m/sub")}}
	l := &load.Result{Test: instrument.TestPackage{ImportPath: "m/sub"}}
	for path, dir := range map[string]string{"m/sub": "/m/sub", "m/sub/a/b": "/m/sub/a/b", "m/other": "/m/other"} {
		l.Packages = append(l.Packages, &load.Package{ImportPath: path, Dir: filepath.FromSlash(dir)})
	}
	return p, &project.Package{Loaded: l}
}

// The name of a package is one that -mutate takes where the command runs.
func TestPatternsOfPackages(t *testing.T) {
	p, pkg := inModule()
	for path, want := range map[string]string{"m/sub": ".", "m/sub/a/b": "./a/b", "m/other": "m/other", "x.org/y": "x.org/y"} {
		if got := patternOf(p, pkg, path); got != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
}

func TestWhatIsMutatedIsSaid(t *testing.T) {
	p, pkg := inModule()
	var many []string
	for i := range shown + 2 {
		many = append(many, fmt.Sprint("m/p", i))
	}
	for _, c := range []struct {
		name         string
		chosen, left []string
		mutants      int
		want, not    []string
	}{
		{"two", []string{"m/sub", "m/other"}, nil, 7, []string{"mutating 2 packages", ": ., m/other; 7 mutants", "-mutate . narrows"}, []string{"left out", "more"}},
		{"one mutant", []string{"m/other"}, nil, 1, []string{"mutating 1 package of", "1 mutant;", "; -mutate narrows"}, []string{"1 mutants"}},
		{"some left out", []string{"m/sub"}, []string{"m/sub/a/b", "m/other"}, 9, []string{"left out, for more than 10,000 mutants in all: ./a/b, m/other; -mutate ./a/b mutates that one in its place"}, []string{"narrows"}},
		{"many", many, nil, 9, []string{many[shown-1] + " and 2 more; "}, []string{many[shown]}},
		{"as many as are shown", many[:shown], nil, 9, []string{many[shown-1] + "; "}, []string{"more"}},
	} {
		got := describe(p, pkg, c.chosen, c.left, c.mutants)
		for _, want := range c.want {
			if !strings.Contains(got, want) {
				t.Errorf("%s: no %q in %s", c.name, want, got)
			}
		}
		for _, not := range c.not {
			if strings.Contains(got, not) {
				t.Errorf("%s: %q in %s", c.name, not, got)
			}
		}
	}
}

// A mutant that is not built takes no room.
func TestSkippedMutantsAreNotCounted(t *testing.T) {
	program := &instrument.Program{Mutants: []instrument.Mutant{
		{Package: "a", Status: instrument.StatusLive},
		{Package: "a", Status: instrument.StatusSkipped},
		{Package: "b", Status: instrument.StatusSkipped},
		{Package: "c", Status: instrument.StatusStatic},
	}}
	if got := count(program); len(got) != 2 || got["a"] != 1 || got["c"] != 1 {
		t.Errorf("%v", got)
	}
}

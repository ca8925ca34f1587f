package generation

import (
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/evaluate"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/change"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/project"
	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/load"
	"github.com/fuzzmut/fuzzmut/instrument/rt/oracle"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// declared makes sources of one file with functions of these names.
func declared(t *testing.T, names ...string) *change.Sources {
	t.Helper()
	return inDir(t, "/m", names...)
}

// inDir is declared for a package in another directory.
func inDir(t *testing.T, dir string, names ...string) *change.Sources {
	t.Helper()
	src := "package a\n"
	for _, name := range names {
		src += "\nfunc " + name + "() {}\n"
	}
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, dir+"/a.go", src, 0)
	if err != nil {
		t.Fatal(err)
	}
	return change.NewSources(&load.Result{Fset: fset, Packages: []*load.Package{
		{Mutated: true, Files: []load.File{{Path: dir + "/a.go", Src: []byte(src), Syntax: file}}},
	}})
}

// nameOf returns the name of a function of declared.
func nameOf(d *change.Declaration) string {
	_, rest, _ := strings.Cut(string(d.Text), " ")
	name, _, _ := strings.Cut(rest, "(")
	return name
}

// changed lists the functions that were not searched.
func (s *Scope) changed() []string {
	list := []string{}
	s.Code.Any(func(path string, d *change.Declaration) bool {
		if !s.Searched(path, d) {
			list = append(list, nameOf(d))
		}
		return false
	})
	return list
}

func TestAGenerationKnowsWhatWasSearched(t *testing.T) {
	path := filepath.Join(t.TempDir(), "new", "FuzzX.json")
	all := func(string, *change.Declaration) bool { return true }
	only := func(text string) func(string, *change.Declaration) bool {
		return func(_ string, d *change.Declaration) bool { return nameOf(d) == text }
	}
	for _, step := range []struct {
		name     string
		code     *change.Sources
		run      string
		changed  []string // at the beginning
		searched func(string, *change.Declaration) bool
	}{
		{"of nothing all is new", declared(t, "f", "g"), "t1", []string{"f", "g"}, all},
		{"then nothing is", declared(t, "f", "g"), "t1", []string{}, only("")},
		{"order does not matter", declared(t, "h", "g", "f"), "t1", []string{"h"}, only("f")},
		{"what was not searched stays new", declared(t, "f", "h"), "t1", []string{"h"}, only("")},
		{"until it is searched", declared(t, "f", "h"), "t1", []string{"h"}, all},
		{"another fuzz test kills other mutants", declared(t, "f", "h"), "t2", []string{"f", "h"}, only("f")},
		{"of all functions", declared(t, "f", "h"), "t2", []string{"h"}, all},
		{"and then it is searched", declared(t, "f", "h"), "t2", []string{}, all},
		{"a run with another package", inDir(t, "/n", "f", "h"), "t2", []string{"f", "h"}, only("h")},
		{"leaves what is known of this one", declared(t, "f", "h"), "t2", []string{}, only("")},
		{"and of the other", inDir(t, "/n", "f", "h"), "t2", []string{"f"}, only("")},
	} {
		s := newScope(step.code, step.run, path)
		if diff := cmp.Diff(step.changed, s.changed()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", step.name, diff)
		}
		for _, nothing := range []*report.FuzzTest{nil, {Interrupted: true}, {NotMeasured: "so"}} {
			if err := s.Keep(nothing, all); err != nil {
				t.Fatal(err)
			}
		}
		if err := s.Keep(new(report.FuzzTest), step.searched); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(path, []byte(`{"format":"x"`), 0o666); err != nil {
		t.Fatal(err)
	}
	if g := Read(path); len(g.Declarations) != 0 || g.Test != "" {
		t.Errorf("%+v", g)
	}
	if s := newScope(declared(t, "f"), "", path); !slices.Equal(s.changed(), []string{"f"}) {
		t.Errorf("of a file that can't be read: %q", s.changed())
	}
}

func TestLostAreThoseThatLiveAgain(t *testing.T) {
	ms := []report.Mutant{
		{Package: "p", ID: "a", Status: report.Killed},
		{Package: "p", ID: "b", Status: report.Survived},
		{Package: "p", ID: "c", Status: report.NotCovered},
		{Package: "p", ID: "d", Status: report.Skipped},
	}
	before := &Generation{Killed: []string{"p a", "p c", "p d", "p gone", "q b"}}
	if diff := cmp.Diff([]string{"c"}, before.Lost(ms)); diff != "" {
		t.Error(diff)
	}
}

// Which entry killed a mutant is known in the next run, of the same fuzz test.
func TestKillersAreHintsForTheNextRun(t *testing.T) {
	path := filepath.Join(t.TempDir(), "FuzzX.json")
	res := &report.FuzzTest{Mutants: []report.Mutant{
		{Package: "p", ID: "a", Status: report.Killed, KilledBy: "seed#0"},
		{Package: "p", ID: "b", Status: report.Survived},
		{Package: "p", ID: "c", Status: report.Killed}, // before the first input
	}}
	if err := newScope(declared(t, "f"), "t", path).Keep(res, func(string, *change.Declaration) bool { return true }); err != nil {
		t.Fatal(err)
	}
	program := &instrument.Program{Mutants: []instrument.Mutant{
		{Index: 1, Package: "p", ID: "new"}, {Index: 2, Package: "p", ID: "a"}, {Index: 3, Package: "p", ID: "c"}, {Index: 4, Package: "q", ID: "a"},
	}}
	got := newScope(declared(t, "f"), "t", path).Killers(program)
	if len(got) != 1 || got[2] != "seed#0" {
		t.Errorf("%v", got)
	}
	for _, test := range []string{"another", ""} {
		if got := newScope(declared(t, "f"), test, path).Killers(program); len(got) != 0 {
			t.Errorf("of fuzz test %q: %v", test, got)
		}
	}
}

// The next run begins with the mutants that had no time or budget before the first input.
func TestMutantsThatWereLeftAreKnownInTheNextRun(t *testing.T) {
	path := filepath.Join(t.TempDir(), "FuzzX.json")
	res := &report.FuzzTest{Mutants: []report.Mutant{
		{Package: "p", ID: "a", Status: report.Static, Reason: evaluate.NoBudget, Start: report.Start{Infected: true}},
		{Package: "p", ID: "b", Status: report.Pending, Reason: evaluate.NoTime, Start: report.Start{Infected: true}},
		{Package: "p", ID: "c", Status: report.Pending, Reason: evaluate.NoTime}, // on entries
		{Package: "p", ID: "d", Status: report.Survived, Start: report.Start{Infected: true}},
	}}
	if err := newScope(declared(t, "f"), "t", path).Keep(res, func(string, *change.Declaration) bool { return true }); err != nil {
		t.Fatal(err)
	}
	program := &instrument.Program{}
	for i, id := range []string{"d", "c", "b", "a"} {
		program.Mutants = append(program.Mutants, instrument.Mutant{Index: i + 1, Package: "p", ID: id})
	}
	if got := newScope(declared(t, "f"), "t", path).Left(program); len(got) != 2 || !got[3] || !got[4] {
		t.Errorf("%v", got)
	}
	if got := newScope(declared(t, "f"), "another", path).Left(program); len(got) != 0 {
		t.Errorf("of another fuzz test: %v", got)
	}
}

// What was judged before the first input is known to the next run of the same test binary.
func TestVerdictsOfTheStartAreOfOneTestBinary(t *testing.T) {
	path := filepath.Join(t.TempDir(), "FuzzX.json")
	start := report.Start{Infected: true, Processes: 1}
	killed := start
	killed.Killed = 1
	res := &report.FuzzTest{Mutants: []report.Mutant{
		{Package: "p", ID: "a", Status: report.Survived, Start: start},
		{Package: "p", ID: "b", Status: report.Killed, KillKind: "panic", Detail: "boom", Start: killed},
		{Package: "p", ID: "c", Status: report.Killed, KillKind: "difference", KilledBy: "e1", Start: report.Start{Infected: true}, Reused: true},
		{Package: "p", ID: "d", Status: report.Killed, KillKind: "panic", KilledBy: "e1", Start: start}, // while inputs ran
		{Package: "p", ID: "e", Status: report.Pending, Reason: evaluate.NoTime, Start: start},
		{Package: "p", ID: "f", Status: report.Survived, Start: report.Start{Infected: true}},
	}}
	of := func(binary string) *Scope {
		s := newScope(declared(t, "f"), "t", path)
		if binary != "" {
			s.binary = func() string { return binary }
		}
		return s
	}
	if err := of("one").Keep(res, func(string, *change.Declaration) bool { return true }); err != nil {
		t.Fatal(err)
	}
	program := &instrument.Program{}
	for i := range res.Mutants {
		program.Mutants = append(program.Mutants, instrument.Mutant{Index: i + 1, Package: "p", ID: res.Mutants[i].ID})
	}
	want := map[uint32]evaluate.StartVerdict{
		1: {}, 2: {Killed: true, Kill: wire.Kill{Kind: oracle.Panic, Detail: "boom"}}, 3: {Killed: true, Kill: wire.Kill{Kind: oracle.Difference}, By: "e1"},
	}
	if diff := cmp.Diff(want, of("one").Verdicts(program)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for _, other := range []string{"another", ""} {
		if got := of(other).Verdicts(program); len(got) != 0 {
			t.Errorf("of test binary %q: %v", other, got)
		}
	}
	if err := of("").Keep(res, func(string, *change.Declaration) bool { return true }); err != nil || Read(path).Started != nil {
		t.Errorf("without a test binary: %v, %+v", err, Read(path).Started)
	}
}

func TestATestBinaryHasAHash(t *testing.T) {
	dir := t.TempDir()
	seen := make(map[string]bool)
	for _, text := range []string{"one", "two"} {
		path := filepath.Join(dir, text)
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		seen[hashBinary(path)] = true
	}
	if len(seen) != 2 || seen[""] || hashBinary(filepath.Join(dir, "none")) != "" {
		t.Errorf("%v", seen)
	}
}

func TestKillsOfPackagesThatAreNotMutatedNowAreKept(t *testing.T) {
	ms := []report.Mutant{{Package: "q", ID: "z", Status: report.Killed}, {Package: "p", ID: "b", Status: report.Killed}, {Package: "p", ID: "a", Status: report.Survived}}
	s := newScope(declared(t, "f"), "t", filepath.Join(t.TempDir(), "FuzzX.json"))
	s.Last = &Generation{Test: "t", Killed: []string{"o x", "p a", "p c", "q y"}}
	all := func(string, *change.Declaration) bool { return true }
	if got, want := s.next(all, ms).Killed, []string{"o x", "p b", "q z"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	s.Last.Test = "another"
	if got, want := s.next(all, ms).Killed, []string{"p b", "q z"}; !slices.Equal(got, want) {
		t.Errorf("of another fuzz test: got %q, want %q", got, want)
	}
}

// Trees that hold the same package, and runs with other mutants, are apart.
func TestGenerationsHaveTheirPlaces(t *testing.T) {
	b := &project.Package{Loaded: &load.Result{Test: instrument.TestPackage{ImportPath: "example.com/p", Dir: "/a"}}}
	seen := make(map[string]string)
	for name, change := range map[string]func(*project.Project, *load.Result){
		"as it is":        func(*project.Project, *load.Result) {},
		"another tree":    func(_ *project.Project, l *load.Result) { l.Test.Dir = "/b" },
		"operators":       func(r *project.Project, _ *load.Result) { r.Options.Operators = "strong" },
		"uninteresting":   func(r *project.Project, _ *load.Result) { r.Options.Arid = []string{"log.Print"} },
		"generated files": func(r *project.Project, _ *load.Result) { r.Options.Generated = true },
		"flags":           func(r *project.Project, _ *load.Result) { r.Options.BuildFlags = []string{"-tags=x"} },
		"corpus":          func(r *project.Project, _ *load.Result) { r.Options.CorpusDir = "c" },
	} {
		r, own := &project.Project{GoCache: "/cache"}, *b.Loaded
		change(r, &own)
		path := fileOf(r, &project.Package{Loaded: &own}, "FuzzX")
		if other, ok := seen[path]; ok {
			t.Errorf("%s has the file of %s: %s", name, other, path)
		}
		if seen[path] = name; !strings.HasPrefix(path, "/cache/fuzz/fuzzmut-regen/example.com/p/") || filepath.Base(path) != "FuzzX.json" {
			t.Errorf("%s: %s", name, path)
		}
	}
	r, own := &project.Project{GoCache: "/cache", Options: project.Options{Seed: 9}}, *b.Loaded
	own.Mutate = []string{"x"}
	if fileOf(r, &project.Package{Loaded: &own}, "FuzzX") != fileOf(&project.Project{GoCache: "/cache"}, b, "FuzzX") {
		t.Error("the seed, or the packages that are mutated, have a file of their own")
	}
}

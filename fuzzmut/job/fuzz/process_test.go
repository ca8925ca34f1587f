//go:build unix

package fuzz

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/fuzzmut/fuzzmut/corpus"
	store "github.com/fuzzmut/fuzzmut/corpus/golden"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/fake"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/trial"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/trial/trialtest"
	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/gotool"
	"github.com/fuzzmut/fuzzmut/instrument/load"
	"github.com/fuzzmut/fuzzmut/instrument/rt/golden"
	"github.com/fuzzmut/fuzzmut/instrument/target"
)

func TestMain(m *testing.M) {
	fake.Play()
	os.Exit(m.Run())
}

// begun is the trial of a fake fuzz test that has run its corpus.
func begun(t *testing.T, inputs ...string) *trial.Trial {
	t.Helper()
	x := trialtest.Fake(t, trial.Hooks{}, inputs...)
	if err := x.Greet(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := x.Baseline(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	return x
}

func TestWhatTheStockEngineLeavesIsTakenOver(t *testing.T) {
	x := begun(t, "k1")
	cache := t.TempDir()
	for _, words := range []string{"k1", "k2 f8", "k3"} {
		trialtest.AddEntry(t, cache, words)
	}
	failing := filepath.Join(x.Testdata(), trialtest.AddEntry(t, x.Testdata(), "fail"))
	passing := filepath.Join(x.Testdata(), trialtest.AddEntry(t, x.Testdata(), "i5"))
	if err := collectNative(t.Context(), x, cache, []string{failing, passing}); err != nil {
		t.Fatal(err)
	}
	st := x.Engine.Status()
	if st.Killed != 3 || st.Stacks != 1 || st.Covered != 1 || st.Added != 3 {
		t.Errorf("%+v", st)
	}
	// An input on which the original passes is no failing one: a mutant had failed.
	if _, err := os.Stat(passing); !os.IsNotExist(err) {
		t.Errorf("it is still there: %v", err)
	}
	if _, err := os.Stat(failing); err != nil {
		t.Error(err)
	}
	if w := x.Warnings(); len(w) != 1 || !strings.HasPrefix(w[0], "go test -fuzz stopped at "+filepath.Base(passing)+", but the original passes on it") {
		t.Errorf("%q", w)
	}
}

func TestADryRunLeavesNoFailingInput(t *testing.T) {
	x := begun(t, "k1")
	x.Project.Options.DryRun = true
	failing := filepath.Join(x.Testdata(), trialtest.AddEntry(t, x.Testdata(), "fail"))
	if err := collectNative(t.Context(), x, t.TempDir(), []string{failing}); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(failing); !os.IsNotExist(err) || x.Engine.Status().Stacks != 1 {
		t.Errorf("%v, %d buckets", err, x.Engine.Status().Stacks)
	}
}

func TestAFailingInputMustBeReadable(t *testing.T) {
	x := begun(t, "k1")
	broken := filepath.Join(t.TempDir(), "broken")
	if err := os.WriteFile(broken, []byte("nothing"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{broken, broken + ".gone"} {
		if err := collectNative(t.Context(), x, t.TempDir(), []string{path}); exit.CodeOf(err) != exit.Usage || !strings.Contains(err.Error(), path) {
			t.Errorf("%v", err)
		}
	}
}

// derivedTest is a fuzz test that was derived, with a corpus in Go's fuzz cache.
func derivedTest(t *testing.T) (x *trial.Trial, d load.Derived) {
	t.Helper()
	x = trialtest.Fake(t, trial.Hooks{})
	test := &x.Package.Program.Test.Fuzz[0]
	test.Target = "Parse"
	home := x.Project.Home(&x.Package.Program.Test, test)
	trialtest.AddEntry(t, corpus.TestdataDir(home, "FuzzFake"), "k1")
	trialtest.AddEntry(t, corpus.TestdataDir(home, "FuzzFake"), "k2")
	e := corpus.Of("k1").Found()
	if err := store.Apply(store.Path(home, "FuzzFake"), store.Change{Packages: ".", Put: []golden.Entry{store.Entry(&e, nil)}}); err != nil {
		t.Fatal(err)
	}
	return x, load.Derived{
		Test: &target.Test{Name: "FuzzFake", Function: "Parse", FileName: "parse_fuzz_test.go", Text: []byte("package fake\n\nvar _ = Parse\n")},
		At:   token.Position{Filename: filepath.Join(x.Package.Program.Test.Dir, "p.go"), Line: 3},
	}
}

// loadedWith is a package as it was loaded, with the function that a fuzz test was derived for.
func loadedWith(t *testing.T, pkg instrument.TestPackage, source string) *load.Result {
	t.Helper()
	r := &load.Result{Test: pkg, Toolchain: &gotool.Toolchain{Dir: pkg.Dir}, Fset: token.NewFileSet()}
	path := filepath.Join(pkg.Dir, "parse.go")
	file, err := parser.ParseFile(r.Fset, path, source, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	checked, err := new(types.Config).Check(pkg.ImportPath, r.Fset, []*ast.File{file}, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Packages = []*load.Package{{Types: checked, Files: []load.File{{Path: path, Syntax: file}}}}
	return r
}

func TestADerivedTestIsWrittenWithItsCorpus(t *testing.T) {
	x, d := derivedTest(t)
	pkg := x.Package.Program.Test
	loaded := loadedWith(t, pkg, "//go:build !tiny\n\npackage fake\n\nfunc Parse(s string) {}\n")
	mine := filepath.Join(corpus.TestdataDir(pkg.Dir, "FuzzFake"), corpus.Of("k2").Found().Name)
	if err := os.MkdirAll(filepath.Dir(mine), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(mine, []byte("mine"), 0o666); err != nil {
		t.Fatal(err)
	}
	w, err := writeTest(x.Project, loaded, d, &pkg.Fuzz[0])
	if err != nil {
		t.Fatal(err)
	}
	if w.Entries != 1 || w.Golden != 1 || w.Path != "parse_fuzz_test.go" || w.Function != "Parse" {
		t.Errorf("%+v", w)
	}
	if values, err := store.Read(store.Path(pkg.Dir, "FuzzFake")); err != nil || len(values.Entries) != 1 {
		t.Errorf("%+v, %v", values, err)
	}
	if n, err := copyGolden(x.Project.GoCache, store.Path(pkg.Dir, "FuzzFake"), store.Path(x.Project.Home(&pkg, &pkg.Fuzz[0]), "FuzzFake")); n != 0 || err != nil {
		t.Errorf("copied again: %d, %v", n, err)
	}
	if text, err := os.ReadFile(filepath.Join(pkg.Dir, d.FileName)); err != nil || string(text) != "//go:build !tiny\n\n"+string(d.Text) {
		t.Errorf("%q, %v", text, err)
	}
	if text, _ := os.ReadFile(mine); string(text) != "mine" {
		t.Errorf("what was there is now %q", text)
	}
	// Once it is there it is the user's.
	if _, err := writeTest(x.Project, loaded, d, &pkg.Fuzz[0]); exit.CodeOf(err) != exit.Usage || !strings.Contains(err.Error(), "exists and is not overwritten") {
		t.Errorf("%v", err)
	}
}

func TestFilesAreCopiedWhereThereAreNone(t *testing.T) {
	from, to := t.TempDir(), filepath.Join(t.TempDir(), "new")
	for _, name := range []string{"a", "b"} {
		if err := os.WriteFile(filepath.Join(from, name), []byte(name), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(from, "dir"), 0o777); err != nil {
		t.Fatal(err)
	}
	for i, want := range []int{2, 0} {
		if n, err := copyFiles(to, from); err != nil || n != want {
			t.Errorf("call %d: %d files, %v", i, n, err)
		}
	}
	var names []string
	files, _ := os.ReadDir(to)
	for _, f := range files {
		names = append(names, f.Name())
	}
	if !slices.Equal(names, []string{"a", "b"}) {
		t.Errorf("%q", names)
	}
	if n, err := copyFiles(to, filepath.Join(from, "absent")); err != nil || n != 0 {
		t.Errorf("%d of none, %v", n, err)
	}
	file := filepath.Join(from, "a")
	if _, err := copyFiles(filepath.Join(file, "below"), from); exit.CodeOf(err) != exit.Usage {
		t.Errorf("below a file: %v", err)
	}
}

func TestOnlyChosenTestsAreWritten(t *testing.T) {
	x, d := derivedTest(t)
	other := load.Derived{Test: &target.Test{Name: "FuzzOther", FileName: "other_test.go"}}
	x.Package.Loaded = loadedWith(t, x.Package.Program.Test, "package fake\n\nfunc Parse(s string) {}\n")
	x.Package.Loaded.Derived = []load.Derived{other, d}
	x.Package.Loaded.Test.Fuzz = []instrument.FuzzTest{x.Package.Program.Test.Fuzz[0]}
	out := new(report.Written)
	if err := writeTests(t.Context(), x.Project, x.Package, out); err != nil || len(out.Tests) != 1 || out.Tests[0].Name != "FuzzFake" {
		t.Errorf("%+v, %v", out.Tests, err)
	}
	if err := writeTests(t.Context(), x.Project, x.Package, out); exit.CodeOf(err) != exit.Usage || len(out.Tests) != 1 {
		t.Errorf("again: %+v, %v", out.Tests, err)
	}
}

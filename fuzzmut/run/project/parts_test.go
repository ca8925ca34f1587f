package project

import (
	"context"
	"errors"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/fuzzmut/fuzzmut/corpus"
	store "github.com/fuzzmut/fuzzmut/corpus/golden"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/gotool"
	"github.com/fuzzmut/fuzzmut/instrument/load"
	"github.com/fuzzmut/fuzzmut/instrument/operator"
	"github.com/fuzzmut/fuzzmut/instrument/rt/golden"
	"github.com/fuzzmut/fuzzmut/instrument/target"
	"github.com/fuzzmut/fuzzmut/instrument/values"
)

// loadedIn is a package with fuzz tests in a directory.
func loadedIn(dir string, tests ...string) *load.Result {
	l := &load.Result{Toolchain: &gotool.Toolchain{Dir: dir}, Test: instrument.TestPackage{ImportPath: "example.com/m/p", ModulePath: "example.com/m", Dir: dir, ModuleDir: filepath.Dir(dir)}}
	for _, name := range tests {
		l.Test.Fuzz = append(l.Test.Fuzz, instrument.FuzzTest{Name: name})
	}
	return l
}

func mkdir(t *testing.T, path string) string {
	t.Helper()
	if err := os.MkdirAll(path, 0o777); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestLinksOutOfTheModuleAreNotFollowed(t *testing.T) {
	const entries, golden = "testdata/fuzz/FuzzX", "testdata/fuzz-golden/FuzzX"
	for _, c := range []struct {
		name, link, to string // the link is in the package, and leads from the root of the tree
		change         func(*Project, *load.Result)
		refused        bool
	}{
		{name: "entries out", link: entries, to: "out", refused: true},
		{name: "golden values out", link: golden, to: "out", refused: true},
		{name: "a directory above", link: "testdata", to: "out", refused: true},
		{name: "elsewhere in the module", link: entries, to: "m/other"},
		{name: "of another fuzz test", link: "testdata/fuzz/FuzzY", to: "out"},
		{name: "a job that writes nothing", link: entries, to: "out", change: func(r *Project, _ *load.Result) { r.writes = false }},
		{name: "a dry run", link: entries, to: "out", change: func(r *Project, _ *load.Result) { r.Options.DryRun = true }},
		{name: "asked for", link: entries, to: "out", change: func(r *Project, _ *load.Result) { r.Options.FollowLinks = true }},
		{name: "derived, and so in the cache", link: entries, to: "out", change: func(_ *Project, l *load.Result) { l.Test.Fuzz[0].Target = "F" }},
		{name: "of no module", link: entries, to: "m/other", change: func(_ *Project, l *load.Result) { l.Test.ModuleDir = "" }, refused: true},
	} {
		root := t.TempDir()
		mkdir(t, filepath.Join(root, "out"))
		mkdir(t, filepath.Join(root, "m", "other"))
		dir := filepath.Join(root, "m", "p")
		link := filepath.Join(dir, filepath.FromSlash(c.link))
		mkdir(t, filepath.Dir(link))
		if err := os.Symlink(filepath.Join(root, filepath.FromSlash(c.to)), link); err != nil {
			t.Skip(err)
		}
		r, loaded := &Project{writes: true}, loadedIn(dir, "FuzzX")
		if c.change != nil {
			c.change(r, loaded)
		}
		err := CheckLinks(r, loaded)
		if (err != nil) != c.refused || err != nil && (exit.CodeOf(err) != exit.Usage || !strings.Contains(err.Error(), "leads out of the module through a symbolic link")) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

func TestGoldenFilesNameThePackages(t *testing.T) {
	for _, c := range []struct {
		name  string
		files map[string]string // packages, by fuzz test
		want  []string
		err   string
	}{
		{name: "there are none"},
		{name: "the package itself", files: map[string]string{"FuzzX": "."}, want: []string{"example.com/m/p"}},
		{name: "and another", files: map[string]string{"FuzzX": ". example.com/m/a", "FuzzY": ". example.com/m/a"}, want: []string{"example.com/m/a", "example.com/m/p"}},
		{name: "not the same", files: map[string]string{"FuzzX": ".", "FuzzY": "example.com/m/a"}, err: "choose the packages with -mutate"},
		{name: "of a fuzz test that was not chosen", files: map[string]string{"FuzzX": ".", "FuzzZ": "example.com/m/a"}, want: []string{"example.com/m/p"}},
	} {
		dir := t.TempDir()
		for test, packages := range c.files {
			if err := store.Apply(store.Path(dir, test), store.Change{Packages: packages, Put: []golden.Entry{{Name: corpus.ManagedName(nil)}}}); err != nil {
				t.Fatal(err)
			}
		}
		got, err := goldenPackages(new(Project), loadedIn(dir, "FuzzX", "FuzzY"))
		if !slices.Equal(got, c.want) || (err != nil) != (c.err != "") || err != nil && (exit.CodeOf(err) != exit.Usage || !strings.Contains(err.Error(), c.err)) {
			t.Errorf("%s: %q, %v", c.name, got, err)
		}
	}
}

func TestWhatIsBuiltFollowsTheOptions(t *testing.T) {
	names := func(r *Project) []string {
		cfg, err := r.OverlayConfig(&Package{Loaded: loadedIn("/m/p")})
		if err != nil {
			t.Fatal(err)
		}
		if cfg.WorkDir != filepath.Join("/work", "example.com_m_p") || filepath.Dir(cfg.Output) != cfg.WorkDir || cfg.Log == nil || cfg.Native != (r.Options.Engine == EngineNative) {
			t.Errorf("%+v", cfg)
		}
		var list []string
		for _, op := range cfg.Operators {
			list = append(list, op.Name)
		}
		return list
	}
	ops, err := operator.ByNames(DefaultOperators)
	if err != nil {
		t.Fatal(err)
	}
	if got := names(&Project{WorkDir: "/work"}); len(got) != len(ops) {
		t.Errorf("by default %q", got)
	}
	if got := names(&Project{WorkDir: "/work", Options: Options{Operators: "statement-deletion", Engine: EngineNative}}); !slices.Equal(got, []string{"statement-deletion"}) {
		t.Errorf("%q", got)
	}
	if got := names(&Project{WorkDir: "/work", Unmutated: true}); len(got) != 0 {
		t.Errorf("without mutants %q", got)
	}
	r := &Project{Options: Options{Operators: "nothing"}}
	if _, err := r.OverlayConfig(&Package{Loaded: loadedIn("/m/p")}); exit.CodeOf(err) != exit.Usage {
		t.Errorf("%v", err)
	}
}

func TestABuildIsCounted(t *testing.T) {
	p := &instrument.Program{
		Funcs: make([]instrument.Func, 9), Blocks: make([]instrument.Block, 7), // packages that are not mutated have functions, too
		Packages: []instrument.Package{{Mutated: true}, {}, {Mutated: true}},
		Mutants: []instrument.Mutant{
			{FuncIndex: 4}, {FuncIndex: 6}, {FuncIndex: 4}, {FuncIndex: -1}, {FuncIndex: 3, Status: instrument.StatusSkipped},
		},
	}
	if got, want := DescribeProgram(p), "4 mutants in 2 functions of 2 packages, 7 blocks to cover"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	p.Mutants = append(p.Mutants, instrument.Mutant{Status: instrument.StatusStatic}, instrument.Mutant{Status: instrument.StatusStatic})
	if got, want := DescribeProgram(p), "4 mutants in 2 functions of 2 packages and 2 in package initialization, 7 blocks to cover"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// A user who waits minutes for a build can do something about it.
func TestALargeBuildSaysWhatMakesItLess(t *testing.T) {
	program := func(files ...int) *instrument.Program {
		p := &instrument.Program{}
		for i, n := range files {
			for range n {
				p.Mutants = append(p.Mutants, instrument.Mutant{File: filepath.Join("/m", string(rune('a'+i))+".go")})
			}
		}
		return p
	}
	for _, c := range []struct {
		name  string
		files []int
		want  string
	}{
		{"few", []int{longBuild - 1}, ""},
		{"one file", []int{longBuild}, "30,000 mutants make a long build, 30,000 of them in a.go; //fuzzmut:ignore REASON before its package clause leaves a file out, and -operators takes fewer: fuzzmut help directives"},
		{"four files", []int{5000, 20_000, 10_000, 7000}, "42,000 mutants make a long build, 37,000 of them in b.go, c.go, d.go; //fuzzmut:ignore REASON before its package clause leaves a file out, and -operators takes fewer: fuzzmut help directives"},
	} {
		if got := manyNote(program(c.files...)); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
	skipped := program(longBuild)
	for i := range skipped.Mutants {
		skipped.Mutants[i].Status = instrument.StatusSkipped
	}
	if got := manyNote(skipped); got != "" {
		t.Errorf("skipped mutants: %s", got)
	}
}

// What the tests run of a package with assembly may hold no mutant at all.
func TestABuildWithAssemblySaysHowToMutateTheGoCode(t *testing.T) {
	l := loadedIn("/m/p")
	l.Packages = []*load.Package{
		{ImportPath: "m/sum", Mutated: true, NoAssembly: "purego"}, {ImportPath: "m/other", NoAssembly: "noasm"}, {ImportPath: "m/go", Mutated: true},
	}
	want := []string{"m/sum has assembly, which is not mutated; -tags purego has Go code instead"}
	if got := BuildNotes(l, &instrument.Program{}); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// Only packages of the module are mutated, as far as they have files.
func TestAModuleIsMutated(t *testing.T) {
	file := []load.File{{}}
	l := loadedIn("/m/p")
	l.Packages = []*load.Package{
		{ImportPath: "own", ModulePath: "example.com/m", Files: file},
		{ImportPath: "empty", ModulePath: "example.com/m"},
		{ImportPath: "other", ModulePath: "example.com/other", Files: file},
		{ImportPath: "chosen", ModulePath: "example.com/other", Mutated: true},
	}
	MutateModule(l)
	var got []string
	for _, p := range l.Packages {
		if p.Mutated {
			got = append(got, p.ImportPath)
		}
	}
	if !slices.Equal(got, []string{"own", "chosen"}) {
		t.Errorf("%q", got)
	}
}

func TestDerivedTestsAreTold(t *testing.T) {
	l := loadedIn("/m/p", "FuzzParse")
	for _, name := range []string{"FuzzParse", "FuzzOther"} { // -fuzz chose one of them
		l.Derived = append(l.Derived, load.Derived{Test: &target.Test{Name: name, Function: name[4:]}, At: token.Position{Filename: "/m/p/p.go", Line: 3}})
	}
	var told []string
	r := &Project{Options: Options{Events: func(e Event) { told = append(told, e.Phase.Text) }}}
	if err := r.tellDerived(l); err != nil || len(told) != 1 || told[0] != "FuzzParse is derived for Parse (p.go:3); -write-test writes it" {
		t.Errorf("%q, %v", told, err)
	}
	told, l.Derived[0].Methods, l.Derived[0].Left = nil, []string{"Add"}, []target.Left{{Method: "Each", Reason: "a reason"}}
	if err := r.tellDerived(l); err != nil || len(told) != 2 || told[1] != "FuzzParse calls 1 of 2 methods, and leaves out Each (a reason)" {
		t.Errorf("%q, %v", told, err)
	}
	r.Options.Engine = EngineNative
	if err := r.tellDerived(l); exit.CodeOf(err) != exit.Usage || !strings.Contains(err.Error(), "FuzzParse is derived for Parse") {
		t.Errorf("%v", err)
	}
}

// Where the package has the library, or a file that registers types, nothing is added.
func TestTypesAreRegisteredOnce(t *testing.T) {
	for _, c := range []struct {
		name    string
		library map[string][]byte
		file    bool
	}{
		{name: "the package has the library"},
		{name: "and the file", library: map[string][]byte{}, file: true},
		{name: "there is nothing to register", library: map[string][]byte{}},
	} {
		l := loadedIn(t.TempDir(), "FuzzX")
		l.Library, l.DerivedFiles = c.library, make(map[string][]byte)
		if c.file {
			if err := os.WriteFile(filepath.Join(l.Test.Dir, values.FileName), nil, 0o666); err != nil {
				t.Fatal(err)
			}
		}
		b := &Package{Loaded: l, ValueTypes: new(values.Found)}
		if err := b.RegisterDerived(); err != nil || len(l.DerivedFiles) > 0 {
			t.Errorf("%s: %v, %v", c.name, l.DerivedFiles, err)
		}
	}
	b := new(Package)
	if b.Constants() != nil || b.Missing(nil) != "" {
		t.Error("unit tests have types of inputs")
	}
}

func TestTheFirstFaultCounts(t *testing.T) {
	var f fault
	a, b := errors.New("a"), errors.New("b")
	f.Note(a) // while nothing can be ended
	ctx, release := f.end(t.Context())
	if ctx.Err() != nil {
		t.Error("what begins later has ended")
	}
	f.Note(b)
	if f.first() != a || ctx.Err() == nil {
		t.Errorf("%v, %v", f.first(), ctx.Err())
	}
	release()
	var none fault
	ctx, release = none.end(context.Background())
	release()
	if none.first() != nil || ctx.Err() == nil {
		t.Error("a release is a fault, or ends nothing")
	}
}

func TestEventsAreNotWanted(t *testing.T) {
	r := new(Project)
	r.Warn("nobody hears %s", "this")
	var got []string
	r.Options.Events = func(e Event) {
		switch {
		case e.Warning != nil:
			got = append(got, "warning "+e.Warning.Text)
		case e.Phase != nil:
			got = append(got, "phase "+e.Phase.Package+" "+e.Phase.Text)
		}
	}
	r.WarnBuild(&instrument.Program{Test: instrument.TestPackage{ImportPath: "p"}, Warnings: []string{"one", "two"}})
	r.Phase("p", "%d%%", 3)
	if want := []string{"warning p: one", "warning p: two", "phase p 3%"}; !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

// The configuration of loading is that of the options; unit tests have no derived ones.
func TestLoadingFollowsTheOptions(t *testing.T) {
	r := &Project{Options: Options{Dir: "/m", Mutate: []string{"./a"}, BuildFlags: []string{"-tags=x"}}}
	cfg := r.LoadConfig("./p")
	if cfg.Dir != "/m" || cfg.Pattern != "./p" || !slices.Equal(cfg.Mutate, []string{"./a"}) || !slices.Equal(cfg.BuildFlags, []string{"-tags=x"}) || !cfg.Derive || cfg.AnyTests {
		t.Errorf("%+v", cfg)
	}
	r.Options.NoDerive = true
	if cfg = r.LoadConfig(""); cfg.Derive {
		t.Error("tests are derived that nobody wants")
	}
	r.Options.NoDerive, r.anyTests = false, true
	if cfg = r.LoadConfig(""); cfg.Derive || !cfg.AnyTests {
		t.Error("unit tests are derived")
	}
}

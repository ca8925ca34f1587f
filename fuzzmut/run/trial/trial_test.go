package trial_test

import (
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/project"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/trial"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/trial/trialtest"
	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/load"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
	"github.com/fuzzmut/fuzzmut/instrument/target"
)

func TestAReplayNamesTheEntriesThatKill(t *testing.T) {
	dir := trialtest.Module(t, trialtest.Sign, trialtest.FuzzSign, []any{int(-3)}, []any{int(1)}, []any{int(5)})
	x := trialtest.Open(t, dir, trial.Hooks{})
	if len(x.Given) != 4 || x.Given[0].Source != corpus.Seed {
		t.Fatalf("given: %v", x.Given)
	}
	p, err := trial.NewReplay(t.Context(), x, x.Given)
	if err != nil {
		t.Fatal(err)
	}
	res := p.Result(trial.Summary{Engine: "x", NoChance: true, Before: len(x.Given)})
	if res.Coverage.Covered != res.Coverage.Blocks || res.Coverage.Blocks == 0 {
		t.Errorf("covered %d of %d", res.Coverage.Covered, res.Coverage.Blocks)
	}
	if res.Seed != 0 || res.Executions != 4 || res.Corpus.After != 4 || res.Score.Killed == 0 {
		t.Errorf("%+v", res)
	}
	names := make(map[string]bool)
	for _, e := range x.Given {
		names[e.Name] = true
	}
	for _, m := range res.Mutants {
		if m.Status == report.Killed && !names[m.KilledBy] {
			t.Errorf("%s is killed by %q", m.ID, m.KilledBy)
		}
	}
	// What is not measured to the end says nothing of those that live.
	rest := p.Result(trial.Summary{NotMeasured: "interrupted"})
	if rest.Score.Mutants != res.Score.Killed || rest.Score.Survived+rest.Score.NotCovered != 0 {
		t.Errorf("score %+v", rest.Score)
	}
	least, err := trial.NewReplay(t.Context(), x, x.Given[:1])
	if err != nil {
		t.Fatal(err)
	}
	if got := p.Without(least); len(got) != 3 || len(least.Kills()) >= len(p.Kills()) {
		t.Errorf("without: %v, %d and %d kills", got, len(least.Kills()), len(p.Kills()))
	}
}

func TestABaselineThatFailsIsRefused(t *testing.T) {
	const fuzz = `func FuzzX(f *testing.F) {
	f.Add(seed)
	f.Fuzz(func(t *testing.T, n int) {
		if Sign(n) == 2 {
			t.Error("one")
		}
	})
}

const seed = `
	x := trialtest.Open(t, trialtest.Module(t, trialtest.Sign, fuzz+"0", []any{int(1)}), trial.Hooks{})
	if err := x.Baseline(t.Context(), nil); err != nil || len(x.Failing) != 1 || len(x.Given) != 1 {
		t.Errorf("a seed that passes, and an entry that fails: %v", err)
	}
	x = trialtest.Open(t, trialtest.Module(t, trialtest.Sign, fuzz+"1"), trial.Hooks{})
	err := x.Baseline(t.Context(), nil)
	if exit.CodeOf(err) != exit.Baseline || !strings.Contains(err.Error(), "one; fix the code or the seed first") {
		t.Errorf("a seed that fails: %v", err)
	}
}

func TestEntriesOfOtherTypesAreRefused(t *testing.T) {
	dir := trialtest.Module(t, trialtest.Sign, trialtest.FuzzSign, []any{"a"})
	p, err := project.Open(t.Context(), project.Config{Options: trialtest.Options(t, dir)})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	err = p.EachTest(t.Context(), func(pkg *project.Package, test instrument.FuzzTest) error {
		x := trial.New(p, pkg, test, nil, trial.Hooks{})
		if bad, err := x.Meet(t.Context()); err != nil || len(bad) != 1 || len(x.Given) != 1 {
			t.Errorf("bad %v, given %v, %v", bad, x.Given, err)
		}
		return trial.New(p, pkg, test, nil, trial.Hooks{}).Greet(t.Context())
	})
	if exit.CodeOf(err) != exit.Baseline || !strings.Contains(err.Error(), "-prune removes it") {
		t.Errorf("got %v", err)
	}
}

func TestACommandOfAnOracleRewritesTheSameCode(t *testing.T) {
	wd, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	command := func(kind wire.OutcomeKind, o project.Options) string {
		o.Dir = wd
		x := &trial.Trial{
			Project: &project.Project{Options: o},
			Package: &project.Package{Program: &instrument.Program{Test: instrument.TestPackage{Dir: filepath.Join(wd, "p"), ImportPath: "example.com/m/p"}}},
			Test:    instrument.FuzzTest{Name: "FuzzX"},
		}
		return trial.ReproOf(x, wire.Outcome{Kind: kind}, "abc")
	}
	for _, c := range []struct {
		kind wire.OutcomeKind
		o    project.Options
		want string
	}{
		{wire.Leak, project.Options{}, "fuzzmut -n -oracle=leak -fuzztime=1x -fuzz='^FuzzX$' ./p"},
		{
			wire.Overflow,
			project.Options{Mutate: []string{"./p", "example.com/dep"}, Generated: true, BuildFlags: []string{"-tags=a b"}},
			"fuzzmut -tags='a b' -n -oracle=overflow -fuzztime=1x -mutate=./p,example.com/dep -generated -fuzz='^FuzzX$' ./p",
		},
		{wire.Memory, project.Options{Mutate: []string{"./..."}, MemLimit: 1 << 30}, "fuzzmut -n -fuzztime=1x -memlimit=1073741824 -mutate=./... -fuzz='^FuzzX$' ./p"},
		{wire.Memory, project.Options{}, "fuzzmut -n -fuzztime=1x -fuzz='^FuzzX$' ./p"},
	} {
		if got := command(c.kind, c.o); got != c.want {
			t.Errorf("%v: %s, want %s", c.kind, got, c.want)
		}
	}
}

func TestReproRunsOneEntry(t *testing.T) {
	x := &trial.Trial{
		Project: &project.Project{Options: project.Options{Dir: "/m", BuildFlags: []string{"-tags=a b"}}},
		Package: &project.Package{Program: &instrument.Program{Test: instrument.TestPackage{Dir: "/m/p", ImportPath: "example.com/m/p"}}},
		Test:    instrument.FuzzTest{Name: "FuzzX"},
	}
	if got, want := trial.Repro(x, "abc"), "go test -C /m -tags='a b' -run='^FuzzX$/^abc$' ./p"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	x.Test.Target = "F" // no file has it yet
	x.Package.Loaded = &load.Result{Derived: []load.Derived{{Test: &target.Test{Name: "FuzzX"}}, {Test: &target.Test{Name: "FuzzY", Library: true}}}, Library: map[string][]byte{"/l.go": nil}}
	if got := trial.Repro(x, "abc"); !strings.HasPrefix(got, "fuzzmut -C /m -tags='a b' -write-test -fuzz='^FuzzX$' ./p && go test ") {
		t.Errorf("derived: %s", got)
	}
	x.Test.Name = "FuzzY"
	if got := trial.Repro(x, "abc"); !strings.HasPrefix(got, "fuzzmut -C /m -tags='a b' -write-test -fuzz='^FuzzY$' ./p && go get -C /m -t github.com/fuzzmut/fuzzmut && go test ") {
		t.Errorf("derived with the library: %s", got)
	}
	x.Package.Loaded.Library = nil // the module has it
	if got := trial.Repro(x, "abc"); strings.Contains(got, "go get") {
		t.Errorf("derived where the library is there: %s", got)
	}
	x.Package.Program.Test.Dir = "/elsewhere"
	x.Test.Target = ""
	if got := trial.Repro(x, "abc"); !strings.HasSuffix(got, " example.com/m/p") {
		t.Errorf("of another module: %s", got)
	}
}

// A fuzz test that calls other packages only says which ones to mutate.
func TestWorkElsewhereIsSaid(t *testing.T) {
	const fuzz = "func FuzzX(f *testing.F) {\n\tf.Add(\"a\")\n\tf.Fuzz(func(t *testing.T, s string) { url.Parse(s) })\n}\n"
	dir := trialtest.Files(t, map[string]string{
		"go.mod": "module example.com/m\n\ngo 1.26\n", "m.go": "package m\n\n" + trialtest.Sign,
		"m_test.go": "package m\n\nimport (\n\t\"net/url\"\n\t\"testing\"\n)\n\n" + fuzz,
	})
	x := trialtest.Open(t, dir, trial.Hooks{})
	p, err := trial.NewReplay(t.Context(), x, x.Given)
	if err != nil {
		t.Fatal(err)
	}
	const want = "the inputs run nothing of the packages that are mutated; what the fuzz test calls is elsewhere: try -mutate net/url"
	if r := p.Result(trial.Summary{}); len(r.Warnings) != 1 || r.Warnings[0] != want {
		t.Errorf("warnings %q", r.Warnings)
	}

	// Not where it may as well be in files of these packages.
	x.Package.Loaded.Packages[0].Cgo = []string{filepath.Join(dir, "a", "c.go"), filepath.Join(dir, "d.go"), filepath.Join(dir, "e.go"), filepath.Join(dir, "f.go")}
	const withC = `the inputs run nothing of the packages that are mutated; c.go, d.go, e.go and 1 more import "C" and are left as they are: use go test -fuzz for these`
	if r := p.Result(trial.Summary{}); len(r.Warnings) != 2 || r.Warnings[1] != withC {
		t.Errorf("with cgo, warnings %q", r.Warnings)
	}
}

func TestWarningsAreKeptAndSaid(t *testing.T) {
	var said []string
	x := &trial.Trial{
		Project: &project.Project{Options: project.Options{Events: func(e project.Event) { said = append(said, e.Warning.Text) }}},
		Test:    instrument.FuzzTest{Name: "FuzzX"},
	}
	x.Warn("a")
	x.AddWarnings("b", "c") // which were said before
	if got := strings.Join(x.Warnings(), " "); got != "a b c" {
		t.Errorf("kept %q", got)
	}
	if len(said) != 1 || said[0] != "FuzzX: a" {
		t.Errorf("said %q", said)
	}
}

func TestWhatCannotBeKeptIsAWarning(t *testing.T) {
	cache := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(cache, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	warnings := 0
	x := &trial.Trial{
		Project: &project.Project{GoCache: cache, Options: project.Options{Events: func(project.Event) { warnings++ }}},
		Package: &project.Package{Program: &instrument.Program{Test: instrument.TestPackage{ImportPath: "example.com/p"}}},
		Test:    instrument.FuzzTest{Name: "FuzzX"},
	}
	dir, err := x.CacheDir()
	if err != nil {
		t.Fatal(err)
	}
	if err := x.Keep(dir, corpus.Of(1)); err == nil {
		t.Error("kept below a file")
	}
	x.NotKept(os.ErrPermission)
	x.NotKept(os.ErrPermission)
	if warnings != 1 {
		t.Errorf("%d warnings", warnings)
	}
}

// A derived fuzz test stands in no file: its place is that of the function.
func TestPlaceOfADerivedFuzzTest(t *testing.T) {
	root := t.TempDir()
	test := instrument.TestPackage{ModuleDir: root, Dir: filepath.Join(root, "p", "q")}
	of := func(name string, line int) load.Derived {
		return load.Derived{Test: &target.Test{Name: name}, At: token.Position{Filename: filepath.Join(test.Dir, "q.go"), Line: line}}
	}
	x := &trial.Trial{Package: &project.Package{
		Program: &instrument.Program{Test: test},
		Loaded:  &load.Result{Test: test, Derived: []load.Derived{of("FuzzW", 2), of("FuzzX", 4), {Test: &target.Test{Name: "FuzzSequence"}}}},
	}}
	for name, want := range map[string]int{"FuzzX": 4, "FuzzSequence": 9, "FuzzStands": 9} {
		x.Test.Name, x.Test.File, x.Test.Line = name, filepath.Join(test.Dir, "q.go"), 9
		if file, line := x.Place(); file != "p/q/q.go" || line != want {
			t.Errorf("%s: %s:%d, want line %d", name, file, line, want)
		}
	}
}

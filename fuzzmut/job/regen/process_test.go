//go:build unix

package regen

import (
	"context"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/evaluate"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/fake"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/campaign"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/change"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/generation"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/project"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/trial"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/trial/trialtest"
	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/load"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

func TestMain(m *testing.M) {
	fake.Play()
	os.Exit(m.Run())
}

// declared makes sources of one file with functions of these names.
func declared(t *testing.T, names ...string) *change.Sources {
	t.Helper()
	src := "package a\n"
	for _, name := range names {
		src += "\nfunc " + name + "() {}\n"
	}
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "/m/a.go", src, 0)
	if err != nil {
		t.Fatal(err)
	}
	return change.NewSources(&load.Result{Fset: fset, Packages: []*load.Package{
		{Mutated: true, Files: []load.File{{Path: "/m/a.go", Src: []byte(src), Syntax: file}}},
	}})
}

// nameOf returns the name of a function of declared.
func nameOf(d *change.Declaration) string {
	_, rest, _ := strings.Cut(string(d.Text), " ")
	name, _, _ := strings.Cut(rest, "(")
	return name
}

// regenerationOf regenerates a corpus for the functions f and g. f has the mutants 1 to 4,
// g has 5 to 8. The search finds inputs.
func regenerationOf(t *testing.T, x *trial.Trial, last *generation.Generation, changed func(*change.Declaration) bool, found ...string) *regeneration {
	t.Helper()
	code := declared(t, "f", "g")
	for i := range x.Package.Program.Mutants {
		m := &x.Package.Program.Mutants[i]
		m.File, m.Offset = "/m/a.go", strings.Index("package a\n\nfunc f() {}\n\nfunc g() {}\n", "func "+string("fg"[i/4])) // as declared has them
	}
	known := &generation.Scope{Code: code, Path: filepath.Join(t.TempDir(), "FuzzFake.json"), Last: last, Test: "t"}
	s := &scope{Scope: known, changed: func(_ string, d *change.Declaration) bool { return changed(d) }}
	focus := change.FocusOn(x.Package.Program, code, s.changed)
	search := func(ctx context.Context, c *campaign.Campaign) error {
		inputs := fake.Inputs(found...)
		ev, err := c.Trial.Engine.Exact.Evaluate(ctx, evaluate.Query{Inputs: inputs, Select: wire.SelectNone})
		if err != nil {
			return err
		}
		c.Trial.Engine.Found(inputs, ev)
		return c.Settle(ctx)
	}
	return &regeneration{campaign: campaign.New(x.Project, x.Package, x.Test, focus, campaign.Options{Search: search}), focus: focus, scope: s}
}

func only(name string) func(*change.Declaration) bool {
	return func(d *change.Declaration) bool { return nameOf(d) == name }
}

func TestARegenerationSaysWhatItGainedAndLost(t *testing.T) {
	x := trialtest.Fake(t, trial.Hooks{}, "k1", "i8")
	last := generation.Read("")
	last.Killed = []string{"example.com/fake m1", "example.com/fake m8", "example.com/fake gone"}
	g := regenerationOf(t, x, last, only("f"), "k2 k6", "k3 i7")
	if err := g.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	r := g.Result().Regenerated
	if r.Functions != 1 || r.Mutants != 4 || r.Gained != 2 || !slices.Equal(r.Lost, []string{"m8"}) {
		t.Errorf("%+v", r)
	}
	for _, m := range g.Result().Mutants {
		if m.Changed != (m.ID <= "m4") {
			t.Errorf("%s: changed %v", m.ID, m.Changed)
		}
	}
	// What was searched is known the next time, and the rest is not.
	next := generation.Read(g.scope.Path)
	if next.Test != "t" || len(next.Declarations["/m"]) != 1 {
		t.Errorf("searched: %+v", next)
	}
	if want := []string{"example.com/fake m1", "example.com/fake m2", "example.com/fake m3", "example.com/fake m6"}; !slices.Equal(next.Killed, want) {
		t.Errorf("killed %q", next.Killed)
	}
}

func TestADryRunIsNotRemembered(t *testing.T) {
	x := trialtest.Fake(t, trial.Hooks{}, "k1")
	x.Project.Options.DryRun = true
	g := regenerationOf(t, x, generation.Read(""), only("f"))
	if err := g.Run(t.Context()); err != nil || g.Result() == nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(g.scope.Path); !os.IsNotExist(err) {
		t.Errorf("%v", err)
	}
	x = trialtest.Fake(t, trial.Hooks{}, "fail")
	g = regenerationOf(t, x, generation.Read(""), only("f"))
	if err := g.Run(t.Context()); err != nil || len(g.Result().Crashes) != 1 {
		t.Errorf("an entry that fails is a finding: %v, %+v", err, g.Result())
	}
}

// A regeneration that can't be remembered is as good as one that is.
func TestAGenerationThatCannotBeKeptIsAWarning(t *testing.T) {
	x := trialtest.Fake(t, trial.Hooks{}, "k1")
	g := regenerationOf(t, x, generation.Read(""), only("f"))
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	g.scope.Path = filepath.Join(file, "below")
	if err := g.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if w := g.Result().Warnings; len(w) == 0 || !strings.HasPrefix(w[len(w)-1], "the state of this regeneration can't be saved for the next") {
		t.Errorf("%q", w)
	}
}

func TestFuzzTestsWithoutChangesAreLeftOut(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "x_test.go")
	if err := os.WriteFile(file, []byte("package a\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	var told []string
	g := &regenerator{scopes: make(map[string]*scope), project: &project.Project{GoCache: t.TempDir(), Options: project.Options{
		Events: func(e project.Event) { told = append(told, e.Phase.Text) },
	}}}
	loaded := func() *project.Package {
		return &project.Package{Loaded: &load.Result{Test: instrument.TestPackage{ImportPath: "p", Dir: dir, Fuzz: []instrument.FuzzTest{{Name: "FuzzA", File: file}, {Name: "FuzzB", File: file}}}}}
	}
	b := loaded()
	g.plan(b) // no code at all
	if len(b.Loaded.Test.Fuzz) != 0 || len(g.scopes) != 0 || len(told) != 2 || !strings.HasSuffix(told[0], "no mutated function has changed since the last run") {
		t.Errorf("%+v, %q", b.Loaded.Test.Fuzz, told)
	}
	code := declared(t, "f")
	s := g.scope(loaded(), code, instrument.FuzzTest{Name: "FuzzA", File: file})
	if !code.Any(s.changed) {
		t.Error("nothing was searched yet, and nothing has changed")
	}
	if err := s.Keep(new(report.FuzzTest), s.changed); err != nil {
		t.Fatal(err)
	}
	if s = g.scope(loaded(), code, instrument.FuzzTest{Name: "FuzzA", File: file}); code.Any(s.changed) {
		t.Error("what was searched has changed")
	}
	if s = g.scope(loaded(), code, instrument.FuzzTest{Name: "FuzzB", File: file}); !code.Any(s.changed) {
		t.Error("another fuzz test has searched it, too")
	}
	if err := os.WriteFile(file, []byte("package a // more\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if s = g.scope(loaded(), code, instrument.FuzzTest{Name: "FuzzA", File: file}); !code.Any(s.changed) {
		t.Error("another fuzz test kills what that did")
	}
}

func TestTheStockEngineDoesNotRegenerate(t *testing.T) {
	if _, err := Run(t.Context(), Options{Options: project.Options{Engine: project.EngineNative}}); exit.CodeOf(err) != exit.Usage {
		t.Errorf("%v", err)
	}
}

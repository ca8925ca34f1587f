package reach_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/project"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/reach"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/trial/trialtest"
	"github.com/fuzzmut/fuzzmut/instrument"
)

const fuzz = `func FuzzX(f *testing.F) {
	f.Add(5)
	f.Fuzz(func(t *testing.T, n int) { F(n) })
}
`

// facade is a package that calls near, calls far for 7, and never calls cold.
const facade = `import (
	"example.com/p/cold"
	"example.com/p/far"
	"example.com/p/near"
)

// F returns a number.
func F(n int) int {
	switch n {
	case 7:
		return far.F(n)
	case 8:
		return cold.F(n)
	}
	return near.F(n)
}
`

func writeModule(t *testing.T, code, tests string, packages ...string) string {
	t.Helper()
	dir := trialtest.Module(t, code, tests)
	for _, name := range packages {
		sub := filepath.Join(dir, name)
		err := os.Mkdir(sub, 0o777)
		if err == nil {
			err = os.WriteFile(filepath.Join(sub, name+".go"), []byte("package "+name+"\n\n"+strings.ReplaceAll(trialtest.Sign, "Sign", "F")), 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// chosen opens a module, and returns what is mutated, and the lines that are said.
func chosen(t *testing.T, dir string, change func(*project.Options)) (mutated, said []string, err error) {
	t.Helper()
	opts := trialtest.Options(t, dir)
	opts.Events = func(e project.Event) {
		if e.Phase != nil {
			said = append(said, e.Phase.Text)
		}
	}
	if change != nil {
		change(&opts)
	}
	p, err := project.Open(t.Context(), project.Config{Options: opts, Choose: reach.Choose})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	err = p.EachTest(t.Context(), func(pkg *project.Package, _ instrument.FuzzTest) error {
		mutated = pkg.Loaded.Mutate
		for _, m := range pkg.Program.Mutants {
			if !slices.Contains(mutated, m.Package) {
				t.Errorf("there is a mutant of %s", m.Package)
			}
		}
		return nil
	})
	return mutated, said, err
}

func TestWhatTheSeedsReachIsMutated(t *testing.T) {
	dir := writeModule(t, facade, fuzz, "near", "far", "cold")
	got, said, err := chosen(t, dir, nil)
	if want := []string{"example.com/p", "example.com/p/near"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("%q, %v; want %q", got, err, want)
	}
	if !slices.ContainsFunc(said, func(s string) bool {
		return strings.HasPrefix(s, "mutating 2 packages of the module that the seeds reach: ., ./near; ") && strings.HasSuffix(s, " mutants; -mutate . narrows")
	}) {
		t.Errorf("said %q", said)
	}
	// An entry in testdata is a seed, too.
	data := corpus.Marshal([]any{7})
	if _, err := corpus.WriteFile(corpus.TestdataDir(dir, "FuzzX"), corpus.ManagedName(data), data); err != nil {
		t.Fatal(err)
	}
	if got, _, err := chosen(t, dir, nil); err != nil || len(got) != 3 || slices.Contains(got, "example.com/p/cold") {
		t.Errorf("with an entry: %q, %v", got, err)
	}
	got, said, err = chosen(t, dir, func(o *project.Options) { o.Mutate = []string{"."} })
	if err != nil || !slices.Equal(got, []string{"example.com/p"}) {
		t.Errorf("-mutate .: %q, %v", got, err)
	}
	if slices.ContainsFunc(said, func(s string) bool { return strings.Contains(s, "reach") }) {
		t.Errorf("-mutate . measures: %q", said)
	}
}

// A package that needs no other has no choice to make.
func TestAPackageAloneCostsNothing(t *testing.T) {
	got, said, err := chosen(t, trialtest.Module(t, trialtest.Sign, trialtest.FuzzSign), nil)
	if err != nil || !slices.Equal(got, []string{"example.com/p"}) {
		t.Errorf("%q, %v", got, err)
	}
	if slices.ContainsFunc(said, func(s string) bool { return strings.Contains(s, "reach") }) {
		t.Errorf("said %q", said)
	}
}

// Where there is nothing but a fuzz test, what it calls is mutated; where its seeds call
// nothing, there is nothing.
func TestAFuzzTestAloneHasItsTargetMutated(t *testing.T) {
	for body, want := range map[string][]string{"near.F(n)": {"example.com/p/near"}, "_ = near.F": nil} {
		dir := writeModule(t, "", strings.Replace(fuzz, "F(n)", body, 1), "near")
		test := filepath.Join(dir, "p_test.go")
		data, err := os.ReadFile(test)
		if err == nil {
			err = os.WriteFile(test, []byte(strings.Replace(string(data), `import "testing"`, "import (\n\t\"testing\"\n\n\t\"example.com/p/near\"\n)", 1)), 0o666)
		}
		if err == nil {
			err = os.Remove(filepath.Join(dir, "p.go"))
		}
		if err != nil {
			t.Fatal(err)
		}
		got, _, err := chosen(t, dir, nil)
		if !slices.Equal(got, want) || (err == nil) != (want != nil) || err != nil && exit.CodeOf(err) != exit.Usage {
			t.Errorf("%s: %q, %v", body, got, err)
		}
	}
}

// skips is a fuzz test that skips itself, as one without its data does.
const skips = `func FuzzSkips(f *testing.F) {
	f.Skip("no data")
	f.Fuzz(func(t *testing.T, n int) { F(n) })
}

`

func TestAFuzzTestThatSkipsItselfDoesNotKeepTheOthersFromRunning(t *testing.T) {
	dir := writeModule(t, facade, skips+fuzz, "near", "far", "cold")
	got, _, err := chosen(t, dir, nil)
	if want := []string{"example.com/p", "example.com/p/near"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("%q, %v; want %q", got, err, want)
	}
	got, _, err = chosen(t, dir, func(o *project.Options) { o.Fuzz = "FuzzSkips" })
	if exit.CodeOf(err) != exit.Baseline || !strings.Contains(err.Error(), "FuzzSkips ends without calling f.Fuzz") {
		t.Errorf("alone: %q, %v", got, err)
	}
}

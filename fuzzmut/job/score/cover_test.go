package score

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/cover"

	"github.com/fuzzmut/fuzzmut/corpus"
	corpora "github.com/fuzzmut/fuzzmut/fuzzmut/run/covered"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/project"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/trial/trialtest"
)

// tree copies a module of testdata/trees.
func tree(t *testing.T, name string) (dir string) {
	t.Helper()
	if testing.Short() {
		t.Skip("builds packages")
	}
	dir = filepath.Join(t.TempDir(), name)
	if err := os.CopyFS(dir, os.DirFS(filepath.Join("..", "..", "..", "testdata", "trees", name))); err != nil {
		t.Fatal(err)
	}
	return dir
}

// addEntry writes an entry of a fuzz test, under the name that a user may give it.
func addEntry(t *testing.T, dir, fuzz, name string, values ...any) {
	t.Helper()
	if _, err := corpus.WriteFile(corpus.TestdataDir(dir, fuzz), name, corpus.Marshal(values)); err != nil {
		t.Fatal(err)
	}
}

// profileOf scores a corpus and returns its coverage profile.
func profileOf(t *testing.T, opts project.Options, want exit.Code) []*cover.Profile {
	t.Helper()
	opts.CoverProfile = filepath.Join(t.TempDir(), "c.out")
	before := listing(t, opts.Dir)
	if _, err := Run(t.Context(), Options{Options: opts}); exit.CodeOf(err) != want {
		t.Fatal(err)
	}
	if diff := cmp.Diff(before, listing(t, opts.Dir)); diff != "" {
		t.Errorf("the tree is changed (-before +after):\n%s", diff)
	}
	return parse(t, opts.CoverProfile)
}

func parse(t *testing.T, path string) []*cover.Profile {
	t.Helper()
	profiles, err := cover.ParseProfiles(path)
	if err != nil || len(profiles) == 0 {
		t.Fatalf("%d files, %v", len(profiles), err)
	}
	for _, p := range profiles {
		if p.Mode != "set" {
			t.Errorf("%s: mode %s", p.FileName, p.Mode)
		}
	}
	return profiles
}

// listing is what a directory holds.
func listing(t *testing.T, dir string) (files []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, _ os.DirEntry, err error) error {
		files = append(files, path)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// goTest is the profile that the go command itself makes.
func goTest(t *testing.T, dir string, args ...string) []*cover.Profile {
	t.Helper()
	path := filepath.Join(t.TempDir(), "go.out")
	cmd := exec.Command("go", append([]string{"test", "-count=1", "-covermode=set", "-coverprofile=" + path}, args...)...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return parse(t, path)
}

// covered counts the blocks with a count.
func covered(profiles []*cover.Profile) (n int) {
	for _, p := range profiles {
		for _, b := range p.Blocks {
			n += min(b.Count, 1)
		}
	}
	return n
}

func TestTheProfileIsThatOfGoTest(t *testing.T) {
	for name, add := range map[string]func(dir string){
		"calc":     func(dir string) { addEntry(t, dir, "FuzzEval", "my entry, 1", "(a+2)*3%b", int64(7), int64(0)) },
		"generics": func(string) {},
		"intest":   func(string) {}, // external tests and a TestMain
	} {
		t.Run(name, func(t *testing.T) {
			dir := tree(t, name)
			add(dir)
			got := profileOf(t, project.Options{Dir: dir, Parallel: 1, Packages: []string{"./..."}}, exit.OK)
			want := goTest(t, dir, "-run=^Fuzz", "./...")
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("(-go test +fuzzmut):\n%s", diff)
			}
			if n := covered(got); n == 0 {
				t.Error("nothing is covered")
			}
		})
	}
}

// What a page shows as covered are the blocks of the profile.
func TestTheResultSaysWhatIsCovered(t *testing.T) {
	dir := tree(t, "calc")
	opts := project.Options{Dir: dir, Parallel: 1, Packages: []string{"./..."}}
	want := profileOf(t, opts, exit.OK)
	opts.Covered = true
	r, err := Run(t.Context(), Options{Options: opts})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(corpora.Profile(want).Report(), r.Covered); diff != "" || len(r.Covered) == 0 {
		t.Errorf("(-profile +result):\n%s", diff)
	}
}

// Two packages cover the blocks of a third, and -mutate says that they count.
func TestProfilesOfSeveralPackagesAreMerged(t *testing.T) {
	fuzz := func(pkg, call string) string {
		return "package " + pkg + "\n\nimport (\n\t\"testing\"\n\n\t\"example.com/m/c\"\n)\n\n" +
			"func Fuzz" + strings.ToUpper(pkg) + "(f *testing.F) {\n\tf.Add(1)\n\tf.Fuzz(func(t *testing.T, n int) { " + call + " })\n}\n"
	}
	if testing.Short() {
		t.Skip("builds packages")
	}
	dir := trialtest.Files(t, map[string]string{
		"go.mod": "module example.com/m\n\ngo 1.26\n",
		"a/a.go": "package a\n\nfunc A() int { return 1 }\n", "a/a_test.go": fuzz("a", "c.Sign(n - A())"),
		"b/b.go": "package b\n\nfunc B() int { return 2 }\n", "b/b_test.go": fuzz("b", "c.Sign(-n)"),
		"c/c.go": "package c\n\n" + trialtest.Sign,
	})
	opts := project.Options{Dir: dir, Parallel: 1, Packages: []string{"./a", "./b"}, Mutate: []string{"./..."}}
	got := profileOf(t, opts, exit.OK)
	if diff := cmp.Diff(goTest(t, dir, "-coverpkg=./...", "-run=^Fuzz", "./a", "./b"), got); diff != "" {
		t.Errorf("(-go test +fuzzmut):\n%s", diff)
	}
	// b.B is not called. Of c.Sign, a covers what 0 takes, and b what -1 takes.
	if i := slices.IndexFunc(got, func(p *cover.Profile) bool { return p.FileName == "example.com/m/c/c.go" }); len(got) != 3 || i < 0 || covered(got[i:i+1]) != 5 {
		t.Errorf("%d files, %d blocks covered", len(got), covered(got))
	}
}

// What fails has no place in a profile: a panic would end the run that makes it.
func TestFailingEntriesAreNotInTheProfile(t *testing.T) {
	const code = "// Pay panics without money.\nfunc Pay(n int) int {\n\tif n < 0 {\n\t\tpanic(\"no money\")\n\t}\n\tif n == 7 {\n\t\treturn 1\n\t}\n\treturn n\n}\n"
	const fuzz = "func FuzzX(f *testing.F) {\n\tf.Add(1)\n\tf.Fuzz(func(t *testing.T, n int) { Pay(n) })\n}\n"
	dir := trialtest.Module(t, code, fuzz, []any{7})
	addEntry(t, dir, "FuzzX", "failing", -1)
	opts := trialtest.Options(t, dir)
	got := profileOf(t, opts, exit.Failing)
	if diff := cmp.Diff(goTest(t, dir, "-run=^Fuzz", "-skip=^FuzzX$/^failing$", "."), got); diff != "" {
		t.Errorf("(-go test +fuzzmut):\n%s", diff)
	}
}

// A derived fuzz test is in no file that the go command would find.
func TestDerivedFuzzTestsHaveAProfile(t *testing.T) {
	dir := tree(t, "targetdir")
	if got := profileOf(t, project.Options{Dir: dir, Parallel: 1}, exit.OK); covered(got) == 0 {
		t.Error("nothing is covered")
	}
}

package golden

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/instrument/rt/golden"
)

// of is the entry of a golden file for an input, with one value.
func of(input, text string) golden.Entry {
	e := corpus.Of(input).Found()
	return Entry(&e, []golden.Value{{Name: "p.F #1 result 0", Text: text}})
}

func put(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

func apply(t *testing.T, path string, c Change) {
	t.Helper()
	if err := Apply(path, c); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, path string) *Values {
	t.Helper()
	v, err := Read(path)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// texts are the values by their inputs.
func texts(v *Values) map[string]string {
	m := make(map[string]string)
	for _, e := range v.Entries {
		m[e.Input] = e.Values[0].Text
	}
	return m
}

func TestChangesAreApplied(t *testing.T) {
	pkg := t.TempDir()
	path := Path(pkg, "FuzzX")
	if !read(t, path).None() {
		t.Error("there are values")
	}
	apply(t, path, Change{Packages: "p", Put: []golden.Entry{of("a", "int 1"), of("b", "int 2")}})
	apply(t, path, Change{Packages: "p", Put: []golden.Entry{of("b", "int 3"), of("c", "int 4")}})
	v := read(t, path)
	if diff := cmp.Diff(map[string]string{`"a"`: "int 1", `"b"`: "int 3", `"c"`: "int 4"}, texts(v)); diff != "" || v.Packages != "p" || v.Bad != nil {
		t.Errorf("%+v (-want +got):\n%s", v, diff)
	}
	e, other := corpus.Of("b").Seed(3), corpus.Of("d").Seed(4)
	if got := v.Of(&e); got == nil || got.Values[0].Text != "int 3" || v.Of(&other) != nil {
		t.Errorf("%v, %v", got, v.Of(&other))
	}
	if names, err := Tests(pkg); err != nil || !cmp.Equal(names, []string{"FuzzX"}) {
		t.Errorf("Tests: %v, %v", names, err)
	}
	// What is left of a file without entries is nothing.
	for range 2 {
		apply(t, path, Change{Packages: "p", Drop: []string{golden.Key(of("a", "").Name), golden.Key(of("b", "").Name), golden.Key(of("c", "").Name)}})
	}
	if _, err := os.Stat(Root(pkg)); !os.IsNotExist(err) {
		t.Errorf("an empty directory is left: %v", err)
	}
}

func TestADamagedFileStaysUntilItIsReplaced(t *testing.T) {
	path := Path(t.TempDir(), "FuzzX")
	a, b := of("a", "int 1"), of("b", "int 2")
	f := golden.File{Packages: "p", Entries: []golden.Entry{a, b}}
	text := strings.Replace(string(f.Marshal()), "-- "+b.Name+", 1 value", "-- "+b.Name+", 2 values", 1)
	put(t, path, text)
	v := read(t, path)
	want := []Bad{{Path: path, Line: strings.Count(text[:strings.Index(text, b.Name)], "\n") + 3, Entry: b.Name, Text: "1 values, not 2: lines are missing or were added"}}
	if a.Name > b.Name {
		want[0].Line += 2
	}
	if diff := cmp.Diff(want, v.Bad, cmpopts.IgnoreFields(Bad{}, "Line")); diff != "" || len(v.Entries) != 1 || v.None() {
		t.Errorf("%+v (-want +got):\n%s", v, diff)
	}
	if got := v.Bad[0].Error(); !strings.HasPrefix(got, path+":") || !strings.HasSuffix(got, ": "+b.Name+": "+want[0].Text) {
		t.Errorf("%s", got)
	}
	c := Change{Packages: "p", Put: []golden.Entry{of("c", "int 3")}}
	if err := Apply(path, c); !errors.Is(err, ErrUnusable) {
		t.Errorf("%v", err)
	}
	if data, _ := os.ReadFile(path); string(data) != text {
		t.Errorf("it is another file: %s", data)
	}
	c.Replace = true
	apply(t, path, c)
	if diff := cmp.Diff(map[string]string{`"a"`: "int 1", `"c"`: "int 3"}, texts(read(t, path))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestWhatIsNoFileIsBad(t *testing.T) {
	dir := t.TempDir()
	path := Path(dir, "FuzzX")
	if err := os.MkdirAll(path, 0o777); err != nil {
		t.Fatal(err)
	}
	if v := read(t, path); len(v.Bad) != 1 || v.Bad[0].Error() != path+": not a regular file" {
		t.Errorf("%+v", v)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("nothing", path); err != nil {
		t.Skip(err)
	}
	if v := read(t, path); len(v.Bad) != 1 || !strings.HasSuffix(v.Bad[0].Error(), "leads to nothing") {
		t.Errorf("%+v", v)
	}
}

// Earlier versions had a directory with a file for each entry.
func TestFilesOfEarlierVersionsAreReplacedAsAWhole(t *testing.T) {
	const old = "fuzzmut-0123456789abcdef"
	pkg := t.TempDir()
	path := Path(pkg, "FuzzX")
	dir := strings.TrimSuffix(path, ".txt")
	put(t, filepath.Join(dir, old), "fuzzmut golden v2\nobserves p q\n\na\n\tint 1\n\nend, 1 values\n")
	put(t, filepath.Join(dir, "notes"), "the user's")
	v := read(t, path)
	if v.Earlier != dir || v.Packages != "p q" || v.None() || len(v.Entries)+len(v.Bad) > 0 {
		t.Errorf("%+v", v)
	}
	if names, err := Tests(pkg); err != nil || !cmp.Equal(names, []string{"FuzzX"}) {
		t.Errorf("Tests: %v, %v", names, err)
	}
	c := Change{Packages: "p q", Put: []golden.Entry{of("a", "int 1")}}
	if err := Apply(path, c); !errors.Is(err, ErrUnusable) {
		t.Errorf("%v", err)
	}
	c.Replace = true
	apply(t, path, c)
	if v := read(t, path); v.Earlier != "" || len(v.Entries) != 1 {
		t.Errorf("%+v", v)
	}
	if list, _ := os.ReadDir(dir); len(list) != 1 || list[0].Name() != "notes" {
		t.Errorf("left are %v", list)
	}
	// A damaged one says nothing of packages.
	put(t, filepath.Join(dir, old), "")
	if v := read(t, path); v.Earlier != dir || v.Packages != "p q" {
		t.Errorf("%+v", v)
	}
}

func TestGoldenValuesGoWithTheirEntries(t *testing.T) {
	pkg := t.TempDir()
	path := Path(pkg, "FuzzX")
	entries := []golden.Entry{of("a", "int 1"), of("b", "int 2"), of("c", "int 3")}
	apply(t, path, Change{Packages: "p", Put: entries})
	err := Drop([]string{
		filepath.Join(corpus.TestdataDir(pkg, "FuzzX"), entries[0].Name),
		filepath.Join(corpus.TestdataDir(pkg, "FuzzX"), entries[2].Name),
		filepath.Join(corpus.TestdataDir(pkg, "FuzzY"), entries[1].Name), // another fuzz test has no golden values
		filepath.Join(pkg, "elsewhere", "FuzzX", entries[1].Name),        // an entry of another directory
	})
	if got := texts(read(t, path)); err != nil || !cmp.Equal(got, map[string]string{`"b"`: "int 2"}) {
		t.Errorf("%v, %v", got, err)
	}
	put(t, path, "<<<<<<< HEAD\n")
	if err := Drop([]string{filepath.Join(corpus.TestdataDir(pkg, "FuzzX"), entries[1].Name)}); err != nil {
		t.Errorf("a damaged file: %v", err)
	}
}

func TestFilesAreToldByTheirNames(t *testing.T) {
	for name, want := range map[string]string{
		"testdata/fuzz-golden/FuzzX.txt":                           ". FuzzX",
		"a/b/testdata/fuzz-golden/FuzzX.txt":                       "a/b FuzzX",
		"a/testdata/fuzz-golden/FuzzX/fuzzmut-0123456789abcdef":    "a FuzzX",
		"a/testdata/fuzz-golden/notes.txt":                         "",
		"a/testdata/fuzz-golden/FuzzX":                             "",
		"a/testdata/fuzz-golden/FuzzX/notes":                       "",
		"a/testdata/fuzz/FuzzX/fuzzmut-0123456789abcdef":           "",
		"a/testdata/fuzz-golden/x/FuzzX.txt":                       "",
		"FuzzX.txt":                                                "",
		"a/testdata/x/fuzz-golden/FuzzX/fuzzmut-0123456789abcdef":  "",
		"a/testdata/fuzz-golden/FuzzX/y/fuzzmut-0123456789abcdef":  "",
		"a/testdata/fuzz-golden/FuzzX/fuzzmut-0123456789abcdef.gz": "",
	} {
		dir, fuzz, ok := Split(name)
		got := ""
		if ok {
			got = dir + " " + fuzz
		}
		if got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

// Two branches that add entries merge, or what git leaves is read all the same.
func TestBranchesMerge(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip(err)
	}
	pkg := t.TempDir()
	git := func(args ...string) error {
		cmd := exec.Command("git", append([]string{"-c", "user.name=n", "-c", "user.email=e", "-c", "init.defaultBranch=main"}, args...)...)
		cmd.Dir = pkg
		cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_SYSTEM="+os.DevNull)
		out, err := cmd.CombinedOutput()
		t.Logf("git %v: %v\n%s", args, err, out)
		return err
	}
	must := func(args ...string) {
		t.Helper()
		if err := git(args...); err != nil {
			t.Fatal(args, err)
		}
	}
	path := Path(pkg, "FuzzX")
	all := []golden.Entry{of("a", "int 1"), of("b", "int 1"), of("c", "int 1"), of("d", "int 1"), of("e", "int 1")}
	slices.SortFunc(all, func(a, b golden.Entry) int { return strings.Compare(a.Name, b.Name) })
	for _, c := range []struct {
		name               string
		base, ours, theirs []golden.Entry
		conflict           bool
	}{
		{"in different places", []golden.Entry{all[0], all[2], all[4]}, []golden.Entry{all[1]}, []golden.Entry{all[3]}, false},
		{"in one place", []golden.Entry{all[0], all[4]}, []golden.Entry{all[1]}, []golden.Entry{all[2], all[3]}, true},
	} {
		must("init", "-q")
		commit := func(entries []golden.Entry) {
			apply(t, path, Change{Packages: "p", Put: entries})
			must("add", ".")
			must("commit", "-qm", "entries")
		}
		commit(c.base)
		must("checkout", "-qb", "theirs")
		commit(c.theirs)
		must("checkout", "-q", "main")
		commit(c.ours)
		if err := git("merge", "-qm", "merge", "theirs"); (err != nil) != c.conflict {
			t.Errorf("%s: %v", c.name, err)
		}
		v := read(t, path)
		if len(v.Entries) != len(c.base)+len(c.ours)+len(c.theirs) || (len(v.Bad) > 0) != c.conflict {
			t.Errorf("%s: %d entries, %+v", c.name, len(v.Entries), v.Bad)
		}
		for _, name := range []string{".git", "testdata"} {
			if err := os.RemoveAll(filepath.Join(pkg, name)); err != nil {
				t.Fatal(err)
			}
		}
	}
}

package hook

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
)

func TestFilesThatMayConcernACorpus(t *testing.T) {
	config, err := os.ReadFile(filepath.Join("..", "..", "..", ".pre-commit-hooks.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	m := regexp.MustCompile(`(?m)^  files: '(.*)'$`).FindSubmatch(config)
	if m == nil || !strings.Contains(string(config), "\n  entry: fuzzmut hook run\n") {
		t.Fatalf("the configuration of the pre-commit framework:\n%s", config)
	}
	framework := regexp.MustCompile(string(m[1]))
	for name, want := range map[string]bool{
		"a.go": true, "x/y_test.go": true, "go.mod": true, "x/go.sum": true, "go.work": true, "go.work.sum": true,
		"testdata/fuzz/FuzzX/seed": true, "x/testdata/fuzz/FuzzX/fuzzmut-0123456789abcdef": true,
		"x/testdata/fuzz-golden/FuzzX.txt": true, "x/testdata/fuzz-golden/FuzzX/fuzzmut-0123456789abcdef": true, "x/testdata/fuzz-golden/notes.txt": false,
		"README.md": false, "cargo.mod": false, "x/testdata/fuzz": false, "testdata/fuzz/FuzzX/dir/file": false, "fuzz/FuzzX/a/b": false,
	} {
		if got := mayConcern(name); got != want {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
		if got := framework.MatchString(name); got != want {
			t.Errorf("%s, for the framework: %v, want %v", name, got, want)
		}
	}
}

func TestTargetsAreNamedFromTheirModules(t *testing.T) {
	modules := map[string]bool{".": true, "a/b": true}
	for _, tt := range []struct{ dir, module, pattern string }{
		{".", ".", "."},
		{"a", ".", "./a"},
		{"a/b", "a/b", "."},
		{"a/b/c/d", "a/b", "./c/d"},
		{"a/bc", ".", "./a/bc"},
	} {
		tg := target{dir: tt.dir, module: moduleOf(tt.dir, modules)}
		if tg.module != tt.module || tg.pattern() != tt.pattern {
			t.Errorf("%s: %s in %s", tt.dir, tg.pattern(), tg.module)
		}
	}
	if m := moduleOf("x/y", map[string]bool{"x/y/z": true}); m != "" {
		t.Errorf("x/y is in the module %q", m)
	}
	tg := target{dir: "a/b c", module: "a/b c", tests: []string{"FuzzA", "FuzzÄ.x"}}
	if got := tg.command("verify", "-update"); got != "fuzzmut corpus verify -update -C 'a/b c' ." {
		t.Error(got)
	}
	if re := regexp.MustCompile(tg.regexp()); !re.MatchString("FuzzA") || re.MatchString("FuzzAB") || re.MatchString("FuzzÄyx") {
		t.Errorf("%v", re)
	}
}

func TestOneFileConcernsItsPackageOrItsModule(t *testing.T) {
	tg := target{dir: "m/p", module: "m"}
	for name, want := range map[string]bool{
		"m/p/a.go": true, "m/p/a_test.go": true, "m/go.mod": true, "go.work": true, "m/p/testdata/fuzz/FuzzX/f": true,
		"m/q/a.go": false, "go.mod": false, "m/p/q/a.go": false, "m/p/q/testdata/fuzz/FuzzX/f": false,
	} {
		if got := tg.obviously(name); got != want {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
}

func TestGoldenFilesAreListedByFuzzTest(t *testing.T) {
	tg := target{dir: "p"}
	got := tg.golden([]string{"p/testdata/fuzz-golden/FuzzX.txt", "p/testdata/fuzz/FuzzY/b", "q/testdata/fuzz-golden/FuzzZ.txt", "p/x.go"})
	if diff := cmp.Diff([]string{"FuzzX"}, got); diff != "" {
		t.Error(diff)
	}
	if got := someOf([]string{"1", "2", "3", "4", "5", "6", "7"}); got != "1 2 3 4 5 and 2 more" {
		t.Error(got)
	}
}

// entry is a name that fuzzmut gives.
const entry = "testdata/fuzz/FuzzX/fuzzmut-0123456789abcdef"

func TestChangesAreThoseOfManagedFiles(t *testing.T) {
	before := snapshot{entry + "0": nil, entry[:len(entry)-1] + "0": []byte("a"), entry[:len(entry)-1] + "1": []byte("b"), "testdata/fuzz/FuzzX/mine": []byte("c")}
	after := snapshot{entry[:len(entry)-1] + "1": []byte("B"), entry[:len(entry)-1] + "2": []byte("d"), "testdata/fuzz/FuzzX/0123456789abcdef": []byte("e")}
	var got []string
	for _, c := range changes(before, after) {
		got = append(got, c.name[len(entry)-1:]+" "+string(c.before)+">"+string(c.after))
	}
	if diff := cmp.Diff([]string{"0 a>", "1 b>B", "2 >d"}, got); diff != "" {
		t.Error(diff)
	}
}

func TestFilesOfTheUserStay(t *testing.T) {
	for _, tt := range []struct {
		name               string
		now, before, after string // "" is no file
		want               string
		written            bool
	}{
		{"a new file", "", "", "new", "new", true},
		{"a new file that is there", "mine", "", "new", "mine", false},
		{"a changed file", "old", "old", "new", "new", true},
		{"a changed file that was edited", "mine", "old", "new", "mine", false},
		{"a changed file that was removed", "", "old", "new", "", false},
		{"a removed file", "old", "old", "", "", true},
		{"a removed file that was edited", "mine", "old", "", "mine", false},
	} {
		root := t.TempDir()
		path := filepath.Join(root, filepath.FromSlash(entry))
		if tt.now != "" {
			if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(tt.now), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		content := func(s string) []byte {
			if s == "" {
				return nil
			}
			return []byte(s)
		}
		c := fileChange{entry, content(tt.before), content(tt.after)}
		written, err := c.write(root)
		got, _ := os.ReadFile(path)
		if err != nil || written != tt.written || string(got) != tt.want {
			t.Errorf("%s: %q, %v, %v", tt.name, got, written, err)
		}
		if written {
			undo(root, []fileChange{c})
		}
		if got, _ := os.ReadFile(path); string(got) != tt.now {
			t.Errorf("%s: taken back it is %q", tt.name, got)
		}
	}
}

func TestLinksThatLeadOutAreSeen(t *testing.T) {
	tg := target{dir: "p", module: "p", tests: []string{"FuzzX"}}
	for _, tt := range []struct {
		link, to string // below the root
		want     bool
	}{
		{"", "", true},
		{"p/testdata/fuzz/FuzzX", "other", true},
		{"p/testdata/fuzz/FuzzX", "../outside", false},
		{"p/testdata/fuzz-golden", "../outside", false},
		{"p/testdata", "../outside", false},
	} {
		base := t.TempDir()
		root := filepath.Join(base, "root")
		for _, dir := range []string{filepath.Join(root, filepath.Dir(tt.link)), filepath.Join(root, "other"), filepath.Join(base, "outside")} {
			if err := os.MkdirAll(dir, 0o777); err != nil {
				t.Fatal(err)
			}
		}
		if tt.link != "" {
			if err := os.Symlink(filepath.Join(root, tt.to), filepath.Join(root, tt.link)); err != nil {
				t.Fatal(err)
			}
		}
		j := &job{tree: &checkout{root: root}}
		if got := j.encloses(tg); got != tt.want {
			t.Errorf("%s to %s: %v", tt.link, tt.to, got)
		}
	}
}

func TestAHookIsKnownByItsText(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "hook")
	text := func(program *Program, args ...string) []byte {
		if err := writeHook(path, Commit.scriptFor(program, args)); err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	for _, data := range [][]byte{
		text(&Program{Words: []string{"/bin/fuzzmut"}, Local: true, Fix: "x"}), text(&Program{Words: []string{"/a b/it's"}, Local: true}, "-budget", "5s", "-tags=x y"),
		text(&Program{Words: []string{"go", "-C", "lib", "tool", "fuzzmut"}, Elsewhere: true}),
	} {
		if !Commit.isOurs(data) {
			t.Errorf("not known:\n%s", data)
		}
		if Commit.isOurs(append(data, "true\n"...)) || Commit.isOurs([]byte("#!/bin/sh\n"+marker+"\n")) {
			t.Error("an edited one is taken for ours")
		}
	}
	if info, err := os.Stat(path); err != nil || info.Mode()&0o111 == 0 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	if code := exit.CodeOf(writeHook(filepath.Join(path, "x"), nil)); code != exit.Usage {
		t.Errorf("code %d", code)
	}
}

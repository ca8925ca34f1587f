package versions

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	xmodule "golang.org/x/mod/module"
	"golang.org/x/mod/zip"

	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
)

// proxy makes a module proxy with versions of modules, and returns an environment in which
// nothing else is asked. Each archive holds the files of one version.
func proxy(t *testing.T, versions map[string]string) []string {
	t.Helper()
	dir := t.TempDir()
	for name, archive := range versions {
		path, version, _ := strings.Cut(name, "@")
		src := t.TempDir()
		put(t, src, archive)
		at := filepath.Join(dir, filepath.FromSlash(path), "@v")
		if err := os.MkdirAll(at, 0o777); err != nil {
			t.Fatal(err)
		}
		var packed bytes.Buffer
		if err := zip.CreateFromDir(&packed, xmodule.Version{Path: path, Version: version}, src); err != nil {
			t.Fatal(err)
		}
		mod, err := os.ReadFile(filepath.Join(src, "go.mod"))
		if err != nil {
			t.Fatal(err)
		}
		for suffix, text := range map[string][]byte{".zip": packed.Bytes(), ".mod": mod, ".info": fmt.Appendf(nil, `{"Version": %q}`, version)} {
			if err := os.WriteFile(filepath.Join(at, version+suffix), text, 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
	out, err := exec.Command("go", "env", "GOCACHE").Output()
	if err != nil {
		t.Fatal(err)
	}
	// What an earlier test has copied may be of other versions of this one.
	if err := os.RemoveAll(filepath.Join(strings.TrimSpace(string(out)), "fuzz", "fuzzmut-mod", "versions.example")); err != nil {
		t.Fatal(err)
	}
	return append(os.Environ(), "GOPROXY=file://"+filepath.ToSlash(dir), "GOMODCACHE="+t.TempDir(), "GOFLAGS=-modcacherw",
		"GOSUMDB=off", "GOWORK=off", "GOTOOLCHAIN=local")
}

const user = `
-- go.mod --
module example.com/user

go 1.26

require versions.example/dep v1.0.0
-- main.go --
package main

import "versions.example/dep"

func main() { println(dep.F()) }
`

// versions are those of a module; the later one needs another module.
var versions = map[string]string{
	"versions.example/dep@v1.0.0": `
-- go.mod --
module versions.example/dep

go 1.26
-- dep.go --
package dep

// F is old.
func F() string { return "old" }
-- same.go --
package dep

// Old comment.
var x = 1
-- dep_test.go --
package dep
`,
	"versions.example/dep@v1.1.0": `
-- go.mod --
module versions.example/dep

go 1.26

require versions.example/other v1.0.0
-- dep.go --
package dep

import "versions.example/other"

// F is new.
func F() string { return other.G() }
-- same.go --
package dep

// New comment.
var x = 1
-- dep_test.go --
package dep

var y = 1
`,
	"versions.example/dep@v1.2.0": `
-- go.mod --
module versions.example/dep

go 1.99
`,
	"versions.example/other@v1.0.0": `
-- go.mod --
module versions.example/other

go 1.26
-- other.go --
package other

func G() string { return "new" }
`,
}

// sums has the go command complete a go.mod and its go.sum.
func sums(t *testing.T, dir string, env []string) {
	t.Helper()
	cmd := exec.Command("go", "mod", "tidy")
	cmd.Dir, cmd.Env = dir, env
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("go mod tidy: %v\n%s", err, out)
	}
}

func TestVersionsOfADependency(t *testing.T) {
	env := proxy(t, versions)
	dir := t.TempDir()
	put(t, dir, user)
	sums(t, dir, env)
	before := snapshot(t, dir)
	p, err := Find(t.Context(), Question{Dir: dir, WorkDir: t.TempDir(), Env: env, With: []string{"versions.example/dep@v1.1.0"}})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"versions.example/dep/dep.go"}, names(p)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if p.Old.Name != "versions.example/dep v1.0.0" || p.New.Name != "versions.example/dep v1.1.0 with versions.example/other v1.0.0" {
		t.Errorf("%q, %q", p.Old.Name, p.New.Name)
	}
	if old, new := goRun(t, p.Old), goRun(t, p.New); old != "old\n" || new != "new\n" {
		t.Errorf("%q, %q", old, new)
	}
	f := p.Files[0]
	change := map[string][]byte{f.OldPath: []byte("package dep\n\nfunc F() string { return `changed` }\n")}
	if got := goRun(t, p.Old, change); got != "changed\n" {
		t.Errorf("with an overlay of %s: %q", f.OldPath, got)
	}
	if diff := cmp.Diff(before, snapshot(t, dir)); diff != "" {
		t.Errorf("the user's files (-before +after):\n%s", diff)
	}
}

// A revision whose go.mod names another version is compared with that version's code.
func TestRevisionThatRaisesADependency(t *testing.T) {
	env := proxy(t, versions)
	dir := t.TempDir()
	put(t, dir, user)
	sums(t, dir, env)
	runGit(t, dir, "init", "-q")
	commit(t, dir, "raised-before")
	raise := exec.Command("go", "get", "versions.example/dep@v1.1.0")
	raise.Dir, raise.Env = dir, env
	if out, err := raise.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, own := range []bool{false, true} {
		want := []string{"versions.example/dep/dep.go"}
		if own { // the change is in the module as well
			want = append([]string{"main.go"}, want...)
			put(t, dir, "-- main.go --\npackage main\n\nimport \"versions.example/dep\"\n\nfunc main() { println(dep.F() + \"!\") }\n")
		}
		before := snapshot(t, dir)
		p, err := Find(t.Context(), Question{Dir: dir, WorkDir: t.TempDir(), Env: env, Revision: "raised-before"})
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range p.Files {
			of := map[bool]string{true: "versions.example/dep v1.1.0 in place of v1.0.0"}[f.Name != "main.go"]
			if f.Dependency != of {
				t.Errorf("%s is of %q, want %q", f.Name, f.Dependency, of)
			}
		}
		if diff := cmp.Diff(want, names(p)); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		wantNew := "new\n"
		if own {
			wantNew = "new!\n"
		}
		if old, new := goRun(t, p.Old), goRun(t, p.New); old != "old\n" || new != wantNew {
			t.Errorf("%q, %q", old, new)
		}
		if diff := cmp.Diff(before, snapshot(t, dir)); diff != "" {
			t.Errorf("the user's files (-before +after):\n%s", diff)
		}
	}
}

// snapshot returns what is in a directory.
func snapshot(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := make(map[string]string)
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range list {
		text, err := os.ReadFile(filepath.Join(dir, f.Name()))
		if err != nil && !f.IsDir() {
			t.Fatal(err)
		}
		files[f.Name()] = string(text)
	}
	return files
}

// The file that is damaged is named, not the copy that the go command has.
func TestADamagedGoModIsNamed(t *testing.T) {
	env := proxy(t, versions)
	dir := t.TempDir()
	put(t, dir, user)
	sums(t, dir, env)
	mod := filepath.Join(dir, "go.mod")
	text, err := os.ReadFile(mod)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(mod, append(text, "\nrequirez x\n"...), 0o666); err != nil {
		t.Fatal(err)
	}
	_, err = Find(t.Context(), Question{Dir: dir, WorkDir: t.TempDir(), Env: env, With: []string{"versions.example/dep@v1.1.0"}})
	if exit.CodeOf(err) != exit.Usage || !strings.HasPrefix(err.Error(), mod+":") || !strings.HasSuffix(err.Error(), ": unknown directive: requirez: repair the file first") {
		t.Errorf("got %v", err)
	}
}

// Where modules are vendored, go.mod is not read to compare revisions; it is no code that stays
// the same all the same.
func TestADamagedGoModBesideVendoredModulesIsNamed(t *testing.T) {
	env := proxy(t, versions)
	dir := t.TempDir()
	put(t, dir, user)
	put(t, dir, "-- vendor/modules.txt --\n# versions.example/dep v1.0.0\n")
	runGit(t, dir, "init", "-q")
	commit(t, dir, "whole")
	mod := filepath.Join(dir, "go.mod")
	text, err := os.ReadFile(mod)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(mod, append(text, "\nrequirez x\n"...), 0o666); err != nil {
		t.Fatal(err)
	}
	_, err = Find(t.Context(), Question{Dir: dir, WorkDir: t.TempDir(), Env: env, Revision: "whole"})
	if exit.CodeOf(err) != exit.Usage || err == nil || !strings.HasSuffix(err.Error(), ": unknown directive: requirez: repair the file first") {
		t.Errorf("got %v", err)
	}
}

func TestVersionsThatCantBeCompared(t *testing.T) {
	env := proxy(t, versions)
	dir := t.TempDir()
	put(t, dir, user)
	sums(t, dir, env)
	for with, want := range map[string]string{
		"versions.example/dep":         "-with versions.example/dep: name a module and a version",
		"versions.example/none@v1.0.0": "go.mod does not need module versions.example/none",
		"versions.example/dep@v1.0.0":  "go.mod needs that version: name another one",
		"versions.example/dep@v1.9.0":  "-with versions.example/dep@v1.9.0: versions.example/dep@v1.9.0: ",
		"versions.example/dep@v1.2.0":  "requires go >= 1.99",
		"example.com/user@v1.0.0":      "that is the main module",
	} {
		_, err := Find(t.Context(), Question{Dir: dir, WorkDir: t.TempDir(), Env: env, With: []string{with}})
		if exit.CodeOf(err) != exit.Usage || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: got %v, want %q", with, err, want)
		}
	}
}

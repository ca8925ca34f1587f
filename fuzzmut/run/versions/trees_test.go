package versions

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
)

const dirty = `
-- sub/sub.go --
package sub

func F() string { return "dirty" + h() }
`

func TestTwoRevisions(t *testing.T) {
	dir := repository(t, program, changed)
	commit(t, dir, "new")
	want := []string{"sub/g.go", "sub/h ö.go", "sub/sub.go"}

	p := ask(t, Question{Dir: filepath.Join(dir, "sub"), Revision: "old..HEAD"})
	if diff := cmp.Diff(want, names(p)); diff != "" {
		t.Errorf("HEAD in a clean tree (-want +got):\n%s", diff)
	}
	if p.New.Dir != filepath.Join(dir, "sub") || !strings.HasPrefix(p.New.Name, "HEAD (") {
		t.Errorf("HEAD in a clean tree: %q in %s", p.New.Name, p.New.Dir)
	}

	put(t, dir, dirty)
	p = ask(t, Question{Dir: dir, Revision: "old..new"})
	if diff := cmp.Diff(want, names(p)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if old, new := goRun(t, p.Old), goRun(t, p.New); old != "old g\n" || new != "new h\n" {
		t.Errorf("%q, %q", old, new)
	}
	p = ask(t, Question{Dir: dir, Revision: "new..old"})
	if old, new := goRun(t, p.Old), goRun(t, p.New); old != "new h\n" || new != "old g\n" {
		t.Errorf("the other way: %q, %q", old, new)
	}
}

func TestMergeBase(t *testing.T) {
	dir := repository(t, program, dirty)
	runGit(t, dir, "checkout", "-q", "-b", "branch")
	write := func(name string) { // files that git does not take for renamed
		put(t, dir, "-- sub/"+name+".go --\npackage sub\n\nconst "+name+" = `"+strings.Repeat(name+"\n", 50)+"`\n")
		runGit(t, dir, "add", "sub/"+name+".go")
		runGit(t, dir, "commit", "-q", "-m", name)
	}
	write("b")
	runGit(t, dir, "checkout", "-q", "main")
	write("m")
	runGit(t, dir, "checkout", "-q", "branch")
	for revision, want := range map[string][]string{
		"main":          {"sub/b.go", "sub/m.go", "sub/sub.go"},
		"main...":       {"sub/b.go", "sub/sub.go"},
		"main..branch":  {"sub/b.go", "sub/m.go"},
		"main...branch": {"sub/b.go"},
	} {
		p := ask(t, Question{Dir: dir, Revision: revision})
		if diff := cmp.Diff(want, names(p)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", revision, diff)
		}
		if strings.Contains(revision, "...") != strings.HasPrefix(p.Old.Name, "the merge base with main (") {
			t.Errorf("%s: %q", revision, p.Old.Name)
		}
	}
}

func TestAnotherTree(t *testing.T) {
	old, dir := t.TempDir(), t.TempDir()
	put(t, old, program)
	put(t, dir, program)
	put(t, dir, changed)
	p := ask(t, Question{Dir: filepath.Join(dir, "sub"), Old: old})
	if diff := cmp.Diff([]string{"sub/g.go", "sub/h ö.go", "sub/sub.go"}, names(p)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	p = ask(t, Question{Dir: dir, Old: old})
	if got, new := goRun(t, p.Old), goRun(t, p.New); got != "old g\n" || new != "new h\n" {
		t.Errorf("%q, %q", got, new)
	}
	other := t.TempDir()
	put(t, other, "-- go.mod --\nmodule example.com/other\n")
	for old, want := range map[string]string{
		"nope":                    "there is no such directory",
		t.TempDir():               "it is in no module",
		other:                     "module example.com/other is there, and in " + dir + " it is module example.com/m",
		filepath.Join(dir, "sub"): "that is part of the tree in " + dir,
	} {
		_, err := Find(t.Context(), Question{Dir: dir, WorkDir: t.TempDir(), Old: old})
		if exit.CodeOf(err) != exit.Usage || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q", old, err, want)
		}
	}
}

const replaced = `
-- m/go.mod --
module example.com/m

go 1.26

require example.com/a v0.0.0

replace example.com/a => ../a
-- m/main.go --
package main

import "example.com/a"

func main() { println(a.F()) }
-- a/go.mod --
module example.com/a

go 1.26
-- a/a.go --
package a

func F() string { return "old" }
-- b/go.mod --
module example.com/a

go 1.26
-- b/b.go --
package a

func F() string { return "new" }
`

// The old side has the old requirements, and modules that are directories of the tree
// differ as others do.
func TestGoModThatDiffers(t *testing.T) {
	dir := repository(t, replaced, "-- m/go.mod --\nmodule example.com/m\n\ngo 1.26\n\nrequire example.com/a v0.0.0\n\nreplace example.com/a => ../b\n"+
		"-- a/a.go --\npackage a\n\nfunc F() string { return \"not built\" }\n")
	p := ask(t, Question{Dir: filepath.Join(dir, "m"), Revision: "old"})
	if diff := cmp.Diff([]string{"../a/a.go"}, names(p)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"go.mod"}, p.Other); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if old, new := goRun(t, p.Old), goRun(t, p.New); old != "old\n" || new != "new\n" {
		t.Errorf("%q, %q", old, new)
	}
}

// What lies outside a repository is found from a copy of the tree, too.
func TestReplacementOutsideTheTree(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, replaced)
	repo := filepath.Join(dir, "m")
	runGit(t, repo, "init", "-q", "-b", "main")
	commit(t, repo, "old")
	put(t, repo, "-- main.go --\npackage main\n\nimport \"example.com/a\"\n\nfunc main() { println(a.F(), 2) }\n")
	commit(t, repo, "new")
	put(t, repo, "-- main.go --\npackage broken\n")
	p := ask(t, Question{Dir: repo, Revision: "old..new"})
	if old, new := goRun(t, p.Old), goRun(t, p.New); old != "old\n" || new != "old 2\n" {
		t.Errorf("%q, %q", old, new)
	}
}

func TestWorkspace(t *testing.T) {
	dir := repository(t, replaced+"-- go.work --\ngo 1.26\n\nuse (\n\t./m\n\t./a\n)\n-- m/go.mod --\nmodule example.com/m\n\ngo 1.26\n",
		"-- go.work --\ngo 1.26\n\nuse (\n\t./m\n\t./b\n)\n-- m/main.go --\npackage main\n\nimport \"example.com/a\"\n\nfunc main() { println(a.F(), 2) }\n")
	commit(t, dir, "new")
	for _, revision := range []string{"old", "old..new"} {
		p := ask(t, Question{Dir: filepath.Join(dir, "m"), Revision: revision})
		if old, new := goRun(t, p.Old), goRun(t, p.New); old != "old\n" || new != "new 2\n" {
			t.Errorf("%s: %q, %q", revision, old, new)
		}
		put(t, dir, "-- m/main.go --\npackage broken\n")
	}
}

func TestThroughASymbolicLink(t *testing.T) {
	dir := repository(t, program, changed)
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(dir, link); err != nil {
		t.Skip(err)
	}
	p := ask(t, Question{Dir: filepath.Join(link, "sub"), Revision: "old"})
	if want := filepath.Join(link, "sub", "sub.go"); p.Files[2].Path != want {
		t.Errorf("%s, not %s", p.Files[2].Path, want)
	}
	p = ask(t, Question{Dir: link, Revision: "old"})
	if old, new := goRun(t, p.Old), goRun(t, p.New); old != "old g\n" || new != "new h\n" {
		t.Errorf("%q, %q", old, new)
	}
}

// A renamed file is one file.
func TestRenamedFile(t *testing.T) {
	body := "-- sub/%.go --\npackage sub\n\n// F says what it is: some text, and what g returns.\n// G is in another file.\nfunc F() string { return \"%\" + g() }\n"
	dir := repository(t, program+strings.Replace(strings.Replace(body, "%", "sub", 1), "%", "old", 1), "")
	runGit(t, dir, "mv", "sub/sub.go", "sub/renamed.go")
	runGit(t, dir, "mv", "sub/same.go", "sub/other.go")
	put(t, dir, strings.Replace(strings.Replace(body, "%", "renamed", 1), "%", "new", 1))
	runGit(t, dir, "add", "-A")
	p := ask(t, Question{Dir: dir, Revision: "old"})
	if diff := cmp.Diff([]string{"sub/renamed.go"}, names(p)); diff != "" {
		t.Fatalf("(-want +got):\n%s", diff)
	}
	f := p.Files[0]
	if f.OldPath != filepath.Join(dir, "sub", "sub.go") || f.Path != filepath.Join(dir, "sub", "renamed.go") || len(f.Hunks) != 1 {
		t.Errorf("%s, %s, %v", f.OldPath, f.Path, f.Hunks)
	}
	if old, new := goRun(t, p.Old), goRun(t, p.New); old != "old g\n" || new != "new g\n" {
		t.Errorf("%q, %q", old, new)
	}
}

const embedding = `
-- go.mod --
module example.com/m

go 1.26
-- main.go --
package main

import _ "embed"

//go:embed text/a.txt
var text string

func main() { print(text) }
-- text/a.txt --
old
-- text/b.txt --
old
`

// Files that are embedded, and compiled files that are not Go, are as they were.
func TestEmbeddedFile(t *testing.T) {
	const changed = "-- text/a.txt --\nnew\n-- text/b.txt --\nnew\n-- sub/x.s --\n// new\n"
	dir := repository(t, embedding, changed)
	old := t.TempDir()
	put(t, old, embedding)
	for _, q := range []Question{{Revision: "old"}, {Old: old}} {
		q.Dir = dir
		p := ask(t, q)
		if diff := cmp.Diff([]string{"sub/x.s", "text/a.txt"}, p.Other); diff != "" || p.Files != nil {
			t.Errorf("%v (-want +got):\n%s", p.Files, diff)
		}
		if old, new := goRun(t, p.Old), goRun(t, p.New); old != "old\n" || new != "new\n" {
			t.Errorf("%q, %q", old, new)
		}
	}
}

func TestEmbedPatterns(t *testing.T) {
	text := "package p\n\n//go:embed a.txt \"b c.txt\" `d`\n\t//go:embed all:e/*\nvar x string\n// go:embed no\n"
	if diff := cmp.Diff([]string{"a.txt", "b c.txt", "d", "all:e/*"}, embedPatterns([]byte(text))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for _, c := range []struct {
		pattern, name string
		want          bool
	}{
		{"a.txt", "a.txt", true},
		{"a", "a/b/c.txt", true},
		{"all:a/*", "a/b/c.txt", true},
		{"a/*.txt", "a/b/c.txt", false},
		{".", "a/b", true},
		{"b", "a/b", false},
	} {
		if got := embeds(c.pattern, c.name); got != c.want {
			t.Errorf("%s, %s: %v", c.pattern, c.name, got)
		}
	}
}

const packages = `
-- go.mod --
module example.com/m

go 1.26
-- main.go --
package main

import "example.com/m/before"

func main() { println(before.F()) }
-- before/f.go --
package before

import "example.com/m/before/internal/in"

// F is in a file that is long enough for git to see where it has gone.
func F() string { return "old" + in.G() }
-- before/gone.go --
package before

var gone = 1
-- before/f_test.go --
package before
-- before/internal/in/in.go --
package in

// G is in a file that is long enough for git to see where it has gone.
func G() string { return " in" }
`

// The tests of a package that was renamed run its old code.
func TestRenamedPackage(t *testing.T) {
	for name, rename := range map[string]func(text string) string{
		"directory": func(text string) string {
			return strings.NewReplacer("before/", "after/", "m/before", "m/after").Replace(text)
		},
		"directory and name": func(text string) string { return strings.ReplaceAll(text, "before", "after") },
		"module":             func(text string) string { return strings.ReplaceAll(text, "example.com/m", "example.com/m/v2") },
	} {
		dir := repository(t, packages, "")
		runGit(t, dir, "rm", "-q", "-r", ".")
		put(t, dir, strings.Replace(rename(packages), `"old"`, `"new"`, 1))
		if name != "module" {
			if err := os.Remove(filepath.Join(dir, "after", "gone.go")); err != nil {
				t.Fatal(err)
			}
		}
		runGit(t, dir, "add", "-A")
		p := ask(t, Question{Dir: dir, Revision: "old"})
		want := map[string][]string{
			"directory":          {"after/f.go", "after/gone.go"},
			"directory and name": {"after/f.go", "after/gone.go", "main.go"},
			"module":             {"before/f.go"},
		}[name]
		if diff := cmp.Diff(want, names(p)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		if f := p.Files[0]; f.OldPath != f.Path || len(f.Hunks) != 1 {
			t.Errorf("%s: %s, %v", name, f.OldPath, f.Hunks)
		}
		if old, new := goRun(t, p.Old), goRun(t, p.New); old != "old in\n" || new != "new in\n" {
			t.Errorf("%s: %q, %q", name, old, new)
		}
	}
}

const vendored = `
-- go.mod --
module example.com/m

go 1.26

require example.com/a v1.0.0
-- main.go --
package main

import "example.com/a"

func main() { println(a.F()) }
-- vendor/modules.txt --
# example.com/a v1.0.0
## explicit; go 1.26
example.com/a
-- vendor/example.com/a/a.go --
package a

func F() string { return "v1.0.0" }
`

// A vendor directory has old code as other directories do.
func TestVendorDirectory(t *testing.T) {
	dir := repository(t, vendored, strings.ReplaceAll(vendored, "v1.0.0", "v1.1.0"))
	p := ask(t, Question{Dir: dir, Revision: "old"})
	if diff := cmp.Diff([]string{"vendor/example.com/a/a.go"}, names(p)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"go.mod", "vendor/modules.txt"}, p.Other); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if old, new := goRun(t, p.Old), goRun(t, p.New); old != "v1.0.0\n" || new != "v1.1.0\n" {
		t.Errorf("%q, %q", old, new)
	}
}

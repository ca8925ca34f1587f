package versions

import (
	"context"
	"encoding/json"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"golang.org/x/tools/txtar"

	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
)

// runGit runs git, without the settings of whoever runs the test.
func runGit(t *testing.T, dir string, args ...string) {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_SYSTEM="+os.DevNull,
		"GIT_AUTHOR_NAME=user", "GIT_AUTHOR_EMAIL=user@example.com", "GIT_COMMITTER_NAME=user", "GIT_COMMITTER_EMAIL=user@example.com")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
}

// put writes the files of an archive; an empty one is removed.
func put(t *testing.T, dir, archive string) {
	t.Helper()
	for _, f := range txtar.Parse([]byte(archive)).Files {
		path := filepath.Join(dir, filepath.FromSlash(f.Name))
		if len(f.Data) == 0 {
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, f.Data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// repository makes a repository with a commit of what the first archive holds, for the tag
// "old", and of what the second one changes in the work tree.
func repository(t *testing.T, old, new string) string {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not in PATH")
	}
	dir := t.TempDir()
	runGit(t, dir, "init", "-q", "-b", "main")
	put(t, dir, old)
	commit(t, dir, "old")
	put(t, dir, new)
	return dir
}

func commit(t *testing.T, dir, tag string) {
	t.Helper()
	runGit(t, dir, "add", "-A")
	runGit(t, dir, "commit", "-q", "-m", tag)
	runGit(t, dir, "tag", tag)
}

// ask is Find, for tests in which it works.
func ask(t *testing.T, q Question) *Pair {
	t.Helper()
	if q.WorkDir == "" {
		q.WorkDir = t.TempDir()
	}
	q.Env = append(os.Environ(), "GOWORK=", "GOFLAGS=")
	p, err := Find(context.Background(), q)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// names are those of files, with the lines that differ.
func names(p *Pair) (list []string) {
	for _, f := range p.Files {
		list = append(list, f.Name)
	}
	return list
}

// goRun runs the program of a side, and returns what it prints.
func goRun(t *testing.T, s Side, overlays ...map[string][]byte) string {
	t.Helper()
	dir := t.TempDir()
	replace := make(map[string]string)
	all := make(map[string][]byte)
	for _, o := range append(overlays, s.Overlay) {
		maps.Copy(all, o)
	}
	for i, path := range slices.Sorted(maps.Keys(all)) {
		to := filepath.Join(dir, string(rune('a'+i))+".go")
		if err := os.WriteFile(to, all[path], 0o666); err != nil {
			t.Fatal(err)
		}
		replace[path] = to
	}
	text, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "overlay.json"), text, 0o666); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("go", append(append([]string{"run", "-overlay=" + filepath.Join(dir, "overlay.json")}, s.BuildFlags...), ".")...)
	cmd.Dir, cmd.Env = s.Dir, append(slices.Clip(s.Env), "PWD="+s.Dir)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Errorf("%s: %v\n%s", s.Name, err, out)
	}
	return string(out)
}

const program = `
-- go.mod --
module example.com/m

go 1.26
-- main.go --
package main

import "example.com/m/sub"

func main() { println(sub.F()) }
-- sub/sub.go --
package sub

// F is old.
func F() string { return "old" + g() }
-- sub/g.go --
package sub

func g() string { return " g" }
-- sub/same.go --
package sub

// Same is the same.
func Same() {}
-- sub/sub_test.go --
package sub

import "testing"

func Test(t *testing.T) {}
-- sub/testdata/x.go --
package x
-- sub/README --
old
-- nested/go.mod --
module example.com/nested
-- nested/n.go --
package nested
`

const changed = `
-- sub/sub.go --
package sub

// F is new.
func F() string { return "new" + h() }
-- sub/g.go --
-- sub/h ö.go --
package sub

func h() string { return " h" }
-- sub/same.go --
package sub

// Same is not changed.
func Same() {}
-- sub/sub_test.go --
package sub
-- sub/testdata/x.go --
package y
-- sub/README --
new
-- nested/n.go --
package other
`

func TestWorkTreeAgainstARevision(t *testing.T) {
	dir := repository(t, program, changed)
	p := ask(t, Question{Dir: dir, Revision: "old"})
	if diff := cmp.Diff([]string{"sub/g.go", "sub/h ö.go", "sub/sub.go"}, names(p)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	sub := p.Files[2]
	if sub.Path != filepath.Join(dir, "sub", "sub.go") || sub.OldPath != sub.Path {
		t.Errorf("%s, %s", sub.Path, sub.OldPath)
	}
	if diff := cmp.Diff([]Hunk{{OldLine: 4, OldCount: 1, NewLine: 4, NewCount: 1}}, sub.Hunks, cmpopts.IgnoreUnexported(Hunk{})); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"sub/sub_test.go"}, p.TestFiles); diff != "" || p.Other != nil {
		t.Errorf("%v (-want +got):\n%s", p.Other, diff)
	}
	if !strings.HasPrefix(p.Old.Name, "old (") || p.New.Name != "the work tree" {
		t.Errorf("%q, %q", p.Old.Name, p.New.Name)
	}
	if old, new := goRun(t, p.Old), goRun(t, p.New); old != "old g\n" || new != "new h\n" {
		t.Errorf("%q, %q", old, new)
	}
	if !strings.Contains(string(p.OldTests[filepath.Join(dir, "sub", "sub_test.go")]), "func Test(") {
		t.Errorf("%q", p.OldTests)
	}
}

func TestRevisionsThatCantBeCompared(t *testing.T) {
	dir := repository(t, program, changed)
	runGit(t, dir, "checkout", "-q", "--orphan", "other")
	commit(t, dir, "apart")
	for revision, want := range map[string]string{
		"nope":     `there is no revision "nope"`,
		"nope...":  `there is no revision "nope"`,
		"old..no":  `there is no revision "no"`,
		"old..":    "write old for the work tree, or old..HEAD",
		"..old":    "write HEAD..old",
		"...old":   "write HEAD...old",
		"old...":   "old and HEAD have no common ancestor",
		"--output": `there is no revision "--output"`,
	} {
		_, err := Find(t.Context(), Question{Dir: dir, WorkDir: t.TempDir(), Revision: revision})
		if exit.CodeOf(err) != exit.Usage || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q", revision, err, want)
		}
	}
}

package change

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fuzzmut/fuzzmut/fuzzmut/git"
)

// repository makes a git repository with a commit of a few files.
func repository(t *testing.T) string {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not in PATH")
	}
	t.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
	for _, who := range []string{"AUTHOR", "COMMITTER"} {
		t.Setenv("GIT_"+who+"_NAME", "user")
		t.Setenv("GIT_"+who+"_EMAIL", "user@example.com")
	}
	dir := t.TempDir()
	write(t, dir, "a.go", "1\n2\n3\n4\n5\n")
	write(t, dir, "sub/ö b.go", "1\n2\n3\n")
	write(t, dir, "sub/gone.go", "1\n")
	write(t, dir, "old.go", "1\n2\n3\n4\n5\n6\n7\n8\n9\n")
	write(t, dir, ".gitignore", "ignored.go\n")
	runGit(t, dir, "init", "-q", "-b", "main")
	runGit(t, dir, "add", ".")
	runGit(t, dir, "commit", "-qm", "first")
	return dir
}

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

func runGit(t *testing.T, dir string, args ...string) {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
}

func since(t *testing.T, dir, revision string) (*Set, error) {
	t.Helper()
	r, err := git.Find(context.Background(), dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	return Since(context.Background(), r, revision)
}

func TestSinceARevision(t *testing.T) {
	dir := repository(t)
	write(t, dir, "a.go", "1\nII\n3\n5\n")
	write(t, dir, "sub/ö b.go", "1\n2\n3\nfour\n")
	write(t, dir, "sub/new.go", "1\n")
	write(t, dir, "ignored.go", "1\n")
	runGit(t, dir, "mv", "old.go", "renamed.go")
	write(t, dir, "renamed.go", "1\n2\n3\n4\n5\n6\n7\n8\nIX\n")
	if err := os.Remove(filepath.Join(dir, "sub", "gone.go")); err != nil {
		t.Fatal(err)
	}
	s, err := since(t, filepath.Join(dir, "sub"), "HEAD")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name        string
		first, last int
		want        bool
	}{
		{"a.go", 1, 1, false},
		{"a.go", 2, 2, true},
		{"a.go", 1, 5, true},
		{"a.go", 3, 4, true}, // 4 was taken out between them
		{"a.go", 3, 3, false},
		{"a.go", 4, 4, false},
		{"sub/ö b.go", 1, 3, false},
		{"sub/ö b.go", 4, 4, true},
		{"sub/new.go", 1, 1, true},
		{"ignored.go", 1, 1, false},
		{"renamed.go", 1, 8, false},
		{"renamed.go", 9, 9, true},
		{"elsewhere.go", 1, 9, false},
	} {
		if got := s.Touches(filepath.Join(dir, filepath.FromSlash(c.name)), c.first, c.last); got != c.want {
			t.Errorf("%s:%d-%d: %v", c.name, c.first, c.last, got)
		}
	}
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(dir, link); err == nil && !s.Touches(filepath.Join(link, "a.go"), 2, 2) {
		t.Error("a file is not found through a symbolic link")
	}
}

func TestSinceWhereTheBranchBegan(t *testing.T) {
	dir := repository(t)
	runGit(t, dir, "checkout", "-qb", "work")
	write(t, dir, "a.go", "1\n2\nIII\n4\n5\n")
	runGit(t, dir, "commit", "-qam", "work")
	runGit(t, dir, "checkout", "-q", "main")
	write(t, dir, "sub/gone.go", "one\n")
	runGit(t, dir, "commit", "-qam", "main goes on")
	runGit(t, dir, "checkout", "-q", "work")
	for revision, want := range map[string]bool{"main": true, "main...": false} {
		s, err := since(t, dir, revision)
		if err != nil {
			t.Fatal(err)
		}
		if !s.Touches(filepath.Join(dir, "a.go"), 3, 3) {
			t.Errorf("%s: the change of the branch is missing", revision)
		}
		if got := s.Touches(filepath.Join(dir, "sub", "gone.go"), 1, 1); got != want {
			t.Errorf("%s: the change of main: %v, want %v", revision, got, want)
		}
	}
	if s, err := since(t, dir, "HEAD"); err != nil || !s.Empty() {
		t.Errorf("HEAD: %v, %v", s, err)
	}
}

func TestRevisionsThatCantBeUsed(t *testing.T) {
	dir := repository(t)
	for revision, want := range map[string]string{
		"nope":       `no revision "nope"`,
		"nope...":    `no common ancestor with a revision "nope"`,
		"-x":         `no revision "-x"`,
		"":           `no revision ""`,
		"HEAD..main": "names two revisions",
	} {
		if _, err := since(t, dir, revision); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: got %v, want %q", revision, err, want)
		}
	}
	if _, err := git.Find(context.Background(), t.TempDir(), append(os.Environ(), "GIT_CEILING_DIRECTORIES=/")); !errors.Is(err, git.ErrNoRepository) {
		t.Errorf("got %v", err)
	}
	if _, err := git.Find(context.Background(), filepath.Join(dir, ".git"), nil); !errors.Is(err, git.ErrNoRepository) {
		t.Errorf(".git: got %v", err)
	}
}

func TestLocate(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "m/x.go", "a\nB\n")
	write(t, dir, "m/b/x.go", "other\n")
	patch := func(path, old, changed string) []File {
		files, err := Parse(strings.NewReader("--- " + path + "\n+++ " + path + "\n@@ -2 +2 @@\n-" + old + "\n+" + changed + "\n"))
		if err != nil {
			t.Fatal(err)
		}
		return files
	}
	bases := []string{filepath.Join(dir, "m"), dir}
	for _, path := range []string{"b/x.go", "x.go", "m/x.go", filepath.Join(dir, "m", "x.go"), "b/m/x.go"} {
		s, err := Locate(patch(path, "b", "B"), bases, true)
		if err != nil || !s.Touches(filepath.Join(dir, "m", "x.go"), 2, 2) {
			t.Errorf("%s: %v, %v", path, s, err)
		}
	}
	if _, err := Locate(patch("y.go", "b", "B"), bases, true); err == nil || !strings.Contains(err.Error(), "names y.go, which") {
		t.Errorf("got %v", err)
	}
	if _, err := Locate(patch("x.go", "B", "b"), bases, true); err == nil || !strings.Contains(err.Error(), "x.go:2 differs from the patch") {
		t.Errorf("got %v", err)
	}
	if s, err := Locate(patch("x.txt", "B", "b"), bases, true); err != nil || !s.Empty() {
		t.Errorf("got %v, %v", s, err)
	}
}

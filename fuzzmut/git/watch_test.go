package git

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestWatch(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not in PATH")
	}
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	write := func(name, text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(filepath.Join(root, name)), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	r := &Repository{Root: root}
	run := func(args ...string) {
		t.Helper()
		if _, err := r.Run(t.Context(), args...); err != nil {
			t.Fatal(err)
		}
	}
	dir := filepath.Join(root, "pkg")
	write("pkg/a.go", "package a\n")
	write("pkg/b.go", "package a\n")
	write("pkg/c.go", "package a\n")
	if w := NewWatch(t.Context(), dir, nil); w != nil || w.Sentence(t.Context(), "nothing ran") != "" {
		t.Errorf("outside a repository: %v", w)
	}
	run("init", "-q", "--template=")
	write(".gitignore", "*.out\n")
	run("add", ".")
	run("-c", "user.name=x", "-c", "user.email=x", "commit", "-qm", "x")
	write("pkg/mine", "")
	write("cache/before", "")
	write("pkg/b.go", "package b\n")
	w := NewWatch(t.Context(), dir, nil, filepath.Join(root, "cache"), filepath.Join(root, "nowhere"))
	if s := w.Sentence(t.Context(), "nothing ran"); s != "" {
		t.Error(s)
	}
	// What the user has changed before is the user's.
	write("pkg/b.go", "package c\n")
	write("pkg/x.out", "")
	if s := w.Sentence(t.Context(), "nothing ran"); s != "" {
		t.Error(s)
	}
	write("pkg/a.go", "package b\n")
	write("other/with a space", "")
	write("cache/fuzz/x", "")
	for _, name := range []string{"pkg/c.go", "pkg/mine"} {
		if err := os.Remove(filepath.Join(root, name)); err != nil {
			t.Fatal(err)
		}
	}
	want := []string{"changed a.go", "removed c.go", "new " + filepath.Join("..", "other", "with a space"), "removed mine"}
	if diff := cmp.Diff(want, w.Changes(t.Context())); diff != "" {
		t.Error(diff)
	}
	for _, name := range []string{"pkg/1", "pkg/2"} {
		write(name, "")
	}
	said := "files of the work tree changed while tests ran: changed a.go, removed c.go, new ../other/with a space, new 1, new 2, and 1 more; git status lists them"
	if diff := cmp.Diff(said, filepath.ToSlash(w.Sentence(t.Context(), "tests ran"))); diff != "" {
		t.Error(diff)
	}
}

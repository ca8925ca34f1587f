package git

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestRunInTheRoot(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not in PATH")
	}
	ctx := context.Background()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	sub := filepath.Join(dir, "sub")
	if err := os.Mkdir(sub, 0o777); err != nil {
		t.Fatal(err)
	}
	if _, err := (&Repository{Root: dir}).Run(ctx, "init", "-q"); err != nil {
		t.Fatal(err)
	}
	r, err := Find(ctx, sub, nil)
	if err != nil || r.Root != dir {
		t.Fatalf("%+v, %v", r, err)
	}
	hash, err := r.Feed(ctx, []byte("x"), "hash-object", "-w", "--stdin")
	if err != nil {
		t.Fatal(err)
	}
	if text, err := r.Line(ctx, "cat-file", "-p", strings.TrimSpace(string(hash))); err != nil || text != "x" {
		t.Errorf("%q, %v", text, err)
	}
	for _, name := range []string{"b c.txt", "a\n.txt"} {
		if err := os.WriteFile(filepath.Join(sub, name), nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	list, err := r.List(ctx, "ls-files", "--others", "-z")
	if diff := cmp.Diff([]string{"sub/a\n.txt", "sub/b c.txt"}, list); err != nil || diff != "" {
		t.Errorf("%v\n%s", err, diff)
	}
	var exit *exec.ExitError
	if _, err := r.Run(ctx, "cat-file", "-p", "nope"); !errors.As(err, &exit) || !strings.HasPrefix(err.Error(), "git cat-file: exit status 128: fatal: ") {
		t.Errorf("%v", err)
	}
	t.Setenv("PATH", t.TempDir())
	if _, err := r.Run(ctx, "status"); !errors.Is(err, ErrNoGit) {
		t.Errorf("%v", err)
	}
}

package gotool

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// TestAToolchainIsAskedForOnce: where the go command can't be found any more, only what was
// asked before is known.
func TestAToolchainIsAskedForOnce(t *testing.T) {
	var k Known
	dir, env := t.TempDir(), os.Environ()
	first, err := k.Toolchain(t.Context(), dir, env, []string{"-tags=a"})
	if err != nil {
		t.Fatal(err)
	}
	root := first.Root
	first.Root, first.Flags[0] = "changed", "changed"
	first.Env[0] = "changed"
	t.Setenv("PATH", filepath.Join(dir, "none"))
	again, err := k.Toolchain(t.Context(), dir, env, []string{"-tags=a"})
	if err != nil {
		t.Fatal(err)
	}
	if again.Root != root || again.Flags[0] != "-tags=a" || slices.Contains(again.Env, "changed") {
		t.Errorf("what one user has changed is seen by another: %+v", again)
	}
	for name, ask := range map[string]func() (*Toolchain, error){
		"another directory": func() (*Toolchain, error) { return k.Toolchain(t.Context(), t.TempDir(), env, []string{"-tags=a"}) },
		"other flags":       func() (*Toolchain, error) { return k.Toolchain(t.Context(), dir, env, []string{"-tags=b"}) },
		"another environment": func() (*Toolchain, error) {
			return k.Toolchain(t.Context(), dir, append(env, "A=b"), []string{"-tags=a"})
		},
		"that of the process":        func() (*Toolchain, error) { return k.Toolchain(t.Context(), dir, nil, []string{"-tags=a"}) },
		"nothing that keeps answers": func() (*Toolchain, error) { return (*Known)(nil).Toolchain(t.Context(), dir, env, []string{"-tags=a"}) },
	} {
		if _, err := ask(); err == nil {
			t.Errorf("%s: the answer is of another question", name)
		}
	}
}

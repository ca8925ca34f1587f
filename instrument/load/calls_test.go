//go:build unix

package load

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestListedOnce: the go command lists what a test needs once, and works out nothing of how to
// compile it, unless cgo makes a part of the source.
func TestListedOnce(t *testing.T) {
	const plain = `
-- go.mod --
module example.com/m

go 1.26
-- m.go --
package m

import "example.com/m/word"

func M() word.Word { return "" }
-- word/word.go --
package word

type Word string
-- m_test.go --
package m

import "testing"

func FuzzM(f *testing.F) { f.Fuzz(func(t *testing.T, n int) { M() }) }
`
	withC := plain + "-- c.go --\npackage m\n\n// typedef int number;\nimport \"C\"\n\nvar _ C.number\n"
	for _, c := range []struct {
		name, files     string
		listed, further int
	}{
		{"plain", plain, 1, 0},
		{"cgo", withC, 1, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.further > 0 {
				if out, err := exec.Command("go", "env", "CGO_ENABLED").Output(); err != nil || string(out) != "1\n" {
					t.Skipf("cgo is off: %q, %v", out, err)
				}
			}
			env, calls := countingGo(t)
			r, err := Load(t.Context(), Config{Dir: unpack(t, c.files), Pattern: ".", Mutate: []string{"./..."}, Env: env})
			if err != nil {
				t.Fatal(err)
			}
			if len(r.Packages) != 2 || len(r.Test.Fuzz) != 1 || len(r.Packages[0].Cgo) != c.further {
				t.Errorf("%d packages, %v, cgo in %v", len(r.Packages), r.Test.Fuzz, r.Packages[0].Cgo)
			}
			listed, further := 0, 0
			for _, call := range calls() {
				switch {
				case !strings.HasPrefix(call, "list ") || !strings.Contains(call, " -deps=true "):
				case strings.Contains(call, " -compiled=true "):
					further++
				default:
					listed++
				}
			}
			if listed != c.listed || further != c.further {
				t.Errorf("listed %d times, and %d times as it is compiled; want %d, %d:\n%s", listed, further, c.listed, c.further, strings.Join(calls(), "\n"))
			}
		})
	}
}

// countingGo returns an environment whose go command is the real one, and what notes its calls.
func countingGo(t *testing.T) (env []string, calls func() []string) {
	t.Helper()
	real, err := exec.LookPath("go")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	log := filepath.Join(dir, "log")
	script := "#!/bin/sh\necho \"$*\" >>'" + log + "'\nexec '" + real + "' \"$@\"\n"
	if err := os.WriteFile(filepath.Join(dir, "go"), []byte(script), 0o777); err != nil {
		t.Fatal(err)
	}
	path := dir + string(filepath.ListSeparator) + os.Getenv("PATH")
	t.Setenv("PATH", path) // where the command is looked for
	return append(os.Environ(), "PATH="+path), func() []string {
		text, err := os.ReadFile(log)
		if err != nil {
			t.Fatal(err)
		}
		return strings.Split(strings.TrimSpace(string(text)), "\n")
	}
}

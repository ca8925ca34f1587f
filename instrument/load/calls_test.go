//go:build unix

package load

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
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

// TestExportsAreAskedOnce: what a package needs of the standard library, and an earlier one has needed, the go
// command is not asked for again, as long as it is there and made in the same way.
func TestExportsAreAskedOnce(t *testing.T) {
	dir := unpack(t, `
-- go.mod --
module example.com/m

go 1.26
-- m.go --
package m

import "strings"

func M(s string) string { return strings.ToUpper(s) }
-- m_test.go --
package m

import "testing"

func FuzzM(f *testing.F) { f.Fuzz(func(t *testing.T, s string) { M(s) }) }
-- more/more.go --
package more

import (
	"errors"
	"strings"

	"example.com/m"
)

func More(s string) error { return errors.New(strings.ToLower(m.M(s))) }
-- more/more_test.go --
package more

import "testing"

func FuzzMore(f *testing.F) { f.Fuzz(func(t *testing.T, s string) { More(s) }) }
`)
	env, calls := countingGo(t)
	load := func(pattern string, change func(*Config)) (asked []string) {
		t.Helper()
		cfg := Config{Dir: dir, Pattern: pattern, Mutate: []string{pattern}, Env: env}
		if change != nil {
			change(&cfg)
		}
		n := len(calls())
		r, err := Load(t.Context(), cfg)
		if err != nil || len(r.Test.Fuzz) != 1 {
			t.Fatalf("%s: %v", pattern, err)
		}
		for _, call := range calls()[n:] {
			if _, paths, _ := strings.Cut(call, " -- "); strings.Contains(call, " -export=true ") {
				asked = append(asked, paths)
			}
		}
		return asked
	}
	check := func(name string, got []string, want ...string) {
		t.Helper()
		if !slices.Equal(got, want) {
			t.Errorf("%s: asked for %q, want %q", name, got, want)
		}
	}
	check("first", load(".", nil), "strings testing")
	check("again", load(".", nil))
	check("of others", load("./more", nil), "errors example.com/m")
	check("without what is not standard", load("./more", nil), "example.com/m")
	check("made in another way", load(".", func(cfg *Config) { cfg.BuildFlags = []string{"-tags=purego"} }), "strings testing")
	check("another overlay", load(".", func(cfg *Config) {
		cfg.Overlay = map[string][]byte{filepath.Join(dir, "m.go"): []byte("package m\n\nfunc M(s string) string { return s }\n")}
	}))
	for key, file := range exportData.files {
		if strings.Contains(key, "PATH="+os.Getenv("PATH")+"\n") { // not what other tests have asked for
			exportData.files[key] = file + ".gone"
		}
	}
	check("gone", load(".", nil), "strings testing")
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
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			t.Fatal(err)
		}
		return strings.Split(strings.TrimSpace(string(text)), "\n")
	}
}

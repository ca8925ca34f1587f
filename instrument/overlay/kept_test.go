package overlay

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

const countModule = `
-- go.mod --
module example.com/count

go 1.26
-- count.go --
package count

func Count() int { return 1 }
-- count_test.go --
package count

import "testing"

func FuzzCount(f *testing.F) {
	f.Add(1)
	f.Fuzz(func(t *testing.T, n int) { t.Log("count", Count()) })
}
`

// buildIn builds the module with cache as Go's cache, in a directory of that name.
func buildIn(t *testing.T, m *module, cache, name string) Config {
	t.Helper()
	cfg := m.config(t, m.load(t))
	cfg.Loaded.Toolchain.Cache, cfg.Keep = cache, true
	cfg.WorkDir = filepath.Join(cfg.WorkDir, name)
	cfg.Output = filepath.Join(cfg.WorkDir, "test.bin")
	if _, err := Build(t.Context(), cfg); err != nil {
		t.Fatal(err)
	}
	return cfg
}

// built builds the module with cache as Go's cache, and returns the kept binary.
func built(t *testing.T, m *module, cache, want string) fs.FileInfo {
	t.Helper()
	cfg := buildIn(t, m, cache, "tests")
	out, err := exec.CommandContext(t.Context(), cfg.Output, "-test.v").CombinedOutput()
	if err != nil || !strings.Contains(string(out), want) {
		t.Fatalf("%v, want %q:\n%s", err, want, out)
	}
	kept, err := filepath.Glob(filepath.Join(cache, "fuzz", "fuzzmut-bin", "*"))
	if err != nil || len(kept) != 1 {
		t.Fatalf("kept: %q, %v", kept, err)
	}
	info, err := os.Stat(kept[0])
	if err != nil {
		t.Fatal(err)
	}
	return info
}

// A binary is linked again only if it would be another.
func TestKeptBinary(t *testing.T) {
	m, cache := unpackText(t, countModule), t.TempDir()
	first := built(t, m, cache, "count 1")
	if second := built(t, m, cache, "count 1"); !os.SameFile(first, second) {
		t.Error("it was linked again")
	}
	text := "package count\n\nfunc Count() int { return 2 }\n"
	if err := os.WriteFile(filepath.Join(m.root, "count.go"), []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	if third := built(t, m, cache, "count 2"); os.SameFile(first, third) {
		t.Error("the old one is kept")
	}
}

// What a run builds of one package does not take each other's place.
func TestKeptBinariesOfOnePackage(t *testing.T) {
	m, cache := unpackText(t, countModule), t.TempDir()
	for _, name := range []string{"old", "new"} {
		buildIn(t, m, cache, name)
	}
	kept, err := filepath.Glob(filepath.Join(cache, "fuzz", "fuzzmut-bin", "*"))
	if err != nil || len(kept) != 2 {
		t.Errorf("kept: %q, %v; want one of each build", kept, err)
	}
}

func TestNothingIsKept(t *testing.T) {
	path := filepath.Join(t.TempDir(), "test.bin")
	if err := os.WriteFile(path, []byte("binary"), 0o777); err != nil {
		t.Fatal(err)
	}
	for name, k := range map[string]keeper{"without a place": "", "in a file": keeper(filepath.Join(path, "x", "y"))} {
		k.keep(path, nil)
		if info := k.restore(path + "2"); info != nil {
			t.Errorf("%s: %s is there", name, info.Name())
		}
	}
}

func TestOldestBinariesGo(t *testing.T) {
	dir := t.TempDir()
	for i := range 5 {
		path := filepath.Join(dir, fmt.Sprint(i))
		if err := os.WriteFile(path, make([]byte, 10), 0o666); err != nil {
			t.Fatal(err)
		}
		at := time.Now().Add(time.Duration(i-9) * time.Hour)
		if err := os.Chtimes(path, at, at); err != nil {
			t.Fatal(err)
		}
	}
	dropOldest(dir, 35)
	left, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil || len(left) != 3 || filepath.Base(left[0]) != "2" {
		t.Errorf("left: %q, %v; want the newest three", left, err)
	}
}

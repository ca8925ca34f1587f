package load

import (
	"bytes"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const outOfDate = `
-- go.mod --
module example.com/m

go 1.26
-- a.go --
package m

import "example.com/m/dep"

func A(n int) int { return dep.D(n) }
-- dep/d.go --
package dep

func D(n int) int { return n }
-- a_test.go --
package m

import "testing"

func FuzzA(f *testing.F) { f.Fuzz(func(t *testing.T, n int) { A(n) }) }
-- old_test.go --
// Generated.
package m_test

func TestOld() { gone() }
`

// A generated file that no longer compiles can be left out, and a package be
// loaded without the others that are rewritten with it.
func TestBlankAndTestOnly(t *testing.T) {
	dir := unpack(t, outOfDate)
	cfg := Config{Dir: dir, Pattern: ".", TestOnly: true}
	if _, err := Load(t.Context(), cfg); err == nil {
		t.Error("a package with a broken test is loaded")
	}
	cfg.Blank = func(src []byte) bool { return bytes.HasPrefix(src, []byte("// Generated.")) }
	r, err := Load(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{filepath.Join(dir, "old_test.go"): "package m_test\n"}
	got := make(map[string]string)
	for path, text := range r.Blanked {
		got[path] = string(text)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("blanked (-want +got):\n%s", diff)
	}
	if len(r.Packages) != 1 || !cmp.Equal(r.Mutate, []string{"example.com/m"}) {
		t.Errorf("%d packages, to mutate %v", len(r.Packages), r.Mutate)
	}
	r.Observe = r.Mutate
	if got := r.Observed(); got != "." {
		t.Errorf("Observed: %q", got)
	}
	r.Observe = r.ParseObserved(". example.com/m/dep")
	if want := []string{"example.com/m", "example.com/m/dep"}; !cmp.Equal(r.Observe, want) || r.Observed() != ". example.com/m/dep" {
		t.Errorf("%v, %q; want %v", r.Observe, r.Observed(), want)
	}
	cfg.Blank, cfg.Overlay = nil, map[string][]byte{
		filepath.Join(dir, "old_test.go"): []byte("package m_test\n\nfunc gone() {}\n"),
		filepath.Join(dir, "new_test.go"): []byte("package m\n\nvar _ = missing\n"),
	}
	if _, err := Load(t.Context(), cfg); err == nil {
		t.Error("an overlaid file that does not compile is loaded")
	}
}

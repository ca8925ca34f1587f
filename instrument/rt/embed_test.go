package fuzzmutrt

import (
	"io/fs"
	"os"
	"path"
	"strings"
	"testing"
)

// What is injected is all of the runtime, but for tests and what only they use: a package
// that is left out would be missed only where a test binary is built.
func TestSourceIsWhole(t *testing.T) {
	err := fs.WalkDir(os.DirFS("."), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() && (d.Name() == "looptest" || d.Name() == "testdata") {
			return fs.SkipDir
		}
		if d.IsDir() || path.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		if _, err := fs.Stat(Source, name); err != nil {
			t.Errorf("%s is not embedded", name)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := fs.Stat(Source, "loop/looptest/looptest.go"); err == nil {
		t.Error("what only tests use is embedded")
	}
}

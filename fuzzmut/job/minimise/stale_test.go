package minimise

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/fuzzmut/fuzzmut/fuzzmut/run/trial/trialtest"
	"github.com/google/go-cmp/cmp"
)

func TestStrayDirsAreThoseOfNoTestFile(t *testing.T) {
	dir := trialtest.Files(t, map[string]string{
		"a_test.go":                "package a\n\nfunc FuzzHere(f *testing.F) {}\n\nfunc (T) FuzzMethod() {}\n",
		"b_test.go":                "//go:build never\n\npackage a_test\n\nfunc FuzzTagged(f *testing.F) {}\n",
		"c.go":                     "package a\n\nfunc FuzzNoTest() {}\n",
		"testdata/fuzz/FuzzHere/x": "", "testdata/fuzz/FuzzTagged/x": "",
		"testdata/fuzz/FuzzMethod/x": "", "testdata/fuzz/FuzzNoTest/x": "", "testdata/fuzz/README": "",
	})
	if diff := cmp.Diff([]string{"FuzzMethod", "FuzzNoTest"}, strayDirs(dir)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	// Who can't read everything knows nothing.
	if err := os.WriteFile(filepath.Join(dir, "d_test.go"), []byte("package a\n<<<<<<< HEAD\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if stray := strayDirs(dir); stray != nil {
		t.Errorf("with a broken file: %q", stray)
	}
	if stray := strayDirs(t.TempDir()); stray != nil {
		t.Errorf("without any: %q", stray)
	}
}

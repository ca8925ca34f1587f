package selection

import (
	"os"
	"path/filepath"
	"testing"
)

// writeFiles writes files below a new directory, which it returns.
func writeFiles(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestDirectoriesOfSeveralFuzzTestsAreShared(t *testing.T) {
	dir := writeFiles(t, map[string]string{"fuzz/FuzzA/x": "", "fuzz/FuzzB/x": "", "other/x": ""})
	for from, to := range map[string]string{"fuzz/FuzzC": "FuzzB", "fuzz/FuzzD": "../other"} {
		if err := os.Symlink(to, filepath.Join(dir, from)); err != nil {
			t.Skip(err)
		}
	}
	for name, want := range map[string]bool{"FuzzA": false, "FuzzB": true, "FuzzC": true, "FuzzD": true, "FuzzNew": false} {
		if got := sharedDir(filepath.Join(dir, "fuzz", name)); got != want {
			t.Errorf("%s: shared %v", name, got)
		}
	}
}

package selection

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/fuzzmut/fuzzmut/fuzzmut/run/trial/trialtest"
)

func TestDirectoriesOfSeveralFuzzTestsAreShared(t *testing.T) {
	dir := trialtest.Files(t, map[string]string{"fuzz/FuzzA/x": "", "fuzz/FuzzB/x": "", "other/x": ""})
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

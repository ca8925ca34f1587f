package speed

import (
	"os/exec"
	"testing"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
)

// The generated packages have a fuzz test that passes, however few functions.
func TestGeneratedPackagesPass(t *testing.T) {
	for _, s := range []scale{{1, 1, 10}, {1, 40, 1_000}} {
		dir := t.TempDir()
		if err := generate(dir, s); err != nil {
			t.Fatal(err)
		}
		cmd := exec.CommandContext(t.Context(), "go", "test", "-run=^FuzzRun$", ".")
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%+v: %v\n%s", s, err, out)
		}
	}
}

func TestCostIsThatOfAWorker(t *testing.T) {
	if got := cost(scale{workers: 2}, &report.FuzzTest{ExecsPerSecond: 4}); got != 500_000 {
		t.Errorf("%v µs", got)
	}
}

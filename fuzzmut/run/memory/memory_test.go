package memory

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/unittest"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/project"
	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/gotool"
	"github.com/fuzzmut/fuzzmut/instrument/load"
)

// A run goes on without a store, and says why once, for all of its packages.
func TestAStoreThatCantBeUsedIsAWarning(t *testing.T) {
	file, err := filepath.Abs("memory.go")
	if err != nil {
		t.Fatal(err)
	}
	var warnings []string
	k := &Keeper{Project: &project.Project{GoCache: file}}
	pkg := Package{Loaded: &load.Result{Toolchain: &gotool.Toolchain{}}, Program: &instrument.Program{Mutants: make([]instrument.Mutant, 1)}}
	pkg.Warn = func(text string) { warnings = append(warnings, text) }
	for range 2 {
		m := k.Open(pkg)
		m.Keep(unittest.Verdict{Mutant: 1, Status: unittest.StatusSurvived})
		m.Withdraw([]uint32{1})
		m.Close()
		if len(warnings) != 1 || !strings.HasPrefix(warnings[0], "verdicts can't be kept for the next run: ") || !strings.HasSuffix(warnings[0], "; remove "+m.dir()+" or make it writable") {
			t.Errorf("warnings %q", warnings)
		}
	}
}

//go:build unix

package trial_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fuzzmut/fuzzmut/fuzzmut/run/project"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/trial"
	"github.com/fuzzmut/fuzzmut/instrument"
)

// What entries do is in the file of -tyche, a line each, whatever the fuzz test does on them.
func TestCasesOfTheCorpus(t *testing.T) {
	x := greeted(t, trial.Hooks{}, "k1 k3 f8 w900", "fail f16")
	x.Project.Options.Tyche = filepath.Join(t.TempDir(), "t.jsonl")
	x.Package.Program.Blocks[1] = instrument.Block{File: filepath.Join(x.Package.Program.Test.ModuleDir, "p.go"), Line: 7, EndLine: 9}
	x.Package.Loaded.Test.ImportPath = x.Package.Program.Test.ImportPath
	p, err := trial.NewReplay(t.Context(), x, x.Given)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 { // the last result counts
		p.Result(trial.Summary{})
	}
	if _, err := x.Project.Report(t.Context(), func(*project.Package, instrument.FuzzTest) project.Job { return nil }); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(x.Project.Options.Tyche)
	if err != nil {
		t.Fatal(err)
	}
	found := make(map[string]string)
	for line := range strings.Lines(string(text)) {
		for _, words := range []string{"k1 k3 f8 w900", "fail f16"} {
			if strings.Contains(line, `"representation":"string(\"`+words+`\")"`) {
				found[words] = line
			}
		}
	}
	if len(found) != 2 || strings.Count(string(text), "\n") != 2 {
		t.Fatalf("%s", text)
	}
	for words, wants := range map[string][]string{
		"k1 k3 f8 w900": {`"status":"passed"`, `"kills":2,"blocks":1,`, `"coverage":{"p.go":[7,8,9]}`, `"arguments":{"1":"string(\"k1 k3 f8 w900\")"}`, `"property":"example.com/fake.FuzzFake"`},
		"fail f16":      {`"status":"failed"`, `"status_reason":"panic: `, `"how_generated":"`},
	} {
		for _, want := range wants {
			if !strings.Contains(found[words], want) {
				t.Errorf("no %s (-want +got):\n%s", want, cmp.Diff(want, found[words]))
			}
		}
	}
}

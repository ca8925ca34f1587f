//go:build unix

package project

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/known"
	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/gotool"
	"github.com/fuzzmut/fuzzmut/instrument/load"
)

// What go test prints when a seed of FuzzA, and two of FuzzB, fail.
const (
	failsA = `--- FAIL: FuzzA (0.00s)
    --- FAIL: FuzzA/seed#2 (0.00s)
        a_test.go:9: got 1, want 2
FAIL
`
	failsB = `--- FAIL: FuzzB (0.00s)
    --- FAIL: FuzzB/seed#0 (0.00s)
panic: index out of range [3] [recovered]
	panic: index out of range [3]
    --- FAIL: FuzzB/seed#1 (0.00s)
        a_test.go:19: another
`
)

// Before the mutants are built, seeds are run by go test: which fuzz tests fail on one, and
// whether any is left to build for.
func TestSeedsAreCheckedBeforeTheBuild(t *testing.T) {
	a, b := instrument.FuzzTest{Name: "FuzzA", File: "a_test.go"}, instrument.FuzzTest{Name: "FuzzB", File: "b_test.go"}
	derived := instrument.FuzzTest{Name: "FuzzC", File: "c_test.go", Target: "C"}
	for _, c := range []struct {
		name    string
		tests   []instrument.FuzzTest
		output  string
		status  string
		unseen  bool // the project does not want seeds checked
		known   bool // a list of known failures is there
		write   bool // one is to be written
		failed  string
		stopped bool
		args    string // of go test; "": it is not run
	}{
		{name: "all pass", tests: []instrument.FuzzTest{a, b}, status: "0", args: "^(FuzzA|FuzzB)$/^seed#"},
		{name: "what passes is not looked at", tests: []instrument.FuzzTest{a}, output: failsA, status: "0", args: "^(FuzzA)$/^seed#"},
		{name: "one of two fails", tests: []instrument.FuzzTest{b, a}, output: failsA, status: "1", failed: "FuzzA", args: "^(FuzzA|FuzzB)$/^seed#"},
		{name: "all fail", tests: []instrument.FuzzTest{a, b}, output: failsA + failsB, status: "1", failed: "FuzzA FuzzB", stopped: true, args: "^(FuzzA|FuzzB)$/^seed#"},
		{name: "a derived one is left", tests: []instrument.FuzzTest{a, derived}, output: failsA, status: "1", failed: "FuzzA", args: "^(FuzzA)$/^seed#"},
		{name: "of a test that was not chosen", tests: []instrument.FuzzTest{b}, output: failsA, status: "1", args: "^(FuzzB)$/^seed#"},
		{name: "it does not compile", tests: []instrument.FuzzTest{a}, output: "a_test.go:3:1: syntax error\nFAIL\n", status: "1", args: "^(FuzzA)$/^seed#"},
		{name: "derived ones alone", tests: []instrument.FuzzTest{derived}, output: failsA, status: "1"},
		{name: "failures are known", tests: []instrument.FuzzTest{a}, output: failsA, status: "1", known: true},
		{name: "failures are to be known", tests: []instrument.FuzzTest{a}, output: failsA, status: "1", write: true},
		{name: "not wanted", tests: []instrument.FuzzTest{a}, output: failsA, status: "1", unseen: true},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir, work := t.TempDir(), t.TempDir()
			out, calls := filepath.Join(dir, "out"), filepath.Join(dir, "calls")
			script := "#!/bin/sh\necho \"$GOTMPDIR $*\" >> '" + calls + "'\ncat '" + out + "'\nexit " + c.status + "\n"
			for path, text := range map[string]string{out: c.output, filepath.Join(dir, "go"): script} {
				if err := os.WriteFile(path, []byte(text), 0o777); err != nil {
					t.Fatal(err)
				}
			}
			if c.known {
				if err := os.MkdirAll(filepath.Dir(known.Path(dir)), 0o777); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(known.Path(dir), nil, 0o666); err != nil {
					t.Fatal(err)
				}
			}
			var notes []string
			p := &Project{seeds: !c.unseen, WorkDir: work, Options: Options{WriteKnown: c.write, Events: func(e Event) {
				if e.Phase != nil && e.Phase.Note {
					notes = append(notes, e.Phase.Text)
				}
			}}}
			pkg := &Package{Loaded: &load.Result{
				Test:      instrument.TestPackage{ImportPath: "example.com/p", Dir: dir, Fuzz: c.tests},
				Toolchain: &gotool.Toolchain{Command: filepath.Join(dir, "go"), Dir: dir, Flags: []string{"-tags=x"}, Env: os.Environ()},
			}}
			stopped := false
			check := p.checkSeeds(t.Context(), pkg, func() { stopped = true })
			<-check.done
			failed := check.end()
			var names []string
			for _, test := range c.tests {
				err := failed[test.Name]
				if err == nil {
					continue
				}
				names = append(names, test.Name)
				if exit.CodeOf(err) != exit.Baseline || !strings.Contains(err.Error(), "example.com/p."+test.Name+" fails on seed#") || !strings.Contains(err.Error(), test.File) {
					t.Errorf("%s: %v", test.Name, err)
				}
			}
			if got := strings.Join(names, " "); got != c.failed || stopped != c.stopped || len(failed) != len(names) {
				t.Errorf("failed %q, want %q; stopped %v, want %v", got, c.failed, stopped, c.stopped)
			}
			left := c.failed != "" && !c.stopped
			if want := c.failed + " is left out: a seed fails"; (len(notes) == 1) != left || left && notes[0] != want {
				t.Errorf("notes %q", notes)
			}
			text, _ := os.ReadFile(calls)
			want := ""
			if c.args != "" {
				want = work + " test -vet=off -tags=x -run=" + c.args + " example.com/p\n"
			}
			if string(text) != want {
				t.Errorf("go test: %q, want %q", text, want)
			}
		})
	}
}

// A build of few mutants is over before the seeds would be checked: the baseline runs them.
func TestSeedsOfSmallBuildsAreLeftToTheBaseline(t *testing.T) {
	for live, want := range map[int]bool{manyMutants - 1: false, manyMutants: true} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "go"), []byte("#!/bin/sh\necho '"+failsA+"'\nexit 1\n"), 0o777); err != nil {
			t.Fatal(err)
		}
		program := &instrument.Program{Mutants: []instrument.Mutant{{Status: instrument.StatusStatic}, {Status: instrument.StatusSkipped}}}
		for range live {
			program.Mutants = append(program.Mutants, instrument.Mutant{Status: instrument.StatusLive})
		}
		pkg := &Package{Loaded: &load.Result{
			Test:      instrument.TestPackage{ImportPath: "example.com/p", Dir: dir, Fuzz: []instrument.FuzzTest{{Name: "FuzzA", File: "a_test.go"}}},
			Toolchain: &gotool.Toolchain{Command: filepath.Join(dir, "go"), Dir: dir, Env: os.Environ()},
		}}
		stopped := make(chan bool, 1)
		compiling, end := (&Project{seeds: true, WorkDir: t.TempDir()}).seedsWhileBuilding(t.Context(), pkg, func() { stopped <- true })
		compiling(program)
		compiling(program) // a second round of the build
		if want {
			<-stopped
		}
		if failed := end(); (failed["FuzzA"] != nil) != want {
			t.Errorf("%d mutants: %v", live, failed)
		}
	}
}

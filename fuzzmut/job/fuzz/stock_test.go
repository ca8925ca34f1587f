//go:build unix

package fuzz

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/trial"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/trial/trialtest"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// A script stands in for go test -fuzz. What it says decides whether the run was well: a
// failing input is a result, and so is the end of the time; what else fails is an error.
func TestHowTheStockEngineEnds(t *testing.T) {
	command, err := exec.LookPath("go")
	if err != nil {
		t.Skip(err)
	}
	dir := trialtest.Module(t, trialtest.Sign, trialtest.FuzzSign)
	x := trialtest.Open(t, dir, trial.Hooks{})
	bin := t.TempDir()
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	progress := "echo 'fuzz: elapsed: 3s, execs: 1200 (400/sec)'\n"
	for _, c := range []struct {
		name, script string
		dry          bool
		crashers     []string
		code         exit.Code
		err          string
	}{
		{name: "its time is over", script: progress + "exit 0"},
		{name: "its time is over, and it says that it fails", script: progress + "echo '--- FAIL: FuzzX (1s)'; echo '    context deadline exceeded'; exit 1"},
		{name: "a failing input", script: progress + "echo '    Failing input written to testdata/fuzz/FuzzX/abc'; exit 1", crashers: []string{filepath.Join(dir, "testdata", "fuzz", "FuzzX", "abc")}},
		{name: "without writing to the cache", script: progress + "exit 0", dry: true},
		{name: "it does not compile", script: "echo '# example.com/p'; echo 'p.go:1: wrong' >&2; exit 1", code: exit.Baseline, err: "go test -fuzz=FuzzX fails:\n# example.com/p\np.go:1: wrong"},
	} {
		calls := filepath.Join(t.TempDir(), "calls")
		script := "#!/bin/sh\ncase \"$*\" in\n*-fuzz=*)\n\techo \"$" + wire.EnvNative + " $*\" > '" + calls + "'\n" + c.script + ";;\nesac\nexec '" + command + "' \"$@\"\n"
		if err := os.WriteFile(filepath.Join(bin, "go"), []byte(script), 0o777); err != nil {
			t.Fatal(err)
		}
		x.Project.Options.DryRun = c.dry
		n := &nativeRun{trial: x}
		err := n.run(t.Context(), "the config", "/the/cache")
		text := ""
		if err != nil {
			text = err.Error()
		}
		if exit.CodeOf(err) != c.code || text != c.err || !slices.Equal(n.crashers, c.crashers) {
			t.Errorf("%s: %v, failing inputs %q", c.name, err, n.crashers)
		}
		if want := map[bool]int64{true: 1200}[c.code == exit.OK]; n.execs != want {
			t.Errorf("%s: %d executions", c.name, n.execs)
		}
		args, err := os.ReadFile(calls)
		if err != nil {
			t.Fatal(err)
		}
		line := strings.TrimSpace(string(args))
		if !strings.HasPrefix(line, "the config test ") || !strings.Contains(line, " -run=^$ -fuzz=^FuzzX$ -fuzztime=1000x -parallel=1 example.com/p") {
			t.Errorf("%s: go %s", c.name, line)
		}
		if strings.HasSuffix(line, " -args -test.fuzzcachedir=/the/cache") != c.dry {
			t.Errorf("%s: go %s", c.name, line)
		}
	}
}

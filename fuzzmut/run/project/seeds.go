package project

import (
	"bytes"
	"context"
	"errors"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/fuzzmut/fuzzmut/fuzzmut/panics"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/known"
	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/gotool"
	"github.com/fuzzmut/fuzzmut/instrument/load"
)

// manyMutants is how many mutants take longer to build than seeds to check. To check takes the go
// command 0.3 to 0.5 s of processor time, which fewer would be built later for.
const manyMutants = 2000

// seedsWhileBuilding returns what begins to check the seeds if a program takes long to build, to be
// called once that is known, and what ends the check.
func (p *Project) seedsWhileBuilding(ctx context.Context, b *Package, stop func()) (compiling func(*instrument.Program), end func() map[string]error) {
	var check *seedCheck
	compiling = func(program *instrument.Program) {
		if check == nil && count(program, instrument.StatusLive) >= manyMutants {
			check = p.checkSeeds(ctx, b, stop)
		}
	}
	end = func() map[string]error {
		if check == nil {
			return nil
		}
		return check.end()
	}
	return compiling, end
}

// A seedCheck runs the f.Add seeds of a package with plain go test, while its mutants are
// built: that takes a second or two, and many mutants much longer. The baseline runs the
// seeds again; what this check does not find, it does.
type seedCheck struct {
	cancel context.CancelFunc
	done   chan struct{}
	failed map[string]error // by fuzz test; to be read when done is closed
}

// checkSeeds begins to check the seeds. When a seed of each fuzz test fails, it calls
// stop: nothing is left to build for. Where failures are known, it does not say which
// ones these are, and does nothing.
func (p *Project) checkSeeds(ctx context.Context, b *Package, stop func()) *seedCheck {
	c := &seedCheck{done: make(chan struct{}), failed: make(map[string]error)}
	ctx, c.cancel = context.WithCancel(ctx)
	loaded, tests := b.Loaded, make(map[string]instrument.FuzzTest)
	for _, t := range loaded.Test.Fuzz {
		if t.Target == "" {
			tests[t.Name] = t
		}
	}
	if !p.seeds || len(tests) == 0 || p.knowsFailures(b) {
		close(c.done)
		return c
	}
	go func() {
		defer close(c.done)
		err := panics.Do(func() error {
			for _, f := range failingSeeds(p.testSeeds(ctx, loaded, tests)) {
				if t, ok := tests[f.fuzz]; ok && ctx.Err() == nil && c.failed[f.fuzz] == nil {
					c.failed[f.fuzz] = exit.Errorf(exit.Baseline, "%s.%s fails on %s (%s): %s; fix the code or the seed first: `go test -run='^%[2]s$'` shows it",
						loaded.Test.ImportPath, f.fuzz, f.seed, t.File, f.message)
				}
			}
			return nil
		})
		if err != nil {
			p.Faults.Note(err)
		}
		if len(c.failed) == len(loaded.Test.Fuzz) {
			stop()
			return
		}
		for _, name := range slices.Sorted(maps.Keys(c.failed)) {
			p.Note(loaded.Test.ImportPath, "%s is left out: a seed fails", name)
		}
	}()
	return c
}

// end ends the check, and returns which fuzz tests fail on a seed, as far as it knows.
func (c *seedCheck) end() map[string]error {
	c.cancel()
	<-c.done
	return c.failed
}

// knowsFailures reports whether a seed may fail.
func (p *Project) knowsFailures(b *Package) bool {
	if p.Options.WriteKnown || p.Options.Known != "" {
		return true
	}
	_, err := os.Lstat(known.Path(b.Loaded.Test.Dir))
	return !errors.Is(err, os.ErrNotExist)
}

// seedTime bounds the check by the clock: a seed that hangs is the baseline's business.
const seedTime = 20 * time.Second

// testSeeds runs the seeds of fuzz tests with go test, and returns what it prints.
func (p *Project) testSeeds(ctx context.Context, loaded *load.Result, tests map[string]instrument.FuzzTest) string {
	ctx, cancel := context.WithTimeout(ctx, seedTime)
	defer cancel()
	names := slices.Sorted(maps.Keys(tests))
	tool := loaded.Toolchain
	args := append([]string{"test", "-vet=off"}, tool.Flags...)
	args = append(args, "-run="+gotool.Exactly(names)+"/^seed#", loaded.Test.ImportPath)
	cmd := gotool.GoCommand(ctx, tool.Command, args...)
	// What it leaves when the run is ended at once goes with the work directory.
	cmd.Dir, cmd.Env = tool.Dir, append(slices.Clip(tool.Env), "GOTMPDIR="+p.WorkDir)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if cmd.Run() == nil {
		return ""
	}
	return out.String()
}

// failingSeed is what go test says of a seed that fails.
type failingSeed struct{ fuzz, seed, message string }

var (
	failLine  = regexp.MustCompile(`^ +--- FAIL: (Fuzz[^/]*)/(seed#\d+) `)
	panicLine = regexp.MustCompile(`^panic: (.*?)(?: \[recovered.*)?$`)
)

// failingSeeds finds the seeds that fail in what go test prints: the first of each fuzz
// test, with the first line of its log, or the panic.
func failingSeeds(out string) (list []failingSeed) {
	lines := strings.Split(out, "\n")
	seen := make(map[string]bool)
	for i, line := range lines {
		m := failLine.FindStringSubmatch(line)
		if m == nil || seen[m[1]] {
			continue
		}
		seen[m[1]] = true
		f := failingSeed{fuzz: m[1], seed: m[2], message: "the fuzz target fails"}
		for n, rest := range lines[i+1:] {
			if strings.Contains(rest, "--- FAIL: ") {
				break
			}
			if p := panicLine.FindStringSubmatch(rest); p != nil {
				f.message = "panic: " + p[1]
				break
			}
			if n == 0 && strings.HasPrefix(rest, "        ") {
				f.message = strings.TrimSpace(rest)
			}
		}
		list = append(list, f)
	}
	return list
}

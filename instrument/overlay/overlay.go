// Package overlay makes one test binary out of a package under test and all its
// mutants. It has the packages rewritten (schemata), rewrites the test files
// (observe), injects the runtime, and builds through the go command's overlay,
// so that nothing is written into the user's tree or the module cache.
//
// What lies where:
//
//   - Files of the user's modules, of vendor directories and of GOROOT are
//     replaced in place, by the overlay.
//   - A module in the module cache can't be overlaid. A pristine copy of it, with
//     a stable path below Go's fuzz cache, takes its place through a private
//     go.mod or go.work, and the overlay applies to the copy.
//   - The runtime becomes GOROOT/src/fuzzmutrt, which every package may import
//     and no go.mod has to mention. Package testing gets a hook in F.Fuzz.
//
// The go command's cache keys depend on the contents of overlaid files and on the
// paths they stand for, not on where the replacements lie, so packages that were
// rewritten to the same text are not compiled again, whatever the work directory.
package overlay

import (
	"context"
	"io"
	"path/filepath"

	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/load"
	"github.com/fuzzmut/fuzzmut/instrument/operator"
)

// Config says what to build.
type Config struct {
	Loaded    *load.Result
	Operators []*operator.Operator
	WorkDir   string // for rewritten sources; created if need be, the caller's to remove
	Output    string // path of the test binary
	// Keep keeps the binary in Go's cache: the next run need not link it if nothing has changed.
	Keep bool
	// Identify has Program.Code computed.
	Identify bool
	// Native builds for the stock fuzzing engine: with its instrumentation, and a
	// coverage counter for each mutant that is raised when it is killed.
	Native bool
	// Tests builds for the package's own tests: what they assert is the oracle, and what their
	// calls return can be observed.
	Tests bool
	// Observe builds without mutants and counters: only calls into the packages
	// Loaded.Observe are observed.
	Observe bool
	// Overflow has what operations on integers lose watched, where it sizes or bounds something.
	Overflow bool
	// Generated has generated files mutated, too.
	Generated bool
	// Loggers are functions that do nothing but log, as "pkg.Func" or "pkg.Type.Method",
	// apart from those that are known. Everything has the code mutated, too, that is
	// uninteresting since only logs, metrics and traces depend on it.
	Loggers    []string
	Everything bool
	// Changed holds for functions, by their file and their first and last line: they alone
	// are mutated, and they show their results wherever they are called, as those marked
	// //fuzzmut:target do. Nil: any function is mutated, and only marked ones show results.
	Changed func(file string, first, last int) bool
	// Compiling is called when the rewritten code is about to be compiled, again each time
	// that some of it did not compile; nil is not.
	Compiling func(*instrument.Program)
	Log       io.Writer // takes messages on code that is left out; nil discards
}

// Rewrite rewrites everything in memory and returns the table of what it made.
// Nothing is written or built.
func Rewrite(ctx context.Context, cfg Config) (*instrument.Program, error) {
	rw, err := rewriteAll(ctx, cfg, newDrops())
	if err != nil {
		return nil, err
	}
	return rw.program, nil
}

// Build rewrites and builds. The binary is at cfg.Output when it returns. Code
// that compiles before rewriting and not after it is a fault of fuzzmut: the
// functions concerned are left as they were, with a Skip in the program and a
// line in the log.
func Build(ctx context.Context, cfg Config) (*instrument.Program, error) {
	if cfg.Log == nil {
		cfg.Log = io.Discard
	}
	if cfg.Compiling == nil {
		cfg.Compiling = func(*instrument.Program) {}
	}
	return (&builder{cfg: cfg, drops: newDrops(), rewrite: rewriteAll}).build(ctx)
}

// maxRounds bounds the attempts to build: the compiler reports ten errors per
// package at a time.
const maxRounds = 12

// TestArgs returns the arguments and the environment of the go command that runs
// the package's tests from the overlay that Build left in cfg.WorkDir, and the
// directory to run it in: with args "-run=^$", "-fuzz=^FuzzX$", the stock engine.
func TestArgs(ctx context.Context, cfg Config, args ...string) (argv, env []string, dir string, err error) {
	b := &builder{cfg: cfg}
	if err := b.prepare(ctx); err != nil {
		return nil, nil, "", err
	}
	argv = append([]string{"test"}, b.flags()...)
	argv = append(argv, args...)
	return append(argv, cfg.Loaded.Test.ImportPath), b.tool.Env, b.tool.Dir, nil
}

// overlayFile is the path of the overlay's description in the work directory.
func overlayFile(workDir string) string { return filepath.Join(workDir, "overlay.json") }

// Package diff asks what "fuzzmut diff" finds between releases of public modules
// (testdata/pairs): whether a change is found, after how many inputs, and in how many
// buckets, and whether a refactoring is left in peace.
package diff

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/fuzzmut/fuzzmut/cmd/fuzzmut-bench/arena"
)

// A bench measures pairs, one after another.
type bench struct {
	time     time.Duration // of searching, for each fuzz test
	execs    int64         // inputs in place of time; 0: time bounds it
	parallel int
	seed     uint64
	lines    []string // what is measured: see allLines
	data     string   // directory of the table and the packages
	keep     string   // directory for what the command reports; "" for none

	work    string
	command string
	out     io.Writer
}

// What may be measured on a pair.
const (
	lineDiff     = "diff"     // the command
	lineReplay   = "replay"   // of a corpus
	lineCoverage = "coverage" // a search that coverage alone leads
	lineMutants  = "mutants"  // a search without mutants
)

// allLines are these, in the order in which they are measured: a replay changes the version
// that the workspace requires.
var allLines = []string{lineDiff, lineCoverage, lineMutants, lineReplay}

// plain says whether anything is measured that the command is compared with.
func (b *bench) plain() bool {
	return slices.ContainsFunc(b.lines, func(line string) bool { return line != lineDiff })
}

// RunDiff prints a line for each pair, and what they say together.
func RunDiff(args []string) error {
	set := flag.NewFlagSet("diff", flag.ContinueOnError)
	b := &bench{out: os.Stdout}
	b.define(set, 60*time.Second, "time of searching, for each fuzz test")
	lines := set.String("lines", strings.Join(allLines, ","), "what is measured, separated by commas: the command, a replay of a corpus, a search that coverage alone leads, one without mutants")
	set.StringVar(&b.data, "data", filepath.Join("testdata", "pairs"), "`directory` of the table and the packages")
	if err := set.Parse(args); err != nil {
		return err
	}
	b.lines = strings.Split(*lines, ",")
	for _, line := range b.lines {
		if !slices.Contains(allLines, line) {
			return fmt.Errorf("-lines: %q is none of %s", line, strings.Join(allLines, ", "))
		}
	}
	pairs, err := readPairs(b.data, set.Args())
	if err != nil {
		return err
	}
	return b.with(func(ctx context.Context) error { return b.run(ctx, pairs) })
}

// define defines the options of both tables.
func (b *bench) define(set *flag.FlagSet, time time.Duration, usage string) {
	set.DurationVar(&b.time, "time", time, usage)
	set.Int64Var(&b.execs, "execs", 0, "inputs of each search, in place of -time, so that the load of the machine decides nothing; with -parallel 1 a table is the same each time")
	set.IntVar(&b.parallel, "parallel", 2, "processes of the command")
	set.Uint64Var(&b.seed, "seed", 1, "of the searches")
	set.StringVar(&b.keep, "keep", "", "`directory` for what the command reports on each change, as JSON")
}

// budget is that of a search, as -fuzztime takes it.
func (b *bench) budget() string {
	if b.execs > 0 {
		return fmt.Sprintf("%dx", b.execs)
	}
	return b.time.String()
}

// with runs a table with a command that was just built, and a directory to work in.
func (b *bench) with(run func(context.Context) error) (err error) {
	if b.keep != "" { // absolute, since commands run elsewhere
		if b.keep, err = filepath.Abs(b.keep); err != nil {
			return err
		}
		if err := os.MkdirAll(b.keep, 0o777); err != nil {
			return err
		}
	}
	ctx, stop := arena.Interruptible()
	defer stop()
	if b.work, err = os.MkdirTemp("", "fuzzmut-diff-"); err != nil {
		return err
	}
	defer b.discard()
	if b.command, err = arena.BuildFuzzmut(b.work); err != nil {
		return err
	}
	return run(ctx)
}

// run measures the pairs in their order. One that can't be measured does not end it.
func (b *bench) run(ctx context.Context, pairs []pair) error {
	fmt.Fprintf(b.out, "%s; %s for each fuzz test, -parallel %d, -seed %d\n\n", arena.Machine(), b.budget(), b.parallel, b.seed)
	writeHeader(b.out, b.plain())
	var results []result
	var failed []error
	for i, p := range pairs {
		r := b.measure(ctx, p)
		if ctx.Err() != nil {
			fmt.Fprintf(b.out, "interrupted: %d of %d pairs were not measured\n", len(pairs)-i, len(pairs))
			break
		}
		writeRow(b.out, r, b.plain())
		for _, m := range r.all() {
			if m.err != nil {
				failed = append(failed, fmt.Errorf("%s: %w", p.Name, m.err))
			}
		}
		results = append(results, r)
	}
	writeSummaries(b.out, results, b.plain())
	return errors.Join(append(failed, ctx.Err())...)
}

// measure measures one pair.
func (b *bench) measure(ctx context.Context, p pair) result {
	r := result{pair: p}
	w, err := newWorkspace(ctx, b.data, b.work, p)
	if err != nil {
		r.diff.err = err
		return r
	}
	defer os.RemoveAll(w.dir)
	for _, line := range allLines {
		switch {
		case !slices.Contains(b.lines, line):
		case r.diff.err != nil: // what it was compared with would fail as well
		case line == lineDiff:
			r.diff = b.diff(ctx, w, "")
		case line == lineCoverage:
			r.coverage = b.diff(ctx, w, "-coverage", coverageOnly)
		case line == lineMutants:
			r.mutants = b.diff(ctx, w, "-nomutants", withoutMutants)
		case p.Fuzz != "derived": // without a fuzz test there is nothing to replay
			r.replay = b.replay(ctx, w)
		}
	}
	return r
}

// discard removes the workspaces, and what runs in them have left in Go's fuzz cache.
func (b *bench) discard() {
	os.RemoveAll(b.work)
	cache, err := arena.GoCache()
	if err != nil {
		return
	}
	for _, dir := range []string{"", "fuzzmut-derived"} {
		os.RemoveAll(filepath.Join(cache, "fuzz", dir, "example.com", filepath.Base(b.work)))
	}
}

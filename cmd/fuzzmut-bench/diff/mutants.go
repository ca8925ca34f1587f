package diff

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"hash/fnv"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/fuzzmut/fuzzmut/cmd/fuzzmut-bench/arena"
)

// mutantModules are modules with fuzz tests, or of mutantTargets. Both the fuzz tests and the
// search for differences can kill what the unit tests do not kill.
var mutantModules = []string{
	"github.com/Masterminds/semver/v3@v3.3.1", "github.com/google/uuid@v1.6.0",
	"github.com/BurntSushi/toml@v1.5.0", "github.com/kevinburke/ssh_config@v1.2.0",
}

// lateModules are those that -late takes when none is named.
var lateModules = []string{
	"github.com/BurntSushi/toml@v1.5.0", "github.com/itchyny/timefmt-go@v0.1.7",
	"github.com/mattn/go-shellwords@v1.0.12", "github.com/adhocore/gronx@v1.19.6",
}

// mutantTargets are the functions for which fuzz tests are derived, by module: that of
// ssh_config has a build tag which nothing sets, and fails on each text that is no
// configuration.
var mutantTargets = map[string]string{
	"github.com/kevinburke/ssh_config": "DecodeBytes", "github.com/itchyny/timefmt-go": "Parse",
	"github.com/mattn/go-shellwords": "ParseWithEnvs", "github.com/adhocore/gronx": "NextTickAfter",
}

// A mutantBench takes mutants that a module's unit tests do not kill for changes.
type mutantBench struct {
	bench
	n    int   // mutants of each module
	late int64 // inputs within which the fuzz tests must not kill them; 0: see survivors
}

// RunMutants prints how many of such mutants "fuzzmut diff" finds, of those that it or the
// fuzz tests of the module kill in the same time.
func RunMutants(args []string) error {
	set := flag.NewFlagSet("diff-mutants", flag.ContinueOnError)
	b := &mutantBench{bench: bench{out: os.Stdout}}
	b.define(set, 20*time.Second, "time of searching, for each mutant, and for each fuzz test of a module")
	coverage := set.Bool("coverage", true, "also search each change by coverage alone")
	set.IntVar(&b.n, "n", 50, "mutants of each module")
	set.Int64Var(&b.late, "late", 0, "take mutants that the fuzz tests of a module kill, but not within `n` inputs, in place of those that unit tests miss: what any search finds at once says little of it; needs -execs")
	if err := set.Parse(args); err != nil {
		return err
	}
	if b.late > 0 && b.execs <= b.late {
		return errors.New("-late needs -execs, and more of them")
	}
	b.lines = []string{lineDiff}
	if *coverage {
		b.lines = append(b.lines, lineCoverage)
	}
	modules := set.Args()
	if len(modules) == 0 {
		modules = mutantModules
		if b.late > 0 {
			modules = lateModules
		}
	}
	return b.with(func(ctx context.Context) error { return b.run(ctx, modules) })
}

// run measures modules one after another, and prints a row for each.
func (b *mutantBench) run(ctx context.Context, modules []string) error {
	fmt.Fprintf(b.out, "%s; %s for each mutant, -parallel %d, -seed %d\n\n", arena.Machine(), b.budget(), b.parallel, b.seed)
	taken := "survivors"
	if b.late > 0 {
		taken = fmt.Sprintf("after %d", b.late)
	}
	fmt.Fprintf(b.out, mutantFormat, "module", taken, "changes", "by fuzz tests", "by coverage", "by diff", "by any", "share of diff")
	var all mutantRow
	var failed []error
	for i, module := range modules {
		row, err := b.module(ctx, module, filepath.Join(b.work, fmt.Sprint("m", i)))
		if ctx.Err() != nil {
			fmt.Fprintln(b.out, "interrupted")
			return ctx.Err()
		}
		if err != nil {
			failed = append(failed, fmt.Errorf("%s: %w", module, err))
			continue
		}
		row.write(b.out, module)
		all.add(row)
	}
	all.write(b.out, "in all")
	return errors.Join(failed...)
}

const mutantFormat = "%-40s %9v %8v %14v %12v %8v %7v  %v\n"

// A mutantRow counts mutants of one module.
type mutantRow struct {
	survivors               int // of the unit tests, or of the first inputs of the fuzz tests
	changes                 int // of these, those that were taken for changes
	killed, coverage, found int // by fuzz tests, by coverage alone, by the search for differences
	any                     int // by one of them
	race                    race
	failed                  int // on which the command ended with an error: they are not found
	plain                   bool
}

func (r *mutantRow) add(o mutantRow) {
	r.survivors, r.changes, r.failed = r.survivors+o.survivors, r.changes+o.changes, r.failed+o.failed
	r.killed, r.coverage, r.found, r.any = r.killed+o.killed, r.coverage+o.coverage, r.found+o.found, r.any+o.any
	r.plain = o.plain
	r.race.add(o.race)
}

// count counts one mutant.
func (r *mutantRow) count(killed bool, c changed) {
	r.changes++
	r.race.count(c.diff, c.coverage)
	for _, n := range []struct {
		is bool
		of *int
	}{
		{killed, &r.killed},
		{c.coverage.found, &r.coverage},
		{c.diff.found, &r.found},
		{killed || c.coverage.found || c.diff.found, &r.any},
		{c.diff.err != nil || c.coverage.err != nil, &r.failed},
	} {
		if n.is {
			*n.of++
		}
	}
}

func (r mutantRow) write(w io.Writer, name string) {
	coverage := "-" // not measured
	if r.plain {
		coverage = fmt.Sprint(r.coverage)
	}
	fmt.Fprintf(w, mutantFormat, name, r.survivors, r.changes, r.killed, coverage, r.found, r.any, share{r.found, r.any})
	if r.plain {
		fmt.Fprintf(w, "  %s\n", r.race)
	}
	if r.failed > 0 {
		fmt.Fprintf(w, "  the command ended with an error on %d\n", r.failed)
	}
}

// A changed is what was measured on one mutant that was taken for a change.
type changed struct {
	diff, coverage measurement
}

// A survivor is a mutant, as the command's JSON has it.
type survivor struct {
	ID          string `json:"id"`
	File        string `json:"file"`
	Line        int    `json:"line"`
	Column      int    `json:"column"`
	Original    string `json:"original"`
	Replacement string `json:"replacement"`
	Status      string `json:"status"`
	KillKind    string `json:"kill_kind"`
}

// module judges a module's mutants by its unit tests, or by the first inputs of its fuzz tests,
// and takes a sample of those that survive for changes, one after another. The fuzz tests come
// last unless they are asked for: what they leave in Go's fuzz cache must not help a search that
// reads it, as one does that has a time.
func (b *mutantBench) module(ctx context.Context, module, dir string) (row mutantRow, err error) {
	old := filepath.Join(dir, "old")
	if err := b.copyModule(module, old); err != nil {
		return row, err
	}
	path, _, _ := strings.Cut(module, "@")
	if target := mutantTargets[path]; target != "" {
		if err := mark(old, target); err != nil {
			return row, err
		}
	}
	of := b.survivors
	if b.late > 0 {
		of = b.lateKills
	}
	survivors, err := of(ctx, old)
	if err != nil {
		return row, err
	}
	row.survivors, row.plain = len(survivors), b.plain()
	var found []changed
	chosen := b.sample(module, survivors)
	for _, s := range chosen {
		c, err := b.change(ctx, old, filepath.Join(dir, "new"), s)
		if err != nil {
			return row, fmt.Errorf("mutant %s: %w", s.ID, err)
		}
		found = append(found, c)
	}
	killed, err := b.killed(ctx, old, b.flags())
	if err != nil {
		return row, err
	}
	for i, s := range chosen {
		_, isKilled := killed[s.ID]
		row.count(isKilled, found[i])
		c := found[i]
		for _, other := range []struct {
			found bool
			name  string
		}{{isKilled, "fuzz tests"}, {c.coverage.found, "coverage"}} {
			if other.found && !c.diff.found {
				fmt.Fprintf(os.Stderr, "%s: diff misses what %s finds: %s %s:%d:%d %q to %q\n", module, other.name, s.ID, s.File, s.Line, s.Column, s.Original, s.Replacement)
			}
		}
		if c.diff.found && b.plain() && !c.coverage.found {
			fmt.Fprintf(os.Stderr, "%s: coverage misses what diff finds: %s %s:%d:%d %q to %q\n", module, s.ID, s.File, s.Line, s.Column, s.Original, s.Replacement)
		}
		for _, m := range []measurement{c.diff, c.coverage} {
			if m.err != nil {
				fmt.Fprintf(os.Stderr, "%s: %s %s:%d: %s\n", module, s.ID, s.File, s.Line, lastLine(m.err))
			}
		}
	}
	return row, nil
}

// copyModule copies a module, and gives it its own path, since Go's fuzz cache goes by
// it.
func (b *mutantBench) copyModule(module, dir string) error {
	if err := arena.CopyModule(b.work, module, dir); err != nil {
		return err
	}
	was, _, _ := strings.Cut(module, "@")
	path := "example.com/" + filepath.Base(b.work) + "/" + filepath.Base(filepath.Dir(dir))
	if err := arena.RenameModule(dir, path); err != nil {
		return err
	}
	return filepath.WalkDir(dir, func(file string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || filepath.Ext(file) != ".go" {
			return err
		}
		data, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		now := data
		for _, end := range []string{`"`, "/"} {
			now = bytes.ReplaceAll(now, []byte(`"`+was+end), []byte(`"`+path+end))
		}
		if bytes.Equal(now, data) {
			return nil
		}
		return os.WriteFile(file, now, 0o666)
	})
}

// survivors lists the mutants that the module's own tests reach and do not kill, in the
// order of their IDs.
func (b *mutantBench) survivors(ctx context.Context, dir string) (list []survivor, err error) {
	file := filepath.Join(b.work, "test.json")
	if _, err := arena.Run(ctx, arena.AnyCore, dir, b.command, "test", "-q", "-fresh", "-mutate", ".", "-json", file, "."); err != nil {
		return nil, err
	}
	all, err := read(file, func(data []byte) ([]survivor, error) {
		var result struct{ Mutants []survivor }
		err := json.Unmarshal(data, &result)
		return result.Mutants, err
	})
	for _, s := range all {
		if s.Status == "survived" {
			list = append(list, s)
		}
	}
	slices.SortFunc(list, func(x, y survivor) int { return cmp.Compare(x.ID, y.ID) })
	return list, err
}

// sample draws mutants at random.
func (b *mutantBench) sample(module string, list []survivor) []survivor {
	h := fnv.New64a()
	io.WriteString(h, module) //nolint:errcheck // never fails
	r := rand.New(rand.NewPCG(b.seed, h.Sum64()))
	list = slices.Clone(list)
	r.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	return list[:min(b.n, len(list))]
}

// change applies a mutant to a copy of the module in dir, and searches for differences: by
// coverage alone first where that is measured, since both leave nothing that the other finds.
// What goes wrong with the command is in the measurement.
func (b *mutantBench) change(ctx context.Context, old, dir string, s survivor) (c changed, err error) {
	if err := os.CopyFS(dir, os.DirFS(old)); err != nil {
		return c, err
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, filepath.FromSlash(s.File))
	source, err := os.ReadFile(path)
	if err != nil {
		return c, err
	}
	if source, err = s.apply(source); err != nil {
		return c, err
	}
	if err := os.WriteFile(path, source, 0o666); err != nil {
		return c, err
	}
	if b.plain() {
		c.coverage = b.search(ctx, old, dir, s.ID+"-coverage", coverageOnly)
	}
	c.diff = b.search(ctx, old, dir, s.ID)
	return c, ctx.Err()
}

// search searches for differences between two trees. name is for its report.
func (b *mutantBench) search(ctx context.Context, old, dir, name string, flags ...string) (m measurement) {
	file := filepath.Join(b.work, "diff.json")
	if b.keep != "" {
		file = filepath.Join(b.keep, name+".json")
	}
	os.Remove(file) // of an earlier search
	args := []string{b.command, "diff", "-q", "-json", file, "-old", old}
	if b.execs == 0 {
		args = append(args, "-total", b.time.String())
	}
	args = slices.Concat(args, b.flags(), flags, []string{"."})
	m.run(ctx, &workspace{dir: dir}, args)
	if m.err == nil {
		m.outcome, m.err = read(file, readDiff)
	}
	m.ran = m.err == nil
	return m
}

// apply applies a mutant to the source of its file.
func (s *survivor) apply(source []byte) ([]byte, error) {
	source, err := arena.Edit(source, s.Line, s.Column, s.Original, s.Replacement)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.File, err)
	}
	return source, nil
}

// mark puts the directive above a function of a package, so that a fuzz test is derived.
func mark(dir, function string) error {
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return err
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		begin := []byte("\nfunc " + function + "(")
		if !bytes.Contains(data, begin) {
			continue
		}
		data = bytes.Replace(data, begin, slices.Concat([]byte("\n//fuzzmut:target"), begin), 1)
		return os.WriteFile(file, data, 0o666)
	}
	return fmt.Errorf("%s has no function %s", dir, function)
}

// lateKills are the mutants that the fuzz tests kill, but not within the first inputs with any
// of two seeds, one for each line, in the order of their IDs.
func (b *mutantBench) lateKills(ctx context.Context, old string) (list []survivor, err error) {
	early := make(map[string]bool)
	for i := range uint64(3) { // the last one has all inputs
		execs := b.late
		if i == 2 {
			execs = b.execs
		}
		flags := []string{"-fuzztime", fmt.Sprintf("%dx", execs), "-parallel", strconv.Itoa(b.parallel), "-seed", strconv.FormatUint(b.seed+i, 10)}
		killed, err := b.killed(ctx, old, flags)
		if err != nil {
			return nil, err
		}
		for id, s := range killed {
			if i == 2 && !early[id] {
				list = append(list, s)
			}
			early[id] = true
		}
	}
	slices.SortFunc(list, func(x, y survivor) int { return cmp.Compare(x.ID, y.ID) })
	type place struct {
		file string
		line int
	}
	lines := make(map[place]bool)
	return slices.DeleteFunc(list, func(s survivor) bool {
		at := place{s.File, s.Line}
		again := lines[at]
		lines[at] = true
		return again
	}), nil
}

// killed runs the module's fuzz tests on a copy, and the one that is derived, and returns the
// mutants that one of them kills in what a caller can see.
func (b *mutantBench) killed(ctx context.Context, old string, flags []string) (map[string]survivor, error) {
	dir := filepath.Join(filepath.Dir(old), "fuzz")
	if err := os.CopyFS(dir, os.DirFS(old)); err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(b.work, "fuzz.json")
	var m measurement
	m.run(ctx, &workspace{dir: dir}, slices.Concat([]string{b.command, "-q", "-mutate", ".", "-json", file}, flags, []string{"."}))
	if m.err != nil {
		return nil, m.err
	}
	return read(file, readKilled)
}

func readKilled(data []byte) (map[string]survivor, error) {
	var result struct {
		Tests []struct{ Mutants []survivor }
	}
	if err := json.Unmarshal(data, &result); err != nil {
		return nil, fmt.Errorf("the result of fuzzmut: %w", err)
	}
	killed := make(map[string]survivor)
	for _, t := range result.Tests {
		for _, m := range t.Mutants {
			if m.Status == "killed" && m.KillKind != "only-inside" {
				killed[m.ID] = m
			}
		}
	}
	return killed, nil
}

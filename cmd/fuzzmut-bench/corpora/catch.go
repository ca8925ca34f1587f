package corpora

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/fuzzmut/fuzzmut/cmd/fuzzmut-bench/arena"
	"github.com/fuzzmut/fuzzmut/cmd/fuzzmut-bench/worth"
	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/load"
	"github.com/fuzzmut/fuzzmut/instrument/overlay"
	"github.com/fuzzmut/fuzzmut/instrument/rt/oracle"
)

// verdict is what plain go test says of a mutant that was applied as a plain edit.
type verdict int

const (
	passes verdict = iota
	fails
	hangs // until go test's timeout
)

// catches is what plain go test catches of killed mutants: with the stock corpus,
// with ours, and with ours and its golden values.
type catches struct {
	mutants   int // killed by one of the corpora
	noCompile int // of the sample; they count no further
	caught    [3][]caughtMutant
}

// caughtMutant is a mutant of the sample with a verdict.
type caughtMutant struct {
	id, kind string // kind of the kill by ours, or else by stock
	verdict  verdict
}

// catchers name the columns of the table.
var catchers = [3]string{"stock", "ours", "golden"}

// goldenTests are the tests that fuzzmut corpus verify -write-test generates.
const goldenTests = "Golden"

// catch draws mutants that a corpus of stock fuzzing or ours kills, applies each to
// the source, and runs go test.
func (b *corpusBench) catch(ctx context.Context, core int, t arena.Target, bin *arena.Binaries, ours string) (*catches, error) {
	stockHome, err := b.stockCorpus(ctx, core, t, bin)
	defer b.Discard(stockHome)
	if err != nil {
		return nil, err
	}
	home, _, err := worth.Enter(&b.Bench, t, ours)
	defer b.Discard(home)
	if err != nil {
		return nil, err
	}
	if err := unpackMutated(ctx, home); err != nil {
		return nil, err
	}
	if _, err := arena.Run(ctx, core, home.Dir, b.Command, "corpus", "verify", "-q", "-update", "-write-test", "-parallel=1", "-fuzz=^"+t.Fuzz+"$",
		"-mutate="+strings.Join(t.Mutate, ","), "."); err != nil {
		return nil, err
	}
	kinds := make(map[string]string)
	for _, place := range []arena.Target{home, stockHome} { // the kinds of ours prevail
		var j worth.Worth
		r, err := worth.Score(ctx, &b.Bench, core, place, corpus.TestdataDir(place.Dir, t.Fuzz), &j)
		if err != nil {
			return nil, err
		}
		for _, m := range r.Mutants {
			if _, have := kinds[m.ID]; m.Status == report.Killed && !have {
				kinds[m.ID] = m.KillKind
			}
		}
	}
	e, err := newEditor(ctx, home)
	if err != nil {
		return nil, err
	}
	c := &catches{mutants: len(kinds)}
	return c, b.catchAll(ctx, core, c, e, stockHome.Dir, kinds)
}

// stockCorpus makes a copy of the target with the corpus that stock fuzzing leaves
// in the same time, but for entries that fail.
func (b *corpusBench) stockCorpus(ctx context.Context, core int, t arena.Target, bin *arena.Binaries) (arena.Target, error) {
	place, err := b.Workspace(t)
	defer b.Discard(place)
	if err != nil {
		return arena.Target{}, err
	}
	out, err := arena.FuzzStock(ctx, core, bin.Fuzz, place.Dir, t.Fuzz, b.Time, "", nil)
	if err != nil {
		return arena.Target{}, err
	}
	home, dir, err := worth.Enter(&b.Bench, t, out.Dir)
	if err == nil {
		_, _, err = worth.Replay(ctx, core, home, bin, dir)
	}
	return home, err
}

// catchAll runs go test on a sample of the killed mutants.
func (b *corpusBench) catchAll(ctx context.Context, core int, c *catches, e *editor, stockDir string, kinds map[string]string) error {
	dirs := [3]string{stockDir, e.t.Dir, e.t.Dir}
	own := "^" + e.t.Fuzz + "$"
	runs := [3]string{own, own, own + "|" + goldenTests}
	binary := filepath.Join(e.t.Dir, "edited.test")
	if msg, err := e.build(ctx, core, nil, binary); msg != "" || err != nil {
		return fmt.Errorf("the target does not build: %s %w", msg, err)
	}
	limit := 3 * time.Second
	for i := range runs {
		p, err := arena.Run(ctx, core, dirs[i], binary, "-test.run="+runs[i])
		if err != nil {
			return fmt.Errorf("%s: go test fails without a mutant: %w", catchers[i], err)
		}
		limit = max(limit, 10*p.Wall)
	}
	for _, m := range e.draw(kinds, b.mutants, b.seed) {
		msg, err := e.build(ctx, core, m, binary)
		if err != nil {
			return err
		}
		if msg != "" {
			c.noCompile++
			fmt.Fprintf(os.Stderr, "%s: %s does not compile as a plain edit: %s\n", e.t.ID(), m.ID, msg)
			continue
		}
		for i := range runs {
			v, err := testVerdict(ctx, core, dirs[i], limit, binary, "-test.failfast", "-test.run="+runs[i])
			if err != nil {
				return err
			}
			c.caught[i] = append(c.caught[i], caughtMutant{m.ID, kinds[m.ID], v})
		}
	}
	return nil
}

// testVerdict runs a test binary. What it says when it fails does not matter.
func testVerdict(ctx context.Context, core int, dir string, limit time.Duration, args ...string) (verdict, error) {
	bounded, cancel := context.WithTimeout(ctx, limit+5*time.Second)
	defer cancel()
	// A mutant may ask for all available memory.
	args = append([]string{"sh", "-c", `ulimit -v "$1"; shift; exec "$@"`, "sh", fmt.Sprint(arena.MemoryLimit >> 10)}, args...)
	p, err := arena.Run(bounded, core, dir, append(args, "-test.timeout="+limit.String())...)
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return passes, ctx.Err()
	case err == nil:
		return passes, nil
	case bounded.Err() != nil, strings.Contains(string(p.Stderr)+string(p.Stdout), "panic: test timed out"):
		return hangs, nil
	case errors.As(err, &exit):
		return fails, nil
	}
	return passes, err
}

// editor builds a target with mutants applied to the source.
type editor struct {
	t       arena.Target
	loaded  *load.Result
	program *instrument.Program
	sources map[string][]byte
}

func newEditor(ctx context.Context, t arena.Target) (*editor, error) {
	cfg, err := arena.OverlayOf(ctx, t, "default", filepath.Join(t.Dir, "overlay"), nil)
	if err != nil {
		return nil, err
	}
	e := &editor{t: t, loaded: cfg.Loaded, sources: make(map[string][]byte)}
	for _, pkg := range cfg.Loaded.Packages {
		for _, f := range pkg.Files {
			e.sources[f.Path] = f.Src
		}
	}
	e.program, err = overlay.Rewrite(ctx, cfg)
	return e, err
}

// draw draws n of the killed mutants.
func (e *editor) draw(killed map[string]string, n int, seed uint64) []*instrument.Mutant {
	var list []*instrument.Mutant
	for i := range e.program.Mutants {
		if m := &e.program.Mutants[i]; killed[m.ID] != "" {
			list = append(list, m)
		}
	}
	h := fnv.New64a()
	io.WriteString(h, e.t.ID()) //nolint:errcheck // never fails
	r := rand.New(rand.NewPCG(seed, h.Sum64()))
	r.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	return list[:min(n, len(list))]
}

// build compiles the tests with the mutant applied, or as they are for nil, and
// returns what the compiler has against it.
func (e *editor) build(ctx context.Context, core int, m *instrument.Mutant, output string) (string, error) {
	replace := make(map[string]string)
	if m != nil {
		src := e.sources[m.File]
		if string(src[m.Offset:m.End]) != m.Original {
			return "", fmt.Errorf("%s: mutant %s is not of this source", m.File, m.ID)
		}
		edited := filepath.Join(e.t.Dir, "edited.go.txt")
		if err := os.WriteFile(edited, slices.Concat(src[:m.Offset], []byte(m.Replacement), src[m.End:]), 0o666); err != nil {
			return "", err
		}
		replace[m.File] = edited
	}
	text, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	file := filepath.Join(e.t.Dir, "edited.json")
	if err := os.WriteFile(file, text, 0o666); err != nil {
		return "", err
	}
	p, err := arena.Run(ctx, core, e.t.Dir, "go", "test", "-c", "-vet=off", "-ldflags=-s -w", "-o", output, "-overlay="+file, ".")
	var exit *exec.ExitError
	if errors.As(err, &exit) && ctx.Err() == nil {
		return strings.TrimSpace(string(arena.Tail(p.Stderr))), nil
	}
	return "", err
}

// unpackMutated makes the modules to mutate, as far as they are in the module cache,
// part of a target's copy: the go command overlays no file of the cache.
func unpackMutated(ctx context.Context, t arena.Target) error {
	root := filepath.Dir(t.Dir)
	loaded, err := load.Load(ctx, load.Config{Dir: t.Dir, Pattern: ".", Mutate: t.Mutate, Env: os.Environ()})
	if err != nil {
		return err
	}
	done := make(map[string]bool)
	for _, p := range loaded.Packages {
		if !p.Mutated || done[p.ModulePath] || p.ModuleVersion == "" {
			continue
		}
		done[p.ModulePath] = true
		to := filepath.Join(root, "modules", fmt.Sprint(len(done)))
		if err := os.CopyFS(to, os.DirFS(p.ModuleDir)); err != nil {
			return err
		}
		if _, err := arena.Run(ctx, arena.AnyCore, root, "go", "mod", "edit", "-replace="+p.ModulePath+"="+to); err != nil {
			return err
		}
	}
	return nil
}

// share counts the mutants of a list with a verdict, as far as their kind is in
// kinds; nil means any.
func share(list []caughtMutant, v verdict, kinds func(string) bool) (n, of int) {
	for _, m := range list {
		if kinds != nil && !kinds(m.kind) {
			continue
		}
		of++
		if m.verdict == v {
			n++
		}
	}
	return n, of
}

// printCaught prints what go test catches.
func (b *corpusBench) printCaught(w io.Writer, results []*shrunk) error {
	fmt.Fprintf(w, `
Killed mutants, %d of each target drawn among those that the corpus of stock fuzzing or ours kills,
each applied to the source as a plain edit: how many make plain go test fail, with the corpus that
go test -fuzz leaves in %v, with what fuzzmut has written, and with that and its golden values; and
how many more hang until its timeout.

`, b.mutants, b.Time)
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(tw, "target\tkilled\tsample\tby difference\t")
	for _, name := range catchers {
		fmt.Fprintf(tw, "%s\t%%\thang\t", name)
	}
	fmt.Fprintln(tw)
	all := new(catches)
	for i, r := range results {
		if r == nil || r.caught == nil {
			continue
		}
		r.caught.write(tw, b.Targets[i].ID())
		all.mutants += r.caught.mutants
		all.noCompile += r.caught.noCompile
		for k := range all.caught {
			all.caught[k] = append(all.caught[k], r.caught.caught[k]...)
		}
	}
	all.write(tw, "in all")
	if err := tw.Flush(); err != nil {
		return err
	}
	all.writeMissed(w)
	return nil
}

func (c *catches) write(w io.Writer, name string) {
	_, sample := share(c.caught[0], passes, nil)
	_, differences := share(c.caught[0], passes, func(kind string) bool { k, _ := oracle.Parse(kind); return k.ByValue() })
	fmt.Fprintf(w, "%s\t%d\t%d\t%d\t", name, c.mutants, sample, differences)
	for k := range c.caught {
		n, of := share(c.caught[k], fails, nil)
		hang, _ := share(c.caught[k], hangs, nil)
		fmt.Fprintf(w, "%d\t%.1f\t%d\t", n, 100*float64(n)/float64(max(1, of)), hang)
	}
	fmt.Fprintln(w)
}

// writeMissed tells by kind of kill what golden values miss.
func (c *catches) writeMissed(w io.Writer) {
	fmt.Fprint(w, "\nby kind of kill, caught with golden values, or hanging:")
	for _, kind := range []string{oracle.Assertion.String(), oracle.Panic.String(), oracle.Exit.String(), oracle.Fuel.String(), oracle.Difference.String(), oracle.OnlyInside.String()} {
		is := func(k string) bool { return k == kind }
		n, of := share(c.caught[2], fails, is)
		hang, _ := share(c.caught[2], hangs, is)
		if of > 0 {
			fmt.Fprintf(w, " %s %d+%d of %d;", kind, n, hang, of)
		}
	}
	fmt.Fprintf(w, " %d plain edits do not compile\n", c.noCompile)
}

// Package corpora measures corpora as regression tests: what minimization loses and
// gains, and what plain go test catches with them and with golden values.
package corpora

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"text/tabwriter"
	"time"

	"github.com/fuzzmut/fuzzmut/cmd/fuzzmut-bench/arena"
	"github.com/fuzzmut/fuzzmut/cmd/fuzzmut-bench/worth"
	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
)

// corpusBench measures what corpora lose and gain by minimization, and what they
// are worth as regression tests.
type corpusBench struct {
	arena.Bench
	mutants int // applied as plain edits, for each target
	seed    uint64
}

// shrunk is what minimizing came to on one target.
type shrunk struct {
	report.Shrunk
	seconds               float64 // to minimise
	before, after         worth.Worth
	lostKills, lostBlocks int
	caught                *catches
}

// RunCorpus prints what corpora lose and gain when they are minimized, and what go test catches
// with them.
func RunCorpus(args []string) error {
	fs := flag.NewFlagSet("corpus", flag.ContinueOnError)
	b := &corpusBench{}
	fs.DurationVar(&b.Time, "time", 60*time.Second, "of one run")
	fs.IntVar(&b.mutants, "n", 200, "killed mutants to apply as plain edits, for each target; 0 leaves that out")
	fs.Uint64Var(&b.seed, "seed", 1, "draws the mutants")
	if err := fs.Parse(args); err != nil {
		return err
	}
	ctx, stop := arena.Interruptible()
	defer stop()
	if err := b.Prepare(fs.Args()); err != nil {
		return err
	}
	defer os.RemoveAll(b.Work)
	results, err := b.all(ctx)
	return errors.Join(err, b.print(os.Stdout, results))
}

// all measures the targets, as many at a time as there are processors. What fails
// on one of them does not keep the others from being measured.
func (b *corpusBench) all(ctx context.Context) ([]*shrunk, error) {
	results := make([]*shrunk, len(b.Targets))
	jobs := make(chan int)
	errs := make([]error, runtime.NumCPU())
	var wg sync.WaitGroup
	for core := range errs {
		wg.Go(func() {
			for i := range jobs {
				begin := time.Now()
				r, err := b.target(ctx, core, b.Targets[i])
				if results[i] = r; err != nil && ctx.Err() == nil {
					errs[core] = errors.Join(errs[core], fmt.Errorf("%s: %w", b.Targets[i].ID(), err))
				}
				fmt.Fprintf(os.Stderr, "%s %s: %.0f s\n", time.Now().Format(time.TimeOnly), b.Targets[i].ID(), time.Since(begin).Seconds())
			}
		})
	}
	for i := range b.Targets {
		if ctx.Err() == nil {
			jobs <- i
		}
	}
	close(jobs)
	wg.Wait()
	return results, errors.Join(append(errs, ctx.Err())...)
}

// target makes a run on one target and measures what it leaves.
func (b *corpusBench) target(ctx context.Context, core int, t arena.Target) (*shrunk, error) {
	bin, err := b.Binaries(ctx, core, t)
	if err != nil {
		return nil, err
	}
	place, err := b.Workspace(t)
	defer b.Discard(place)
	if err != nil {
		return nil, err
	}
	out, err := arena.FuzzOurs(ctx, core, b.Command, b.GoCache, place, "adaptive", 1, b.Time)
	if err != nil {
		return nil, err
	}
	r, err := b.minimise(ctx, core, t, bin, out.Dir)
	if err != nil || b.mutants == 0 {
		return r, err
	}
	r.caught, err = b.catch(ctx, core, t, bin, filepath.Join(place.Dir, "written"))
	return r, err
}

// minimise measures all that a run has found, as entries that fuzzmut manages, and
// what fuzzmut corpus minimize leaves of that. Both are measured alike, by
// go test and fuzzmut score in copies of the target.
func (b *corpusBench) minimise(ctx context.Context, core int, t arena.Target, bin *arena.Binaries, found string) (r *shrunk, err error) {
	r = new(shrunk)
	if r.before, err = worth.Of(ctx, &b.Bench, core, t, bin, found); err != nil {
		return nil, err
	}
	home, err := b.Workspace(t)
	defer b.Discard(home)
	if err != nil {
		return nil, err
	}
	dir := corpus.TestdataDir(home.Dir, t.Fuzz)
	if err := manage(dir, found); err != nil {
		return nil, err
	}
	file := filepath.Join(home.Dir, "minimized.json")
	p, err := arena.Run(ctx, core, home.Dir, b.Command, "corpus", "minimize", "-q", "-parallel=1", "-fuzz=^"+t.Fuzz+"$",
		"-mutate="+strings.Join(t.Mutate, ","), "-json="+file, ".")
	if err != nil {
		return nil, err
	}
	var m report.Minimization
	data, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(data, &m)
	}
	if err != nil || len(m.Tests) != 1 {
		return nil, fmt.Errorf("unexpected result of corpus minimize: %w\n%s%s", err, p.Stdout, p.Stderr)
	}
	r.Shrunk, r.seconds = m.Tests[0], p.Wall.Seconds()
	if r.after, err = worth.Of(ctx, &b.Bench, core, t, bin, dir); err != nil {
		return nil, err
	}
	r.lostKills, r.lostBlocks = missingKills(&r.before, &r.after), missing(r.before.CoveredBlocks, r.after.CoveredBlocks)
	return r, nil
}

// manage copies entries of Go's fuzz cache to dir under the names by which fuzzmut
// knows its own.
func manage(dir, from string) error {
	entries, _, err := corpus.ReadDir(from, nil, 0)
	for _, e := range entries {
		data := e.Input.Encode()
		if _, werr := corpus.WriteFile(dir, corpus.ManagedName(data), data); werr != nil {
			return werr
		}
	}
	return err
}

// missingKills counts the mutants that only the first corpus kills.
func missingKills(before, after *worth.Worth) int {
	return missing(before.IDs(), after.IDs())
}

// missing counts the members of a set that another lacks.
func missing(of, in map[string]bool) int {
	n := 0
	for x := range of {
		if !in[x] {
			n++
		}
	}
	return n
}

// print prints the tables.
func (b *corpusBench) print(w io.Writer, results []*shrunk) error {
	fmt.Fprintf(w, `All that %v of fuzzing have found, before and after fuzzmut corpus minimize. Kills and blocks are
counted by fuzzmut score and by go test -cover, each in a copy of the target of its own; lost are
those of the corpus before that are not among those of the corpus after. Replay is the processor
time of the plain test binary on seeds and entries.
%s

`, b.Time, arena.Machine())
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(tw, "target\tfiles\tafter\t%\tKB\tafter\tkills\tlost\tblocks\tlost\tminimise s\treplay s\tafter\t")
	for i, r := range results {
		if r == nil {
			continue
		}
		fmt.Fprintf(tw, "%s\t%d\t%d\t%.1f\t%.1f\t%.1f\t%d\t%d\t%d\t%d\t%.1f\t%.2f\t%.2f\t\n", b.Targets[i].ID(),
			r.Before.Files, r.After.Files, 100*float64(r.After.Files)/float64(max(1, r.Before.Files)), float64(r.Before.Bytes)/1000, float64(r.After.Bytes)/1000,
			r.before.Killed(), r.lostKills, r.before.Covered, r.lostBlocks, r.seconds, r.before.Replay, r.after.Replay)
	}
	if err := tw.Flush(); err != nil || b.mutants == 0 {
		return err
	}
	return b.printCaught(w, results)
}

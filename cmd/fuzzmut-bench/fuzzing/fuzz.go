// Package fuzzing measures what fuzzers leave after the same time: go test -fuzz and
// fuzzmut with several filters.
package fuzzing

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/fuzzmut/fuzzmut/cmd/fuzzmut-bench/arena"
	"github.com/fuzzmut/fuzzmut/cmd/fuzzmut-bench/worth"
)

// fuzzBench compares what fuzzers leave: stock go test -fuzz on unmodified
// packages, and fuzzmut with several filters.
type fuzzBench struct {
	arena.Bench
	stockTime time.Duration
	filters   []string
	records   *records
}

// RunFuzz prints what fuzzers leave after the same time.
func RunFuzz(args []string) error {
	fs := flag.NewFlagSet("fuzz", flag.ContinueOnError)
	b := &fuzzBench{}
	fs.DurationVar(&b.Time, "time", 20*time.Second, "of one run")
	fs.DurationVar(&b.stockTime, "stock-time", 0, "of one run of stock; 0 is that of -time")
	fs.IntVar(&b.Reps, "reps", 5, "repetitions")
	filters := fs.String("filters", "none,split,least-executed:10,all,adaptive", "of fuzzmut, separated by commas")
	file := fs.String("o", "", "file of the runs made, for -resume and -print")
	resume := fs.Bool("resume", false, "go on with the runs in the file of -o")
	printOnly := fs.Bool("print", false, "print the tables of the runs in the file of -o")
	if err := fs.Parse(args); err != nil {
		return err
	}
	if *printOnly {
		rs, err := readRecords(*file)
		if err != nil {
			return err
		}
		return printFuzz(os.Stdout, rs)
	}
	if b.stockTime == 0 {
		b.stockTime = b.Time
	}
	if *filters != "" {
		b.filters = strings.Split(*filters, ",")
	}
	var err error
	s := settings{Time: b.Time.String(), StockTime: b.stockTime.String(), Machine: arena.Machine()}
	if b.records, err = openRecords(*file, s, *resume); err != nil {
		return err
	}
	ctx, stop := arena.Interruptible()
	defer stop()
	if err := b.Prepare(fs.Args()); err != nil {
		return err
	}
	defer os.RemoveAll(b.Work)
	err = b.run(ctx)
	return errors.Join(err, printFuzz(os.Stdout, b.records))
}

// job is one repetition on one target.
type job struct {
	target arena.Target
	rep    int
}

// run makes all runs: as many targets at a time as there are processors, each on
// one of them. It goes through the targets before the next repetition, so that a
// bench that is stopped has something of each.
func (b *fuzzBench) run(ctx context.Context) error {
	jobs := make(chan job)
	go func() {
		defer close(jobs)
		for rep := range b.Reps {
			for _, t := range b.Targets {
				jobs <- job{t, rep}
			}
		}
	}()
	errs := make([]error, runtime.NumCPU())
	var wg sync.WaitGroup
	for core := range errs {
		wg.Go(func() {
			for j := range jobs {
				if ctx.Err() == nil {
					errs[core] = errors.Join(errs[core], b.repetition(ctx, core, j))
				}
			}
		})
	}
	wg.Wait()
	return errors.Join(append(errs, ctx.Err())...)
}

// repetition makes the runs of one repetition. Every repetition begins with
// another contender.
func (b *fuzzBench) repetition(ctx context.Context, core int, j job) error {
	contenders := append([]string{stock, stockQuick}, b.filters...)
	begin := j.rep % len(contenders)
	contenders = slices.Concat(contenders[begin:], contenders[:begin])
	if j.rep == 0 {
		contenders = append([]string{seedsAlone}, contenders...)
	}
	var failed []error
	for _, c := range contenders {
		r := record{Target: j.target.ID(), Contender: c, Rep: j.rep}
		if b.records.has(r) {
			continue
		}
		begin := time.Now()
		err := b.measure(ctx, core, j.target, &r)
		if ctx.Err() != nil {
			return nil // told once, by run
		}
		if err != nil {
			r.Error = err.Error()
			failed = append(failed, fmt.Errorf("%s: %w", r.id(), err))
		}
		if err := b.records.add(r); err != nil {
			return err
		}
		fmt.Fprintf(os.Stderr, "%s %s: %d executions, %.1f of %.1f CPU s, %d entries, %d of %d blocks, %d of %d mutants killed; %.0f s in all\n",
			time.Now().Format(time.TimeOnly), r.id(), r.Executions, r.FuzzCPU, r.CPU, r.Entries, r.Covered, r.Blocks, r.Killed(), r.Mutants, time.Since(begin).Seconds())
	}
	return errors.Join(failed...)
}

// measure lets one contender fuzz in a copy of the target, and measures what it
// leaves in another.
func (b *fuzzBench) measure(ctx context.Context, core int, t arena.Target, r *record) error {
	bin, err := b.Binaries(ctx, core, t)
	if err != nil {
		return err
	}
	place, err := b.Workspace(t)
	if err != nil {
		return err
	}
	defer b.Discard(place)
	var out arena.Outcome
	switch r.Contender {
	case seedsAlone:
		out.Dir = filepath.Join(place.Dir, "none")
	case stock:
		out, err = arena.FuzzStock(ctx, core, bin.Fuzz, place.Dir, t.Fuzz, b.stockTime, "", nil)
	case stockQuick:
		out, err = arena.FuzzStock(ctx, core, bin.Fuzz, place.Dir, t.Fuzz, b.stockTime, "0s", nil)
	default:
		out, err = arena.FuzzOurs(ctx, core, b.Command, b.GoCache, place, r.Contender, r.Rep+1, b.Time)
	}
	if err != nil {
		return err
	}
	r.Executions, r.CPU, r.Wall = out.Executions, out.CPU.Seconds(), out.Wall.Seconds()
	r.Fuzzed, r.FuzzCPU, r.Failing = out.Fuzzed.Seconds(), out.FuzzCPU.Seconds(), out.Failing
	if r.Worth, err = worth.Of(ctx, &b.Bench, core, t, bin, out.Dir); err != nil || out.Written == nil {
		return err
	}
	r.Written = &written{Entries: out.Written.Corpus.Added, Killed: out.Written.Score.Killed}
	r.Written.Replayed, err = worth.ReplayEntries(ctx, &b.Bench, core, t, bin, filepath.Join(place.Dir, "written"))
	return err
}

// names lists the targets of the records, and their contenders, in the order in
// which tables have them.
func (rs *records) names() (targets, contenders []string) {
	have := make(map[string]bool)
	for _, r := range rs.list {
		have[r.Contender] = true
		if !slices.Contains(targets, r.Target) {
			targets = append(targets, r.Target)
		}
	}
	slices.Sort(targets)
	first := []string{seedsAlone, stock, stockQuick}
	last := "adaptive"
	for _, c := range first {
		if have[c] {
			contenders = append(contenders, c)
		}
	}
	for _, c := range slices.Sorted(maps.Keys(have)) {
		if !slices.Contains(first, c) && c != last {
			contenders = append(contenders, c)
		}
	}
	if have[last] {
		contenders = append(contenders, last)
	}
	return targets, contenders
}

// Contenders in addition to the filters.
const (
	seedsAlone = "seeds"    // what f.Add gives, without fuzzing
	stock      = "stock"    // go test -fuzz with its default -fuzzminimizetime
	stockQuick = "stock-0s" // and with none
)

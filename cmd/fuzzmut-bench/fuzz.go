package main

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
)

// fuzzBench compares what fuzzers leave behind: stock go test -fuzz on unmodified
// packages, and fuzzmut with several filters.
type fuzzBench struct {
	bench
	stockTime time.Duration
	filters   []string
	records   *records
}

func runFuzz(args []string) error {
	fs := flag.NewFlagSet("fuzz", flag.ContinueOnError)
	b := &fuzzBench{}
	fs.DurationVar(&b.time, "time", 20*time.Second, "of one run")
	fs.DurationVar(&b.stockTime, "stock-time", 0, "of one run of stock; 0 is that of -time")
	fs.IntVar(&b.reps, "reps", 5, "repetitions")
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
		b.stockTime = b.time
	}
	if *filters != "" {
		b.filters = strings.Split(*filters, ",")
	}
	var err error
	s := settings{Time: b.time.String(), StockTime: b.stockTime.String(), Machine: machine()}
	if b.records, err = openRecords(*file, s, *resume); err != nil {
		return err
	}
	ctx, stop := interruptible()
	defer stop()
	if err := b.prepare(fs.Args()); err != nil {
		return err
	}
	defer os.RemoveAll(b.work)
	err = b.run(ctx)
	return errors.Join(err, printFuzz(os.Stdout, b.records))
}

// job is one repetition on one target.
type job struct {
	target target
	rep    int
}

// run makes all runs: as many targets at a time as there are processors, each on
// one of them. It goes through the targets before the next repetition, so that a
// bench that is stopped has something of each.
func (b *fuzzBench) run(ctx context.Context) error {
	jobs := make(chan job)
	go func() {
		defer close(jobs)
		for rep := range b.reps {
			for _, t := range b.targets {
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
		r := record{Target: j.target.id(), Contender: c, Rep: j.rep}
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
			time.Now().Format(time.TimeOnly), r.id(), r.Executions, r.FuzzCPU, r.CPU, r.Entries, r.Covered, r.Blocks, r.killed(), r.Mutants, time.Since(begin).Seconds())
	}
	return errors.Join(failed...)
}

// measure lets one contender fuzz in a copy of the target, and judges what it
// leaves in another.
func (b *fuzzBench) measure(ctx context.Context, core int, t target, r *record) error {
	bin, err := b.binaries(ctx, core, t)
	if err != nil {
		return err
	}
	place, err := b.workspace(t)
	if err != nil {
		return err
	}
	defer b.discard(place)
	var out outcome
	switch r.Contender {
	case seedsAlone:
		out.dir = filepath.Join(place.dir, "none")
	case stock:
		out, err = fuzzStock(ctx, core, bin.fuzz, place.dir, t.fuzz, b.stockTime, "", nil)
	case stockQuick:
		out, err = fuzzStock(ctx, core, bin.fuzz, place.dir, t.fuzz, b.stockTime, "0s", nil)
	default:
		out, err = fuzzOurs(ctx, core, b.command, b.gocache, place, r.Contender, r.Rep+1, b.time)
	}
	if err != nil {
		return err
	}
	r.Executions, r.CPU, r.Wall = out.executions, out.cpu.Seconds(), out.wall.Seconds()
	r.Fuzzed, r.FuzzCPU, r.Failing = out.fuzzed.Seconds(), out.fuzzCPU.Seconds(), out.failing
	if r.judgement, err = judge(ctx, &b.bench, core, t, bin, out.dir); err != nil || out.written == nil {
		return err
	}
	r.Written = &written{Entries: out.written.Corpus.Added, Killed: out.written.Score.Killed}
	r.Written.replayed, err = replayEntries(ctx, &b.bench, core, t, bin, filepath.Join(place.dir, "written"))
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

// Contenders besides the filters.
const (
	seedsAlone = "seeds"    // what f.Add gives, without fuzzing
	stock      = "stock"    // go test -fuzz with its default -fuzzminimizetime
	stockQuick = "stock-0s" // and with none
)

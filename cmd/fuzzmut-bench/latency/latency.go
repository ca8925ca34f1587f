// Package latency measures what a user waits for before and after fuzzing, and what a run
// loses since what follows fuzzing has a bound.
package latency

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"text/tabwriter"
	"time"

	"github.com/fuzzmut/fuzzmut/cmd/fuzzmut-bench/arena"
	"github.com/fuzzmut/fuzzmut/cmd/fuzzmut-bench/stats"
)

// bench is one measurement.
type bench struct {
	arena.Bench
	times  []time.Duration
	cached []int
	most   time.Duration // that a run may take which has no bound; 0: there are none
}

// RunLatency prints what follows fuzzing, and what comes before it, on the fuzz tests of
// testdata/latency.
func RunLatency(args []string) error {
	set := flag.NewFlagSet("latency", flag.ContinueOnError)
	b := &bench{}
	times := set.String("times", "10s", "of fuzzing")
	cached := set.String("cached", "0,200,2000", "inputs in Go's fuzz cache")
	set.IntVar(&b.Reps, "reps", 3, "runs of each, with other seeds")
	set.DurationVar(&b.most, "unbounded", 2*time.Minute, "that a run without a bound may take; 0: there are none")
	if err := set.Parse(args); err != nil {
		return err
	}
	if b.Reps < 1 {
		return errors.New("-reps: not a number of runs; write 1 or more")
	}
	var err error
	if b.times, err = list(*times, time.ParseDuration); err != nil {
		return fmt.Errorf("-times: %w; write as 10s,20s", err)
	}
	if b.cached, err = list(*cached, strconv.Atoi); err != nil {
		return fmt.Errorf("-cached: %w; write as 0,200", err)
	}
	ctx, stop := arena.Interruptible()
	defer stop()
	b.Root = filepath.Join("testdata", "latency")
	defer func() { os.RemoveAll(b.Work) }()
	if err := b.Prepare(set.Args()); err != nil {
		return err
	}
	return b.tables(ctx)
}

// list reads values with commas between them.
func list[T any](text string, parse func(string) (T, error)) (values []T, err error) {
	for word := range strings.SplitSeq(text, ",") {
		v, err := parse(word)
		if err != nil {
			return nil, err
		}
		values = append(values, v)
	}
	return values, nil
}

// tables measures and prints. A row has the runs that have ended.
func (b *bench) tables(ctx context.Context) error {
	fmt.Printf(endHead, b.Reps, arena.Machine())
	ends, err := measure(ctx, b, b.times, b.end)
	found := make(map[string]inputs)
	var rows []string
	for _, row := range ends {
		rows = append(rows, fmt.Sprintf("%s\t%v\t%s", row.target.ID(), row.column, endRow(row.runs)))
		for _, a := range row.runs {
			if id := row.target.ID(); len(a.inputs) > len(found[id]) {
				found[id] = a.inputs
			}
		}
	}
	if err := errors.Join(err, table(endColumns, rows)); err != nil {
		return err
	}
	fmt.Print(startHead)
	starts, err := measure(ctx, b, b.cached, func(ctx context.Context, core int, t arena.Target, n, seed int) (before, error) {
		return b.start(ctx, core, t, found[t.ID()].grown(n, uint64(seed)), seed)
	})
	rows = nil
	for _, row := range starts {
		rows = append(rows, fmt.Sprintf("%s\t%d\t%s", row.target.ID(), row.column, startRow(row.runs)))
	}
	return errors.Join(err, table(startColumns, rows))
}

func table(columns string, rows []string) error {
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	for _, line := range append([]string{columns}, rows...) {
		fmt.Fprintf(w, "%s\t\n", line)
	}
	return w.Flush()
}

// row is the runs of a target at one value of what is varied.
type row[C, R any] struct {
	target arena.Target
	column C
	runs   []R
}

// measure makes the runs of all targets at all values of what is varied, as many at a time as
// there are processors, each on one. A run that fails is left out, and its error returned.
func measure[C, R any](ctx context.Context, b *bench, columns []C, run func(ctx context.Context, core int, t arena.Target, c C, seed int) (R, error)) ([]row[C, R], error) {
	var rows []row[C, R]
	for _, t := range b.Targets {
		for _, c := range columns {
			rows = append(rows, row[C, R]{target: t, column: c})
		}
	}
	n := len(rows) * b.Reps
	results, errs := make([]*R, n), make([]error, n)
	jobs := make(chan int)
	var wg sync.WaitGroup
	for core := range runtime.NumCPU() {
		wg.Go(func() {
			for i := range jobs {
				row, seed := &rows[i/b.Reps], i%b.Reps+1
				r, err := run(ctx, core, row.target, row.column, seed)
				if err != nil {
					errs[i] = fmt.Errorf("%s, %v, seed %d: %w", row.target.ID(), row.column, seed, err)
					continue
				}
				results[i] = &r
				fmt.Fprintln(os.Stderr, time.Now().Format(time.TimeOnly), row.target.ID(), row.column, r)
			}
		})
	}
	for i := 0; i < n && ctx.Err() == nil; i++ {
		jobs <- i
	}
	close(jobs)
	wg.Wait()
	for i, r := range results {
		if r != nil {
			rows[i/b.Reps].runs = append(rows[i/b.Reps].runs, *r)
		}
	}
	return rows, errors.Join(append(errs, ctx.Err())...)
}

// spread returns the median of a figure of runs, and in brackets the least and the most if
// they differ as they are written; "-" if no run has it.
func spread[R any](runs []R, format string, get func(*R) (v float64, ok bool)) string {
	var values []float64
	for i := range runs {
		if v, ok := get(&runs[i]); ok {
			values = append(values, v)
		}
	}
	if len(values) == 0 {
		return "-"
	}
	median := fmt.Sprintf(format, stats.Median(values))
	least, most := fmt.Sprintf(format, slices.Min(values)), fmt.Sprintf(format, slices.Max(values))
	if least == most {
		return median
	}
	return fmt.Sprintf("%s (%s-%s)", median, least, most)
}

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
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/fuzzmut/fuzzmut/cmd/fuzzmut-bench/arena"
	"github.com/fuzzmut/fuzzmut/cmd/fuzzmut-bench/stats"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
)

// bench is one measurement.
type bench struct {
	arena.Bench
	times  []time.Duration
	cached []int
}

// RunLatency prints what follows fuzzing, and what comes before it, on the fuzz tests of
// testdata/latency.
func RunLatency(args []string) error {
	set := flag.NewFlagSet("latency", flag.ContinueOnError)
	b := &bench{}
	times := set.String("times", "10s,20s", "of fuzzing")
	cached := set.String("cached", "0,200,2000", "inputs in Go's fuzz cache")
	set.IntVar(&b.Reps, "reps", 3, "runs of each, with other seeds")
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

// head says what the tables show.
const head = `One worker on one processor, medians of %d runs with other seeds; %s

What follows fuzzing. wall and CPU: seconds from the end of fuzzing to the result, golden values
and all. A run leaves up to 50 entries. killed: mutants, static ones with them, by these entries,
as the run says, and as fuzzmut score says of the same entries afterwards, which has no bound;
lost is the part of the latter that the run does not say. found: mutants killed by all inputs that
the run has found, as fuzzmut score says of them. Undone, as the run says: kills that were not
confirmed, mutants and static mutants not run, entries without golden values.

`

func (b *bench) tables(ctx context.Context) error {
	fmt.Printf(head, b.Reps, arena.Machine())
	found := make(map[string]inputs)
	tw := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(tw, "target\tfuzzing\twall\tCPU\tkilled\tby score\tlost\tfound\tunconfirmed\tmutants\tstatic\tgolden\t")
	for _, t := range b.Targets {
		for _, d := range b.times {
			all := make([]after, b.Reps)
			for i := range all {
				a, in, err := b.run(ctx, t, d, i+1)
				if err != nil {
					return err
				}
				if all[i] = a; len(in) > len(found[t.ID()]) {
					found[t.ID()] = in
				}
				fmt.Fprintln(os.Stderr, time.Now().Format(time.TimeOnly), t.ID(), d, a)
			}
			fmt.Fprintf(tw, "%s\t%v\t%s\t\n", t.ID(), d, row(all))
		}
	}
	if err := tw.Flush(); err != nil {
		return err
	}
	fmt.Print(startHead)
	tw = tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(tw, "target\tin the cache\tseconds\tafterwards not run\t")
	for _, t := range b.Targets {
		for _, n := range b.cached {
			all := make([]before, b.Reps)
			for i := range all {
				var err error
				if all[i], err = b.start(ctx, t, found[t.ID()].grown(n, uint64(i)), i+1); err != nil {
					return err
				}
				fmt.Fprintln(os.Stderr, time.Now().Format(time.TimeOnly), t.ID(), n, all[i])
			}
			fmt.Fprintf(tw, "%s\t%d\t%.1f\t%.0f\t\n", t.ID(), n,
				median(all, func(s before) float64 { return s.seconds }), median(all, func(s before) float64 { return float64(s.left) }))
		}
	}
	return tw.Flush()
}

func median[T any](all []T, get func(T) float64) float64 {
	var values []float64
	for _, s := range all {
		values = append(values, get(s))
	}
	return stats.Median(values)
}

// after is what followed fuzzing in a run, and what its entries are worth.
type after struct {
	wall, cpu             float64 // seconds
	killed, scored, found int
	late                  report.Late
}

// String tells of a run for who watches.
func (a after) String() string {
	return fmt.Sprintf("%.1f s, CPU %.1f s; killed %d, by score %d, found %d; late %+v", a.wall, a.cpu, a.killed, a.scored, a.found, a.late)
}

// lost is the part of the kills of the run's entries that the run does not say, in percent.
func (a after) lost() float64 { return 100 * float64(a.scored-a.killed) / float64(max(a.scored, 1)) }

// row is what the table shows of runs, after the target and the time.
func row(all []after) string {
	of := func(get func(a after) int) string {
		return strconv.FormatFloat(median(all, func(a after) float64 { return float64(get(a)) }), 'f', -1, 64)
	}
	return strings.Join([]string{
		fmt.Sprintf("%.1f", median(all, func(a after) float64 { return a.wall })), fmt.Sprintf("%.1f", median(all, func(a after) float64 { return a.cpu })),
		of(func(a after) int { return a.killed }), of(func(a after) int { return a.scored }),
		fmt.Sprintf("%.1f %%", median(all, after.lost)), of(func(a after) int { return a.found }),
		of(func(a after) int { return a.late.Unconfirmed }), of(func(a after) int { return a.late.Mutants }),
		of(func(a after) int { return a.late.Static }), of(func(a after) int { return a.late.Golden }),
	}, "\t")
}

// run fuzzes a target, and scores what comes of that. It returns the inputs that were found,
// too.
func (b *bench) run(ctx context.Context, t arena.Target, fuzzing time.Duration, seed int) (a after, found inputs, err error) {
	place, err := b.Workspace(t)
	defer b.Discard(place)
	if err != nil {
		return a, nil, err
	}
	r, err := arena.RunFuzzmut(ctx, 0, b.Command, place, "fuzz", "-fuzztime="+fuzzing.String(), "-seed="+strconv.Itoa(seed))
	if err != nil {
		return a, nil, err
	}
	a = after{
		wall: r.WallSeconds - r.StartSeconds - r.FuzzSeconds, cpu: r.CPUSeconds - r.FuzzCPUSeconds,
		killed: r.Score.Killed, late: r.Late,
	}
	if a.scored, err = b.score(ctx, place); err != nil {
		return a, nil, err
	}
	cache, err := b.cacheDir(place)
	if err != nil {
		return a, nil, err
	}
	a.found, err = b.score(ctx, place, "-corpus="+cache)
	if err == nil {
		found, err = readInputs(cache)
	}
	return a, found, err
}

// score counts the mutants that fuzzmut score says are killed.
func (b *bench) score(ctx context.Context, place arena.Target, flags ...string) (killed int, err error) {
	r, err := arena.RunFuzzmut(ctx, 0, b.Command, place, "score", flags...)
	if err != nil {
		return 0, err
	}
	return r.Score.Killed, nil
}

const startHead = `
What comes before it: seconds from the end of the build until fuzzing begins, with inputs in Go's
fuzz cache: those that a run above has found, and others made of two of these. What was not run
before is run in between; how many the end of a run of 5 s has still left is said.

`

// startTime is how long a run fuzzes that is about its start.
const startTime = 5 * time.Second

// before is what came before fuzzing in a run.
type before struct {
	seconds float64
	left    int // inputs of the cache that the run did not try
}

// start fuzzes a target with inputs in Go's fuzz cache.
func (b *bench) start(ctx context.Context, t arena.Target, cached inputs, seed int) (s before, err error) {
	place, err := b.Workspace(t)
	defer b.Discard(place)
	if err != nil {
		return s, err
	}
	cache, err := b.cacheDir(place)
	if err == nil {
		err = cached.write(cache)
	}
	if err != nil {
		return s, err
	}
	r, err := arena.RunFuzzmut(ctx, 0, b.Command, place, "fuzz", "-fuzztime="+startTime.String(), "-seed="+strconv.Itoa(seed))
	if err != nil {
		return s, err
	}
	return before{r.StartSeconds, r.Late.Cached}, nil
}

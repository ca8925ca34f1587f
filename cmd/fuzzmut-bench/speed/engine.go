// Package speed measures what executions cost: of inputs, of mutants, with more workers
// and more code.
package speed

import (
	"context"
	"flag"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/fuzzmut/fuzzmut/cmd/fuzzmut-bench/arena"
	"github.com/fuzzmut/fuzzmut/cmd/fuzzmut-bench/stats"
	"github.com/fuzzmut/fuzzmut/instrument/overlay"
)

// engineBench measures how fast inputs and mutants are run.
type engineBench struct{ arena.Bench }

// RunEngine prints how fast inputs and mutants are run.
func RunEngine(args []string) error {
	fs := flag.NewFlagSet("engine", flag.ContinueOnError)
	b := &engineBench{}
	fs.DurationVar(&b.Time, "time", 5*time.Second, "of one run")
	fs.IntVar(&b.Reps, "reps", 3, "repetitions")
	if err := fs.Parse(args); err != nil {
		return err
	}
	if err := b.Prepare(fs.Args()); err != nil {
		return err
	}
	defer os.RemoveAll(b.Work)
	return b.measure()
}

// sample is what one repetition measures of a target.
type sample struct {
	stock, ours, ratio     float64 // executions per second
	mutantRun              float64 // seconds
	outside                float64 // share of the time that is not the fuzz target's
	body                   float64 // processor time of the rewritten fuzz function to that of the bare one
	limit                  float64 // the rate of the bare function on the same inputs, with nothing outside, to stock
	plain, rewritten, slow float64 // build seconds, and their ratio
}

// measure prints how fast inputs are run with coverage guidance alone, how much longer the
// rewritten fuzz function takes than the bare one, what the limit is, which nothing but the
// bare function would reach, what one run of a mutant on an input costs, and what the rewritten
// code costs to build.
func (b *engineBench) measure() error {
	fmt.Printf("%s a run, %d repetitions, one worker\n\n", b.Time, b.Reps)
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "target\tstock/s\tfuzzmut/s\tratio\tto bare\toutside target\tlimit\tmutant run µs\tplain build s\trewritten s\tratio\t")
	logs, limits := 0.0, 0.0
	for _, t := range b.Targets {
		var all []sample
		for rep := range b.Reps {
			s, err := b.sample(t, rep)
			if err != nil {
				return err
			}
			all = append(all, s)
		}
		ratio := median(all, func(s sample) float64 { return s.ratio })
		limit := median(all, func(s sample) float64 { return s.limit })
		logs, limits = logs+math.Log(ratio), limits+math.Log(limit)
		fmt.Fprintf(w, "%s.%s\t%.0f\t%.0f\t%.1f\t%.2f\t%.0f %%\t%.1f\t%.2f\t%.2f\t%.2f\t%.2f\t\n", t.Name, t.Fuzz,
			median(all, func(s sample) float64 { return s.stock }),
			median(all, func(s sample) float64 { return s.ours }), ratio,
			median(all, func(s sample) float64 { return s.body }), 100*median(all, func(s sample) float64 { return s.outside }), limit,
			median(all, func(s sample) float64 { return s.mutantRun })*1e6,
			median(all, func(s sample) float64 { return s.plain }),
			median(all, func(s sample) float64 { return s.rewritten }),
			median(all, func(s sample) float64 { return s.slow }))
		w.Flush()
	}
	n := float64(len(b.Targets))
	fmt.Printf("\ngeometric mean of the ratio to stock: %.1f; of the limit: %.1f\n", math.Exp(logs/n), math.Exp(limits/n))
	return nil
}

func (b *engineBench) sample(t arena.Target, rep int) (sample, error) {
	var s sample
	var err error
	if s.stock, err = b.Stock(t); err != nil {
		return s, err
	}
	none, err := b.Ours(t, "none")
	if err != nil {
		return s, err
	}
	s.ours = none.ExecsPerSecond
	s.ratio = s.ours / s.stock
	s.outside = 1 - none.TargetShare
	all, err := b.Ours(t, "all")
	if err != nil {
		return s, err
	}
	// What is left of the time when the plain runs are taken off is the mutants':
	// traces and re-runs of the original included.
	fuzzed := float64(all.Executions) / all.ExecsPerSecond
	if all.MutantExecutions > 0 {
		s.mutantRun = (fuzzed - float64(all.Executions)/s.ours) / float64(all.MutantExecutions)
	}
	if s.body, err = b.body(t); err != nil {
		return s, err
	}
	s.limit = s.ratio * s.body / (1 - s.outside)
	if s.plain, err = b.buildPlain(t, rep); err != nil {
		return s, err
	}
	if s.rewritten, err = b.buildRewritten(t, rep); err != nil {
		return s, err
	}
	s.slow = s.rewritten / s.plain
	return s, nil
}

func median(all []sample, get func(sample) float64) float64 { return get(stats.MedianOf(all, get)) }

// fresh are flags that change nothing but make the go command compile the
// target's packages again: a search directory that does not exist.
func (b *engineBench) fresh(t arena.Target, rep int, side string) []string {
	var flags []string
	for _, p := range t.Mutate {
		flags = append(flags, fmt.Sprintf("-gcflags=%s=-I=/nonexistent/%s/%s/%s/%d", p, filepath.Base(b.Work), t.Fuzz, side, rep))
	}
	return flags
}

func (b *engineBench) buildPlain(t arena.Target, rep int) (float64, error) {
	args := append([]string{"test", "-c", "-vet=off", "-o", filepath.Join(b.Work, "plain.test")}, b.fresh(t, rep, "plain")...)
	cmd := exec.Command("go", append(args, ".")...)
	cmd.Dir = t.Dir
	begin := time.Now()
	if out, err := cmd.CombinedOutput(); err != nil {
		return 0, fmt.Errorf("%s: plain build: %w\n%s", t.Name, err, out)
	}
	return time.Since(begin).Seconds(), nil
}

func (b *engineBench) buildRewritten(t arena.Target, rep int) (float64, error) {
	ctx := context.Background()
	work := filepath.Join(b.Work, fmt.Sprintf("build-%s-%d", strings.ReplaceAll(t.Name, "/", "_"), rep))
	cfg, err := arena.OverlayOf(ctx, t, "default", work, b.fresh(t, rep, "rewritten"))
	if err != nil {
		return 0, err
	}
	begin := time.Now()
	_, err = overlay.Build(ctx, cfg)
	return time.Since(begin).Seconds(), err
}

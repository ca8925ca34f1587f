package main

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

	"github.com/fuzzmut/fuzzmut/cmd/fuzzmut-bench/stats"
	"github.com/fuzzmut/fuzzmut/instrument/overlay"
)

// sample is what one repetition measures of a target.
type sample struct {
	stock, ours, ratio     float64 // executions per second
	mutantRun              float64 // seconds
	outside                float64 // share of the time that is not the fuzz target's
	plain, rewritten, slow float64 // build seconds, and their ratio
}

// engine prints how fast inputs are run with coverage guidance alone, what one
// run of a mutant on an input costs, and what the rewritten code costs to build.
func (b *bench) engine() error {
	fmt.Printf("%s a run, %d repetitions, one worker\n\n", b.time, b.reps)
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "target\tstock/s\tfuzzmut/s\tratio\toutside target\tmutant run µs\tplain build s\trewritten s\tratio\t")
	logs := 0.0
	for _, t := range b.targets {
		var all []sample
		for rep := range b.reps {
			s, err := b.sample(t, rep)
			if err != nil {
				return err
			}
			all = append(all, s)
		}
		ratio := median(all, func(s sample) float64 { return s.ratio })
		logs += math.Log(ratio)
		fmt.Fprintf(w, "%s.%s\t%.0f\t%.0f\t%.1f\t%.0f %%\t%.2f\t%.2f\t%.2f\t%.2f\t\n", t.name, t.fuzz,
			median(all, func(s sample) float64 { return s.stock }),
			median(all, func(s sample) float64 { return s.ours }), ratio,
			100*median(all, func(s sample) float64 { return s.outside }),
			median(all, func(s sample) float64 { return s.mutantRun })*1e6,
			median(all, func(s sample) float64 { return s.plain }),
			median(all, func(s sample) float64 { return s.rewritten }),
			median(all, func(s sample) float64 { return s.slow }))
		w.Flush()
	}
	fmt.Printf("\ngeometric mean of the ratio to stock: %.1f\n", math.Exp(logs/float64(len(b.targets))))
	return nil
}

func (b *bench) sample(t target, rep int) (sample, error) {
	var s sample
	var err error
	if s.stock, err = b.stock(t); err != nil {
		return s, err
	}
	none, err := b.ours(t, "none")
	if err != nil {
		return s, err
	}
	s.ours = none.ExecsPerSecond
	s.ratio = s.ours / s.stock
	s.outside = 1 - none.TargetShare
	all, err := b.ours(t, "all")
	if err != nil {
		return s, err
	}
	// What is left of the time when the plain runs are taken off is the mutants':
	// traces and re-runs of the original included.
	fuzzed := float64(all.Executions) / all.ExecsPerSecond
	if all.MutantExecutions > 0 {
		s.mutantRun = (fuzzed - float64(all.Executions)/s.ours) / float64(all.MutantExecutions)
	}
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
func (b *bench) fresh(t target, rep int, side string) []string {
	var flags []string
	for _, p := range t.mutate {
		flags = append(flags, fmt.Sprintf("-gcflags=%s=-I=/nonexistent/%s/%s/%s/%d", p, filepath.Base(b.work), t.fuzz, side, rep))
	}
	return flags
}

func (b *bench) buildPlain(t target, rep int) (float64, error) {
	args := append([]string{"test", "-c", "-vet=off", "-o", filepath.Join(b.work, "plain.test")}, b.fresh(t, rep, "plain")...)
	cmd := exec.Command("go", append(args, ".")...)
	cmd.Dir = t.dir
	begin := time.Now()
	if out, err := cmd.CombinedOutput(); err != nil {
		return 0, fmt.Errorf("%s: plain build: %w\n%s", t.name, err, out)
	}
	return time.Since(begin).Seconds(), nil
}

func (b *bench) buildRewritten(t target, rep int) (float64, error) {
	ctx := context.Background()
	work := filepath.Join(b.work, fmt.Sprintf("build-%s-%d", strings.ReplaceAll(t.name, "/", "_"), rep))
	cfg, err := overlayOf(ctx, t, "default", work, b.fresh(t, rep, "rewritten"))
	if err != nil {
		return 0, err
	}
	begin := time.Now()
	_, err = overlay.Build(ctx, cfg)
	return time.Since(begin).Seconds(), err
}

func runEngine(args []string) error {
	fs := flag.NewFlagSet("engine", flag.ContinueOnError)
	b := &bench{}
	fs.DurationVar(&b.time, "time", 5*time.Second, "of one run")
	fs.IntVar(&b.reps, "reps", 3, "repetitions")
	if err := fs.Parse(args); err != nil {
		return err
	}
	if err := b.prepare(fs.Args()); err != nil {
		return err
	}
	defer os.RemoveAll(b.work)
	return b.engine()
}

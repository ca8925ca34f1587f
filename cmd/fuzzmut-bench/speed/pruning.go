package speed

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"text/tabwriter"
	"time"

	"github.com/fuzzmut/fuzzmut/cmd/fuzzmut-bench/arena"
	"github.com/fuzzmut/fuzzmut/cmd/fuzzmut-bench/stats"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/evaluate"
	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// pruningBench measures what it saves not to run mutants that can't differ.
type pruningBench struct {
	arena.Bench
	inputs int
}

// pruningSteps are the ways to run a list of inputs, each with fewer mutants than
// the one before (Mu2 Table 1).
var pruningSteps = []struct {
	name string
	sel  wire.Select
}{
	{"all", wire.SelectEvery},
	{"executed", wire.SelectReached},
	{"infected", wire.SelectInfected},
	{"and alive", wire.SelectAlive},
}

// RunPruning prints what each step of pruning saves.
func RunPruning(args []string) error {
	fs := flag.NewFlagSet("pruning", flag.ContinueOnError)
	b := &pruningBench{}
	fs.DurationVar(&b.Time, "time", 5*time.Second, "of the run that makes the inputs")
	fs.IntVar(&b.inputs, "inputs", 20, "inputs to run, taken evenly from those that there are")
	if err := fs.Parse(args); err != nil {
		return err
	}
	ctx, stop := arena.Interruptible()
	defer stop()
	if err := b.Prepare(fs.Args()); err != nil {
		return err
	}
	defer os.RemoveAll(b.Work)
	return b.pruning(ctx)
}

// pruning prints a line for each target, and the mean speed-up of each step.
func (b *pruningBench) pruning(ctx context.Context) error {
	fmt.Printf(`Processor seconds of one worker for the same inputs, taken from the seeds and what %v of fuzzing
have left, run with all mutants, with those executed on the input, with those infected, and with
those infected and not killed before. After them the speed-up over all. Each mutant runs to
its end on each input, but for those that don't end: these are killed for good by the first.
%s

`, b.Time, arena.Machine())
	tw := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(tw, "target\tmutants\tinputs\tkilled\t")
	for _, s := range pruningSteps {
		fmt.Fprintf(tw, "%s: runs\ts\t", s.name)
	}
	for _, s := range pruningSteps[1:] {
		fmt.Fprintf(tw, "%s\t", s.name)
	}
	fmt.Fprintln(tw)
	speedups := make([][]float64, len(pruningSteps))
	for _, t := range b.Targets {
		m, err := b.prune(ctx, t)
		if err != nil {
			return fmt.Errorf("%s: %w", t.ID(), err)
		}
		fmt.Fprintf(tw, "%s\t%d\t%d\t%d\t", t.ID(), m.mutants, m.inputs, m.killed)
		for i := range pruningSteps {
			fmt.Fprintf(tw, "%d\t%.2f\t", m.runs[i], m.CPU[i].Seconds())
		}
		for i := range pruningSteps[1:] {
			ratio := m.CPU[0].Seconds() / max(m.CPU[i+1].Seconds(), 0.01)
			speedups[i+1] = append(speedups[i+1], ratio)
			fmt.Fprintf(tw, "%.1f\t", ratio)
		}
		fmt.Fprintln(tw)
	}
	if err := tw.Flush(); err != nil {
		return err
	}
	fmt.Print("\ngeometric mean of the speed-ups:")
	for i, s := range pruningSteps[1:] {
		fmt.Printf(" %s %.1f", s.name, stats.GeometricMean(speedups[i+1]))
	}
	fmt.Println()
	return nil
}

// pruned is what the steps measure on one target.
type pruned struct {
	mutants, inputs, killed int
	runs                    []int64 // of mutants, by step
	CPU                     []time.Duration
}

func (b *pruningBench) prune(ctx context.Context, t arena.Target) (*pruned, error) {
	place, err := b.Workspace(t)
	if err != nil {
		return nil, err
	}
	defer b.Discard(place)
	if _, err := arena.FuzzOurs(ctx, 0, b.Command, b.GoCache, place, "adaptive", 1, b.Time); err != nil {
		return nil, err
	}
	work, err := os.MkdirTemp(b.Work, "pruning-")
	if err != nil {
		return nil, err
	}
	cfg, err := arena.OverlayOf(ctx, place, "default", work, nil)
	if err != nil {
		return nil, err
	}
	l, err := arena.BuildLab(ctx, cfg, t.Fuzz)
	if err != nil {
		return nil, err
	}
	inputs, err := l.Inputs(ctx, filepath.Join(place.Dir, "written"))
	if err != nil {
		return nil, err
	}
	inputs = evenly(inputs, b.inputs)
	p := &pruned{inputs: len(inputs)}
	for _, m := range l.Program.Mutants {
		if m.Status == instrument.StatusLive {
			p.mutants++
		}
	}
	killed := make(map[wire.Select]map[uint32]bool)
	for _, s := range pruningSteps {
		eng := l.Engine()
		ev, err := eng.Exact.Evaluate(ctx, evaluate.Query{Inputs: inputs, Select: s.sel})
		if err != nil {
			return nil, err
		}
		runs := eng.Status().MutantExecs
		p.runs = append(p.runs, runs)
		p.CPU = append(p.CPU, eng.Processes.CPU())
		fmt.Fprintf(os.Stderr, "%s %s, %s: %d runs of mutants\n", time.Now().Format(time.TimeOnly), t.ID(), s.name, runs)
		killed[s.sel] = make(map[uint32]bool)
		for _, k := range ev.Kills {
			killed[s.sel][k.Mutant] = true
		}
	}
	p.killed = len(killed[wire.SelectEvery])
	for _, s := range pruningSteps {
		// Pruning is sound if it loses no kill.
		if n := len(killed[s.sel]); n != p.killed {
			fmt.Fprintf(os.Stderr, "%s: %d mutants are killed with %s, %d with all\n", t.ID(), n, s.name, p.killed)
		}
	}
	return p, nil
}

// evenly takes n of the inputs, at even distances; all if there are no more.
func evenly[T any](inputs []T, n int) []T {
	if len(inputs) <= n {
		return inputs
	}
	list := make([]T, n)
	for i := range list {
		list[i] = inputs[i*len(inputs)/n]
	}
	return list
}

// Package crashes measures how soon known bugs are found in old versions of modules, and
// whether a run reports each of them as one bucket.
package crashes

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/fuzzmut/fuzzmut/cmd/fuzzmut-bench/arena"
	"github.com/fuzzmut/fuzzmut/cmd/fuzzmut-bench/crashers"
	"github.com/fuzzmut/fuzzmut/cmd/fuzzmut-bench/stats"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/runlog"
)

// crashBench measures how long it takes to find known bugs in old versions of
// modules.
type crashBench struct{ crashers.Collection }

// RunCrashes prints how soon known bugs are found.
func RunCrashes(args []string) error {
	set := flag.NewFlagSet("crashes", flag.ContinueOnError)
	b := &crashBench{}
	set.DurationVar(&b.Time, "time", time.Minute, "of one run")
	set.IntVar(&b.Reps, "reps", 3, "repetitions")
	set.StringVar(&b.Data, "data", filepath.Join("testdata", "crashers"), "directory of the modules' descriptions")
	if err := set.Parse(args); err != nil {
		return err
	}
	ctx, stop := arena.Interruptible()
	defer stop()
	if err := b.Prepare(); err != nil {
		return err
	}
	defer os.RemoveAll(b.Work)
	names, err := b.Names(set.Args())
	if err != nil {
		return err
	}
	return b.crashes(ctx, names)
}

// discovery is when a bug was first seen in a run.
type discovery struct {
	executions int64
	seconds    float64 // of processor time
}

// hunt is the result of the repetitions of one contender: for each bug, one
// discovery for each run that found it.
type hunt map[string][]discovery

func (b *crashBench) crashes(ctx context.Context, names []string) error {
	fmt.Printf(`%v a run, %d repetitions, one worker on one processor; %s

Executions and processor seconds to the first input that shows a bug: medians over the runs that
found it, and how many did. Stock is go test -fuzz -fuzzminimizetime=0s, which ends at a failing
input: it is taken away, and stock started again on its cache until the time is used up. A failing
input shows the bug whose label is most like it when plain go test runs it: panics by the line
they come from, and by the message without its numbers; hangs and stack overflows by the functions
on the stack. Bugs that can't be told apart so are joined with "/". Fuzzmut's times are read from
its log, which has up to four lines a second.

`, b.Time, b.Reps, arena.Machine())
	tw := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(tw, "module\tbug\tstock: runs\texecutions\tCPU s\tfuzzmut: runs\texecutions\tCPU s\tstock/fuzzmut, CPU s\t")
	var t tally
	var others []string
	err := crashers.Each(names, func(_ int, name string) error {
		theirs, ours, err := b.compare(ctx, name)
		if err == nil {
			others = append(others, t.print(tw, name, theirs, ours)...)
		}
		return err
	})
	if err != nil {
		return err
	}
	if err := tw.Flush(); err != nil {
		return err
	}
	fmt.Printf("\nbugs found by both %d, by stock alone %d, by fuzzmut alone %d; where both find it, fuzzmut is sooner %d times\n",
		t.both, t.stock, t.ours, t.sooner)
	fmt.Printf("geometric mean of stock's processor time to fuzzmut's, of bugs found by both: %.1f\n", stats.GeometricMean(t.ratios))
	if len(others) > 0 {
		fmt.Printf("\nfailures that show none of the known bugs:\n%s\n", strings.Join(others, "\n"))
	}
	return nil
}

// tally sums up over modules.
type tally struct {
	both, stock, ours, sooner int
	ratios                    []float64
}

// unknown marks what shows no known bug.
const unknown = "? "

// print prints a line for each bug that a side has found, and returns what is
// none of the known ones.
func (t *tally) print(w io.Writer, module string, theirs, ours hunt) (others []string) {
	all := make(map[string]bool)
	for _, h := range []hunt{theirs, ours} {
		for bug := range h {
			all[bug] = true
		}
	}
	for _, bug := range slices.Sorted(maps.Keys(all)) {
		x, y := theirs[bug], ours[bug]
		if what, ok := strings.CutPrefix(bug, unknown); ok {
			others = append(others, fmt.Sprintf("%s: %s (stock %d, fuzzmut %d runs)", module, what, len(x), len(y)))
			continue
		}
		ratio := "-"
		switch {
		case len(y) == 0:
			t.stock++
		case len(x) == 0:
			t.ours++
		default:
			t.both++
			r := medianSeconds(x) / max(medianSeconds(y), 0.01)
			t.ratios = append(t.ratios, max(r, 0.01))
			if r > 1 {
				t.sooner++
			}
			ratio = fmt.Sprintf("%.1f", r)
		}
		fmt.Fprintf(w, "%s\t%s\t%s%s%s\t\n", module, bug, cells(x), cells(y), ratio)
	}
	return others
}

// cells shows one side of a line.
func cells(d []discovery) string {
	if len(d) == 0 {
		return "0\t-\t-\t"
	}
	var executions []float64
	for _, v := range d {
		executions = append(executions, float64(v.executions))
	}
	return fmt.Sprintf("%d\t%.0f\t%.1f\t", len(d), stats.Median(executions), medianSeconds(d))
}

func medianSeconds(d []discovery) float64 {
	var s []float64
	for _, v := range d {
		s = append(s, v.seconds)
	}
	return stats.Median(s)
}

// compare lets both sides hunt in a module. The sides take turns.
func (b *crashBench) compare(ctx context.Context, name string) (theirs, ours hunt, err error) {
	theirs, ours = make(hunt), make(hunt)
	for rep := range b.Reps {
		m, err := b.Module(ctx, name, rep)
		if err != nil {
			return nil, nil, err
		}
		plain, fuzz := filepath.Join(m.Dir, "plain.test"), filepath.Join(m.Dir, "fuzz.test")
		for _, flags := range [][]string{{"-o", plain}, {"-o", fuzz, "-fuzz=^" + m.Fuzz + "$"}} {
			args := slices.Concat([]string{"go", "test", "-c", "-vet=off", "-mod=mod"}, flags, []string{"."})
			if _, err := arena.Run(ctx, 0, m.Dir, args...); err != nil {
				return nil, nil, err
			}
		}
		if err := b.huntStock(ctx, m, plain, fuzz, theirs); err != nil {
			return nil, nil, err
		}
		if err := b.huntOurs(ctx, m, plain, rep+1, ours); err != nil {
			return nil, nil, err
		}
		b.Forget(m)
		fmt.Fprintf(os.Stderr, "%s %s %d: bugs found so far by stock %d, by fuzzmut %d\n", time.Now().Format(time.TimeOnly), name, rep, len(theirs), len(ours))
	}
	return theirs, ours, nil
}

// found enters a crash into the hunt, unless the run has seen the bug before.
func (h hunt) found(seen map[string]bool, c crashers.Crash, labels []crashers.Label, d discovery) {
	bug := crashers.Attribute(c, labels)
	if bug == "" {
		bug = unknown + c.Describe()
	}
	if !seen[bug] {
		seen[bug] = true
		h[bug] = append(h[bug], d)
	}
}

func (b *crashBench) huntStock(ctx context.Context, m *crashers.Module, plain, fuzz string, h hunt) error {
	place := filepath.Join(m.Dir, "arena")
	if err := os.MkdirAll(place, 0o777); err != nil {
		return err
	}
	seen := make(map[string]bool)
	var failed error
	_, err := arena.FuzzStock(ctx, 0, fuzz, place, m.Fuzz, b.Time, "0s", func(out arena.Outcome, failing []string, _ []byte) {
		for _, path := range failing {
			c, ok, err := crashers.Replay(ctx, m, plain, path)
			if err != nil {
				failed = errors.Join(failed, err)
			} else if ok {
				h.found(seen, c, m.Labels, discovery{out.Executions, out.CPU.Seconds()})
			}
		}
	})
	return errors.Join(err, failed)
}

func (b *crashBench) huntOurs(ctx context.Context, m *crashers.Module, plain string, seed int, h hunt) error {
	log := filepath.Join(m.Dir, "run.log")
	r, err := arena.RunFuzzmut(ctx, 0, b.Command, m.Target, "fuzz", "-fuzztime="+b.Time.String(), "-seed="+strconv.Itoa(seed),
		"-mod=mod", "-corpus="+filepath.Join(m.Dir, "written"), "-log="+log)
	if err != nil {
		return err
	}
	series, err := arena.ReadLog(log)
	if err != nil {
		return err
	}
	share := r.CPUSeconds / r.WallSeconds // of a processor; near 1 if nothing else runs
	seen := make(map[string]bool)
	for i, bucket := range r.Crashes {
		at, ok := firstPoint(series[0].Points, i+1)
		if !ok || len(bucket.Entries) == 0 {
			continue
		}
		c, ok, err := crashers.Replay(ctx, m, plain, bucket.Entries[0])
		if err != nil {
			return err
		}
		if !ok {
			c = crashers.Crash{Kind: "passes go test; to fuzzmut: " + bucket.Kind, Message: bucket.Message, Stack: bucket.Frames}
		}
		h.found(seen, c, m.Labels, discovery{at.Executions, at.Seconds * share})
	}
	return nil
}

// firstPoint returns the first point of a log at which there were n buckets, which
// a report lists in the order in which they came.
func firstPoint(points []runlog.Point, n int) (runlog.Point, bool) {
	for _, p := range points {
		if p.Buckets >= n {
			return p, true
		}
	}
	return runlog.Point{}, false
}

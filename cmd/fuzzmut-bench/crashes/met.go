package crashes

import (
	"context"
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
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
)

// metBench measures whether a run reports each bug that it meets as one bucket.
type metBench struct {
	crashers.Collection
	execs   int64 // instead of a time
	replays int
	verbose bool
}

// RunMet prints whether runs report each bug that they meet as one bucket.
func RunMet(args []string) error {
	set := flag.NewFlagSet("met", flag.ContinueOnError)
	b := &metBench{}
	set.DurationVar(&b.Time, "time", time.Minute, "of one run")
	set.Int64Var(&b.execs, "execs", 0, "executions of one run, instead of a time")
	set.IntVar(&b.replays, "replays", 6, "inputs of each bucket that plain go test runs, at most")
	set.BoolVar(&b.verbose, "v", false, "show each bucket")
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
	fmt.Printf(`one run of %s for each module, from its seeds, with one worker on one processor; %s

The bugs that a run has met, by ground truth, and the buckets that it reports. An input shows the
bug whose label is most like it when plain go test runs it, as in crashes; of each bucket at most
%d inputs are run. Bugs that can't be told apart so are joined with "/". Of what is like no label
nobody knows the bug: such buckets are counted apart. A bug is split that has several buckets, and
a bucket is mixed that has several bugs.

`, b.budget(), arena.Machine(), b.replays)
	var all []*met
	err = crashers.Each(names, func(i int, name string) error {
		m, err := b.meet(ctx, name, i)
		if err != nil {
			return err
		}
		fmt.Fprintf(os.Stderr, "%s %s: %s\n", time.Now().Format(time.TimeOnly), name, report.Plural(len(m.buckets), "bucket"))
		all = append(all, m)
		return nil
	})
	if err != nil {
		return err
	}
	return printMet(os.Stdout, all, b.verbose)
}

// budget is the run's as -fuzztime takes it.
func (b *metBench) budget() string {
	if b.execs > 0 {
		return strconv.FormatInt(b.execs, 10) + "x"
	}
	return b.Time.String()
}

// met is the result of a run of a module.
type met struct {
	module  string
	inputs  int // kept
	stacks  int // buckets by kind and stack alone
	wall    float64
	execs   int64
	buckets []metBucket
}

// metBucket is a bucket as the run reports it, with the bugs that its inputs show.
type metBucket struct {
	what    string
	inputs  int
	repairs int
	bugs    []string // sorted; unknown what is like no label
}

// meet runs fuzzmut on a module and attributes what it finds.
func (b *metBench) meet(ctx context.Context, name string, rep int) (*met, error) {
	m, err := b.Module(ctx, name, rep)
	if err != nil {
		return nil, err
	}
	defer b.Forget(m)
	plain := filepath.Join(m.Dir, "plain.test")
	if _, err := arena.Run(ctx, 0, m.Dir, "go", "test", "-c", "-vet=off", "-mod=mod", "-o", plain, "."); err != nil {
		return nil, err
	}
	r, err := arena.RunFuzzmut(ctx, 0, b.Command, m.Target, "fuzz", "-fuzztime="+b.budget(), "-seed=1", "-mod=mod",
		"-corpus="+filepath.Join(m.Dir, "written"))
	if err != nil {
		return nil, err
	}
	out := &met{module: name, wall: r.WallSeconds, execs: r.Executions}
	for _, c := range r.Crashes {
		out.inputs, out.stacks = out.inputs+len(c.Entries), out.stacks+c.Stacks
		bucket := metBucket{what: c.Kind + ": " + c.Message, inputs: len(c.Entries), repairs: len(c.Repairs)}
		if len(c.Frames) > 0 {
			bucket.what += " at " + c.Frames[0]
		}
		if bucket.bugs, err = b.bugsOf(ctx, m, plain, c.Entries); err != nil {
			return nil, err
		}
		out.buckets = append(out.buckets, bucket)
	}
	return out, nil
}

// bugsOf attributes some of a bucket's inputs, the representative among them.
func (b *metBench) bugsOf(ctx context.Context, m *crashers.Module, plain string, entries []string) ([]string, error) {
	step := max(1, (len(entries)+b.replays-1)/b.replays)
	bugs := make(map[string]bool)
	for i := 0; i < len(entries); i += step {
		c, ok, err := crashers.Replay(ctx, m, plain, entries[i])
		switch {
		case err != nil:
			return nil, err
		case !ok:
			bugs[unknown+"passes go test"] = true
			continue
		}
		bug := crashers.Attribute(c, m.Labels)
		if bug == "" {
			bug = unknown + c.Describe()
		}
		bugs[bug] = true
	}
	return separated(bugs), nil
}

// separated leaves joined names out where one of the bugs is there by itself.
func separated(bugs map[string]bool) []string {
	names := slices.Sorted(maps.Keys(bugs))
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool {
		parts := strings.Split(name, "/")
		return !strings.HasPrefix(name, unknown) && len(parts) > 1 &&
			slices.ContainsFunc(parts, func(p string) bool { return bugs[p] })
	})
}

// known returns the buckets by bug, and how many buckets show none that is known.
func (m *met) known() (byBug map[string]int, mixed, without int) {
	byBug = make(map[string]int)
	for _, b := range m.buckets {
		n := 0
		for _, bug := range b.bugs {
			if !strings.HasPrefix(bug, unknown) {
				byBug[bug]++
				n++
			}
		}
		switch {
		case n == 0:
			without++
		case n > 1:
			mixed++
		}
	}
	return byBug, mixed, without
}

func printMet(out io.Writer, all []*met, verbose bool) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "module\texecutions\tinputs\tby stack alone\tbuckets\tof known bugs\tbugs met\tsplit\tmixed\twith a repair\tother buckets\twall, s")
	for _, m := range all {
		byBug, mixed, without := m.known()
		split, repaired := 0, 0
		for _, n := range byBug {
			if n > 1 {
				split++
			}
		}
		for _, b := range m.buckets {
			if b.repairs > 0 {
				repaired++
			}
		}
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%.0f\n", m.module, m.execs, m.inputs, m.stacks, len(m.buckets),
			len(m.buckets)-without, len(byBug), split, mixed, repaired, without, m.wall)
	}
	if err := w.Flush(); err != nil || !verbose {
		return err
	}
	for _, m := range all {
		fmt.Fprintf(w, "\n%s: bug\tinputs\trepairs shown\tbucket\n", m.module)
		for _, b := range m.buckets {
			fmt.Fprintf(w, "%s\t%d\t%d\t%s\n", strings.Join(b.bugs, ", "), b.inputs, b.repairs, b.what)
		}
	}
	return w.Flush()
}

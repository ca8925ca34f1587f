package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// dormantRow is one line of dormant's table.
type dormantRow struct {
	*subject
	live, static     int
	plain, rewritten cost
	tests            int
	before, after    time.Duration // of the tests, on the processor
	traced           time.Duration
	differ           []string
	unsteady         []string // tests that differ from run to run of the package as it is
}

// testTimeout bounds a run of a package's tests.
const testTimeout = 10 * time.Minute

// tracedTimeout bounds a run that records what is reached and infected: it takes ten
// times as long, and on a busy machine longer.
const tracedTimeout = 40 * time.Minute

// dormant runs the tests of every unit with and without rewriting.
func (p *prover) dormant(ctx context.Context) error {
	var rows []*dormantRow
	differ, refused := 0, 0
	var failed []error
	for _, u := range p.units {
		row, err := p.dormantOne(ctx, u)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			failed = append(failed, err)
			continue
		}
		fmt.Fprintf(os.Stderr, "%s: %d tests, %d differences, %d refused by the compiler\n", u.name(), row.tests, len(row.differ), len(row.program.Refused))
		rows = append(rows, row)
		differ += len(row.differ)
		refused += len(row.program.Refused)
	}
	printDormant(os.Stdout, rows)
	if differ > 0 {
		failed = append(failed, fmt.Errorf("%d differences", differ))
	}
	if refused > 0 {
		failed = append(failed, fmt.Errorf("the compiler refuses rewritten code at %d places", refused))
	}
	return errors.Join(failed...)
}

func (p *prover) dormantOne(ctx context.Context, u *unit) (*dormantRow, error) {
	s, err := p.prepare(ctx, u)
	if err != nil {
		return nil, err
	}
	row := &dormantRow{subject: s}
	for _, m := range s.program.Mutants {
		switch m.Status {
		case instrument.StatusLive:
			row.live++
		case instrument.StatusStatic:
			row.static++
		}
	}
	plain := filepath.Join(s.dir, "plain.test")
	if _, err := s.rebuild(ctx, false, plain); err != nil { // fills the cache with what does not change
		return nil, err
	}
	if row.plain, err = s.rebuild(ctx, false, plain); err != nil {
		return nil, err
	}
	if row.rewritten, err = s.rebuild(ctx, true, s.cfg.Output); err != nil {
		return nil, err
	}
	return row, row.run(ctx, plain, p.traced)
}

// run runs the tests as they are, rewritten, and, if asked to, rewritten with every
// function in its mutable body, recording what mutants are reached and infected.
func (row *dormantRow) run(ctx context.Context, plain string, trace bool) error {
	before, err := runToEnd(ctx, plain, row.pkgDir, nil, testTimeout)
	if err != nil {
		return err
	}
	after, err := runToEnd(ctx, row.cfg.Output, row.pkgDir, nil, testTimeout)
	if err != nil {
		return err
	}
	row.tests, row.before, row.after = len(before.tests), before.cpu, after.cpu
	row.differ = differences(before, after)
	if trace {
		traced, err := runToEnd(ctx, row.cfg.Output, row.pkgDir, []string{wire.InitEnv(len(row.program.Mutants))}, tracedTimeout)
		if err != nil {
			return err
		}
		row.traced = traced.cpu
		row.differ = append(row.differ, differences(before, traced)...)
	}
	if len(row.differ) == 0 {
		return nil
	}
	// What differs from run to run of the package as it is, is not ours.
	again, err := runToEnd(ctx, plain, row.pkgDir, nil, testTimeout)
	if err != nil {
		return err
	}
	row.unsteady = differences(before, again)
	unsteady := make(map[string]bool)
	for _, d := range row.unsteady {
		name, _, _ := strings.Cut(d, ": ")
		unsteady[name] = true
	}
	row.differ = slices.DeleteFunc(row.differ, func(d string) bool {
		name, _, _ := strings.Cut(d, ": ")
		return unsteady[name]
	})
	return nil
}

// runToEnd runs tests as runTests does. A run that its bound ends is an error: what it
// has not run is neither equal nor different.
func runToEnd(ctx context.Context, binary, dir string, env []string, timeout time.Duration) (*results, error) {
	r, err := runTests(ctx, binary, dir, env, timeout)
	if err == nil && r.wall >= timeout {
		err = fmt.Errorf("the tests in %s did not end within %v: nothing is compared", dir, timeout)
	}
	return r, err
}

func printDormant(w io.Writer, rows []*dormantRow) {
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(tw, "package\tpackages\tlines\tsites\tleft out\tnoise\tmutants\tstatic\tbuild CPU s\trewritten\tratio\tcompiler MiB\tbinary MiB\trewritten\ttests\ttest CPU s\trewritten\ttraced\tdifferences\t")
	var census instrument.Census
	mutants, differ := 0, 0
	for _, r := range rows {
		c := &r.program.Census
		fmt.Fprintf(tw, "%s\t%d\t%d\t%d\t%s\t%s\t%d\t%d\t%.1f\t%.1f\t%.1f\t%.0f\t%.1f\t%.1f\t%d\t%.2f\t%.2f\t%.2f\t%d\t\n",
			r.name(), mutated(r.program), r.lines, c.Sites, percent(c.LeftOut(), c.Sites), percent(c.Suppressed(), c.Sites), r.live, r.static,
			r.plain.cpu.Seconds(), r.rewritten.cpu.Seconds(), r.rewritten.cpu.Seconds()/r.plain.cpu.Seconds(), mib(r.rewritten.rss),
			mib(r.plain.size), mib(r.rewritten.size), r.tests, r.before.Seconds(), r.after.Seconds(), r.traced.Seconds(), len(r.differ))
		census.Add(*c)
		mutants += r.live + r.static
		differ += len(r.differ)
	}
	tw.Flush()
	fmt.Fprintf(w, "\nin all %d mutants at %d sites, %s left out, %s suppressed as noise, %d differences\n",
		mutants, census.Sites, percent(census.LeftOut(), census.Sites), percent(census.Suppressed(), census.Sites), differ)
	printReasons(w, "sites left out", census.Left)
	printReasons(w, "sites suppressed as noise", census.Noise)
	for _, r := range rows {
		for _, d := range r.differ {
			fmt.Fprintf(w, "%s: %s\n", r.name(), short(d))
		}
		for _, d := range r.unsteady {
			fmt.Fprintf(w, "%s: differs from run to run without us: %s\n", r.name(), short(d))
		}
		fmt.Fprint(w, r.log.String())
	}
}

func printReasons(w io.Writer, title string, reasons map[string]int) {
	type left struct {
		why string
		n   int
	}
	var list []left
	for why, n := range reasons {
		list = append(list, left{why, n})
	}
	slices.SortFunc(list, func(a, b left) int {
		if a.n != b.n {
			return b.n - a.n
		}
		return strings.Compare(a.why, b.why)
	})
	fmt.Fprintf(w, "%s, by reason:\n", title)
	for _, l := range list {
		fmt.Fprintf(w, "%7d  %s\n", l.n, l.why)
	}
}

// short cuts the names of subtests, which can be long.
func short(s string) string {
	const most = 120
	if len(s) <= most {
		return s
	}
	return s[:most] + "…"
}

func mutated(p *instrument.Program) int {
	n := 0
	for _, pkg := range p.Packages {
		if pkg.Mutated {
			n++
		}
	}
	return n
}

func percent(part, whole int) string {
	if whole == 0 {
		return "-"
	}
	return fmt.Sprintf("%.1f %%", 100*float64(part)/float64(whole))
}

func mib(bytes int64) float64 { return float64(bytes) / (1 << 20) }

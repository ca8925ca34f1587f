package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/unittest"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/format"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
)

// isolation says which mutants are judged once more, each in a separate process.
type isolation struct {
	n        int // for each package, about; 0: all
	seed     uint64
	parallel int
}

// partSize is about how many mutants are judged by one command: when the proof is
// interrupted, no more are judged again.
const partSize = 400

// parts returns the shards that are to be judged of a number of mutants, and how many there
// are in all.
func (i *isolation) parts(mutants int) (chosen []int, all int) {
	all = max(1, (mutants+partSize-1)/partSize)
	n := all
	if i.n > 0 {
		if i.n < partSize {
			all = max(1, (mutants+i.n-1)/i.n)
		}
		n = min(all, max(1, (i.n*all+mutants-1)/max(mutants, 1)))
	}
	for k := range n {
		chosen = append(chosen, int((i.seed+uint64(k))%uint64(all))+1)
	}
	return chosen, all
}

// parted is a unit with what fuzzmut test says of its mutants, and what a process for each
// of them says.
type parted struct {
	unit     *unit
	tool     string // the command
	operator string // -operators
	root     string // of the copy of the module
	dir      string // of the results

	shared   *report.TestReport
	alone    []*report.TestReport // part by part
	compared int                  // mutants with a verdict in both ways
	killed   int                  // of these, in shared
	differ   []*difference
}

// difference is a mutant with two verdicts.
type difference struct {
	shared, alone report.Mutant
	unsteady      bool // one of them differs from run to run
}

// verdicts compares what fuzzmut test says with what a process for each mutant says.
func (p *prover) verdicts(ctx context.Context, opts isolation, operators string) error {
	tool := filepath.Join(p.work, "fuzzmut")
	if out, err := exec.CommandContext(ctx, "go", "build", "-o", tool, "./cmd/fuzzmut").CombinedOutput(); err != nil {
		return fmt.Errorf("building fuzzmut: %w\n%s", err, out)
	}
	tw := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(tw, "package\tmutants\tcompared\tkilled\tunsteady\tdiffer\tms/mutant\talone\t")
	all := &parted{unit: &unit{module: "in all"}, shared: &report.TestReport{}}
	var failed []error
	var notes strings.Builder
	for _, u := range p.units {
		c := &parted{unit: u, tool: tool, operator: operators}
		c.dir = filepath.Join(p.work, "verdicts", fileName(u.name()))
		err := p.compareVerdicts(ctx, c, opts)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			failed = append(failed, fmt.Errorf("%s: %w", u.name(), err))
			continue
		}
		all.add(c)
		c.describe(io.MultiWriter(&notes, os.Stderr))
		c.write(tw)
	}
	all.write(tw)
	tw.Flush()
	fmt.Print("\n", notes.String())
	if n := all.steady(); n > 0 {
		failed = append(failed, fmt.Errorf("%d of %d mutants have a different verdict in a separate process", n, all.compared))
	}
	return errors.Join(failed...)
}

// compareVerdicts has the mutants of one unit judged in both ways.
func (p *prover) compareVerdicts(ctx context.Context, c *parted, opts isolation) (err error) {
	if c.root, err = p.fetch(ctx, c.unit); err != nil {
		return err
	}
	if err := os.MkdirAll(c.dir, 0o777); err != nil {
		return err
	}
	parallel := fmt.Sprintf("-parallel=%d", opts.parallel)
	if c.shared, err = c.test(ctx, "shared", parallel, "-fresh"); err != nil {
		return err
	}
	chosen, all := opts.parts(len(c.shared.Mutants))
	for i, k := range chosen {
		begin := time.Now()
		shard := fmt.Sprintf("%d/%d", k, all)
		r, err := c.test(ctx, strings.ReplaceAll("alone-"+shard, "/", "-"), parallel, "-isolate", "-fresh", "-shard="+shard)
		if err != nil {
			return err
		}
		c.alone = append(c.alone, r)
		fmt.Fprintf(os.Stderr, "%s: part %d of %d, %s alone in %.0f s\n", c.unit.name(), i+1, len(chosen),
			report.Plural(len(r.Mutants), "mutant"), time.Since(begin).Seconds())
	}
	c.compare()
	return p.again(ctx, c, opts.parallel)
}

// test runs fuzzmut test, unless its result is there from an earlier run of this proof.
func (c *parted) test(ctx context.Context, name string, flags ...string) (*report.TestReport, error) {
	file := filepath.Join(c.dir, name+".json")
	if r, err := readResult(file); err == nil {
		return r, nil
	}
	args := append([]string{"test", "-q", "-operators=" + c.operator, "-json=" + file + ".new"}, flags...)
	if len(c.unit.mutate) > 0 {
		args = append(args, "-mutate="+strings.Join(c.unit.mutate, ","))
	}
	if c.unit.skip != "" {
		args = append(args, "-skip="+c.unit.skip)
	}
	cmd := exec.CommandContext(ctx, c.tool, append(args, c.unit.pkg)...)
	cmd.Dir = c.root
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = time.Minute
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("fuzzmut %s: %w\n%s", strings.Join(cmd.Args[1:], " "), err, out.String())
	}
	if err := os.Rename(file+".new", file); err != nil {
		return nil, err
	}
	return readResult(file)
}

func readResult(file string) (*report.TestReport, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	return format.ReadTests(data)
}

// judged reports whether a mutant has a verdict that counts.
func judged(m *report.Mutant) bool {
	return m.Status == report.Killed || m.Status == report.Survived || m.Status == report.NotCovered
}

// compare finds the mutants that are killed in one of the two ways only.
func (c *parted) compare() {
	type key struct{ pkg, id string }
	shared := make(map[key]*report.Mutant)
	for i := range c.shared.Mutants {
		m := &c.shared.Mutants[i]
		shared[key{m.Package, m.ID}] = m
	}
	for _, r := range c.alone {
		for i := range r.Mutants {
			a := &r.Mutants[i]
			s := shared[key{a.Package, a.ID}]
			if s == nil || !judged(s) || !judged(a) {
				continue
			}
			c.compared++
			if s.Status == report.Killed {
				c.killed++
			}
			if (s.Status == report.Killed) != (a.Status == report.Killed) {
				c.differ = append(c.differ, &difference{shared: *s, alone: *a})
			}
		}
	}
}

// againTimes is how often mutants with two verdicts are judged again in both ways.
const againTimes = 3

// again judges mutants with two verdicts again. What is shared may matter: all mutants of the
// unit are judged with them.
func (p *prover) again(ctx context.Context, c *parted, parallel int) error {
	if len(c.differ) == 0 {
		return nil
	}
	s, err := p.prepare(ctx, c.unit)
	if err != nil {
		return err
	}
	numbers := make(map[string]uint32)
	for i := range s.program.Mutants {
		m := &s.program.Mutants[i]
		numbers[m.Package+" "+m.ID] = uint32(m.Index)
	}
	for range againTimes {
		all, err := s.judge(ctx, unittest.Options{Parallel: parallel})
		if err != nil {
			return err
		}
		for _, d := range c.differ {
			n := numbers[d.shared.Package+" "+d.shared.ID]
			if d.unsteady || n == 0 {
				continue
			}
			alone, err := s.judge(ctx, unittest.Options{Parallel: 1, Isolated: true, Mutants: []uint32{n}})
			if err != nil {
				return err
			}
			killed := func(list []unittest.Verdict) bool {
				at := verdictOf(list, &s.program.Mutants[n-1])
				return at >= 0 && list[at].Status == unittest.StatusKilled
			}
			d.unsteady = killed(all) != (d.shared.Status == report.Killed) || killed(alone) != (d.alone.Status == report.Killed)
		}
	}
	return nil
}

// steady counts the differences that come each time.
func (c *parted) steady() (n int) {
	for _, d := range c.differ {
		if !d.unsteady {
			n++
		}
	}
	return n
}

func (c *parted) add(other *parted) {
	c.shared.Mutants = append(c.shared.Mutants, other.shared.Mutants...)
	c.shared.Packages = append(c.shared.Packages, other.shared.Packages...)
	c.alone = append(c.alone, other.alone...)
	c.differ = append(c.differ, other.differ...)
	c.compared += other.compared
	c.killed += other.killed
}

// perMutant is the processor time of the tests for each mutant that was judged, in milliseconds.
func perMutant(list ...*report.TestReport) string {
	seconds, n := 0.0, 0
	for _, r := range list {
		for i := range r.Packages {
			seconds += r.Packages[i].CPUSeconds
		}
		for i := range r.Mutants {
			if judged(&r.Mutants[i]) {
				n++
			}
		}
	}
	return fmt.Sprintf("%.2f", 1000*seconds/float64(max(n, 1)))
}

// write writes a line of the table.
func (c *parted) write(w io.Writer) {
	fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\t%d\t%s\t%s\t\n", c.unit.name(), len(c.shared.Mutants), c.compared, c.killed,
		len(c.differ)-c.steady(), c.steady(), perMutant(c.shared), perMutant(c.alone...))
}

// describe lists the mutants with two verdicts.
func (c *parted) describe(w io.Writer) {
	for _, d := range c.differ {
		fmt.Fprintf(w, "%s: %s %s %s:%d: %s\n", c.unit.name(), d.shared.ID, d.shared.Operator, filepath.Base(d.shared.File), d.shared.Line, d.shared.Description)
		if d.unsteady {
			fmt.Fprint(w, "\tdiffers from run to run\n")
		}
		fmt.Fprintf(w, "\tfuzzmut test: %s\n\talone: %s\n", said(&d.shared), said(&d.alone))
	}
}

// said is a verdict in one line.
func said(m *report.Mutant) string {
	text := m.Status
	for _, part := range []string{m.KillKind, m.KilledBy, m.Detail, m.Reason} {
		if part != "" {
			text += ", " + strings.ReplaceAll(part, "\n", " | ")
		}
	}
	return text
}

package main

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"text/tabwriter"
	"time"

	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/unittest"
	"github.com/fuzzmut/fuzzmut/instrument"
)

// sample says which mutants to compile alone.
type sample struct {
	n        int // for each module
	seed     uint64
	parallel int
	// survivors is how many of the mutants that survive are run once more, active
	// from the start; negative means all.
	survivors int
}

// agreement is what the tests say of one mutant: of its plain edit, and in the
// verdict of fuzzmut test.
type agreement struct {
	mutant    *instrument.Mutant
	plain     *results
	verdict   unittest.Verdict
	noCompile string // what the compiler says of the plain edit
	agree     bool
	unsteady  bool // one of the two differs from run to run
}

// killed says whether the tests, run by fuzzmut test, notice the mutant.
func (a *agreement) killed() bool { return a.verdict.Status == unittest.StatusKilled }

// proof is what was found out on one unit.
type proof struct {
	unit      *unit
	verdicts  []unittest.Verdict // of fuzzmut test, on all mutants
	sample    []*agreement
	fromStart []*fromStart
	note      string // why nothing was compared
}

// schemata compares mutants with their plain edits, unit by unit.
func (p *prover) schemata(ctx context.Context, opts sample) error {
	modules := make(map[string]int)
	for _, u := range p.units {
		modules[u.module]++
	}
	tw := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(tw, "package\tmutants\tkilled\tfrom start\tfalse survivors\tsample\tkilled\tunsteady\tdisagree\tagreement\t")
	all := &proof{unit: &unit{module: "in all"}}
	var failed []error
	var notes strings.Builder
	for _, u := range p.units {
		n := (opts.n + modules[u.module] - 1) / modules[u.module]
		proof, err := p.schemataOne(ctx, u, opts, n)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			failed = append(failed, err)
			continue
		}
		all.add(proof)
		proof.describe(io.MultiWriter(&notes, os.Stderr))
		proof.write(tw)
		proof.write(os.Stderr)
	}
	all.write(tw)
	tw.Flush()
	fmt.Print("\n", notes.String())
	if d := disagreeing(all.sample); d > 0 {
		failed = append(failed, fmt.Errorf("%d of %d mutants disagree with their plain edits", d, len(all.sample)))
	}
	if n := falseSurvivors(all.fromStart); n > 0 {
		failed = append(failed, fmt.Errorf("%d of %d mutants that survive fail the tests when they are active from the start", n, len(all.fromStart)))
	}
	return errors.Join(failed...)
}

func (p *proof) add(other *proof) {
	p.verdicts = append(p.verdicts, other.verdicts...)
	p.sample = append(p.sample, other.sample...)
	p.fromStart = append(p.fromStart, other.fromStart...)
}

func (p *prover) schemataOne(ctx context.Context, u *unit, opts sample, n int) (*proof, error) {
	s, err := p.prepare(ctx, u)
	if err != nil {
		return nil, err
	}
	found := &proof{unit: u}
	if _, err := os.Stat(s.cfg.Output); errors.Is(err, fs.ErrNotExist) {
		found.note = noTests
		return found, nil
	}
	base, err := s.runTests(ctx, s.cfg.Output, nil, testTimeout)
	switch {
	case err != nil:
		return nil, err
	case base.failed:
		return nil, fmt.Errorf("%s: the tests fail without a mutant: %s", u.name(), base.ended)
	case len(base.tests) == 0:
		found.note = noTests
		return found, nil
	}
	if found.verdicts, err = s.judge(ctx, unittest.Options{Strict: true, Parallel: opts.parallel}); err != nil {
		return nil, err
	}
	found.sample = choose(s, opts.seed, n)
	for _, a := range found.sample {
		a.verdict = found.verdicts[verdictOf(found.verdicts, a.mutant)]
	}
	timeout := endless(base)
	if err := each(found.sample, opts.parallel, func(a *agreement, worker int) error {
		return s.compare(ctx, a, worker, timeout)
	}); err != nil {
		return nil, err
	}
	found.fromStart = s.survivors(found.verdicts, opts)
	return found, each(found.fromStart, opts.parallel, func(f *fromStart, _ int) error {
		return s.runFromStart(ctx, f, timeout)
	})
}

const noTests = "no tests: nothing to compare"

// endless is the time after which a run of the tests is taken for endless, in
// both forms: that a rewritten function is slower must not make a difference.
func endless(base *results) time.Duration {
	return max(3*time.Second, 10*base.wall).Round(time.Second)
}

// each does some work on all items of a list, several at a time.
func each[T any](list []T, parallel int, work func(item T, worker int) error) error {
	items := make(chan T)
	errs := make([]error, parallel)
	var wg sync.WaitGroup
	for worker := range parallel {
		wg.Go(func() {
			for item := range items {
				if errs[worker] == nil {
					errs[worker] = work(item, worker)
				}
			}
		})
	}
	for _, item := range list {
		items <- item
	}
	close(items)
	wg.Wait()
	return errors.Join(errs...)
}

// choose draws a sample of the mutants that can be run.
func choose(s *subject, seed uint64, n int) (list []*agreement) {
	h := fnv.New64a()
	io.WriteString(h, s.name()) //nolint:errcheck // never fails
	var ms []*instrument.Mutant
	for i := range s.program.Mutants {
		if m := &s.program.Mutants[i]; m.Status != instrument.StatusSkipped {
			ms = append(ms, m)
		}
	}
	r := rand.New(rand.NewPCG(seed, h.Sum64()))
	r.Shuffle(len(ms), func(i, j int) { ms[i], ms[j] = ms[j], ms[i] })
	ms = ms[:min(n, len(ms))]
	slices.SortFunc(ms, func(a, b *instrument.Mutant) int { return a.Index - b.Index })
	for _, m := range ms {
		list = append(list, &agreement{mutant: m})
	}
	return list
}

// compare runs the tests with the plain edit, and compares that with the verdict.
// Where they differ both are asked again.
func (s *subject) compare(ctx context.Context, a *agreement, worker int, timeout time.Duration) error {
	binary := filepath.Join(s.dir, fmt.Sprintf("plain%d.test", worker))
	msg, err := s.buildPlain(ctx, a.mutant, worker, binary)
	if a.noCompile = msg; msg != "" || err != nil {
		return err
	}
	run := func() error {
		a.plain, err = s.runTests(ctx, binary, nil, timeout, oneFailureWillDo)
		return err
	}
	if err := run(); err != nil {
		return err
	}
	if a.agree = a.plain.failed == a.killed(); a.agree {
		return nil
	}
	const again = 5 // enough to see what depends on the clock, mostly
	failed, killed := a.plain.failed, a.killed()
	for range again {
		if err := run(); err != nil {
			return err
		}
		verdicts, err := s.judge(ctx, unittest.Options{Strict: true, Parallel: 1, Mutants: []uint32{uint32(a.mutant.Index)}})
		if err != nil {
			return err
		}
		a.verdict = verdicts[0]
		if a.unsteady = a.plain.failed != failed || a.killed() != killed; a.unsteady {
			break
		}
	}
	return nil
}

const oneFailureWillDo = "-test.failfast"

// buildPlain compiles the package with the plain edit alone, and returns what the
// compiler has against it.
func (s *subject) buildPlain(ctx context.Context, m *instrument.Mutant, worker int, output string) (string, error) {
	src := s.sources[m.File]
	if string(src[m.Offset:m.End]) != m.Original {
		return "", fmt.Errorf("%s: mutant %s is not of this source", m.File, m.ID)
	}
	edited := slices.Concat(src[:m.Offset], []byte(m.Replacement), src[m.End:])
	file := filepath.Join(s.dir, fmt.Sprintf("plain%d.go", worker))
	if err := os.WriteFile(file, edited, 0o666); err != nil {
		return "", err
	}
	over, err := writeOverlay(filepath.Join(s.dir, fmt.Sprintf("plain%d.json", worker)), map[string]string{s.compiled(m.File): file})
	if err != nil {
		return "", err
	}
	args := append([]string{"test", "-c", "-vet=off", "-ldflags=-s -w", "-o", output, "-overlay=" + over}, s.tool.Flags...)
	cmd := exec.CommandContext(ctx, s.tool.Command, append(args, s.loaded.Test.ImportPath)...)
	cmd.Dir, cmd.Env = s.tool.Dir, s.tool.Env
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return "", ctx.Err()
	case errors.As(err, &exit):
		return strings.TrimSpace(string(out)), nil
	}
	return "", err
}

func disagreeing(list []*agreement) int {
	n := 0
	for _, a := range list {
		if !a.agree && !a.unsteady {
			n++
		}
	}
	return n
}

// write writes a line of the table.
func (p *proof) write(w io.Writer) {
	if p.note != "" {
		fmt.Fprintf(w, "%s\t%s\t\t\t\t\t\t\t\t\t\n", p.unit.name(), p.note)
		return
	}
	killed, sampleKilled, unsteady := 0, 0, 0
	for _, v := range p.verdicts {
		if v.Status == unittest.StatusKilled {
			killed++
		}
	}
	for _, a := range p.sample {
		switch {
		case a.unsteady:
			unsteady++
		case a.agree && a.killed():
			sampleKilled++
		}
	}
	n, d := len(p.sample)-unsteady, disagreeing(p.sample)
	fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%s\t\n", p.unit.name(), len(p.verdicts), killed,
		len(p.fromStart), falseSurvivors(p.fromStart), len(p.sample), sampleKilled, unsteady, d, percent(n-d, n))
}

// describe lists the mutants that disagree, and the false survivors.
func (p *proof) describe(w io.Writer) {
	head := func(m *instrument.Mutant) {
		fmt.Fprintf(w, "%s: %s %s %s:%d: %s\n", p.unit.name(), m.ID, m.Operator, filepath.Base(m.File), m.Line, m.Description)
	}
	for _, a := range p.sample {
		if a.agree {
			continue
		}
		head(a.mutant)
		if a.noCompile != "" {
			fmt.Fprintf(w, "\tthe plain edit does not compile: %s\n", a.noCompile)
			continue
		}
		if a.unsteady {
			fmt.Fprint(w, "\tdiffers from run to run\n")
		}
		fmt.Fprintf(w, "\tplain edit: %s\n\tfuzzmut test: %s\n", a.plain.end(), shown(a.verdict))
	}
	for _, f := range p.fromStart {
		if f.ran.failed || f.unsteady {
			head(f.mutant)
			if f.unsteady {
				fmt.Fprint(w, "\tdiffers from run to run\n")
			}
			fmt.Fprintf(w, "\tactive from the start: %s\n\tfuzzmut test: %s\n", f.ran.end(), shown(f.verdict))
		}
	}
}

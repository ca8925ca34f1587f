package main

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"text/tabwriter"
	"time"

	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// sample says which mutants to compile alone.
type sample struct {
	n        int // for each module
	seed     uint64
	parallel int
}

// agreement is what the tests say of one mutant, twice.
type agreement struct {
	mutant      *instrument.Mutant
	plain, twin *results
	noCompile   string // what the compiler says of the plain edit
	agree       bool
	unsteady    bool // one of the two differs from run to run
}

// schemata compares mutants with their plain edits, unit by unit.
func (p *prover) schemata(ctx context.Context, opts sample) error {
	modules := make(map[string]int)
	for _, u := range p.units {
		modules[u.module]++
	}
	tw := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(tw, "package\tmutants\tsample\tkilled\tsurvived\tdisagree\tagreement\t")
	var all []*agreement
	var failed []error
	var notes strings.Builder
	sum := 0
	for _, u := range p.units {
		n := (opts.n + modules[u.module] - 1) / modules[u.module]
		list, total, err := p.schemataOne(ctx, u, opts, n)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			failed = append(failed, err)
			continue
		}
		all = append(all, list...)
		sum += total
		describe(io.MultiWriter(&notes, os.Stderr), u, list)
		writeAgreement(tw, u.name(), total, list)
		writeAgreement(os.Stderr, u.name(), total, list)
	}
	writeAgreement(tw, "in all", sum, all)
	tw.Flush()
	fmt.Print("\n", notes.String())
	if d := disagreeing(all); d > 0 {
		failed = append(failed, fmt.Errorf("%d of %d mutants disagree with their plain edits", d, len(all)))
	}
	return errors.Join(failed...)
}

func (p *prover) schemataOne(ctx context.Context, u *unit, opts sample, n int) ([]*agreement, int, error) {
	s, err := p.prepare(ctx, u)
	if err != nil {
		return nil, 0, err
	}
	base, err := runTests(ctx, s.cfg.Output, s.pkgDir, nil, testTimeout)
	if err != nil {
		return nil, 0, err
	}
	if base.failed {
		return nil, 0, fmt.Errorf("%s: the tests fail without a mutant: %s", u.name(), base.ended)
	}
	list, total := choose(s, opts.seed, n)
	return list, total, s.compareAll(ctx, list, opts.parallel, endless(base))
}

// endless is the time after which a run of the tests is taken for endless, in
// both forms: that a rewritten function is slower must not make a difference.
func endless(base *results) time.Duration {
	return max(3*time.Second, 10*base.wall).Round(time.Second)
}

// compareAll compares the mutants of a list, several at a time.
func (s *subject) compareAll(ctx context.Context, list []*agreement, parallel int, timeout time.Duration) error {
	work := make(chan *agreement)
	errs := make([]error, parallel)
	var wg sync.WaitGroup
	for worker := range parallel {
		wg.Go(func() {
			for a := range work {
				if errs[worker] == nil {
					errs[worker] = s.compare(ctx, a, worker, timeout)
				}
			}
		})
	}
	for _, a := range list {
		work <- a
	}
	close(work)
	wg.Wait()
	return errors.Join(errs...)
}

// choose draws a sample of the mutants that can be run.
func choose(s *subject, seed uint64, n int) (list []*agreement, total int) {
	h := fnv.New64a()
	io.WriteString(h, s.name()) //nolint:errcheck // never fails
	var ms []*instrument.Mutant
	for i := range s.program.Mutants {
		if m := &s.program.Mutants[i]; m.Status != instrument.StatusSkipped {
			ms = append(ms, m)
		}
	}
	total = len(ms)
	r := rand.New(rand.NewPCG(seed, h.Sum64()))
	r.Shuffle(len(ms), func(i, j int) { ms[i], ms[j] = ms[j], ms[i] })
	ms = ms[:min(n, len(ms))]
	slices.SortFunc(ms, func(a, b *instrument.Mutant) int { return a.Index - b.Index })
	for _, m := range ms {
		list = append(list, &agreement{mutant: m})
	}
	return list, total
}

// compare runs the tests with a mutant in both of its forms. The mutant is active
// from the start of the process, since the plain edit is, too.
func (s *subject) compare(ctx context.Context, a *agreement, worker int, timeout time.Duration) error {
	binary := filepath.Join(s.dir, fmt.Sprintf("plain%d.test", worker))
	msg, err := s.buildPlain(ctx, a.mutant, worker, binary)
	if a.noCompile = msg; msg != "" || err != nil {
		return err
	}
	const unlimited = 1e17 // an endless loop is ended by the clock
	env := []string{wire.StaticEnv(wire.Static{Mutant: uint32(a.mutant.Index), Func: a.mutant.FuncIndex, Fuel: unlimited})}
	run := func() error {
		const oneFailureWillDo = "-test.failfast"
		if a.plain, err = runTests(ctx, binary, s.pkgDir, nil, timeout, oneFailureWillDo); err != nil {
			return err
		}
		a.twin, err = runTests(ctx, s.cfg.Output, s.pkgDir, env, timeout, oneFailureWillDo)
		return err
	}
	if err := run(); err != nil {
		return err
	}
	if a.agree = a.plain.failed == a.twin.failed; a.agree {
		return nil
	}
	const again = 5 // enough to see what depends on the clock, mostly
	plain, twin := a.plain.failed, a.twin.failed
	for range again {
		if err := run(); err != nil {
			return err
		}
		if a.unsteady = a.plain.failed != plain || a.twin.failed != twin; a.unsteady {
			break
		}
	}
	return nil
}

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
	over, err := writeOverlay(filepath.Join(s.dir, fmt.Sprintf("plain%d.json", worker)), map[string]string{m.File: file})
	if err != nil {
		return "", err
	}
	tool := s.loaded.Toolchain
	args := append([]string{"test", "-c", "-vet=off", "-ldflags=-s -w", "-o", output, "-overlay=" + over}, tool.Flags...)
	cmd := exec.CommandContext(ctx, tool.Command, append(args, s.loaded.Test.ImportPath)...)
	cmd.Dir, cmd.Env = tool.Dir, tool.Env
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
		if !a.agree {
			n++
		}
	}
	return n
}

func writeAgreement(w io.Writer, name string, total int, list []*agreement) {
	killed, survived := 0, 0
	for _, a := range list {
		switch {
		case a.agree && a.plain.failed:
			killed++
		case a.agree:
			survived++
		}
	}
	d := disagreeing(list)
	fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\t%d\t%s\t\n", name, total, len(list), killed, survived, d, percent(len(list)-d, len(list)))
}

// describe lists the mutants that disagree.
func describe(w io.Writer, u *unit, list []*agreement) {
	for _, a := range list {
		if a.agree {
			continue
		}
		m := a.mutant
		fmt.Fprintf(w, "%s: %s %s %s:%d: %s\n", u.name(), m.ID, m.Operator, filepath.Base(m.File), m.Line, m.Description)
		if a.noCompile != "" {
			fmt.Fprintf(w, "\tthe plain edit does not compile: %s\n", a.noCompile)
			continue
		}
		if a.unsteady {
			fmt.Fprint(w, "\tdiffers from run to run\n")
		}
		fmt.Fprintf(w, "\tplain edit: %s\n\tschemata: %s\n", a.plain.end(), a.twin.end())
		const most = 5
		list := differences(a.plain, a.twin)
		for _, d := range list[:min(most, len(list))] {
			fmt.Fprintf(w, "\t%s\n", d)
		}
	}
}

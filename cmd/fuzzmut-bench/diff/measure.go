package diff

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/fuzzmut/fuzzmut/cmd/fuzzmut-bench/arena"
)

const (
	// withoutMutants makes a search that coverage and what differs inside lead.
	withoutMutants = "-filter=none"
	// coverageOnly makes one that coverage alone leads.
	coverageOnly = "-coverage-only"
)

// A measurement is one search, and what it cost.
type measurement struct {
	outcome
	ran       bool
	failed    bool // the command ended with an error, which is a miss
	wall, cpu time.Duration
	err       error
}

// A result is all that is measured on one pair.
type result struct {
	pair     pair
	diff     measurement
	replay   measurement // of a corpus that grew on the old version
	coverage measurement // a search that coverage alone leads
	mutants  measurement // a search without mutants
}

func (r result) all() []measurement {
	return []measurement{r.diff, r.replay, r.coverage, r.mutants}
}

// diff runs the command on a workspace. suffix is for the name under which its report is
// kept.
func (b *bench) diff(ctx context.Context, w *workspace, suffix string, flags ...string) measurement {
	file := filepath.Join(w.dir, "diff.json")
	if b.keep != "" {
		file = filepath.Join(b.keep, w.pair.Name+suffix+".json")
		os.Remove(file) // of an earlier bench
	}
	args := append([]string{"diff", "-json", file, "-with", w.pair.Module + "@" + w.pair.New}, b.flags()...)
	var m measurement
	m.run(ctx, w, append(append([]string{b.command}, args...), append(flags, w.pattern())...))
	if m.err == nil {
		m.outcome, m.err = read(file, readDiff)
	}
	m.ran = m.err == nil
	return m
}

// replay grows a corpus on the old version, for as long as the search takes, and compares
// the golden values with the new version. An input that fails on both is no difference.
func (b *bench) replay(ctx context.Context, w *workspace) measurement {
	var m measurement
	packages, err := w.packages(ctx)
	if err != nil {
		m.err = err
		return m
	}
	m.run(ctx, w, append(append([]string{b.command, "-q", "-mutate", strings.Join(packages, ",")}, b.flags()...), w.pattern()))
	before := b.verify(ctx, w, &m)
	if m.err == nil {
		m.err = w.require(ctx, w.pair.New)
	}
	m.found = b.verify(ctx, w, &m).differs(before)
	m.ran = m.err == nil
	return m
}

// verify compares golden values with what the package does.
func (b *bench) verify(ctx context.Context, w *workspace, m *measurement) (v verification) {
	file := filepath.Join(w.dir, "verify.json")
	m.run(ctx, w, []string{b.command, "corpus", "verify", "-q", "-json", file, w.pattern()})
	if m.err == nil {
		v, m.err = read(file, readVerify)
	}
	return v
}

// flags are those that all searches have.
func (b *bench) flags() []string {
	return []string{"-fuzztime", b.budget(), "-parallel", strconv.Itoa(b.parallel), "-seed", strconv.FormatUint(b.seed, 10)}
}

// run runs a command, unless an earlier one of the measurement has failed. Failing inputs
// and differences are results.
func (m *measurement) run(ctx context.Context, w *workspace, args []string) {
	if m.err != nil {
		return
	}
	p, err := arena.Run(ctx, arena.AnyCore, w.dir, args...)
	m.wall += p.Wall
	m.cpu += p.CPU
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == 1 {
		err = nil
	}
	m.failed, m.err = err != nil, err
}

// read reads what a command has written.
func read[T any](file string, parse func([]byte) (T, error)) (result T, err error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return result, err
	}
	return parse(data)
}

package corpora

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"text/tabwriter"

	"github.com/fuzzmut/fuzzmut/cmd/fuzzmut-bench/arena"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/overlay"
	"github.com/fuzzmut/fuzzmut/instrument/rt/oracle"
)

// goldenBench asks what plain go test, on the corpus of a run and with the generated
// golden test, says of mutants that the run has killed, each applied alone as a plain
// edit of the source.
type goldenBench struct {
	*arena.Bench
	execs    int64
	seed     uint64
	sample   int // of the killed mutants of each fuzz test; 0: all that a difference killed
	parallel int
}

// caught is what go test says of one mutant.
type caught struct {
	mutant    *instrument.Mutant
	kind      string // of the kill in the run
	noCompile bool
	plain     bool // the fuzz test fails on its corpus
	golden    bool // the generated test fails
}

// RunGolden prints what go test catches with generated golden tests.
func RunGolden(args []string) error {
	fs := flag.NewFlagSet("golden", flag.ContinueOnError)
	b := &goldenBench{Bench: &arena.Bench{}}
	fs.Int64Var(&b.execs, "execs", 20_000, "executions of the run")
	fs.Uint64Var(&b.seed, "seed", 1, "of the run and of the sample")
	fs.IntVar(&b.sample, "n", 0, "killed mutants of each fuzz test; 0 means all that were killed by a difference")
	fs.IntVar(&b.parallel, "parallel", 2, "builds at a time")
	if err := fs.Parse(args); err != nil {
		return err
	}
	if err := b.Prepare(fs.Args()); err != nil {
		return err
	}
	defer os.RemoveAll(b.Work)
	// A vendored module can be replaced in place, one in the module cache can't.
	vendor := exec.Command("go", "mod", "vendor")
	vendor.Dir = filepath.Join(b.Work, "targets")
	if out, err := vendor.CombinedOutput(); err != nil {
		return fmt.Errorf("go mod vendor: %w\n%s", err, out)
	}
	return b.all(context.Background())
}

// all runs every target and prints the table.
func (b *goldenBench) all(ctx context.Context) error {
	tw := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(tw, "target\tkill\tmutants\tdo not compile\tgo test\twith golden values\tmissed\t")
	for _, t := range b.Targets {
		list, err := b.one(ctx, t)
		if err != nil {
			return err
		}
		printCaught(tw, t, list)
		describeMissed(os.Stderr, t, list)
	}
	return tw.Flush()
}

// printCaught prints a line for each kind of kill.
func printCaught(w io.Writer, t arena.Target, list []caught) {
	kinds := make(map[string][]caught)
	for _, c := range list {
		kinds[c.kind] = append(kinds[c.kind], c)
	}
	for _, kind := range []string{oracle.Difference.String(), oracle.OnlyInside.String(), oracle.Assertion.String(), oracle.Panic.String(), oracle.Exit.String(), oracle.Fuel.String()} {
		of := kinds[kind]
		if len(of) == 0 {
			continue
		}
		broken, plain, golden := 0, 0, 0
		for _, c := range of {
			switch {
			case c.noCompile:
				broken++
			case c.plain:
				plain++
				golden++
			case c.golden:
				golden++
			}
		}
		fmt.Fprintf(w, "%s %s\t%s\t%d\t%d\t%d\t%d\t%d\t\n", t.Name, t.Fuzz, kind, len(of), broken, plain, golden, len(of)-broken-golden)
	}
}

// describeMissed lists the mutants that go test skips.
func describeMissed(w io.Writer, t arena.Target, list []caught) {
	for _, c := range list {
		if !c.noCompile && !c.plain && !c.golden {
			m := c.mutant
			fmt.Fprintf(w, "%s %s: missed: %s %s %s:%d:%d: %s\n", t.Name, t.Fuzz, c.kind, m.ID, filepath.Base(m.File), m.Line, m.Column, m.Description)
		}
	}
}

// one fuzzes a target, has the test generated, and tries the mutants.
func (b *goldenBench) one(ctx context.Context, t arena.Target) ([]caught, error) {
	res, err := arena.RunFuzzmut(ctx, arena.AnyCore, b.Command, t, "fuzz",
		"-fuzztime="+strconv.FormatInt(b.execs, 10)+"x", "-seed="+strconv.FormatUint(b.seed, 10))
	if err != nil {
		return nil, err
	}
	if _, err := arena.Run(ctx, arena.AnyCore, t.Dir, b.Command, "corpus", "verify", "-q", "-write-test", "-fuzz=^"+t.Fuzz+"$", "."); err != nil {
		return nil, err
	}
	list, err := b.choose(ctx, t, res)
	if err != nil {
		return nil, err
	}
	fmt.Fprintf(os.Stderr, "%s %s: %d mutants to apply\n", t.Name, t.Fuzz, len(list))
	work := make(chan *caught)
	errs := make([]error, b.parallel)
	var wg sync.WaitGroup
	for worker := range b.parallel {
		wg.Go(func() {
			for c := range work {
				if errs[worker] == nil {
					errs[worker] = b.try(ctx, t, c, worker)
				}
			}
		})
	}
	for i := range list {
		work <- &list[i]
	}
	close(work)
	wg.Wait()
	return list, errors.Join(errs...)
}

// choose lists the mutants to try.
func (b *goldenBench) choose(ctx context.Context, t arena.Target, res *report.FuzzTest) ([]caught, error) {
	cfg, err := arena.OverlayOf(ctx, t, "default", filepath.Join(b.Work, "rewrite"), nil)
	if err != nil {
		return nil, err
	}
	program, err := overlay.Rewrite(ctx, cfg)
	if err != nil {
		return nil, err
	}
	killed := make(map[string]string)
	for i := range res.Mutants {
		m := &res.Mutants[i]
		if kind, _ := oracle.Parse(m.KillKind); m.Status == report.Killed && (b.sample > 0 || kind.ByValue()) {
			killed[m.Package+" "+m.ID] = m.KillKind
		}
	}
	var list []caught
	for i := range program.Mutants {
		m := &program.Mutants[i]
		if kind := killed[m.Package+" "+m.ID]; kind != "" {
			list = append(list, caught{mutant: m, kind: kind})
		}
	}
	if b.sample > 0 {
		r := rand.New(rand.NewPCG(b.seed, 0))
		r.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
		list = list[:min(b.sample, len(list))]
		slices.SortFunc(list, func(a, b caught) int { return a.mutant.Index - b.mutant.Index })
	}
	return list, nil
}

// try applies one mutant and runs both tests.
func (b *goldenBench) try(ctx context.Context, t arena.Target, c *caught, worker int) error {
	stem := filepath.Join(b.Work, "edit"+strconv.Itoa(worker))
	src, err := os.ReadFile(c.mutant.File)
	if err != nil {
		return err
	}
	edited := slices.Concat(src[:c.mutant.Offset], []byte(c.mutant.Replacement), src[c.mutant.End:])
	if err := os.WriteFile(stem+".go", edited, 0o666); err != nil {
		return err
	}
	text, err := json.Marshal(map[string]any{"Replace": map[string]string{c.mutant.File: stem + ".go"}})
	if err != nil {
		return err
	}
	if err := os.WriteFile(stem+".json", text, 0o666); err != nil {
		return err
	}
	if _, err := arena.Run(ctx, arena.AnyCore, t.Dir, "go", "test", "-c", "-vet=off", "-ldflags=-s -w", "-overlay="+stem+".json", "-o", stem+".test", "."); err != nil {
		c.noCompile = true
		return ctx.Err()
	}
	fails := func(run string) bool {
		_, err := arena.Run(ctx, arena.AnyCore, t.Dir, stem+".test", "-test.timeout=60s", "-test.failfast", "-test.run=^"+run+"$")
		return err != nil
	}
	c.plain = fails(t.Fuzz)
	c.golden = fails("TestFuzzmutGolden_" + t.Fuzz)
	return ctx.Err()
}

package speed

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/fuzzmut/fuzzmut/cmd/fuzzmut-bench/arena"
	"github.com/fuzzmut/fuzzmut/cmd/fuzzmut-bench/stats"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
)

// scalingBench measures how the cost of an execution grows with the number of
// workers, of mutants, and of bytes, on generated packages.
type scalingBench struct {
	arena.Bench
}

// What is varied: workers, functions of the package, each with some 37 mutants, and
// bytes of the only seed.
var (
	scalingWorkers   = []int{1, 2}
	scalingFunctions = []int{3, 10, 30, 100, 270, 540}
	scalingBytes     = []int{10, 100, 1_000, 10_000, 100_000, 1_000_000}
)

// Where one thing is varied, the others are these.
const (
	usualFunctions = 40
	usualBytes     = 100
)

// RunScaling prints the cost of an execution by workers, mutants and bytes.
func RunScaling(args []string) error {
	set := flag.NewFlagSet("scaling", flag.ContinueOnError)
	b := &scalingBench{}
	set.DurationVar(&b.Time, "time", 5*time.Second, "of one run")
	set.IntVar(&b.Reps, "reps", 3, "repetitions")
	if err := set.Parse(args); err != nil {
		return err
	}
	ctx, stop := arena.Interruptible()
	defer stop()
	var err error
	if b.Work, err = os.MkdirTemp("", "fuzzmut-bench-"); err != nil {
		return err
	}
	defer os.RemoveAll(b.Work)
	if b.Command, err = arena.BuildFuzzmut(b.Work); err != nil {
		return err
	}
	return b.scaling(ctx)
}

func (b *scalingBench) scaling(ctx context.Context) error {
	fmt.Printf(`%v a run, medians of %d; %s

Generated packages: an input of n bytes calls n of the package's small functions, chosen by the bytes.
Where one thing is varied, the others are %d functions, a seed of %d bytes, and one worker, on one
processor. Cost is the time of a worker for each execution of the original, "none" without mutants
and "adaptive" with them; the factor is that to the line above.

`, b.Time, b.Reps, arena.Machine(), usualFunctions, usualBytes)
	var workers, functions, bytes []scale
	for _, n := range scalingWorkers {
		workers = append(workers, scale{n, usualFunctions, usualBytes})
	}
	for _, n := range scalingFunctions {
		functions = append(functions, scale{1, n, usualBytes})
	}
	for _, n := range scalingBytes {
		bytes = append(bytes, scale{1, usualFunctions, n})
	}
	for _, list := range [][]scale{workers, functions, bytes} {
		if err := b.table(ctx, list); err != nil {
			return err
		}
	}
	return nil
}

// scale is what a line of a table was measured with.
type scale struct{ workers, functions, bytes int }

// table measures and prints one table.
func (b *scalingBench) table(ctx context.Context, list []scale) error {
	tw := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(tw, "workers\tmutants\tblocks\tbytes\tnone: /s\tcost µs\tfactor\tadaptive: /s\tcost µs\tfactor\tmutant runs/execution\t")
	var lastNone, lastAdaptive float64
	for _, s := range list {
		none, err := b.run(ctx, s, "none")
		if err != nil {
			return err
		}
		adaptive, err := b.run(ctx, s, "adaptive")
		if err != nil {
			return err
		}
		x, y := cost(s, none), cost(s, adaptive)
		fmt.Fprintf(tw, "%d\t%d\t%d\t%d\t%.0f\t%.1f\t%s\t%.0f\t%.1f\t%s\t%.2f\t\n",
			s.workers, none.Score.Mutants, none.Coverage.Blocks, s.bytes,
			none.ExecsPerSecond, x, factor(x, lastNone), adaptive.ExecsPerSecond, y, factor(y, lastAdaptive),
			float64(adaptive.MutantExecutions)/float64(max(adaptive.Executions, 1)))
		lastNone, lastAdaptive = x, y
		fmt.Fprintln(os.Stderr, time.Now().Format(time.TimeOnly), s)
	}
	fmt.Fprintln(tw)
	return tw.Flush()
}

// cost is what an execution takes a worker, in microseconds.
func cost(s scale, r *report.FuzzTest) float64 {
	return 1e6 * float64(s.workers) / r.ExecsPerSecond
}

func factor(now, before float64) string {
	if before == 0 {
		return ""
	}
	return fmt.Sprintf("%.2f", now/before)
}

// run returns the median run by executions per second.
func (b *scalingBench) run(ctx context.Context, s scale, filter string) (*report.FuzzTest, error) {
	dir, err := os.MkdirTemp(b.Work, "scale-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	if err := generate(dir, s); err != nil {
		return nil, err
	}
	core := 0
	if s.workers > 1 {
		core = arena.AnyCore
	}
	t := arena.Target{Name: "scale", Fuzz: "FuzzRun", Dir: dir, Mutate: []string{"."}}
	var all []*report.FuzzTest
	for rep := range b.Reps {
		r, err := arena.RunFuzzmut(ctx, core, b.Command, t, "fuzz", "-n", "-fuzztime="+b.Time.String(), "-filter="+filter,
			fmt.Sprintf("-seed=%d", rep+1), fmt.Sprintf("-parallel=%d", s.workers))
		if err != nil {
			return nil, err
		}
		all = append(all, r)
	}
	return stats.MedianOf(all, func(r *report.FuzzTest) float64 { return r.ExecsPerSecond }), nil
}

// generate writes a module with a fuzz test into dir. How long an input runs hangs
// on its length alone, but for mutants; the number of functions is that of the
// code, and the same share of it is run in any case.
func generate(dir string, s scale) error {
	var src, table strings.Builder
	src.WriteString("package scale\n\n")
	for i := range s.functions {
		fmt.Fprintf(&src, `func f%d(x int) int {
	if x > %d {
		return x - %d
	}
	return x*%d + 1
}

`, i, 50+i%40, 30+i%20, 2+i%3)
		fmt.Fprintf(&table, "\tf%d,\n", i)
	}
	fmt.Fprintf(&src, "var table = [...]func(int) int{\n%s}\n", table.String())
	src.WriteString(`
// Run lets the bytes choose functions.
func Run(b []byte) int {
	x := 0
	for i, c := range b {
		x = table[(int(c)*31+i)%len(table)](x)
	}
	return x
}
`)
	test := fmt.Sprintf(`package scale

import (
	"bytes"
	"testing"
)

func FuzzRun(f *testing.F) {
	f.Add(bytes.Repeat([]byte("abcdefghij"), %d))
	f.Fuzz(func(t *testing.T, b []byte) { Run(b) })
}
`, max(s.bytes/10, 1))
	for name, text := range map[string]string{"go.mod": "module example.com/scale\n\ngo 1.26\n", "scale.go": src.String(), "scale_test.go": test} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			return err
		}
	}
	return nil
}

package fuzzing

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/fuzzmut/fuzzmut/cmd/fuzzmut-bench/arena"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/runlog"
)

// magic measures what studying the operands of comparisons brings, on two trees that
// were made for it.
type magic struct {
	seeds int
	execs int64 // of a run
	stock int64 // of a run of go test -fuzz; 0: none
	bench arena.Bench
}

// never counts as more executions than any.
const never = 1<<63 - 1

// RunMagic prints what the study of operands brings.
func RunMagic(args []string) error {
	m := &magic{}
	fs := flag.NewFlagSet("magic", flag.ContinueOnError)
	fs.IntVar(&m.seeds, "seeds", 20, "runs, each with a seed of its own")
	fs.Int64Var(&m.execs, "execs", 100_000, "executions of a run")
	fs.Int64Var(&m.stock, "stock", 1_700_000, "executions of go test -fuzz; 0 leaves it out")
	if err := fs.Parse(args); err != nil {
		return err
	}
	work, err := os.MkdirTemp("", "fuzzmut-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	m.bench = arena.Bench{Work: work}
	if m.bench.Command, err = arena.BuildFuzzmut(work); err != nil {
		return err
	}
	if err := m.secrets(); err != nil {
		return err
	}
	return m.limits()
}

// tree copies a tree into a module of a name that nobody has used, and lists its fuzz
// tests.
func (m *magic) tree(name string) ([]arena.Target, error) {
	dir := filepath.Join(m.bench.Work, name)
	if err := os.CopyFS(dir, os.DirFS(filepath.Join("testdata", "trees", name))); err != nil {
		return nil, fmt.Errorf("run from the repository's root: %w", err)
	}
	if err := arena.RenameModule(dir, "example.com/"+filepath.Base(m.bench.Work)+"/"+name); err != nil {
		return nil, err
	}
	src, err := os.ReadFile(filepath.Join(dir, name+"_test.go"))
	if err != nil {
		return nil, err
	}
	var list []arena.Target
	for _, f := range arena.FuzzFunc.FindAllSubmatch(src, -1) {
		list = append(list, arena.Target{Name: name, Fuzz: string(f[1]), Dir: dir})
	}
	return list, nil
}

// secrets prints after how many executions each secret is reached.
func (m *magic) secrets() error {
	targets, err := m.tree("secrets")
	if err != nil {
		return err
	}
	with, err := m.runs(targets, true, "-filter=none")
	if err != nil {
		return err
	}
	without, err := m.runs(targets, false, "-filter=none")
	if err != nil {
		return err
	}
	fmt.Printf("Executions until a secret is reached, in whole rounds of the engine: median of %d seeds,\nat most %d executions a run\n\n", m.seeds, m.execs)
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "secret\tstudy\treached\tno study\treached\tgo test -fuzz\t")
	failed := func(p runlog.Point) bool { return p.Buckets > 0 }
	for _, t := range targets {
		stock := "-"
		if m.stock > 0 {
			if stock, err = m.stockReaches(t); err != nil {
				return err
			}
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", t.Fuzz, reachedAfter(with[t.Fuzz], failed), reachedAfter(without[t.Fuzz], failed), stock+"\t")
	}
	return w.Flush()
}

// limits prints after how many executions the mutants that move a limit are dead: all
// that any of the runs kills.
func (m *magic) limits() error {
	targets, err := m.tree("boundary")
	if err != nil {
		return err
	}
	with, err := m.runs(targets, true, "-operators=conditional-boundary")
	if err != nil {
		return err
	}
	without, err := m.runs(targets, false, "-operators=conditional-boundary")
	if err != nil {
		return err
	}
	fmt.Printf("\nExecutions until all mutants are dead that move a limit from < to <= or the like\n\n")
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "limit\tmutants\tsearch\tdead\tno search\tdead\t")
	for _, t := range targets {
		most := 0
		for _, series := range append(with[t.Fuzz], without[t.Fuzz]...) {
			for _, p := range series.Points {
				most = max(most, p.Killed)
			}
		}
		dead := func(p runlog.Point) bool { return p.Killed == most }
		fmt.Fprintf(w, "%s\t%d\t%s\t%s\t\n", t.Fuzz, most, reachedAfter(with[t.Fuzz], dead), reachedAfter(without[t.Fuzz], dead))
	}
	return w.Flush()
}

// runs fuzzes all targets of a tree with each seed, and returns the logs by fuzz test.
func (m *magic) runs(targets []arena.Target, study bool, flags ...string) (map[string][]runlog.Series, error) {
	logs := make(map[string][]runlog.Series)
	for seed := range m.seeds {
		file := filepath.Join(m.bench.Work, "run.log")
		args := append([]string{
			m.bench.Command, "-q", "-n", "-parallel=1", "-log=" + file, "-study=" + strconv.FormatBool(study),
			"-seed=" + strconv.Itoa(seed+1), "-fuzztime=" + strconv.FormatInt(m.execs, 10) + "x",
		}, flags...)
		_, runErr := m.bench.One(targets[0], append(args, ".")...)
		list, err := arena.ReadLog(file)
		if err != nil || len(list) != len(targets) {
			return nil, fmt.Errorf("%d of %d fuzz tests run: %w, %w", len(list), len(targets), runErr, err)
		}
		for _, s := range list {
			logs[s.Run.Fuzz] = append(logs[s.Run.Fuzz], s)
		}
	}
	return logs, nil
}

// reachedAfter is the median number of executions until reached holds, and in how many of
// the runs it does.
func reachedAfter(runs []runlog.Series, reached func(runlog.Point) bool) string {
	var counts []int64
	n := 0
	for _, s := range runs {
		count := int64(never)
		if i := slices.IndexFunc(s.Points, reached); i >= 0 {
			count = s.Points[i].Executions
			n++
		}
		counts = append(counts, count)
	}
	slices.Sort(counts)
	median := "-"
	if c := counts[len(counts)/2]; c != never {
		median = strconv.FormatInt(c, 10)
	}
	return fmt.Sprintf("%s\t%d of %d", median, n, len(counts))
}

// stockReaches says whether go test -fuzz reaches a secret.
func (m *magic) stockReaches(t arena.Target) (string, error) {
	cache := filepath.Join(m.bench.Work, "stock", t.Fuzz)
	cmd := exec.Command("go", "test", "-run=^$", "-fuzz=^"+t.Fuzz+"$", "-fuzzminimizetime=0s", "-parallel=1",
		"-fuzztime="+strconv.FormatInt(m.stock, 10)+"x", ".", "-args", "-test.fuzzcachedir="+cache)
	cmd.Dir = t.Dir
	out, err := cmd.CombinedOutput()
	switch {
	case err == nil:
		return fmt.Sprintf("not in %d", m.stock), nil
	case strings.Contains(string(out), "Failing input written"):
		return "reached", nil
	}
	return "", fmt.Errorf("%s: go test -fuzz: %w\n%s", t.Fuzz, err, out)
}

package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/fuzzmut/fuzzmut/cmd/fuzzmut-bench/stats"
	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/runlog"
)

// crashBench measures how long it takes to find known bugs in old versions of
// modules.
type crashBench struct {
	bench
	data      string // a directory for each module, with seeds and labels
	keepTests bool   // the module's own, as far as they can be built
}

func runCrashes(args []string) error {
	set := flag.NewFlagSet("crashes", flag.ContinueOnError)
	b := &crashBench{}
	set.DurationVar(&b.time, "time", time.Minute, "of one run")
	set.IntVar(&b.reps, "reps", 3, "repetitions")
	set.StringVar(&b.data, "data", filepath.Join("testdata", "crashers"), "directory of the modules' descriptions")
	if err := set.Parse(args); err != nil {
		return err
	}
	ctx, stop := interruptible()
	defer stop()
	if err := b.prepare(); err != nil {
		return err
	}
	defer os.RemoveAll(b.work)
	names, err := b.modules(set.Args())
	if err != nil {
		return err
	}
	return b.crashes(ctx, names)
}

// prepare makes the work directory and builds the command.
func (b *crashBench) prepare() (err error) {
	if b.work, err = os.MkdirTemp("", "fuzzmut-bench-"); err != nil {
		return err
	}
	if b.command, err = buildFuzzmut(b.work); err == nil {
		b.gocache, err = goCache()
	}
	if err != nil {
		err = errors.Join(err, os.RemoveAll(b.work))
	}
	return err
}

// modules returns the names of the modules to work on: all that are described,
// unless some are named.
func (b *crashBench) modules(names []string) ([]string, error) {
	if len(names) > 0 {
		return names, nil
	}
	files, err := filepath.Glob(filepath.Join(b.data, "*", "labels.json"))
	if err != nil {
		return nil, err
	}
	for _, f := range files {
		names = append(names, filepath.Base(filepath.Dir(f)))
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("no module is described in %s: name the directory with -data", b.data)
	}
	return names, nil
}

// crashers is an old version of a module, in a copy that can be written to.
type crashers struct {
	target
	version string
	labels  []label
}

// discovery is when a bug was first seen in a run.
type discovery struct {
	executions int64
	seconds    float64 // of processor time
}

// hunt is what the repetitions of one contender come to: for each bug one map
// entry for each run that found it.
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

`, b.time, b.reps, machine())
	tw := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(tw, "module\tbug\tstock: runs\texecutions\tCPU s\tfuzzmut: runs\texecutions\tCPU s\tstock/fuzzmut, CPU s\t")
	var t tally
	var others []string
	for _, name := range names {
		theirs, ours, err := b.compare(ctx, name)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		unknown := t.print(tw, name, theirs, ours)
		others = append(others, unknown...)
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
	for rep := range b.reps {
		m, err := b.module(ctx, name, rep)
		if err != nil {
			return nil, nil, err
		}
		plain, fuzz := filepath.Join(m.dir, "plain.test"), filepath.Join(m.dir, "fuzz.test")
		for _, flags := range [][]string{{"-o", plain}, {"-o", fuzz, "-fuzz=^" + m.fuzz + "$"}} {
			args := slices.Concat([]string{"go", "test", "-c", "-vet=off", "-mod=mod"}, flags, []string{"."})
			if _, err := on(ctx, 0, m.dir, args...); err != nil {
				return nil, nil, err
			}
		}
		if err := b.huntStock(ctx, m, plain, fuzz, theirs); err != nil {
			return nil, nil, err
		}
		if err := b.huntOurs(ctx, m, plain, rep+1, ours); err != nil {
			return nil, nil, err
		}
		b.forget(m)
		fmt.Fprintf(os.Stderr, "%s %s %d: bugs found so far by stock %d, by fuzzmut %d\n", time.Now().Format(time.TimeOnly), name, rep, len(theirs), len(ours))
	}
	return theirs, ours, nil
}

// forget removes a module's copy, and what fuzzing it has left in Go's fuzz cache.
func (b *crashBench) forget(m *crashers) {
	os.RemoveAll(m.dir)
	for _, dir := range []func(string, string, string) (string, error){corpus.CacheDir, corpus.CrashersDir} {
		if path, err := dir(b.gocache, m.mutate[0], m.fuzz); err == nil {
			os.RemoveAll(path)
		}
	}
}

// found enters a crash into the hunt, unless the run has seen the bug before.
func (h hunt) found(seen map[string]bool, c crash, labels []label, d discovery) {
	bug := attribute(c, labels)
	if bug == "" {
		bug = unknown + c.describe()
	}
	if !seen[bug] {
		seen[bug] = true
		h[bug] = append(h[bug], d)
	}
}

func (b *crashBench) huntStock(ctx context.Context, m *crashers, plain, fuzz string, h hunt) error {
	arena := filepath.Join(m.dir, "arena")
	if err := os.MkdirAll(arena, 0o777); err != nil {
		return err
	}
	seen := make(map[string]bool)
	var failed error
	_, err := fuzzStock(ctx, 0, fuzz, arena, m.fuzz, b.time, "0s", func(out outcome, failing []string, _ []byte) {
		for _, path := range failing {
			c, ok, err := replayCrash(ctx, m, plain, path)
			if err != nil {
				failed = errors.Join(failed, err)
			} else if ok {
				h.found(seen, c, m.labels, discovery{out.executions, out.cpu.Seconds()})
			}
		}
	})
	return errors.Join(err, failed)
}

func (b *crashBench) huntOurs(ctx context.Context, m *crashers, plain string, seed int, h hunt) error {
	log := filepath.Join(m.dir, "run.log")
	r, err := runFuzzmut(ctx, 0, b.command, m.target, "fuzz", "-fuzztime="+b.time.String(), "-seed="+strconv.Itoa(seed),
		"-mod=mod", "-corpus="+filepath.Join(m.dir, "written"), "-log="+log)
	if err != nil {
		return err
	}
	data, err := os.ReadFile(log)
	if err != nil {
		return err
	}
	series, err := runlog.Read(data)
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
		c, ok, err := replayCrash(ctx, m, plain, bucket.Entries[0])
		if err != nil {
			return err
		}
		if !ok {
			c = crash{kind: "passes go test; to fuzzmut: " + bucket.Kind, message: bucket.Message, stack: bucket.Frames}
		}
		h.found(seen, c, m.labels, discovery{at.Executions, at.Seconds * share})
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

// hangTime is what an input may take.
const hangTime = 4 * time.Second

// replayCrash runs one failing input with plain go test.
func replayCrash(ctx context.Context, m *crashers, plain, path string) (c crash, ok bool, err error) {
	dir, err := os.MkdirTemp(m.dir, "replay-")
	if err != nil {
		return c, false, err
	}
	defer os.RemoveAll(dir)
	entries := corpus.TestdataDir(dir, m.fuzz)
	data, err := os.ReadFile(path)
	if err == nil {
		err = os.MkdirAll(entries, 0o777)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(entries, "input"), data, 0o666)
	}
	if err != nil {
		return c, false, err
	}
	p, err := on(ctx, 0, dir, plain, "-test.run=^"+m.fuzz+"$/^input$", "-test.timeout="+hangTime.String())
	var exit *exec.ExitError
	if err == nil || !errors.As(err, &exit) {
		return c, false, err
	}
	c, ok = parseCrash(string(p.stderr) + string(p.stdout))
	return c, ok, nil
}

// described is the first line of a module's description.
var described = regexp.MustCompile(`^# \S+: (\S+)@(\S+) \(package (\S+)\)`)

// module makes a copy of a described module, or of another version of it as in
// jsonparser@v1.1.1, with a fuzz test over its function target. The test has a name of its own, since Go's fuzz cache goes by it.
func (b *crashBench) module(ctx context.Context, name string, rep int) (*crashers, error) {
	name, wanted, _ := strings.Cut(name, "@")
	from := filepath.Join(b.data, name)
	readme, err := os.ReadFile(filepath.Join(from, "README.md"))
	if err != nil {
		return nil, err
	}
	d := described.FindSubmatch(readme)
	if d == nil {
		return nil, fmt.Errorf("%s does not begin with the module's version", filepath.Join(from, "README.md"))
	}
	path, version, pkg := string(d[1]), string(d[2]), string(d[3])
	m := &crashers{version: cmp.Or(wanted, version)}
	if m.labels, err = readLabels(filepath.Join(from, "labels.json")); err != nil {
		return nil, err
	}
	root := filepath.Join(b.work, fmt.Sprintf("%s-%d", name, rep))
	if err := copyModule(b.work, path+"@"+m.version, root); err != nil {
		return nil, err
	}
	m.name, m.dir = name, filepath.Join(root, pkg)
	m.fuzz = "Fuzz" + digits.FindString(filepath.Base(b.work)) + "x" + strconv.Itoa(rep)
	m.mutate = []string{strings.TrimSuffix(path+"/"+filepath.ToSlash(filepath.Clean(pkg)), "/.")}
	mod := filepath.Join(root, "go.mod")
	if _, err := os.Stat(mod); errors.Is(err, fs.ErrNotExist) {
		if err := os.WriteFile(mod, []byte("module "+path+"\n\ngo 1.16\n"), 0o666); err != nil {
			return nil, err
		}
	}
	if err := raiseSys(ctx, mod); err != nil {
		return nil, err
	}
	return m, m.addTest(ctx, filepath.Join(from, "target_test.go"), b.keepTests)
}

// raiseSys has a module use this repository's version of golang.org/x/sys, if it needs
// any: not every old one can be had, or built by a new compiler.
func raiseSys(ctx context.Context, mod string) error {
	const sys = "golang.org/x/sys"
	text, err := os.ReadFile(mod)
	if err != nil || !strings.Contains(string(text), sys+" ") {
		return err
	}
	version, err := exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Version}}", sys).Output()
	if err != nil {
		return fmt.Errorf("the version of %s: %w", sys, err)
	}
	return exec.CommandContext(ctx, "go", "mod", "edit", "-require="+sys+"@"+strings.TrimSpace(string(version)), mod).Run()
}

// addTest puts the target and a fuzz test into the package, in place of its tests or,
// if these are kept, beside those that can be built.
func (m *crashers) addTest(ctx context.Context, file string, keep bool) error {
	src, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	if err := m.dropTests(ctx, keep); err != nil {
		return err
	}
	head, _, _ := strings.Cut(string(src), "\n")
	test := fmt.Sprintf(`%s

import "testing"

func %s(f *testing.F) {
	for _, s := range seeds {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) { target(b) })
}
`, head, m.fuzz)
	return errors.Join(
		os.RemoveAll(corpus.TestdataDir(m.dir, m.fuzz)),
		os.WriteFile(filepath.Join(m.dir, "target_test.go"), src, 0o666),
		os.WriteFile(filepath.Join(m.dir, "fuzz_test.go"), []byte(test), 0o666))
}

// inTestFile is where an error in a test is, in what the go command says.
var inTestFile = regexp.MustCompile(`(?m)^(?:\./)?([^/:\s]+_test\.go):\d`)

// dropTests removes the package's own tests, or if they are kept those that can't be
// built today, as old ones that need what the proxy does not serve.
func (m *crashers) dropTests(ctx context.Context, keep bool) error {
	tests, err := filepath.Glob(filepath.Join(m.dir, "*_test.go"))
	for err == nil && len(tests) > 0 {
		bad := tests
		if keep {
			p, err := on(ctx, anyCore, m.dir, "go", "test", "-c", "-vet=off", "-mod=mod", "-o", os.DevNull, ".")
			if err == nil {
				return nil
			}
			if bad = named(string(p.stdout)+string(p.stderr), m.dir); len(bad) == 0 {
				bad = tests
			}
		}
		for _, t := range bad {
			if err := os.Remove(t); err != nil {
				return err
			}
		}
		tests, err = filepath.Glob(filepath.Join(m.dir, "*_test.go"))
	}
	return err
}

// named lists the test files of a directory that messages of the go command name.
func named(messages, dir string) []string {
	var list []string
	for _, match := range inTestFile.FindAllStringSubmatch(messages, -1) {
		path := filepath.Join(dir, match[1])
		if _, err := os.Stat(path); err == nil && !slices.Contains(list, path) {
			list = append(list, path)
		}
	}
	return list
}

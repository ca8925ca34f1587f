// Package mutation measures mutation testing by the modules' own tests.
package mutation

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/fuzzmut/fuzzmut/cmd/fuzzmut-bench/arena"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/format"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
)

// mutationModules are the modules whose mutants are judged by their own tests, with what the
// command is given. decimal has tests of seconds, and one leaves goroutines at work; the
// tests of cron sleep; glob has several packages.
var mutationModules = []mutationModule{
	{"github.com/Masterminds/semver/v3@v3.3.1", "."},
	{"github.com/beevik/etree@v1.5.0", "."},
	{"github.com/gobwas/glob@v1.1.0", "./..."},
	{"github.com/google/shlex@v0.0.0-20191202100458-e7afc7fbc510", "."},
	{"github.com/shopspring/decimal@v1.4.0", "."},
	{"github.com/robfig/cron/v3@v3.0.1", "."},
}

type mutationModule struct{ module, packages string }

// gremlins is the peer that can be had: it compiles each mutant alone.
const gremlins = "github.com/go-gremlins/gremlins/cmd/gremlins@v0.6.0"

// published are the peers' figures that were measured elsewhere.
const published = `CPU per mutant as measured elsewhere: on semver, 9.7 ms for the best peer known, 11.7 ms
for schemata with a process for each mutant, 820 ms for gremlins; on etree, 33 ms for
the best peer known.`

// mutationSample is the result of one run of a mutation tester.
type mutationSample struct {
	tool, module string
	score        report.Score
	wall         time.Duration // build included
	CPU          time.Duration // of all processes, build included
	tests        time.Duration // of the tests' processes alone; 0 if it is not told
}

// each returns d for each mutant that has a verdict, in milliseconds.
func (s *mutationSample) each(d time.Duration) float64 {
	return float64(d.Microseconds()) / 1000 / float64(max(s.score.Mutants, 1))
}

// mutationBench is one measurement of mutation testers.
type mutationBench struct {
	reps  int
	limit time.Duration // of one run
	peers bool
	work  string // temporary
	tool  string // the built fuzzmut
}

// RunMutation prints what mutation testing by own tests costs.
func RunMutation(args []string) error {
	set := flag.NewFlagSet("mutation", flag.ContinueOnError)
	b := &mutationBench{}
	set.IntVar(&b.reps, "reps", 3, "repetitions")
	set.DurationVar(&b.limit, "limit", 15*time.Minute, "longest time for one run")
	set.BoolVar(&b.peers, "peers", true, "measure the peers that can be installed")
	if err := set.Parse(args); err != nil {
		return err
	}
	if b.reps < 1 {
		return errors.New("-reps: not a number of repetitions; write 1 or more")
	}
	work, err := os.MkdirTemp("", "fuzzmut-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	b.work = work
	if b.tool, err = arena.BuildFuzzmut(work); err != nil {
		return err
	}
	return b.run(set.Args())
}

// run measures, and prints a line for each tool and module. Names select modules whose paths
// contain them.
func (b *mutationBench) run(names []string) error {
	fmt.Printf("fuzzmut test -operators all -fresh on copies of the modules, on %d processors; medians of %d\n\n", runtime.NumCPU(), b.reps)
	fmt.Printf("%-24s%-10s%8s%8s%10s%13s%8s%8s%15s%14s\n", "module", "tool",
		"mutants", "killed", "survived", "not covered", "wall s", "CPU s", "CPU ms/mutant", "of the tests")
	var missing []string
	for i, m := range mutationModules {
		if len(names) > 0 && !slices.ContainsFunc(names, func(name string) bool { return strings.Contains(m.module, name) }) {
			missing = append(missing, "not measured, since it was not asked for: "+m.module)
			continue
		}
		s, err := b.median(func(rep int) (mutationSample, error) { return b.fuzzmut(m, rep) })
		if err != nil {
			missing = append(missing, fmt.Sprintf("not measured: %s: %v", m.module, err))
			continue
		}
		s.print()
		if i > 0 || !b.peers {
			continue
		}
		s, err = b.gremlins(m.module)
		if err != nil {
			missing = append(missing, fmt.Sprintf("gremlins v0.6.0 could not be had: %v", err))
			continue
		}
		s.print()
	}
	fmt.Println("\nCPU is that of all processes, the build included. A mutant is one that is judged, or that\nno test covers; gremlins does not run those either, and was run on the first module alone.")
	for _, m := range missing {
		fmt.Println(m)
	}
	fmt.Println(published)
	return nil
}

// print prints a line of the table. Lines come minutes apart: their columns have
// fixed widths.
func (s *mutationSample) print() {
	tests := "-"
	if s.tests > 0 {
		tests = fmt.Sprintf("%.2f", s.each(s.tests))
	}
	name, _, _ := strings.Cut(strings.TrimPrefix(s.module, "github.com/"), "@")
	fmt.Printf("%-24s%-10s%8d%8d%10d%13d%8.1f%8.1f%15.2f%14s\n", name, s.tool,
		s.score.Mutants, s.score.Killed, s.score.Survived, s.score.NotCovered,
		s.wall.Seconds(), s.CPU.Seconds(), s.each(s.CPU), tests)
}

// median returns, of several runs, the one with the median processor time.
func (b *mutationBench) median(run func(rep int) (mutationSample, error)) (mutationSample, error) {
	var all []mutationSample
	for rep := range b.reps {
		s, err := run(rep)
		if err != nil {
			return s, err
		}
		all = append(all, s)
	}
	slices.SortFunc(all, func(a, b mutationSample) int { return int(a.CPU - b.CPU) })
	return all[len(all)/2], nil
}

// fuzzmut runs fuzzmut test on a new copy of the module, so that nothing that is
// rewritten has been compiled before.
func (b *mutationBench) fuzzmut(m mutationModule, rep int) (mutationSample, error) {
	dir, err := b.copyModule(m.module, fmt.Sprintf("fuzzmut%d", rep))
	if err != nil {
		return mutationSample{}, err
	}
	s := mutationSample{tool: "fuzzmut", module: m.module}
	file := filepath.Join(dir, "..", "fuzzmut.json")
	if err := s.time(b.limit, dir, b.tool, "test", "-q", "-operators=all", "-fresh", "-json="+file, m.packages); err != nil {
		return s, err
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return s, err
	}
	r, err := format.ReadTests(data)
	if err != nil {
		return s, err
	}
	s.score = r.Score
	for _, p := range r.Packages {
		s.tests += time.Duration(p.CPUSeconds * float64(time.Second))
	}
	return s, nil
}

// gremlins installs the peer, and runs it once: it takes minutes.
func (b *mutationBench) gremlins(module string) (mutationSample, error) {
	s := mutationSample{tool: "gremlins", module: module}
	install := exec.Command("go", "install", gremlins)
	install.Dir = b.work
	install.Env = append(os.Environ(), "GOBIN="+b.work)
	if out, err := install.CombinedOutput(); err != nil {
		return s, fmt.Errorf("%w: %s", err, lastLine(out))
	}
	dir, err := b.copyModule(module, "gremlins")
	if err != nil {
		return s, err
	}
	file := filepath.Join(dir, "..", "gremlins.json")
	if err := s.time(b.limit, dir, filepath.Join(b.work, "gremlins"), "unleash", "--silent", "--output="+file); err != nil {
		return s, err
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return s, err
	}
	s.score, err = gremlinsScore(data)
	return s, err
}

// gremlinsScore reads the result that gremlins writes.
func gremlinsScore(data []byte) (report.Score, error) {
	var result struct {
		Files []struct {
			Mutations []struct{ Status string }
		}
	}
	if err := json.Unmarshal(data, &result); err != nil {
		return report.Score{}, fmt.Errorf("the result of gremlins: %w", err)
	}
	var ms []report.Mutant
	for _, f := range result.Files {
		for _, m := range f.Mutations {
			status := map[string]string{
				"KILLED": report.Killed, "TIMED OUT": report.Killed, "LIVED": report.Survived, "NOT COVERED": report.NotCovered,
			}[m.Status]
			ms = append(ms, report.Mutant{Status: status})
		}
	}
	if len(ms) == 0 {
		return report.Score{}, errors.New("the result of gremlins has no mutants")
	}
	return report.Summarise(ms), nil
}

// time runs a command in dir and measures it with all that it starts. It is interrupted at
// the limit.
func (s *mutationSample) time(limit time.Duration, dir string, args ...string) error {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.Dir = dir
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = time.Minute
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	begin := time.Now()
	err := cmd.Run()
	if ctx.Err() != nil {
		return fmt.Errorf("%s did not end in %v", filepath.Base(args[0]), limit)
	}
	if err != nil {
		return fmt.Errorf("%s: %w: %s", filepath.Base(args[0]), err, lastLine(out.Bytes()))
	}
	s.wall = time.Since(begin)
	s.CPU = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	return nil
}

// lastLine returns the last line of a command's output that says anything.
func lastLine(out []byte) string {
	text := strings.TrimSpace(string(out))
	return text[strings.LastIndexByte(text, '\n')+1:]
}

// copyModule copies a module to its own directory.
func (b *mutationBench) copyModule(module, name string) (string, error) {
	path, _, _ := strings.Cut(module, "@")
	to := filepath.Join(b.work, name, filepath.FromSlash(path))
	return to, arena.CopyModule(b.work, module, to)
}

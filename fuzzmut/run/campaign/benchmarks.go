package campaign

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/costs"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/project"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/trial"
	"github.com/fuzzmut/fuzzmut/instrument/benchmark"
	"github.com/fuzzmut/fuzzmut/instrument/gotool"
	"github.com/fuzzmut/fuzzmut/instrument/problem"
)

// writeBenchmarks writes a benchmark of each costly input of the result, if that is asked for,
// once go test has run it. Why there is none is a warning.
func (c *Campaign) writeBenchmarks(ctx context.Context) error {
	t := c.Trial
	if !t.Project.Options.WriteBench || len(c.costly) == 0 {
		return nil
	}
	loaded := t.Package.Loaded
	if what := project.Foreign(loaded); what != "" {
		t.Warn("-write-bench: no benchmark of " + t.Test.Name + " is written into " + what)
		return nil
	}
	cases := make([]benchmark.Case, len(c.costly))
	for i, n := range c.costly {
		cost := &c.result.Costs[i]
		cases[i] = benchmark.Case{
			Args: strings.Split(strings.TrimSpace(string(n.Input.Encode())), "\n")[1:], Grows: n.Arg,
			Text: costs.Source(&n.Pump), Letters: n.Pump.Letters, Times: benchTimes(cost.Curve), Comment: costComment(cost),
		}
	}
	file, why, err := benchmark.Generate(loaded, t.Test.Name, cases)
	switch {
	case err != nil:
		return exit.Errorf(exit.Internal, "-write-bench: %w", err)
	case why != "":
		t.Warn("-write-bench: no benchmark of " + t.Test.Name + ": " + why)
		return nil
	}
	path := filepath.Join(loaded.Test.Dir, file.Name)
	if err := mayWrite(path, t.Test.Name); err != nil {
		return err
	}
	t.Phase("running %s once", report.Plural(len(file.Names), "benchmark"))
	if out, err := c.tryBenchmarks(ctx, path, file); ctx.Err() != nil {
		return nil
	} else if err != nil {
		t.Warn("-write-bench: no benchmark of " + t.Test.Name + ": go test fails with it: " + cmp.Or(problem.FirstLine(out), err.Error()))
		return nil
	}
	if err := corpus.ReplaceFile(loaded.Test.Dir, file.Name, file.Src); err != nil {
		return exit.Errorf(exit.Usage, "-write-bench: %w", err)
	}
	for i, name := range file.Names {
		c.result.Costs[i].Benchmark = trial.GoTest(t, "-run=^$", "-bench=^"+name+"$")
	}
	return nil
}

// Bounds on the lengths of a benchmark: the longest ones that do not take too long, in seconds.
const (
	benchLengths = 3
	benchSeconds = 0.1
)

// benchTimes chooses the numbers of repetitions.
func benchTimes(curve []report.CostPoint) (times []int) {
	for i, p := range curve {
		if i == 0 || p.Seconds <= benchSeconds {
			times = append(times, p.Times)
		}
	}
	return times[max(len(times)-benchLengths, 0):]
}

// costComment says what an input costs, and where.
func costComment(c *report.Cost) string {
	text := c.Growth()
	if len(c.Frames) > 0 {
		function, place, _ := strings.Cut(c.Frames[0], " ")
		text += ", in " + function + ", " + filepath.Base(strings.TrimSpace(place))
	}
	return text
}

// mayWrite makes sure that a file is not there, or was generated for the fuzz test.
func mayWrite(path, fuzz string) error {
	src, err := os.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist) || err == nil && benchmark.Generated(src, fuzz):
		return nil
	case err == nil:
		err = fmt.Errorf("%s is there already, and no benchmark of %s: move it away", path, fuzz)
	}
	return exit.Errorf(exit.Usage, "-write-bench: %w", err)
}

// tryBenchmarks has go test run each benchmark once. out is what it prints.
func (c *Campaign) tryBenchmarks(ctx context.Context, path string, file *benchmark.File) (out string, err error) {
	t := c.Trial
	dir, err := os.MkdirTemp(t.Project.WorkDir, "bench")
	if err != nil {
		return "", err
	}
	flag, err := gotool.OverlayFlag(dir, map[string][]byte{path: file.Src})
	if err != nil {
		return "", err
	}
	tool := t.Package.Loaded.Toolchain
	args := slices.Concat([]string{"test", "-vet=off"}, tool.Flags,
		[]string{flag, "-run=^$", "-bench=^(" + strings.Join(file.Names, "|") + ")$", "-benchtime=1x", t.Package.Loaded.Test.ImportPath})
	cmd := gotool.GoCommand(ctx, tool.Command, args...)
	cmd.Dir, cmd.Env = tool.Dir, append(slices.Clip(tool.Env), "GOTMPDIR="+dir)
	text, err := cmd.CombinedOutput()
	return string(text), err
}

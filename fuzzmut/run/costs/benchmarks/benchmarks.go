// Package benchmarks writes benchmarks of costly inputs into the package of their fuzz test.
package benchmarks

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

// Write writes a benchmark of each of some costly inputs, once go test has run it, and enters the command that runs it
// into what is reported of the input. Why there is none is a warning.
func Write(ctx context.Context, t *trial.Trial, list []*costs.Finding, of []report.Cost) error {
	if len(list) == 0 {
		return nil
	}
	loaded := t.Package.Loaded
	if what := project.Foreign(loaded); what != "" {
		t.Warn("-write-bench: no benchmark of " + t.Test.Name + " is written into " + what)
		return nil
	}
	file, why, err := benchmark.Generate(loaded, t.Test.Name, cases(list, of))
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
	if out, err := try(ctx, t, path, file); ctx.Err() != nil {
		return nil
	} else if err != nil {
		t.Warn("-write-bench: no benchmark of " + t.Test.Name + ": go test fails with it: " + cmp.Or(problem.FirstLine(out), err.Error()))
		return nil
	}
	if err := corpus.ReplaceFile(loaded.Test.Dir, file.Name, file.Src); err != nil {
		return exit.Errorf(exit.Usage, "-write-bench: %w", err)
	}
	for i, name := range file.Names {
		of[i].Benchmark = trial.GoTest(t, "-run=^$", "-bench=^"+name+"$")
	}
	return nil
}

// cases says what benchmarks of costly inputs run.
func cases(list []*costs.Finding, of []report.Cost) []benchmark.Case {
	cases := make([]benchmark.Case, len(list))
	for i, f := range list {
		cases[i] = benchmark.Case{
			Args: strings.Split(strings.TrimSpace(string(f.Input.Encode())), "\n")[1:], Grows: f.Arg,
			Text: costs.Source(&f.Pump), Letters: f.Pump.Letters, Times: times(of[i].Curve), Comment: comment(&of[i]),
		}
	}
	return cases
}

// Bounds on the lengths of a benchmark: the longest ones that do not take too long, in seconds.
const (
	benchLengths = 3
	benchSeconds = 0.1
)

// times chooses the numbers of repetitions.
func times(curve []report.CostPoint) (list []int) {
	for i, p := range curve {
		if i == 0 || p.Seconds <= benchSeconds {
			list = append(list, p.Times)
		}
	}
	return list[max(len(list)-benchLengths, 0):]
}

// comment says what an input costs, and where.
func comment(c *report.Cost) string {
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

// try has go test run each benchmark once. out is what it prints.
func try(ctx context.Context, t *trial.Trial, path string, file *benchmark.File) (out string, err error) {
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
		[]string{flag, "-run=^$", "-bench=" + gotool.Exactly(file.Names), "-benchtime=1x", t.Package.Loaded.Test.ImportPath})
	cmd := gotool.GoCommand(ctx, tool.Command, args...)
	cmd.Dir, cmd.Env = tool.Dir, append(slices.Clip(tool.Env), "GOTMPDIR="+dir)
	text, err := cmd.CombinedOutput()
	return string(text), err
}

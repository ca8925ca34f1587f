package test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/project"
	"github.com/fuzzmut/fuzzmut/instrument/gotool"
)

// profile writes the profiles that are asked for. They are of the code without mutants, and
// without what fuzzmut adds to it: go test makes them.
func (t *tester) profile(ctx context.Context) error {
	o := &t.opts
	if o.CoverProfile == "" && o.CPUProfile == "" {
		return nil
	}
	if o.CPUProfile != "" && len(t.project.Packages) > 1 {
		return exit.Errorf(exit.Usage, "-cpuprofile takes one package, as that of go test does, and here are %d; name one", len(t.project.Packages))
	}
	args := []string{"-vet=off", "-count=1"}
	files := make(map[string]string) // by the path that go test writes
	add := func(flag, path string) {
		if path != "" {
			made := filepath.Join(t.project.WorkDir, flag)
			files[made] = path
			args = append(args, "-"+flag+"="+made)
		}
	}
	add("coverprofile", o.CoverProfile)
	if o.CoverProfile != "" && len(o.Mutate) > 0 {
		args = append(args, "-coverpkg="+strings.Join(o.Mutate, ","))
	}
	add("cpuprofile", o.CPUProfile)
	if o.CPUProfile != "" {
		args = append(args, "-o="+filepath.Join(t.project.WorkDir, "profiled.test"))
	}
	t.project.Phase("", "go test makes the profile, without mutants")
	out, failed := goTest(ctx, t.project.Options, append(args, o.chosen()...), t.project.Packages, o.Args)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	for made, path := range files {
		data, err := os.ReadFile(made)
		if err != nil {
			return exit.Errorf(exit.Usage, "go test makes no profile for %s: %s", path, firstLine(out, failed))
		}
		if err := report.Save(path, func(w io.Writer) error { _, err := w.Write(data); return err }); err != nil {
			return exit.Errorf(exit.Usage, "%w", err)
		}
	}
	if failed != nil {
		t.project.Warn("the profile is that of a run in which tests failed: %s", firstLine(out, failed))
	}
	return nil
}

// chosen are the flags of go test that choose tests.
func (o *Options) chosen() (args []string) {
	if o.Run != "" {
		args = append(args, "-run="+o.Run)
	}
	if o.Skip != "" {
		args = append(args, "-skip="+o.Skip)
	}
	if o.Short {
		args = append(args, "-short")
	}
	return args
}

// List writes the tests, fuzz tests and examples that match pattern, as go test -list does,
// and runs none.
func List(ctx context.Context, opts project.Options, pattern string, w io.Writer) error {
	packages := opts.Packages
	if len(packages) == 0 {
		packages = []string{"."}
	}
	out, failed := goTest(ctx, opts, []string{"-vet=off", "-list=" + pattern}, packages, nil)
	if ctx.Err() != nil {
		return exit.AsInterrupted(ctx, ctx.Err())
	}
	if failed != nil {
		return exit.Errorf(exit.Usage, "go test -list: %s", firstLine(out, failed))
	}
	for line := range strings.Lines(out) {
		if strings.HasPrefix(line, "Benchmark") {
			continue // it judges nothing
		}
		if _, err := io.WriteString(w, line); err != nil {
			return err
		}
	}
	return nil
}

// goTest runs go test on packages, with build flags first, and returns what it prints.
func goTest(ctx context.Context, o project.Options, flags, packages, args []string) (string, error) {
	line := append([]string{"test"}, o.BuildFlags...)
	line = append(append(line, flags...), packages...)
	if len(args) > 0 {
		line = append(append(line, "-args"), args...)
	}
	cmd := gotool.GoCommand(ctx, "go", line...)
	cmd.Dir, cmd.Env = o.Dir, o.Env
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	return out.String(), err
}

// firstLine returns the line of what go test prints that says most, or its error.
func firstLine(out string, err error) string {
	if errors.Is(err, exec.ErrNotFound) {
		return "the go command is not in PATH"
	}
	for line := range strings.Lines(out) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "# ") && !strings.HasPrefix(line, "=== ") {
			return line
		}
	}
	return err.Error()
}

package test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/covered"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/project"
	"github.com/fuzzmut/fuzzmut/instrument/gotool"
)

// profile writes the profiles that are asked for, and enters into the result what the tests
// cover. They are of the code without mutants, and without what fuzzmut adds to it: go test makes
// them.
func (t *tester) profile(ctx context.Context) error {
	o := &t.opts
	switch {
	case o.CoverProfile == "" && o.CPUProfile == "" && !o.Covered:
		return nil
	case o.CPUProfile != "" && len(t.project.Packages) > 1:
		return exit.Errorf(exit.Usage, "-cpuprofile takes one package, as that of go test does, and here are %d; name one", len(t.project.Packages))
	}
	t.project.Phase("", "go test makes the profile, without mutants")
	made := filepath.Join(t.project.WorkDir, "coverprofile")
	out, failed := goTest(ctx, t.project.Options, append(t.profileFlags(made), o.chosen()...), t.project.Packages, o.Args)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if o.Covered {
		if err := t.covered(made); err != nil {
			t.project.Warn("the result does not show what is covered: go test says %q, %v", firstLine(out, failed), err)
		}
	}
	for _, file := range [][2]string{{made, o.CoverProfile}, {t.cpuProfile(), o.CPUProfile}} {
		switch err := copyProfile(file[0], file[1]); {
		case errors.Is(err, fs.ErrNotExist):
			return exit.Errorf(exit.Usage, "go test makes no profile for %s: %s", file[1], firstLine(out, failed))
		case err != nil:
			return exit.Errorf(exit.Usage, "%w", err)
		}
	}
	if failed != nil && o.CoverProfile+o.CPUProfile != "" {
		t.project.Warn("the profile is that of a run in which tests failed: %s", firstLine(out, failed))
	}
	return nil
}

// cpuProfile is where go test writes that profile.
func (t *tester) cpuProfile() string { return filepath.Join(t.project.WorkDir, "cpuprofile") }

// profileFlags are the flags of go test that make profiles, that of coverage in a file.
func (t *tester) profileFlags(made string) []string {
	o, args := &t.opts, []string{"-vet=off", "-count=1"}
	if o.CoverProfile != "" || o.Covered {
		args = append(args, "-coverprofile="+made)
		if len(o.Mutate) > 0 {
			args = append(args, "-coverpkg="+strings.Join(o.Mutate, ","))
		}
	}
	if o.CPUProfile != "" {
		args = append(args, "-cpuprofile="+t.cpuProfile(), "-o="+filepath.Join(t.project.WorkDir, "profiled.test"))
	}
	return args
}

// covered enters a coverage profile into the result.
func (t *tester) covered(path string) error {
	file, err := os.Open(path)
	if err != nil {
		return errors.New("and makes no profile")
	}
	defer file.Close()
	profile, err := covered.Read(file)
	if err == nil {
		t.report.Covered = profile.Report()
	}
	return err
}

// copyProfile copies what go test has written to where the user wants it; "" is nowhere.
func copyProfile(from, to string) error {
	if to == "" {
		return nil
	}
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return report.Save(to, func(w io.Writer) error { _, err := w.Write(data); return err })
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

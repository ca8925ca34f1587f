package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/fuzzmut/fuzzmut/fuzzmut/job/test"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/format"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/project"
	"github.com/fuzzmut/fuzzmut/instrument/rt/oracle"
)

// newTestFake returns a fake whose test is job.
func newTestFake(job func(test.Options) (*report.TestReport, error)) *fake {
	f := newFake(nil)
	f.jobs.test = func(_ context.Context, o test.Options) (*report.TestReport, error) { return job(o) }
	return f
}

func TestTestFlagsBecomeOptions(t *testing.T) {
	for line, want := range map[string]test.Options{
		"":                          {},
		"./a -run ^TestA$/x -fresh": {Options: project.Options{Packages: []string{"./a"}}, Run: "^TestA$/x", Fresh: true},
		"-skip B/x -short -strict ./a -args -x -run y": {
			Options: project.Options{Packages: []string{"./a"}}, Skip: "B/x", Short: true, Strict: true, Args: []string{"-x", "-run", "y"},
		},
		"-failfast":                {FailFast: true},
		"-diff main... -shard 2/3": {Diff: "main...", Shard: test.Shard{K: 2, N: 3}},
		"-resume -tags x -parallel 3": {
			Options: project.Options{BuildFlags: []string{"-tags=x"}, Parallel: 3}, Resume: true,
		},
		"-min-score 80% -mutate ./... -operators all": {
			Options: project.Options{MinScore: 0.8, Mutate: []string{"./..."}, Operators: "all", MutateOnce: true, OperatorsOnce: true},
		},
	} {
		f := newTestFake(func(got test.Options) (*report.TestReport, error) {
			if diff := cmp.Diff(want, got, cmpopts.EquateEmpty(), cmpopts.IgnoreFields(project.Options{}, "Events", "Log")); diff != "" {
				t.Errorf("%s (-want +got):\n%s", line, diff)
			}
			return nil, nil
		})
		f.check(t, exit.OK, append([]string{"test"}, strings.Fields(line)...)...)
	}
}

func TestAPatchIsReadFromStdin(t *testing.T) {
	f := newTestFake(func(o test.Options) (*report.TestReport, error) {
		if o.Patch == nil {
			t.Fatal("no patch")
		}
		if text, err := io.ReadAll(o.Patch); string(text) != "the patch" || err != nil || o.Diff != "" {
			t.Errorf("patch %q, %v, diff %q", text, err, o.Diff)
		}
		return nil, nil
	})
	f.stdin = strings.NewReader("the patch")
	f.check(t, exit.OK, "test", "-diff", "-")
}

func TestWrongFlagsOfTest(t *testing.T) {
	for line, want := range map[string]string{
		"test -run [":       "missing closing ]",
		"test -skip [":      "missing closing ]",
		"test -cpuprofile=": "write its name",
		"test -args=x":      "takes no value",
		"test -diff=":       "write HEAD",
		"test -shard 4/3":   "write 1/4",
		"test -fuzz X":      "unknown flag -fuzz",
		"test -corpus x":    "unknown flag -corpus",
		"test -cover":       "holds the coverage",
		"test -v -q":        "contradict",
		"merge":             "needs files",
		"merge -tags x f":   "unknown flag -tags",
		"merge nowhere":     "no such file",
		"merge test.go":     "test.go: not a result of fuzzmut test",
		"merge -min-score9": "unknown flag",
	} {
		f := newFake(nil)
		f.check(t, exit.Usage, strings.Fields(line)...)
		if got := f.errs.String(); !strings.Contains(got, want) || strings.Count(got, "\n") != 1 {
			t.Errorf("%s: got %q, want %q", line, got, want)
		}
	}
}

// shardFile writes the result of a shard in which of two mutants one is killed.
func shardFile(t *testing.T, name string) string {
	t.Helper()
	r := &report.TestReport{
		Version: report.FormatVersion, Shard: name, Packages: []report.TestRun{{Package: "example.com/x"}},
		Mutants: []report.Mutant{
			{ID: name + "a", Package: "example.com/x", Status: report.Killed, KillKind: oracle.Panic.String()},
			{ID: name + "b", Package: "example.com/x", Status: report.Survived},
		},
	}
	r.Score = report.Summarise(r.Mutants)
	path := filepath.Join(t.TempDir(), "shard.json")
	if err := report.Save(path, func(w io.Writer) error { return format.JSON.Write(w, r) }); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestMerge(t *testing.T) {
	a, b := shardFile(t, "1/2"), shardFile(t, "2/2")
	f := newFake(nil)
	f.check(t, exit.OK, "merge", "-q", a, b)
	if got, want := f.out.String(), "example.com/x: mutation score 50.0 % (2 of 4 killed)\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	f = newFake(nil)
	f.check(t, exit.Score, "merge", "-min-score=0.6", a, b)
	out := filepath.Join(t.TempDir(), "out.json")
	f = newFake(nil)
	f.check(t, exit.OK, "merge", a, "-json", out)
	if !strings.Contains(f.out.String(), "warning: the result is partial: no result of shard 2/2\n") {
		t.Errorf("got %q", &f.out)
	}
	if data, err := os.ReadFile(out); err != nil || !strings.Contains(string(data), `"shard": "1/2"`) {
		t.Errorf("%s, %v", data, err)
	}
}

func TestListingTestsRunsNone(t *testing.T) {
	f := newTestFake(func(test.Options) (*report.TestReport, error) {
		t.Error("tests are run")
		return nil, nil
	})
	f.jobs.list = func(_ context.Context, o project.Options, pattern string, w io.Writer) error {
		_, err := fmt.Fprintln(w, o.Packages, pattern)
		return err
	}
	f.check(t, exit.OK, "test", "-list", "A.", "./a")
	if got, want := f.out.String(), "[./a] A.\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestProfilesAreNotRelativeToTheDirectoryOfTheRun(t *testing.T) {
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	f := newTestFake(func(o test.Options) (*report.TestReport, error) {
		if o.CoverProfile != filepath.Join(dir, "c.out") || o.CPUProfile != filepath.Join(dir, "p.out") {
			t.Errorf("%+v", o)
		}
		return nil, nil
	})
	f.check(t, exit.OK, "test", "-C", t.TempDir(), "-coverprofile", "c.out", "-cpuprofile", "p.out")
}

package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/fuzzmut/fuzzmut/fuzzmut/job/diff"
	"github.com/fuzzmut/fuzzmut/fuzzmut/job/fuzz"
	"github.com/fuzzmut/fuzzmut/fuzzmut/job/score"
	"github.com/fuzzmut/fuzzmut/fuzzmut/job/test"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/behavior"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/project"
	"github.com/fuzzmut/fuzzmut/instrument"
)

// fake is a tool whose jobs do nothing but what a test says.
type fake struct {
	tool
	out, errs bytes.Buffer
}

// newFake returns a fake whose fuzz and score are job.
func newFake(job func(context.Context, project.Options) (*report.Report, error)) *fake {
	f := new(fake)
	f.tool = tool{
		stdout: &f.out, stderr: &f.errs,
		getenv: func(string) string { return "" },
		exit:   func(int) {},
		jobs: jobs{
			fuzz:  func(ctx context.Context, o fuzz.Options) (*report.Report, error) { return job(ctx, o.Options) },
			score: func(ctx context.Context, o score.Options) (*report.Report, error) { return job(ctx, o.Options) },
			test: func(ctx context.Context, o test.Options) (*report.TestReport, error) {
				return nil, nil
			},
			mutants: func(context.Context, project.Options) ([]*instrument.Program, error) { return nil, nil },
		},
	}
	return f
}

// result is a job with a report on one fuzz test, and err.
func result(err error) func(context.Context, project.Options) (*report.Report, error) {
	return func(_ context.Context, o project.Options) (*report.Report, error) {
		if o.Events != nil {
			o.Events(project.Event{Phase: &project.Phase{Package: "example.com/x", Text: "loading"}})
		}
		return &report.Report{Tests: []report.FuzzTest{{Name: "FuzzX", Package: "example.com/x"}}}, err
	}
}

// check runs args and compares the exit code.
func (f *fake) check(t *testing.T, want exit.Code, args ...string) {
	t.Helper()
	if got := f.run(args); got != int(want) {
		t.Errorf("fuzzmut %s: exit code %d, want %d\n%s", strings.Join(args, " "), got, want, &f.errs)
	}
}

func TestTextGoesToStdout(t *testing.T) {
	f := newFake(result(nil))
	f.check(t, exit.OK, "./x")
	if !strings.Contains(f.out.String(), "loading") || !strings.Contains(f.out.String(), "FuzzX: no mutants") {
		t.Errorf("stdout: %q", &f.out)
	}
	if f.errs.Len() > 0 {
		t.Errorf("stderr: %q", &f.errs)
	}
}

// Comparing takes as long as fuzzing: where it is shows, and what it warns of.
func TestDiffShowsItsProgress(t *testing.T) {
	f := newFake(nil)
	f.jobs.diff = func(_ context.Context, o diff.Options) (*behavior.Report, error) {
		if o.Revision != "main" || len(o.Packages) != 1 || o.Packages[0] != "./x" {
			t.Errorf("revision %q, packages %q", o.Revision, o.Packages)
		}
		o.Events(project.Event{Phase: &project.Phase{Text: "loading"}})
		o.Events(project.Event{Warning: &project.Warning{Text: "a warning"}})
		return &behavior.Report{}, nil
	}
	f.check(t, exit.OK, "diff", "main", "./x")
	if !strings.Contains(f.out.String(), "loading") || !strings.Contains(f.errs.String(), "a warning") {
		t.Errorf("stdout: %q, stderr: %q", &f.out, &f.errs)
	}
}

// A package is no revision: what is missing stands before it.
func TestDiffWithoutARevision(t *testing.T) {
	for args, want := range map[string]string{"diff": "fuzzmut diff main ./...,", "diff .": "fuzzmut diff HEAD .,", "diff ./a ./b": "fuzzmut diff HEAD ./a ./b,", "diff ./... HEAD": "fuzzmut diff HEAD ./...,", "diff ./a /b main ./c": "fuzzmut diff main ./a /b ./c,"} {
		f := newFake(nil)
		f.check(t, exit.Usage, strings.Fields(args)...)
		if got := f.errs.String(); !strings.Contains(got, "nothing to compare with: name a revision") || !strings.Contains(got, want) {
			t.Errorf("%s: %q lacks %q", args, got, want)
		}
	}
}

func TestJSONOnStdoutStandsAlone(t *testing.T) {
	f := newFake(result(nil))
	f.check(t, exit.OK, "fuzz", "-json", "-")
	if s := f.out.String(); !strings.HasPrefix(s, "{") || !strings.HasSuffix(s, "}\n") {
		t.Errorf("stdout: %q", s)
	}
	if !strings.Contains(f.errs.String(), "loading") {
		t.Errorf("stderr: %q", &f.errs)
	}
}

func TestQuietLeavesTheLastLine(t *testing.T) {
	f := newFake(result(nil))
	f.check(t, exit.OK, "-q")
	if got, want := f.out.String(), "FuzzX: no mutants, 0 entries added, no failing inputs\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestPartialResultsAreWrittenWithTheError(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out.json")
	f := newFake(result(exit.Errorf(exit.Interrupted, "interrupted")))
	f.check(t, exit.Interrupted, "-json", path)
	if data, err := os.ReadFile(path); err != nil || !bytes.Contains(data, []byte(`"FuzzX"`)) {
		t.Errorf("JSON %q, error %v", data, err)
	}
	if got := f.errs.String(); got != "fuzzmut: interrupted\n" {
		t.Errorf("stderr: %q", got)
	}
}

func TestAJSONFileThatCantBeWrittenEndsTheRunAtOnce(t *testing.T) {
	f := newFake(func(context.Context, project.Options) (*report.Report, error) {
		t.Error("the job was run")
		return nil, nil
	})
	path := filepath.Join(t.TempDir(), "no", "out.json")
	f.check(t, exit.Usage, "-json", path)
	if got, want := f.errs.String(), "fuzzmut: -json: "+path+" can't be written: no such file or directory\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, syscall.ENOSPC }

func TestAFullDiskIsReported(t *testing.T) {
	f := newFake(result(nil))
	f.stdout = fullDisk{}
	f.check(t, exit.Usage, "-json", "-")
	if !strings.Contains(f.errs.String(), "could not be written") {
		t.Errorf("stderr: %q", &f.errs)
	}
}

func TestEachErrorHasALineOfItsOwn(t *testing.T) {
	f := newFake(result(errors.Join(
		exit.Errorf(exit.Failing, "first"),
		errors.Join(exit.Errorf(exit.Score, "second"), exit.Errorf(exit.Score, "%w, %w", io.EOF, io.EOF)),
	)))
	f.check(t, exit.Failing)
	if got, want := f.errs.String(), "fuzzmut: first\nfuzzmut: second\nfuzzmut: EOF, EOF\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestAPanicIsAnInternalError(t *testing.T) {
	f := newFake(func(context.Context, project.Options) (*report.Report, error) { panic("oops") })
	f.check(t, exit.Internal)
	if !strings.HasPrefix(f.errs.String(), "fuzzmut: internal error: oops: please report this with the lines below, at https://github.com/fuzzmut/fuzzmut/issues\ngoroutine ") {
		t.Errorf("stderr: %q", &f.errs)
	}
}

// interrupt sends this process the signal that Ctrl-C sends.
func interrupt(t *testing.T) {
	t.Helper()
	self, err := os.FindProcess(os.Getpid())
	if err == nil {
		err = self.Signal(os.Interrupt)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func TestTheFirstInterruptCancelsAndTheSecondExits(t *testing.T) {
	exited := make(chan int)
	f := newFake(func(ctx context.Context, _ project.Options) (*report.Report, error) {
		interrupt(t)
		select {
		case <-ctx.Done():
		case <-time.After(10 * time.Second):
			t.Error("the context goes on after an interrupt")
			return nil, nil
		}
		interrupt(t)
		select {
		case code := <-exited:
			if code != 130 {
				t.Errorf("exit code %d", code)
			}
		case <-time.After(10 * time.Second):
			t.Error("the second interrupt does not end the process")
		}
		return result(exit.Errorf(exit.Interrupted, "interrupted"))(ctx, project.Options{})
	})
	f.exit = func(code int) { exited <- code }
	f.check(t, exit.Interrupted)
	if got, want := f.errs.String(), stopping+"\nfuzzmut: interrupted\n"; got != want {
		t.Errorf("stderr: got %q, want %q", got, want)
	}
}

func TestHelp(t *testing.T) {
	for _, args := range [][]string{{"help"}, {"-h"}, {"--help"}} {
		f := newFake(nil)
		f.check(t, exit.OK, args...)
		text := f.out.String()
		if n, examples := strings.Count(text, "\n"), strings.Count(text, "\n\tfuzzmut "); n > 22 || examples != 3 {
			t.Errorf("%v prints %d lines with %d examples", args, n, examples)
		}
		for _, c := range commands() {
			if !regexp.MustCompile(`\s` + c.name + `[\s,]`).MatchString(text) {
				t.Errorf("%v does not name %s", args, c.name)
			}
		}
	}
	f := newFake(nil)
	f.check(t, exit.OK, "help", "all")
	if f.out.String() != manual() {
		t.Error("help all does not print the manual")
	}
	for _, topic := range topics() {
		f := newFake(nil)
		f.check(t, exit.OK, "help", topic.name)
		got, section := f.out.String(), topic.text()
		if !strings.HasSuffix(got, section) || !strings.Contains(manual(), "\n"+section) {
			t.Errorf("help %s prints %q", topic.name, got)
		}
		if command := strings.TrimSuffix(got, section); command != "" && !strings.HasPrefix(command, "Usage: fuzzmut "+topic.name+" ") {
			t.Errorf("help %s prints %q before the topic", topic.name, command)
		}
	}
}

func TestHelpOnCommands(t *testing.T) {
	for name, usage := range map[string]string{
		"fuzz": "[fuzz] [flags] [packages]", "test": "test [flags] [packages]", "merge": "merge [flags] files",
		"corpus": "corpus command", "corpus regen": "corpus regen [flags] [packages]", "hook run": "hook run [flags]", "version": "version",
	} {
		var texts []string
		for _, args := range [][]string{append(strings.Fields(name), "-help"), append([]string{"help"}, strings.Fields(name)...)} {
			f := newFake(nil)
			f.check(t, exit.OK, args...)
			text, _, _ := strings.Cut(f.out.String(), "\n# ")
			if !strings.HasPrefix(text, "Usage: fuzzmut "+usage+"\n") {
				t.Errorf("%v prints %q", args, text)
			}
			texts = append(texts, strings.TrimSpace(text))
		}
		if texts[0] != texts[1] {
			t.Errorf("-help of %s prints another text than help %s", name, name)
		}
	}
	f := newFake(nil)
	f.check(t, exit.OK, "help", "regen")
	if want := findPath([]string{"corpus", "regen"}).help("corpus regen"); f.out.String() != want {
		t.Errorf("help regen prints %q", &f.out)
	}
}

// TestHelpOfACommandHasItsFlagsAlone takes a flag that has its own text for test.
func TestHelpOfACommandHasItsFlagsAlone(t *testing.T) {
	text := findPath([]string{"test"}).help("test")
	common, rest, ok := strings.Cut(text, "\nMore flags of fuzzmut test:\n")
	if !ok || !strings.Contains(common, "\n\t-run regexp ") || !strings.Contains(rest, "\n\t-shard k/n ") {
		t.Errorf("help test:\n%s", text)
	}
	for _, wrong := range []string{"\t-fuzztime", "\t-baseline", "longest time for one execution", "not supported"} {
		if strings.Contains(text, wrong) {
			t.Errorf("help test speaks of %q", wrong)
		}
	}
	if n := strings.Count(text, "\t-timeout t"); n != 1 || !strings.Contains(rest, "longest time for one test") {
		t.Errorf("help test has -timeout %d times:\n%s", n, rest)
	}
}

func TestVersion(t *testing.T) {
	f := newFake(nil)
	f.check(t, exit.OK, "version")
	if !strings.HasPrefix(f.out.String(), "fuzzmut ") {
		t.Errorf("stdout: %q", &f.out)
	}
	f.check(t, exit.Usage, "version", "x")
}

// GitHub shows no summary that is larger than 1 MiB, whatever its parts are.
func TestTheSummaryOfAStepIsBounded(t *testing.T) {
	path := filepath.Join(t.TempDir(), "summary.md")
	r := &report.TestReport{}
	for range 3 {
		if err := summarize(path, r); err != nil {
			t.Fatal(err)
		}
	}
	before, err := os.ReadFile(path)
	if err != nil || strings.Count(string(before), "## ") != 3 {
		t.Fatalf("%v, %q", err, before)
	}
	if err := os.WriteFile(path, make([]byte, summaryMost-summaryLeast+1), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := summarize(path, r); err != nil {
		t.Fatal(err)
	}
	if after, err := os.ReadFile(path); err != nil || len(after) != summaryMost-summaryLeast+1 {
		t.Errorf("%d bytes, %v", len(after), err)
	}
	if err := summarize(filepath.Join(path, "none"), r); err == nil || !strings.Contains(err.Error(), summaryVariable) {
		t.Errorf("no file: %v", err)
	}
}

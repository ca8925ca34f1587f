package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/fuzzmut/fuzzmut/cmd/fuzzmut/screen"
	"github.com/fuzzmut/fuzzmut/fuzzmut/job/diff"
	"github.com/fuzzmut/fuzzmut/fuzzmut/job/export"
	"github.com/fuzzmut/fuzzmut/fuzzmut/job/fuzz"
	"github.com/fuzzmut/fuzzmut/fuzzmut/job/merge"
	"github.com/fuzzmut/fuzzmut/fuzzmut/job/minimise"
	"github.com/fuzzmut/fuzzmut/fuzzmut/job/mutants"
	"github.com/fuzzmut/fuzzmut/fuzzmut/job/regen"
	"github.com/fuzzmut/fuzzmut/fuzzmut/job/score"
	"github.com/fuzzmut/fuzzmut/fuzzmut/job/show"
	"github.com/fuzzmut/fuzzmut/fuzzmut/job/suggest"
	"github.com/fuzzmut/fuzzmut/fuzzmut/job/test"
	"github.com/fuzzmut/fuzzmut/fuzzmut/job/triage"
	"github.com/fuzzmut/fuzzmut/fuzzmut/job/verify"
	"github.com/fuzzmut/fuzzmut/fuzzmut/job/vet"
	"github.com/fuzzmut/fuzzmut/fuzzmut/panics"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/behavior"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/suggestion"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/project"
	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/system"
	"github.com/fuzzmut/fuzzmut/instrument/tempdir"
)

func main() { os.Exit(main1()) }

// main1 runs the command of this process and returns its exit code. Called by go vet, it does
// not return.
func main1() int {
	if isVettool(os.Args[1:]) {
		vettool()
	}
	return newTool().run(os.Args[1:])
}

// newTool returns the command of this process.
func newTool() *tool {
	r := screen.NewReader()
	return &tool{
		stdin:  os.Stdin,
		stdout: r.Stream(os.Stdout),
		stderr: r.Stream(os.Stderr),
		reader: r,
		getenv: os.Getenv,
		exit:   leave,
		jobs: jobs{
			fuzz: fuzz.Run, write: fuzz.WriteTests, score: score.Run, test: test.Run, list: test.List, mutants: mutants.List,
			regen:    regen.Run,
			verify:   verify.Run,
			minimize: minimise.Run, show: show.Run,
			combine: merge.Run,
			export:  export.Run,
			diff:    diff.Run,
			triage:  triage.Run,
			suggest: suggest.Run,
			vet:     vet.Run,
		},
	}
}

// leaving is how long files may take to be removed when the command ends at once.
const leaving = time.Second

// leave ends this process at once, and its workers with all that they have started. The
// commands of the toolchain end by themselves, since the first interrupt has reached them.
// What can't be removed quickly is left to the next run.
func leave(code int) {
	system.KillAll()
	removed := make(chan error, 1)
	go func() { removed <- panics.Do(func() error { tempdir.RemoveOwn(); return nil }) }()
	select {
	case <-removed:
	case <-time.After(leaving):
	}
	os.Exit(code)
}

// A tool is the command with what it takes from its surroundings.
type tool struct {
	stdin          io.Reader
	stdout, stderr io.Writer
	text           io.Writer // stdout for text; run makes it, and makes stderr one for text
	getenv         func(string) string
	exit           func(code int) // at once: the second interrupt
	jobs           jobs
	reader         *screen.Reader // of stdout and stderr; nil: it never goes away
}

// jobs do the work that the command's arguments ask for.
type jobs struct {
	fuzz     func(context.Context, fuzz.Options) (*report.Report, error)
	write    func(context.Context, project.Options) (*report.Written, error)
	score    func(context.Context, score.Options) (*report.Report, error)
	test     func(context.Context, test.Options) (*report.TestReport, error)
	list     func(ctx context.Context, opts project.Options, pattern string, w io.Writer) error
	mutants  func(context.Context, project.Options) ([]*instrument.Program, error)
	regen    func(context.Context, regen.Options) (*report.Report, error)
	verify   func(context.Context, verify.Options) (*report.Verification, error)
	minimize func(context.Context, minimise.Options) (*report.Minimization, error)
	combine  func(context.Context, merge.Options) (*report.Report, error)
	show     func(context.Context, project.Options) (*report.EntryList, error)
	export   func(context.Context, export.Options) (*report.Export, error)
	diff     func(context.Context, diff.Options) (*behavior.Report, error)
	triage   func(context.Context, triage.Options) (*report.TriageReport, error)
	suggest  func(context.Context, suggest.Options) (*suggestion.Report, error)
	vet      func(context.Context, project.Options) (*report.Vetting, error)
}

// run runs the subcommand that args name and returns the exit code.
func (t *tool) run(args []string) (code int) {
	t.text, t.stderr = screen.NewText(t.stdout), screen.NewText(t.stderr)
	// Go's own exit code for a panic is that of a usage error.
	err := panics.Do(func() error { return t.dispatch(args) })
	if err == nil && t.reader.Gone() {
		err = exit.Errorf(exit.Interrupted, "interrupted: the output is no longer read")
	}
	t.complain(err)
	return int(exit.CodeOf(err))
}

// complain prints err. If err joins several errors, each is printed on a separate line.
func (t *tool) complain(err error) {
	if err == nil || errors.As(err, new(errSaid)) {
		return
	}
	// Not every error that wraps several is a list of them: one with a different
	// text is printed as it is.
	joined, ok := err.(interface{ Unwrap() []error })
	if ok && err.Error() == errors.Join(joined.Unwrap()...).Error() {
		for _, e := range joined.Unwrap() {
			t.complain(e)
		}
		return
	}
	var fault *panics.Error
	if !errors.As(err, &fault) {
		fmt.Fprintf(t.stderr, "fuzzmut: %v\n", err)
		return
	}
	fmt.Fprintf(t.stderr, "fuzzmut: %v: please report this with the lines below, at https://%s/issues\n%s", err, home, fault.Stack)
}

// home is where this command comes from.
const home = "github.com/fuzzmut/fuzzmut"

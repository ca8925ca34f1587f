package main

import (
	"context"
	"errors"
	"io"
	"os"

	"github.com/fuzzmut/fuzzmut/cmd/fuzzmut/screen"
	"github.com/fuzzmut/fuzzmut/fuzzmut/job/fuzz"
	"github.com/fuzzmut/fuzzmut/fuzzmut/panics"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/behavior"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/format/text"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
)

// fuzz is the main job.
func (t *tool) fuzz(f *flags) error {
	if err := checkTotal(&f.opts); err != nil {
		return err
	}
	if f.writeTest {
		return reportJob(t, f, func(ctx context.Context) (*report.Written, error) { return t.jobs.write(ctx, f.opts) })
	}
	return reportJob(t, f, func(ctx context.Context) (*report.Report, error) {
		return f.logged(func() (*report.Report, error) {
			return t.jobs.fuzz(ctx, fuzz.Options{Options: f.opts, Change: t.restriction(f)})
		})
	})
}

// logged does a job that fuzzes, with the run log that the flags ask for.
func (f *flags) logged(job func() (*report.Report, error)) (*report.Report, error) {
	if f.log != "" {
		file, err := os.Create(f.log)
		if err != nil {
			return nil, usageError("-log: %w", err)
		}
		defer file.Close()
		f.opts.RunLog = file
	}
	return job()
}

// reportJob runs a job that results in a report, and writes the report, a partial one
// too. A job with nothing to report returns the zero R.
func reportJob[R interface {
	comparable
	report.Result
}](t *tool, f *flags, job func(context.Context) (R, error)) error {
	out, err := t.textOutput(f)
	if err != nil {
		return err
	}
	d := t.follow(f, out)
	ctx, stop := t.interruptible(d)
	defer stop()
	rep, err := job(ctx)
	d.Finish()
	var none R
	if rep == none {
		return err
	}
	switch any(rep).(type) {
	case *report.Verification, *behavior.Report:
		out = d.Differences(out, text.Indents...)
	}
	return errors.Join(t.deliver(f, out, rep), err)
}

// follow connects the progress of a job with out.
func (t *tool) follow(f *flags, out io.Writer) *screen.Display {
	d := screen.New(out, t.stderr, screen.TerminalOf(out, t.getenv), t.getenv("NO_COLOR") == "")
	d.Quiet = f.quiet
	f.opts.Events = d.Event
	go func() {
		if err := panics.Do(d.KeepTime); err != nil {
			t.complain(err)
			t.exit(int(exit.Internal))
		}
	}()
	if f.verbose {
		f.opts.Log = d
	}
	return d
}

// stopping is for the user who pressed Ctrl-C.
const stopping = "fuzzmut: stopping, and writing the results so far; interrupt again to stop at once"

// interruptible returns a context that ends with the first interrupt. The
// second ends the process. stop releases what it holds.
func (t *tool) interruptible(d *screen.Display) (ctx context.Context, stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	signals, release := notifyInterrupts()
	wait := func() error {
		left := t.reader.Leaving()
		for n := 1; ; n++ {
			select {
			case <-done:
				return nil
			case <-left:
				left, n = nil, n-1 // not one of the two that end the process at once
				cancel()
				continue
			case <-signals:
			}
			if n > 1 {
				d.Urgent("")
				t.exit(int(exit.Interrupted))
				return nil
			}
			cancel()
			d.Urgent(stopping)
		}
	}
	go func() {
		if err := panics.Do(wait); err != nil {
			cancel()
			t.complain(err)
			t.exit(int(exit.Internal))
		}
	}()
	return ctx, func() {
		release()
		close(done)
		cancel()
	}
}

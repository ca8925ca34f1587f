package main

import (
	"context"
	"errors"
	"io"
	"os"

	"github.com/fuzzmut/fuzzmut/fuzzmut/panics"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
)

// fuzz is the main job.
func (t *tool) fuzz(f *flags) error {
	if f.writeTest {
		return reportJob(t, f, func(ctx context.Context) (*report.Written, error) { return t.jobs.write(ctx, f.opts) })
	}
	return reportJob(t, f, func(ctx context.Context) (*report.Report, error) {
		return f.logged(func() (*report.Report, error) { return t.jobs.fuzz(ctx, f.opts) })
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

// An outcome is the result of a job.
type outcome interface {
	WriteText(io.Writer, report.TextOptions) error
	WriteJSON(io.Writer) error
}

// reportJob runs a job that results in a report, and writes the report, a partial one
// too. A job with nothing to report returns the zero R.
func reportJob[R interface {
	comparable
	outcome
}](t *tool, f *flags, job func(context.Context) (R, error)) error {
	out, err := t.outputs(f)
	if err != nil {
		return err
	}
	d := t.follow(f, out)
	ctx, stop := t.interruptible(d)
	defer stop()
	rep, err := job(ctx)
	d.finish()
	var none R
	if rep == none {
		return err
	}
	text := func(w io.Writer) error {
		if _, ok := any(rep).(*report.Verification); ok && d.colour {
			w = newShown(&painter{w: underlying(w)})
		}
		return rep.WriteText(w, report.TextOptions{Verbose: f.verbose, Quiet: f.quiet})
	}
	return errors.Join(t.deliver(f, out, text, rep.WriteJSON), err)
}

// outputs returns where text for people goes, having made sure that the JSON
// file can be written. Text gives way to JSON on stdout.
func (t *tool) outputs(f *flags) (text io.Writer, err error) {
	switch f.json {
	case "":
		return t.text, nil
	case "-":
		return t.stderr, nil
	}
	if err := report.CheckSave(f.json); err != nil {
		return nil, usageError("-json: %w", err)
	}
	return t.text, nil
}

// deliver writes the result as text and, if asked for, as JSON.
func (t *tool) deliver(f *flags, out io.Writer, text, json func(io.Writer) error) error {
	var errs []error
	switch f.json {
	case "":
	case "-":
		errs = append(errs, json(t.stdout))
	default:
		errs = append(errs, report.Save(f.json, json))
	}
	errs = append(errs, text(out))
	if err := errors.Join(errs...); err != nil {
		return usageError("the result could not be written: %w", err)
	}
	return nil
}

// follow connects the progress of a job with out.
func (t *tool) follow(f *flags, out io.Writer) *display {
	d := newDisplay(out, t.stderr, terminalOf(out, t.getenv), t.getenv("NO_COLOR") == "")
	d.verbose, d.quiet = f.verbose, f.quiet
	f.opts.Events = d.event
	go func() {
		if err := panics.Do(d.keepTime); err != nil {
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
func (t *tool) interruptible(d *display) (ctx context.Context, stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	signals, release := notifyInterrupts()
	wait := func() error {
		left := t.reader.leaving()
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
				d.urgent("")
				t.exit(int(exit.Interrupted))
				return nil
			}
			cancel()
			d.urgent(stopping)
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

// Package exit holds the exit codes of the command, errors that carry them, and the code
// that a result stands for by itself.
package exit

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/worker"
	"github.com/fuzzmut/fuzzmut/fuzzmut/panics"
)

// Code is the exit code of the command, and the class of an error.
type Code int

// The exit codes. When several apply, the order of precedence is: internal,
// usage, interrupted, baseline, failing, score.
const (
	OK          Code = 0   // nothing found that should not be
	Failing     Code = 1   // failing inputs were found
	Usage       Code = 2   // a wrong flag, or something that can't be loaded, built, read or written
	Baseline    Code = 3   // a seed fails, or the target is unstable
	Score       Code = 4   // the mutation score is below the one asked for
	Internal    Code = 70  // fuzzmut's own mistake
	Interrupted Code = 130 // interrupted; partial results are written
)

// rank orders exit codes by precedence.
func (c Code) rank() int {
	switch c {
	case OK:
		return 0
	case Score:
		return 1
	case Failing:
		return 2
	case Baseline:
		return 3
	case Interrupted:
		return 4
	case Usage:
		return 5
	}
	return 6
}

// Error is an error with the exit code it stands for.
type Error struct {
	Code Code
	Err  error // says what is wrong with which file or target, and how to fix it
}

func (e *Error) Error() string { return e.Err.Error() }

func (e *Error) Unwrap() error { return e.Err }

// Errorf makes an Error from a format as fmt.Errorf takes it.
func Errorf(code Code, format string, args ...any) error {
	return &Error{Code: code, Err: fmt.Errorf(format, args...)}
}

// CodeOf returns the exit code that err stands for: that of the Error in it, of
// the one that takes precedence when it joins several, and else Interrupted
// for a cancelled context and Internal for anything unforeseen.
func CodeOf(err error) Code {
	if err == nil {
		return OK
	}
	switch err := err.(type) {
	case *Error:
		return err.Code
	case *worker.StartError:
		return Usage // no room, no memory, or the test binary is gone
	case interface{ Unwrap() []error }:
		code := OK
		for _, e := range err.Unwrap() {
			if c := CodeOf(e); c.rank() > code.rank() {
				code = c
			}
		}
		return code
	case interface{ Unwrap() error }:
		if inner := err.Unwrap(); inner != nil {
			return CodeOf(inner)
		}
	}
	if errors.Is(err, context.Canceled) {
		return Interrupted
	}
	return Internal
}

// Graceful returns a context for what is still done after an interrupt: it is cancelled
// some time after ctx.
func Graceful(ctx context.Context, grace time.Duration) (context.Context, context.CancelFunc) {
	longer, cancel := context.WithCancel(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() { time.AfterFunc(grace, cancel) })
	return longer, func() {
		stop()
		cancel()
	}
}

// AsInterrupted returns err, or an error for a job that was interrupted while it prepared
// its work, if that is why err came about.
func AsInterrupted(ctx context.Context, err error) error {
	return AsStopped(ctx, err, "interrupted before anything was run; no file was changed")
}

// AsCut is AsInterrupted for a job that may have written something.
func AsCut(ctx context.Context, err error) error {
	return AsStopped(ctx, err, "interrupted; what was written so far is complete")
}

// AsStopped is AsInterrupted for a job that says what it has done.
func AsStopped(ctx context.Context, err error, text string) error {
	var own *Error
	if ctx.Err() == nil || panics.Is(err) || CodeOf(err) == Interrupted && errors.As(err, &own) {
		return err
	}
	return Errorf(Interrupted, "%s", text)
}

// AsUsage classes an error of loading or building: the user has to fix it.
func AsUsage(err error) error {
	var e *Error
	if err == nil || errors.As(err, &e) {
		return err
	}
	return &Error{Code: Usage, Err: err}
}

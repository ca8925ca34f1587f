package campaign

import (
	"context"
	"errors"
	"fmt"

	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/worker"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
)

// ExitCode is the exit code of the command, and the class of an error.
type ExitCode int

// The exit codes. When several apply, the order of precedence is: internal,
// usage, interrupted, baseline, failing, score.
const (
	ExitOK          ExitCode = 0   // nothing found that should not be
	ExitFailing     ExitCode = 1   // failing inputs were found
	ExitUsage       ExitCode = 2   // a wrong flag, or something that can't be loaded, built, read or written
	ExitBaseline    ExitCode = 3   // a seed fails, or the target is unstable
	ExitScore       ExitCode = 4   // the mutation score is below the one asked for
	ExitInternal    ExitCode = 70  // fuzzmut's own mistake
	ExitInterrupted ExitCode = 130 // interrupted; partial results are written
)

// rank orders exit codes by precedence.
func (c ExitCode) rank() int {
	switch c {
	case ExitOK:
		return 0
	case ExitScore:
		return 1
	case ExitFailing:
		return 2
	case ExitBaseline:
		return 3
	case ExitInterrupted:
		return 4
	case ExitUsage:
		return 5
	}
	return 6
}

// Error is an error with the exit code it stands for.
type Error struct {
	Code ExitCode
	Err  error // says what is wrong with which file or target, and the mend
}

func (e *Error) Error() string { return e.Err.Error() }

func (e *Error) Unwrap() error { return e.Err }

// Errorf makes an Error from a format as fmt.Errorf takes it.
func Errorf(code ExitCode, format string, args ...any) error {
	return &Error{Code: code, Err: fmt.Errorf(format, args...)}
}

// CodeOf returns the exit code that err stands for: that of the Error in it, of
// the one that takes precedence when it joins several, and else ExitInterrupted
// for a cancelled context and ExitInternal for anything unforeseen.
func CodeOf(err error) ExitCode {
	if err == nil {
		return ExitOK
	}
	switch err := err.(type) {
	case *Error:
		return err.Code
	case *worker.StartError:
		return ExitUsage // no room, no memory, or the test binary is gone
	case interface{ Unwrap() []error }:
		code := ExitOK
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
		return ExitInterrupted
	}
	return ExitInternal
}

// Verdict returns the error that a report amounts to by itself: interrupted,
// failing inputs, or a score of all fuzz tests together below minScore, the
// first that applies; nil for a clean result. It does not know of baselines that
// fail.
func Verdict(r *report.Report, minScore float64) error {
	buckets, flaky := 0, 0
	for i := range r.Tests {
		if r.Tests[i].Interrupted {
			return Errorf(ExitInterrupted, "interrupted; the results so far are written")
		}
		buckets += len(r.Tests[i].Crashes)
		flaky += report.SureFlakes(&r.Tests[i])
	}
	if buckets > 0 {
		return Errorf(ExitFailing, "failing inputs found, in %s: mend them, then run again",
			report.Plural(buckets, "bucket"))
	}
	if flaky > 0 {
		return Errorf(ExitFailing, "the code fails now and then, in %s: what it does depends on more than its input (time, random numbers, map order, goroutines, global state)",
			report.Plural(flaky, "bucket"))
	}
	return enough(report.Total(r.Tests), minScore)
}

// enough returns an error if a score is below minScore, or if it would be with all
// mutants that were not judged among the survivors.
func enough(s report.Score, minScore float64) error {
	if err := judgedEnough(s, minScore); err != nil || s.Pending == 0 {
		return err
	}
	if worst := float64(s.Killed) / float64(s.Mutants+s.Pending); worst < minScore {
		return Errorf(ExitScore, "-min-score can't be checked: %s not judged, and without them the mutation score may be %.4f; run again",
			report.Plural(s.Pending, "mutant")+" "+report.Verb(s.Pending, "was", "were"), worst)
	}
	return nil
}

// judgedEnough is enough for the mutants that were judged.
func judgedEnough(s report.Score, minScore float64) error {
	if s.Mutants > 0 && s.Score < minScore {
		return Errorf(ExitScore, "the mutation score %.4f is below the %.4f asked for by -min-score", s.Score, minScore)
	}
	return nil
}

// Package alone runs the original on one input at a time, in separate processes, to
// find out whether the input ends its process or fails, always or sometimes.
//
// A process may end when what ended it is over: a goroutine that panics outlives
// the execution that started it, and memory is kept from one input to the next.
// So what was in progress when a worker died is only the first suspect, and counts
// as guilty when it does the same in its own process.
package alone

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/failures"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/processes"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/worker"
	"github.com/fuzzmut/fuzzmut/instrument/rt/failure"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// Linger is how long such a process waits for goroutines that still run.
const Linger = 100 * time.Millisecond

// Tries is how often an input that has ended a process is run by itself. The first that ends it each time stands for
// all that end it in the same frames: they run once.
const Tries = 5

// Runs are the runs of the original on one input, each in its own process.
type Runs struct {
	Outcome wire.Outcome // of the first that failed
	Cause   string       // of its death
	Memory  bool         // that was for its memory
	Failed  int
	Runs    int // without those that something outside ended
}

// Always reports whether every run failed.
func (r *Runs) Always() bool { return r.Failed > 0 && r.Failed == r.Runs }

// Flaky describes a failure of some of the runs of an input.
func (r *Runs) Flaky(input *corpus.Input) worker.Flaky {
	return worker.Flaky{Input: input, Outcome: r.Outcome, Key: failure.Key(r.Outcome), Failed: r.Failed, Runs: r.Runs}
}

// Runner runs the original of one program, and notes the failures that are flaky.
type Runner struct {
	Processes *processes.Set
	Failures  *failures.Collector
}

// Run runs the original on one input, each time in its own process. If the
// first run passes, that is all, unless a process was killed on it: the one who kills
// may be the input itself, or the system for the memory that it takes. What is killed
// while it does not run the input, or not in each run, is somebody else's doing: such
// runs do not count.
func (r Runner) Run(ctx context.Context, input *corpus.Input, wasKilled bool) (Runs, error) {
	var a Runs
	var kills []*worker.Death
	for tries := 0; tries < Tries && ctx.Err() == nil; tries++ {
		o, err := r.once(ctx, input)
		var d *worker.Death
		cause := ""
		switch {
		case errors.As(err, &d) && !d.Internal && d.Killed && !d.State.Running:
			r.Processes.FromOutside(d)
			continue
		case errors.As(err, &d) && !d.Internal && d.Killed:
			kills = append(kills, d)
			continue
		case errors.As(err, &d) && !d.Internal:
			o, cause = r.Processes.Outcome(d), d.Cause
		case err != nil:
			return a, err
		}
		a.Runs++
		if o.Kind.Failed() {
			if a.Failed++; a.Failed == 1 {
				a.Outcome, a.Cause, a.Memory = o, cause, d != nil && d.Memory
			}
			if d == nil || o.Kind == wire.Fuel || tries == 0 && r.known(&o) {
				break // it always takes long, or a round says whether it always fails, or an input like it does
			}
		} else if a.Failed == 0 && (!wasKilled || tries > 0) {
			break
		}
	}
	if o := &a.Outcome; a.Always() && a.Memory && len(o.Frames) == 0 {
		var err error
		if o.Frames, err = r.hoards(ctx, input); err != nil {
			return a, err
		}
	}
	if len(kills) == Tries {
		return r.kills(kills), ctx.Err()
	}
	for _, d := range kills {
		r.Processes.FromOutside(d)
	}
	if a.Always() && a.Runs == Tries {
		r.Failures.Sure(failure.Key(a.Outcome))
	}
	return a, ctx.Err()
}

// known reports whether an input is known that ends its process each time, and does so as this one did. What leaves no
// frames tells nothing of others.
func (r Runner) known(o *wire.Outcome) bool {
	return len(o.Frames) > 0 && r.Failures.IsSure(failure.Key(*o))
}

// kills describes an input that was killed in each run.
func (r Runner) kills(list []*worker.Death) Runs {
	a := Runs{Outcome: r.Processes.Outcome(list[0]), Cause: list[0].Cause, Failed: len(list), Runs: len(list)}
	a.Outcome.Message = fmt.Sprintf("%s in %d of %d runs alone: it kills the process, or uses more memory than the system has", a.Cause, a.Failed, a.Runs)
	return a
}

const (
	// hoardPart is the part of the limit on the memory of a process, as one in that number, at which it is seen who
	// takes it: before the process is ended.
	hoardPart = 8
	// hoardTries is how many processes may be ended before that is seen.
	hoardTries = 3
)

// hoards returns the frames, innermost first, of where an input that takes too much memory asks for most of it; nil if
// that is not seen, as where the memory is not in the heap.
func (r Runner) hoards(ctx context.Context, input *corpus.Input) ([]string, error) {
	for range hoardTries {
		p, err := r.Processes.Start(ctx, true, processes.Everything)
		if err != nil {
			return nil, err
		}
		req := &wire.Run{Items: []wire.Item{{Input: input.Wire(), Hoard: p.MemLimit() / hoardPart}}}
		_, err = p.Run(ctx, req, worker.RunEvents{Result: func(*wire.Result) {}})
		r.Processes.Retire(p)
		var d *worker.Death
		switch {
		case err == nil:
			return nil, nil // it takes less than that
		case !errors.As(err, &d) || d.Internal:
			return nil, err
		}
		if frames := r.Processes.Hoards(d); len(frames) > 0 {
			return frames, nil
		}
	}
	return nil, nil
}

func (r Runner) once(ctx context.Context, input *corpus.Input) (wire.Outcome, error) {
	p, err := r.Processes.Start(ctx, true, processes.Everything)
	if err != nil {
		return wire.Outcome{}, err
	}
	defer r.Processes.Retire(p)
	var o wire.Outcome
	req := &wire.Run{Items: []wire.Item{{Input: input.Wire()}}, Linger: Linger}
	_, err = p.Run(ctx, req, worker.RunEvents{Result: func(r *wire.Result) { o = r.Outcome }})
	return o, err
}

// Culprit finds the input on which the original ends as a worker did, among
// the one in progress and the one before. It returns nil if neither does.
func (r Runner) Culprit(ctx context.Context, d *worker.Death) (*corpus.Input, Runs, error) {
	for _, input := range []*corpus.Input{d.State.Input, d.State.Previous} {
		if input == nil {
			continue
		}
		a, err := r.Run(ctx, input, d.Killed && d.State.Running)
		if err != nil || a.Failed > 0 {
			return input, a, err
		}
	}
	return nil, Runs{}, nil
}

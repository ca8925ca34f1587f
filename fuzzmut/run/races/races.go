// Package races replays the entries of a fuzz test under the race detector, in a second binary
// without mutants.
//
// Whether a race shows depends on how goroutines happen to run, so that each input is run several
// times, and what was seen is seen again by a fresh process before it counts.
package races

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/processes"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/worker"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/trial"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

const (
	// passes is how often each input is run, in another process each time.
	passes = 3
	// share is the part of the time of a run that replaying takes, atLeast what it has at least.
	share   = 10
	atLeast = 10 * time.Second
	// inputsMost bounds the inputs that are kept of one race, runsMost how often one is run to see
	// it again.
	inputsMost = 2
	runsMost   = 64
	// deathsMost bounds the processes that end before their time.
	deathsMost = 16
	linger     = 20 * time.Millisecond // for goroutines that still run
	memory     = 8 << 30               // bytes: the detector needs several times what the code does
)

// Replay runs inputs under the race detector.
type Replay struct {
	trial    *trial.Trial
	set      *processes.Set
	dir      string // of what the detector writes
	packages []string
	read     map[string]int // bytes of each of its files

	found map[string]*Found
	keys  []string // in order of appearance
}

// Found is a race, with inputs that showed it.
type Found struct {
	Race
	Inputs []*corpus.Input
	Count  int64 // executions that showed it
}

// Open builds the binary. An error says what to do.
func Open(ctx context.Context, t *trial.Trial) (*Replay, error) {
	pkg, err := t.Project.RaceBuild(ctx, t.Package)
	if err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, exit.Errorf(exit.Usage, "-oracle race: the test binary can't be built with the race detector, which needs cgo, a C compiler and one of the systems that \"go help build\" names; set CGO_ENABLED=1 and CC, or leave race out: %w", err)
	}
	dir, err := os.MkdirTemp(t.Project.WorkDir, "race")
	if err != nil {
		return nil, exit.Errorf(exit.Internal, "%w", err)
	}
	r := &Replay{trial: t, dir: dir, read: map[string]int{}, found: map[string]*Found{}}
	cfg := t.Config()
	cfg.Program, cfg.Parallel = pkg.Program, 1
	cfg.CostShare, cfg.CostKills, cfg.Leaks, cfg.Overflows = 0, false, false, false
	cfg.Worker.Binary, cfg.Worker.MemLimit = pkg.Binary, memory
	cfg.Worker.Env = environment(cfg.Worker.Env, dir)
	r.packages, r.set = processes.UserPackages(pkg.Program), processes.New(cfg)
	return r, nil
}

// environment has the race detector write to files of a directory, and go on after a race.
func environment(env []string, dir string) []string {
	if env == nil {
		env = os.Environ()
	}
	env = slices.DeleteFunc(slices.Clone(env), func(v string) bool { return strings.HasPrefix(v, "GORACE=") })
	return append(env, "GORACE=halt_on_error=0 exitcode=0 atexit_sleep_ms=0 log_path="+filepath.Join(dir, "race"))
}

// Time is how long Run may take, of a run of so long; 0: executions bound the run, and Run does all its
// passes.
func Time(d time.Duration) time.Duration {
	if d == 0 {
		return 0
	}
	return max(d/share, atLeast)
}

// Seen is what inputs showed.
type Seen struct {
	Races       []*Found // that were seen a second time, in a fresh process
	Unconfirmed int      // races that were not
	Undone      int      // inputs that there was no time for
	Runs        int      // how often each input was run, at least
}

// Run runs inputs, in their order.
func (r *Replay) Run(ctx context.Context, inputs []*corpus.Input, limit time.Duration) (s Seen, err error) {
	replaying := ctx
	if limit > 0 {
		var cancel context.CancelFunc
		replaying, cancel = context.WithTimeout(ctx, limit)
		defer cancel()
	}
	for pass := range passes {
		n, err := r.pass(replaying, inputs)
		if err != nil && replaying.Err() == nil {
			return s, err
		}
		if pass == 0 {
			s.Undone = len(inputs) - n
		}
		if n == len(inputs) {
			s.Runs++
		}
	}
	for _, key := range r.keys {
		f := r.found[key]
		again, err := r.again(ctx, f)
		switch {
		case err != nil && ctx.Err() == nil:
			return s, err
		case again:
			s.Races = append(s.Races, f)
		default:
			s.Unconfirmed++
		}
	}
	return s, nil
}

// pass runs each input once, in one process as long as that lives, and returns how many were run.
func (r *Replay) pass(ctx context.Context, inputs []*corpus.Input) (done int, err error) {
	for deaths := 0; done < len(inputs) && deaths < deathsMost && ctx.Err() == nil; deaths++ {
		n, err := r.process(ctx, inputs[done:], func(input *corpus.Input, seen []Race) bool {
			for i := range seen {
				r.note(&seen[i], input)
			}
			return true
		})
		if err != nil {
			return done, err
		}
		done += n
	}
	return done, nil
}

// note takes in that an input has shown a race.
func (r *Replay) note(race *Race, input *corpus.Input) {
	f := r.found[race.Key()]
	if f == nil {
		f = &Found{Race: *race}
		r.found[race.Key()], r.keys = f, append(r.keys, race.Key())
	}
	f.Count++
	if len(f.Inputs) < inputsMost && !slices.ContainsFunc(f.Inputs, input.Equal) {
		f.Inputs = append(f.Inputs, input)
	}
}

// again reports whether a fresh process shows a race with one of its inputs, which then comes first.
func (r *Replay) again(ctx context.Context, f *Found) (bool, error) {
	for i, input := range f.Inputs {
		shown := false
		_, err := r.process(ctx, slices.Repeat([]*corpus.Input{input}, runsMost), func(_ *corpus.Input, seen []Race) bool {
			shown = shown || slices.ContainsFunc(seen, func(s Race) bool { return s.Key() == f.Key() })
			return !shown
		})
		if err != nil {
			return false, err
		}
		if shown {
			f.Inputs[0], f.Inputs[i] = f.Inputs[i], f.Inputs[0]
			return true, nil
		}
	}
	return false, nil
}

// process runs inputs in a fresh process until it ends, and has each that ran looked at, with what the
// detector said of it, until look does not want more. done is how many were run, with the one that
// the process died of.
func (r *Replay) process(ctx context.Context, inputs []*corpus.Input, look func(*corpus.Input, []Race) bool) (done int, err error) {
	p, err := r.set.Start(ctx, true, processes.Everything)
	if err != nil {
		return 0, err
	}
	defer r.set.Retire(p)
	for _, input := range inputs {
		req := wire.Run{Items: []wire.Item{{Input: input.Wire(), Select: wire.SelectNone}}, Linger: linger}
		_, err := p.Run(ctx, &req, worker.RunEvents{Result: func(*wire.Result) {}})
		var death *worker.Death
		if err != nil && (!errors.As(err, &death) || death.Internal) {
			return done, err
		}
		done++
		seen, rerr := r.written()
		if rerr != nil {
			return done, rerr
		}
		if !look(input, seen) || err != nil {
			return done, nil
		}
	}
	return done, nil
}

// written returns the races that the detector has written since it was last asked.
func (r *Replay) written() (list []Race, err error) {
	files, err := filepath.Glob(filepath.Join(r.dir, "race.*"))
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			return nil, fmt.Errorf("what the race detector wrote: %w", err)
		}
		text := string(data[r.read[file]:])
		whole := complete(text)
		list = append(list, read(text[:whole], r.packages)...)
		r.read[file] += whole
	}
	return list, nil
}

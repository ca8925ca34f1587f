package campaign

import (
	"fmt"
	"math"
	"slices"
	"sync"
	"time"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/runlog"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/trial"
)

// recorder keeps how one fuzz test's run went, for the result, and writes its log if one is
// wanted: a point at the beginning, one at the end of a round after which something has
// changed, but not too many of them, and one at the end.
type recorder struct {
	trial *trial.Trial
	w     *runlog.Writer // nil: no log is wanted
	begin time.Time
	held  []runlog.Point // of a run in turns, which is written at its end, since others are in between
	holds bool

	mu     sync.Mutex
	last   runlog.Point
	kept   []runlog.Point // growthPoints at most
	every  int            // the distance of points that are kept
	seen   int
	failed bool
}

const (
	// recordPause is the time between two points of a run that is bounded by time.
	recordPause = 250 * time.Millisecond
	// recordPoints bounds the points of a run that is bounded by executions, which
	// must not look at a clock.
	recordPoints = 1000
	// growthPoints bounds the points that are kept for the result.
	growthPoints = 256
)

// newRecorder begins the record of the fuzz test's run, and its log, which is held back until
// the end if the run is done in turns.
func newRecorder(t *trial.Trial, holds bool) *recorder {
	r := &recorder{trial: t, begin: time.Now(), every: 1, holds: holds}
	if t.Project.Options.RunLog != nil {
		r.w = runlog.NewWriter(t.Project.Options.RunLog)
	}
	if !holds {
		r.head()
	}
	r.add(r.point())
	return r
}

// head writes what describes the run to its log.
func (r *recorder) head() {
	if r.w == nil {
		return
	}
	t, st := r.trial, r.trial.Engine.Status()
	r.check(r.w.Begin(runlog.Run{
		Package: t.Package.Program.Test.ImportPath, Fuzz: t.Test.Name, Filter: t.Project.Filter.String(), Seed: t.Project.Options.Seed,
		FuzzTime: t.Project.Options.FuzzTime.String(), Parallel: t.Project.Options.Parallel, Mutants: st.Mutants, Blocks: st.Blocks,
	}))
}

// pause begins a time that does not count. The function that it returns ends it.
func (r *recorder) pause() (resume func()) {
	begin := time.Now()
	return func() {
		if r != nil {
			r.begin = r.begin.Add(time.Since(begin))
		}
	}
}

func (r *recorder) point() runlog.Point {
	st := r.trial.Engine.Status()
	return runlog.Point{
		Seconds:    math.Round(time.Since(r.begin).Seconds()*1000) / 1000,
		Executions: st.Inputs, MutantExecutions: st.MutantExecs,
		Covered: st.Covered, Killed: st.Killed, Corpus: st.Corpus, Buckets: st.Stacks,
	}
}

// round is called at the end of each round.
func (r *recorder) round() {
	if r == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	p := r.point()
	if p.Covered == r.last.Covered && p.Killed == r.last.Killed && p.Buckets == r.last.Buckets {
		return
	}
	due := p.Seconds-r.last.Seconds >= recordPause.Seconds()
	if n := r.trial.Project.Options.FuzzTime.Execs; n > 0 {
		due = p.Executions-r.last.Executions >= n/recordPoints
	}
	if due {
		r.add(p)
	}
}

func (r *recorder) end() {
	if r == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	p, last := r.point(), r.last
	if last.Seconds = p.Seconds; p != last {
		r.add(p)
	}
	if !r.holds {
		return
	}
	r.head()
	for _, p := range r.held {
		r.write(p)
	}
}

func (r *recorder) add(p runlog.Point) {
	r.last = p
	r.keep(p)
	if r.holds && r.w != nil {
		r.held = append(r.held, p)
		return
	}
	r.write(p)
}

func (r *recorder) write(p runlog.Point) {
	if r.w != nil && !r.failed {
		r.check(r.w.Add(p))
	}
}

// keep keeps one of every points. If there are too many, every second one goes.
func (r *recorder) keep(p runlog.Point) {
	if r.seen++; (r.seen-1)%r.every != 0 {
		return
	}
	if len(r.kept) == growthPoints {
		for i := range growthPoints / 2 {
			r.kept[i] = r.kept[2*i]
		}
		r.kept, r.every = r.kept[:growthPoints/2], 2*r.every
		if (r.seen-1)%r.every != 0 {
			return
		}
	}
	r.kept = append(r.kept, p)
}

// growth returns points of the run, in order, the last of all among them.
func (r *recorder) growth() []runlog.Point {
	if r == nil {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	list := slices.Clone(r.kept)
	if n := len(list); list[n-1] != r.last {
		list = append(list, r.last)
	}
	return list
}

// check warns once of a log that can't be written. The run goes on.
func (r *recorder) check(err error) {
	if err != nil && !r.failed {
		r.failed = true
		r.trial.Warn(fmt.Sprintf("the log can't be written: %v", err))
	}
}

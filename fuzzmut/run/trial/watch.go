package trial

import (
	"time"

	"github.com/fuzzmut/fuzzmut/fuzzmut/panics"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/project"
)

// watchInterval is the time between two statuses.
const watchInterval = 250 * time.Millisecond

// Watch sends the status several times a second until the returned function is
// called, which sends the last one.
func (t *Trial) Watch() (stop func()) { return t.watch(watch{doing: t.doing}) }

// WatchDoing is Watch for work without a line that says that it begins: most times it is over before
// anyone wonders.
func (t *Trial) WatchDoing(what string) (stop func()) { return t.watch(watch{doing: what}) }

// WatchSteps is WatchDoing for work whose steps are counted by another function than evaluations
// count their entries: steps returns how many are done, and of how many, 0 while that is not
// known. unit is what one of them is called.
func (t *Trial) WatchSteps(what, unit string, steps func() (done, of int)) (stop func()) {
	return t.watch(watch{doing: what, unit: unit, steps: steps})
}

// WatchFuzzing is Watch while the fuzz test is fuzzed for a budget.
func (t *Trial) WatchFuzzing(budget project.FuzzTime) (stop func()) {
	return t.watch(watch{budget: budget})
}

// watch begins to send the status.
func (t *Trial) watch(w watch) (stop func()) {
	done, ended := make(chan struct{}), make(chan struct{})
	begin := time.Now()
	st := t.Engine.Status()
	w.trial, w.begin, w.last, w.lastAt, w.mutants = t, begin, st.Inputs, begin, st.MutantExecs
	if w.budget.Execs > 0 {
		w.budget.Execs += st.Inputs // of earlier turns
	}
	go func() {
		defer close(ended)
		if err := panics.Do(func() error { return w.repeat(done) }); err != nil {
			t.Project.Faults.Note(err)
		}
	}()
	return func() {
		close(done)
		<-ended
	}
}

// watch follows the engine of a trial.
type watch struct {
	trial  *Trial
	doing  string           // if it is not fuzzed
	budget project.FuzzTime // if it is
	unit   string           // what steps count
	steps  func() (done, of int)
	begin  time.Time
	rate   float64 // executions a second, over the last seconds
	last   int64   // executions at lastAt
	lastAt time.Time

	mutants int64 // runs of mutants before
}

// repeat sends the status until done is closed.
func (w *watch) repeat(done <-chan struct{}) error {
	tick := time.NewTicker(watchInterval)
	defer tick.Stop()
	for {
		select {
		case <-done:
			w.send(time.Now())
			return nil
		case <-tick.C:
			w.send(time.Now())
		}
	}
}

// send sends the status.
func (w *watch) send(now time.Time) {
	t, st := w.trial, w.trial.Engine.Status()
	w.count(st.Inputs, now)
	buckets := st.Stacks
	if known := t.hooks.Buckets; known != nil {
		buckets = known(buckets)
	}
	runs := int64(0)
	if w.doing != "" {
		runs = st.MutantExecs - w.mutants
	}
	if w.steps != nil {
		st.Evaluated, st.Evaluating = w.steps()
	}
	t.Project.Emit(project.Event{Status: &project.Status{
		Package: t.Package.Program.Test.ImportPath, Fuzz: t.Test.Name, Elapsed: now.Sub(w.begin), Doing: w.doing, Budget: w.budget,
		Execs: st.Inputs, ExecsPerSec: w.rate, MutantExecs: st.MutantExecs,
		Evaluated: st.Evaluated, Evaluating: st.Evaluating, Unit: w.unit, Runs: runs,
		Corpus: st.Corpus, Added: st.Added, Killed: st.Killed, Reached: st.Reached, Mutants: st.Mutants, NoMutants: t.hooks.NoMutants,
		Covered: st.Covered, Blocks: st.Blocks, Buckets: buckets,
	}})
}

// count brings the rate up to date. It is a mean in which what was seen two seconds ago
// counts for little.
func (w *watch) count(executions int64, now time.Time) {
	d := now.Sub(w.lastAt).Seconds()
	if d <= 0 {
		return
	}
	current := float64(executions-w.last) / d
	if w.lastAt.Equal(w.begin) {
		w.rate = current
	} else {
		w.rate += (current - w.rate) * min(1, d/2)
	}
	w.last, w.lastAt = executions, now
}

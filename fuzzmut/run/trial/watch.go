package trial

import (
	"time"

	"github.com/fuzzmut/fuzzmut/fuzzmut/panics"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/project"
)

// Watch sends the status several times a second until the returned function is
// called, which sends the last one.
func (t *Trial) Watch() (stop func()) {
	const interval = 250 * time.Millisecond
	done, ended := make(chan struct{}), make(chan struct{})
	begin := time.Now()
	before := t.Engine.Status().Inputs
	rate := 0.0
	last, lastAt := before, begin
	send := func() {
		st := t.Engine.Status()
		now := time.Now()
		if d := now.Sub(lastAt).Seconds(); d > 0 {
			current := float64(st.Inputs-last) / d
			rate += (current - rate) * min(1, d/2)
			if lastAt == begin {
				rate = current
			}
			last, lastAt = st.Inputs, now
		}
		buckets := st.Buckets
		if known := t.hooks.Buckets; known != nil {
			buckets = known(buckets)
		}
		t.Project.Emit(project.Event{Status: &project.Status{
			Package: t.Package.Program.Test.ImportPath, Fuzz: t.Test.Name, Elapsed: now.Sub(begin),
			Execs: st.Inputs, ExecsPerSec: rate, MutantExecs: st.MutantExecs,
			Evaluated: st.Evaluated, Evaluating: st.Evaluating,
			Corpus: st.Corpus, Added: st.Added, Killed: st.Killed, Reached: st.Reached, Mutants: st.Mutants,
			Covered: st.Covered, Blocks: st.Blocks, Buckets: buckets,
		}})
	}
	repeat := func() error {
		tick := time.NewTicker(interval)
		defer tick.Stop()
		for {
			select {
			case <-done:
				send()
				return nil
			case <-tick.C:
				send()
			}
		}
	}
	go func() {
		defer close(ended)
		if err := panics.Do(repeat); err != nil {
			t.Project.Faults.Note(err)
		}
	}()
	return func() {
		close(done)
		<-ended
	}
}

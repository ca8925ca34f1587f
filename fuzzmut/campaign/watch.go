package campaign

import (
	"time"

	"github.com/fuzzmut/fuzzmut/fuzzmut/panics"
)

// watch sends the status several times a second until the returned function is
// called, which sends the last one.
func (t *trial) watch() (stop func()) {
	const interval = 250 * time.Millisecond
	done, ended := make(chan struct{}), make(chan struct{})
	begin := time.Now()
	before := t.eng.Status().Inputs
	rate := 0.0
	last, lastAt := before, begin
	send := func() {
		st := t.eng.Status()
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
		if known := t.hooks.buckets; known != nil {
			buckets = known(buckets)
		}
		t.runner.emit(Event{Status: &Status{
			Package: t.b.program.Test.ImportPath, Fuzz: t.test.Name, Elapsed: now.Sub(begin),
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
			t.runner.faults.note(err)
		}
	}()
	return func() {
		close(done)
		<-ended
	}
}

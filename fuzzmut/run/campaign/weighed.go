package campaign

import (
	"context"
	"reflect"
	"slices"
	"time"

	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/growth"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/costs"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/trial"
)

// weighed measures inputs that may cost too much while the search goes on, one of each place, one after the other: each
// takes a second or more, for which a user would wait after the search. Which of them there is time for depends on the
// clock, so there is one only where the clock ends the run. What grows by time alone is measured after the search,
// when nothing else works. A nil weighed measures nothing.
type weighed struct {
	trial  *trial.Trial
	bounds *costs.Bounds
	ctx    context.Context
	cancel context.CancelFunc
	begin  time.Time

	beside
	asked int // places so far
	queue []growth.Candidate
	over  bool             // the search is
	known []*costs.Finding // those whose verdict gives a reason do not cost too much
	spent time.Duration    // by the clock
}

// Measuring may take weighGrant, and one part in weighShare of the time of the search in addition. Once it has taken
// more, the next place waits for weighPause.
const (
	weighShare = 8
	weighGrant = 2 * time.Second
	weighPause = 50 * time.Millisecond
)

func newWeighed(ctx context.Context, t *trial.Trial) *weighed {
	w := &weighed{trial: t, bounds: costs.BoundsOf(t), begin: time.Now()}
	w.ctx, w.cancel = context.WithCancel(ctx)
	return w
}

// add takes the first input of a place. It does not wait.
func (w *weighed) add(n growth.Candidate) {
	if n.ByTime || w.bounds.Allow([]growth.Candidate{n}) {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.over || w.asked == placesMost {
		return
	}
	w.asked++
	w.queue = append(w.queue, n)
	w.start(w.trial, w.work)
}

// work measures what is asked for. An input that can't be measured now is measured after the search: the error is nil.
func (w *weighed) work() error {
	for {
		n, ok := w.next()
		if !ok {
			return nil
		}
		start := time.Now()
		f, err := costs.Measure(w.ctx, w.trial, &n, w.bounds)
		w.mu.Lock()
		w.spent += time.Since(start)
		if err == nil && f != nil && w.ctx.Err() == nil {
			w.known = append(w.known, f)
		}
		w.mu.Unlock()
	}
}

// next waits for an input whose turn it is. It returns false when there is none, or the search is over.
func (w *weighed) next() (n growth.Candidate, ok bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for !w.over && len(w.queue) > 0 && w.ctx.Err() == nil {
		if w.spent <= weighGrant+time.Since(w.begin)/weighShare {
			n, w.queue = w.queue[0], w.queue[1:]
			return n, true
		}
		w.mu.Unlock()
		time.Sleep(weighPause)
		w.mu.Lock()
	}
	w.busy = false
	return n, false
}

// end says that the search is over. What is not begun is left.
func (w *weighed) end() {
	if w == nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.over = true
}

// finish ends it, and waits for what was begun.
func (w *weighed) finish() {
	if w == nil {
		return
	}
	w.end()
	w.mu.Lock()
	busy := w.busy
	w.mu.Unlock()
	if busy {
		w.trial.Phase("measuring an input that may cost too much")
	}
	w.wait()
}

// stop gives up what is not done.
func (w *weighed) stop() {
	if w == nil {
		return
	}
	w.cancel()
	w.finish()
}

// of returns the input that is known to cost too much at the place of some candidates, nil if none is, and the candidates
// that were not measured. If all of them were, there are none.
func (w *weighed) of(list []growth.Candidate) (*costs.Finding, []growth.Candidate) {
	if w == nil {
		return nil, list
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, f := range w.known {
		if f.Verdict.Why == "" && f.Place == list[0].Place && f.ByTime == list[0].ByTime {
			return f, nil
		}
	}
	return nil, slices.DeleteFunc(slices.Clone(list), func(n growth.Candidate) bool {
		return slices.ContainsFunc(w.known, func(f *costs.Finding) bool { return reflect.DeepEqual(f.Growing, n.Growing) })
	})
}

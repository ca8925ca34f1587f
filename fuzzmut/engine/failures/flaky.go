package failures

import (
	"cmp"
	"slices"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/worker"
	"github.com/fuzzmut/fuzzmut/instrument/rt/failure"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// Flaky is a failure that is flaky: on the same input the original fails in one
// run and passes in another. While it was seen first, mutants were run in the same
// process, and one of them may have left something there. So the input is run again
// and again without any: Failed of Runs runs.
type Flaky struct {
	Key     string
	Outcome wire.Outcome
	Cause   string        // of a death
	Input   *corpus.Input // with which it was seen first

	Seen   int64 // failures while mutants were run, too, on any input
	Passed int   // runs of Input there that passed, of Again
	Again  int
	Failed int64 // failures without mutants
	Runs   int64 // of Input without mutants

	asked int // how often Input was run without mutants
}

// Sure reports whether the failure is known to be the original's own: it was seen
// twice, at least once where no mutant had been run.
func (f *Flaky) Sure() bool { return f.Failed > 1 || f.Failed == 1 && f.Seen > 0 }

const (
	// flakyAsked is how often an input is run again and again for one failure, as long as
	// that was not seen there, and flakyMost for how many failures.
	flakyAsked = 3
	flakyMost  = 16
)

// Flaky returns the failures that are flaky, those first that were seen most often.
func (c *Collector) Flaky() []Flaky {
	c.mu.Lock()
	defer c.mu.Unlock()
	var list []Flaky
	for _, f := range c.flaky {
		list = append(list, *f)
	}
	slices.SortStableFunc(list, func(a, b Flaky) int {
		return cmp.Or(cmp.Compare(b.Failed, a.Failed), cmp.Compare(b.Seen, a.Seen), cmp.Compare(a.Key, b.Key))
	})
	return list
}

// IsFlaky reports whether failures of a stack are known to be flaky.
func (c *Collector) IsFlaky(key string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.flakyOf(key) != nil
}

// flakyOf returns what is known of a stack. The caller holds the lock.
func (c *Collector) flakyOf(key string) *Flaky {
	i := slices.IndexFunc(c.flaky, func(f *Flaky) bool { return f.Key == key })
	if i < 0 {
		return nil
	}
	return c.flaky[i]
}

// Saw notes a failure that is flaky and was seen where mutants were run. If it is
// worthwhile to look for it where none is, it returns it, for Looked; of what it says, only
// Input may be read.
func (c *Collector) Saw(f worker.Flaky, cause string) (look *Flaky) {
	c.mu.Lock()
	defer c.mu.Unlock()
	have := c.note(f, cause)
	have.Seen++
	if have.Failed > 0 || have.asked == flakyAsked || len(c.flaky) > flakyMost {
		return nil
	}
	have.asked++
	return have
}

// Looked notes what came of runs without mutants of the input of a failure that Saw
// returned. What fails there may be another stack than before. cause is that of a
// death.
func (c *Collector) Looked(f *Flaky, res *wire.Result, cause string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	at := f
	if res.Failed > 0 {
		// A failed assertion that nobody wanted to read had no text.
		if f.Outcome.Message == "" && f.Outcome.Kind == res.Outcome.Kind {
			f.Outcome, f.Key = res.Outcome, failure.Key(res.Outcome)
		}
		at = c.note(worker.Flaky{Input: f.Input, Outcome: res.Outcome, Key: failure.Key(res.Outcome)}, cause)
	}
	at.Failed += int64(res.Failed)
	at.Runs += int64(res.Runs)
}

// SawAgain notes a failure that was seen both where mutants were run and, in the runs
// that res tells of, where none was.
func (c *Collector) SawAgain(f worker.Flaky, cause string, res *wire.Result) {
	c.mu.Lock()
	defer c.mu.Unlock()
	have := c.note(f, cause)
	have.Seen++
	have.Failed += int64(res.Failed)
	have.Runs += int64(res.Runs)
}

// note returns what is known of a failure, which may be new. The caller holds the lock.
func (c *Collector) note(f worker.Flaky, cause string) *Flaky {
	have := c.flakyOf(f.Key)
	if have == nil {
		have = &Flaky{Key: f.Key, Outcome: f.Outcome, Cause: cause, Input: f.Input}
		c.flaky = append(c.flaky, have)
	}
	if have.Input.Equal(f.Input) {
		have.Again += f.Runs
		have.Passed += f.Runs - f.Failed
	}
	if have.Outcome.Message == "" {
		have.Outcome = f.Outcome
	}
	return have
}

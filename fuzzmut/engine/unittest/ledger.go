package unittest

import (
	"cmp"
	"slices"
	"sync"
	"time"
)

// ledger holds the verdicts and the counts of a run, and tells of them as they come.
type ledger struct {
	o *Options

	telling sync.Mutex // one call of Options.Verdicts at a time; acquired before mu

	mu       sync.Mutex // guards what follows
	result   Result
	progress Progress
	kills    map[string]int // by test
	told     time.Time      // of the last progress
}

func newLedger(o *Options) *ledger { return &ledger{o: o, kills: make(map[string]int)} }

// finish puts the result together. The suite is nil if the tests are not known.
func (l *ledger) finish(s *suite) *Result {
	l.mu.Lock()
	defer l.mu.Unlock()
	res := &l.result
	if s != nil {
		res.Shared, res.Reason = s.shared, s.reason
		for _, t := range s.tests {
			done := t.Test
			done.Kills = l.kills[t.Name]
			res.Tests = append(res.Tests, done)
		}
	}
	slices.SortFunc(res.Verdicts, func(a, b Verdict) int { return cmp.Compare(a.Mutant, b.Mutant) })
	return res
}

// expect notes how many verdicts there will be.
func (l *ledger) expect(n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.progress.Total = n
}

// count changes the result under its lock.
func (l *ledger) count(f func(res *Result)) {
	l.mu.Lock()
	defer l.mu.Unlock()
	f(&l.result)
}

// progressInterval is how often progress is told at most.
const progressInterval = 100 * time.Millisecond

// phase tells that something new begins.
func (l *ledger) phase(name string) {
	l.mu.Lock()
	l.progress.Phase = name
	p := l.progress
	l.told = time.Now()
	l.mu.Unlock()
	l.o.Progress(p)
}

// decide makes a verdict final.
func (l *ledger) decide(v Verdict) {
	l.telling.Lock()
	defer l.telling.Unlock()
	l.mu.Lock()
	l.result.Verdicts = append(l.result.Verdicts, v)
	l.progress.Done++
	switch v.Status {
	case StatusKilled:
		l.progress.Killed++
		l.kills[v.Test]++
	case StatusSurvived:
		l.progress.Survived++
	}
	p, tell := l.progress, time.Since(l.told) > progressInterval
	if tell {
		l.told = time.Now()
	}
	l.mu.Unlock()
	l.o.Verdicts(v)
	if tell {
		l.o.Progress(p)
	}
}

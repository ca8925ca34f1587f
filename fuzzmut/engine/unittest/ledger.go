package unittest

import (
	"cmp"
	"fmt"
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
	now      turn           // of the test that runs without a mutant, in turn with others
	long     []turn         // other tests that are waited for
	spent    []spending     // in the order of phases
}

// spending is what the processes of a phase have taken.
type spending struct {
	phase     string
	processes int
	cpu       time.Duration
}

// ended accounts for a process that has ended, in the phase that it was started in.
func (l *ledger) ended(phase string, cpu time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.result.CPU += cpu
	i := slices.IndexFunc(l.spent, func(s spending) bool { return s.phase == phase })
	if i < 0 {
		i = len(l.spent)
		l.spent = append(l.spent, spending{phase: phase})
	}
	l.spent[i].processes++
	l.spent[i].cpu += cpu
}

// tellSpent writes to the log what each phase has taken.
func (l *ledger) tellSpent() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, s := range l.spent {
		fmt.Fprintf(l.o.Log, "%s: %.2f s of CPU in %d processes\n", s.phase, s.cpu.Seconds(), s.processes)
	}
}

// phaseNow returns the phase that the run is in.
func (l *ledger) phaseNow() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.progress.Phase
}

func newLedger(o *Options) *ledger { return &ledger{o: o, kills: make(map[string]int)} }

// finish puts the result together. The suite is nil if the tests are not known.
func (l *ledger) finish(s *suite) *Result {
	l.mu.Lock()
	defer l.mu.Unlock()
	res := &l.result
	if s != nil {
		res.Shared, res.Reason = s.shared, s.notShared()
		for _, t := range s.tests {
			switch {
			case t.isLeft():
				res.LeftOut = append(res.LeftOut, t.Name)
				continue
			case !t.judges():
				res.SetAside = append(res.SetAside, t.setAside())
				continue
			}
			done := t.Test
			done.Kills = l.kills[t.Name]
			res.Tests = append(res.Tests, done)
		}
		for i := range res.Verdicts {
			s.correct(&res.Verdicts[i])
		}
	}
	slices.SortFunc(res.Verdicts, func(a, b Verdict) int { return cmp.Compare(a.Mutant, b.Mutant) })
	return res
}

// correct takes tests that are set aside out of the lists of a verdict. A mutant that no
// other test reaches is not covered.
func (s *suite) correct(v *Verdict) {
	aside := s.aside()
	if len(aside) == 0 || v.Status == StatusSkipped {
		return
	}
	judges := func(names []string) []string {
		if !slices.ContainsFunc(aside, func(t *test) bool { return slices.Contains(names, t.Name) }) {
			return names
		}
		return slices.DeleteFunc(slices.Clone(names), func(name string) bool {
			return slices.ContainsFunc(aside, func(t *test) bool { return t.Name == name })
		})
	}
	infected := len(v.Infected)
	v.Tests, v.Infected = judges(v.Tests), judges(v.Infected)
	switch {
	case v.Status == StatusSurvived && len(v.Tests) == 0 && len(s.leftOut()) > 0:
		if !v.Reused { // an earlier run may know more
			v.Status, v.Reason = StatusNotRun, TestsLeftOut
		}
	case v.Status == StatusSurvived && len(v.Tests) == 0:
		v.Status, v.Reason = StatusNotCovered, ""
	case v.Status == StatusSurvived && infected > 0 && len(v.Infected) == 0:
		v.Reason = noOther
	}
	if v.Status == StatusNotCovered {
		for _, t := range aside {
			if t.reached.Has(int(v.Mutant)) {
				v.Aside = append(v.Aside, t.Name)
			}
		}
	}
}

// withdraw takes back the kills by tests that are set aside, and returns the mutants.
func (l *ledger) withdraw(s *suite) []uint32 {
	if s == nil {
		return nil
	}
	var mutants []uint32
	l.telling.Lock()
	defer l.telling.Unlock()
	l.mu.Lock()
	for _, t := range s.aside() {
		l.result.Verdicts = slices.DeleteFunc(l.result.Verdicts, func(v Verdict) bool {
			gone := v.Status == StatusKilled && v.Test == t.Name
			if gone {
				mutants = append(mutants, v.Mutant)
			}
			return gone
		})
		l.progress.Killed -= l.kills[t.Name]
		delete(l.kills, t.Name)
	}
	l.progress.Done -= len(mutants)
	l.mu.Unlock()
	slices.Sort(mutants)
	if len(mutants) > 0 {
		l.o.Withdrawn(mutants)
	}
	return mutants
}

// unseen returns the survivors of this run that a test infects, by mutant.
func (l *ledger) unseen() []Verdict {
	l.mu.Lock()
	defer l.mu.Unlock()
	list := slices.DeleteFunc(slices.Clone(l.result.Verdicts), func(v Verdict) bool {
		return v.Status != StatusSurvived || v.Reused || len(v.Infected) == 0
	})
	slices.SortFunc(list, func(a, b Verdict) int { return cmp.Compare(a.Mutant, b.Mutant) })
	return list
}

// saw notes what was seen of a survivor.
func (l *ledger) saw(mutant uint32, s Seen) {
	l.telling.Lock()
	defer l.telling.Unlock()
	l.mu.Lock()
	i := slices.IndexFunc(l.result.Verdicts, func(v Verdict) bool { return v.Mutant == mutant })
	l.result.Verdicts[i].Seen = &s
	v := l.result.Verdicts[i]
	l.mu.Unlock()
	l.o.Verdicts(v)
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

// stopped reports whether the run ends at a survivor.
func (l *ledger) stopped() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.result.Stopped
}

// progressInterval is the shortest time between two reports of progress.
const progressInterval = 100 * time.Millisecond

// turn is a run of a test that is waited for.
type turn struct {
	test  string
	since time.Time
	most  time.Duration // that it may take; 0: not shown
}

// running tells that a test runs without a mutant, as one of several that run in turn. None is left out, since
// nothing else is while it runs, and it may be the one that does not end.
func (l *ledger) running(test string, ran, tests int, most time.Duration) {
	l.mu.Lock()
	l.now = turn{test, time.Now(), most}
	l.progress.Ran, l.progress.Tests = ran, tests
	l.mu.Unlock()
	l.tell()
}

// again tells that the test begins once more.
func (l *ledger) again(most time.Duration) {
	l.mu.Lock()
	l.now.since, l.now.most = time.Now(), most
	l.mu.Unlock()
	l.tell()
}

// waitFor tells that a test runs, until the function that it returns is
// called: a long one with a mutant, or one without, that may take so long. Of several it is the one that began
// first, which will probably end next.
func (l *ledger) waitFor(test string, most time.Duration) (done func()) {
	t := turn{test, time.Now(), most}
	l.mu.Lock()
	l.long = append(l.long, t)
	l.mu.Unlock()
	l.tell()
	return func() {
		l.mu.Lock()
		i := slices.Index(l.long, t)
		l.long = slices.Delete(l.long, i, i+1)
		l.mu.Unlock()
		l.tell()
	}
}

// tell tells how far the run has come.
func (l *ledger) tell() {
	l.mu.Lock()
	l.told = time.Now()
	p := l.current()
	l.mu.Unlock()
	l.o.Progress(p)
}

// current is how far the run has come. The caller holds the lock.
func (l *ledger) current() Progress {
	p := l.progress
	waits := l.now
	if p.Tests == 0 {
		waits = turn{}
		if len(l.long) > 0 {
			waits = l.long[0]
		}
	}
	p.Test, p.Most = waits.test, waits.most
	if p.Most > 0 {
		p.Running = time.Since(waits.since)
	}
	return p
}

// phase tells that something new begins.
func (l *ledger) phase(name string) {
	l.mu.Lock()
	l.progress.Phase = name
	l.progress.Ran, l.progress.Tests = 0, 0
	l.mu.Unlock()
	l.tell()
}

// observing tells how many survivors will be observed.
func (l *ledger) observing(n int) {
	l.mu.Lock()
	l.progress.ToSee = n
	l.mu.Unlock()
	l.phase("observation")
}

// observed notes that a survivor was.
func (l *ledger) observed() {
	l.mu.Lock()
	l.progress.Seen++
	p, tell := l.due()
	l.mu.Unlock()
	if tell {
		l.o.Progress(p)
	}
}

// due is how far the run has come, and whether that was not told for a while. The caller holds the lock.
func (l *ledger) due() (p Progress, tell bool) {
	p, tell = l.current(), time.Since(l.told) > progressInterval
	if tell {
		l.told = time.Now()
	}
	return p, tell
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
		if l.o.FailFast && len(v.Infected) > 0 {
			l.result.Stopped = true
		}
	}
	p, tell := l.due()
	l.mu.Unlock()
	l.o.Verdicts(v)
	if tell {
		l.o.Progress(p)
	}
}

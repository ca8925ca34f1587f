package unittest

import (
	"cmp"
	"path/filepath"
	"strings"
	"time"

	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/processes"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/worker"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// Without a mutant a test has no fuel: nobody knows what it needs. So the clock bounds it. Nearly all
// tests end soon, and one that takes minutes has to be run all the same. The first run of a test is
// traced, which may take ten times as long. One that is not over by then is run
// alone, without the trace: that tells whether it ends.
const (
	baselineLimit = 10 * time.Minute // what go test allows
	tracedLimit   = 2 * time.Minute  // of the first run
	againLeast    = time.Minute      // of later runs, at least
	startLeast    = time.Minute      // of the code before the first test, at least
)

// endlessMost is how many tests that do not end are enough: the code does not end, and each of the
// others may take as long.
const endlessMost = 2

// limit bounds a run of a test without a mutant. known is what it has taken before, or the longest of
// several; 0: that is not known.
func (s *suite) limit(traced bool, known time.Duration) time.Duration {
	most := cmp.Or(s.launch.o.Timeout, baselineLimit)
	again := max(againLeast, aloneFactor*known)
	switch {
	case known > 0 && traced:
		return again // it ends
	case known > 0:
		return min(again, most)
	case traced:
		return min(most, tracedLimit)
	}
	return most
}

// known is what tests took in the first pass, at most; 0 while that goes on.
func (s *suite) known() time.Duration {
	if s.telling {
		return 0
	}
	return s.longest
}

// died notes that a test has ended its process, or was ended with it. In the first pass a test that was traced, and for
// which the time was over, is run again without that. It is an error if there are too many
// that do not end.
func (s *suite) died(t *test, d *worker.Death, traced bool) (*wire.TestRan, error) {
	if !d.TimedOut || !traced || !s.telling {
		return &wire.TestRan{Test: t.index, Outcome: s.sawDeath(t, d)}, s.tooMany()
	}
	s.launch.ledger.again(s.limit(false, 0))
	second, err := s.secondRun(t)
	if err != nil {
		return nil, err
	}
	if t.slow = !second.ran.Outcome.Kind.Failed(); t.slow {
		t.took(second.before, second.after)
		s.longest = max(s.longest, second.ran.Time)
	}
	return second.ran, s.tooMany()
}

// tooMany is an error if there are enough tests that do not end: the others are not tried.
func (s *suite) tooMany() error {
	e := &BaselineError{Stopped: true}
	for _, t := range s.tests {
		if a := t.setAside(); a.Endless {
			e.Tests = append(e.Tests, a)
		}
	}
	if !s.telling || len(e.Tests) < endlessMost {
		return nil
	}
	return e
}

// sawDeath notes a run of the test without a mutant that has ended the process, or was ended with it.
func (s *suite) sawDeath(t *test, d *worker.Death) wire.Outcome {
	o := wire.Outcome{Kind: wire.Death, Message: d.Cause}
	if d.TimedOut {
		o.Message += s.launch.where(d)
		t.hung(s.launch.o.Place(t.Name))
	}
	t.saw(o)
	return o
}

// where says where a process was that was ended, if it is in the user's code: ", at a.go:3 in Parse".
func (l *launcher) where(d *worker.Death) string {
	frames := worker.Frames(d.Output, processes.UserPackages(l.o.Program))
	if !d.TimedOut || len(frames) == 0 {
		return ""
	}
	function, place, _ := strings.Cut(frames[0], " ")
	_, function, _ = strings.Cut(function[strings.LastIndexByte(function, '/')+1:], ".")
	if rel, err := filepath.Rel(l.o.Program.Test.ModuleDir, place); err == nil && filepath.IsLocal(rel) {
		place = rel
	}
	return ", at " + place + " in " + function
}

// traceSlow traces a test for which the time was over in the first pass, in a separate process.
func (s *suite) traceSlow(t *test, first outcomes) error {
	second, err := s.originalAlone(t, true)
	if err != nil {
		return err
	}
	if second.ran.Outcome.Kind.Failed() {
		return s.setAside(t)
	}
	first[t.index] = second.ran
	return nil
}

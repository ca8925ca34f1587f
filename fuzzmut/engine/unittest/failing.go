package unittest

import (
	"context"
	"os"
	"time"

	"github.com/fuzzmut/fuzzmut/corpus/bitset"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/worker"
	"github.com/fuzzmut/fuzzmut/fuzzmut/panics"
)

// FailingRun says what a test that fails without a mutant does with one that it reaches.
type FailingRun struct {
	Test   string
	Mutant uint32
	Passes bool
}

// failingFuel is what a test that fails is taken to burn at least: with the bug fixed, it goes on where it failed.
const failingFuel = 1_000_000

// RunFailing runs the tests of a test binary that fail without a mutant with each of Options.Mutants that they reach, in
// that order, each time in a separate process. Tests that pass are left out, and so are those that end the process before
// it is known what they reach. When the context is cancelled it returns what is done.
func RunFailing(ctx context.Context, o Options) (list []FailingRun, err error) {
	o.setDefaults()
	launch, err := newLauncher(ctx, &o, newLedger(&o))
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(launch.temp)
	list, err = runFailing(launch)
	if ctx.Err() != nil && !panics.Is(err) {
		err = nil
	}
	return list, err
}

func runFailing(launch *launcher) (list []FailingRun, err error) {
	s, err := failing(launch)
	if err != nil {
		return nil, err
	}
	c := &confirmer{suite: s}
	for _, m := range launch.o.Mutants {
		for _, t := range s.tests {
			if !t.reached.Has(int(m)) {
				continue
			}
			tried, err := c.try(m, []*test{t})
			if err != nil || tried.interrupted {
				return list, err
			}
			if !tried.killedFromOutside {
				list = append(list, FailingRun{Test: t.Name, Mutant: m, Passes: !tried.killed})
			}
		}
	}
	return list, nil
}

// failing makes a suite of tests in which those that fail have what they reach, and others have nothing.
func failing(launch *launcher) (*suite, error) {
	began := time.Now()
	p, err := launch.start()
	if err != nil {
		return nil, launch.startError(err)
	}
	p.Close()
	launch.startLimit = max(worker.DefaultTimeout, aloneFactor*time.Since(began))
	launch.startFuel = p.hello.StartFuel
	s := &suite{launch: launch}
	for i, name := range p.hello.Tests {
		s.tests = append(s.tests, &test{Test: Test{Name: name}, index: i})
	}
	for _, t := range s.tests {
		passes, err := s.runAlone(t, true)
		if err != nil {
			return nil, err
		}
		if passes {
			t.reached = bitset.Set{}
		}
		t.Fuel = max(t.Fuel, failingFuel)
	}
	return s, nil
}

package unittest

import (
	"context"
	"io"
	"os"
	"runtime"
	"sync"
	"time"

	"github.com/fuzzmut/fuzzmut/fuzzmut/panics"
)

// Run judges the mutants of a test binary. When the context is cancelled it
// returns what is done. If no test passes without a mutant, the error is a *BaselineError.
func Run(ctx context.Context, o Options) (*Result, error) {
	start := time.Now()
	o.setDefaults()
	ledger := newLedger(&o)
	launch, err := newLauncher(ctx, &o, ledger)
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(launch.temp)
	suite, err := runPhases(launch)
	interrupted := ctx.Err() != nil && !panics.Is(err)
	if err != nil && !interrupted {
		return nil, err
	}
	ledger.tellSpent()
	res := ledger.finish(suite)
	res.Interrupted, res.Wall = interrupted, time.Since(start)
	return res, nil
}

func (o *Options) setDefaults() {
	if o.Verdicts == nil {
		o.Verdicts = func(Verdict) {}
	}
	if o.Progress == nil {
		o.Progress = func(Progress) {}
	}
	if o.SetAside == nil {
		o.SetAside = func([]SetAside) {}
	}
	if o.LeftOut == nil {
		o.LeftOut = func([]string, int) {}
	}
	if o.Counts == nil {
		o.Counts = func(string) bool { return false }
	}
	if o.Place == nil {
		o.Place = func(string) string { return "" }
	}
	if o.Withdrawn == nil {
		o.Withdrawn = func([]uint32) {}
	}
	if o.Log == nil {
		o.Log = io.Discard
	}
	if o.Alone == nil {
		o.Alone = func(string) {}
	}
	if o.Parallel == 0 {
		o.Parallel = runtime.GOMAXPROCS(0)
	}
}

// runPhases runs the phases. The suite is nil if the tests are not known.
func runPhases(launch *launcher) (*suite, error) {
	suite, err := measureFitting(launch)
	if err != nil {
		return suite, err
	}
	ids := launch.o.mutants()
	launch.ledger.expect(len(ids))
	for again := false; len(ids) > 0 && !launch.ledger.stopped(); again = true {
		err := suite.judge(ids, again)
		// Tests may have been set aside meanwhile: the others have to judge what they killed.
		ids = launch.ledger.withdraw(suite)
		if err != nil || launch.ctx.Err() != nil {
			return suite, err
		}
	}
	return suite, suite.observe()
}

// judge judges mutants by the tests that are not set aside.
func (s *suite) judge(ids []uint32, again bool) error {
	p := newPlan(s, ids, again)
	if err := runShared(s, p); err != nil || s.launch.ledger.stopped() {
		return err
	}
	return confirm(s, p)
}

// inParallel calls work on goroutines, one for each process of a crew. The first of them has
// the run's own slot, the others wait for one; when any has ended there is no work
// left for those that still wait. The first error is returned; the others are asked to stop
// by stop becoming true.
func (l *launcher) inParallel(c crew, work func(stop func() bool) error) error {
	var mu sync.Mutex
	var first error
	ctx := l.ctx
	over := make(chan struct{})
	ended := sync.OnceFunc(func() { close(over) })
	stop := func() bool {
		mu.Lock()
		defer mu.Unlock()
		return first != nil || ctx.Err() != nil
	}
	g, _ := panics.NewGroup(ctx)
	for i := range c.size {
		g.Go(func() error {
			defer ended()
			if i > 0 {
				free := c.take(l.o, over)
				if free == nil {
					return nil
				}
				defer free()
			}
			err := panics.Do(func() error { return work(stop) })
			mu.Lock()
			defer mu.Unlock()
			if first == nil {
				first = err
			}
			return err
		})
	}
	if err := g.Wait(); panics.Is(err) {
		return err
	}
	return first
}

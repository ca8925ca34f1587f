package campaign

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/fuzzmut/fuzzmut/fuzzmut/panics"
)

// fault keeps the first panic of a goroutine that nobody waits for, and ends what is
// done meanwhile, as an interrupt does.
type fault struct {
	mu     sync.Mutex
	err    error
	cancel context.CancelFunc // nil: nothing is to be ended
}

// end returns a context that ends with a panic. release gives it up.
func (f *fault) end(ctx context.Context) (_ context.Context, release func()) {
	ctx, cancel := context.WithCancel(ctx)
	f.mu.Lock()
	f.cancel = cancel
	f.mu.Unlock()
	return ctx, cancel
}

// note takes in a panic.
func (f *fault) note(err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.err == nil {
		f.err = err
	}
	if f.cancel != nil {
		f.cancel()
	}
}

func (f *fault) first() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.err
}

// salvage writes what was found before a panic, as an interrupt does. If that panics as
// well, entries are chosen by what was seen when they were found. It ends in any case: a
// lock may never be released.
func (s *session) salvage(ctx context.Context) error {
	if s.result != nil {
		return nil
	}
	ctx, cancel := context.WithCancel(ctx)
	cancel()
	saved := make(chan error, 1)
	go func() {
		err := panics.Do(func() error {
			if len(s.found()) == 0 {
				return nil
			}
			return s.settle(ctx)
		})
		if panics.Is(err) {
			err = panics.Do(func() error {
				_, _, err := s.writeCorpus(s.unchecked(s.found()))
				return err
			})
		}
		saved <- err
	}()
	select {
	case err := <-saved:
		return err
	case <-time.After(s.grace * 2):
		return errors.New("what was found could not be written; it is in Go's fuzz cache, where the next run finds it")
	}
}

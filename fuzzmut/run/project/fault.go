package project

import (
	"context"
	"sync"
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

// Note takes in a panic.
func (f *fault) Note(err error) {
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

// Package panics carries a panic from the goroutine in which it happens to the one that
// waits for it, as an error: what was found so far can be saved, and what was begun is
// cleaned up, before the process ends.
package panics

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"
)

// Error is a panic.
type Error struct {
	Value any
	Stack []byte // of the goroutine that panicked
}

func (e *Error) Error() string { return fmt.Sprintf("internal error: %v", e.Value) }

// Is reports whether an error is a panic, or comes from one.
func Is(err error) bool {
	var e *Error
	return errors.As(err, &e)
}

// Do calls f and returns its error, or the panic that it ended with.
func Do(f func() error) (err error) {
	defer func() {
		switch v := recover().(type) {
		case nil:
		case *Error: // passed on by a goroutine that waited
			err = v
		default:
			err = &Error{Value: v, Stack: debug.Stack()}
		}
	}()
	return f()
}

// patience is how long a Group waits for its other goroutines when one has panicked:
// they may wait for a lock that it has held.
const patience = 5 * time.Second

// Group is goroutines that somebody waits for. The zero Group can't be used.
type Group struct {
	cancel   context.CancelFunc
	patience time.Duration
	panicked chan struct{} // closed by the first panic
	once     sync.Once
	wg       sync.WaitGroup

	mu   sync.Mutex
	errs []error // by goroutine, in the order in which they were started
}

// NewGroup returns a group without goroutines, and the context for those that it will
// have, which ends when one of them panics. Wait must be called.
func NewGroup(ctx context.Context) (*Group, context.Context) {
	ctx, cancel := context.WithCancel(ctx)
	return &Group{cancel: cancel, patience: patience, panicked: make(chan struct{})}, ctx
}

// Go calls f in a goroutine.
func (g *Group) Go(f func() error) {
	g.mu.Lock()
	i := len(g.errs)
	g.errs = append(g.errs, nil)
	g.mu.Unlock()
	g.wg.Go(func() {
		err := Do(f)
		g.mu.Lock()
		g.errs[i] = err
		g.mu.Unlock()
		if Is(err) {
			g.once.Do(func() { close(g.panicked) })
			g.cancel()
		}
	})
}

// Wait waits for the goroutines and joins their errors. When one of them has panicked it
// does not wait for ever: the others may hang, and the process is about to end.
func (g *Group) Wait() error {
	defer g.cancel()
	ended := make(chan struct{})
	go func() {
		g.wg.Wait()
		close(ended)
	}()
	select {
	case <-ended:
	case <-g.panicked:
		select {
		case <-ended:
		case <-time.After(g.patience):
		}
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	return errors.Join(g.errs...)
}

// Each calls do with each number below n, in their order, some at a time, and joins the errors. An error, or the end of ctx,
// begins no more calls. A panic ends the context of the others.
func Each(ctx context.Context, atATime, n int, do func(ctx context.Context, i int) error) error {
	var next atomic.Int64
	var failed atomic.Bool
	g, ctx := NewGroup(ctx)
	for range min(atATime, n) {
		g.Go(func() error {
			for ctx.Err() == nil && !failed.Load() {
				i := int(next.Add(1)) - 1
				if i >= n {
					break
				}
				if err := do(ctx, i); err != nil {
					failed.Store(true)
					return err
				}
			}
			return nil
		})
	}
	return g.Wait()
}

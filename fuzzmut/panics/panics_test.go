package panics

import (
	"context"
	"errors"
	"io"
	"strings"
	"sync/atomic"
	"testing"
)

func explode() error {
	var list []int
	return errors.New(string(rune(list[len(list)+2])))
}

func TestAPanicIsAnErrorThatSaysWhere(t *testing.T) {
	err := Do(explode)
	var e *Error
	if !errors.As(err, &e) || !strings.Contains(string(e.Stack), "panics.explode") {
		t.Fatalf("got %v", err)
	}
	if got := err.Error(); !strings.HasPrefix(got, "internal error: runtime error: index out of range") {
		t.Errorf("got %q", got)
	}
	// Passed on, it is the same panic.
	if again := Do(func() error { panic(e) }); again != error(e) {
		t.Errorf("got %v", again)
	}
	if err := Do(func() error { return io.EOF }); err != io.EOF || Is(err) {
		t.Errorf("an error becomes %v", err)
	}
}

func TestAGroupJoinsErrorsInOrder(t *testing.T) {
	g, ctx := NewGroup(context.Background())
	second := make(chan struct{})
	g.Go(func() error { <-second; return errors.New("first") })
	g.Go(func() error { defer close(second); return errors.New("second") })
	if err := g.Wait(); err == nil || err.Error() != "first\nsecond" {
		t.Errorf("got %v", err)
	}
	if ctx.Err() == nil {
		t.Error("the context goes on")
	}
}

func TestAPanicEndsTheGroup(t *testing.T) {
	g, ctx := NewGroup(context.Background())
	g.patience = 0
	hangs := make(chan struct{})
	defer close(hangs)
	g.Go(func() error { <-hangs; return nil }) // as if waiting for a lock that nobody releases
	g.Go(func() error { <-ctx.Done(); return io.EOF })
	g.Go(explode)
	if err := g.Wait(); !Is(err) {
		t.Errorf("got %v", err)
	}
}

// Each number has one call, and what fails begins no more of them.
func TestEach(t *testing.T) {
	for _, c := range []struct{ atATime, n, fails, calls int }{
		{1, 4, -1, 4},
		{3, 8, -1, 8},
		{8, 2, -1, 2},
		{2, 0, -1, 0},
		{1, 4, 1, 2},
	} {
		var calls [8]atomic.Int32
		err := Each(t.Context(), c.atATime, c.n, func(_ context.Context, i int) error {
			calls[i].Add(1)
			if i == c.fails {
				return io.EOF
			}
			return nil
		})
		if errors.Is(err, io.EOF) != (c.fails >= 0) {
			t.Errorf("%+v: error %v", c, err)
		}
		for i := range calls {
			if n, want := calls[i].Load(), min(max(c.calls-i, 0), 1); int(n) != want {
				t.Errorf("%+v: %d calls with %d, want %d", c, n, i, want)
			}
		}
	}
}

func TestAPanicInEachIsAnError(t *testing.T) {
	err := Each(t.Context(), 2, 2, func(ctx context.Context, i int) error {
		if i == 0 {
			return explode()
		}
		<-ctx.Done()
		return nil
	})
	if !Is(err) {
		t.Errorf("error %v", err)
	}
}

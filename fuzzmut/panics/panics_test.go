package panics

import (
	"context"
	"errors"
	"io"
	"strings"
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

package unittest

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"
)

// take takes a slot that must be free.
func mustTake(t *testing.T, s *Slots, rank int) (free func()) {
	t.Helper()
	free = s.Take(rank, nil)
	if free == nil {
		t.Fatal("no slot")
	}
	return free
}

// waitFor waits until n want a slot.
func (s *Slots) waitFor(n int) {
	for {
		s.mu.Lock()
		got := len(s.waiting[0])
		s.mu.Unlock()
		if got == n {
			return
		}
		time.Sleep(time.Millisecond)
	}
}

// A slot goes to the lowest rank that waits, among these to the first.
func TestSlotsGoByRank(t *testing.T) {
	s := NewSlots(1)
	free := mustTake(t, s, 9)
	got := make(chan string)
	for i, c := range []struct {
		name string
		rank int
	}{{"c", 2}, {"a", 1}, {"b", 1}} {
		go func() {
			free := s.Take(c.rank, nil)
			got <- c.name
			free()
		}()
		s.waitFor(i + 1)
	}
	free()
	for _, want := range []string{"a", "b", "c"} {
		if name := <-got; name != want {
			t.Errorf("%s has the slot, want %s", name, want)
		}
	}
	mustTake(t, s, 0)
}

func TestWhoQuitsGetsNoSlot(t *testing.T) {
	s := NewSlots(1)
	free := mustTake(t, s, 0)
	quit := make(chan struct{})
	got := make(chan bool)
	go func() { got <- s.Take(1, quit) == nil }()
	s.waitFor(1)
	close(quit)
	if !<-got || len(s.waiting[0]) > 0 {
		t.Error("it still waits")
	}
	free()
	mustTake(t, s, 0)
}

// Of two runs with two slots, each has one; neither waits for the other.
func TestCrewsShareSlots(t *testing.T) {
	s := NewSlots(2)
	ctx := context.Background()
	var at, most atomic.Int32
	crewOf := func(rank int) error {
		free := s.Take(rank, nil)
		defer free()
		l := &launcher{ctx: ctx, o: &Options{Parallel: 2, Slots: s, Rank: rank}}
		next := dealer(20)
		return l.inParallel(l.o.working(), func(stop func() bool) error {
			for {
				if _, ok := next(); !ok || stop() {
					return nil
				}
				n := at.Add(1)
				for m := most.Load(); n > m && !most.CompareAndSwap(m, n); m = most.Load() {
				}
				time.Sleep(time.Millisecond)
				at.Add(-1)
			}
		})
	}
	errs := make(chan error, 3)
	for rank := range 3 {
		go func() { errs <- crewOf(rank) }()
	}
	for range 3 {
		if err := <-errs; err != nil {
			t.Error(err)
		}
	}
	if most.Load() != 2 || s.free != [2]int{2, 2 * waiters} {
		t.Errorf("%d processes at a time; %v are free in the end", most.Load(), s.free)
	}
}

// An error of one ends the others, those that wait for a slot too.
func TestACrewEndsWithAnError(t *testing.T) {
	s := NewSlots(1)
	mustTake(t, s, 0)
	l := &launcher{ctx: context.Background(), o: &Options{Parallel: 3, Slots: s}}
	no := errors.New("no")
	if err := l.inParallel(l.o.working(), func(func() bool) error { return no }); !errors.Is(err, no) {
		t.Errorf("%v", err)
	}
}

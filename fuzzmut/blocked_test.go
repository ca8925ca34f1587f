package fuzzmut

import (
	"math/rand/v2"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
)

// pair locks two locks in two orders.
type pair struct{ a, b sync.Mutex }

func newPair() *pair { return &pair{} }

func (p *pair) Forth() { lockBoth(&p.a, &p.b) }
func (p *pair) Back()  { lockBoth(&p.b, &p.a) }

func lockBoth(first, second *sync.Mutex) {
	first.Lock()
	defer first.Unlock()
	runtime.Gosched()
	second.Lock()
	defer second.Unlock()
}

func TestCallsThatBlockEachOtherFail(t *testing.T) {
	defer func(before time.Duration) { mostWait = before }(mostWait)
	mostWait = 200 * time.Millisecond
	r := Machine[*pair]{New: newPair, Goroutines: 2}.runner(t, "")
	defer r.manyProcessors()()
	rnd := rand.New(rand.NewPCG(1, 0))
	for range 200 {
		a, _ := r.attempt(t, r.calls.Type.DrawVaried(rnd, 20), batch)
		if !a.Failed() {
			continue
		}
		if text := a.notes().log.String(); !strings.HasPrefix(text, "calls have not returned for 200ms: ") || !strings.Contains(text, " in goroutine 1, ") {
			t.Error(text)
		}
		if text := a.shown(); !strings.Contains(text, "s.Forth() // has not returned") || !strings.Contains(text, "s.Back() // has not returned") {
			t.Error(text)
		}
		return
	}
	t.Error("no calls block each other")
}

// gate has a method that returns once it is open, which nothing does.
type gate struct{ open chan bool }

func newGate() *gate { return &gate{make(chan bool)} }

func (g *gate) Wait(n int) int { <-g.open; return n }
func (g *gate) Len() int       { return len(g.open) }

func TestAnOperationThatBlocksFails(t *testing.T) {
	defer func(before time.Duration) { mostWait = before }(mostWait)
	mostWait = 100 * time.Millisecond
	r := Machine[*gate]{New: newGate}.runner(t, "")
	p := r.property(t)
	c := p.course()
	for range 2 { // as one of a check, and by itself
		for c.a == nil && c.wrong == nil {
			c.stretch()
		}
		a := c.a
		if !a.Failed() || a.site() != blockedSite || !strings.HasPrefix(a.notes().log.String(), "Wait has not returned for 100ms. ") || !strings.Contains(a.shown(), ".Wait(") {
			t.Errorf("%v at %q: %s\n%s", a.Failed(), a.site(), a.notes().log.String(), a.shown())
		}
		c.a, _ = p.try(c.x, 1)
	}
}

// An operation that takes long is not one that blocks, as long as others end.
func TestOperationsThatEndDoNotBlock(t *testing.T) {
	defer func(before time.Duration) { mostWait = before }(mostWait)
	mostWait = 400 * time.Millisecond // on a busy machine a goroutine may wait long for a processor
	r := Machine[*sleeper]{New: func() *sleeper { return new(sleeper) }, N: 1 << 20, Size: 4}.runner(t, "")
	p := r.property(t)
	p.time = 5 * mostWait / 2
	c := p.course()
	for !c.over && c.a == nil {
		c.stretch()
	}
	if c.a != nil {
		t.Error(c.a.notes().log.String())
	}
	if r.seen == 0 {
		t.Error("nobody has asked what blocks")
	}
}

// sleeper has a method that takes a while.
type sleeper struct{ n int }

func (s *sleeper) Sleep() int { time.Sleep(3 * time.Millisecond); s.n++; return s.n }

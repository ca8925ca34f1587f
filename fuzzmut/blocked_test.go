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
		if text := a.log.String(); !strings.HasPrefix(text, "calls have not returned for 200ms: ") || !strings.Contains(text, " in goroutine 1, ") {
			t.Error(text)
		}
		if text := a.shown(); !strings.Contains(text, "s.Forth() // has not returned") || !strings.Contains(text, "s.Back() // has not returned") {
			t.Error(text)
		}
		return
	}
	t.Error("no calls block each other")
}

package unittest

import (
	"errors"
	"testing"
	"time"

	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/worker"
	"github.com/fuzzmut/fuzzmut/instrument/rt/oracle"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// deathWith is the death of a process that was running tests with a mutant.
func deathWith(mutant uint32) *worker.Death {
	d := &worker.Death{Cause: "exit status 3"}
	d.State.Mutant, d.State.Heartbeat = mutant, 5
	return d
}

func TestKindsOfDeaths(t *testing.T) {
	outOfFuel := deathWith(1)
	outOfFuel.State.Doom = 1
	early := deathWith(1)
	early.State.Heartbeat = 0
	for _, c := range []struct {
		name   string
		d      *worker.Death
		cause  string
		kind   oracle.Kind
		detail string
	}{
		{"by itself", deathWith(1), "exit status 3", oracle.Exit, "exit status 3"},
		{"a panic", deathWith(1), "panic: boom", oracle.Panic, "panic: boom"},
		{"a deadlock", deathWith(1), "fatal error: all goroutines are asleep - deadlock!", oracle.Timeout, "fatal error: all goroutines are asleep - deadlock!"},
		{"fuel", outOfFuel, "exit status 2", oracle.Fuel, "does not end: out of fuel"},
		{"fuel of the start", early, "panic: " + wire.StartOutOfFuel, oracle.Fuel, "before the first test: does not end: out of fuel"},
		{"the start", early, "exit status 3", oracle.Exit, "before the first test: exit status 3"},
	} {
		c.d.Cause = c.cause
		if kind, detail := killOf(c.d); kind != c.kind || detail != c.detail {
			t.Errorf("%s: %v: %s, want %v: %s", c.name, kind, detail, c.kind, c.detail)
		}
	}
	for kind, d := range map[oracle.Kind]*worker.Death{oracle.Memory: {Memory: true}, oracle.Timeout: {TimedOut: true}} {
		if got, _ := killOf(d); got != kind {
			t.Errorf("%v, want %v", got, kind)
		}
	}
}

func TestOurOwnFaultsAreNoDeaths(t *testing.T) {
	if d, err := deathOf(deathWith(1)); d == nil || err != nil {
		t.Errorf("%v, %v", d, err)
	}
	for _, fault := range []error{errors.New("no pipe"), &worker.Death{Internal: true}} {
		if d, err := deathOf(fault); d != nil || !errors.Is(err, fault) {
			t.Errorf("%v, %v", d, err)
		}
	}
}

// A test may take as long as a machine may lose sight of it, and more if it takes long
// without a mutant.
func TestBoundsFollowTheTest(t *testing.T) {
	short, long := &test{Test: Test{Time: time.Millisecond}}, &test{Test: Test{Time: time.Minute}}
	if b := short.sharedBounds(); b != (wire.Bounds{Limit: sharedLeast, Idle: sharedIdle, CPU: sharedCPU}) {
		t.Errorf("shared: %+v", b)
	}
	if b := long.sharedBounds(); b != (wire.Bounds{Limit: sharedFactor * time.Minute, Idle: sharedFactor * time.Minute, CPU: sharedFactor * time.Minute}) {
		t.Errorf("shared: %+v", b)
	}
	l := &launcher{o: &Options{}}
	if b := l.aloneBounds(short); b != (wire.Bounds{Limit: worker.DefaultTimeout, Idle: aloneIdle, CPU: aloneCPU}) {
		t.Errorf("alone: %+v", b)
	}
	busy := &test{Test: Test{Time: time.Second}, busy: 2 * time.Second}
	if b := l.aloneBounds(busy); b.CPU != 2*aloneWork*time.Second {
		t.Errorf("alone, on two processors: %+v", b)
	}
	l.o.Timeout = time.Second
	if b := l.aloneBounds(long); b != (wire.Bounds{Limit: time.Second, Idle: aloneFactor * time.Minute}) {
		t.Errorf("alone, with a timeout of its own: %+v", b)
	}
}

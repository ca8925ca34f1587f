package evaluate

import (
	"maps"
	"testing"

	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/worker"
	"github.com/fuzzmut/fuzzmut/instrument/rt/observe"
	"github.com/fuzzmut/fuzzmut/instrument/rt/oracle"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

func TestWhatDiffersBetweenProcessesIsNoise(t *testing.T) {
	at := func(site uint32, value int, hash uint64) wire.Seen {
		return wire.Seen{Site: site, Value: value, Hash: hash}
	}
	first := []wire.Seen{at(1, 0, 10), at(1, 1, 11), at(2, 0, 12)}
	for name, c := range map[string]struct {
		second []wire.Seen
		want   map[wire.Value]bool
	}{
		"nothing":     {first, map[wire.Value]bool{}},
		"a value":     {[]wire.Seen{at(1, 0, 10), at(1, 1, 99), at(2, 0, 12)}, map[wire.Value]bool{{Site: 1, Value: 1}: true}},
		"a lost site": {first[:2], map[wire.Value]bool{{Site: 2, Value: observe.WholeSite}: true}},
		"another site": {
			[]wire.Seen{at(1, 0, 10), at(1, 1, 11), at(3, 0, 12)},
			map[wire.Value]bool{{Site: 2, Value: observe.WholeSite}: true, {Site: 3, Value: observe.WholeSite}: true},
		},
	} {
		for range 2 {
			got := make(map[wire.Value]bool)
			compareRecordings(&wire.Recording{Events: first}, &wire.Recording{Events: c.second}, got)
			if !maps.Equal(got, c.want) {
				t.Errorf("%s: %v, want %v", name, got, c.want)
			}
			first, c.second = c.second, first
		}
	}
}

func TestKindOfADeathBeforeTheFirstInput(t *testing.T) {
	for want, d := range map[oracle.Kind]*worker.Death{
		oracle.Panic:     {Cause: "panic: boom", Output: "panic: boom\n"},
		oracle.Fuel:      {Cause: "panic: " + wire.StartOutOfFuel, Output: "panic: " + wire.StartOutOfFuel},
		oracle.Assertion: {Cause: "exit status 1", Output: "--- FAIL: FuzzX (0.00s)\n"},
		oracle.Exit:      {Cause: "exit status 3"},
	} {
		if got := startKind(d); got != want {
			t.Errorf("%s: got %s, want %s", d.Cause, got, want)
		}
	}
	if got := startKind(&worker.Death{Cause: "not finished within 10s", TimedOut: true}); got != oracle.Fuel {
		t.Errorf("a start that blocks: %s", got)
	}
}

package engine

import (
	"reflect"
	"slices"
	"testing"

	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

func newTestSlot(e *Engine) *slot { return &slot{c: &campaign{e: e, sched: newScheduler(e)}} }

func inputs(e *Engine) []string {
	var list []string
	for _, en := range e.entries {
		list = append(list, string(en.Input))
	}
	return list
}

// A find that is being made smaller counts once: as what it became, or, if the
// worker dies over it, as it was.
func TestEarlyFindsCountOnce(t *testing.T) {
	e := newTestEngine(1)
	s := newTestSlot(e)
	kill := []wire.Kill{{Mutant: 1, Kind: "panic"}}
	s.found(&wire.Found{Early: true, Input: []byte("long"), Features: wire.Features{9}, Kills: kill})
	if len(e.entries) != 0 || e.Dead(1) {
		t.Fatal("an early find has been taken in")
	}
	s.found(&wire.Found{Input: []byte("l"), Features: wire.Features{8, 9}, Kills: kill, Infects: []uint32{3}})
	s.last()
	if got := inputs(e); !slices.Equal(got, []string{"l"}) || e.entries[0].Kills != 1 || e.entries[0].nearest != 1 {
		t.Errorf("the corpus is %q", got)
	}
	s.found(&wire.Found{Early: true, Input: []byte("other"), Features: wire.Features{10}})
	s.last()
	if got := inputs(e); !slices.Equal(got, []string{"l", "other"}) || !e.has(10) {
		t.Errorf("after the death of the worker the corpus is %q", got)
	}
}

// A process is told everything, and a running one only what is new.
func TestWorkersAreToldWhatTheyDoNotKnow(t *testing.T) {
	e := newTestEngine(1)
	s := newTestSlot(e)
	e.add([]byte("a"), wire.Features{1, 2}, 1, true)
	e.add([]byte("b"), nil, 0, false) // killed a process
	e.kill(3)
	var first, second, fresh wire.Fuzz
	s.tell(&first)
	want := wire.Fuzz{
		Add:  []wire.Entry{{ID: 0, Input: []byte("a")}, {ID: 1, Input: []byte("b"), Run: true}},
		Seen: wire.Features{1, 2}, Dead: []uint32{3}, Study: []int{0, 1},
	}
	if !reflect.DeepEqual(first, want) {
		t.Errorf("told %+v, want %+v", first, want)
	}
	e.add([]byte("c"), wire.Features{2, 3}, 1, false)
	e.drop([]byte("a"))
	s.tell(&second)
	want = wire.Fuzz{Add: []wire.Entry{{ID: 2, Input: []byte("c")}}, Seen: wire.Features{3}, Study: []int{2}}
	if !reflect.DeepEqual(second, want) {
		t.Errorf("told %+v, want %+v", second, want)
	}
	newTestSlot(e).tell(&fresh)
	if len(fresh.Add) != 2 || !slices.Equal(fresh.Seen, wire.Features{1, 2, 3}) {
		t.Errorf("a new process is told %+v", fresh)
	}
}

package engine

import (
	"reflect"
	"slices"
	"testing"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/worker"
	"github.com/fuzzmut/fuzzmut/instrument/rt/oracle"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

func newTestSlot(e *Engine) *slot {
	return &slot{e: e, rounds: &rounds{e: e, schedule: e.Pool.NewSchedule(1)}}
}

// newFound is what a worker says of an input.
func newFound(input string, f wire.Found) *worker.Found {
	return &worker.Found{Input: corpus.Of(input), Found: f}
}

func inputs(e *Engine) []string {
	var list []string
	for _, en := range e.Pool.Entries() {
		list = append(list, en.Input.Values()[0].(string))
	}
	return list
}

// A find that is being minimized counts once: as what it became, or, if the
// worker dies over it, as it was.
func TestEarlyFindsCountOnce(t *testing.T) {
	e := newTestEngine(Config{})
	s := newTestSlot(e)
	kill := []wire.Kill{{Mutant: 1, Kind: oracle.Panic}}
	s.found(newFound("long", wire.Found{Early: true, Features: wire.Features{9}, Kills: kill}))
	if len(inputs(e)) != 0 || e.Kills.Dead(1) {
		t.Fatal("an early find has been taken in")
	}
	s.found(newFound("l", wire.Found{Features: wire.Features{8, 9}, Kills: kill, Infects: wire.IDs{3}}))
	s.last()
	if got := inputs(e); !slices.Equal(got, []string{"l"}) || e.Pool.Entries()[0].Kills != 1 {
		t.Errorf("the corpus is %q", got)
	}
	s.found(newFound("other", wire.Found{Early: true, Features: wire.Features{10}}))
	s.last()
	if got := inputs(e); !slices.Equal(got, []string{"l", "other"}) {
		t.Errorf("after the death of the worker the corpus is %q", got)
	}
	if !slices.Equal(s.finds, []int{0, 1}) {
		t.Errorf("to be studied: %v", s.finds)
	}
}

// A kill that is known only later is credited to the entry, and no new one is made.
func TestUpdatesAreNoNewEntries(t *testing.T) {
	e := newTestEngine(Config{})
	s := newTestSlot(e)
	s.found(newFound("a", wire.Found{Features: wire.Features{8}}))
	s.found(newFound("a", wire.Found{Update: true, Kills: []wire.Kill{{Mutant: 3}}}))
	if list := e.Pool.Entries(); len(list) != 1 || list[0].Kills != 1 || !e.Kills.Dead(3) {
		t.Errorf("%+v", list)
	}
}

// A new process gets everything, and a running one only what is new.
func TestWorkersAreToldWhatTheyDoNotKnow(t *testing.T) {
	e := newTestEngine(Config{})
	s := newTestSlot(e)
	s.found(newFound("a", wire.Found{Features: wire.Features{1, 2}}))
	s.killed(corpus.Of("b"), dead(3))
	var first, second wire.Fuzz
	s.tell(&first)
	want := wire.Fuzz{
		Add:  []wire.Entry{{ID: 0, Input: corpus.Of("a").Wire()}, {ID: 1, Input: corpus.Of("b").Wire(), Run: true}},
		Seen: wire.Features{1, 2}, Dead: wire.IDs{3}, Study: []int{0, 1},
	}
	if !reflect.DeepEqual(first, want) {
		t.Errorf("told %+v, want %+v", first, want)
	}
	e.kill(dead(1)...)
	s.tell(&second)
	if want := (wire.Fuzz{Dead: wire.IDs{1}}); !reflect.DeepEqual(second, want) {
		t.Errorf("told %+v, want %+v", second, want)
	}
	if !slices.Equal(s.studies, []int{0, 1}) {
		t.Errorf("studies %v", s.studies)
	}
}

func TestWithoutStudyNothingIsGivenOut(t *testing.T) {
	e := newTestEngine(Config{NoStudy: true})
	s := newTestSlot(e)
	s.found(newFound("a", wire.Found{Features: wire.Features{1}}))
	var req wire.Fuzz
	if s.tell(&req); len(req.Study) > 0 {
		t.Errorf("given out: %v", req.Study)
	}
}

func TestAFinishedRoundEndsStudies(t *testing.T) {
	s := newTestSlot(newTestEngine(Config{}))
	s.studies, s.barren = []int{4, 5, 6}, 3
	if err := s.finished(t.Context(), &worker.Fuzzed{Fuzzed: wire.Fuzzed{Studied: []int{5, 9}}}); err != nil || !slices.Equal(s.studies, []int{4, 6}) || s.barren != 0 {
		t.Errorf("studies %v, barren %d, %v", s.studies, s.barren, err)
	}
	if err := s.finished(t.Context(), &worker.Fuzzed{Fuzzed: wire.Fuzzed{Error: "no value"}}); err == nil || err.Error() != "no value" {
		t.Errorf("the error is %v", err)
	}
}

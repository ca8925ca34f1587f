package evaluate

import (
	"maps"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fuzzmut/fuzzmut/instrument/rt/oracle"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// What there was no time for has the verdict of an earlier run, unless what kills it is gone.
func TestVerdictsOfAnEarlierRunCountWhereThereIsNoTime(t *testing.T) {
	s := newStarting()
	s.Left = map[uint32]string{1: NoTime, 2: NoTime, 3: NoTime, 4: NoTime, 5: NoBudget, 6: NoTime}
	s.Kills = []Kill{{wire.Kill{Mutant: 7, Kind: oracle.Exit}, NoInput}}
	panics := wire.Kill{Kind: oracle.Panic, Detail: "boom"}
	s.Reuse(map[uint32]StartVerdict{
		1: {}, 2: {Killed: true, Kill: panics}, 3: {Killed: true, Kill: panics, By: "here"}, 4: {Killed: true, Kill: panics, By: "gone"},
		5: {}, 7: {}, // of this run
	}, func(name string) int { return map[string]int{"here": 8, "gone": NoInput}[name] })
	of := func(m uint32) wire.Kill { k := panics; k.Mutant = m; return k }
	want := []Kill{{of(2), NoInput}, {of(3), 8}, {wire.Kill{Mutant: 7, Kind: oracle.Exit}, NoInput}}
	if diff := cmp.Diff(want, s.Kills); diff != "" {
		t.Errorf("kills (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(map[uint32]string{4: NoTime, 5: NoBudget, 6: NoTime}, s.Left); diff != "" {
		t.Errorf("left (-want +got):\n%s", diff)
	}
	if all := map[uint32]bool{1: true, 2: true, 3: true}; !maps.Equal(s.Judged, all) || !maps.Equal(s.Reused, all) {
		t.Errorf("judged %v, by an earlier run %v", s.Judged, s.Reused)
	}
}

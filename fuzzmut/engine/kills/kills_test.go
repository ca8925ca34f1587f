package kills

import (
	"slices"
	"testing"

	"github.com/fuzzmut/fuzzmut/instrument/rt/oracle"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// of lists kills of mutants.
func of(mutants ...uint32) (list []Kill) {
	for i, m := range mutants {
		list = append(list, Kill{Kill: wire.Kill{Mutant: m, Kind: oracle.Panic, Item: i}})
	}
	return list
}

func TestTheFirstKillIsKept(t *testing.T) {
	s := New(4)
	s.Kill(of(3, 1, 3)...)
	s.Kill(of(1)...)
	if k, ok := s.First(1); !ok || k.Item != 1 || k.Kind != oracle.Panic {
		t.Errorf("%+v, %v", k, ok)
	}
	if k, ok := s.First(2); ok {
		t.Errorf("%+v", k)
	}
}

func TestDearKillsAreSureUnlessTheClockHasSeenThem(t *testing.T) {
	for _, c := range []struct {
		kind    oracle.Kind
		blocked bool
		want    bool
	}{{oracle.Fuel, false, true}, {oracle.Exit, false, true}, {oracle.Fuel, true, false}, {oracle.Difference, false, false}} {
		k := Kill{Kill: wire.Kill{Kind: c.kind}, Blocked: c.blocked}
		if k.Sure() != c.want {
			t.Errorf("%v, blocked %v: sure %v", c.kind, c.blocked, k.Sure())
		}
	}
}

func TestAMutantDiesOnce(t *testing.T) {
	s := New(4)
	if fresh := s.Kill(of(3, 1, 3)...); !slices.Equal(fresh, []uint32{3, 1}) {
		t.Errorf("new are %v", fresh)
	}
	if fresh := s.Kill(of(1, 2)...); !slices.Equal(fresh, []uint32{2}) {
		t.Errorf("new are %v", fresh)
	}
	if killed, reached := s.Size(); killed != 3 || reached != 3 {
		t.Errorf("%d killed, %d reached: what is killed is reached", killed, reached)
	}
	if !s.Dead(2) || s.Dead(4) {
		t.Error("Dead")
	}
}

// Workers get each death once, in the order in which mutants died.
func TestDeathsSince(t *testing.T) {
	s := New(4)
	s.Kill(of(4)...)
	first, n := s.Since(0)
	s.Kill(of(2, 1)...)
	second, m := s.Since(n)
	if !slices.Equal(first, []uint32{4}) || !slices.Equal(second, []uint32{2, 1}) || m != 3 {
		t.Errorf("%v, then %v, %d in all", first, second, m)
	}
	if third, _ := s.Since(m); len(third) > 0 {
		t.Errorf("then %v", third)
	}
}

func TestDoneIsAsOfNow(t *testing.T) {
	s := New(4)
	s.Kill(of(1)...)
	s.Damage(2)
	done := s.Done()
	s.Kill(of(3)...)
	s.Damage(4)
	for m, want := range []bool{false, true, true, false, false} {
		if done(uint32(m)) != want {
			t.Errorf("mutant %d is done: %v, want %v", m, !want, want)
		}
	}
	if s.Dead(2) {
		t.Error("a mutant that damages its process is taken for dead")
	}
}

func TestCountsAddUp(t *testing.T) {
	s := New(3)
	s.Tally(&wire.Stats{Reached: wire.Tally{{1, 5}, {3, 0}}, Infected: wire.Tally{{1, 2}}, Executed: wire.Tally{{1, 1}}})
	c := NewCounts(3)
	c.Run(2)
	c.Run(1)
	s.Count(&c)
	got := s.Counts()
	if !slices.Equal(got.Reached, []int64{0, 6, 1, 0}) || !slices.Equal(got.Infected, []int64{0, 3, 1, 0}) || !slices.Equal(got.Executed, []int64{0, 2, 1, 0}) {
		t.Errorf("counts %+v", got)
	}
	// A worker lists what it reached, whatever the count.
	if _, reached := s.Size(); reached != 3 {
		t.Errorf("%d reached", reached)
	}
	got.Reached[1] = 99
	if s.Counts().Reached[1] != 6 {
		t.Error("Counts returns no copy")
	}
}

package matrix

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fuzzmut/fuzzmut/corpus/bitset"
	"github.com/fuzzmut/fuzzmut/instrument/rt/oracle"
)

func TestRowsComeBack(t *testing.T) {
	m := New(200, 30)
	kills := []Kill{{3, oracle.Difference}, {199, oracle.Panic}, {0, oracle.Assertion}, {3, oracle.Fuel}, {7, oracle.Difference}, {3, oracle.Difference}}
	hits := []Hit{{29, 0x81}, {0, 1}, {4, 0}, {0, 4}}
	i := m.Add(Entry{Name: "a", Size: 5, Fuel: 6, Fixed: true}, kills, hits)
	j := m.Add(Entry{Name: "b"}, nil, nil)
	if i != 0 || j != 1 || m.Len() != 2 || m.Entry(0) != (Entry{Name: "a", Size: 5, Fuel: 6, Fixed: true}) {
		t.Errorf("indices %d, %d, entry %+v", i, j, m.Entry(0))
	}
	var gotKills []Kill
	for mutant, kind := range m.Kills(0) {
		gotKills = append(gotKills, Kill{mutant, kind})
	}
	if diff := cmp.Diff([]Kill{{0, oracle.Assertion}, {199, oracle.Panic}, {3, oracle.Fuel}, {7, oracle.Difference}}, gotKills); diff != "" {
		t.Errorf("kills (-want +got):\n%s", diff)
	}
	var gotHits []Hit
	for block, bucket := range m.Hits(0) {
		gotHits = append(gotHits, Hit{block, bucket})
	}
	if diff := cmp.Diff([]Hit{{0, 5}, {29, 0x81}}, gotHits); diff != "" {
		t.Errorf("hits (-want +got):\n%s", diff)
	}
	if kind, ok := m.Kind(0, 3); kind != oracle.Fuel || !ok {
		t.Errorf("Kind(0, 3) = %v, %v", kind, ok)
	}
	if _, ok := m.Kind(1, 3); ok {
		t.Error("an entry without kills kills")
	}
	for range m.Hits(1) {
		t.Error("an entry without hits hits")
	}
}

func TestIterationMayStop(t *testing.T) {
	m := New(1000, 100)
	m.Add(Entry{}, manyKills(1000), manyHits(100))
	for range m.Kills(0) {
		break
	}
	for range m.Hits(0) {
		break
	}
}

func manyKills(n int) []Kill {
	kills := make([]Kill, n)
	for i := range kills {
		kills[i].Mutant, kills[i].Kind = i, oracle.Panic
	}
	return kills
}

func manyHits(n int) []Hit {
	hits := make([]Hit, n)
	for i := range hits {
		hits[i] = Hit{i, 0xff}
	}
	return hits
}

func TestTotalCountsOnce(t *testing.T) {
	m := New(10, 10)
	m.Add(Entry{}, []Kill{{1, oracle.Panic}, {2, oracle.Assertion}}, []Hit{{0, 3}})
	m.Add(Entry{}, []Kill{{1, oracle.Assertion}, {3, oracle.Fuel}}, []Hit{{0, 6}, {9, 1}})
	if diff := cmp.Diff(Totals{Killed: 3, Assertions: 2, Blocks: 2, Features: 4}, m.Total([]int{0, 1, 0})); diff != "" {
		t.Error(diff)
	}
	if got := m.Total(nil); got != (Totals{}) {
		t.Errorf("total of nothing: %+v", got)
	}
	if diff := cmp.Diff([]int{-1, 1, 0, 1, -1, -1, -1, -1, -1, -1}, m.FirstKills([]int{1, 0})); diff != "" {
		t.Error(diff)
	}
}

func TestAddPanicsOutOfRange(t *testing.T) {
	for _, add := range []func(*Matrix){
		func(m *Matrix) { m.Add(Entry{}, []Kill{{5, oracle.Panic}}, nil) },
		func(m *Matrix) { m.Add(Entry{}, []Kill{{-1, oracle.Panic}}, nil) },
		func(m *Matrix) { m.Add(Entry{}, []Kill{{0, 0}}, nil) },
		func(m *Matrix) { m.Add(Entry{}, []Kill{{0, kinds}}, nil) },
		func(m *Matrix) { m.Add(Entry{}, nil, []Hit{{7, 1}}) },
		func(m *Matrix) { m.Add(Entry{}, nil, []Hit{{-1, 1}}) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Error("no panic")
				}
			}()
			add(New(5, 7))
		}()
	}
}

// TestSetForms holds both forms of a set against a map.
func TestSetForms(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	forms := 0
	for range 300 {
		universe := 1 + rng.IntN(300)
		want := make(map[uint32]bool)
		var elems []uint32
		for range rng.IntN(universe * 2) {
			e := uint32(rng.IntN(universe))
			want[e] = true
			elems = append(elems, e)
		}
		s := newSet(elems, universe)
		if s.bits != nil {
			forms |= 1
		} else if len(s.list) > 0 {
			forms |= 2
		}
		other := bitset.New(universe)
		missing := 0
		for e := range uint32(universe) {
			if s.has(e) != want[e] {
				t.Fatalf("has(%d) = %v", e, s.has(e))
			}
			if rng.IntN(2) == 0 {
				other.Add(int(e))
			} else if want[e] {
				missing++
			}
		}
		got := slices.Collect(s.all())
		if len(got) != len(want) || !slices.IsSorted(got) {
			t.Fatalf("all() = %v, want %v", got, want)
		}
		if n := s.countNotIn(other); n != missing {
			t.Fatalf("countNotIn = %d, want %d", n, missing)
		}
		before := other.Len()
		if s.addTo(&other); other.Len() != before+missing {
			t.Fatalf("addTo adds %d, want %d", other.Len()-before, missing)
		}
	}
	if forms != 3 {
		t.Error("one form was never used")
	}
}

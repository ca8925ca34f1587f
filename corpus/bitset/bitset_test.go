package bitset_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/fuzzmut/fuzzmut/corpus/bitset"
)

func TestSets(t *testing.T) {
	v, u := bitset.Of(3, 64, 200), bitset.Of[uint32](3, 65)
	if got := v.Members(); !slices.Equal(got, []int{3, 64, 200}) || v.Len() != 3 {
		t.Errorf("members %v", got)
	}
	both := slices.Clone(u)
	both.AddAll(v)
	for name, tt := range map[string]struct {
		got  bitset.Set
		want []int
	}{
		"or":      {v.Or(u), []int{3, 64, 65, 200}},
		"and":     {v.And(u), []int{3}},
		"xor":     {u.Xor(v), []int{64, 65, 200}},
		"add all": {both, []int{3, 64, 65, 200}},
	} {
		if !slices.Equal(tt.got.Members(), tt.want) {
			t.Errorf("%s: %v, want %v", name, tt.got.Members(), tt.want)
		}
	}
	if v.Shared(u) != 1 || v.Equal(u) || v.Key() == u.Key() {
		t.Errorf("%v and %v are taken for more alike than they are", v, u)
	}
}

func TestLengthDoesNotMatter(t *testing.T) {
	short, long := bitset.Of(3, 65), bitset.New(1000)
	long.Add(3)
	long.Add(65)
	if !long.Equal(short) || !short.Equal(long) || long.Key() != short.Key() || long.Has(999) || short.Has(999) {
		t.Errorf("%v and %v have the same members", long, short)
	}
	if len(long) != 16 || len(bitset.New(64)) != 1 || len(bitset.New(65)) != 2 || len(bitset.New(0)) != 0 {
		t.Errorf("room for 1000 numbers takes %d words", len(long))
	}
	if long.Word(15) != 0 || long.Word(16) != 0 || short.Word(1) != 2 {
		t.Errorf("words %x %x", long.Word(16), short.Word(1))
	}
}

func TestBytes(t *testing.T) {
	s := bitset.FromBytes([]byte{0x81, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0x80, 0xff})
	if want := []int{0, 7, 65, 127}; !slices.Equal(s.Members(), want) {
		t.Errorf("members %v, want %v", s.Members(), want)
	}
}

// TestSetsAreLikeMaps compares with sets that are obvious.
func TestSetsAreLikeMaps(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 100 {
		var s bitset.Set
		want := make(map[int]bool)
		for range r.IntN(200) {
			i := r.IntN(300)
			s.Add(i)
			want[i] = true
		}
		for i := range 400 {
			if s.Has(i) != want[i] {
				t.Fatalf("has %d: %v", i, s.Has(i))
			}
		}
		if s.Len() != len(want) || !slices.IsSorted(s.Members()) || !bitset.Of(s.Members()...).Equal(s) {
			t.Fatalf("%d members of %v, want %d", s.Len(), s, len(want))
		}
	}
}

//go:build unix

package witness

import (
	"context"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/fake"
)

// Whatever inputs kill: all mutants have a witness, each one, that kills it, and no witness
// can be left out.
func TestChooseProperties(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	for range 500 {
		n, mutants := random.IntN(9), 1+random.IntN(9)
		inputs, kills := make([]*corpus.Input, n), make([][]uint32, n)
		all := make(map[uint32]bool)
		for i := range inputs {
			inputs[i] = fake.Input(strconv.Itoa(i))
			for m := range uint32(mutants) {
				if random.IntN(3) == 0 {
					kills[i] = append(kills[i], m+1)
					all[m+1] = true
				}
			}
		}
		chosen := Choose(inputs, kills, nil)
		has := make(map[uint32]int)
		for _, w := range chosen {
			for _, m := range w.Mutants {
				if has[m]++; !slices.Contains(kills[w.At], m) {
					t.Fatalf("%v: input %d does not kill %d", kills, w.At, m)
				}
			}
		}
		for m := range all {
			if has[m] != 1 {
				t.Fatalf("%v: mutant %d has %d witnesses", kills, m, has[m])
			}
		}
		for i := range chosen {
			left := make(map[uint32]bool)
			for k, w := range chosen {
				if k != i {
					for _, m := range kills[w.At] {
						left[m] = true
					}
				}
			}
			if len(left) == len(all) {
				t.Fatalf("%v: input %d is not needed", kills, chosen[i].At)
			}
		}
		if again := Choose(inputs, kills, nil); !slices.EqualFunc(chosen, again, func(a, b Witness) bool {
			return a.Input == b.Input && slices.Equal(a.Mutants, b.Mutants)
		}) {
			t.Fatalf("%v: chosen %v, again %v", kills, chosen, again)
		}
	}
}

// An interrupt leaves inputs as they are, and is no error.
func TestShrinkIsStopped(t *testing.T) {
	x := begun(t, "k1")
	was := fake.Input("f8 k1 f9")
	list := []Witness{{Input: was, Mutants: []uint32{1}}}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := Shrink(ctx, x, list, 0, time.Minute); err != nil || list[0].Input != was {
		t.Errorf("%q, %v", fake.Words(list[0].Input), err)
	}
}

// An input that fails, or that does not kill all that it has to, is no smaller witness.
func TestWitnessesKeepTheirMutants(t *testing.T) {
	x := begun(t, "k1")
	for _, c := range []struct {
		input   string
		mutants []uint32
		want    bool
	}{
		{"k1 d2", []uint32{1, 2}, true},
		{"k1", []uint32{1, 2}, false},
		{"k1 n2", []uint32{1, 2}, false}, // no caller sees it
		{"k1 i2", []uint32{1, 2}, false},
		{"fail k1 d2", []uint32{1, 2}, false},
		{"k1 d2 k3", []uint32{1, 2}, true},
	} {
		s := &shrinker{trial: x, all: []uint32{1, 2, 3}}
		got, _, err := s.kills(t.Context(), fake.Input(c.input), c.mutants)
		s.close()
		if got != c.want || err != nil {
			t.Errorf("%q kills %v: %v, %v", c.input, c.mutants, got, err)
		}
	}
}

package engine

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

func newTestEngine(seed uint64) *Engine {
	return New(Config{Seed: seed, Program: &instrument.Program{
		Blocks:  make([]instrument.Block, 64),
		Mutants: []instrument.Mutant{{Index: 1}, {Index: 2, Status: instrument.StatusStatic, FuncIndex: -1}},
		Funcs:   make([]instrument.Func, 1),
	}})
}

func TestBucketKeepsTheSmallestWhateverTheOrder(t *testing.T) {
	var inputs [][]byte
	for i := range 40 {
		inputs = append(inputs, []byte(fmt.Sprintf("%0*d", 1+i%20, i)))
	}
	var want [][]byte
	for seed := range uint64(20) {
		rand.New(rand.NewPCG(seed, 0)).Shuffle(len(inputs), func(i, j int) { inputs[i], inputs[j] = inputs[j], inputs[i] })
		var b Bucket
		for _, in := range inputs {
			b.keep(in)
			if b.keep(in) {
				t.Fatalf("%q is kept twice", in)
			}
		}
		if len(b.Inputs) != inputsPerBucket {
			t.Fatalf("%d inputs kept", len(b.Inputs))
		}
		if want == nil {
			want = slices.Clone(b.Inputs)
		}
		if !reflect.DeepEqual(b.Inputs, want) {
			t.Fatalf("kept %q, in another order %q", b.Inputs, want)
		}
	}
}

func TestRoundsAreAFunctionOfTheSeed(t *testing.T) {
	plan := func(seed uint64) []*wire.Fuzz {
		e := newTestEngine(seed)
		s := newScheduler(e)
		var rounds []*wire.Fuzz
		for i := range 30 {
			e.add([]byte{byte(i)}, []uint32{uint32(i % 7), uint32(i)}, int64(i*100), false)
			rounds = append(rounds, s.round())
		}
		return rounds
	}
	if !reflect.DeepEqual(plan(1), plan(1)) {
		t.Error("one seed, two plans")
	}
	if reflect.DeepEqual(plan(1), plan(2)) {
		t.Error("two seeds, one plan")
	}
}

func TestEnergyFollowsYieldAndCost(t *testing.T) {
	e := newTestEngine(1)
	s := newScheduler(e)
	plain := e.add([]byte("plain"), []uint32{1, 2}, 100, false)
	rare := e.add([]byte("rare!"), []uint32{1, 2, 3, 4}, 100, false)
	e.add([]byte("third"), []uint32{1, 2}, 100, false)
	slow := e.add([]byte("slow!"), []uint32{1, 2}, 1_000_000, false)
	near := e.add([]byte("near!"), []uint32{1, 2}, 100, false)
	near.Infects = 3
	s.measure()
	base := s.energy(plain)
	if s.energy(rare) <= base || s.energy(near) <= base || s.energy(slow) >= base {
		t.Errorf("plain %d, rare %d, near a kill %d, slow %d", base, s.energy(rare), s.energy(near), s.energy(slow))
	}
	plain.chosen = 50
	if s.energy(plain) >= base {
		t.Error("an entry that had many rounds does not step back")
	}
}

func TestSlowEntriesGetShortRounds(t *testing.T) {
	e := newTestEngine(1)
	s := newScheduler(e)
	e.add([]byte("slow"), []uint32{1}, 50_000_000, false)
	if n := s.round().Execs; n != roundLeast {
		t.Errorf("a round of %d executions of half a second each", n)
	}
}

func TestAddTakesAnInputOnce(t *testing.T) {
	e := newTestEngine(1)
	if e.add([]byte("a"), []uint32{8, 9, 16}, 1, true) == nil || e.add([]byte("a"), []uint32{24}, 1, false) != nil {
		t.Error("the second add of an input is not refused")
	}
	if st := e.Status(); st.Corpus != 1 || st.Added != 0 || st.Covered != 2 || st.Mutants != 1 {
		t.Errorf("status %+v", st)
	}
	if !e.anyNew([]uint32{8, 10}) || e.anyNew([]uint32{8, 9}) {
		t.Error("anyNew")
	}
}

func TestKillCountsOnce(t *testing.T) {
	e := newTestEngine(1)
	if !e.kill(1) || e.kill(1) || e.Status().Killed != 1 || !e.Dead(1) {
		t.Error("a mutant dies once")
	}
	if e.Status().Reached != 1 {
		t.Error("a status shows more mutants killed than reached")
	}
}

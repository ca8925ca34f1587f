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
		Mutants: []instrument.Mutant{{Index: 1}, {Index: 2, Status: instrument.StatusStatic, FuncIndex: -1}, {Index: 3}},
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

func TestAddTakesAnInputOnce(t *testing.T) {
	e := newTestEngine(1)
	if e.add([]byte("a"), wire.Features{8, 9, 16}, 1, true) == nil || e.add([]byte("a"), wire.Features{24}, 1, false) != nil {
		t.Error("the second add of an input is not refused")
	}
	if st := e.Status(); st.Corpus != 1 || st.Added != 0 || st.Covered != 2 || st.Mutants != 2 {
		t.Errorf("status %+v", st)
	}
	if !e.anyNew(wire.Features{8, 10}) || e.anyNew(wire.Features{8, 9}) {
		t.Error("anyNew")
	}
}

func TestTheStatusCountsTheMutantsAimedAt(t *testing.T) {
	e := newTestEngine(1)
	e.cfg.Aim = func(m uint32) bool { return m == 3 }
	if n := e.Status().Mutants; n != 1 {
		t.Errorf("%d mutants, want 1", n)
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

package mutants_test

import (
	"testing"

	fuzzmutrt "github.com/fuzzmut/fuzzmut/instrument/rt"
	"github.com/fuzzmut/fuzzmut/instrument/rt/loop/exec"
	"github.com/fuzzmut/fuzzmut/instrument/rt/loop/looptest"
	"github.com/fuzzmut/fuzzmut/instrument/rt/oracle"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

var kept []byte

// costly burns a unit for each byte and allocates 100,000; its mutants burn or allocate more.
func costly(slow *[1]bool) func(*testing.T, []byte) {
	return func(_ *testing.T, in []byte) {
		units, bytes := len(in), 100_000
		switch m := fuzzmutrt.Active; {
		case !slow[0]:
		case m == 1:
			units = 2*units + 1001
		case m == 2:
			units = 2*units + 1000
		case m == 3:
			bytes = 4_000_000
		case m == 4:
			bytes = 1_000_000
		case m == 5:
			units = 0
		}
		for range units {
			if fuzzmutrt.Fuel--; fuzzmutrt.Fuel < 0 {
				fuzzmutrt.Out()
			}
		}
		kept = make([]byte, bytes)
	}
}

// A mutant that differs in nothing but what it costs is killed if that is asked for, and if it
// costs much more.
func TestMutantsThatOnlyCostMore(t *testing.T) {
	const count = 5
	for _, asked := range []bool{false, true} {
		var slow [1]bool
		init := &wire.Init{MutantFunc: make([]int32, count), CostKills: asked}
		m := looptest.New(t, init, costly(&slow), make([]uint8, 1), slow[:]).Muts
		vals := []any{make([]byte, 50)}
		ref := m.Reference(vals, exec.HangFuel, false)
		kills := make(map[uint32]string)
		v := m.RunAll(vals, []uint32{1, 2, 3, 4, 5}, ref, true, func(k wire.Kill) {
			if k.Kind != oracle.Cost {
				t.Errorf("mutant %d: %s", k.Mutant, k.Kind)
			}
			kills[k.Mutant] = k.Detail
		})
		if v.Damaged {
			t.Fatalf("%+v", v)
		}
		want := map[uint32]string{}
		if asked {
			want = map[uint32]string{1: "used 1101 units of fuel; the original used 50", 3: "allocates more than 4 times as much as the original"}
		}
		if len(kills) != len(want) || kills[1] != want[1] || kills[3] != want[3] {
			t.Errorf("asked for: %v; kills %v", asked, kills)
		}
	}
}

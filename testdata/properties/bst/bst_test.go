package bst

import (
	"math/rand/v2"
	"testing"

	"github.com/fuzzmut/fuzzmut/testdata/hunt"
)

func operations(r *rand.Rand) []Op {
	ops := make([]Op, 12)
	for i := range ops {
		ops[i] = Op{Delete: r.IntN(3) == 0, Key: r.IntN(10), Value: r.IntN(3)}
	}
	return ops
}

func tree(r *rand.Rand) (t *Tree) {
	for _, op := range operations(r) {
		t = Trees{}.Insert(t, op.Key, op.Value)
	}
	return t
}

func TestNoFaultNoFailure(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 0))
	for range 20000 {
		if p := (&Program{operations(r), operations(r)}); (Trees{}).Run(p) != hunt.Passed {
			t.Fatalf("fails: %v", *p)
		}
	}
}

func TestEveryFaultShows(t *testing.T) {
	for fault := 1; fault <= Faults; fault++ {
		r := rand.New(rand.NewPCG(1, uint64(fault)))
		programs, trees := false, false
		for range 5000 {
			programs = programs || Trees{fault}.Run(&Program{operations(r), operations(r)}) == hunt.Failed
			c := Case{tree(r), tree(r), r.IntN(10), r.IntN(3)}
			trees = trees || Trees{fault}.Check(&c) == hunt.Failed
		}
		if !programs || !trees {
			t.Errorf("fault %d: shows in programs %v, on trees %v", fault, programs, trees)
		}
	}
}

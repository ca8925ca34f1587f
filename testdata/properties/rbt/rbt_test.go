package rbt

import (
	"math/rand/v2"
	"testing"

	"github.com/fuzzmut/fuzzmut/testdata/hunt"
)

// operations draws as many as make large trees.
func operations(r *rand.Rand) *[]Op {
	ops := make([]Op, 60)
	for i := range ops {
		ops[i] = Op{Delete: r.IntN(3) == 0, Key: r.IntN(40), Value: r.IntN(3)}
	}
	return &ops
}

func TestNoFaultNoFailure(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 0))
	for range 20000 {
		if ops := operations(r); (Trees{}).Run(ops) != hunt.Passed {
			t.Fatalf("fails: %v", *ops)
		}
	}
}

func TestEveryFaultShows(t *testing.T) {
	for fault := 1; fault <= Faults; fault++ {
		r := rand.New(rand.NewPCG(1, uint64(fault)))
		n := 0
		for n < 20000 && (Trees{fault}).Run(operations(r)) != hunt.Failed {
			n++
		}
		if n == 20000 {
			t.Errorf("fault %d does not show", fault)
		}
		t.Logf("fault %d: %d programs", fault, n+1)
	}
}

// Of a tree the property with a precondition shows each fault, too.
func TestEveryFaultShowsOnTrees(t *testing.T) {
	for fault := 1; fault <= Faults; fault++ {
		r := rand.New(rand.NewPCG(2, uint64(fault)))
		n := 0
		for ; n < 50000; n++ {
			var c Case
			for _, op := range *operations(r) {
				if op.Delete {
					c.T = Trees{}.Delete(c.T, op.Key)
				} else {
					c.T = Trees{}.Insert(c.T, op.Key, op.Value)
				}
			}
			c.Key, c.Value = r.IntN(40), r.IntN(3)
			if (Trees{fault}).Check(&c) == hunt.Failed {
				break
			}
		}
		if n == 50000 {
			t.Errorf("fault %d does not show", fault)
		}
	}
}

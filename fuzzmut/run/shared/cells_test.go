package shared

import (
	"fmt"
	"testing"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/share"
)

func part(k, n int, fuel int64, identity string, repaired ...uint32) *share.Cells {
	return &share.Cells{Part: k, Parts: n, Fuel: fuel, Identity: identity, Tried: repaired, Repaired: repaired, Counters: []uint32{7}, Moved: map[uint32][]uint32{repaired[0]: {1}}, Runs: 2}
}

func TestPartsArePutTogether(t *testing.T) {
	for _, c := range []struct {
		name string
		list []*share.Cells
		want string
	}{
		{"none", nil, "no"},
		{"all", []*share.Cells{part(2, 2, 5, "boom", 2, 4), part(1, 2, 5, "boom", 1, 3)}, "[1 2 3 4] map[1:[1] 2:[1]] 4 runs"},
		{"the whole, and a part of others", []*share.Cells{part(1, 2, 5, "boom", 1), part(1, 1, 5, "boom", 6)}, "[6] map[6:[1]] 2 runs"},
		{"said twice", []*share.Cells{part(1, 1, 5, "boom", 6), part(1, 1, 5, "boom", 6)}, "[6] map[6:[1]] 2 runs"},
		{"one is missing", []*share.Cells{part(2, 2, 5, "boom", 2)}, "no"},
		{"with other fuel", []*share.Cells{part(1, 1, 4, "boom", 2)}, "no"},
		{"they disagree", []*share.Cells{part(1, 1, 5, "boom", 6), part(1, 1, 5, "boom", 7)}, "no"},
		{"of another failure", []*share.Cells{part(1, 2, 5, "boom", 1), part(2, 2, 5, "bang", 2)}, "no"},
	} {
		got := "no"
		if r, ok := join(c.list, 5); ok {
			got = fmt.Sprintf("%v %v %d runs", r.Repaired, r.Moved, r.Runs)
			if !r.Done || r.Identity != "boom" || len(r.Tried) != len(r.Repaired) {
				t.Errorf("%s: %+v", c.name, r)
			}
		}
		if got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

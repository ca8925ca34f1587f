package values

import (
	"math"
	"testing"

	"github.com/fuzzmut/fuzzmut/fuzzmut"
)

func FuzzDelete(f *testing.F) {
	fuzzmut.Add(f, Tree{Key: 5})
	fuzzmut.Fuzz(f, func(t *testing.T, in struct {
		Key  int16
		Tree *Tree
	}) {
		fuzzmut.Assume(t, in.Tree.Ordered(math.MinInt, math.MaxInt))
		after := in.Tree.Delete(in.Key)
		if !after.Ordered(math.MinInt, math.MaxInt) {
			t.Errorf("the keys are out of order")
		}
		if after.Has(in.Key) {
			t.Errorf("%d is still there", in.Key)
		}
	})
}

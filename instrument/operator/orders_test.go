package operator_test

import (
	"go/constant"
	"go/token"
	"testing"

	"github.com/fuzzmut/fuzzmut/instrument/operator"
)

// TestHolding compares the orders for which a comparison holds with what Go's own constants say.
func TestHolding(t *testing.T) {
	for _, op := range []token.Token{token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ} {
		var want operator.Orders
		for i, order := range []operator.Orders{operator.Below, operator.Same, operator.Above} {
			if constant.Compare(constant.MakeInt64(int64(i)), op, constant.MakeInt64(1)) {
				want |= order
			}
		}
		if got := operator.Holding(op); got != want {
			t.Errorf("Holding(%s) = %03b, want %03b", op, got, want)
		}
	}
	if got := operator.Holding(token.LAND); got != 0 {
		t.Errorf("Holding(&&) = %03b, want none", got)
	}
}

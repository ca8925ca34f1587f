package equivalence

import (
	"go/constant"
	"go/token"
	"strings"
	"testing"

	"github.com/fuzzmut/fuzzmut/instrument/operator"
)

func TestReason(t *testing.T) {
	zero, one, two, empty := constant.MakeInt64(0), constant.MakeInt64(1), constant.MakeInt64(2), constant.MakeString("")
	arithmetic := func(op token.Token, left, right constant.Value) *operator.Site {
		return &operator.Site{Kind: operator.Arithmetic, Op: op, LeftValue: left, Value: right}
	}
	length := func(op token.Token, v constant.Value) *operator.Site {
		return &operator.Site{Kind: operator.Comparison, Op: op, NonNegative: true, Value: v}
	}
	swap := func(op token.Token) operator.Change { return operator.Change{Do: operator.Swap, Op: op} }
	do := func(a operator.Action) operator.Change { return operator.Change{Do: a} }
	tests := []struct {
		name string
		site *operator.Site
		ch   operator.Change
		want string // begins the reason
	}{
		{"x+0 is x-0", arithmetic(token.ADD, nil, zero), swap(token.SUB), "the same"},
		{"x+1 is not x-1", arithmetic(token.ADD, nil, one), swap(token.SUB), ""},
		{"x*1 is x/1", arithmetic(token.MUL, nil, one), swap(token.QUO), "the same"},
		{"x*0 can't be x/0", arithmetic(token.MUL, nil, zero), swap(token.QUO), "does not compile"},
		{"x of x+0", arithmetic(token.ADD, nil, zero), do(operator.KeepLeft), "the same"},
		{"x of x+2", arithmetic(token.ADD, nil, two), do(operator.KeepLeft), ""},
		{"x of 0+x", arithmetic(token.ADD, zero, nil), do(operator.KeepRight), "the same"},
		{"x of 0-x", arithmetic(token.SUB, zero, nil), do(operator.KeepRight), ""},
		{"0 of x*0", arithmetic(token.MUL, nil, zero), do(operator.KeepRight), "the same"},
		{"x/0", arithmetic(token.QUO, zero, nil), do(operator.Exchange), "does not compile"},
		{`"" + s`, arithmetic(token.ADD, empty, nil), do(operator.Exchange), "the same"},
		{"len > 0 is len != 0", length(token.GTR, zero), swap(token.NEQ), NeverNegative},
		{"len > 0 is not len >= 0", length(token.GTR, zero), swap(token.GEQ), ""},
		{"len > 1 is not len != 1", length(token.GTR, one), swap(token.NEQ), ""},
		{"len >= 0 is true", length(token.GEQ, zero), do(operator.True), NeverNegative},
	}
	for _, tt := range tests {
		got := Reason(tt.site, tt.ch)
		if (got == "") != (tt.want == "") || !strings.HasPrefix(got, tt.want) {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestKey(t *testing.T) {
	zero := constant.MakeInt64(0)
	site := &operator.Site{Kind: operator.Comparison, Op: token.GTR, NonNegative: true, Value: zero}
	always := operator.Change{Do: operator.Swap, Op: token.GEQ}
	if Key(site, always) != Key(site, operator.Change{Do: operator.True}) {
		t.Error("a comparison that always holds is told apart from true")
	}
	if Key(site, operator.Change{Do: operator.Swap, Op: token.NEQ}) == Key(site, always) {
		t.Error("two operators are one change")
	}
	number := &operator.Site{Kind: operator.Constant}
	if a, b := (operator.Change{Do: operator.Replace, Value: zero}), (operator.Change{Do: operator.Replace, Value: constant.MakeInt64(1)}); Key(number, a) == Key(number, b) {
		t.Error("two values are one change")
	}
}

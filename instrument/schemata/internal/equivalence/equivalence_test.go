package equivalence

import (
	"go/constant"
	"go/token"
	"go/types"
	"testing"

	"github.com/fuzzmut/fuzzmut/instrument/operator"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/reasons"
)

func swap(op token.Token) operator.Change { return operator.Change{Do: operator.Swap, Op: op} }

func do(a operator.Action) operator.Change { return operator.Change{Do: a} }

func number(n int64) constant.Value { return constant.MakeInt64(n) }

func text(s string) constant.Value { return constant.MakeString(s) }

func arithmetic(op token.Token, x, y constant.Value) *operator.Site {
	return &operator.Site{Kind: operator.Arithmetic, Op: op, LeftValue: x, Value: y}
}

func disjoint(op token.Token) *operator.Site {
	s := arithmetic(op, nil, nil)
	s.Disjoint = true
	return s
}

func TestReasonOfArithmetic(t *testing.T) {
	const neutral, division = reasons.NeutralOperand, reasons.DividesByZero
	for _, c := range []struct {
		about  string
		site   *operator.Site
		change operator.Change
		want   reasons.Reason
	}{
		{"x&1 | 2 → x&1 + 2", disjoint(token.OR), swap(token.ADD), reasons.NoSharedBits},
		{"x&1 + 2 → x&1 ^ 2", disjoint(token.ADD), swap(token.XOR), reasons.NoSharedBits},
		{"x&1 | 2 → x&1 &^ 2", disjoint(token.OR), swap(token.AND_NOT), nil},
		{"x&1 - 2 → x&1 + 2", disjoint(token.SUB), swap(token.ADD), nil},
		{"x&1 | 2 → x&1", disjoint(token.OR), do(operator.KeepLeft), nil},
		{"x + 0 → x - 0", arithmetic(token.ADD, nil, number(0)), swap(token.SUB), neutral},
		{"x << 0 → x >> 0", arithmetic(token.SHL, nil, number(0)), swap(token.SHR), neutral},
		{"x | 0 → x &^ 0", arithmetic(token.OR, nil, number(0)), swap(token.AND_NOT), neutral},
		{"x + 0 → x * 0", arithmetic(token.ADD, nil, number(0)), swap(token.MUL), nil},
		{"x & 0 → x | 0", arithmetic(token.AND, nil, number(0)), swap(token.OR), nil},
		{"x + 0 → x / 0", arithmetic(token.ADD, nil, number(0)), swap(token.QUO), division},
		{"x - 0.0 → x % 0", arithmetic(token.SUB, nil, constant.MakeFloat64(0)), swap(token.REM), division},
		{"x * 1 → x / 1", arithmetic(token.MUL, nil, number(1)), swap(token.QUO), neutral},
		{"x * 1 → x % 1", arithmetic(token.MUL, nil, number(1)), swap(token.REM), nil},
		{"x + 1 → x - 1", arithmetic(token.ADD, nil, number(1)), swap(token.SUB), nil},
		{"x + y → x - y", arithmetic(token.ADD, nil, nil), swap(token.SUB), nil},
		{"0 + y → 0 - y", arithmetic(token.ADD, number(0), nil), swap(token.SUB), nil},
		{"x + 0 → x", arithmetic(token.ADD, nil, number(0)), do(operator.KeepLeft), neutral},
		{"x * 1 → x", arithmetic(token.MUL, nil, number(1)), do(operator.KeepLeft), neutral},
		{"x * 0 → x", arithmetic(token.MUL, nil, number(0)), do(operator.KeepLeft), nil},
		{"x * 0 → 0", arithmetic(token.MUL, nil, number(0)), do(operator.KeepRight), neutral},
		{"x & 0 → 0", arithmetic(token.AND, nil, number(0)), do(operator.KeepRight), neutral},
		{"0 + x → x", arithmetic(token.ADD, number(0), nil), do(operator.KeepRight), neutral},
		{"0 - x → x", arithmetic(token.SUB, number(0), nil), do(operator.KeepRight), nil},
		{"1 * x → x", arithmetic(token.MUL, number(1), nil), do(operator.KeepRight), neutral},
		{"1 / x → x", arithmetic(token.QUO, number(1), nil), do(operator.KeepRight), nil},
		{"0 / x → x / 0", arithmetic(token.QUO, number(0), nil), do(operator.Exchange), division},
		{"1 % x → x % 1", arithmetic(token.REM, number(1), nil), do(operator.Exchange), nil},
		{"0 - x → x - 0", arithmetic(token.SUB, number(0), nil), do(operator.Exchange), nil},
		{`s + "" → s`, arithmetic(token.ADD, nil, text("")), do(operator.KeepLeft), neutral},
		{`"" + s → s`, arithmetic(token.ADD, text(""), nil), do(operator.KeepRight), neutral},
		{`s + "" → "" + s`, arithmetic(token.ADD, nil, text("")), do(operator.Exchange), neutral},
		{`"" + s → s + ""`, arithmetic(token.ADD, text(""), nil), do(operator.Exchange), neutral},
		{`s + "a" → "a" + s`, arithmetic(token.ADD, nil, text("a")), do(operator.Exchange), nil},
		{`s + "a" → s`, arithmetic(token.ADD, nil, text("a")), do(operator.KeepLeft), nil},
	} {
		got := Reason(c.site, c.change)
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.about, got, c.want)
		}
	}
}

// x += 0 leaves x as it is, x = 0 does not.
func TestReasonOfAssignments(t *testing.T) {
	s := arithmetic(token.ADD, number(0), nil)
	s.Assigns = true
	if got := Reason(s, do(operator.KeepRight)); got != nil {
		t.Errorf("x += y → x = y: %q", got)
	}
}

func comparison(op token.Token, y constant.Value, nonNegative bool) *operator.Site {
	return &operator.Site{Kind: operator.Comparison, Op: op, Value: y, NonNegative: nonNegative}
}

func bounded(op token.Token, y, least, most int64) *operator.Site {
	s := comparison(op, number(y), false)
	s.Least, s.Most = number(least), number(most)
	return s
}

func TestReasonOfComparisons(t *testing.T) {
	for _, c := range []struct {
		about  string
		site   *operator.Site
		change operator.Change
		same   bool
	}{
		{"len == 0 → len <= 0", comparison(token.EQL, number(0), true), swap(token.LEQ), true},
		{"len <= 0 → len == 0", comparison(token.LEQ, number(0), true), swap(token.EQL), true},
		{"len != 0 → len > 0", comparison(token.NEQ, number(0), true), swap(token.GTR), true},
		{"len > 0 → len != 0", comparison(token.GTR, number(0), true), swap(token.NEQ), true},
		{"len == 0 → len != 0", comparison(token.EQL, number(0), true), swap(token.NEQ), false},
		{"len == 0 → len < 0", comparison(token.EQL, number(0), true), swap(token.LSS), false}, // never: no equivalent
		{"len == 1 → len <= 1", comparison(token.EQL, number(1), true), swap(token.LEQ), false},
		{"n == 0 → n <= 0", comparison(token.EQL, number(0), false), swap(token.LEQ), false},
		{"len >= 0 → true", comparison(token.GEQ, number(0), true), do(operator.True), true},
		{"len >= 0 → false", comparison(token.GEQ, number(0), true), do(operator.False), false},
		{"len < 0 → false", comparison(token.LSS, number(0), true), do(operator.False), true},
		{"n < 0 → false", comparison(token.LSS, number(0), false), do(operator.False), false},
		{"len == n → len <= n", comparison(token.EQL, nil, true), swap(token.LEQ), false},
		{`s == "" → s <= ""`, comparison(token.EQL, text(""), false), swap(token.LEQ), true},
		{`s != "" → s > ""`, comparison(token.NEQ, text(""), false), swap(token.GTR), true},
		{`s > "" → s != ""`, comparison(token.GTR, text(""), false), swap(token.NEQ), true},
		{`s != "" → s == ""`, comparison(token.NEQ, text(""), false), swap(token.EQL), false},
		{`s >= "" → true`, comparison(token.GEQ, text(""), false), do(operator.True), true},
		{`s == "a" → s <= "a"`, comparison(token.EQL, text("a"), false), swap(token.LEQ), false},
		{"x&1 == 1 → x&1 >= 1", bounded(token.EQL, 1, 0, 1), swap(token.GEQ), true},
		{"x&1 == 1 → x&1 > 1", bounded(token.EQL, 1, 0, 1), swap(token.GTR), false},
		{"x%3 < 2 → x%3 != 2", bounded(token.LSS, 2, -2, 2), swap(token.NEQ), true},
		{"x&3 == 2 → x&3 >= 2", bounded(token.EQL, 2, 0, 3), swap(token.GEQ), false},
		{"b == false → b != false", comparison(token.EQL, constant.MakeBool(false), false), swap(token.NEQ), false},
	} {
		if got := Reason(c.site, c.change); (got == reasons.NeverBelow || got == reasons.Unseen) != c.same || got != nil && !c.same {
			t.Errorf("%s: %q", c.about, got)
		}
	}
}

// An operator is the same as another if both give one answer for each value within the
// bounds, and only then.
func TestReasonWithinBounds(t *testing.T) {
	ops := []token.Token{token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ}
	const least, most = -3, 3
	for lo := int64(least); lo <= most; lo++ {
		for hi := lo; hi <= most; hi++ {
			for v := int64(least - 1); v <= most+1; v++ {
				for _, a := range ops {
					for _, b := range ops {
						s := comparison(a, number(v), false)
						s.Least, s.Most = number(lo), number(hi)
						if lo == least {
							s.Least = nil // anything below
						}
						if hi == most {
							s.Most = nil
						}
						same := true
						for x := lo - 10*bit(lo == least); x <= hi+10*bit(hi == most); x++ {
							same = same && constant.Compare(number(x), a, number(v)) == constant.Compare(number(x), b, number(v))
						}
						got := Reason(s, swap(b))
						if v < lo && lo > least || v > hi && hi < most {
							same = same && got != nil // x == v for none: found or not, but not wrong
						}
						if (got != nil) != same && a != b {
							t.Fatalf("x in [%d, %d]: x %v %d → x %v %d: %v, but it is %t that they are the same", lo, hi, a, v, b, v, got, same)
						}
					}
				}
			}
		}
	}
}

func bit(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

func TestTruth(t *testing.T) {
	for _, c := range []struct {
		about  string
		site   *operator.Site
		change operator.Change
		want   operator.Action
	}{
		{"true is true of whatever", arithmetic(token.ADD, nil, nil), do(operator.True), operator.True},
		{"false is false", comparison(token.EQL, nil, false), do(operator.False), operator.False},
		{"len >= 0", comparison(token.EQL, number(0), true), swap(token.GEQ), operator.True},
		{"len < 0", comparison(token.EQL, number(0), true), swap(token.LSS), operator.False},
		{"len > 0", comparison(token.EQL, number(0), true), swap(token.GTR), 0},
		{"n < 0", comparison(token.EQL, number(0), false), swap(token.LSS), 0},
		{`s < ""`, comparison(token.NEQ, text(""), false), swap(token.LSS), operator.False},
		{`s >= ""`, comparison(token.NEQ, text(""), false), swap(token.GEQ), operator.True},
		{`s < "a"`, comparison(token.NEQ, text("a"), false), swap(token.LSS), 0},
		{"len < 1", comparison(token.EQL, number(1), true), swap(token.LSS), 0},
		{"len < n", comparison(token.EQL, nil, true), swap(token.LSS), 0},
		{"negation", comparison(token.EQL, number(0), true), do(operator.Negate), 0},
		{"no comparison", arithmetic(token.ADD, nil, number(0)), swap(token.LSS), 0},
	} {
		if got := Truth(c.site, c.change); got != c.want {
			t.Errorf("%s: %v, want %v", c.about, got, c.want)
		}
	}
}

func TestKey(t *testing.T) {
	unsigned := comparison(token.EQL, number(0), true)
	signed := comparison(token.EQL, number(0), false)
	one, two := operator.Change{Do: operator.Replace, Value: number(1)}, operator.Change{Do: operator.Replace, Value: number(2)}
	for _, c := range []struct {
		about string
		s     *operator.Site
		a, b  operator.Change
		same  bool
	}{
		{"itself", signed, swap(token.LSS), swap(token.LSS), true},
		{"another operator", signed, swap(token.LSS), swap(token.LEQ), false},
		{"another action", signed, do(operator.Up), do(operator.Down), false},
		{"another value", signed, one, two, false},
		{"never below zero", unsigned, swap(token.LSS), do(operator.False), true},
		{"always above or at zero", unsigned, swap(token.GEQ), do(operator.True), true},
		{"perhaps below zero", signed, swap(token.LSS), do(operator.False), false},
		{"true and false", signed, do(operator.True), do(operator.False), false},
	} {
		if got := Key(c.s, c.a) == Key(c.s, c.b); got != c.same {
			t.Errorf("%s: %q and %q", c.about, Key(c.s, c.a), Key(c.s, c.b))
		}
	}
}

// A mutant keeps its ID when the value of the constant that it names changes.
func TestNameGoesByTheConstant(t *testing.T) {
	s := &operator.Site{Kind: operator.Constant}
	named := func(name string, v int64) operator.Change {
		c := types.NewConst(0, nil, name, types.Typ[types.Int], number(v))
		return operator.Change{Do: operator.Replace, Value: c.Val(), Const: c}
	}
	if Name(s, named("Read", 1)) != Name(s, named("Read", 2)) {
		t.Error("another value gives another name")
	}
	if Name(s, named("Read", 1)) == Name(s, named("Write", 1)) {
		t.Error("another constant of the same value has the same name")
	}
	if Key(s, named("Read", 1)) != Key(s, named("Write", 1)) {
		t.Error("two constants of one value are two changes")
	}
	plain := operator.Change{Do: operator.Replace, Value: number(1)}
	if Name(s, plain) != Key(s, plain) {
		t.Error("a value without a name goes by its key")
	}
}

package risk_test

import (
	"testing"

	"github.com/fuzzmut/fuzzmut/instrument/operator"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/checked"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/nilness"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/risk"
)

const declarations = `
import "strings"

type node struct {
	next *node
	n    int
	list []int
}

var (
	p     *node
	list  []int
	small uint8
	i, j  int
	s     string
	m     map[string]int
	v     any
	call  func() int
)

func f() int { return 0 }

func use(...any) {}

var _ = strings.Repeat
`

func find(t *testing.T, stmt string) []risk.Risk {
	t.Helper()
	c := checked.Body(t, declarations, stmt)
	cx, _ := c.Site()
	s := c.Func("body").Body.List[0]
	return risk.Find(cx, s, s.Pos(), nilness.Vars{})
}

func TestFind(t *testing.T) {
	tests := []struct {
		stmt string
		kind operator.Risk
		want string // "" if there is no risk, "-" if there is no condition
	}{
		{"use(p.n)", operator.NilUse, "p == nil"},
		{"use(p.next.n)", operator.NilUse, "p == nil"}, // and another
		{"use(list[i])", operator.OutOfBounds, "i < 0 || i >= len(list)"},
		{"use(list[2])", operator.OutOfBounds, "len(list) <= 2"},
		{"use(list[small])", operator.OutOfBounds, "int(small) >= len(list)"},
		{"use(list[i:])", operator.OutOfBounds, "i < 0 || len(list) < i"},
		{"use(s[:j])", operator.OutOfBounds, "j < 0 || len(s) < j"},
		{"use(list[i:j])", operator.OutOfBounds, "i < 0 || i > j || cap(list) < j"},
		{"use(list[f()])", operator.OutOfBounds, "-"},
		{"use(i / j)", operator.ZeroDivisor, "j == 0"},
		{"use(i / 2)", 0, ""},
		{"i /= j", operator.ZeroDivisor, "j == 0"},
		{"use(v.(int))", operator.WrongType, "v.(int) fails"},
		{"_, _ = v.(int)", 0, ""},
		{"m[s] = 1", operator.NilUse, "m == nil"},
		{"use(m[s])", 0, ""},
		{"use(call())", operator.NilUse, "call == nil"},
		{"use(make([]int, i))", operator.BigSize, "i < 0 || i > 1<<20"},
		{"use(make([]int, len(list)))", 0, ""},
		{"use(strings.Repeat(s, i))", operator.BigSize, "i < 0 || i > 1<<20"},
		{"use(i > 0 && list[i] > 0)", 0, ""},
		{"if i > 0 {\nuse(list[i])\n}", 0, ""},
	}
	for _, tt := range tests {
		list := find(t, tt.stmt)
		if tt.want == "" {
			if len(list) != 0 {
				t.Errorf("%s: %v", tt.stmt, list)
			}
			continue
		}
		if len(list) == 0 {
			t.Errorf("%s: no risk", tt.stmt)
			continue
		}
		r := list[0]
		if r.Kind != tt.kind || (r.Why != nil) != (tt.want == "-") || r.Why == nil && r.String() != tt.want {
			t.Errorf("%s: kind %v, %s (%s), want %s", tt.stmt, r.Kind, r, r.Why, tt.want)
		}
	}
}

func TestConditionsThatMustHoldBefore(t *testing.T) {
	list := find(t, "use(p.next.list[i])")
	if got := list[len(list)-1].String(); got != "p != nil && p.next != nil && (i < 0 || i >= len(p.next.list))" {
		t.Errorf("last risk: %s", got)
	}
}

func TestBranch(t *testing.T) {
	tests := []struct {
		stmt, gate, helper string
		otherwise          bool
		want               string
	}{
		{"use(i / j)", "", "", false, "if j == 0 { return }"},
		{"use(p.n)", "", "", true, "if p != nil { return }"},
		{"use(i / j)", "on(1)", "test(1, ", false, "if on(1) && test(1, j == 0) { return }"},
		{"use(v.(int))", "", "", false, "if _, ok := v.(int); !ok { return }"},
		{"use(v.(int))", "on(1)", "test(1, ", false, "if _, ok := v.(int); on(1) && test(1, !ok) { return }"},
	}
	for _, tt := range tests {
		head, tail := find(t, tt.stmt)[0].Branch("ok", tt.gate, tt.helper, tt.otherwise)
		if got := head + "return" + tail; got != tt.want {
			t.Errorf("%s: %s, want %s", tt.stmt, got, tt.want)
		}
	}
}

func TestNotNilIsNoRisk(t *testing.T) {
	c := checked.Body(t, declarations, "p := p\nuse(p.n)")
	cx, _ := c.Site()
	s := c.Func("body").Body.List[1]
	v := cx.Nils.Fixed(c.Expr("p"))
	if list := risk.Find(cx, s, s.Pos(), nilness.Vars{v: true}); len(list) != 0 {
		t.Errorf("of a pointer that is not nil: %v", list)
	}
	if list := risk.Find(cx, s, s.Pos(), nilness.Vars{}); len(list) != 1 || list[0].Proves != v {
		t.Errorf("of another: %v", list)
	}
}

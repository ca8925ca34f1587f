package logic_test

import (
	"go/ast"
	"testing"

	"github.com/fuzzmut/fuzzmut/instrument/operator"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/checked"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/effects"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/logic"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/stored"
)

func TestSettled(t *testing.T) {
	tests := []struct {
		cond, term    string
		whole         bool // another site forces the whole
		true_, false_ bool // need not be forced
	}{
		{"a || b", "a", true, true, false},
		{"a || b", "b", true, true, false},
		{"a && b", "a", true, false, true},
		{"a && b", "b", true, false, true},
		{"!(a && b)", "b", true, false, true},
		{"a && f()", "a", true, false, false}, // without a, f is not called
		{"a && f()", "f()", true, false, true},
		{"a || b", "a", false, false, false},
		{"a || b", "b", false, true, false}, // as a
		{"(a || b) && c", "a", true, false, false},
		{"(a || b) && c", "b", true, true, false},              // decides the same part as a
		{"len(s) >= 0 && a", "len(s) >= 0", false, true, true}, // false is what < makes of it
	}
	for _, tt := range tests {
		c := checked.Body(t, "var (\n\ta, b, c bool\n\ts string\n)\nfunc f() bool { return a }", "if "+tt.cond+" {\n}")
		l := logic.New(c.Info, stored.Find(c.Info.Info, c.Src.Syntax), effects.New(c.Info, c.Src), operator.All())
		var elsewhere func(bool) bool
		if tt.whole {
			elsewhere = func(bool) bool { return true }
		}
		cond := c.Stmt("if").(*ast.IfStmt).Cond
		l.Settle(cond, elsewhere)
		e := c.Expr(tt.term)
		if got := l.Settled(e, operator.True) != nil; got != tt.true_ {
			t.Errorf("%s: %s need not be made true: %v", tt.cond, tt.term, got)
		}
		if got := l.Settled(e, operator.False) != nil; got != tt.false_ {
			t.Errorf("%s: %s need not be made false: %v", tt.cond, tt.term, got)
		}
		if l.Settled(e, operator.Negate) != nil {
			t.Errorf("%s: %s need not be negated", tt.cond, tt.term)
		}
	}
}

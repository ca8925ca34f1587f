package effects_test

import (
	"go/ast"
	"testing"

	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/checked"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/effects"
)

const declarations = `
type node struct {
	next *node
	n    int
}

func (n node) sum() int { return n.n }

var (
	p, q  *node
	list  []int
	m     map[string]int
	i, j  int
	s     string
	c     chan int
	value any
	key   map[any]int
)

func f() int { return 0 }

func use(...any) {}
`

func setUp(t *testing.T, statements string) (*checked.Code, *effects.Effects) {
	t.Helper()
	c := checked.Body(t, declarations, statements)
	return c, effects.New(c.Info, c.Src)
}

func TestEffects(t *testing.T) {
	tests := []struct {
		expr                               string
		pure, effectless, droppable, calls bool
	}{
		{"i + j", true, true, true, false},
		{"f()", false, false, false, true},
		{"i + f()", false, false, false, true},
		{"len(s)", true, true, true, false},
		{"p.n", true, true, false, false}, // p may be nil
		{"list[i]", false, true, false, false},
		{`m["a"]`, true, true, true, false},
		{"key[value]", true, true, false, false}, // a value that can't be hashed
		{"i / j", false, true, false, false},
		{"i / 2", true, true, true, false},
		{"i << j", true, true, false, false},
		{"value.(int)", false, true, false, false},
		{"<-c", false, false, false, true},
		{"func() {}", true, false, true, false},
		{"node{n: i}", true, false, true, false},
		{"new(int)", true, false, true, false},
		{"int8(i)", true, true, true, false},
		{"p.sum()", false, false, false, true},
		{"i == 1 && list[0] == 2", false, true, false, false},
		{"value == any(1)", true, true, false, false},
	}
	for _, tt := range tests {
		c, fx := setUp(t, "use("+tt.expr+")")
		e := c.Expr(tt.expr)
		if got := fx.Pure(e); got != tt.pure {
			t.Errorf("%s: pure %v", tt.expr, got)
		}
		if got := fx.Effectless(e); got != tt.effectless {
			t.Errorf("%s: effectless %v", tt.expr, got)
		}
		if got := fx.Droppable(e); got != tt.droppable {
			t.Errorf("%s: droppable %v", tt.expr, got)
		}
		if got := fx.Calls(e); got != tt.calls {
			t.Errorf("%s: calls %v", tt.expr, got)
		}
	}
}

func TestDroppableBesideOthers(t *testing.T) {
	c, fx := setUp(t, "use(p.n, p.next, q.n, *p)")
	if !fx.Droppable(c.Expr("p.n"), c.Expr("p.next")) || !fx.Droppable(c.Expr("p.n"), c.Expr("*p")) {
		t.Error("another operand panics as well, but that does not count")
	}
	if fx.Droppable(c.Expr("p.n"), c.Expr("q.n")) {
		t.Error("another pointer counts")
	}
}

func TestPanicsAlike(t *testing.T) {
	for _, tt := range []struct {
		x, y string
		want bool
	}{
		{"p.n", "i", true},
		{"p.n", "q.n", true},
		{"p.n", "list[0]", false},
		{"list[0]", "i", true},
	} {
		c, fx := setUp(t, "use("+tt.x+", "+tt.y+")")
		if got := fx.PanicsAlike(c.Expr(tt.x), c.Expr(tt.y)); got != tt.want {
			t.Errorf("%s and %s: %v", tt.x, tt.y, got)
		}
	}
}

func TestOrder(t *testing.T) {
	tests := []struct {
		stmt, expr string
		early      bool
	}{
		{"use(i, f())", "i", true},
		{"use(f(), i)", "i", false},
		{"use(local, f())", "local", false},
		{"use(shared, f())", "shared", true}, // a function literal has it
		{"use(i, len(s))", "i", false},
		{"use(i, <-c)", "i", true},
		{"use(1, f())", "1", false},
		{"use(i == 1 || f() == 2)", "i == 1", false}, // evaluated before the right operand
		{"if i == 1 { f() }", "i == 1", false},
	}
	for _, tt := range tests {
		c, fx := setUp(t, "local, shared := 1, 2\nfunc() { shared++ }()\nuse(local)\n"+tt.stmt)
		s := c.Func("body").Body.List[3]
		if got := fx.Order(s, within(c, s, tt.expr)) != ""; got != tt.early {
			t.Errorf("%s in %s: read early %v", tt.expr, tt.stmt, got)
		}
	}
}

// within returns the first expression with a text in a statement.
func within(c *checked.Code, s ast.Stmt, text string) (found ast.Expr) {
	ast.Inspect(s, func(n ast.Node) bool {
		if e, ok := n.(ast.Expr); ok && found == nil && c.Src.Node(e) == text {
			found = e
		}
		return true
	})
	return found
}

func TestKeyTellsVariablesApart(t *testing.T) {
	c, fx := setUp(t, "use(p.n)\n{\np := q\nuse(p.n)\n}")
	first := c.Func("body").Body.List[0].(*ast.ExprStmt).X.(*ast.CallExpr).Args[0]
	if fx.Key(first) == fx.Key(c.Expr("p.n")) {
		t.Error("two variables of one name have one key")
	}
}

func TestReplayable(t *testing.T) {
	c, fx := setUp(t, "use(i+j, f(), i+\nj)")
	args := c.Func("body").Body.List[0].(*ast.ExprStmt).X.(*ast.CallExpr).Args
	for n, want := range []bool{true, false, false} {
		if got := fx.Replayable(args[n]); got != want {
			t.Errorf("%s: %v", c.Src.Node(args[n]), got)
		}
	}
}

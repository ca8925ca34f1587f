package plain_test

import (
	"go/ast"
	"go/token"
	"testing"

	"github.com/fuzzmut/fuzzmut/instrument/operator"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/checked"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/plain"
)

const declarations = `
import "strings"

var (
	a, b, c bool
	i, j    int
	p       *int
	s       string
	list    []int
)

func use(...any) {}
`

func setUp(t *testing.T, statements string) (*checked.Code, *plain.Writer) {
	t.Helper()
	code := checked.Body(t, declarations, statements+"\n_ = strings.ToLower")
	cx, _ := code.Site()
	return code, cx.Plain
}

// applied returns the text of a statement with an edit.
func applied(c *checked.Code, n ast.Node, e plain.Edit) string {
	return c.Src.Text(n.Pos(), e.Lo) + e.Text + c.Src.Text(e.Hi, n.End())
}

func TestSwapped(t *testing.T) {
	tests := []struct {
		stmt, expr string
		op         token.Token
		operand    bool
		want       string
	}{
		{"use(i + j)", "i + j", token.SUB, false, "use(i - j)"},
		{"use(i + j)", "i + j", token.MUL, false, "use(i * j)"},
		{"use(i*j + 1)", "i*j", token.ADD, true, "use((i+j) + 1)"},
		{"use(i*j + 1)", "i*j + 1", token.MUL, false, "use(i*j * 1)"},
		{"use(i-j - 1)", "i-j - 1", token.MUL, false, "use((i-j) * 1)"},
		{"use(a && b || c)", "a && b || c", token.LAND, false, "use(a && b && c)"},
		{"use(a || b && c)", "b && c", token.LOR, true, "use(a || (b || c))"},
		{"use(i/ -j)", "i/ -j", token.SUB, false, "use(i- -j)"},
		{"use(i*-j)", "i*-j", token.SUB, false, "use(i- -j)"},
		{"use(i-*p)", "i-*p", token.QUO, false, "use(i/ *p)"},
	}
	for _, tt := range tests {
		c, w := setUp(t, tt.stmt)
		s := c.Func("body").Body.List[0]
		if got := applied(c, s, w.Swapped(c.Expr(tt.expr).(*ast.BinaryExpr), tt.op, tt.operand)); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.stmt, got, tt.want)
		}
	}
}

func TestForced(t *testing.T) {
	tests := []struct {
		cond string
		do   operator.Action
		term bool
		want string
	}{
		{"a", operator.True, false, "a || true"},
		{"a || b", operator.False, false, "(a || b) && false"},
		{"a", operator.False, true, "(a && false)"},
		{"!a", operator.Negate, false, "a"},
		{"i == j", operator.Negate, false, "!(i == j)"},
		{"a", operator.Negate, true, "!a"},
	}
	for _, tt := range tests {
		c, w := setUp(t, "use("+tt.cond+")")
		if got := w.Forced(c.Expr(tt.cond), tt.do, tt.term); got.Text != tt.want {
			t.Errorf("%s: %s, want %s", tt.cond, got.Text, tt.want)
		}
	}
	c, w := setUp(t, "true := 1\nuse(true, a)")
	if got := w.Forced(c.Stmt("use(true").(*ast.ExprStmt).X.(*ast.CallExpr).Args[1], operator.True, false); got.Text != "a || 0 == 0" {
		t.Errorf("where true is a variable: %s", got.Text)
	}
}

func TestUnglued(t *testing.T) {
	c, w := setUp(t, "use(i-j, i - j)")
	args := c.Stmt("use(").(*ast.ExprStmt).X.(*ast.CallExpr).Args
	for n, want := range []string{"(-1)", "-1"} {
		if got := w.Unglued(args[n].(*ast.BinaryExpr).Y.Pos(), "-1"); got != want {
			t.Errorf("%s: %s, want %s", c.Src.Node(args[n]), got, want)
		}
	}
}

func TestEmptied(t *testing.T) {
	c, w := setUp(t, `use(s, list[1:], s+"a")`)
	for expr, want := range map[string]string{"s": "s[:0]", "list[1:]": "list[1:][:0]", `s+"a"`: `(s+"a")[:0]`} {
		if got := w.Emptied(c.Expr(expr), ""); got.Text != want {
			t.Errorf("%s: %s, want %s", expr, got.Text, want)
		}
	}
}

func TestKeep(t *testing.T) {
	c := checked.Body(t, `
import (
	"bytes"
	"strings"
)

func use(...any) {}
`, `x := 1
{
	use(x, strings.ToUpper("a"))
}
{
	var b bytes.Buffer
	use(&b)
}
end:
	for {
		break end
	}
use()`)
	cx, _ := c.Site()
	list := c.Func("body").Body.List
	for n, want := range map[int]string{1: "_ = x; _ = strings.ToUpper", 2: "var _ bytes.Buffer", 4: ""} {
		if got, why := cx.Plain.Keep(list[n]); got != want || why != nil {
			t.Errorf("without %s: %q (%s), want %q", c.Src.Short(list[n]), got, why, want)
		}
	}
	loop := list[3].(*ast.LabeledStmt).Stmt
	if got, why := cx.Plain.Keep(loop); got != "if false { break end }" || why != nil {
		t.Errorf("without a loop whose label stays: %q (%s)", got, why)
	}
}

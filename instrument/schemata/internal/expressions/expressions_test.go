package expressions_test

import (
	"go/ast"
	"strings"
	"testing"

	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/checked"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/expressions"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/site"
)

const declarations = `
import (
	"context"
	"errors"
	"fmt"
	"strings"
)

type (
	flag bool
	pair struct{ a, b int }
)

var (
	a, b   bool
	i, j   int
	small  int8
	s, t   string
	list   []int
	m      map[string]int
	ctx    context.Context
	err    error
	answer flag
)

func two(x, y int) int { return 0 }

func run(context.Context) int { return 0 }

func use(...any) {}

var (
	_ = fmt.Errorf
	_ = errors.Is
	_ = strings.Contains
)
`

// TestOffer: each kind of site, alone. What stands in the copied bodies, and what the
// plain edits put there.
func TestOffer(t *testing.T) {
	tests := []struct {
		occasion     expressions.Occasion
		expr         string
		slow         string
		replacements string
	}{
		{expressions.Constant, "7", `fuzzmutrt.NumInt(1, 0x654321, 7)`, `0 | 1 | -1 | 8 | 6 | -7`},
		{expressions.Constant, `"a"`, `fuzzmutrt.Lit1String(1, "a", "")`, `""`},
		{expressions.Value, "i + j", `fuzzmutrt.ArithIInt(1, 0xdc5432, 1, i , j)`, `- | i * j | i / j | i % j | i | j`},
		{expressions.Value, "s + t", `fuzzmutrt.ConcatString(1, 0xedc, s , t)`, `s | t | t + s`},
		{expressions.Value, "i << 2", `fuzzmutrt.Shift(1, 0xcb, 10, i , 2)`, `>> | i`},
		{expressions.Value, "i < j", `fuzzmutrt.CmpInt(1, 0x8765342, 0x101, i , j)`, `<= | >= | > | == | != | i < j || true | i < j && false`},
		{expressions.Value, "a == b", `fuzzmutrt.Bool(1, 0x321, a == b)`, `!= | a == b || true | a == b && false`},
		{expressions.Value, "a && b", `fuzzmutrt.Joined(1, fuzzmutrt.Left(1, 0, a) && fuzzmutrt.Right(1, 0, b))`, `a || b`},
		{expressions.Value, "-i", `fuzzmutrt.Neg(1, i)`, `i`},
		{expressions.Value, "^i", `fuzzmutrt.Complement(1, i)`, `i`},
		{expressions.Value, "!a", `fuzzmutrt.Bool(1, 0x1, !a)`, `a`},
		{expressions.Value, "!answer", `fuzzmutrt.BoolOf[flag](1, 0x1, !answer)`, `answer`},
		{expressions.Value, "len(list)", `fuzzmutrt.Length(1, 0x321, len(list), cap(list))`, `len(list)+1 | len(list)-1 | cap(list)`},
		{expressions.Value, "append(list, i)", `append(list, fuzzmutrt.Elems(1, []int{i})...)`, `list`},
		{expressions.Value, "copy(list, list)", `copy(list, fuzzmutrt.Elems(1, list))`, `list[:0]`},
		{expressions.Value, "min(i, j)", `fuzzmutrt.Min(1, i, j)`, `max`},
		{expressions.Value, "list[i:]", `list[fuzzmutrt.BoundInt(1, 0x321, i, 0):]`, `i+1 | i-1 | `},
		{expressions.Value, "err != nil", `fuzzmutrt.Bool(1, 0x321, err != nil)`, `== | err != nil || true | err != nil && false`},
		{expressions.Value, "errors.Is(err, err)", `fuzzmutrt.Bool(1, 0x3, errors.Is(err, err))`, `errors.Is(err, err) && false`},
		{expressions.Indexed, "list[i]", `list[fuzzmutrt.IndexInt(1, 0x21, i, len(list))]`, `min(i+1, max(i, len(list)-1)) | max(i-1, min(i, 0))`},
		{expressions.Indexed, "list[i+1]", `list[i+1]`, ``}, // the constant is moved instead
		{expressions.Indexed, "m[s]", `m[fuzzmutrt.Key(0x40d, m, s)]`, ``},
		{expressions.Converted, "int8(i)", `int8(i)`, ``},
		{expressions.Converted, "int(small)", `fuzzmutrt.Convert[int](1, 0x5, small)`, `uint8(small)`},
		{expressions.Called, "two(i, j)", `two(fuzzmutrt.AltInt(1, i, j), fuzzmutrt.AltInt(1, j, i))`, `j, i`},
		{expressions.Called, "two(i, i)", `two(i, i)`, ``},
		{expressions.Called, "run(ctx)", `run(fuzzmutrt.Alt[context.Context](1, ctx, context.Background()))`, `context.Background()`},
		{expressions.Called, `fmt.Errorf("%d: %w", i, err)`, `fmt.Errorf(fuzzmutrt.Lit1String(1, "%d: %w", "%d: %v"), i, err)`, `v`},
		{expressions.Called, "strings.Contains(s, t)", `strings.Contains(fuzzmutrt.Texts(0x40b, fuzzmutrt.Swapped(1, s, t), fuzzmutrt.Swapped(1, t, s)))`, `t, s`},
		{expressions.Condition, "a", `fuzzmutrt.Bool(1, 0x321, a)`, `!a | a || true | a && false`},
		{expressions.Term, "a || b", `a || b`, ``}, // its operands are terms
		// No kind takes what is another's.
		{expressions.Value, "(len(list))", "(len(list))", ""},
		{expressions.Value, "list", "list", ""},
		{expressions.Indexed, `m["a"]`, `m[fuzzmutrt.Key(0x41d, m, "a")]`, ``},
	}
	for _, tt := range tests {
		c := checked.Body(t, declarations, "use("+tt.expr+")")
		cx, mutants := c.Site()
		e := c.Func("body").Body.List[0].(*ast.ExprStmt).X.(*ast.CallExpr).Args[0]
		if call, ok := c.Expr(tt.expr).(*ast.CallExpr); ok {
			e = call
		}
		expressions.Offer(tt.occasion, cx, e, site.Place{})
		c.Edits(mutants.Mutants)
		slow := string(cx.Slow.Render(c.Src.Src, c.Src.Off(e.Pos()), c.Src.Off(e.End())))
		var texts []string
		for _, m := range mutants.Mutants {
			texts = append(texts, m.Replacement)
		}
		if got := strings.Join(texts, " | "); slow != tt.slow || got != tt.replacements {
			t.Errorf("%s:\n%#q, %#q},", tt.expr, slow, got)
		}
	}
}

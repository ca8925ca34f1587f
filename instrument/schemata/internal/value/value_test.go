package value_test

import (
	"testing"

	"github.com/fuzzmut/fuzzmut/instrument/operator"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/checked"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/reasons"
)

const types = `
type pair struct{ a, b int }

var (
	i    int
	s    string
	b    bool
	p    *pair
	v    pair
	list []int
	m    map[string]int
	arr  [3]int
	err  error
	call = func() []int { return nil }
)

func use(...any) {}
`

func TestResult(t *testing.T) {
	c := checked.Body(t, "import \"errors\"\n"+types, "_ = errors.New\nuse(i, s, b, p, v, list, m, arr, err)")
	cx, _ := c.Site()
	at := c.Stmt("use").Pos()
	tests := []struct {
		expr      string
		do        operator.Action
		want      string
		allocates bool
	}{
		{"i", operator.Zero, "0", false},
		{"s", operator.Zero, `""`, false},
		{"b", operator.True, "true", false},
		{"p", operator.Zero, "nil", false},
		{"p", operator.Fresh, "new(pair)", true},
		{"v", operator.Zero, "pair{}", false},
		{"list", operator.Fresh, "[]int{}", false},
		{"m", operator.Fresh, "map[string]int{}", true},
		{"arr", operator.Zero, "[3]int{}", false},
		{"err", operator.Zero, "nil", false},
		{"err", operator.NewError, `errors.New("fuzzmut")`, true},
	}
	for _, tt := range tests {
		typ, ch := c.Info.TypeOf(c.Expr(tt.expr)), operator.Change{Do: tt.do}
		if got, why := cx.Values.Result(typ, ch, at); got != tt.want || why != nil {
			t.Errorf("for %s: %s (%s), want %s", tt.expr, got, why, tt.want)
		}
		if got := cx.Values.Allocates(typ, ch, at); got != tt.allocates {
			t.Errorf("%s allocates: %v", tt.want, got)
		}
	}
}

func TestNewErrorWithoutErrors(t *testing.T) {
	tests := []struct{ imports, declarations, want string }{
		{`"fmt"`, "var _ = fmt.Sprint", `fmt.Errorf("fuzzmut")`},
		{`errs "errors"`, "var errOwn = errs.New(\"a\")", `errs.New("fuzzmut")`},
		{`"io"`, "var _ io.Reader", "io.EOF"},
		{`"strings"`, "var _ = strings.ToUpper", ""},
	}
	for _, tt := range tests {
		c := checked.Body(t, "import "+tt.imports+"\n"+types+tt.declarations, "use(err)")
		cx, _ := c.Site()
		got, why := cx.Values.Result(c.Info.TypeOf(c.Expr("err")), operator.Change{Do: operator.NewError}, c.Stmt("use").Pos())
		if got != tt.want || (why != nil) != (tt.want == "") {
			t.Errorf("with %s: %s (%s), want %s", tt.imports, got, why, tt.want)
		}
	}
}

func TestLength(t *testing.T) {
	c := checked.Body(t, types, "use(list, arr, \"abc\", call())\n{\nlen := 1\nuse(len, list)\n}")
	cx, _ := c.Site()
	outside, inside := c.Stmt("use(list").Pos(), c.Stmt("use(len").Pos()
	for expr, want := range map[string]string{"list": "len(list)", "arr": "3", `"abc"`: "3", "call()": ""} {
		if got, why := cx.Values.Length("len", c.Expr(expr), outside); got != want || (why != nil) != (want == "") {
			t.Errorf("%s: %q (%s), want %q", expr, got, why, want)
		}
	}
	if _, why := cx.Values.Length("len", c.Expr("list"), inside); why != reasons.Redeclared.With("len") {
		t.Errorf("where len is a variable: %q", why)
	}
}

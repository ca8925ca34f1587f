package enum_test

import (
	"go/ast"
	"strings"
	"testing"

	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/checked"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/enum"
)

func TestNeighbours(t *testing.T) {
	c := checked.Body(t, `
type color int

const (
	red color = 2 * iota
	green
	_
	blue
	navy = blue
)

const (
	first = iota
	second
)

const (
	width  = 3
	height = 4
)

const alone color = 9

func use(...any) {}
`, `use(red, green, blue, navy, first, second, width, alone)
{ green := 1; use(green); use((red)) }`)
	enums := enum.Find(c.Info.Info, []*ast.File{c.Src.Syntax})
	neighbours := func(e ast.Expr) string {
		var names []string
		for _, n := range enums.Neighbours(c.Info, e) {
			names = append(names, n.Name())
		}
		return strings.Join(names, " ")
	}
	for name, want := range map[string]string{
		"green": "",      // the last one is the variable
		"blue":  "green", // navy has the same value
		"navy":  "",
		"first": "second", "second": "first",
		"width": "", // neither of a declared type nor counted
		"alone": "",
		"(red)": "", // green is hidden there
	} {
		if got := neighbours(c.Expr(name)); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	first := c.Func("body").Body.List[0].(*ast.ExprStmt).X.(*ast.CallExpr).Args
	if got := neighbours(first[1]); got != "red blue" {
		t.Errorf("green: %q", got)
	}
}

package uses_test

import (
	"go/ast"
	"go/types"
	"strings"
	"testing"

	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/checked"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/uses"
)

const body = `x, y := 1, 2
use(x, strings.ToUpper("a"))
use(y)
use(y)
z := 3
z = 4
{ w := 5; use(w) }
use(z)`

func setUp(t *testing.T) (*checked.Code, *uses.Uses) {
	t.Helper()
	c := checked.Body(t, "import \"strings\"\nfunc use(...any) {}", body)
	return c, uses.Count(c.Src.Fset, c.Info.Info, []*ast.File{c.Src.Syntax})
}

func names(list []types.Object) string {
	var text []string
	for _, obj := range list {
		text = append(text, obj.Name())
	}
	return strings.Join(text, " ")
}

func TestLost(t *testing.T) {
	c, u := setUp(t)
	for stmt, want := range map[string]string{
		`use(x, `: "x strings", // in the order of the source
		"use(y)":  "",          // there is another
		"z = 4":   "",          // an assignment is no use
		"use(z)":  "z",
		"{ w":     "", // goes with its declaration
	} {
		s := c.Stmt(stmt)
		if got := names(u.Lost(c.Src.Tok, s.Pos(), s.End())); got != want {
			t.Errorf("%s: lost %q, want %q", stmt, got, want)
		}
	}
}

func TestLostWith(t *testing.T) {
	c, u := setUp(t)
	list := c.Func("body").Body.List
	if got := names(u.LostWith(c.Src.Tok, list[2:4])); got != "y" {
		t.Errorf("without both uses of y, %q are lost", got)
	}
	if got := names(u.LostWith(c.Src.Tok, list[2:3])); got != "" {
		t.Errorf("without one use of y, %q are lost", got)
	}
}

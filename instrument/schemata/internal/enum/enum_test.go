package enum_test

import (
	"go/ast"
	"strings"
	"testing"

	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/checked"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/enum"
)

func TestNeighbours(t *testing.T) {
	for _, c := range []struct {
		about, src, of, want string
	}{
		{"the first has none before", `type m int; const (A m = iota; B; C); var x = A`, "A", "B"},
		{"in the middle", `type m int; const (A m = iota; B; C); var x = B`, "B", "A C"},
		{"the last has none behind", `type m int; const (A m = iota; B; C); var x = C`, "C", "B"},
		{"in parentheses", `type m int; const (A m = iota; B); var x = (B)`, "(B)", "A"},
		{"without iota, of a declared type", `type m string; const (A m = "a"; B m = "b"); var x = A`, "A", "B"},
		{"iota without a declared type", `const (A = iota; B; C); var x = B`, "B", "A C"},
		{"neither", `const (A = 1; B = 2); var x = A`, "A", ""},
		{"alone, without parentheses", `type m int; const A m = 1; const B m = 2; var x = A`, "A", ""},
		{"two types in one block", `type m int; type n int; const (A m = iota; B n = iota; C m = iota); var x = C`, "C", "A"},
		{"several names on a line", `const (A, B = iota, iota + 10; C, D); var x = B`, "B", "A C"},
		{"the blank identifier is left out", `type m int; const (A m = iota; _; C); var x = A`, "A", "C"},
		{"of the same value", `type m int; const (A m = 1; B m = 1; C m = 2); var x = B`, "B", "C"},
		{"an alias of a basic type is none declared", `type m = int; const (A m = 1; B m = 2); var x = A`, "A", ""},
		{"a variable", `type m int; const (A m = iota; B); var y = A; var x = y`, "y", ""},
		{"an expression", `type m int; const (A m = iota; B); var x = A + 0`, "A + 0", ""},
		{"in a function", `func f() int { const (A = iota; B); return A }`, "A", "B"},
		{"the neighbour is hidden", `type m int; const (A m = iota; B; C); func f(C int) m { return B }`, "B", "A"},
		{"the neighbour is hidden by one declared later", `type m int; const (A m = iota; B); func f() m { x := A; B := 1; _ = B; return x }`, "A", "B"},
		{"iota is something else", `const iota = 5; const (A = iota; B = iota + 1); var x = A`, "A", ""},
		{"of another package", `import "time"; var x = time.March`, "time.March", ""},
	} {
		s := checked.Text(t, c.src)
		var names []string
		for _, n := range enum.Find(s.Info.Info, []*ast.File{s.Src.Syntax}).Neighbours(s.Info, s.FirstExpr(c.of)) {
			names = append(names, n.Name())
		}
		if got := strings.Join(names, " "); got != c.want {
			t.Errorf("%s: %q, want %q", c.about, got, c.want)
		}
	}
}

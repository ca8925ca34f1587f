package helper

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"testing"

	"github.com/fuzzmut/fuzzmut/instrument/operator"
)

// The list of the core's helpers for one type is kept by hand in the core and here.
func TestHelpersAreTheCores(t *testing.T) {
	f, err := parser.ParseFile(token.NewFileSet(), "../../../rt/concrete.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var declared []string
	for _, d := range f.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok {
			declared = append(declared, fn.Name.Name)
		}
	}
	slices.Sort(declared)
	if known := slices.Sorted(maps.Keys(Concrete)); !slices.Equal(declared, known) {
		t.Errorf("the core has %v\nthe rewriter uses %v", declared, known)
	}
}

func TestAlternatives(t *testing.T) {
	live := []operator.Change{{Do: operator.True}, {Do: operator.False}, {Do: operator.Negate}}
	code := func(c operator.Change) int {
		return map[operator.Action]int{operator.True: 2, operator.False: 3, operator.Negate: 13}[c.Do]
	}
	for n, want := range []string{"0", "0x2", "0x32", "0xd32"} {
		if got := Alternatives(live[:n], code); got != want {
			t.Errorf("%d changes are %s, want %s", n, got, want)
		}
	}
}

func TestBegin(t *testing.T) {
	w := &Writer{RT: "rt"}
	named := types.NewNamed(types.NewTypeName(0, nil, "N", nil), types.Typ[types.Int], nil)
	for _, tt := range []struct{ got, want string }{
		{w.BeginFor("Cmp", types.Typ[types.Int], "[int]", "%d, ", 7), "rt.CmpInt(7, "},
		{w.BeginFor("Cmp", named, "[N]", "%d, ", 7), "rt.Cmp[N](7, "},
		{w.BeginFor("Ret", types.Universe.Lookup("error").Type(), "[error]", "%d, ", 7), "rt.RetError(7, "},
		{w.BeginFor("Swapped", types.Typ[types.Int], "[int]", "%d, ", 7), "rt.Swapped[int](7, "},
		{w.BeginBool("Left", types.Typ[types.Bool], "", "%d, ", 7), "rt.Left(7, "},
		{w.BeginBool("Left", named, "[N]", "%d, ", 7), "rt.LeftOf[N](7, "},
	} {
		if tt.got != tt.want {
			t.Errorf("%s, want %s", tt.got, tt.want)
		}
	}
}

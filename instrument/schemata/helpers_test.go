package schemata

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"slices"
	"testing"

	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/typename"
)

// TestHelpersAreTheCores: the rewriter and the core have the same lists of what there
// is for one type alone.
func TestHelpersAreTheCores(t *testing.T) {
	f, err := parser.ParseFile(token.NewFileSet(), "../rt/concrete.go", nil, 0)
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
	if known := slices.Sorted(maps.Keys(concrete)); !slices.Equal(declared, known) {
		t.Errorf("the core has %v\nthe rewriter uses %v", declared, known)
	}
}

func TestCoreDeclaresWhatTheRewriterNames(t *testing.T) {
	core, err := coreTypes()
	if err != nil {
		t.Fatal(err)
	}
	names := slices.Concat(slices.Collect(maps.Values(typename.CoreNames)), slices.Collect(maps.Values(exits)))
	for n := 1; n <= mostLast; n++ {
		names = append(names, fmt.Sprintf("Last%d", n))
	}
	for _, name := range names {
		if core.Scope().Lookup(name) == nil {
			t.Errorf("the core has no %s", name)
		}
	}
	if core.Scope().Lookup(fmt.Sprintf("Last%d", mostLast+1)) != nil {
		t.Errorf("the core shows more than %d results at a function's return", mostLast)
	}
}

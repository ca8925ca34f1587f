package literals

import (
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
	"testing"
)

// What differs shows in what a test prints of two values, whatever their methods say.
func TestVerbShowsWhatDiffers(t *testing.T) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "verbtypes_test.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	pkg, err := (&types.Config{Importer: importer.ForCompiler(fset, "source", nil)}).Check("literals", fset, []*ast.File{file}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		typ, verb string
		got, want any
	}{
		{"int", "%+v", 1, 2},
		{"[]string", "%+v", []string{"a"}, []string{"b"}},
		{"grade", "%v (%d)", grade(1), grade(2)},
		{"share", "%v (%g)", share(1), share(2)},
		{"label", "%v (%#v)", label("a"), label("b")},
		{"closed", "%#v", closed{1, 2}, closed{1, 3}},
		{"*closed", "%#v", &closed{1, 2}, &closed{1, 3}},
		{"[]closed", "%#v", []closed{{1, 2}}, []closed{{1, 3}}},
		{"map[string]closed", "%#v", map[string]closed{"": {1, 2}}, map[string]closed{"": {1, 3}}},
		{"map[grade]int", "%#v", map[grade]int{1: 1}, map[grade]int{2: 1}},
		{"[1]closed", "%#v", [1]closed{{1, 2}}, [1]closed{{1, 3}}},
		{"holds", "%#v", holds{closed{1, 2}}, holds{closed{1, 3}}},
		{"secret", "%+v", secret{closed{1, 2}}, secret{closed{1, 3}}},
		{"open", "%+v", open{1, 2}, open{1, 3}},
		{"points", "%+v", points{&open{1, 2}}, points{&open{1, 3}}},
		{"format", "%#v", nil, nil}, // what that says is up to the method
		{"chain", "%#v", chain{Of: closed{1, 2}}, chain{Of: closed{1, 3}}},
	} {
		tv, err := types.Eval(fset, pkg, token.NoPos, c.typ)
		if err != nil {
			t.Fatal(err)
		}
		verb := Verb(tv.Type)
		if verb != c.verb {
			t.Errorf("%s: %s, want %s", c.typ, verb, c.verb)
		}
		show := func(v any) string { return fmt.Sprintf(verb, []any{v, v}[:strings.Count(verb, "%")]...) }
		if got, want := show(c.got), show(c.want); got == want && c.got != nil {
			t.Errorf("%s: both are %s", c.typ, got)
		}
	}
}

func TestVerbOfParts(t *testing.T) {
	plain, hidden := Part{Get: "got.A"}, Part{Get: "got.B", hides: true}
	for _, c := range []struct {
		cases [][]Part
		want  string
	}{
		{nil, "%+v"},
		{[][]Part{{plain}, nil}, "%+v"},
		{[][]Part{{plain}, {plain, hidden}}, "%+v (%#v)"},
	} {
		if got := PartsVerb(c.cases); got != c.want {
			t.Errorf("%v: %s, want %s", c.cases, got, c.want)
		}
	}
}

package literals

import (
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
	"testing"

	"github.com/fuzzmut/fuzzmut/instrument/overlay/observe"
)

const tokens = `package token

type Kind uint8

const (
	EOF Kind = iota
	Name
	number
)

func (k Kind) String() string { return "kind" }

type Flags uint

const (
	Fast Flags = 1 << iota
	Safe
	Wide
)

type Word string

const Hello Word = "hello"

type Token struct {
	Kind  Kind
	Flags Flags
	Mark  byte
	N     uint8
}

type opaque struct {
	Kind Kind
	n    int
}
`

func tokenTypes(t *testing.T) *types.Package {
	t.Helper()
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "token.go", tokens, 0)
	if err != nil {
		t.Fatal(err)
	}
	pkg, err := new(types.Config).Check("example.com/token", fset, []*ast.File{file}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return pkg
}

// Constants are written by their names where the file can have these, in a literal of any form.
func TestDeclaredConstants(t *testing.T) {
	pkg := tokenTypes(t)
	for _, test := range []struct{ typ, text, inside, outside string }{
		{"Kind", `token.Kind 1 "kind"`, "Name", "token.Name"},
		{"Kind", `token.Kind 0 "kind"`, "EOF", "token.EOF"},
		{"Kind", `token.Kind 2 "kind"`, "number", "2"},
		{"Kind", `token.Kind 9 "kind"`, "9", "9"},
		{"[]Flags", `[]token.Flags [1, 6, 8]`, "[]Flags{Fast, Safe|Wide, 8}", "[]token.Flags{token.Fast, token.Safe|token.Wide, 8}"},
		{"map[Kind]Flags", `map[token.Kind]token.Flags map{1 "kind": 5}`, "map[Kind]Flags{Name: Fast|Wide}", "map[token.Kind]token.Flags{token.Name: token.Fast|token.Wide}"},
		{"Flags", "token.Flags 2", "Safe", "token.Safe"},
		{"Flags", "token.Flags 8", "8", "8"},
		{"Word", `token.Word "hello"`, "Hello", "token.Hello"},
		{"any", `token.Kind 1 "kind"`, "Name", "token.Name"},
		{"any", `token.Kind 9 "kind"`, "Kind(9)", "token.Kind(9)"},
		{"any", `token.Flags 5`, "Fast|Wide", "token.Fast|token.Wide"},
		{"Token", `token.Token {Kind: 0 "kind", Flags: 0, Mark: 0, N: 47}`, "Token{N: 47}", "token.Token{N: 47}"},
		{"Token", `token.Token {Kind: 1 "kind", Flags: 3, Mark: 47, N: 0}`, "Token{Kind: Name, Flags: Fast|Safe, Mark: '/'}", "token.Token{Kind: token.Name, Flags: token.Fast|token.Safe, Mark: '/'}"},
		{"byte", "uint8 47", "'/'", "'/'"},
		{"uint8", "uint8 47", "47", "47"},
		{"[]rune", "[]int32 [97, 10]", "[]rune{'a', 10}", "[]rune{'a', 10}"},
		{"any", "uint8 47", "uint8(47)", "uint8(47)"},
	} {
		tv, err := types.Eval(token.NewFileSet(), pkg, token.NoPos, "(*"+test.typ+")(nil)")
		if err != nil {
			t.Fatal(err)
		}
		typ := tv.Type.(*types.Pointer).Elem()
		other := types.NewPackage("example.com/other", "other")
		other.SetImports([]*types.Package{pkg})
		for _, c := range []struct {
			in   *types.Package
			want string
		}{{pkg, test.inside}, {other, test.outside}} {
			lit := New(c.in)
			got, _ := lit.Of(typ, test.text)
			code, imports := lit.Unmark([]byte(got))
			if string(code) != c.want || strings.Contains(got, "token.") != (len(imports) == 1) {
				t.Errorf("%s %s in %s: %s, imports %v; want %s", test.typ, test.text, c.in.Path(), code, imports, c.want)
			}
		}
	}
}

// A name that the file uses otherwise, or a package that it can't import, leaves the number.
func TestConstantsThatCannotBeNamed(t *testing.T) {
	pkg := tokenTypes(t)
	kind := pkg.Scope().Lookup("Kind").Type()
	one := constant.MakeInt64(1)
	if src, ok := New(pkg, "Name").Constant(kind, one); ok {
		t.Errorf("of a name that is taken: %s", src)
	}
	lit := New(types.NewPackage("example.com/other", "other"))
	lit.Reserve([]observe.Import{{Path: "go/token"}})
	if src, ok := lit.Constant(kind, one); ok {
		t.Errorf("of a package whose name another has: %s", src)
	}
	if src := lit.Written(kind, "1"); src != "1" {
		t.Errorf("written %s", src)
	}
}

// A part that a constant is compared with has its type by that.
func TestPartsAreConstants(t *testing.T) {
	pkg := tokenTypes(t)
	list := New(pkg).PartsOf(pkg.Scope().Lookup("opaque").Type(), "token.opaque {Kind: 1 \"kind\"}", "got")
	if len(list) > 0 {
		t.Errorf("of a type that golden files do not name: %+v", list)
	}
	p := &parts{literal: literal{Literals: New(pkg), rest: "{Kind: 1 \"kind\"}", ok: true}}
	p.walk(pkg.Scope().Lookup("opaque").Type(), place{"got", true})
	if len(p.list) != 1 || p.list[0].Get != "got.Kind" || p.list[0].Want != "Name" {
		t.Errorf("%+v", p.list)
	}
}

package literals

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fuzzmut/fuzzmut/instrument/overlay/observe"
)

const shapes = `package shape

import "example.com/pos"

type Kind int

func (k Kind) String() string { return "kind" }

type Point struct{ X, Y int }

type ID [2]byte

func (i ID) String() string { return "27" }

func (p *Point) Sum() int { return p.X + p.Y }

type Path struct {
	Name   string
	Points []*Point
	By     map[string]Point
	Any    any
	Kind   Kind
	At     pos.Position
}

type Token struct {
	Bytes []byte
	Text  string
}

type hidden struct{ A int }
type Mixed struct{ A int; b int }
type Outer struct{ Point }
type Holds struct{ H hidden }
type Fault struct{ Code int }

func (f *Fault) Error() string { return "fault" }

type Quiet struct{ n int }

func (q Quiet) String() string { return "quiet" }

type ByPointer struct{ n int }

func (q *ByPointer) String() string { return "by" }
`

const positions = `package pos

type Position struct {
	Filename             string
	Offset, Line, Column int
}
`

// packages imports those that were checked before.
type packages map[string]*types.Package

func (p packages) Import(path string) (*types.Package, error) { return p[path], nil }

func shapeTypes(t *testing.T) *types.Package {
	t.Helper()
	fset, done := token.NewFileSet(), make(packages)
	config := types.Config{Importer: done}
	for _, p := range []struct{ path, src string }{{"example.com/pos", positions}, {"example.com/shape", shapes}} {
		file, err := parser.ParseFile(fset, p.path, p.src, 0)
		if err != nil {
			t.Fatal(err)
		}
		if done[p.path], err = config.Check(p.path, fset, []*ast.File{file}, nil); err != nil {
			t.Fatal(err)
		}
	}
	return done["example.com/shape"]
}

func TestLiterals(t *testing.T) {
	pkg := shapeTypes(t)
	for _, test := range []struct{ typ, text, want string }{
		{"int", "int 3", "3"},
		{"float64", "float64 1.5", "1.5"},
		{"float64", "float64 NaN", ""},
		{"float64", "float64 -0", ""},
		{"float64", "float64 +Inf", ""},
		{"byte", "uint8 3", "3"},
		{"rune", "int32 97", "'a'"},
		{"uint64", "uint64 18446744073709551615", "18446744073709551615"},
		{"int", "int -2147483648", "-2147483648"},
		{"int", "int 2147483648", ""}, // it does not compile where an int has 32 bits
		{"[]uint", "[]uint [1, 4294967296]", ""},
		{"any", "int 2147483648", ""},
		{"uintptr", "uintptr not 0", ""},
		{"complex128", "complex128 (1, 2i)", ""},
		{"string", "string\n\t\"a\\n\" +\n\t\"b\"", ""}, // a type is followed by a space
		{"string", "string \n\t\"a\\n\" +\n\t\"b\"", `"a\nb"`},
		{"string", `string "a"... 2000 bytes, hash 00`, ""},
		{"[]string", `[]string ["a", "b, c]"]`, `[]string{"a", "b, c]"}`},
		{"[]string", "[]string [\n\t\"a\"\n\t\"b\"\n]", `[]string{"a", "b"}`},
		{"[]string", "[]string nil", "nil"},
		{"[]string", "[]string []", "[]string{}"},
		{"[]byte", `[]uint8 "a\n"`, `[]byte("a\n")`},
		{"[]byte", `[]uint8 ""`, `[]byte{}`},
		{"[3]byte", `[3]uint8 "abc"`, "[3]byte{'a', 'b', 'c'}"},
		{"[3]byte", `[3]uint8 "a\x00\xff"`, "[3]byte{0x61, 0x00, 0xff}"},
		{"[3]byte", `[3]uint8 "\x00\x00\x00"`, "[3]byte{}"},
		{"[3]byte", `[3]uint8 "a"... 2000 bytes, hash 00`, ""},
		{"ID", `shape.ID "a'" "27"`, `ID{'a', '\''}`},
		{"[]ID", `[]shape.ID ["a ", "\n\n"]`, `[]ID{{'a', ' '}, {0x0a, 0x0a}}`},
		{"[2]int", "[2]int [1, 2]", "[2]int{1, 2}"},
		{"[]int", "[]int [\n\t1, 2\n\t3\n]", "[]int{1, 2, 3}"},
		{"[]int", "[]int [1, 2]... 2000 numbers, hash 00", ""},
		{"[][]byte", `[][]uint8 ["a", nil]`, `[][]byte{[]byte("a"), nil}`},
		{"map[string]int", `map[string]int map{"a": 1, "b c": 2}`, `map[string]int{"a": 1, "b c": 2}`},
		{"map[string]int", "map[string]int map{}", "map[string]int{}"},
		{"Kind", `shape.Kind 3 "kind"`, "3"},
		{"[]Kind", `[]shape.Kind [3 "kind", 4 "kind"]`, "[]Kind{3, 4}"},
		{"Point", "shape.Point {X: 1, Y: 0, Sum(): 1}", "Point{X: 1}"},
		{"*Point", "*shape.Point &{X: 0, Y: 2, Sum(): 2}", "&Point{Y: 2}"},
		{"*Point", "*shape.Point nil", "nil"},
		{"[]*Point", "[]*shape.Point [&{X: 1, Y: 2, Sum(): 3}, nil]", "[]*Point{{X: 1, Y: 2}, nil}"},
		{"[]*Point", "[]*shape.Point [&{X: 1, Sum(): 3}]", ""}, // a view leaves Y out
		{"[]*Point", "[]*shape.Point [cycle, 1 up]", ""},
		{
			"Path",
			"shape.Path {\n\tAny: map[string]interface {} map{\"a\": []interface {} [int 1, float64 2, uint8 3, nil, string \"x\"]}\n" +
				"\tAt: {Column: 1, Filename: \"f\", Line: 2, Offset: 0, String(): \"f:2:1\"}\n\tBy: map{\"p\": {X: 1, Y: 0}}\n" +
				"\tKind: 0 \"kind\"\n\tName: \n\t\t\"a\\n\" +\n\t\t\"b\"\n\tPoints: [\n\t\t&{X: 1, Y: 2}\n\t]\n\tMore(): (1, \"a, b\")\n}",
			`Path{Name: "a\nb", Points: []*Point{{X: 1, Y: 2}}, By: map[string]Point{"p": {X: 1}}, ` +
				`Any: map[string]interface{}{"a": []interface{}{1, float64(2), uint8(3), nil, "x"}}, At: pos.Position{Filename: "f", Line: 2, Column: 1}}`,
		},
		{"Path", "shape.Path {Any: int 0, At: {Column: 0, Filename: \"\", Line: 0, Offset: 0}, By: nil, Kind: 0, Name: \"\", Points: nil}", "Path{Any: 0, At: pos.Position{}}"},
		{"[]Token", "[]shape.Token [{Bytes: \"\", Text: \"\"}, {Bytes: nil, Text: \"a\"}]", `[]Token{{Bytes: []byte{}}, {Text: "a"}}`},
		{"any", "shape.Point {X: 1, Y: 2}", "Point{X: 1, Y: 2}"},
		{"any", "*shape.Point &{X: 1, Y: 2}", "&Point{X: 1, Y: 2}"},
		{"any", "*shape.Point nil", ""}, // which is not the nil of an interface
		{"any", "shape.Kind 1 \"kind\"", "Kind(1)"},
		{"any", "shape.Mixed {A: 1}", ""},
		{"any", "shape.Absent {A: 1}", ""},
		{"any", "uint8 1", "uint8(1)"},
		{"any", "[]uint8 \"a\\n\"", `[]byte("a\n")`},
		{"any", "[]uint8 nil", ""},
		{"any", "[]string [\"a\"]", `[]string{"a"}`},
		{"any", "map[interface {}]interface {} map{string \"a\": [][]int [[1], nil]}", `map[interface{}]interface{}{"a": [][]int{{1}, nil}}`},
		{"any", "map[[]int]string map{}", ""},
		{"interface{ Sum() int }", "*shape.Point &{X: 1, Y: 2}", ""},
		{"any", "bool true", "true"},
		{"any", "nil", "nil"},
		{"error", `*shape.Fault error "fault"`, ""},
		{"*Fault", `*shape.Fault error "fault" {Code: 1}`, ""},
		{"hidden", "{A: 1}", ""},
		{"Holds", "shape.Holds {H: {A: 1}}", "Holds{H: hidden{A: 1}}"},
		{"Mixed", "shape.Mixed {A: 1}", ""},
		{"Outer", "shape.Outer {X: 1, Y: 2}", ""},
		{"func()", "func not nil", ""},
	} {
		tv, err := types.Eval(token.NewFileSet(), pkg, token.NoPos, "(*"+test.typ+")(nil)")
		if err != nil {
			t.Fatal(err)
		}
		lit := New(pkg)
		got, ok := lit.Of(tv.Type.(*types.Pointer).Elem(), test.text)
		code, imports := lit.Unmark([]byte(got))
		if string(code) != test.want || ok != (test.want != "") {
			t.Errorf("%s %q: %s, %v; want %s", test.typ, test.text, code, ok, test.want)
		}
		var want []observe.Import
		if strings.Contains(test.want, "pos.") {
			want = []observe.Import{{Path: "example.com/pos"}}
		}
		if diff := cmp.Diff(want, imports); diff != "" {
			t.Errorf("%s: imports (-want +got):\n%s", test.text, diff)
		}
	}
}

// A literal is written where the file can name its types.
func TestLiteralsOfOtherPackages(t *testing.T) {
	pkg := shapeTypes(t)
	point := pkg.Scope().Lookup("Point").Type()
	const text = "shape.Point {X: 1, Y: 2}"
	for path, want := range map[string]string{
		"example.com/other":   "shape.Point{X: 1, Y: 2}",
		"example.com/shape":   "Point{X: 1, Y: 2}",
		"example.com/has":     "",
		"example.com/imports": "",
	} {
		test := types.NewPackage(path, "p")
		lit := New(test)
		switch path {
		case "example.com/has":
			test.Scope().Insert(types.NewVar(token.NoPos, test, "shape", types.Typ[types.Int]))
		case "example.com/imports":
			lit.Reserve([]observe.Import{{Path: "example.com/another/shape"}})
		}
		got, ok := lit.Of(point, text)
		if code, _ := lit.Unmark([]byte(got)); string(code) != want || ok != (want != "") {
			t.Errorf("%s: %s, %v; want %s", path, code, ok, want)
		}
	}
	if a, b := namedImport("hcl", "example.com/hcl/v2"), namedImport("hcl", "example.com/hcl"); a != (observe.Import{Name: "hcl", Path: "example.com/hcl/v2"}) || b != (observe.Import{Path: "example.com/hcl"}) {
		t.Errorf("imports: %+v, %+v", a, b)
	}
	inner := types.NewNamed(types.NewTypeName(token.NoPos, types.NewPackage("example.com/a/internal/shape", "shape"), "T", nil), types.NewStruct(nil, nil), nil)
	for path, want := range map[string]bool{"example.com/a/b": true, "example.com/ab": false} {
		if _, ok := New(types.NewPackage(path, "p")).Source(inner); ok != want {
			t.Errorf("%s can name a type of %v: %v", path, inner, ok)
		}
	}
}

// A long list has an element in each line; a longer one has no literal, and parts.
func TestLongLists(t *testing.T) {
	pkg := shapeTypes(t)
	list := func(n int) (typ types.Type, text string) {
		return types.NewSlice(pkg.Scope().Lookup("Token").Type()), "[]shape.Token [" + strings.TrimSuffix(strings.Repeat(`{Bytes: "some bytes", Text: "and a text"}, `, n), ", ") + "]"
	}
	line := "{Bytes: []byte(\"some bytes\"), Text: \"and a text\"}"
	want := "[]Token{\n" + strings.Repeat(line+",\n", 4) + "}"
	if got, ok := New(pkg).Of(list(4)); got != want || !ok {
		t.Errorf("%s, %v; want\n%s", got, ok, want)
	}
	if got, want := Joined(want), "[]Token{"+strings.TrimSuffix(strings.Repeat(line+", ", 4), ", ")+"}"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got, ok := New(pkg).Of(list(linesMost + 1)); ok {
		t.Errorf("%s", got)
	}
	typ, text := list(linesMost + 1)
	parts := New(pkg).PartsOf(typ, text, "got")
	if len(parts) != partsMost || parts[0] != (Part{Get: "len(got)", Want: "41", depth: 1}) || parts[1].Get != "got[0]" {
		t.Errorf("%d parts: %v", len(parts), parts)
	}
}

func TestWhatSprintSays(t *testing.T) {
	pkg := shapeTypes(t)
	for _, test := range []struct{ typ, text, want string }{
		{"Quiet", `shape.Quiet {String(): "quiet", Len(): 1}`, `"quiet"`},
		{"*Quiet", `*shape.Quiet &{Name: "a, String(): b", String(): "quiet"}`, `"quiet"`},
		{"*Quiet", "*shape.Quiet nil", ""},
		{"Quiet", "shape.Quiet {String(): panic}", ""},
		{"ByPointer", `shape.ByPointer {String(): "by"}`, ""},
		{"*ByPointer", `*shape.ByPointer &{String(): "by"}`, `"by"`},
		{"interface{ String() string }", `*shape.ByPointer &{String(): "by"}`, `"by"`},
		{"interface{ String() string }", `shape.Quiet {String(): "quiet"}`, ""},
		{"Point", "shape.Point {X: 1, Y: 2}", ""},
	} {
		tv, err := types.Eval(token.NewFileSet(), pkg, token.NoPos, "(*"+test.typ+")(nil)")
		if err != nil {
			t.Fatal(err)
		}
		if got, ok := SaidBy(tv.Type.(*types.Pointer).Elem(), test.text); got != test.want || ok != (test.want != "") {
			t.Errorf("%s %s: %s, %v; want %s", test.typ, test.text, got, ok, test.want)
		}
	}
}

func TestWhatSprintSaysOfErrors(t *testing.T) {
	for text, want := range map[string]string{
		"nil":                        `"<nil>"`,
		`error "a"`:                  `"a"`,
		`*p.E error "a b" {Line: 3}`: `"a b"`,
		"error \n\t\"a\\n\" +\n\t\"b\" {Line: 3}": `"a\nb"`,
		`error "a"... 2000 bytes, hash 12`:        "",
		"panic in Error: runtime.Error":           "",
	} {
		if got, ok := SaidByError(text); ok != (want != "") || ok && got != want {
			t.Errorf("%s: %s, %v; want %s", text, got, ok, want)
		}
	}
}

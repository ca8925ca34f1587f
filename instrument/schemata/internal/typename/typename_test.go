package typename_test

import (
	"go/types"
	"testing"

	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/checked"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/typename"
)

func TestName(t *testing.T) {
	for _, c := range []struct {
		about, typ, want string
		plain            string // without the core, where that is another text or "-": it can't be named
	}{
		{"predeclared", `int`, `int`, ""},
		{"named", `own`, `own`, ""},
		{"composite", `map[string][]*own`, `map[string][]*own`, ""},
		{"array", `[3]own`, `[3]own`, ""},
		{"function", `func(int, ...string) (own, error)`, `func(int, ...string) (own, error)`, ""},
		{"function without results", `func()`, `func()`, ""},
		{"parameters lose their names", `func(a, b int) (c own)`, `func(int, int) (own)`, ""},
		{"channels keep their direction", `chan<- int`, `chan<- (int)`, ""},
		{"receive only", `<-chan int`, `<-chan (int)`, ""},
		{"a channel of channels", `chan (<-chan int)`, `chan (<-chan (int))`, ""},
		{"struct", "struct{ A int `k:\"v\"`; b own }", `struct{A int "k:\"v\""; b own}`, ""},
		{"embedded", `struct{ own; *other }`, `struct{own; *other}`, ""},
		{"interface", `interface{ M(int) string; error }`, `interface{Error() (string); M(int) (string)}`, ""},
		{"empty interface", `interface{}`, `interface{}`, ""},
		{"any", `any`, `any`, ""},
		{"an alias by its name", `alias`, `alias`, ""},
		{"imported", `bytes.Buffer`, `bytes.Buffer`, ""},
		{"imported by another name", `*str.Builder`, `*str.Builder`, ""},
		{"instance", `generic[int, own]`, `generic[int, own]`, ""},
		{"instance of an instance", `generic[string, generic[int, own]]`, `generic[string, generic[int, own]]`, ""},
		{"unsafe pointer", `unsafe.Pointer`, `rt.Pointer_`, "-"},
		{"byte is uint8's name", `byte`, `byte`, ""},
	} {
		s := checked.Text(t, `import ("bytes"; str "strings"; "unsafe")
type own int
type other int
type alias = map[own]bool
type generic[K comparable, V any] struct{ k K; v V }
var _ str.Builder; var _ bytes.Buffer; var _ unsafe.Pointer
func f(x `+c.typ+`) { here() }
func here()`)
		n := typename.New(s.Info.Pkg, "rt")
		typ := s.Object("x").Type()
		at := s.Pos("here() }")
		if got, ok := n.Name(typ, at, false); !ok || got != c.want {
			t.Errorf("%s: %q, %t, want %q", c.about, got, ok, c.want)
		}
		got, ok := n.Name(typ, at, true)
		if ok == (c.plain == "-") || ok && got != c.want {
			t.Errorf("%s in plain text: %q, %t", c.about, got, ok)
		}
	}
}

// Where another declaration hides a name, the type has to be named otherwise, or can't be.
func TestHiddenNames(t *testing.T) {
	for _, c := range []struct{ about, src, want, plain string }{
		{"a hidden predeclared type", `func f(x int) { int := 1; _ = int; here() }`, "rt.Int_", "-"},
		{"in a slice", `func f(x []string) { string := 1; _ = string; here() }`, "[]rt.String_", "-"},
		{"hidden in another block", `func f(x int) { { int := 1; _ = int }; here() }`, "int", "int"},
		{"hidden later in the block", `func f(x int) { here(); int := 1; _ = int }`, "int", "int"},
		{"hidden in the package", `func f(x bool) { here() }; type own bool; func error() {}`, "bool", "bool"},
		{"byte hidden: its other name is not tried", `func f(x byte) { byte := 1; _ = byte; here() }`, "rt.Uint8_", "-"},
		{"a hidden type of the package", `type own int; func f(x own) { own := 1; _ = own; here() }`, "-", "-"},
		{"a type of another function", `func f() { type own int; var x own; _ = x }; func g() { here() }`, "-", "-"},
		{"a type of this function", `func f() { type own int; var x own; _ = x; here() }`, "own", "own"},
		{"before it is declared", `func f() { here(); type own int; var x own; _ = x }`, "-", "-"},
		{"a hidden import", `import "bytes"; func f(x bytes.Buffer) { bytes := 1; _ = bytes; here() }`, "-", "-"},
		{"a dot import", `import . "bytes"; func f(x Buffer) { here() }`, "Buffer", "Buffer"},
		{"a type that is not imported", `import "os"; func f() { x, _ := os.Stat(""); _ = x; here() }`, "os.FileInfo", "os.FileInfo"},
		{"not imported at all", `import "net/http"; func f() { x := http.Request{}.URL; _ = x; here() }`, "-", "-"},
		{"not exported by the package that is imported", `import "encoding/binary"; func f() { x := binary.LittleEndian; _ = x; here() }`, "-", "-"},
		{"a hidden alias: what it stands for", `type alias = []int; func f(x alias) { alias := 1; _ = alias; here() }`, "[]int", "[]int"},
		{"an alias of a hidden type", `type own int; type alias = own; func f(x alias) { alias, own := 1, 2; _, _ = alias, own; here() }`, "-", "-"},
		{"a hidden alias within a type", `type alias = []int; func f(x map[string]alias) { alias := 1; _ = alias; here() }`, "map[string][]int", "map[string][]int"},
		{"a type parameter", `func f[T any](x T) { here() }`, "T", "T"},
		{"of another function", `func g[T any](x T) { }; func f() { here() }`, "-", "-"},
		{"hidden", `func f[T any](x T) { { T := 1; _ = T; here() } }`, "-", "-"},
		{"an instance with a hidden argument", `type g[T any] struct{}; type own int; func f(x g[own]) { own := 1; _ = own; here() }`, "-", "-"},
		{"a field of a hidden type", `type own int; func f(x struct{ a own }) { own := 1; _ = own; here() }`, "-", "-"},
	} {
		s := checked.Text(t, c.src+`; func here()`)
		n := typename.New(s.Info.Pkg, "rt")
		typ, at := s.Object("x").Type(), s.Pos("here()")
		for _, way := range []struct {
			plain bool
			want  string
		}{{false, c.want}, {true, c.plain}} {
			got, ok := n.Name(typ, at, way.plain)
			if ok == (way.want == "-") || ok && got != way.want {
				t.Errorf("%s (plain: %t): %q, %t, want %q", c.about, way.plain, got, ok, way.want)
			}
		}
	}
}

func TestUntypedAndOtherTypes(t *testing.T) {
	s := checked.Text(t, `func f() { here() }; func here()`)
	n, at := typename.New(s.Info.Pkg, "rt"), s.Pos("here() }")
	for _, c := range []struct {
		typ  types.Type
		want string
	}{
		{types.Typ[types.UntypedInt], "int"},
		{types.Typ[types.UntypedRune], "rune"},
		{types.Typ[types.UntypedFloat], "float64"},
		{types.Typ[types.UntypedString], "string"},
		{types.Typ[types.UntypedBool], "bool"},
		{types.Typ[types.UntypedNil], "-"},
		{types.NewTuple(), "-"},
	} {
		if got, ok := n.Name(c.typ, at, false); ok == (c.want == "-") || ok && got != c.want {
			t.Errorf("%v: %q, %t, want %q", c.typ, got, ok, c.want)
		}
	}
	if _, ok := n.Name(types.Typ[types.Int], 0, false); ok {
		t.Error("a type has a name where there is no code")
	}
}

// What is not exported by another package can't be written, though it can be had.
func TestUnexportedParts(t *testing.T) {
	other := types.NewPackage("other", "other")
	hidden := types.NewStruct([]*types.Var{types.NewField(0, other, "a", types.Typ[types.Int], false)}, nil)
	method := types.NewInterfaceType([]*types.Func{types.NewFunc(0, other, "m", types.NewSignatureType(nil, nil, nil, nil, nil, false))}, nil)
	named := types.NewNamed(types.NewTypeName(0, other, "own", nil), types.Typ[types.Int], nil)
	s := checked.Text(t, `func f() { here() }; func here()`)
	n, at := typename.New(s.Info.Pkg, "rt"), s.Pos("here() }")
	for _, typ := range []types.Type{hidden, method.Complete(), named} {
		if got, ok := n.Name(typ, at, false); ok {
			t.Errorf("%v is written %q", typ, got)
		}
	}
}

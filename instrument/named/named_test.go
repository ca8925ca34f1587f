package named

import (
	"go/ast"
	"go/constant"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"math"
	"strings"
	"testing"
	"time"
)

const declared = `package p

import "time"

type Mode uint8

const (
	First Mode = 1 + iota
	Second
	Third
	fourth
	Last = Third
	_
)

type Flags uint

const (
	A Flags = 1 << iota
	B
	hidden
	D
	Both = A | B
)

type Two uint8

const (
	TwoA Two = 1
	TwoB Two = 2
)

type Codes int

const (
	Fine  Codes = 1
	Bad   Codes = 2
	Worse Codes = 4
	Other Codes = 24
)

type High int8

const (
	HighA High = 4
	HighB High = 8
	HighC High = -128
)

type Word string

const Hello Word = "hello"

type Truth bool

const Yes Truth = true

type Plain int

const Untyped = 7

var T time.Duration
`

func check(t *testing.T) *types.Package {
	t.Helper()
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", declared, 0)
	if err != nil {
		t.Fatal(err)
	}
	pkg, err := (&types.Config{Importer: importer.Default()}).Check("p", fset, []*ast.File{file}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return pkg
}

// A value is the constant of its type, or bits that are constants, where the type has flags.
func TestConstants(t *testing.T) {
	pkg := check(t)
	exported := func(c *types.Const) bool { return c.Exported() }
	all := func(*types.Const) bool { return true }
	for _, c := range []struct {
		typ    string
		value  constant.Value
		usable func(*types.Const) bool
		want   string
	}{
		{"Mode", constant.MakeInt64(1), exported, "First"},
		{"Mode", constant.MakeInt64(3), exported, "Third"}, // and not Last, which comes after
		{"Mode", constant.MakeInt64(4), exported, ""},
		{"Mode", constant.MakeInt64(4), all, "fourth"},
		{"Mode", constant.MakeInt64(5), all, ""}, // no First|fourth
		{"Mode", constant.MakeInt64(0), all, ""},
		{"Flags", constant.MakeInt64(2), exported, "B"},
		{"Flags", constant.MakeInt64(3), exported, "Both"},
		{"Flags", constant.MakeInt64(9), exported, "A|D"},
		{"Flags", constant.MakeInt64(11), exported, "A|B|D"},
		{"Flags", constant.MakeInt64(13), exported, ""},
		{"Flags", constant.MakeInt64(13), all, "A|hidden|D"},
		{"Flags", constant.MakeInt64(17), all, ""},
		{"Flags", constant.MakeInt64(0), all, ""},
		{"Two", constant.MakeInt64(3), all, ""},   // these may be numbered
		{"Codes", constant.MakeInt64(3), all, ""}, // a constant is no union
		{"High", constant.MakeInt64(12), all, "HighA|HighB"},
		{"High", constant.MakeInt64(-124), all, ""}, // of a negative number
		{"Word", constant.MakeString("hello"), all, "Hello"},
		{"Word", constant.MakeString("other"), all, ""},
		{"Truth", constant.MakeBool(true), all, "Yes"},
		{"Truth", constant.MakeBool(false), all, ""},
		{"Plain", constant.MakeInt64(7), all, ""},
	} {
		var names []string
		for _, o := range Constants(pkg.Scope().Lookup(c.typ).Type(), c.value, c.usable) {
			names = append(names, o.Name())
		}
		if got := strings.Join(names, "|"); got != c.want {
			t.Errorf("%s %s: %q, want %q", c.typ, c.value, got, c.want)
		}
	}
	duration := pkg.Scope().Lookup("T").Type()
	if got := Constants(duration, constant.MakeInt64(1e9), exported); len(got) != 1 || got[0].Name() != "Second" || got[0].Pkg().Path() != "time" {
		t.Errorf("time.Second: %v", got)
	}
	if got := Constants(duration, constant.MakeInt64(1001), exported); got != nil {
		t.Errorf("1001 ns: %v", got)
	}
	if got := Constants(types.Typ[types.Int], constant.MakeInt64(7), all); got != nil {
		t.Errorf("int: %v", got)
	}
}

// A byte or rune is a character where its type has that name.
func TestCharacters(t *testing.T) {
	name := func(name string) types.Type { return types.Universe.Lookup(name).Type() }
	for _, c := range []struct {
		typ  types.Type
		n    int64
		want string
	}{
		{name("byte"), '/', `'/'`},
		{name("byte"), '\'', `'\''`},
		{name("byte"), ' ', `' '`},
		{name("byte"), 0, ""},
		{name("byte"), 0x7f, ""},
		{name("byte"), 0xe9, ""}, // half of a character in a text
		{name("rune"), 'é', `'é'`},
		{name("rune"), '\n', ""},
		{name("rune"), 0xfffd, "'\uFFFD'"},
		{name("rune"), -1, ""},
		{name("rune"), 0x110000, ""},
		{name("uint8"), '/', ""},
		{name("int32"), '/', ""},
		{name("int"), '/', ""},
	} {
		if got, ok := Character(c.typ, c.n); got != c.want || ok != (c.want != "") {
			t.Errorf("%s %d: %s, %v; want %s", c.typ, c.n, got, ok, c.want)
		}
	}
}

// A duration is written in one unit or two, and as a number where its units would be longer.
func TestDuration(t *testing.T) {
	pkg := check(t)
	duration := pkg.Scope().Lookup("T").Type()
	for n, want := range map[time.Duration]string{
		0: "", 1: "", 1001: "", 999_999: "",
		36 * time.Hour:                 "36*time.Hour",
		2*time.Hour + 30*time.Minute:   "2*time.Hour + 30*time.Minute",
		-36*time.Hour - 30*time.Minute: "-36*time.Hour - 30*time.Minute",
		-90 * time.Second:              "-90*time.Second",
		-2 * time.Hour:                 "-2*time.Hour",
		1500 * time.Millisecond:        "1500*time.Millisecond",
		12500 * time.Millisecond:       "12*time.Second + 500*time.Millisecond",
		7 * time.Microsecond:           "7*time.Microsecond",
		2*time.Hour + 61*time.Second:   "7261*time.Second",
		time.Hour + time.Nanosecond:    "",
		math.MinInt64:                  "",
	} {
		if got, ok := Duration(duration, int64(n), "time"); got != want || ok != (want != "") {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
	if got, ok := Duration(pkg.Scope().Lookup("Plain").Type(), 1e9, "time"); ok {
		t.Errorf("of another type: %s", got)
	}
}

package load

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"

	"github.com/fuzzmut/fuzzmut/instrument/problem"
	"github.com/fuzzmut/fuzzmut/instrument/rt/golden"
)

// parsedFile reads a file of package p.
func parsedFile(t *testing.T, src string) (*token.FileSet, *ast.File) {
	t.Helper()
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "p.go", "package p\n"+src, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	return fset, f
}

func TestFitnessForFuzzing(t *testing.T) {
	for decl, want := range map[string]int{
		"()":                              0,
		"(c chan int)":                    0,
		"(s string, f func())":            0,
		"(s string, i interface{})":       0,
		"(s string, t T)":                 1,
		"(p *int)":                        1,
		"(list []string)":                 1,
		"(a [4]byte)":                     1,
		"(n int, ok bool)":                2,
		"(r rune, x float64) int":         2,
		"(s string)":                      3,
		"(b []byte, n int)":               3,
		"(s string) error":                4,
		"(a, b []byte, n uint64) (x int)": 4,
	} {
		_, f := parsedFile(t, "func F"+decl+" {}")
		if got := fitness(f.Decls[0].(*ast.FuncDecl)); got != want {
			t.Errorf("func F%s: %d, want %d", decl, got, want)
		}
	}
}

// The function that is named is the one that a fuzz test would suit best.
func TestCandidateOfFiles(t *testing.T) {
	for src, want := range map[string]string{
		"":                                       "",
		"func f(s string) int {}":                "", // not exported
		"func (T) F(s string) int {}":            "",
		"func F[E any](s string) E {}":           "",
		"func F(c chan int) {}":                  "",
		"func F(s string) int":                   "", // in assembly: nothing there is mutated
		"func TestX(t *testing.T) {}":            "", // a part of tests, as a helper is
		"func Is(t testing.TB, s string) {}":     "",
		"func A(n int) {}\nfunc B(T) {}":         "func A (p.go:2)",
		"func A(T) {}\nfunc B(n int) {}":         "func B (p.go:3)",
		"func A(n int) {}\nfunc B(int) {}":       "func A (p.go:2)", // the first of its kind
		"func A(s string) int\nfunc B(n int) {}": "func B (p.go:3)",
		"func A(string) {}\nfunc B([]byte) error {}\nfunc C(string) bool {}": "func B (p.go:3)",
	} {
		fset, f := parsedFile(t, src)
		if got := candidate([]parsed{{fset, f}}, filepath.Base); got != want {
			t.Errorf("%q: %q, want %q", src, got, want)
		}
	}
}

func TestReceiverNames(t *testing.T) {
	for recv, want := range map[string]string{
		"T": "T", "*T": "T", "(T)": "T", "*(T)": "T", "T[E]": "T", "*T[K, V]": "T", "(*(T[E]))": "T", "q.T": "", "[]T": "",
	} {
		e, err := parser.ParseExpr(recv)
		if err != nil {
			t.Fatal(err)
		}
		if got := ReceiverName(e); got != want {
			t.Errorf("%s: %q, want %q", recv, got, want)
		}
	}
}

func TestNamesOfFuzzTests(t *testing.T) {
	for name, want := range map[string]bool{
		"Fuzz": true, "FuzzX": true, "Fuzz_x": true, "Fuzz1": true, "FuzzÄ": true, "Fuzzx": false, "Fuzzä": false, "fuzzX": false, "TestFuzz": false,
	} {
		if got := isFuzzName(name); got != want {
			t.Errorf("%s is the name of a fuzz test: %t", name, got)
		}
	}
}

// testing is as much of package testing as signatures need.
func testingPackage(t *testing.T) *types.Package {
	t.Helper()
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "testing.go", "package testing\ntype T struct{}\ntype F struct{}\nfunc (*F) Fuzz(any) {}\nfunc (*T) Context() any { return nil }", 0)
	if err != nil {
		t.Fatal(err)
	}
	pkg, err := new(types.Config).Check("testing", fset, []*ast.File{f}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return pkg
}

type only struct{ pkg *types.Package }

func (o only) Import(path string) (*types.Package, error) {
	if path != o.pkg.Path() {
		return nil, errors.New("no package " + path)
	}
	return o.pkg, nil
}

// typed checks a file of package p that imports package testing, and returns it as that
// of a package's tests.
func typed(t *testing.T, src string) *Result {
	t.Helper()
	fset, f := parsedFile(t, "import \"testing\"\nvar _ testing.T\n"+src)
	info := &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
		Selections: map[*ast.SelectorExpr]*types.Selection{},
	}
	conf := types.Config{Importer: only{testingPackage(t)}}
	pkg, err := conf.Check("p", fset, []*ast.File{f}, info)
	if err != nil {
		t.Fatalf("%v\n%s", err, src)
	}
	return &Result{Tests: []*TestFiles{{Types: pkg, Info: info, Files: []File{{Path: "p_test.go", Syntax: f}}}}}
}

func funcOf(t *testing.T, r *Result, name string) *types.Func {
	t.Helper()
	fn, ok := r.Tests[0].Types.Scope().Lookup(name).(*types.Func)
	if !ok {
		t.Fatalf("no function %s", name)
	}
	return fn
}

func TestFunctionsThatAreFuzzTests(t *testing.T) {
	for decl, want := range map[string]bool{
		"func FuzzX(f *testing.F) {}":                         true,
		"type F = testing.F\nfunc FuzzX(f *F) {}":             true,
		"type P = *testing.F\nfunc FuzzX(f P) {}":             true,
		"func FuzzX(*testing.F) {}":                           true,
		"type F testing.F\nfunc FuzzX(f *F) {}":               false,
		"func FuzzX(f testing.F) {}":                          false,
		"func FuzzX(t *testing.T) {}":                         false,
		"func FuzzX(f *testing.F, n int) {}":                  false,
		"func FuzzX(f *testing.F) int { return 0 }":           false,
		"func FuzzX[E any](f *testing.F) {}":                  false,
		"func FuzzX() {}":                                     false,
		"type F struct{}\nfunc FuzzX(f *F) {}":                false,
		"func FuzzX(f ...*testing.F) {}":                      false,
		"func Fuzzx(f *testing.F) {}\nvar FuzzX = Fuzzx":      false,
		"type T int\nfunc (T) FuzzX(f *testing.F) {}":         false,
		"func FuzzX(f *struct{ testing.F }) {}":               false,
		"func FuzzX(f **testing.F) {}":                        false,
		"type G[E any] struct{}\nfunc FuzzX(f *G[string]) {}": false,
	} {
		r := typed(t, decl)
		fn, ok := r.Tests[0].Types.Scope().Lookup("FuzzX").(*types.Func)
		if got := ok && IsFuzzTest(fn); got != want {
			t.Errorf("%s: is a fuzz test: %t", decl, got)
		}
	}
}

// The types of a fuzz target's arguments are found where the test hands it to f.Fuzz,
// directly or by way of others.
func TestArgumentsOfFuzzTargets(t *testing.T) {
	for about, c := range map[string]struct{ src, want string }{
		"directly":               {`func FuzzX(f *testing.F) { f.Fuzz(func(t *testing.T, s string, n int) {}) }`, "string int"},
		"byte and rune":          {`func FuzzX(f *testing.F) { f.Fuzz(func(t *testing.T, b byte, r rune) {}) }`, "uint8 int32"},
		"bytes":                  {`func FuzzX(f *testing.F) { f.Fuzz(func(t *testing.T, a []byte, b []uint8) {}) }`, "[]byte []byte"},
		"an alias":               {"type A = string\nfunc FuzzX(f *testing.F) { f.Fuzz(func(t *testing.T, a A) {}) }", "string"},
		"a named function":       {"func x(t *testing.T, n int8) {}\nfunc FuzzX(f *testing.F) { f.Fuzz(x) }", "int8"},
		"through a function":     {"func do(f *testing.F) { f.Fuzz(func(*testing.T, bool) {}) }\nfunc FuzzX(f *testing.F) { do(f) }", "bool"},
		"through a recursion":    {"func do(f *testing.F) { do(f); f.Fuzz(func(*testing.T, bool) {}) }\nfunc FuzzX(f *testing.F) { do(f) }", "bool"},
		"through a generic one":  {"func do[E any](f *testing.F, e E) { f.Fuzz(func(*testing.T, bool) {}) }\nfunc FuzzX(f *testing.F) { do(f, 1) }", "bool"},
		"an own type":            {"type A string\nfunc FuzzX(f *testing.F) { f.Fuzz(func(t *testing.T, a A) {}) }", ""},
		"another slice":          {`func FuzzX(f *testing.F) { f.Fuzz(func(t *testing.T, a []int) {}) }`, ""},
		"no argument":            {`func FuzzX(f *testing.F) { f.Fuzz(func(t *testing.T) {}) }`, ""},
		"no call":                {`func FuzzX(f *testing.F) {}`, ""},
		"another Fuzz":           {"type o struct{}\nfunc (o) Fuzz(any) {}\nfunc FuzzX(f *testing.F) { o{}.Fuzz(func(t *testing.T, n int) {}) }", ""},
		"two that agree":         {`func FuzzX(f *testing.F) { if true { f.Fuzz(func(t *testing.T, n int) {}) } else { f.Fuzz(func(t *testing.T, n int) {}) } }`, "int"},
		"two that differ":        {`func FuzzX(f *testing.F) { if true { f.Fuzz(func(t *testing.T, n int) {}) } else { f.Fuzz(func(t *testing.T, n uint) {}) } }`, ""},
		"of a test it mentions":  {"func FuzzX(f *testing.F) { _ = do }\nfunc do(f *testing.F) { f.Fuzz(func(*testing.T, bool) {}) }", "bool"},
		"of a test it does not":  {"func FuzzX(f *testing.F) {}\nfunc FuzzY(f *testing.F) { f.Fuzz(func(*testing.T, bool) {}) }", ""},
		"with a function's type": {"type target func(*testing.T, string)\nfunc FuzzX(f *testing.F) { var x target; f.Fuzz(x) }", "string"},
	} {
		r := typed(t, c.src)
		if got := strings.Join(argTypes(testBodies(r), funcOf(t, r, "FuzzX")), " "); got != c.want {
			t.Errorf("%s: %q, want %q", about, got, c.want)
		}
	}
}

func TestFunctionsThatCompare(t *testing.T) {
	for decl, want := range map[string]bool{
		"func f(a, b int) bool":                    true,
		"func f(a []string, b []string) bool":      true,
		"type T struct{}\nfunc f(a, b *T) bool":    true,
		"type A = int\nfunc f(a A, b int) bool":    true,
		"func f(a, b any) bool":                    true,
		"func f(a int, b int8) bool":               false,
		"type A int\nfunc f(a A, b int) bool":      false,
		"type B bool\nfunc f(a, b int) B":          false,
		"func f(a, b int) (bool, error)":           false,
		"func f(a, b int)":                         false,
		"func f(a int) bool":                       false,
		"func f(a, b, c int) bool":                 false,
		"func f(a int, b ...int) bool":             false,
		"func f(a []int, b ...int) bool":           false,
		"func f[T any](a, b T) bool":               false,
		"type T int\nfunc (T) f(a, b int) bool":    false,
		"func _(a, b int) bool":                    false,
		"func f(a, b struct{ X int }) (same bool)": true,
	} {
		r := typed(t, decl+" { panic(0) }")
		decls := r.Tests[0].Files[0].Syntax.Decls
		if got := isCompare(decls[len(decls)-1].(*ast.FuncDecl), r.Tests[0].Info); got != want {
			t.Errorf("%s: compares: %t", decl, got)
		}
	}
}

func TestContextsAreNoticed(t *testing.T) {
	for src, want := range map[string]bool{
		"func f(t *testing.T) { t.Context() }":                               true,
		"func f(t *testing.T) { _ = t.Context }":                             true,
		"type o struct{}\nfunc (o) Context() {}\nfunc f() { o{}.Context() }": false,
		"func Context() {}\nfunc f() { Context() }":                          false,
		"func f(t *testing.T) {}":                                            false,
	} {
		if got := usesContext(typed(t, src)); got != want {
			t.Errorf("%s: %t", src, got)
		}
	}
	for src, want := range map[string]bool{
		"package p\nfunc f() { x.Context() }":     true, // x may be anything
		"package p\nfunc f() { x.Context(1) }":    false,
		"package p\nfunc f() { Context() }":       false,
		"package p\nvar _ = x.Context":            false,
		"package p\nfunc f() { x.Context() ":      false, // does not parse
		"package p\nfunc f() { x().y.Context() }": true,
	} {
		file := filepath.Join(t.TempDir(), "p.go")
		if err := os.WriteFile(file, []byte(src), 0o666); err != nil {
			t.Fatal(err)
		}
		if got := callsContext(file); got != want {
			t.Errorf("%s: %t", src, got)
		}
	}
	if callsContext(filepath.Join(t.TempDir(), "none.go")) {
		t.Error("a file that does not exist calls Context")
	}
}

// Errors of the parser and the type checker come before those of the go command.
func TestTheFirstErrorHasAPlace(t *testing.T) {
	list := packages.Error{Kind: packages.ListError, Msg: "list"}
	one := packages.Error{Kind: packages.TypeError, Pos: "p.go:1:1", Msg: "one"}
	again := packages.Error{Kind: packages.TypeError, Pos: "p.go:1:1", Msg: "again"}
	two := packages.Error{Kind: packages.ParseError, Pos: "p.go:2:1", Msg: "two"}
	for _, c := range []struct {
		errs   []packages.Error
		want   string
		others int
	}{
		{nil, "", 0},
		{[]packages.Error{list}, "list", 0},
		{[]packages.Error{list, list, list}, "list", 2},
		{[]packages.Error{list, one}, "one", 0},
		{[]packages.Error{one, again}, "one", 0},
		{[]packages.Error{one, again, two, list}, "one", 1},
		{[]packages.Error{two, one}, "two", 1},
	} {
		first, others := firstError(c.errs)
		got := ""
		if first != nil {
			got = first.Msg
		}
		if got != c.want || others != c.others {
			t.Errorf("%v: %q and %d more, want %q and %d", c.errs, got, others, c.want, c.others)
		}
	}
}

func TestPathsAreShortBelowTheDirectory(t *testing.T) {
	for _, c := range []struct{ dir, path, want string }{
		{"/a/b", "/a/b/c.go", "c.go"},
		{"/a/b", "/a/b/c/d.go", "c/d.go"},
		{"/a/b", "/a/bc/d.go", "/a/bc/d.go"},
		{"/a/b", "/a/d.go", "/a/d.go"},
		{"/a/b", "/a/b", "."},
		{"", "/a/b", "/a/b"},
	} {
		if got := filepath.ToSlash(short(filepath.FromSlash(c.dir), filepath.FromSlash(c.path))); got != c.want {
			t.Errorf("%s in %s: %s, want %s", c.path, c.dir, got, c.want)
		}
	}
}

func TestWordsOfTargets(t *testing.T) {
	for _, c := range []struct{ comment, want, err string }{
		{"", "none", ""},
		{"// F is.\n//fuzzmut:target\n", "", ""},
		{"//fuzzmut:target nil  property\n", "nil property", ""},
		{"//fuzzmut:targets nil\n", "none", ""},
		{"// fuzzmut:target nil\n", "none", ""},
		{"//fuzzmut:target fields\n", "fields", ""},
		{"//fuzzmut:target panics \"division by 0\" `a \"b\"` fuzz\n", "fuzz panics division by 0|a \"b\"", ""},
		{"//fuzzmut:target sequence without \"A\" \"B\" panics \"c\"\n", "panics sequence without c", ""},
		{"//fuzzmut:target sequence without A\n", "", "as in //fuzzmut:target sequence without \"Grow\""},
		{"//fuzzmut:target a\n//fuzzmut:target\n", "", "//fuzzmut:target a: only property, nil, fields, panics, without or fuzz can follow"},
		{"//fuzzmut:target panics\n", "", "a text in quotes has to follow"},
		{"//fuzzmut:target panics division\n", "", "a text in quotes has to follow"},
		{"//fuzzmut:target panics \"division\n", "", "the quotes of \"division do not end"},
		{"//fuzzmut:target panics \" \"\n", "", "the text \" \" is empty"},
		{"//fuzzmut:target \"division\"\n", "", "a text in quotes belongs after panics"},
	} {
		_, f := parsedFile(t, c.comment+"func F() {}")
		m, err := targetMark(f.Decls[0].(*ast.FuncDecl).Doc)
		got := "none"
		if m != nil {
			got = strings.Join(slices.Sorted(maps.Keys(m.words)), " ")
			if len(m.panics) > 0 {
				got += " " + strings.Join(m.panics, "|")
			}
		}
		switch {
		case err == nil && c.err == "" && got == c.want:
		case err != nil && c.err != "" && strings.Contains(err.Error(), c.err):
		default:
			t.Errorf("%q: %q, %v", c.comment, got, err)
		}
	}
}

// What is observed of types and functions is said right above them.
func TestDirectivesOfViews(t *testing.T) {
	for _, c := range []struct{ src, want, err string }{
		{"//fuzzmut:observe all\ntype T int", "type q.T all", ""},
		{"// T is.\n//\n//fuzzmut:observe  string\ntype T int", "type q.T string", ""},
		{"//fuzzmut:opaque\ntype T int", "type q.T opaque", ""},
		{"type (\n//fuzzmut:observe none\nA int\nB int\n)", "type q.A none", ""},
		{"//fuzzmut:observe none\ntype (\nA int\n)", "", "2: //fuzzmut:observe belongs into the comment right above a type or function"},
		{"//fuzzmut:observe exported\nfunc F() {}", "func q.F exported", ""},
		{"//fuzzmut:observe exported\nfunc (t *T[E]) F() {}", "func q.T.F exported", ""},
		{"//fuzzmut:observe all\nfunc F() {}\n//fuzzmut:observe all\nvar x int", "", "4: //fuzzmut:observe belongs into the comment right above a type or function"},
		{"//fuzzmut:opaque\nfunc F() {}", "", "2: //fuzzmut:opaque belongs into the comment right above a type"},
		{"//fuzzmut:observe all\n\ntype T int", "", "2: //fuzzmut:observe belongs into the comment right above a type or function"},
		{"//fuzzmut:observe\ntype T int", "", "2: //fuzzmut:observe wants one word after it: all, exported, string or none"},
		{"//fuzzmut:observe opaque\ntype T int", "", "2: //fuzzmut:observe wants one word after it: all, exported, string or none"},
		{"//fuzzmut:observe all none\ntype T int", "", "2: //fuzzmut:observe wants one word after it: all, exported, string or none"},
		{"//fuzzmut:opaque all\ntype T int", "", "2: //fuzzmut:opaque stands alone"},
		{"//fuzzmut:opaque\n//fuzzmut:observe all\ntype T int", "", "3: T has two directives that say what is observed of it: remove one"},
		{"//fuzzmut:observed all\ntype T int\n// fuzzmut:observe all\ntype U int", "", ""},
	} {
		fset, f := parsedFile(t, c.src)
		v := Views{Types: map[string]golden.View{}, Funcs: map[string]golden.View{}}
		err := v.collect("q", f, func(pos token.Pos) string { return strconv.Itoa(fset.Position(pos).Line) })
		var got []string
		for name, view := range v.Types {
			got = append(got, "type "+name+" "+string(view))
		}
		for name, view := range v.Funcs {
			got = append(got, "func "+name+" "+string(view))
		}
		if c.err != "" {
			var p *problem.Error
			if !errors.As(err, &p) || p.Kind != problem.KindDirective || p.Msg != c.err {
				t.Errorf("%q: %v, want %s", c.src, err, c.err)
			}
			continue
		}
		if text := strings.Join(got, ", "); err != nil || text != c.want {
			t.Errorf("%q: %q (%v), want %q", c.src, text, err, c.want)
		}
	}
}

package value_test

import (
	gotypes "go/types"
	"testing"

	"github.com/fuzzmut/fuzzmut/instrument/operator"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/checked"
)

const kinds = `
import (
	"errors"
	"strings"
	"unsafe"
)

type (
	number  int
	word    string
	flag    bool
	text    = string
	pair    struct{ a, b int }
	list[T any] struct{ head T }
	maker   func(int) error
	shape   interface{ area() int }
	numbers []number
	grid    [2][3]number
)

var _, _, _ = errors.New, strings.ToLower, unsafe.Pointer(nil)

func use(...any) {}
`

// What is written for a type is an expression that can stand where a value of the type is
// expected: it is assigned to a variable of the type.
func TestValuesFitTheirTypes(t *testing.T) {
	for _, c := range []struct {
		name        string
		typ         string
		do          operator.Action
		want        string
		declaration string // in the function, before the value
		why         string
	}{
		{"a number", "int8", operator.Zero, "0", "", ""},
		{"a complex number", "complex64", operator.Zero, "0", "", ""},
		{"a character", "rune", operator.Zero, "0", "", ""},
		{"an address", "uintptr", operator.Zero, "0", "", ""},
		{"an own number", "number", operator.Zero, "0", "", ""},
		{"an own string", "word", operator.Zero, `""`, "", ""},
		{"another name", "text", operator.Zero, `""`, "", ""},
		{"an own bool", "flag", operator.Zero, "false", "", ""},
		{"an own bool made true", "flag", operator.True, "true", "", ""},
		{"false is hidden", "bool", operator.Zero, "", "false := true; use(false)", "false has another declaration here"},
		{"an own struct", "pair", operator.Zero, "pair{}", "", ""},
		{"a struct of the library", "strings.Reader", operator.Zero, "strings.Reader{}", "", ""},
		{"a struct without a name", "struct{ n int; _ string }", operator.Zero, "", "", ""},
		{"a type with arguments", "list[number]", operator.Zero, "list[number]{}", "", ""},
		{"arrays", "grid", operator.Zero, "grid{}", "", ""},
		{"an array", "[2]*pair", operator.Zero, "[2]*pair{}", "", ""},
		{"a pointer", "*pair", operator.Zero, "nil", "", ""},
		{"a function", "maker", operator.Zero, "nil", "", ""},
		{"an interface", "shape", operator.Zero, "nil", "", ""},
		{"a channel", "<-chan int", operator.Zero, "nil", "", ""},
		{"an unsafe pointer", "unsafe.Pointer", operator.Zero, "nil", "", ""},
		{"nil is hidden", "*pair", operator.Zero, "", "nil := 1; use(nil)", "nil has another declaration here"},
		{"an empty own slice", "numbers", operator.Fresh, "numbers{}", "", ""},
		{"an empty map", "map[pair][]word", operator.Fresh, "map[pair][]word{}", "", ""},
		{"a new number", "*number", operator.Fresh, "new(number)", "", ""},
		{"a new pointer", "**pair", operator.Fresh, "new(*pair)", "", ""},
		{"new is hidden", "*pair", operator.Fresh, "", "new := 1; use(new)", "new has another declaration here"},
		{"its type is hidden", "*pair", operator.Fresh, "", "pair := 1; use(pair)", "its type can't be named here"},
		{"the package of its type is hidden", "*strings.Reader", operator.Fresh, "", "strings := 1; use(strings)", "its type can't be named here"},
		{"an element is hidden", "[]number", operator.Fresh, "", "number := 1; use(number)", "its type can't be named here"},
		{"an error", "error", operator.NewError, `errors.New("fuzzmut")`, "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			k := checked.Body(t, kinds+"var v "+c.typ+"\nvar w "+c.typ+" // here\n", c.declaration+"\nuse(v)\nuse(w)\n")
			cx, _ := k.Site()
			at := k.Stmt("use(w)").Pos()
			typ := k.Info.TypeOf(k.Expr("v"))
			got, why := cx.Values.Result(typ, operator.Change{Do: c.do}, at)
			if c.why != "" {
				if why == nil || why.String() != c.why || got != "" {
					t.Errorf("%q, %v; want %q", got, why, c.why)
				}
				return
			}
			if why != nil || c.want != "" && got != c.want {
				t.Fatalf("%q, %v; want %q", got, why, c.want)
			}
			tv, err := gotypes.Eval(k.Src.Fset, k.Info.Pkg, at, got)
			if err != nil {
				t.Fatalf("%q: %v", got, err)
			}
			if !gotypes.AssignableTo(tv.Type, typ) && !constantFits(tv, typ) {
				t.Errorf("%q of type %s does not fit %s", got, tv.Type, typ)
			}
		})
	}
}

// constantFits says whether a constant can be a value of a type.
func constantFits(tv gotypes.TypeAndValue, t gotypes.Type) bool {
	b, ok := t.Underlying().(*gotypes.Basic)
	if !ok || tv.Value == nil {
		return false
	}
	from := tv.Type.Underlying().(*gotypes.Basic).Info()
	return from&b.Info()&(gotypes.IsString|gotypes.IsBoolean) != 0 || from&gotypes.IsNumeric != 0 && b.Info()&gotypes.IsNumeric != 0
}

func TestValuesOfTypeParameters(t *testing.T) {
	c := checked.Text(t, "func f[P any, B ~bool, N ~int | ~string, S ~[]int](p P, b B, n N, s S) { _, _, _, _ = p, b, n, s\nuse() }\nfunc use() {}\nfunc g[P any](p P) { new := 1; _, _ = new, p\nhidden() }\nfunc hidden() {}\n")
	cx, _ := c.Site()
	for expr, want := range map[string]string{"p": "*new(P)", "b": "false", "n": "*new(N)", "s": "*new(S)"} {
		got, why := cx.Values.Zero(c.Info.TypeOf(c.FirstExpr(expr)), c.Stmt("use()").Pos())
		if got != want || why != nil {
			t.Errorf("%s: %q, %v; want %q", expr, got, why, want)
		}
	}
	if got, why := cx.Values.Zero(c.Info.TypeOf(c.Expr("p")), c.Stmt("hidden()").Pos()); why == nil {
		t.Errorf("where new is a variable: %q", got)
	}
}

func TestInstead(t *testing.T) {
	c := checked.Body(t, "type own int\nfunc get() own { return 0 }\nfunc use(...any) {}", "use(get(), recover())\n{ own := 1; use(own, get()) }")
	cx, _ := c.Site()
	typ := c.Info.TypeOf(c.FirstExpr("get()"))
	if got, why := cx.Values.Instead(c.FirstExpr("get()"), typ, "1"); got != "func() own { _ = get(); return 1 }()" || why != nil {
		t.Errorf("%q, %v", got, why)
	}
	if got, why := cx.Values.Instead(c.Expr("get()"), typ, "1"); got != "" || why == nil {
		t.Errorf("where the type is hidden: %q", got)
	}
	if got, why := cx.Values.Instead(c.Expr("recover()"), typ, "1"); got != "" || why == nil {
		t.Errorf("recover is moved: %q", got)
	}
}

// Which error there is to return: what is nearest at hand, and can be named.
func TestNewErrors(t *testing.T) {
	for _, c := range []struct{ name, imports, declarations, body, want string }{
		{"errors before fmt", `"fmt"; "errors"`, "var _, _ = fmt.Sprint, errors.New", "", `errors.New("fuzzmut")`},
		{"errors is hidden", `"fmt"; "errors"`, "var _, _ = fmt.Sprint, errors.New", "errors := 1; use(errors)", `fmt.Errorf("fuzzmut")`},
		{"an own variable", `. "errors"`, "var errA = New(\"a\")", "", "errA"},
		{"the first that is not hidden", `. "errors"`, "var errA, errB = New(\"a\"), New(\"b\")", "errA := 1; use(errA)", "errB"},
		{"none whose value depends on code", `. "errors"`, "var errA = New(name())\nfunc name() string { return \"\" }", "", ""},
		{"none that an own function makes", `"strings"`, "var _ = strings.ToLower\nvar errA = make1(\"a\")\nfunc make1(string) error { return nil }", "", ""},
		{"an imported variable", `"strings"; "io"`, "var _ io.Reader\nvar _ = strings.ToLower", "", "io.EOF"},
		{"of a package with another name", `stream "io"`, "var _ stream.Reader", "", "stream.EOF"},
		{"of a package that is hidden", `"io"`, "var _ io.Reader", "io := 1; use(io)", ""},
		{"a blank import", `_ "errors"`, "", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			k := checked.Body(t, "import ("+c.imports+")\nfunc use(...any) {}\nvar err error\n"+c.declarations, c.body+"\nuse(err)")
			cx, _ := k.Site()
			at := k.Stmt("use(err)").Pos()
			got, why := cx.Values.Result(k.Info.TypeOf(k.Expr("err")), operator.Change{Do: operator.NewError}, at)
			if got != c.want || (why != nil) != (c.want == "") {
				t.Fatalf("%q, %v; want %q", got, why, c.want)
			}
			if got == "" {
				return
			}
			tv, err := gotypes.Eval(k.Src.Fset, k.Info.Pkg, at, got)
			if err != nil || !gotypes.Identical(tv.Type, gotypes.Universe.Lookup("error").Type()) {
				t.Errorf("%q: %v, %v", got, tv.Type, err)
			}
		})
	}
}

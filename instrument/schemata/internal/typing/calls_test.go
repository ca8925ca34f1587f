package typing_test

import (
	"go/ast"
	"go/constant"
	"go/types"
	"testing"

	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/checked"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/typing"
)

func TestCalledFunc(t *testing.T) {
	for e, want := range map[string]string{
		`fmt.Sprint(1)`: "fmt.Sprint", `(fmt.Sprint)(1)`: "fmt.Sprint", `own2()`: "p.own2", `generic(1)`: "p.generic",
		`generic[int](1)`: "p.generic", `len("a")`: "", `err.Error()`: "", `own(1)`: "", `func() int { return 1 }()`: "",
		`variable()`: "", `errors.New("a")`: "errors.New",
	} {
		info, e2 := value(t, e, `func own2() int; func generic[T any](T) T; var variable = own2`)
		if got := info.CalledFunc(e2.(*ast.CallExpr)); got != want {
			t.Errorf("%s: %q, want %q", e, got, want)
		}
	}
}

func TestBuiltinCall(t *testing.T) {
	for e, want := range map[string]string{
		`len(str)`: "len", `(len(str))`: "len", `(len)(str)`: "len", `append(sl, 1)`: "append", `own2()`: "", `own(1)`: "", `n`: "",
		`unsafe.Sizeof(n)`: "Sizeof", `recover()`: "recover",
	} {
		info, e2 := value(t, e, `func own2() int`)
		got, call := info.BuiltinCall(e2)
		if got != want || (call == nil) != (want == "") {
			t.Errorf("%s: %q, %v, want %q", e, got, call, want)
		}
	}
	s := checked.Text(t, `func len(string) int; var it = len("a")`)
	if got, _ := s.Info.BuiltinCall(s.FirstExpr(`len("a")`)); got != "" {
		t.Errorf("a function called len is the builtin %q", got)
	}
}

func TestMakesError(t *testing.T) {
	for e, want := range map[string]bool{`errors.New("a")`: true, `fmt.Errorf("a")`: true, `fmt.Sprint("a")`: false, `New("a")`: false, `errors.Join()`: false} {
		info, e2 := value(t, e, `func New(string) error`)
		if info.MakesError(e2.(*ast.CallExpr)) != want {
			t.Errorf("%s: %t", e, !want)
		}
	}
}

func TestLength(t *testing.T) {
	for e, want := range map[string]int64{
		`"abc"`: 3, `text`: 3, `"é"`: 2, `arr`: 3, `ptr`: 4, `sl`: -1, `str`: -1, `m`: -1, `[...]int{5: 1}`: 6, `""`: 0, `[0]int{}`: 0,
	} {
		if info, e2 := value(t, e, ""); info.Length(e2) != want {
			t.Errorf("%s: %d, want %d", e, info.Length(e2), want)
		}
	}
	s := checked.Text(t, `func f[T ~[3]int | ~[2]int](x T) { _ = x }`)
	if got := s.Info.Length(checked.First[*ast.AssignStmt](s, "_ = x").Rhs[0]); got != 2 {
		t.Errorf("of arrays of two lengths: %d, want the shorter", got)
	}
}

func TestNonNegativeAndIsLength(t *testing.T) {
	for e, want := range map[string][2]bool{ // not negative, a length
		`u`: {true, false}, `n`: {false, false}, `len(sl)`: {true, true}, `(cap(sl))`: {true, true}, `len(sl) - 1`: {false, true},
		`3`: {false, true}, `len(sl) + cap(sl)*2`: {false, true}, `len(sl) + n`: {false, false}, `uint8(n)`: {true, false},
		`copy(sl, sl)`: {false, false}, `min(u, 3)`: {true, true},
	} {
		info, e2 := value(t, e, "")
		if got := info.NonNegative(e2); got != want[0] {
			t.Errorf("%s: not negative %t", e, got)
		}
		if got := info.IsLength(e2); got != want[1] {
			t.Errorf("%s: a length %t", e, got)
		}
	}
	s := checked.Text(t, `func len(string) int; var it = len("a")`)
	if s.Info.NonNegative(s.FirstExpr(`len("a")`)) {
		t.Error("a function called len may return what it likes")
	}
}

func TestComparesOrdered(t *testing.T) {
	for e, want := range map[string]bool{
		`n < 3`: true, `n == untyped`: true, `str == text`: true, `c == d`: false, `sl == nil`: false, `err == nil`: false,
		`1 < 2`: false, `any2 == 3`: false, `ptr == nil`: false, `half < 1.5`: false, `pair == pair`: false,
	} {
		info, e2 := value(t, e, "")
		if info.ComparesOrdered(e2.(*ast.BinaryExpr)) != want {
			t.Errorf("%s: %t", e, !want)
		}
	}
}

func TestIsComparison(t *testing.T) {
	for e, want := range map[string]bool{`n < 3`: true, `(n != 3)`: true, `c && d`: false, `n + 3`: false, `c`: false, `!(n < 3)`: false} {
		if _, e2 := value(t, e, ""); typing.IsComparison(e2) != want {
			t.Errorf("%s: %t", e, !want)
		}
	}
}

func TestIsFresh(t *testing.T) {
	for e, want := range map[string]bool{
		`[]int{}`: true, `[]int{1}`: false, `map[string]int{}`: true, `&[3]int{}`: true, `&([3]int{})`: true, `&[3]int{1}`: false, `&n`: false,
		`make([]int, 0)`: true, `make([]int, untyped-3)`: true, `make([]int, n)`: false, `make([]int, 1)`: false, `make(map[int]int)`: true,
		`make([]int, 0, 9)`: true, `make(map[int]int, 9)`: false, `new(int)`: true, `new(n)`: false, `sl`: false, `nil2()`: false,
	} {
		info, e2 := value(t, e, `func nil2() []int`)
		if info.IsFresh(e2) != want {
			t.Errorf("%s: %t", e, !want)
		}
	}
}

func TestIsMapElement(t *testing.T) {
	for e, want := range map[string]bool{`m["a"]`: true, `(m["a"])`: true, `sl[0]`: false, `m`: false} {
		if info, e2 := value(t, e, ""); info.IsMapElement(e2) != want {
			t.Errorf("%s: %t", e, !want)
		}
	}
}

func TestIsConstantText(t *testing.T) {
	for e, want := range map[string]bool{`"a"`: true, `[]byte("a")`: true, `([]byte(text))`: true, `[]byte(str)`: false, `str`: false, `len(str)`: false} {
		if info, e2 := value(t, e, ""); info.IsConstantText(e2) != want {
			t.Errorf("%s: %t", e, !want)
		}
	}
}

func TestRangesOver(t *testing.T) {
	for e, want := range map[string]bool{`ch`: true, `iter`: true, `sl`: false, `m`: false, `3`: false, `str`: false, `ptr`: false} {
		if info, e2 := value(t, e, ""); info.RangesOver(e2) != want {
			t.Errorf("%s: %t", e, !want)
		}
	}
}

func TestMixed(t *testing.T) {
	s := checked.Text(t, `func f[A ~[]byte | ~string, B ~[]byte, C ~string](a A, b B, c C, d []byte) { _, _, _, _ = a, b, c, d }`)
	list := checked.First[*ast.AssignStmt](s, "_").Rhs
	for i, want := range []bool{true, false, false, false} {
		if got := s.Info.Mixed(list[i]); (got != nil) != want {
			t.Errorf("%s: %q", s.Src.Node(list[i]), got)
		}
	}
}

func TestIsSimple(t *testing.T) {
	for e, want := range map[string]bool{`n`: true, `pair.a`: true, `arr[0]`: false, `two2().a`: false, `(n)`: false, `*ptr`: false} {
		if info, e2 := value(t, e, `func two2() struct{ a int }`); info.IsSimple(e2) != want {
			t.Errorf("%s: %t", e, !want)
		}
	}
}

func TestMentions(t *testing.T) {
	s := checked.Text(t, `func f(v, w int) { g(v + 1); g(w); func() { g(v) }(); { v := 2; g(v * 2) } }; func g(int) {}`)
	v := s.Object("v").(*types.Var)
	for text, want := range map[string]bool{"g(v + 1)": true, "g(w)": false, "func() { g(v) }()": true, "g(v * 2)": false} {
		if got := s.Info.Mentions(s.FirstExpr(text), v); got != want {
			t.Errorf("%s: %t", text, got)
		}
	}
}

func TestIsPanic(t *testing.T) {
	for _, c := range []struct {
		src  string
		want bool
	}{
		{`func f() { panic(1) }`, true},
		{`func f() { (panic)(1) }`, true},
		{`func f() { g() }; func g() {}`, false},
		{`func f() { <-c }; var c chan int`, false},
		{`func f() { panic := func(int) {}; panic(1) }`, false},
	} {
		s := checked.Text(t, c.src)
		if got := s.Info.IsPanic(checked.First[*ast.ExprStmt](s, "")); got != c.want {
			t.Errorf("%s: %t", c.src, got)
		}
	}
}

func TestIsEmptyString(t *testing.T) {
	for _, c := range []struct {
		v    constant.Value
		want bool
	}{{nil, false}, {constant.MakeString(""), true}, {constant.MakeString("a"), false}, {constant.MakeInt64(0), false}} {
		if typing.IsEmptyString(c.v) != c.want {
			t.Errorf("%v: %t", c.v, !c.want)
		}
	}
}

func TestPredeclared(t *testing.T) {
	s := checked.Text(t, `func f(len int) { before(); true := 1; after() }; func g() { other() }; func before(); func after(); func other()`)
	for _, c := range []struct {
		name, at string
		want     bool
	}{
		{"true", "before()", true}, {"true", "after()", false}, {"len", "before()", false}, {"len", "other()", true}, {"nil", "after()", true},
	} {
		text, why := s.Info.Predeclared(c.name, s.Pos(c.at))
		if (text == c.name) != c.want || (why == nil) != c.want {
			t.Errorf("%s at %s: %q, %q", c.name, c.at, text, why)
		}
	}
	if text, why := s.Info.Predeclared("nil", 0); text != "" || why == nil {
		t.Errorf("nowhere: %q, %q", text, why)
	}
}

func TestCalleeIdent(t *testing.T) {
	for e, want := range map[string]string{
		`own2()`: "own2", `fmt.Sprint()`: "Sprint", `generic[int](1)`: "generic", `(generic[int])(1)`: "generic", `func() int { return 1 }()`: "",
		`list[0]()`: "list", `pick()()`: "", `two3[int, int](1, 2)`: "",
	} {
		_, e2 := value(t, e, `func own2() int; func generic[T any](T) T; func two3[T, U any](T, U) T; var list []func() int; func pick() func() int`)
		got := ""
		if id := typing.CalleeIdent(e2.(*ast.CallExpr)); id != nil {
			got = id.Name
		}
		if got != want {
			t.Errorf("%s: %q, want %q", e, got, want)
		}
	}
}

func TestIdents(t *testing.T) {
	a, b := ast.NewIdent("a"), ast.NewIdent("b")
	if got := typing.Idents([]*ast.Ident{a, b}); len(got) != 2 || got[0] != ast.Expr(a) || got[1] != ast.Expr(b) {
		t.Errorf("%v", got)
	}
}

package constants_test

import (
	"go/constant"
	"go/types"
	"slices"
	"strings"
	"testing"

	"github.com/fuzzmut/fuzzmut/instrument/constants"
	"github.com/fuzzmut/fuzzmut/instrument/load/loadtest"
)

// passed is what tests pass to a function F, each list once.
func passed(t *testing.T, code, tests string) string {
	t.Helper()
	var list [][]constant.Value
	for _, c := range loadtest.Typed(t, code, tests).Constants().Of(func(fn *types.Func) bool { return fn.Name() == "F" }) {
		list = append(list, c.Values)
	}
	return show(constants.Without(list, nil))
}

func TestPassed(t *testing.T) {
	for _, c := range []struct{ name, code, tests, want string }{
		{"none", "func F(s string) {}", "func TestF(t *testing.T) {}", ""},
		{"what is not known", "func F(s string) {}", "func TestF(t *testing.T) { F(os.Args[0]) }", ""},
		{"a conversion", "func F(b []byte, n int8) {}", "func TestF(t *testing.T) { F([]byte(\"a\"), int8(3)) }", `"a" 3`},
		{"a constant expression", "func F(s string, n int) {}", "func TestF(t *testing.T) { F(\"a\"+\"b\", 1<<4) }", `"ab" 16`},
		{"a method", "type T string\nfunc (t T) F(s string, n int) {}", "func TestF(t *testing.T) { T(\"x\").F(\"a\", 3) }", `"a" 3`},
		{"a method expression", "type T string\nfunc (t T) F(s string, n int) {}", "func TestF(t *testing.T) { T.F(\"x\", \"a\", 3) }", `"a" 3`},
		{"a pointer's method expression", "type T string\nfunc (t *T) F(s string) {}", "func TestF(t *testing.T) { (*T).F(new(T), \"a\") }", `"a"`},
		{"a table of pointers", "func F(s string) {}", "func TestF(t *testing.T) { for _, c := range []*struct{ in string }{{\"a\"}, {in: \"b\"}} { F(c.in) } }", `"a"; "b"`},
		{"a table of the package", "func F(s string, n int) {}", "type entry struct { s string; n int }\nvar table = []entry{{\"a\", 1}, {s: \"b\"}}\nfunc TestF(t *testing.T) { for _, e := range table { F(e.s, e.n) } }", `"a" 1; "b" -`},
		{"keys and values of a map", "func F(s string, n int) {}", "var m = map[string]int{\"a\": 1, \"b\": 2}\nfunc TestF(t *testing.T) { for s, n := range m { F(s, n) } }", `"a" 1; "b" 2`},
		{"values of two tables", "func F(s, u string) {}", "func TestF(t *testing.T) { for _, s := range []string{\"a\", \"b\"} { for _, u := range []string{\"c\"} { F(s, u) } } }", `"a" -; "b" -; - "c"`},
		{"a helper of a helper", "func F(s string) {}", "func a(s string) { b(s) }\nfunc b(s string) { c(s) }\nfunc c(s string) { F(s) }\nfunc TestF(t *testing.T) { a(\"x\") }", `"x"`},
		{"helpers without an end", "func F(s string) {}", "func a(s string) { if s != \"\" { a(s) }; F(s) }\nfunc TestF(t *testing.T) { a(\"x\") }", `"x"`},
		{"a subtest", "func F(s string) {}", "func TestF(t *testing.T) { for _, c := range []struct{ name, in string }{{\"n\", \"a\"}} { t.Run(c.name, func(t *testing.T) { F(c.in) }) } }", `"a"`},
		{"a call in an initializer", "func F(s string) int { return 1 }", "var x = F(\"a\")", `"a"`},
		{"once each", "func F(s string) {}", "func TestF(t *testing.T) { F(\"a\"); F(\"b\"); F(\"a\") }", `"a"; "b"`},
		{"a reader", "func F(r io.Reader) {}", "func TestF(t *testing.T) { F(bytes.NewReader([]byte(\"a\"))); F(bytes.NewBufferString(\"b\")) }", `"a"; "b"`},
		{"an error", "func F(e error) {}", "func TestF(t *testing.T) { F(errors.New(\"a\")) }", `"a"`},
		{"several arguments for one parameter", "func F(s string, more ...string) {}", "func TestF(t *testing.T) { F(\"a\", \"b\", \"c\"); F(\"d\") }", `"a" "b"; "d"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := passed(t, c.code, c.tests); got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
}

func TestListsDifferByAnyValue(t *testing.T) {
	str, num := constant.MakeString, constant.MakeInt64
	list := [][]constant.Value{{str("a"), str("b")}, {str("ab"), str("")}, {str("ab"), nil}, {nil, str("ab")}, {num(1), num(2)}, {num(12), nil}, {str("1"), nil}, {num(1), nil}}
	if got := constants.Without(slices.Concat(list, list), nil); len(got) != len(list) {
		t.Errorf("%s of %s", show(got), show(list))
	}
	if got := constants.Without(list, list[1:]); show(got) != `"a" "b"` {
		t.Errorf("%s is left", show(got))
	}
}

func TestSpreadTakesFromAllParts(t *testing.T) {
	var list [][]constant.Value
	for i := range 100 {
		list = append(list, []constant.Value{constant.MakeInt64(int64(i / 2))})
	}
	got := constants.Spread(list, 10)
	if want := "0; 5; 10; 15; 20; 25; 30; 35; 40; 45"; show(got) != want {
		t.Errorf("got %s, want %s", show(got), want)
	}
	if got := show(constants.Spread(list[:6], 10)); got != "0; 1; 2" {
		t.Errorf("of few, got %s", got)
	}
}

// show writes seeds as "a" 1; "b" -.
func show(seeds [][]constant.Value) string {
	var list []string
	for _, s := range seeds {
		var parts []string
		for _, v := range s {
			if v == nil {
				parts = append(parts, "-")
			} else {
				parts = append(parts, v.ExactString())
			}
		}
		list = append(list, strings.Join(parts, " "))
	}
	return strings.Join(list, "; ")
}

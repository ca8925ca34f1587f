package sequence

import (
	"go/types"
	"slices"
	"testing"
)

// What a data structure does with a comparison that contradicts itself says nothing of it: the functions for such a
// parameter are an order, the reverse, and one in which all are equal.
func TestFunctionsThatCompareAreConsistent(t *testing.T) {
	pkg := checked(t, `package p

type Item struct{ N int }

type held struct{ c chan int }

type Comparator func(a, b interface{}) int

type Lesser func(a, b Item) bool

func F(
	byKey Comparator, lesser Lesser, order func(a, b string) int, less func(a, b int) bool, Compare func(a, b int) int, cmpItems func(a, b Item) int, byPlace func(a, b *Item) int,
	equal func(a, b int) bool, sum func(a, b int) int, same func(a, b Item) bool, lessOf func(a int, b string) bool, each func(n int) bool,
) {
}
`)
	s := &Sequence{pkg: pkg}
	for name, want := range map[string][]string{
		"byKey":    {"func(a, b interface{}) int { return a.(int) - b.(int) }", "func(a, b interface{}) int { return b.(int) - a.(int) }", "func(interface{}, interface{}) int { return 0 }", "nil"},
		"lesser":   {"func(a, b Item) bool { return fmt.Sprint(a) < fmt.Sprint(b) }", "func(a, b Item) bool { return fmt.Sprint(b) < fmt.Sprint(a) }", "func(Item, Item) bool { return false }", "nil"},
		"order":    {"func(a, b string) int { return strings.Compare(a, b) }", "func(a, b string) int { return strings.Compare(b, a) }", "func(string, string) int { return 0 }", "nil"},
		"less":     {"func(a, b int) bool { return a < b }", "func(a, b int) bool { return b < a }", "func(int, int) bool { return false }", "nil"},
		"Compare":  {"func(a, b int) int { return int(a - b) }", "func(a, b int) int { return int(b - a) }", "func(int, int) int { return 0 }", "nil"},
		"cmpItems": {"func(a, b Item) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) }", "func(a, b Item) int { return strings.Compare(fmt.Sprint(b), fmt.Sprint(a)) }", "func(Item, Item) int { return 0 }", "nil"},
		"byPlace":  {`func(*Item, *Item) int { recordedCalls = append(recordedCalls, "called"); return 0 }`, "nil"},
		"equal":    {"func(a, b int) bool { return a < b }", "func(int, int) bool { return true }", "func(int, int) bool { return false }", "nil"},
		"sum":      {"func(a, b int) int { return int(a - b) }", "func(v0 int, _ int) int { return v0 }", "func(int, int) int { return 0 }", "nil"},
	} {
		if got := s.plain(parameterOf(t, pkg, name), name); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	for _, name := range []string{"same", "lessOf", "each"} {
		if compares(parameterOf(t, pkg, name), name) {
			t.Errorf("%s: it compares nothing", name)
		}
	}
	for name, want := range map[string]string{"cmpItems": "func(a, b Item) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) }", "byPlace": "func(*Item, *Item) int { return 0 }", "same": "func(Item, Item) bool { return true }"} {
		if got := FunctionOf(pkg, parameterOf(t, pkg, name)); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}

// parameterOf is the type of a parameter of F.
func parameterOf(t *testing.T, pkg *types.Package, name string) types.Type {
	t.Helper()
	for v := range pkg.Scope().Lookup("F").(*types.Func).Signature().Params().Variables() {
		if v.Name() == name {
			return v.Type()
		}
	}
	t.Fatalf("F has no parameter %s", name)
	return nil
}

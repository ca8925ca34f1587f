package hunk

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// body is a function with n calls, each on its line: its last line is n+2.
func body(name, call string, n int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "func %s() {\n", name)
	for i := range n {
		fmt.Fprintf(&b, "\t%s(%d)\n", call, i)
	}
	return b.String() + "}\n"
}

// ranges writes hunks as "old first+count, new first+count".
func ranges(hunks []Hunk) (list []string) {
	for _, h := range hunks {
		list = append(list, fmt.Sprintf("%d+%d %d+%d", h.OldLine, h.OldCount, h.NewLine, h.NewCount))
	}
	return list
}

// Large runs of lines are cut between declarations, and then around statements that both
// sides have. Small ones stay, and so do those of a side that does not parse.
func TestLargeRunsOfLinesAreCut(t *testing.T) {
	const head = "package p\n\n"
	for _, c := range []struct {
		name, old, new string
		want           []string
	}{
		{"small", body("f", "a", 12), body("f", "b", 12), []string{"4+12 4+12"}},
		{"nothing in common", body("f", "a", 13), body("f", "b", 13), []string{"4+13 4+13"}},
		{
			"declarations in place of each other", body("f", "a", 14) + "\n" + body("g", "a", 3), body("h", "b", 14) + "\n" + body("i", "b", 3),
			[]string{"3+15 3+15", "20+4 20+4"},
		},
		{
			"new ones", "", body("f", "a", 8) + "\n// G is.\n" + body("g", "a", 8),
			[]string{"3+0 3+11", "3+0 14+11"},
		},
		{
			"those that are gone", body("f", "a", 8) + "\n" + body("g", "a", 8), "",
			[]string{"3+11 3+0", "14+10 3+0"},
		},
		{
			"a statement that both have", "func f() {\n" + strings.Repeat("\ta()\n", 7) + "\tx := 1; _ = x\n" + strings.Repeat("\ta()\n", 7) + "}\n",
			"func f() {\n" + strings.Repeat("\tb()\n", 7) + "\tx := 1;\t_ = x\n" + strings.Repeat("\tb()\n", 7) + "}\n",
			[]string{"4+7 4+7", "11+1 11+1", "12+7 12+7"},
		},
		{"a side that does not parse", body("f", "a", 14), "func f() {\n" + strings.Repeat("\tb(\n", 14), []string{"4+15 4+14"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			old, now := []byte(head+c.old), []byte(head+c.new)
			hunks := cut(old, now, lineHunks(splitLines(old), splitLines(now)))
			if diff := cmp.Diff(c.want, ranges(hunks)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if got := string(Revert(old, now, hunks, all(hunks))); got != string(old) {
				t.Errorf("all reverted:\n%s", got)
			}
		})
	}
}

// The comments of cgo are code, which no syntax tells apart.
func TestHunksOfCgo(t *testing.T) {
	text := func(c, call string) []byte {
		return []byte("package p\n\n// int f(void) {\n// " + c + "\n// }\nimport \"C\"\n\n" + body("f", call, 14) + "\nvar x = C.f() // " + call + "\n")
	}
	hunks := Diff(text("return 1;", "a"), text("return 2;", "b"))
	if diff := cmp.Diff([]string{"4+1 4+1", "9+14 9+14", "25+1 25+1"}, ranges(hunks)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"9+14 9+14"}, ranges(Diff(text("return 1;", "a"), text("return 1;", "b"))[:1])); diff != "" {
		t.Errorf("in code alone (-want +got):\n%s", diff)
	}
}

func TestPairDeclarations(t *testing.T) {
	pieces := func(keys string) (list []piece) {
		for _, k := range strings.Fields(keys) {
			list = append(list, piece{1, k})
		}
		return list
	}
	for _, c := range []struct {
		a, b string
		want []span
	}{
		{"", "", nil},
		{"f", "f", []span{{0, 1, 0, 1}}},
		{"f", "g", []span{{0, 1, 0, 1}}},
		{"f g", "h", []span{{0, 1, 0, 0}, {1, 2, 0, 0}, {2, 2, 0, 1}}},
		{"f", "g h", []span{{0, 1, 0, 0}, {1, 1, 0, 1}, {1, 1, 1, 2}}},
		{"f x g", "h x", []span{{0, 1, 0, 1}, {1, 2, 1, 2}, {2, 3, 2, 2}}},
		{"x f", "g x", []span{{0, 0, 0, 1}, {0, 1, 1, 2}, {1, 2, 2, 2}}},
	} {
		if diff := cmp.Diff(c.want, pairDeclarations(pieces(c.a), pieces(c.b)), cmp.AllowUnexported(span{}), cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%q and %q (-want +got):\n%s", c.a, c.b, diff)
		}
	}
}

// A closing brace is on many lines: it is one that both sides have only after another
// statement that they have.
func TestPairStatements(t *testing.T) {
	pieces := func(keys string) (list []piece) {
		for _, k := range strings.Fields(keys) {
			list = append(list, piece{1, k})
		}
		return list
	}
	for _, c := range []struct {
		a, b string
		want []span
	}{
		{"", "", nil},
		{"a b", "a b", []span{{0, 2, 0, 2}}},
		{"a x b", "a y b", []span{{0, 1, 0, 1}, {1, 2, 1, 2}, {2, 3, 2, 3}}},
		{"x }", "y }", []span{{0, 2, 0, 2}}},
		{"x a }", "y a }", []span{{0, 1, 0, 1}, {1, 3, 1, 3}}},
		{"a", "b", []span{{0, 1, 0, 1}}},
		{"a x", "a", []span{{0, 1, 0, 1}, {1, 2, 1, 1}}},
		{"a", "x a", []span{{0, 0, 0, 1}, {0, 1, 1, 2}}},
	} {
		if diff := cmp.Diff(c.want, pairStatements(pieces(c.a), pieces(c.b)), cmp.AllowUnexported(span{}), cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%q and %q (-want +got):\n%s", c.a, c.b, diff)
		}
	}
}

// What stands before the imports is a separate change, beside others.
func TestHeads(t *testing.T) {
	for _, c := range []struct {
		name, old, new string
		want           []string // lines that only a side has, of each hunk
	}{
		{"the name of the package", "package p\n\nvar x = 1\n", "package q\n\nvar x = 2\n", []string{"-package q +package p", "-var x = 2 +var x = 1"}},
		{"what is built", "//go:build linux\n\npackage p\n\nvar x = 1\n", "//go:build windows\n\npackage p\n\nvar x = 2\n", []string{"-//go:build windows +//go:build linux", "-var x = 2 +var x = 1"}},
		{"built everywhere now", "//go:build linux\n\npackage p\n\nvar x = 1\n", "package p\n\nvar x = 2\n", []string{"+//go:build linux +", "-var x = 2 +var x = 1"}},
		{"a comment before", "// A.\npackage p\n\nvar x = 1\n", "// B.\npackage p\n\nvar x = 2\n", []string{"-var x = 2 +var x = 1"}},
	} {
		old, now := []byte(c.old), []byte(c.new)
		hunks := checkHunks(t, old, now)
		var got []string
		for i := range hunks {
			got = append(got, strings.Join(changed(c.new, string(Revert(old, now, hunks, []int{i}))), " "))
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

// Tokens of lines, with those that begin before or end after them.
func TestTokensOfLines(t *testing.T) {
	src := tokensOf([]byte("package p\n\nvar s = `a\nb\nc` + f(\n\t1,\n)\n"))
	for _, c := range []struct {
		line, count int
		want        string
	}{
		{1, 1, "package p ;"},
		{2, 1, ""},
		{1, 0, ""},
		{3, 1, "var s = `a\nb\nc`"},
		{4, 1, "`a\nb\nc`"},
		{5, 1, "`a\nb\nc` + f ("},
		{6, 1, "1 ,"},
		{6, 2, "1 ) ;"}, // the comma is there for the layout
		{7, 9, ") ;"},
		{9, 1, ""},
	} {
		if got := strings.Join(src.in(c.line, c.count), " "); got != c.want {
			t.Errorf("%d lines from %d: %q, want %q", c.count, c.line, got, c.want)
		}
	}
	for _, c := range []struct{ line, count, first, n int }{{1, 3, 1, 3}, {2, 1, 3, 0}, {2, 2, 3, 1}, {6, 4, 6, 2}, {8, 3, 11, 0}} {
		if first, n := src.trim(c.line, c.count); first != c.first || n != c.n {
			t.Errorf("%d lines from %d are trimmed to %d from %d, want %d from %d", c.count, c.line, n, first, c.n, c.first)
		}
	}
}

// Commas and semicolons before a closing bracket are there for the layout.
func TestLayoutIsNoChange(t *testing.T) {
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{"var x = f(1, 2)", "var x = f(\n\t1,\n\t2,\n)", true},
		{"func f() { a(); b() }", "func f() {\n\ta()\n\tb()\n}", true},
		{"var x = []int{1}", "var x = []int{\n\t1,\n}", true},
		{"func f() { for a; b; { } }", "func f() { for a; b; c { } }", false},
		{"var x [2]int", "var x []int", false},
		{"var x = `a`", "var x = \"a\"", false},
		{"var x = f(1,2)", "var x = f(1.2)", false},
	} {
		a, b := []byte("package p\n\n"+c.a+"\n"), []byte("package p\n\n"+c.b+"\n")
		if got := len(Diff(a, b)) == 0; got != c.same {
			t.Errorf("%q and %q: the same: %v", c.a, c.b, got)
		}
	}
}

package difference

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A struct with n fields that have changed, and one that has not.
func fields(n int, value string) string {
	list := []string{"Same: 0"}
	for i := range n {
		list = append(list, fmt.Sprintf("F%d: %s", i, value))
	}
	return "p.T {" + strings.Join(list, ", ") + "}"
}

func TestWhatIsTooMuchForPathsIsAUnifiedDiff(t *testing.T) {
	byPaths := func(lines []string) bool { return len(lines) > 0 && strings.HasPrefix(lines[0], ".") }
	for _, c := range []struct {
		name, want, got string
		paths           bool
	}{
		{"the most values", fields(maxPaths, "1"), fields(maxPaths, "2"), true},
		{"a value more", fields(maxPaths+1, "1"), fields(maxPaths+1, "2"), false},
		{"the longest value", fields(1, "1"), fields(1, strings.Repeat("2", maxValue)), true},
		{"a byte more", fields(1, "1"), fields(1, strings.Repeat("2", maxValue+1)), false},
		{"a byte more before", fields(1, strings.Repeat("2", maxValue+1)), fields(1, "1"), false},
	} {
		if got := byPaths(Lines(c.want, c.got)); got != c.paths {
			t.Errorf("%s: by paths: %v, want %v", c.name, got, c.paths)
		}
		if got := strings.HasPrefix(Signed(c.want, c.got)[0], "- ."); got != c.paths {
			t.Errorf("%s: signed by paths: %v, want %v", c.name, got, c.paths)
		}
	}
}

func TestSignedPaths(t *testing.T) {
	for _, c := range []struct{ name, want, got, lines string }{
		{"a new field", "p.T {A: 1}", "p.T {A: 1, B: 2}", "+ .B: 2"},
		{"a field that is gone", "p.T {A: 1, B: 2}", "p.T {A: 1}", "- .B: 2"},
		{"a value that has others", "p.T {A: q.U {X: 1}}", "p.T {A: nil}", "- .A: q.U {...\n+ .A: nil"},
		{"a shorter list", "p.T {A: [1, 2]}", "p.T {A: [1]}", "- p.T {A: [1, 2]}\n+ p.T {A: [1]}"},
		{"a key that is new", `p.T {A: map{"x": 1}}`, `p.T {A: map{"x": 1, "y": 2}}`, "- p.T {A: map{\"x\": 1}}\n+ p.T {A: map{\"x\": 1, \"y\": 2}}"},
	} {
		if diff := cmp.Diff(c.lines, strings.Join(Signed(c.want, c.got), "\n")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

func TestAll(t *testing.T) {
	if diff := cmp.Diff([]string{"+ a", "+ ", "+ b"}, All("+", "a\n\nb")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A file of golden values may be edited: whatever the text is, it is split without an end.
func TestSplit(t *testing.T) {
	for _, c := range []struct {
		text string
		want []string
	}{
		{"", nil},
		{"a", []string{"a"}},
		{"a, b", []string{"a", "b"}},
		{"a,b", []string{"a", "b"}},
		{",", []string{""}},
		{",,", []string{"", ""}},
		{",,,a", []string{"", "", "", "a"}},
		{"a, ", []string{"a"}},
		{`"a, b", c`, []string{`"a, b"`, "c"}},
		{`"a\", b", c`, []string{`"a\", b"`, "c"}},
		{`"a, b`, []string{`"a`, "b"}},
		{"[1, 2], {3, 4}, f(5, 6)", []string{"[1, 2]", "{3, 4}", "f(5, 6)"}},
		{"[1, 2", []string{"[1", "2"}},
		{"1], 2", []string{"1]", "2"}},
	} {
		if diff := cmp.Diff(c.want, split(c.text)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", c.text, diff)
		}
	}
}

func TestParse(t *testing.T) {
	members := func(list ...any) map[string]any {
		m := make(map[string]any)
		for i := 0; i < len(list); i += 2 {
			m[list[i].(string)] = list[i+1]
		}
		return m
	}
	for _, c := range []struct {
		name, text string
		want       any
	}{
		{"nothing", "", ""},
		{"text", "int 1", "int 1"},
		{"a quoted bracket", `string "{}"`, `string "{}"`},
		{"an index in the name of a type", "[3]int [1]", block{"[3]int [", members("[0]", "1")}},
		{"no members", "p.T {}", block{"p.T {", members()}},
		{"brackets that do not fit each other", "p.T {a)}", "p.T {a)}"},
		{"a bracket that is not closed", "p.T {A: [1}", "p.T {A: [1}"},
		{"a name twice", "p.T {A: 1, A: 2, A: 3}", block{"p.T {", members(".A", "1", ".A'", "2", ".A''", "3")}},
		{"a method", "p.T {Len(): 1}", block{"p.T {", members(".Len()", "1")}},
		{"keys of a map", `map{"a\"b": 1, -2: 3, 1.5e+10: 4}`, block{"map{", members(`["a\"b"]`, "1", "[-2]", "3", "[1.5e+10]", "4")}},
		{"a name in another script", "p.T {Größe: 1}", block{"p.T {", members(".Größe", "1")}},
		{
			"lines", "p.T {\n\tA: [\n\t\t1\n\t\t2\n\t]\n\tB: 3\n}",
			block{"p.T {", members(".A", block{"[", members("[0]", "1", "[1]", "2")}, ".B", "3")},
		},
		{"a line that is deeper than its parent", "p.T {\n\t\t1\n}", block{"p.T {", members("[0]", "\t1")}},
		{
			"lines without the bracket that closes them", "p.T {\n\tA: [\n\t\t1\n\tB: 2",
			block{"p.T {", members(".A", block{"[", members("[0]", "1")}, ".B", "2")},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, parse(c.text)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestUnified(t *testing.T) {
	text := func(lines string) []string { return strings.Split(lines, " ") }
	for _, c := range []struct{ name, want, got, lines string }{
		{"one line is not in the other", "a", "a b", "  a|+ b"},
		{"gone before new", "a x b", "a y b", "  a|- x|+ y|  b"},
		{"a line that is left out is shown", "a 1 2 3 4 5 b", "x 1 2 3 4 5 y", "- a|+ x|  1|  2|  3|  4|  5|- b|+ y"},
		{"two lines are counted", "a 1 2 3 4 5 6 b", "x 1 2 3 4 5 6 y", "- a|+ x|  1|  2|  ... 2 lines|  5|  6|- b|+ y"},
		{"at both ends", "1 2 3 4 a 5 6 7 8", "1 2 3 4 x 5 6 7 8", "  ... 2 lines|  3|  4|- a|+ x|  5|  6|  ... 2 lines"},
		{"a line that is repeated", "a a", "a a a", "  a|  a|+ a"},
	} {
		if diff := cmp.Diff(strings.Split(c.lines, "|"), unified(text(c.want), text(c.got))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

// Beyond the bound no table of common lines is made: all that is between the common
// beginning and end is replaced.
func TestLongTextsAreReplaced(t *testing.T) {
	lines := func(first string) []string {
		list := []string{"head", first}
		for i := range 1100 {
			list = append(list, fmt.Sprint(i))
		}
		return append(list, first, "tail")
	}
	all := edits(lines("a"), lines("b"))
	if n := 2 + 2*1102; len(all) != n || all[0] != "  head" || all[1] != "- a" || all[1+1102] != "+ b" || all[n-1] != "  tail" {
		t.Errorf("%d lines, want %d: %q ...", len(all), n, all[:3])
	}
}

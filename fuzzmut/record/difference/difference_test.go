package difference

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestLines(t *testing.T) {
	form := func(key, more string) string {
		return "*html.Node &{\n\tType: 3\n\tForm: [\n\t\tnil\n\t\t{Attr: [{Key: \"x\", Val: \"1, {\"}, {Key: \"" + key + "\", Val: \"2\"}]}\n\t]\n\tText: \"a\"" + more + "\n}"
	}
	long := func(c string) string { return "string \n\t\"" + strings.Repeat("a", 70) + "\\n\" +\n\t\"" + c + "\"" }
	for _, c := range []struct{ name, want, got, lines string }{
		{"one line", "int 1", "int 2", "- int 1\n+ int 2"},
		{"a field in a list", form("b", ""), form("a", ""), `.Form[1].Attr[1].Key: "b" -> "a"`},
		{"a new field", form("b", ""), form("b", "\n\tLast: 1"), `+ .Last: 1`},
		{"a field that is gone", "p.T {X: 1, Y: 2}", "p.T {X: 1}", `- .Y: 2`},
		{"another type", "p.T {X: 1}", "q.T {X: 1}", "- p.T {X: 1}\n+ q.T {X: 1}"},
		{"of a map", `map[string]int map{"a b": 1, "c": 2}`, `map[string]int map{"a b": 3, "c": 2}`, `["a b"]: 1 -> 3`},
		{"of a map with numbers", `map[int]p.T map{-1: {X: nil}}`, `map[int]p.T map{-1: {X: &1}}`, `[-1].X: nil -> &1`},
		{"a method", `p.E {Error(): "a", Row: 1}`, `p.E {Error(): "b", Row: 1}`, `.Error(): "a" -> "b"`},
		{"a list in a list", "[][]int [[1, 2], [3]]", "[][]int [[1, 2], [4]]", "[1][0]: 3 -> 4"},
		{"a longer list", "[]int [1, 2]", "[]int [0, 1, 2]", "- []int [1, 2]\n+ []int [0, 1, 2]"},
		{"a value in lines that was in one", "p.T {\n\tA: 1\n\tB: 2\n}", "p.T {A: 1, B: 3}", ".B: 2 -> 3"},
		{"anonymous types", `[]interface {} [struct { A int } {A: 1}]`, `[]interface {} [struct { A int } {A: 2}]`, "[0].A: 1 -> 2"},
		{"text of several lines", long("b"), long("c"), `[1]: "b" -> "c"`},
		{
			"a line more", "[]string [\n\t\"a\"\n\t\"b\"\n\t\"c\"\n\t\"d\"\n\t\"e\"\n]", "[]string [\n\t\"a\"\n\t\"b\"\n\t\"c\"\n\t\"x\"\n\t\"d\"\n\t\"e\"\n]",
			"  ... 2 lines\n  \t\"b\"\n  \t\"c\"\n+ \t\"x\"\n  \t\"d\"\n  \t\"e\"\n  ]",
		},
		{"no structure", "a\nb", "a\nb\nc", "  a\n  b\n+ c"},
		{"unbalanced", `p.T {X: "}`, `p.T {Y: "}`, "- p.T {X: \"}\n+ p.T {Y: \"}"},
	} {
		if diff := cmp.Diff(c.lines, strings.Join(Lines(c.want, c.got), "\n")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

func TestManyChangesAreAUnifiedDiff(t *testing.T) {
	text := func(n string) string { return "[]string [\n\t\"" + strings.Repeat(n+"\"\n\t\"", 9) + "\"\n]" }
	if lines := Lines(text("a"), text("b")); len(lines) != 1+18+2 || lines[1] != "- \t\"a\"" {
		t.Errorf("%q", lines)
	}
}

// Whatever the texts are, a unified diff has all lines that are not in both.
func FuzzLines(f *testing.F) {
	f.Add("int 1", "int 2")
	f.Add("p.T {\n\tX: [1, 2]\n}", "p.T {\n\tX: [1]\n}")
	f.Add("a: [{\"\\", "}]")
	f.Add("{,,}", "[,,]")
	f.Fuzz(func(t *testing.T, want, got string) {
		lines := Lines(want, got)
		if want != got && len(lines) == 0 {
			t.Error("no difference")
		}
		a, b := strings.Split(want, "\n"), strings.Split(got, "\n")
		var x, y []string
		for _, line := range edits(a, b) {
			switch line[0] {
			case '-':
				x = append(x, line[2:])
			case '+':
				y = append(y, line[2:])
			default:
				x, y = append(x, line[2:]), append(y, line[2:])
			}
		}
		trim := func(lines []string) string {
			var all []string
			for _, line := range lines {
				all = append(all, strings.TrimRight(line, " "))
			}
			return strings.Join(all, "\n")
		}
		if trim(x) != trim(a) || trim(y) != trim(b) {
			t.Errorf("%q, %q", x, y)
		}
	})
}

func TestSignedLines(t *testing.T) {
	for _, c := range []struct{ want, got, lines string }{
		{"&{A: 1, B: 2}", "&{A: 1, B: 3}", "- .B: 2\n+ .B: 3"},
		{"1", "2", "- 1\n+ 2"},
		{"a\nb\nc", "a\nx\nc", "  a\n- b\n+ x\n  c"},
	} {
		if got := strings.Join(Signed(c.want, c.got), "\n"); got != c.lines {
			t.Errorf("%q to %q:\n%s\nwant\n%s", c.want, c.got, got, c.lines)
		}
	}
}

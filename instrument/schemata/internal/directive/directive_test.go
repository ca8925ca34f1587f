package directive_test

import (
	"go/token"
	"slices"
	"strings"
	"testing"

	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/checked"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/directive"
)

func TestIgnored(t *testing.T) {
	const own = "//fuzzmut:ignore"
	for _, c := range []struct {
		about, src string
		excluded   []string // texts at whose beginning mutants are not wanted
		wanted     []string
		reason     string
	}{
		{
			"before the package clause: the file", "//fuzzmut:ignore all of it\n\npackage p\nvar a = 1\nfunc f() {}\n",
			[]string{"var a", "func f", "package p"},
			nil, own + " all of it",
		},
		{
			"behind code: the line", "package p\nfunc f() {\n\ta := 1 //fuzzmut:ignore\n\tb := 2\n}\n",
			[]string{"a := 1", "1 //"},
			[]string{"b := 2", "func f"},
			own,
		},
		{
			"behind code: not the lines that its statement goes on for", "package p\nfunc f() {\n\ta := 1 + //fuzzmut:ignore\n\t\t2\n}\n",
			[]string{"a := 1"},
			[]string{"2\n"},
			own,
		},
		{
			"above a function: all of it", "package p\n//fuzzmut:ignore slow\nfunc f() {\n\tb := 2\n}\nfunc g() {}\n",
			[]string{"func f", "b := 2", "}\nfunc g"},
			[]string{"func g"},
			own + " slow",
		},
		{
			"above a method in a longer comment", "package p\n// f is.\n//\n//fuzzmut:ignore\nfunc f() { b := 2 }\n",
			[]string{"func f", "b := 2"},
			nil, own,
		},
		{
			"above a statement", "package p\nfunc f() {\n\t//fuzzmut:ignore\n\tif c {\n\t\tb := 2\n\t}\n\td := 3\n}\nvar c bool\n",
			[]string{"if c", "b := 2"},
			[]string{"d := 3"},
			own,
		},
		{
			"above a clause", "package p\nfunc f() {\n\tswitch c {\n\t//fuzzmut:ignore\n\tcase true:\n\t\tb := 2\n\tdefault:\n\t\td := 3\n\t}\n}\nvar c bool\n",
			[]string{"case true", "b := 2"},
			[]string{"default", "d := 3", "switch"},
			own,
		},
		{
			"above a declaration", "package p\n//fuzzmut:ignore\nvar (\n\ta = 1\n\tb = 2\n)\nvar d = 3\n",
			[]string{"a = 1", "b = 2"},
			[]string{"var d"},
			own,
		},
		{
			"above one variable of several", "package p\nvar (\n\t//fuzzmut:ignore\n\ta = 1\n\tb = 2\n)\n",
			[]string{"a = 1"},
			[]string{"b = 2"},
			own,
		},
		{
			"several on one line: the largest", "package p\nfunc f() {\n\t//fuzzmut:ignore\n\tfor { a := 1; b := 2\n\t}\n}\n",
			[]string{"for {", "a := 1", "b := 2"},
			nil, own,
		},
		{
			"above part of an expression: the line", "package p\nvar a = g(\n\t//fuzzmut:ignore\n\t1,\n\t2)\nfunc g(a, b int) int { return a }\n",
			[]string{"1,"},
			[]string{"2)"},
			own,
		},
		{
			"at the very end of the file", "package p\nvar a = 1\n//fuzzmut:ignore",
			nil,
			[]string{"var a"},
			own,
		},
		{
			"another word", "package p\n//fuzzmut:ignored\nvar a = 1\n//fuzzmut:ignore-me\nvar b = 1\n// fuzzmut:ignore\nvar c = 1\n",
			nil,
			[]string{"var a", "var b", "var c"},
			own,
		},
		{
			"a tab before the reason", "package p\n//fuzzmut:ignore\tbecause\nvar a = 1\n",
			[]string{"var a"},
			nil, own + " because",
		},
	} {
		s := checked.Text(t, c.src)
		list := directive.ReadIgnored(s.Src)
		for _, text := range c.excluded {
			if got := list.At(s.Pos(text)); got != c.reason {
				t.Errorf("%s: at %q %q, want %q", c.about, text, got, c.reason)
			}
		}
		for _, text := range c.wanted {
			if got := list.At(s.Pos(text)); got != "" {
				t.Errorf("%s: at %q %q", c.about, text, got)
			}
		}
	}
}

// A line directive changes the numbers of the lines, not what stands below what.
func TestIgnoredGoesByTheRealLines(t *testing.T) {
	s := checked.Text(t, "package p\n//line other.go:100\nvar b = 2\n//fuzzmut:ignore\nvar a = 1\nvar d = 3\n")
	list := directive.ReadIgnored(s.Src)
	if list.At(s.Pos("var a")) == "" || list.At(s.Pos("var d")) != "" || list.At(s.Pos("var b")) != "" {
		t.Errorf("%+v", list)
	}
}

func TestDirectivesOfFunctions(t *testing.T) {
	for _, c := range []struct {
		doc     string
		target  bool
		forbids string
	}{
		{"", false, ""},
		{"// f is a function.", false, ""},
		{"//fuzzmut:target", true, ""},
		{"// f is.\n//\n//fuzzmut:target of all", true, ""},
		{"//fuzzmut:target\tof all", true, ""},
		{"//fuzzmut:targeted", false, ""},
		{"// fuzzmut:target", false, ""},
		{"//go:nosplit", false, "//go:nosplit"},
		{"//go:noinline\n//go:norace", false, "//go:norace"},
		{"//go:nosplit // because", false, "//go:nosplit"},
		{"//go:noinline", false, ""},
		{"//go:nosplits", false, ""},
		{"//go:nocheckptr\n//fuzzmut:target", true, "//go:nocheckptr"},
	} {
		s := checked.Text(t, "package p\n"+c.doc+"\nfunc f() {}\n")
		d := s.Func("f")
		if got := directive.IsTarget(d); got != c.target {
			t.Errorf("%q: target %t", c.doc, got)
		}
		if got := directive.Forbids(d); got != c.forbids {
			t.Errorf("%q: forbids %q, want %q", c.doc, got, c.forbids)
		}
	}
}

func TestTypesWhoseMethodsAreTargets(t *testing.T) {
	s := checked.Text(t, "package p\n//fuzzmut:target sequence\ntype A int\n\n// B is.\ntype B int\n\ntype (\n//fuzzmut:target sequence\nC int\nD int\n)\n\n//fuzzmut:target sequence\nvar E int\n")
	names := make(map[string]bool)
	directive.TargetTypes(s.Src.Syntax, names)
	if len(names) != 2 || !names["A"] || !names["C"] {
		t.Errorf("%v", names)
	}
}

func TestDirectivesThatLeaveNothingOut(t *testing.T) {
	s := checked.Text(t, "package p\n//fuzzmut:ignore f\nfunc f() {\n\ta := 1\n\t//fuzzmut:ignore b\n\tb := 2\n\tc := 3 //fuzzmut:ignore c\n}\n")
	list := directive.ReadIgnored(s.Src)
	list.Met(s.Pos("b := 2"))
	if got, want := list.Unused(), []token.Pos{s.Pos("//fuzzmut:ignore c")}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// The last of several that hold for one place does not count: the first is named.
func TestFirstReasonCounts(t *testing.T) {
	s := checked.Text(t, "//fuzzmut:ignore the file\n\npackage p\n\n//fuzzmut:ignore the function\nfunc f() {}\n")
	if got := directive.ReadIgnored(s.Src).At(s.Pos("func f")); !strings.HasSuffix(got, "the file") {
		t.Errorf("%q", got)
	}
}

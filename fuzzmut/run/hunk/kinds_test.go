package hunk

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// Each hunk is reverted alone, in texts that compile before and after: what is there then
// has to compile, too. The lines that differ from the new text are listed.
func TestRevertedCodeCompiles(t *testing.T) {
	for _, c := range []struct {
		name, old, new string
		want           [][]string
	}{
		{
			"a select clause", "func f(c, d chan int) int {\n\tselect {\n\tcase x := <-c:\n\t\treturn x\n\tcase <-d:\n\t}\n\treturn 0\n}\n",
			"func f(c, d chan int) int {\n\tselect {\n\tcase x := <-c:\n\t\treturn x + 1\n\tcase <-d:\n\t\treturn 2\n\tdefault:\n\t}\n\treturn 0\n}\n",
			[][]string{{"-\t\treturn x + 1", "+\t\treturn x"}, {"-\t\treturn 2"}, {"-\tdefault:"}},
		},
		{
			"what a select clause receives is not used any more", "func f(c chan int) {\n\tselect {\n\tcase x := <-c:\n\t\tg(1)\n\t\tprintln(x)\n\t}\n}\n\nfunc g(int) {}\n",
			"func f(c chan int) {\n\tselect {\n\tcase x := <-c:\n\t\tg(x)\n\t\tprintln(2)\n\t}\n}\n\nfunc g(int) {}\n",
			[][]string{
				{"-\tcase x := <-c:", "-\t\tg(x)", "+\tcase x := <-c: _ = x;", "+\t\tg(1)"}, {"-\t\tprintln(2)", "+\t\tprintln(x)"},
			},
		},
		{
			"a type switch", "func f(v any) int {\n\tswitch v := v.(type) {\n\tcase int:\n\t\treturn v\n\tcase string:\n\t\treturn len(v)\n\t}\n\treturn 0\n}\n",
			"func f(v any) int {\n\tswitch v := v.(type) {\n\tcase int:\n\t\treturn v + 1\n\tcase string, []byte:\n\t\t_ = v\n\t}\n\treturn 1\n}\n",
			nil,
		},
		{
			"the variable of a type switch is not used any more", "func f(v any) int {\n\tswitch x := v.(type) {\n\tcase int:\n\t\treturn 1\n\tdefault:\n\t\t_ = x\n\t}\n\treturn 0\n}\n",
			"func f(v any) int {\n\tswitch x := v.(type) {\n\tcase int:\n\t\treturn x\n\tdefault:\n\t}\n\treturn 0\n}\n",
			[][]string{
				{"-\tcase int:", "-\t\treturn x", "+\tcase int: _ = x;", "+\t\treturn 1"},
				{"+\t\t_ = x"},
			},
		},
		{
			"the variable of a switch", "func g() int { return 1 }\n\nfunc f() int {\n\tswitch x := g(); {\n\tcase true:\n\t\treturn 1\n\tdefault:\n\t\treturn x\n\t}\n}\n",
			"func g() int { return 1 }\n\nfunc f() int {\n\tswitch x := g(); {\n\tcase true:\n\t\treturn x\n\tdefault:\n\t\treturn 2\n\t}\n}\n",
			[][]string{
				{"-\tcase true:", "-\t\treturn x", "+\tcase true: _ = x;", "+\t\treturn 1"},
				{"-\t\treturn 2", "+\t\treturn x"},
			},
		},
		{
			"the variable of an if", "func g() int { return 1 }\n\nfunc f() int {\n\tif x := g(); true {\n\t\treturn x\n\t} else {\n\t\treturn 1\n\t}\n}\n",
			"func g() int { return 1 }\n\nfunc f() int {\n\tif x := g(); true {\n\t\treturn 2\n\t} else {\n\t\treturn x\n\t}\n}\n",
			[][]string{
				{"-\t\treturn 2", "+\t\treturn x"},
				{"-\tif x := g(); true {", "+\tif x := g(); true { _ = x;", "-\t\treturn x", "+\t\treturn 1"},
			},
		},
		{
			"the variable of a for", "func f() {\n\tfor i, k := 0, 0; ; {\n\t\t_ = i\n\t\t_, _ = k, 1\n\t}\n}\n", "func f() {\n\tfor i, k := 0, 0; ; {\n\t\t_ = k\n\t\t_, _ = i, 1\n\t}\n}\n",
			[][]string{
				{"-\tfor i, k := 0, 0; ; {", "-\t\t_ = k", "+\tfor i, k := 0, 0; ; { _ = k;", "+\t\t_ = i"},
				{"-\tfor i, k := 0, 0; ; {", "+\tfor i, k := 0, 0; ; { _ = i;", "-\t\t_, _ = i, 1", "+\t\t_, _ = k, 1"},
			},
		},
		{
			"variables of one declaration", "func f() int {\n\tvar a, b = 1, 2\n\t_ = 1\n\treturn a + b\n}\n", "func f() int {\n\tvar a, b = 1, 2\n\t_ = a + b\n\treturn 3\n}\n",
			[][]string{
				{"-\tvar a, b = 1, 2", "-\t_ = a + b", "+\tvar a, b = 1, 2; _ = a; _ = b", "+\t_ = 1"},
				{"-\treturn 3", "+\treturn a + b"},
			},
		},
		{
			"a variable that is only assigned", "func f() {\n\tx := 1\n\tx = 2\n\t_ = 0\n\t_ = x\n}\n", "func f() {\n\tx := 1\n\tx = 2\n\t_ = x\n\t_ = 0 + 0\n}\n",
			nil,
		},
		{
			"a label", "func f(n int) int {\nagain:\n\tfor n > 0 {\n\t\tn--\n\t\tif n == 3 {\n\t\t\tbreak again\n\t\t}\n\t}\n\treturn n\n}\n",
			"func f(n int) int {\n\tfor n > 0 {\n\t\tn--\n\t\tif n == 3 {\n\t\t\treturn 7\n\t\t}\n\t}\n\treturn n\n}\n",
			nil,
		},
		{
			"a declaration in a function", "func f() int {\n\ttype t int\n\tconst c = 1\n\treturn c\n}\n", "func f() int {\n\ttype t int8\n\tconst c = 2\n\treturn c\n}\n",
			[][]string{{"-\ttype t int8", "+\ttype t int"}, {"-\tconst c = 2", "+\tconst c = 1"}},
		},
		{
			"methods of a type with parameters", "type t[P any] struct{ p P }\n\nfunc (x *t[P]) get() P { return x.p }\n\nfunc (x t[P]) n() int { return 1 }\n",
			"type t[P any] struct{ p P }\n\nfunc (x *t[P]) get() P { var zero P; return zero }\n\nfunc (x t[P]) n() int { return 2 }\n",
			[][]string{
				{"-func (x *t[P]) get() P { var zero P; return zero }", "+func (x *t[P]) get() P { return x.p }"},
				{"-func (x t[P]) n() int { return 2 }", "+func (x t[P]) n() int { return 1 }"},
			},
		},
		{
			"the methods of an interface", "type t interface {\n\ta()\n\tb()\n}\n", "type t interface {\n\ta()\n\tb(int)\n\tc()\n}\n",
			[][]string{{"-\tb(int)", "+\tb()"}, {"-\tc()"}},
		},
		{
			"fields without names", "type u struct{}\n\ntype v struct{}\n\ntype t struct {\n\tu\n\tn int\n}\n", "type u struct{}\n\ntype v struct{}\n\ntype t struct {\n\tu\n\t*v\n\tn int `x`\n}\n",
			[][]string{{"-\t*v"}, {"-\tn int `x`", "+\tn int"}},
		},
		{
			"groups", "type (\n\ta int\n\tb int\n)\n\nvar (\n\tc = 1\n\td = 2\n)\n", "type (\n\ta int8\n\tb int\n\te int\n)\n\nvar (\n\tc = 1\n\td = 3\n)\n",
			[][]string{{"-\ta int8", "+\ta int"}, {"-\te int"}, {"-\td = 3", "+\td = 2"}},
		},
		{
			"the first of constants that are counted", "const (\n\ta = iota\n\tb\n\tc\n)\n", "const (\n\tz = iota\n\ta\n\tb\n\tc\n)\n",
			[][]string{{"-\tz = iota", "-\ta", "+\ta = iota"}},
		},
		{
			"a constant between others", "const (\n\ta = iota\n\tc\n)\n", "const (\n\ta = iota\n\tb\n\tc\n)\n",
			[][]string{{"-\tb"}},
		},
		{
			"a table within a table", "var t = [][]int{\n\t{\n\t\t1,\n\t\t2,\n\t},\n\t{\n\t\t3,\n\t},\n}\n", "var t = [][]int{\n\t{\n\t\t1,\n\t\t4,\n\t},\n\t{\n\t\t3,\n\t\t5,\n\t},\n}\n",
			[][]string{{"-\t\t4,", "+\t\t2,"}, {"-\t\t5,"}},
		},
		{
			"elements on one line", "var t = []string{\n\t\"a\", \"b\", \"c\",\n\t\"d\",\n}\n", "var t = []string{\n\t\"a\", \"x\", \"y\",\n\t\"d\", \"z\",\n}\n",
			[][]string{
				{"-\t\"a\", \"x\", \"y\",", "+\t\"a\", \"b\", \"y\","},
				{"-\t\"a\", \"x\", \"y\",", "+\t\"a\", \"x\", \"c\","},
				{"-\t\"d\", \"z\",", "+\t\"d\", "},
			},
		},
		{
			"one element for two on a line", "var t = []int{1, 2, 3}\n", "var t = []int{1, 4, 5, 3}\n",
			[][]string{
				{"-var t = []int{1, 4, 5, 3}", "+var t = []int{1, 2, 4, 5, 3}"},
				{"-var t = []int{1, 4, 5, 3}", "+var t = []int{1, 5, 3}"},
				{"-var t = []int{1, 4, 5, 3}", "+var t = []int{1, 4, 3}"},
			},
		},
		{
			"the last elements of a line", "var t = map[int]bool{1: true, 2: true}\n", "var t = map[int]bool{1: true}\n",
			[][]string{{"-var t = map[int]bool{1: true}", "+var t = map[int]bool{1: true,2: true}"}},
		},
		{
			"the fields of a struct on one line", "type t struct{ a, b int }\n\nvar x = t{1, 2}\n", "type t struct{ a, b int }\n\nvar x = t{3, 4}\n",
			[][]string{{"-var x = t{3, 4}", "+var x = t{1, 2}"}},
		},
		{
			"a row of a table on one line", "var t = [][2]int{{1, 2}, {3, 4}}\n", "var t = [][2]int{{1, 2}, {5, 6}}\n",
			[][]string{{"-var t = [][2]int{{1, 2}, {5, 6}}", "+var t = [][2]int{{1, 2}, {3, 4}}"}},
		},
		{
			"a run of many elements on a line", "var t = []byte{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13}\n", "var t = []byte{21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33}\n",
			[][]string{{"-var t = []byte{21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33}", "+var t = []byte{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13}"}},
		},
		{
			"a table that was in one line", "var t = []int{1, 2}\n", "var t = []int{\n\t1,\n\t3,\n}\n",
			nil,
		},
		{
			"elements with keys", "var t = map[string]int{\n\t\"a\": 1,\n\t\"b\": 2,\n}\n", "var t = map[string]int{\n\t\"a\": 1,\n\t\"c\": 2,\n}\n",
			[][]string{{"-\t\"c\": 2,", "+\t\"b\": 2,"}},
		},
		{
			"an else", "func f(a bool) int {\n\tif a {\n\t\treturn 1\n\t}\n\treturn 2\n}\n", "func f(a bool) int {\n\tif a {\n\t\treturn 1\n\t} else {\n\t\t_ = a\n\t}\n\treturn 2\n}\n",
			[][]string{{"-\t} else {", "-\t\t_ = a"}},
		},
		{
			"an else that is gone", "func f(a bool) int {\n\tif a {\n\t\treturn 1\n\t} else {\n\t\t_ = a\n\t}\n\treturn 2\n}\n", "func f(a bool) int {\n\tif a {\n\t\treturn 1\n\t}\n\treturn 2\n}\n",
			[][]string{{"+\t} else {", "+\t\t_ = a"}},
		},
		{
			"an argument that is a function", "func g(n int, f func() int) int { return f() }\n\nvar x = g(1, func() int {\n\treturn 1\n})\n", "func g(n int, f func() int) int { return f() }\n\nvar x = g(2, func() int {\n\treturn 2\n})\n",
			nil,
		},
		{
			"a block of its own", "func f() (n int) {\n\t{\n\t\tn++\n\t}\n\treturn n\n}\n", "func f() (n int) {\n\t{\n\t\tn--\n\t}\n\treturn n\n}\n",
			[][]string{{"-\t\tn--", "+\t\tn++"}},
		},
		{
			"a body", "func f(n int)\n", "func f(n int) {\n}\n",
			nil,
		},
		{
			"statements that need nothing of each other", "func f(r rune) rune {\n\treturn r\n}\n",
			"func f(r rune) rune {\n\tif r == 't' {\n\t\tr = '\\t'\n\t}\n\tif r == 'n' {\n\t\tr = '\\n'\n\t}\n\treturn r\n}\n",
			[][]string{{"-\tif r == 't' {", "-\t\tr = '\\t'", "-\t}"}, {"-\tif r == 'n' {", "-\t\tr = '\\n'", "-\t}"}},
		},
		{
			"a statement that uses what another one declares", "func f(n int) int {\n\treturn n\n}\n", "func f(n int) int {\n\tn++\n\tm := n\n\tn += m\n\treturn n\n}\n",
			[][]string{{"-\tn++"}, {"-\tm := n", "-\tn += m"}},
		},
		{
			"statements that are gone", "func f(n int) int {\n\tn++\n\tn *= 2\n\treturn n\n}\n", "func f(n int) int {\n\treturn n\n}\n",
			[][]string{{"+\tn++"}, {"+\tn *= 2"}},
		},
		{
			"a condition before others", "func f(n int) int {\n\tif n == 3 {\n\t\treturn 1\n\t} else if n == 4 {\n\t\treturn 2\n\t}\n\treturn n\n}\n",
			"func f(n int) int {\n\tif n == 2 {\n\t\treturn 5\n\t} else if n == 3 {\n\t\treturn 1\n\t} else if n == 4 {\n\t\treturn 6\n\t}\n\treturn n\n}\n",
			[][]string{{"-\tif n == 2 {", "-\t\treturn 5", "-\t} else if n == 3 {", "+\tif n == 3 {"}, {"-\t\treturn 6", "+\t\treturn 2"}},
		},
		{
			"a condition before others that is gone", "func f(n int) int {\n\tif n == 2 {\n\t\treturn 5\n\t} else if n == 3 {\n\t\treturn 1\n\t}\n\treturn n\n}\n",
			"func f(n int) int {\n\tif n == 3 {\n\t\treturn 6\n\t}\n\treturn n\n}\n",
			[][]string{{"-\tif n == 3 {", "+\tif n == 2 {", "+\t\treturn 5", "+\t} else if n == 3 {"}, {"-\t\treturn 6", "+\t\treturn 1"}},
		},
		{
			"a condition around an if, with another one beside it", "func f(n, m int) int {\n\tif n > m {\n\t\treturn 1\n\t}\n\treturn n\n}\n",
			"func f(n, m int) int {\n\tif m != 0 {\n\t\tif n == 5 {\n\t\t\treturn 2\n\t\t}\n\t\tif n > m {\n\t\t\treturn 1\n\t\t}\n\t}\n\treturn n\n}\n",
			[][]string{{"-\tif m != 0 {", "-\t\t}", "-\t}", "+\t\t}"}, {"-\t\tif n == 5 {", "-\t\t\treturn 2", "-\t\t}"}},
		},
		{
			"the values of a case", "func f(r rune) bool {\n\tswitch r {\n\tcase 'a', 'b', 'c', 'd', 'e', 'f':\n\t\treturn true\n\t}\n\treturn false\n}\n",
			"func f(r rune) bool {\n\tswitch r {\n\tcase 'b', 'x', 'd', 'y', 'z':\n\t\treturn true\n\t}\n\treturn false\n}\n",
			[][]string{
				{"-\tcase 'b', 'x', 'd', 'y', 'z':", "+\tcase 'a', 'b', 'x', 'd', 'y', 'z':"},
				{"-\tcase 'b', 'x', 'd', 'y', 'z':", "+\tcase 'b', 'c', 'd', 'y', 'z':"},
				{"-\tcase 'b', 'x', 'd', 'y', 'z':", "+\tcase 'b', 'x', 'd', 'e', 'z':"},
				{"-\tcase 'b', 'x', 'd', 'y', 'z':", "+\tcase 'b', 'x', 'd', 'y', 'f':"},
			},
		},
		{
			"more values of a case, and fewer", "func f(r rune) int {\n\tswitch r {\n\tcase 'a':\n\t\treturn 1\n\tcase 'b', 'c', 'd':\n\t\treturn 2\n\tcase 'e', 'f', 'g':\n\t\treturn 3\n\tdefault:\n\t\treturn 4\n\t}\n}\n",
			"func f(r rune) int {\n\tswitch r {\n\tcase '1', 'a', '2', '3':\n\t\treturn 1\n\tcase 'b':\n\t\treturn 2\n\tcase 'e', '4', '5':\n\t\treturn 3\n\tdefault:\n\t\treturn 4\n\t}\n}\n",
			[][]string{
				{"-\tcase '1', 'a', '2', '3':", "+\tcase 'a', '2', '3':"},
				{"-\tcase '1', 'a', '2', '3':", "+\tcase '1', 'a', '3':"},
				{"-\tcase '1', 'a', '2', '3':", "+\tcase '1', 'a', '2':"},
				{"-\tcase 'b':", "+\tcase 'b', 'c':"},
				{"-\tcase 'b':", "+\tcase 'b', 'd':"},
				{"-\tcase 'e', '4', '5':", "+\tcase 'e', 'f', '5':"},
				{"-\tcase 'e', '4', '5':", "+\tcase 'e', '4', 'g':"},
			},
		},
		{
			"a default that was a case", "func f(r rune) int {\n\tswitch r {\n\tcase 'b', 'c':\n\t\treturn 2\n\t}\n\treturn 0\n}\n", "func f(r rune) int {\n\tswitch r {\n\tdefault:\n\t\treturn 2\n\t}\n\treturn 0\n}\n",
			nil,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			old, now := []byte("package p\n\n"+c.old), []byte("package p\n\n"+c.new)
			for _, text := range [][]byte{old, now} {
				if err := check(text); err != nil {
					t.Fatalf("%v:\n%s", err, text)
				}
			}
			checkHunks(t, old, now)
			hunks := Diff(old, now)
			var got [][]string
			for i := range hunks {
				text := Compilable(old, now, hunks, []int{i}, nil)
				if err := check(text); err != nil {
					t.Errorf("hunk %d: %v:\n%s", i, err, text)
				}
				got = append(got, changed(string(now), string(text)))
			}
			if c.want != nil {
				if diff := cmp.Diff(c.want, got); diff != "" {
					t.Errorf("(-want +got):\n%s", diff)
				}
			}
		})
	}
}

// check type-checks a text without imports. A function without a body is fine.
func check(text []byte) error {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "p.go", text, parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	conf := types.Config{IgnoreFuncBodies: false}
	_, err = conf.Check("p", fset, []*ast.File{f}, nil)
	if err != nil && strings.Contains(err.Error(), "missing function body") {
		return nil
	}
	return err
}

// Files with other line ends have the same hunks as those with plain ones.
func TestLineEndsOfWindows(t *testing.T) {
	crlf := func(text string) []byte { return []byte(strings.ReplaceAll(text, "\n", "\r\n")) }
	after := strings.NewReplacer("n > 1", "n >= 1", "\treturn n\n", "\tn++\n\treturn n\n", `"b"`, `"c"`).Replace(before)
	plain := Diff([]byte(before), []byte(after))
	hunks := Diff(crlf(before), crlf(after))
	if diff := cmp.Diff(plain, hunks, cmpopts.IgnoreUnexported(Hunk{})); diff != "" {
		t.Errorf("(-plain +crlf):\n%s", diff)
	}
	checkHunks(t, crlf(before), crlf(after))
	for i := range plain {
		want := Revert([]byte(before), []byte(after), plain, []int{i})
		got := Revert(crlf(before), crlf(after), hunks, []int{i})
		if diff := cmp.Diff(string(want), strings.ReplaceAll(string(got), "\r\n", "\n")); diff != "" {
			t.Errorf("hunk %d (-plain +crlf):\n%s", i, diff)
		}
	}
	if hunks := Diff([]byte(before), crlf(before)); hunks != nil {
		t.Errorf("line ends are a change: %v", hunks)
	}
	checkHunks(t, []byte(before), crlf(after))
	checkHunks(t, crlf(before), []byte(after))
}

func TestTextsWithoutSyntax(t *testing.T) {
	broken := "package p\n\nfunc f( {\n"
	for _, c := range []struct {
		name, old, new string
		want           []Hunk
	}{
		{"both are empty", "", "", nil},
		{"the same", broken, broken, nil},
		{"an empty file", "", "package p\n", []Hunk{{OldLine: 1, OldCount: 0, NewLine: 1, NewCount: 1}}},
		{"an empty file now", "package p\n", "", []Hunk{{OldLine: 1, OldCount: 1, NewLine: 1, NewCount: 0}}},
		{"no syntax now", "package p\n\nfunc f() {\n", broken, []Hunk{{OldLine: 3, OldCount: 1, NewLine: 3, NewCount: 1}}},
		{"no syntax before", broken, "package p\n\nfunc f() {}\n", []Hunk{{OldLine: 3, OldCount: 1, NewLine: 3, NewCount: 1}}},
		{"bytes that are no text", "package p\n\xff\n", "package p\n\xfe\n", []Hunk{{OldLine: 2, OldCount: 1, NewLine: 2, NewCount: 1}}},
		{"no end of the last line", broken + "a", broken + "b", []Hunk{{OldLine: 4, OldCount: 1, NewLine: 4, NewCount: 1}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			hunks := Diff([]byte(c.old), []byte(c.new))
			if diff := cmp.Diff(c.want, hunks, cmpopts.IgnoreUnexported(Hunk{})); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if got := string(Revert([]byte(c.old), []byte(c.new), hunks, all(hunks))); got != strings.Join(splitLines([]byte(c.old)), "") && len(hunks) > 0 {
				t.Errorf("all reverted: %q", got)
			}
		})
	}
}

// Comments that are code make hunks, others do not.
func TestComments(t *testing.T) {
	for _, c := range []struct {
		name, old, new string
		hunks          int
	}{
		{"a doc comment", "// A.\nvar x = 1", "// B.\nvar x = 1", 0},
		{"a comment in a function", "func f() {\n\t// a\n}", "func f() {\n\t/* b */\n}", 0},
		{"go:generate", "//go:generate a\nvar x = 1", "//go:generate b\nvar x = 1", 0},
		{"go:noinline", "//go:noinline\nfunc f() {}", "func f() {}", 1},
		{"go:embed", "//go:embed a\nvar x string", "//go:embed b\nvar x string", 1},
		{"go:linkname outside declarations", "//go:linkname a b\n\nvar x = 1", "var x = 1", 1},
		{"a comment that looks like one", "// go:noinline\nfunc f() {}", "func f() {}", 0},
		{"go:build", "//go:build linux\n\nvar x = 1", "//go:build windows\n\nvar x = 1", 1},
		{"line", "//line a.go:1\nvar x = 1", "//line b.go:1\nvar x = 1", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			old, now := []byte("package p\n\n"+c.old+"\n"), []byte("package p\n\n"+c.new+"\n")
			if hunks := checkHunks(t, old, now); len(hunks) != c.hunks {
				t.Errorf("%d hunks, want %d: %v", len(hunks), c.hunks, hunks)
			}
		})
	}
	cgo := "package p\n\n// int f(void) { return 1; }\nimport \"C\"\n\nvar x = C.f()\n"
	if hunks := checkHunks(t, []byte(cgo), []byte(strings.Replace(cgo, "return 1", "return 2", 1))); len(hunks) != 1 || hunks[0].NewLine != 3 {
		t.Errorf("of cgo: %v", hunks)
	}
}

func TestImports(t *testing.T) {
	// The variable is another hunk: all of them together bring the old imports back.
	text := func(y, imports, body string) []byte {
		return []byte("package p\n\n" + imports + "\nfunc f() { " + body + " }\n\nvar y = " + y + "\n")
	}
	for _, c := range []struct {
		name     string
		old, new []byte
		want     [][]string
	}{
		{
			"another package of that name", text("1", "import \"a/yaml.v2\"\n", "yaml.F()"), text("2", "import \"a/yaml.v3\"\n", "yaml.F()"),
			[][]string{{"-import \"a/yaml.v3\"", "+import \"a/yaml.v2\""}},
		},
		{
			"another version of a module", text("1", "import (\n\t\"fmt\"\n\t\"a/b\"\n)\n", "b.F(fmt.E)"), text("2", "import (\n\t\"fmt\"\n\t\"a/b/v2\"\n)\n", "b.F(fmt.E)"),
			[][]string{{"-\t\"a/b/v2\"", "+\t\"a/b\""}},
		},
		{
			"a blank one", text("1", "", "a()"), text("2", "import _ \"embed\"\n", "a()"),
			[][]string{{"-import _ \"embed\""}},
		},
		{
			"a blank one that is gone", text("1", "import _ \"embed\"\n", "a()"), text("2", "", "a()"),
			[][]string{{"-package p", "+package p; import _ \"embed\""}},
		},
		{
			"a blank one of a group", text("1", "import (\n\t\"fmt\"\n)\n", "fmt.A()"), text("2", "import (\n\t\"fmt\"\n\t_ \"embed\"\n)\n", "fmt.A()"),
			[][]string{{"-\t_ \"embed\""}},
		},
		{
			"the order alone", text("1", "import (\n\t\"a\"\n\t\"b\"\n)\n", "a.F(b.F)"), text("2", "import (\n\t\"b\"\n\t\"a\"\n)\n", "a.F(b.F)"),
			nil,
		},
		{
			"with what uses them", text("1", "", "a()"), text("2", "import \"fmt\"\n", "fmt.A()"),
			[][]string{{"-func f() { fmt.A() }", "+func f() { a() }"}},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got [][]string
			hunks := checkHunks(t, c.old, c.new)
			for i := range hunks[:len(hunks)-1] {
				got = append(got, changed(string(c.new), string(Revert(c.old, c.new, hunks, []int{i}))))
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// Names that the caller knows decide over those that follow from paths.
func TestCompletedImportsHaveTheNamesThatTheCallerKnows(t *testing.T) {
	old := []byte("package p\n\nfunc f() { a() }\n\nfunc g() { yaml.B() }\n")
	now := []byte("package p\n\nimport \"x/go-yaml.v9\"\n\nfunc f() { yaml.A() }\n\nfunc g() { c() }\n")
	hunks := Diff(old, now)
	for _, c := range []struct {
		names map[string]string
		want  string
	}{
		{map[string]string{"x/go-yaml.v9": "yaml"}, "import _ \"x/go-yaml.v9\""},
		{map[string]string{"x/go-yaml.v9": "other"}, "import \"x/go-yaml.v9\""},
		{nil, "import _ \"x/go-yaml.v9\""}, // guessed
	} {
		text := Compilable(old, now, hunks, []int{0}, c.names)
		if !bytes.Contains(text, []byte("\n"+c.want+"\n")) {
			t.Errorf("%v: no %s in\n%s", c.names, c.want, text)
		}
	}
}

func TestGuessedNames(t *testing.T) {
	for path, want := range map[string]string{
		"fmt": "fmt", "net/http": "http", "a.com/b/v2": "b", "v2": "v2", "a.com/v2": "",
		"gopkg.in/yaml.v3": "yaml", "a/go-toml": "go_toml gotoml toml", "a/uuid-go": "uuid uuid_go uuidgo", "a/nats.go": "nats",
		"a/b-c": "b_c bc", "a/1x": "", "a/b.c": "",
	} {
		if got := strings.Join(guess(path), " "); got != want {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
}

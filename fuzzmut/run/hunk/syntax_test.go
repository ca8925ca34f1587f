package hunk

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Each hunk is reverted alone. The lines that differ from the new text are listed.
func TestRevertSyntax(t *testing.T) {
	for _, c := range []struct {
		name, old, new string
		want           [][]string // for each hunk: lines of the new text that are gone, lines that came
	}{
		{
			"a variable with what uses it", "func f() {\n\ta()\n\tb()\n}\n", "func f() {\n\ta()\n\tkey := c()\n\tif key > 1 {\n\t\td()\n\t}\n\tb()\n}\n",
			[][]string{{"-\tkey := c()", "-\tif key > 1 {", "-\t\td()", "-\t}"}},
		},
		{
			"a head, and a statement in the body", "func f() {\n\tif a {\n\t\tb()\n\t\tc()\n\t}\n}\n", "func f() {\n\tif a && x {\n\t\tb()\n\t\td()\n\t}\n}\n",
			[][]string{{"-\tif a && x {", "+\tif a {"}, {"-\t\td()", "+\t\tc()"}},
		},
		{
			"a block around code", "func f() {\n\ta()\n\tb()\n}\n", "func f() {\n\tif x {\n\t\ta()\n\t\tb()\n\t}\n}\n",
			[][]string{{"-\tif x {", "-\t}"}},
		},
		{
			"a block taken away", "func f() {\n\tfor {\n\t\ta()\n\t\tb()\n\t}\n}\n", "func f() {\n\ta()\n\tb()\n}\n",
			[][]string{{"+\tfor {", "+}"}},
		},
		{
			"an arm", "func f() {\n\tif a {\n\t\tb()\n\t} else {\n\t\tc()\n\t}\n}\n", "func f() {\n\tif a {\n\t\tb()\n\t} else if x {\n\t\td()\n\t} else {\n\t\tc()\n\t}\n}\n",
			[][]string{{"-\t} else if x {", "-\t\td()"}},
		},
		{
			"clauses", "func f() {\n\tswitch a {\n\tcase 1:\n\t\tb()\n\tcase 2:\n\t\tc()\n\t}\n}\n", "func f() {\n\tswitch a {\n\tcase 1:\n\t\tb()\n\t\td()\n\tcase 3:\n\t}\n}\n",
			[][]string{{"-\t\td()"}, {"-\tcase 3:", "+\tcase 2:", "+\t\tc()"}},
		},
		{
			"elements of a table", "var t = []int{\n\t1,\n\t2,\n\t3,\n}\n", "var t = []int{\n\t1,\n\t5,\n\t3,\n\t4,\n}\n",
			[][]string{{"-\t5,", "+\t2,"}, {"-\t4,"}},
		},
		{
			"fields and constants", "type t struct {\n\ta int\n}\n\nconst (\n\tx = 1\n\ty = 2\n)\n", "type t struct {\n\ta int\n\tb int\n}\n\nconst (\n\tx = 1\n\ty = 3\n)\n",
			[][]string{{"-\tb int"}, {"-\ty = 3", "+\ty = 2"}},
		},
		{
			"a function in a call", "func f() {\n\tgo func() {\n\t\ta()\n\t}()\n}\n", "func f() {\n\tgo func() {\n\t\tb()\n\t}()\n}\n",
			[][]string{{"-\t\tb()", "+\t\ta()"}},
		},
		{
			"a moved function", "func f() { a() }\n\nfunc g() { b() }\n", "func g() { b() }\n\nfunc f() { a() }\n",
			[][]string{{"+func f() { a() }"}, {"-func f() { a() }"}},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			old, new := []byte("package p\n\n"+c.old), []byte("package p\n\n"+c.new)
			hunks := Diff(old, new)
			var got [][]string
			for i := range hunks {
				got = append(got, changed(string(new), string(Compilable(old, new, hunks, []int{i}, nil))))
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// changed lists lines that only one of two texts has.
func changed(from, to string) (list []string) {
	a, b := splitLines([]byte(from)), splitLines([]byte(to))
	for _, h := range lineHunks(a, b) {
		for _, line := range a[h.OldLine-1 : h.OldLine-1+h.OldCount] {
			list = append(list, "-"+strings.TrimSuffix(line, "\n"))
		}
		for _, line := range b[h.NewLine-1 : h.NewLine-1+h.NewCount] {
			list = append(list, "+"+strings.TrimSuffix(line, "\n"))
		}
	}
	return list
}

func TestComplete(t *testing.T) {
	for _, c := range []struct{ name, old, new, want string }{
		{
			"an import that is not used any more", "package p\n\nfunc f() { a() }\n\nfunc g() { b() }\n",
			"package p\n\nimport \"slices\"\n\nfunc f() { slices.Sort(a()) }\n\nfunc g() { c() }\n",
			"package p\n\nimport _ \"slices\"\n\nfunc f() { a() }\n\nfunc g() { c() }\n",
		},
		{
			"an import that is used again", "package p\n\nimport x \"gopkg.in/yaml.v3\"\n\nfunc f() { x.A() }\n\nfunc g() { b() }\n",
			"package p // p is.\n\nfunc f() { a() }\n\nfunc g() { c() }\n",
			"package p; import x \"gopkg.in/yaml.v3\" // p is.\n\nfunc f() { x.A() }\n\nfunc g() { c() }\n",
		},
		{
			"a variable that nothing uses", "package p\n\nfunc f() {\n\tx := a()\n\tb(1)\n\tc()\n}\n", "package p\n\nfunc f() {\n\tx := a()\n\tb(x)\n\td()\n}\n",
			"package p\n\nfunc f() {\n\tx := a(); _ = x\n\tb(1)\n\td()\n}\n",
		},
		{
			"in a head", "package p\n\nfunc f() {\n\tfor i, x := range y {\n\t\tb(i)\n\t}\n\tc()\n}\n", "package p\n\nfunc f() {\n\tfor i, x := range y {\n\t\tb(x)\n\t}\n\td()\n}\n",
			"package p\n\nfunc f() {\n\tfor i, x := range y { _ = x;\n\t\tb(i)\n\t}\n\td()\n}\n",
		},
		{
			"a label that nothing uses", "package p\n\nfunc f() {\nl:\n\tfor {\n\t\tbreak\n\t}\n\ta()\n}\n", "package p\n\nfunc f() {\nl:\n\tfor {\n\t\tbreak l\n\t}\n\tb()\n}\n",
			"package p\n\nfunc f() {\n\n\tfor {\n\t\tbreak\n\t}\n\tb()\n}\n",
		},
		{
			"a definition of nothing", "package p\n\nfunc f() {\n\tx := a()\n\tb(x)\n\tc(x)\n\tg()\n}\n", "package p\n\nfunc f() {\n\tvar y = 1\n\tb(1)\n\tx := 2\n\tc(x)\n\th()\n}\n",
			"package p\n\nfunc f() {\n\tx := a()\n\tb(x)\n\tx  = 2\n\tc(x)\n\th()\n}\n",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			old, new := []byte(c.old), []byte(c.new)
			hunks := Diff(old, new)
			if diff := cmp.Diff(c.want, string(Compilable(old, new, hunks, []int{0}, nil))); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

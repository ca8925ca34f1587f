package hunk

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// names writes names as "x y:local".
func names(list []Name) string {
	var words []string
	for _, n := range list {
		if n.Local {
			n.Name += ":local"
		}
		words = append(words, n.Name)
	}
	slices.Sort(words)
	return strings.Join(words, " ")
}

func words(set map[string]bool) string { return strings.Join(slices.Sorted(maps.Keys(set)), " ") }

func TestWordsOf(t *testing.T) {
	type hunkWords struct{ Old, New, Gone, Added, Changed string }
	for _, c := range []struct {
		name, old, new string
		want           []hunkWords
	}{
		{
			"a statement", "func f() {\n\ta(x)\n}\n", "func f() {\n\tb(y, 1)\n}\n",
			[]hunkWords{{Old: "a x", New: "b y"}},
		},
		{
			"a new function", "", "func f(n int) (s string) { return g() }\n",
			[]hunkWords{{New: "f g int n s string", Added: "f n:local s:local"}},
		},
		{
			"a method that is gone", "func (r *T) m() {}\n", "",
			[]hunkWords{{Old: "T m r", Gone: "m r:local"}},
		},
		{
			"a signature", "func f(a int) {}\n", "func f(b int) {}\n",
			[]hunkWords{{Old: "a f int", New: "b f int", Gone: "a:local", Added: "b:local", Changed: "f"}},
		},
		{
			"variables of a function", "func f() {\n\tx, _ := a()\n\tvar y int\n}\n", "func f() {\n\tx := b()\n\tfor k, v := range c {\n\t}\n}\n",
			[]hunkWords{{Old: "_ a x", New: "b x", Changed: "x:local"}, {Old: "int y", New: "c k v", Gone: "y:local", Added: "k:local v:local"}},
		},
		{
			"fields and methods", "type s struct {\n\ta, b int\n\tu\n}\n\ntype i interface {\n\tm()\n}\n", "type s struct {\n\ta, b int8\n\tu\n}\n\ntype i interface {\n\tn()\n}\n",
			[]hunkWords{{Old: "a b int", New: "a b int8", Changed: "a b"}, {Old: "m", New: "n", Gone: "m", Added: "n"}},
		},
		{
			"a declaration in a function", "func f() {\n\tconst c = 1\n\ttype t int\n}\n\nvar c = 1\n", "func f() {\n}\n\nvar c = 2\n",
			[]hunkWords{{Old: "c", Gone: "c:local"}, {Old: "int t", Gone: "t:local"}, {Old: "c", New: "c", Changed: "c"}},
		},
		{
			"nothing of comments and strings", "func f() {\n\ta(\"x\") // y\n}\n", "func f() {\n\tb(`z`) // w\n}\n",
			[]hunkWords{{Old: "a", New: "b"}},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			old, now := []byte("package p\n\n"+c.old), []byte("package p\n\n"+c.new)
			var got []hunkWords
			for _, w := range WordsOf(old, now, Diff(old, now)) {
				got = append(got, hunkWords{words(w.Old), words(w.New), names(w.Gone), names(w.Added), names(w.Changed)})
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestWordsOfAFileThatOnlyASideHas(t *testing.T) {
	text := []byte("package p\n\nfunc f(n int) {}\n")
	for _, c := range []struct {
		name        string
		old, new    []byte
		gone, added string
	}{
		{"new", nil, text, "", "f n:local"},
		{"gone", text, nil, "f n:local", ""},
	} {
		w := WordsOf(c.old, c.new, []Hunk{Whole(c.old, c.new)})
		if len(w) != 1 || names(w[0].Gone) != c.gone || names(w[0].Added) != c.added {
			t.Errorf("%s: %+v", c.name, w)
		}
	}
	if w := WordsOf([]byte("package p\nfunc"), text, nil); w != nil {
		t.Errorf("of what does not parse: %v", w)
	}
	if w := WordsOf(text, []byte("package"), nil); w != nil {
		t.Errorf("of what does not parse now: %v", w)
	}
}

// Local names are of the declaration that a hunk is in.
func TestHunksOfADeclarationHaveItsNumber(t *testing.T) {
	old := []byte("package p\n\nfunc f() {\n\ta()\n\tx()\n\tb()\n}\n\nfunc g() {\n\tc()\n}\n\nvar (\n\ty = 1\n\tz = 1\n)\n")
	now := []byte("package p\n\nfunc f() {\n\ta(1)\n\tx()\n\tb(1)\n}\n\nfunc g() {\n\tc(1)\n}\n\nvar (\n\ty = 2\n\tz = 2\n)\n")
	var decls []int
	for _, w := range WordsOf(old, now, Diff(old, now)) {
		decls = append(decls, w.Decl)
	}
	if len(decls) != 5 {
		t.Fatalf("%v", decls)
	}
	for i := range decls {
		for k := range i {
			if same := i == 1 && k == 0; (decls[i] == decls[k]) != same || decls[i] == 0 {
				t.Errorf("declarations of the hunks: %v", decls)
			}
		}
	}
}

// Statements that were written together are a run, but for those that others stand between
// and those that make one hunk.
func TestRuns(t *testing.T) {
	for _, c := range []struct {
		name, old, new string
		want           [][]int
	}{
		{"nothing", "", "", nil},
		{"new ones", "\tx()\n", "\ta()\n\tb()\n\tc()\n\tx()\n", [][]int{{0, 1, 2}}},
		{"those that are gone", "\tx()\n\ta()\n\tb()\n", "\tx()\n", [][]int{{0, 1}}},
		{"two runs", "\tx()\n", "\ta()\n\tb()\n\tx()\n\tc()\n\td()\n", [][]int{{0, 1}, {2, 3}}},
		{"in place of others", "\tx(1, 2, 3)\n\ty(1)\n", "\ta(1)\n\ty(1)\n\tb(2)\n", [][]int{{0}, {1}}},
		{"one uses what another declares", "\tx()\n", "\ta()\n\tv := 1\n\tb(v)\n\tx()\n", [][]int{{0, 1}}},
		{"many lines", "", body("g", "a", 13)[len("func g() {\n"):], [][]int{{0}, {1}, {2}, {3}, {4}, {5}, {6}, {7}, {8}, {9}, {10}, {11}, {12}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := func(s string) []byte {
				return []byte("package p\n\nfunc f() {\n" + strings.TrimSuffix(s, "}\n") + "}\n")
			}
			got := Runs(Diff(text(c.old), text(c.new)))
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestGroups(t *testing.T) {
	for _, c := range []struct {
		name, old, new string
		want           [][]int
	}{
		{"nothing", "var x = 1\n", "var x = 1\n", nil},
		{"one hunk", "var x = 1\n", "var x = 2\n", nil},
		{"the file", "var x = 1\n\nvar y = 1\n", "var x = 2\n\nvar y = 2\n", [][]int{{0, 1}}},
		{
			"a block, a function, the file",
			"func f() {\n\ta()\n\tif b {\n\t\tc()\n\t\tx()\n\t\td()\n\t}\n}\n\nvar y = 1\n", "func f() {\n\ta(1)\n\tif b {\n\t\tc(1)\n\t\tx()\n\t\td(1)\n\t}\n}\n\nvar y = 2\n",
			[][]int{{1, 2}, {0, 1, 2}, {0, 1, 2, 3}},
		},
		{
			"a group of declarations", "var (\n\tx = 1\n\ty = 1\n)\n\nfunc f() { a() }\n", "var (\n\tx = 2\n\ty = 2\n)\n\nfunc f() { b() }\n",
			[][]int{{0, 1}, {0, 1, 2}},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := Groups(Diff([]byte("package p\n\n"+c.old), []byte("package p\n\n"+c.new)))
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
	if got := Groups([]Hunk{{NewLine: 1}, {NewLine: 5}}); !cmp.Equal(got, [][]int{{0, 1}}) {
		t.Errorf("hunks of lines: %v", got)
	}
}

package versions

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// pairOf is a pair of files, each with an old and a new text.
func pairOf(texts ...[2]string) *Pair {
	p := new(Pair)
	for _, t := range texts {
		var f File
		if t[0] != "" {
			f.Old = []byte("package p\n\n" + t[0])
		}
		if t[1] != "" {
			f.New = []byte("package p\n\n" + t[1])
		}
		f.diff()
		p.Files = append(p.Files, f)
	}
	return p
}

func TestGroups(t *testing.T) {
	for _, c := range []struct {
		name  string
		files [][2]string
		want  [][]Ref
	}{
		{
			"a new function with what calls it",
			[][2]string{
				{"func f() { a() }\n\nvar x = 1\n", "func f() { b() }\n\nvar x = 2\n"},
				{"", "func b() {}\n"},
			},
			[][]Ref{{{0, 0}, {0, 1}}, {{0, 0}, {1, 0}}},
		},
		{
			"a signature with its callers",
			[][2]string{
				{"func f(x int) {}\n\nfunc g() { f(1) }\n\nfunc h() { a() }\n", "func f() {}\n\nfunc g() { f() }\n\nfunc h() { b() }\n"},
			},
			[][]Ref{{{0, 0}, {0, 1}}, {{0, 0}, {0, 1}, {0, 2}}},
		},
		{
			"a variable that is gone",
			[][2]string{
				{"func f() {\n\tvar x int\n\ta()\n\tb(x)\n\tc()\n\tif d {\n\t\te()\n\t}\n}\n", "func f() {\n\ta()\n\tb(1)\n\tc()\n\tif d {\n\t\tg()\n\t}\n}\n"},
			},
			[][]Ref{{{0, 0}, {0, 1}}, {{0, 0}, {0, 1}, {0, 2}}},
		},
		{
			"a name that another function has, too",
			[][2]string{
				{"func f() {\n\ta(1)\n}\n\nfunc g() {\n\ta(2)\n}\n\nvar y = 1\n", "func f() {\n\tx := 2\n\ta(x)\n}\n\nfunc g() {\n\ta(x)\n}\n\nvar y = 2\n"},
			},
			[][]Ref{{{0, 0}, {0, 1}, {0, 2}}},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, pairOf(c.files...).Groups()); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

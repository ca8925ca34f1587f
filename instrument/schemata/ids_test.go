package schemata

import (
	"bytes"
	"fmt"
	"go/ast"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/gogen"
)

// idsByFunc returns the IDs of a file's mutants in order, by function.
func idsByFunc(t *testing.T, c checker, src []byte) (in Input, ids map[string][]string) {
	t.Helper()
	in, errs := c.check("p", map[string][]byte{"/p/x.go": src})
	if len(errs) > 0 {
		t.Fatalf("%s\n%s", errorLines(errs, 5), src)
	}
	ids = map[string][]string{}
	for _, m := range mustRewrite(t, in).Mutants {
		ids[m.Func] = append(ids[m.Func], m.ID)
	}
	return in, ids
}

// TestMutantIDsSurviveAnyEdit edits generated programs. It adds lines, functions
// that use every import, and a statement in one of the functions. The mutants of
// the others keep their IDs.
func TestMutantIDsSurviveAnyEdit(t *testing.T) {
	c := checker{imports: stdTypes(t)}
	for seed := range uint64(6) {
		src := gogen.File("p", "x", randomChoices(200+seed, 400))
		in, want := idsByFunc(t, c, src)
		if len(want) < 5 {
			t.Fatalf("seed %d: mutants in %d functions only", seed, len(want))
		}
		f := in.Files[0]
		text := string(src) + "\n\n\nfunc added(n int) (string, int) { return fmt.Sprint(n + 1), n * 2 }\n"
		for _, imp := range f.Syntax.Imports {
			switch imp.Path.Value {
			case `"errors"`:
				text += "\nfunc addedError() error { return errors.New(\"\") }\n"
			case `"strings"`:
				text += "\nfunc addedString(s string) bool { return strings.HasPrefix(s, \"x\") }\n"
			}
		}
		edited := ""
		for _, d := range slices.Backward(f.Syntax.Decls) {
			fd, ok := d.(*ast.FuncDecl)
			if !ok || fd.Recv != nil || fd.Name.Name == "init" {
				continue
			}
			at := in.Fset.Position(fd.Body.Lbrace).Offset + 1
			if bytes.Contains(src[at:in.Fset.Position(fd.End()).Offset], []byte("true")) {
				edited = fd.Name.Name
				text = text[:at] + "\nif true { _ = 3 + len(\"x\") }\n" + text[at:]
				break
			}
		}
		text = strings.Replace(text, "\ntype ", "\n// A comment.\n\n\ntype ", 3)
		_, got := idsByFunc(t, c, []byte(text))
		for fn := range want {
			if fn == edited || fn == "" || fn == "init" {
				continue
			}
			if diff := cmp.Diff(want[fn], got[fn]); diff != "" {
				t.Errorf("seed %d: IDs in %s (-before +after an edit of %s):\n%s", seed, fn, edited, diff)
			}
		}
	}
}

// What a deletion has to do for an import depends on the rest of the file; its ID
// must not.
func TestMutantIDsSurviveOtherUsesOfAnImport(t *testing.T) {
	const src = "package p\n\nimport (\n\t\"strings\"\n)\n\nfunc f(s string) string {\n\ts = strings.ToUpper(s)\n\treturn s\n}\n"
	c := checker{imports: stdTypes(t)}
	_, want := idsByFunc(t, c, []byte(src))
	_, got := idsByFunc(t, c, fmt.Appendf(nil, "%s\nfunc g(s string) bool { return strings.HasPrefix(s, \"a\") }\n", src))
	if diff := cmp.Diff(want["f"], got["f"]); diff != "" || len(want["f"]) == 0 {
		t.Errorf("%d IDs (-before +after):\n%s", len(want["f"]), diff)
	}
}

// idsOnLine returns the IDs of the live mutants of a function on one line.
func idsOnLine(t *testing.T, src string, line int) (ids []string) {
	t.Helper()
	c := checker{imports: stdTypes(t)}
	in, errs := c.check("p", map[string][]byte{"/p/x.go": []byte(src)})
	if len(errs) > 0 {
		t.Fatalf("%s\n%s", errorLines(errs, 5), src)
	}
	for _, m := range mustRewrite(t, in).Mutants {
		if m.Line == line {
			ids = append(ids, m.ID)
		}
	}
	return ids
}

// Where the first of two equal expressions has no mutants, for whatever reason, those of the
// second keep their IDs.
func TestMutantIDsSurviveThatAnEqualMutantIsLeftOut(t *testing.T) {
	const head = "package p\n\nimport \"errors\"\n\nvar sink int\n\nvar failed = errors.New(\"\")\n\n"
	for _, tt := range []struct{ about, with, without string }{
		{
			"a value that nothing reads",
			"func f(n int) int {\n\tk := 3\n\tsink = k\n\tk = 3\n\treturn k\n}\n",
			"func f(n int) int {\n\tk := 3\n\tsink = n\n\tk = 3\n\treturn k\n}\n",
		},
		{
			"zero in place of zero",
			"func f(n int) (k int) {\n\tif k = n; n > 1 {\n\t\treturn\n\t}\n\tk = n\n\treturn\n}\n",
			"func f(n int) (k int) {\n\tif k = 0; n > 1 {\n\t\treturn\n\t}\n\tk = n\n\treturn\n}\n",
		},
		{
			"an error that is not nil",
			"func f(n int) (k int, err error) {\n\tif err = failed; n == 0 {\n\t\treturn\n\t}\n\terr = failed\n\treturn\n}\n",
			"func f(n int) (k int, err error) {\n\tif err = failed; err != nil {\n\t\treturn\n\t}\n\terr = failed\n\treturn\n}\n",
		},
		{
			"an answer that a result gives",
			"func f(n int) bool {\n\terr := failed\n\tif n == 0 {\n\t\tb := errors.Is(err, failed)\n\t\treturn !b\n\t}\n\tb := errors.Is(err, failed)\n\treturn b\n}\n",
			"func f(n int) bool {\n\terr := failed\n\tif n == 0 {\n\t\treturn errors.Is(err, failed)\n\t}\n\n\tb := errors.Is(err, failed)\n\treturn b\n}\n",
		},
		{
			"code that is not reached",
			"func f(n int) int {\n\tif n == 0 {\n\t\tn++\n\t\treturn n + 1\n\t}\n\treturn n + 1\n}\n",
			"func f(n int) int {\n\tif n == 0 {\n\t\treturn 0\n\t\treturn n + 1\n\t}\n\treturn n + 1\n}\n",
		},
	} {
		last := strings.Count(head+tt.with, "\n") - 1
		for _, line := range []int{last, last - 1} {
			want, got := idsOnLine(t, head+tt.with, line), idsOnLine(t, head+tt.without, line)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s, line %d (-before +after):\n%s", tt.about, line, diff)
			}
		}
		if len(idsOnLine(t, head+tt.with, last))+len(idsOnLine(t, head+tt.with, last-1)) == 0 {
			t.Errorf("%s: no mutants at the end", tt.about)
		}
	}
}

// Mutants of one function init keep their IDs whatever is left out in another of the file.
func TestMutantIDsOfFunctionsWithOneName(t *testing.T) {
	const before = "package p\n\nvar sink int\n\nfunc init() {\n\tk := 7\n\tsink = k\n\tk = 2\n\tsink = k\n}\n"
	const after = "\nfunc init() {\n\tsink = 7\n}\n"
	with := idsOnLine(t, before+after, 13)
	without := idsOnLine(t, strings.Replace(before, "sink = k\n\tk = 2", "sink = 1\n\tk = 2", 1)+after, 13)
	if diff := cmp.Diff(with, without); diff != "" || len(with) == 0 {
		t.Errorf("%d IDs (-before +after):\n%s", len(with), diff)
	}
}

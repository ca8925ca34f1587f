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

package schemata

import (
	"flag"
	"fmt"
	"go/version"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/operator"
)

var update = flag.Bool("update", false, "rewrite the expected parts of testdata/operators")

// TestOperators compares the mutants of small files with the lists beside them:
// line:column, operator, what is replaced by what, and the status if it is not
// live. The comment of each archive says why. Every plain edit and the rewritten
// file have to compile. The operators are those of group all, or what the part
// "operators" selects. A part "go" has the language version that the file is of.
func TestOperators(t *testing.T) {
	archives, err := filepath.Glob("testdata/operators/*.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatalf("no archives: %v", err)
	}
	std := stdTypes(t)
	for _, path := range archives {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			ar, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			c := checker{imports: std, goVersion: archiveVersion(t, ar)}
			in, errs := c.check("p", map[string][]byte{"/p/before.go": ar.Files[0].Data})
			if len(errs) > 0 {
				t.Fatalf("before.go:\n%s", errorLines(errs, 5))
			}
			in.Operators = archiveOperators(t, ar)
			out := mustRewrite(t, in)
			if errs := c.recheck(in, out); len(errs) > 0 {
				t.Errorf("rewritten file does not type-check:\n%s\n%s", errorLines(errs, 5), out.Files["/p/before.go"])
			}
			for _, m := range out.Mutants {
				if _, errs := c.check("p", applyAll(in.Files, []instrument.Mutant{m})); len(errs) > 0 {
					t.Errorf("%d:%d: %s: %q → %q does not compile: %v", m.Line, m.Column, m.Operator, m.Original, m.Replacement, errs[0])
				}
			}
			compareParts(t, path, ar, out)
		})
	}
}

// archiveVersion returns the language version of an archive, "" if it has none. It skips
// the test where the Go in use does not know that version.
func archiveVersion(t *testing.T, ar *txtar.Archive) string {
	t.Helper()
	for _, part := range ar.Files {
		if part.Name == "go" {
			lang := strings.TrimSpace(string(part.Data))
			needGo(t, lang)
			return lang
		}
	}
	return ""
}

// needGo skips a test that is about a later Go than the one in use.
func needGo(t *testing.T, lang string) {
	t.Helper()
	if used := runtime.Version(); version.Compare(version.Lang(used), lang) < 0 {
		t.Skipf("needs %s, and this is %s", lang, used)
	}
}

func archiveOperators(t *testing.T, ar *txtar.Archive) []*operator.Operator {
	t.Helper()
	spec := "all"
	for _, part := range ar.Files {
		if part.Name == "operators" {
			spec = strings.TrimSpace(string(part.Data))
		}
	}
	ops, err := operator.ByNames(spec)
	if err != nil {
		t.Fatal(err)
	}
	return ops
}

func compareParts(t *testing.T, path string, ar *txtar.Archive, out *Output) {
	t.Helper()
	for i := range ar.Files[1:] {
		part := &ar.Files[i+1]
		var got string
		switch part.Name {
		case "operators", "go":
			continue
		case "mutants":
			got = mutantList(out.Mutants)
		case "skips":
			got = skipList(out.Skips)
		default:
			t.Fatalf("%s: unknown part %q", path, part.Name)
		}
		if *update {
			part.Data = []byte(got)
		} else if diff := cmp.Diff(string(part.Data), got); diff != "" {
			t.Errorf("%s of %s (-want +got; -update accepts):\n%s", part.Name, path, diff)
		}
	}
	if *update {
		if err := os.WriteFile(path, txtar.Format(ar), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

func mutantList(mutants []instrument.Mutant) string {
	var b strings.Builder
	for _, m := range mutants {
		fmt.Fprintf(&b, "%d:%d %s: %s → %s", m.Line, m.Column, m.Operator, oneLine(m.Original), oneLine(m.Replacement))
		if m.Status != instrument.StatusLive {
			fmt.Fprintf(&b, "  [%s: %s]", m.Status, m.Reason)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

func skipList(skips []instrument.Skip) string {
	var b strings.Builder
	for _, s := range skips {
		fmt.Fprintf(&b, "%d %s: %s\n", s.Line, s.What, s.Reason)
	}
	return b.String()
}

func TestMutantIDsSurviveEditsElsewhere(t *testing.T) {
	const fn = "func f(a, b int) int {\n\tif a < b {\n\t\treturn a + a\n\t}\n\treturn a + a\n}\n"
	const other = "// more text\nvar x = 3\n\nfunc g(s []int) int { return len(s) + 1 }\n\n"
	ids := func(src string) (list []string) {
		in, errs := checker{}.check("p", map[string][]byte{"/p/a.go": []byte(src)})
		if len(errs) > 0 {
			t.Fatal(errs)
		}
		seen := map[string]bool{}
		for _, m := range mustRewrite(t, in).Mutants {
			if seen[m.ID] {
				t.Errorf("ID %s twice", m.ID)
			}
			seen[m.ID] = true
			if m.Func == "f" {
				list = append(list, m.ID)
			}
		}
		return list
	}
	before := ids("package p\n\n" + fn)
	if len(before) == 0 {
		t.Fatal("no mutants")
	}
	if diff := cmp.Diff(before, ids("package p\n\n"+other+fn)); diff != "" {
		t.Errorf("IDs changed with code elsewhere:\n%s", diff)
	}
}

func TestRewriteIsDeterministic(t *testing.T) {
	path, err := os.ReadFile("testdata/programs/control.go")
	if err != nil {
		t.Fatal(err)
	}
	c := checker{imports: stdTypes(t)}
	in, errs := c.check("p", map[string][]byte{"/p/control.go": path})
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	a, b := mustRewrite(t, in), mustRewrite(t, in)
	if diff := cmp.Diff(a, b); diff != "" {
		t.Errorf("two rewrites differ:\n%s", diff)
	}
}

func TestRewriteRefusesForeignSyntax(t *testing.T) {
	in, _ := checker{}.check("p", map[string][]byte{"/p/a.go": []byte("package p\n")})
	in.Files[0].Src = []byte("package p // another text\n")
	if _, err := Rewrite(in); err == nil || !strings.Contains(err.Error(), "does not belong") {
		t.Errorf("error %v, want one that names the mismatch", err)
	}
}

func TestDroppedFunctionsKeepTheirCounters(t *testing.T) {
	src := "package p\n\ntype t int\n\nfunc (x *t) m() int { return int(*x) + 1 }\n\nfunc f() int { return 2 }\n"
	in, errs := checker{}.check("p", map[string][]byte{"/p/a.go": []byte(src)})
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	in.DropFuncs = map[string]string{"(*t).m": "compiler says no", "/p/a.go:7": "nor here"}
	out := mustRewrite(t, in)
	if len(out.Mutants) != 0 || len(out.Funcs) != 2 || len(out.Blocks) != 2 {
		t.Errorf("%d mutants, %d functions, %d blocks; want 0, 2, 2", len(out.Mutants), len(out.Funcs), len(out.Blocks))
	}
	if got, want := skipList(out.Skips), "5 (*t).m: compiler says no\n7 f: nor here\n"; got != want {
		t.Errorf("skips %q, want %q", got, want)
	}
}

func TestNumbersStartWhereTheCallerSays(t *testing.T) {
	in, errs := checker{}.check("p", map[string][]byte{"/p/a.go": []byte("package p\n\n//fuzzmut:target\nfunc f(a int) (int, string) { return a, \"\" }\n")})
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	in.FirstMutant, in.FirstCounter, in.FirstFunc, in.FirstSite = 100, 20, 30, 40
	out := mustRewrite(t, in)
	if m := out.Mutants[0]; m.Index != 100 || m.FuncIndex != 30 {
		t.Errorf("mutant %d in function %d, want 100 in 30", m.Index, m.FuncIndex)
	}
	if out.Blocks[0].Func != 30 {
		t.Errorf("block in function %d, want 30", out.Blocks[0].Func)
	}
	text := string(out.Files["/p/a.go"])
	for _, want := range []string{"Last2(40, &fuzzmutR_0, &fuzzmutR_1)", "(fuzzmutR_0 int, fuzzmutR_1 string)", "AltInt(100, a, 0, 1)"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s in\n%s", want, text)
		}
	}
	if want := []string{"result 0 (int)", "result 1 (string)"}; !cmp.Equal(out.Sites[0].Values, want) || out.Sites[0].Name != "p.f" {
		t.Errorf("site %+v, want p.f with %q", out.Sites[0], want)
	}
}

// Functions that are changed are mutated, and show their results; others are only covered.
func TestChangedFunctionsAlone(t *testing.T) {
	in, errs := checker{}.check("p", map[string][]byte{"/p/a.go": []byte("package p\n\nfunc f(a int) int { return a }\n\nfunc g(a int) int { return a + 1 }\n\nfunc h() {}\n")})
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	in.Changed = func(file string, first, last int) bool {
		return file == "/p/a.go" && (first == 5 && last == 5 || first == 7)
	}
	out := mustRewrite(t, in)
	for _, m := range out.Mutants {
		if m.Line != 5 {
			t.Errorf("line %d: %s", m.Line, m.Description)
		}
	}
	if len(out.Mutants) == 0 || len(out.Blocks) != 3 {
		t.Errorf("%d mutants, %d blocks", len(out.Mutants), len(out.Blocks))
	}
	if len(out.Sites) != 1 || out.Sites[0].Name != "p.g" || !out.Sites[0].Inner || !out.Sites[0].Target {
		t.Errorf("%+v", out.Sites)
	}
	if got, want := skipList(out.Skips), "3 f: not a part of the change\n"; got != want {
		t.Errorf("skips %q, want %q", got, want)
	}
}

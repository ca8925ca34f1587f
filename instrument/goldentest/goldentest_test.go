package goldentest

import (
	"bytes"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"maps"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/fuzzmut/fuzzmut/instrument/rt/golden"
	"github.com/google/go-cmp/cmp"

	"golang.org/x/tools/txtar"

	"github.com/fuzzmut/fuzzmut/instrument/load"
)

// loadText unpacks and loads a module.
func loadText(t *testing.T, text string) *load.Result {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range txtar.Parse([]byte(text)).Files {
		path := filepath.Join(dir, f.Name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, f.Data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	r, err := load.Load(t.Context(), load.Config{Dir: dir, Pattern: ".", TestOnly: true, Blank: Generated, Derive: true})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// write writes generated files.
func write(t *testing.T, files map[string][]byte) {
	t.Helper()
	for path, text := range files {
		if err := os.WriteFile(path, text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// vet runs go vet, which compiles the tests.
func vet(t *testing.T, dir string, flags ...string) {
	t.Helper()
	cmd := exec.Command("go", append(append([]string{"vet"}, flags...), "./...")...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("go vet: %v\n%s", err, out)
	}
}

// goTest makes sure that the tests of the package in a directory pass.
func goTest(t *testing.T, dir string) {
	t.Helper()
	cmd := exec.Command("go", "test", ".")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

const crowded = `
-- go.mod --
module example.com/crowded

go 1.26
-- p.go --
package crowded

import "errors"

func Parse(s string) (int, error) {
	if s == "" {
		return 0, errors.New("empty")
	}
	return len(s), nil
}

func Fill(p *int) { *p = 1 }

//fuzzmut:observe all
type Seen struct{ n int }

// These are names that the generated file needs.
var time, reflect, strconv, golden, hash, Value, Log, Render, Call, Byte, site int
-- in_test.go --
//go:build !never

package crowded

import (
	"strings"
	. "testing"
)

func seed(f *F, more ...string) {
	for _, s := range append(more, "a", strings.Repeat("b", 3)) {
		f.Add(s)
	}
}

func check(tb TB, s string) int {
	tb.Helper()
	n, _ := Parse(s)
	Fill(&n)
	return n
}

func FuzzIn(f *F) {
	seed(f, "x")
	check(f, "y")
	f.Fuzz(func(t *T, s string) {
		t.Parallel()
		if _, err := Parse(s); err != nil {
			t.Skip(err)
		}
		check(t, s)
	})
}
-- out_test.go --
//go:build go1.18

package crowded_test

import (
	str "strings"
	"testing"

	p "example.com/crowded"
)

type checker struct{}

func (checker) run(t *testing.T, s string) { p.Parse(str.ToUpper(s)) }

func FuzzOut(f *testing.F) {
	f.Fuzz(func(t *testing.T, b []byte, n int8) { checker{}.run(t, string(b)); p.Parse(str.ToLower(string(b))) })
}
`

// generate generates the tests of fuzz tests with these cases.
func generate(t *testing.T, r *load.Result, tests ...Test) (map[string]string, error) {
	t.Helper()
	files, err := Generate(r, tests, TableFiles(r.Test.Fuzz))
	texts := make(map[string]string)
	for path, src := range files {
		texts[filepath.Base(path)] = string(src)
		if formatted, err := format.Source(src); err != nil || !bytes.Equal(formatted, src) {
			t.Errorf("%s is not as gofmt writes it: %v", path, err)
		}
		if !Generated(src) {
			t.Errorf("%s is not known as generated", path)
		}
	}
	write(t, files)
	return texts, err
}

func result(call, text string) golden.Value { return golden.Value{Name: call, Text: text} }

// Generated files compile in any package, with each of their names taken, imports
// under other names, build constraints, and helpers that take the *testing.F.
func TestGenerateCompiles(t *testing.T) {
	r := loadText(t, crowded)
	tests := []Test{
		{Name: "FuzzIn", Table: true, Cases: []Case{{
			Name: "fuzzmut-a-0123456789abcdef", Args: []any{"a`\n"},
			Values: []golden.Value{result("crowded.Parse #1 result 0", "int 1"), result("crowded.Parse #1 result 1", "nil")},
		}}},
		{Name: "FuzzOut", Table: true, Cases: []Case{{
			Name: "fuzzmut-0123456789abcdef", Args: []any{[]byte("\xff"), int8(-3)},
			Values: []golden.Value{
				result("crowded.Parse in checker.run #1 result 0", "int 9"), result("crowded.Parse #1 result 0", "int 1"), result("more values", "3, hash x"),
			},
		}}},
	}
	files, err := generate(t, r, tests...)
	if err != nil {
		t.Fatal(err)
	}
	vet(t, r.Test.Dir)
	for name, wants := range map[string][]string{
		FileName: {
			"//go:build !never\n", "package crowded\n", "func fuzzmutReplay(t *fuzzmutTesting.T, ",
			"func fuzzmutCopy_seed(f *fuzzmutCopiedF,", "t.Helper()\n\t\tif _, err := fuzzmutObs2[", "partial: false",
			"\t\"example.com/crowded.Seen\": \"all\",\n",
		},
		"in_golden_test.go": {
			"//go:build !never\n", "package crowded\n\nimport \"testing\"\n", "func TestGoldenIn(t *testing.T) {\n",
			"\t\t{\"a\", []any{\"a`\\n\"}, []string{\"crowded.Parse = int 1; nil\"}},\n",
		},
		ExternalFileName: {
			"//go:build go1.18\n", "package crowded_test\n", "\tp \"example.com/crowded\"\n", "checker{}.run(t, string(b))", "partial: true",
		},
		"out_golden_test.go": {
			"//go:build go1.18\n", "package crowded_test\n", "func TestGoldenOut(", "\t\t{\"0123456789abcdef\", []any{[]byte(\"\\xff\"), int8(-3)}, []string{}},\n",
		},
	} {
		for _, want := range wants {
			if !strings.Contains(files[name], want) {
				t.Errorf("%s lacks %q:\n%.3000s", name, want, files[name])
			}
		}
	}
	if strings.Contains(files[FileName], "TestGolden") {
		t.Errorf("%s has a test", FileName)
	}
	// What was generated does not change what is generated.
	again, err := Generate(loadAgain(t, r), tests, TableFiles(r.Test.Fuzz))
	if err != nil {
		t.Fatal(err)
	}
	for path, src := range again {
		if files[filepath.Base(path)] != string(src) {
			t.Errorf("generated again, %s is another", path)
		}
	}
	if len(again) != len(files) {
		t.Errorf("generated again, there are %d files, and were %d", len(again), len(files))
	}
}

func loadAgain(t *testing.T, r *load.Result) *load.Result {
	t.Helper()
	again, err := load.Load(t.Context(), load.Config{Dir: r.Test.Dir, Pattern: ".", TestOnly: true, Blank: Generated})
	if err != nil {
		t.Fatal(err)
	}
	return again
}

const calls = `
-- go.mod --
module example.com/calls

go 1.26
-- p.go --
package calls

import "fmt"

type T struct{ N int }

func Half(n int, exact bool) (int, error) {
	if exact && n%2 != 0 {
		return 0, fmt.Errorf("%d is odd", n)
	}
	return n / 2, nil
}

func Of(n int) T { return T{n} }

func TestGoldenOf() {}
-- p_test.go --
package calls

import "testing"

func FuzzHalf(f *testing.F) {
	f.Fuzz(func(t *testing.T, want int, exact bool) { Half(want, exact) })
}

func FuzzOf(f *testing.F) {
	f.Fuzz(func(t *testing.T, n int) { Of(n) })
}
`

// A direct call needs nothing but the table, if results are compared with ==.
func TestTablesOfDirectCalls(t *testing.T) {
	r := loadText(t, calls)
	half := Test{Name: "FuzzHalf", Table: true, Cases: []Case{
		{Name: "fuzzmut-4-true-0123456789abcdef", Args: []any{4, true}, Values: []golden.Value{result("calls.Half #1 result 0", "int 2"), result("calls.Half #1 result 1", "nil")}},
		{Name: "fuzzmut-3-true-0123456789abcdef", Args: []any{3, true}, Values: []golden.Value{result("calls.Half #1 result 0", "int 0"), result("calls.Half #1 result 1", "error \"3 is odd\"")}},
	}}
	of := Test{Name: "FuzzOf", Table: true, Cases: []Case{{Name: "fuzzmut-7-0123456789abcdef", Args: []any{7}, Values: []golden.Value{result("calls.Of #1 result 0", "calls.T {N: 7}")}}}}
	files, err := generate(t, r, half)
	if err != nil || len(files) != 1 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	want := `// Golden values of FuzzHalf, by fuzzmut corpus verify -write-test; -update rewrites this file.

package calls

import (
	"fmt"
	"testing"
)

func TestGoldenHalf(t *testing.T) {
	for _, test := range []struct {
		name    string
		wantArg int
		exact   bool
		want    int
		wantErr string
	}{
		{"4, true", 4, true, 2, "<nil>"},
		{"3, true", 3, true, 0, "3 is odd"},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := Half(test.wantArg, test.exact)
			if got != test.want || fmt.Sprint(err) != test.wantErr {
				t.Errorf("Half(%v, %v) = %v, %v, want %v, %v", test.wantArg, test.exact, got, err, test.want, test.wantErr)
			}
		})
	}
}
`
	if diff := cmp.Diff(want, files["half_golden_test.go"]); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	// A struct is compared by its text, and needs what writes it.
	files, err = generate(t, r, half, of)
	if err != nil || len(files) != 3 || !strings.Contains(files["of_golden_test.go"], "if fuzzmutText(got) != test.want {") ||
		!strings.Contains(files["of_golden_test.go"], "func TestGoldenOf2(") || strings.Contains(files[FileName], "fuzzmutReplay") {
		t.Errorf("%d files, %v:\n%s", len(files), err, files["of_golden_test.go"])
	}
	vet(t, r.Test.Dir)
	cmd := exec.Command("go", "test", "-run=Golden", ".")
	cmd.Dir = r.Test.Dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	// Values that differ from run to run are not in a table of ==.
	half.Cases[0].Values[0].Text = golden.Unstable
	if files, err = generate(t, r, half); err != nil || !strings.Contains(files["half_golden_test.go"], "unstable = calls.Half #1 result 0") {
		t.Errorf("%v:\n%s", err, files["half_golden_test.go"])
	}
}

// Results are compared with == where that says the same as their texts.
func TestCells(t *testing.T) {
	basic := func(kind types.BasicKind) types.Type { return types.Typ[kind] }
	failure := types.Universe.Lookup("error").Type()
	for _, c := range []struct {
		typ   types.Type
		text  string
		kind  columnKind
		field string
	}{
		{basic(types.Int), "int -3", plainColumn, "-3"},
		{basic(types.Bool), "bool true", plainColumn, "true"},
		{basic(types.String), `string "a\"b"`, plainColumn, "`a\"b`"},
		{basic(types.String), `string "a"... 2000 bytes, hash 12`, textColumn, "`string \"a\"... 2000 bytes, hash 12`"},
		{basic(types.Float64), "float64 -0", textColumn, `"float64 -0"`},
		{basic(types.Uintptr), "uintptr not 0", textColumn, `"uintptr not 0"`},
		{failure, "nil", errorColumn, `"<nil>"`},
		{failure, `error "a"`, errorColumn, `"a"`},
		{failure, `*p.E error "a" {Line: 3}`, textColumn, "`*p.E error \"a\" {Line: 3}`"},
		{failure, `error "a" {Line: 3}`, textColumn, "`error \"a\" {Line: 3}`"},
	} {
		var col column
		col.fill(c.typ, []string{c.text}, nil)
		if col.kind != c.kind || col.cells[0] != c.field {
			t.Errorf("%s: kind %d, %s", c.text, col.kind, col.cells[0])
		}
	}
}

func TestArguments(t *testing.T) {
	for _, c := range []struct {
		value       any
		known, open string
	}{
		{"a\"\n", `"a\"\n"`, `"a\"\n"`},
		{`a\b`, "`a\\b`", "`a\\b`"},
		{[]byte("a"), `[]byte("a")`, `[]byte("a")`},
		{3, "3", "3"},
		{int8(-3), "-3", "int8(-3)"},
		{byte(7), "7", "uint8(7)"},
		{'é', "'é'", "'é'"},
		{rune(-5), "-5", "int32(-5)"},
		{1.5, "1.5", "float64(1.5)"},
		{float32(math.Inf(1)), "math.Float32frombits(0x7f800000)", "math.Float32frombits(0x7f800000)"},
		{math.Copysign(0, -1), "math.Float64frombits(0x8000000000000000)", "math.Float64frombits(0x8000000000000000)"},
	} {
		if known, open := argument(c.value, true), argument(c.value, false); known != c.known || open != c.open {
			t.Errorf("%v: %s and %s", c.value, known, open)
		}
	}
}

func TestGenerateRefuses(t *testing.T) {
	const module = "-- go.mod --\nmodule example.com/p\n\ngo 1.26\n-- p.go --\npackage p\n\nfunc F(s string) int { return len(s) }\n"
	for name, test := range map[string]struct{ text, want string }{
		"f given away": {
			"-- other/o.go --\npackage other\n\nimport \"testing\"\n\nfunc Run(f *testing.F) { f.Fuzz(func(t *testing.T, s string) {}) }\n" +
				"-- p_test.go --\npackage p\n\nimport (\n\t\"testing\"\n\n\t\"example.com/p/other\"\n)\n\nfunc FuzzF(f *testing.F) {\n\tF(\"\")\n\tother.Run(f)\n}\n",
			"p_test.go:11: Run takes the *testing.F",
		},
		"two imports of one name": {
			"-- a_test.go --\npackage p\n\nimport (\n\tx \"strings\"\n\t\"testing\"\n)\n\nfunc FuzzF(f *testing.F) { f.Fuzz(func(t *testing.T, s string) { F(x.ToLower(s)); F(s) }) }\n" +
				"-- b_test.go --\npackage p\n\nimport (\n\tx \"bytes\"\n\t\"testing\"\n)\n\nfunc FuzzB(f *testing.F) { f.Fuzz(func(t *testing.T, s []byte) { F(string(x.ToLower(s))); F(\"\") }) }\n",
			"b_test.go: bytes is imported as x here, and strings in another file",
		},
	} {
		_, err := generate(t, loadText(t, module+test.text), Test{Name: "FuzzF", Table: true}, Test{Name: "FuzzB", Table: true})
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: error %v, want one with %q", name, err, test.want)
		}
	}
}

// Names in the shared texts are given new ones without a look at their scopes.
func TestSharedNamesAreOfOneKind(t *testing.T) {
	given := make(map[string]string)
	sharedNames := make(map[string]bool)
	var files []*ast.File
	fset := token.NewFileSet()
	for _, text := range texts {
		src, err := fs.ReadFile(text.files, text.name)
		if err != nil {
			t.Fatal(err)
		}
		s, err := parse(text.name, src)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range append(s.names(), slices.Collect(maps.Keys(s.imports))...) {
			if other := given[newName(name)]; other != "" && other != name {
				t.Errorf("%s and %s get the same name", name, other)
			}
			given[newName(name)] = name
			sharedNames[name] = true
		}
		f, err := parser.ParseFile(fset, text.name, src, 0)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	for _, f := range files {
		ast.Inspect(f, func(n ast.Node) bool {
			kv, ok := n.(*ast.KeyValueExpr)
			if !ok {
				return true
			}
			if key, ok := kv.Key.(*ast.Ident); ok && sharedNames[key.Name] {
				t.Errorf("%s: the field %s has the name of a declaration", fset.Position(key.Pos()), key.Name)
			}
			return true
		})
		ast.Inspect(f, func(n ast.Node) bool {
			if fd, ok := n.(*ast.FuncDecl); ok && fd.Recv != nil && sharedNames[fd.Name.Name] {
				t.Errorf("%s: the method %s has the name of a declaration", fset.Position(fd.Pos()), fd.Name.Name)
			}
			st, ok := n.(*ast.StructType)
			if !ok {
				return true
			}
			for _, field := range st.Fields.List {
				for _, id := range field.Names {
					if sharedNames[id.Name] {
						t.Errorf("%s: the field %s has the name of a declaration", fset.Position(id.Pos()), id.Name)
					}
				}
			}
			return true
		})
	}
}

// names are those that a text declares at package level.
func (s *source) names() (list []string) {
	for _, d := range s.decls {
		list = append(list, d.names...)
	}
	return list
}

package goldentest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

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
	r, err := load.Load(t.Context(), load.Config{Dir: dir, Pattern: ".", TestOnly: true, Blank: Generated})
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

// A generated file compiles in any package, with each of its names taken, imports
// under other names, build constraints, and helpers that take the *testing.F.
func TestGenerateCompiles(t *testing.T) {
	r := loadText(t, crowded)
	files, err := Generate(r)
	if err != nil {
		t.Fatal(err)
	}
	write(t, files)
	vet(t, r.Test.Dir)
	in, out := string(files[filepath.Join(r.Test.Dir, FileName)]), string(files[filepath.Join(r.Test.Dir, ExternalFileName)])
	for _, want := range []string{
		"//go:build !never\n", "package crowded\n", "func TestFuzzmutGolden_FuzzIn(t *fuzzmutTesting.T) {",
		"func fuzzmutCopy_seed(f *fuzzmutCopiedF,", "t.Helper()\n\t\tif _, err := fuzzmutObs2[", "partial: false",
		`views: map[string]fuzzmutView{"example.com/crowded.Seen": "all"}`,
	} {
		if !strings.Contains(in, want) {
			t.Errorf("%s lacks %q", FileName, want)
		}
	}
	for _, want := range []string{
		"//go:build go1.18\n", "package crowded_test\n", "\tp \"example.com/crowded\"\n", "func TestFuzzmutGolden_FuzzOut(",
		"checker{}.run(t, string(b))", "partial: true",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("%s lacks %q", ExternalFileName, want)
		}
	}
	// What was generated does not change what is generated.
	again, err := Generate(loadAgain(t, r))
	if err != nil {
		t.Fatal(err)
	}
	if !maps.EqualFunc(files, again, slices.Equal) {
		t.Error("generated again, the files are others")
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

func TestGenerateRefuses(t *testing.T) {
	const module = "-- go.mod --\nmodule example.com/p\n\ngo 1.26\n-- p.go --\npackage p\n\nfunc F(s string) int { return len(s) }\n"
	for name, test := range map[string]struct{ text, want string }{
		"f given away": {
			"-- other/o.go --\npackage other\n\nimport \"testing\"\n\nfunc Run(f *testing.F) { f.Fuzz(func(t *testing.T, s string) {}) }\n" +
				"-- p_test.go --\npackage p\n\nimport (\n\t\"testing\"\n\n\t\"example.com/p/other\"\n)\n\nfunc FuzzF(f *testing.F) {\n\tF(\"\")\n\tother.Run(f)\n}\n",
			"p_test.go:11: Run takes the *testing.F",
		},
		"two imports of one name": {
			"-- a_test.go --\npackage p\n\nimport (\n\tx \"strings\"\n\t\"testing\"\n)\n\nfunc FuzzA(f *testing.F) { f.Fuzz(func(t *testing.T, s string) { F(x.ToLower(s)) }) }\n" +
				"-- b_test.go --\npackage p\n\nimport (\n\tx \"bytes\"\n\t\"testing\"\n)\n\nfunc FuzzB(f *testing.F) { f.Fuzz(func(t *testing.T, s []byte) { F(string(x.ToLower(s))) }) }\n",
			"b_test.go: bytes is imported as x here, and strings in another file",
		},
	} {
		_, err := Generate(loadText(t, module+test.text))
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
		for _, name := range append(s.declared, slices.Collect(maps.Keys(s.imports))...) {
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

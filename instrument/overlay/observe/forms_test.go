package observe

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/load"
	"github.com/fuzzmut/fuzzmut/instrument/rt/golden"
)

var update = flag.Bool("update", false, "write the golden files")

// core declares what rewritten code refers to of the runtime.
const core = `package fuzzmutrt

type Byte = byte

var Observing bool

func ObsArgs(site int, args ...any) bool { return true }
func Second(a, b bool) bool { return b }
func Obs1[S, A any](a A) A { return a }
func Obs1P[S, A, P any](a A, p *P) A { return a }
func Obs1PP[S, A, P, Q any](a A, p *P, q *Q) A { return a }
func Obs2[S, A, B any](a A, b B) (A, B) { return a, b }
func Obs3[S, A, B, C any](a A, b B, c C) (A, B, C) { return a, b, c }
`

// imports are those of test files: the runtime, and what is checked from export data.
type imports struct {
	core *types.Package
	std  types.Importer
}

func (i imports) Import(path string) (*types.Package, error) {
	if path == i.core.Path() {
		return i.core, nil
	}
	return i.std.Import(path)
}

var std = importer.Default()

// checkFiles type-checks files; the paths are their names.
func checkFiles(t *testing.T, fset *token.FileSet, imp types.Importer, path, goVersion string, files map[string]string, names ...string) (*types.Package, *types.Info, []*ast.File) {
	t.Helper()
	var list []*ast.File
	for _, name := range names {
		f, err := parser.ParseFile(fset, name, files[name], parser.ParseComments)
		if err != nil {
			t.Fatalf("%v\n%s", err, files[name])
		}
		list = append(list, f)
	}
	info := &types.Info{
		Types: make(map[ast.Expr]types.TypeAndValue), Defs: make(map[*ast.Ident]types.Object), Uses: make(map[*ast.Ident]types.Object),
		Selections: make(map[*ast.SelectorExpr]*types.Selection), FileVersions: make(map[*ast.File]string),
	}
	conf := types.Config{GoVersion: goVersion, Importer: imp, Error: func(err error) {
		var e types.Error
		if !errors.As(err, &e) || !e.Soft {
			t.Errorf("%v\n%s", err, files[names[len(names)-1]])
		}
	}}
	pkg, _ := conf.Check(path, fset, list, info) // errors are reported to Error
	return pkg, info, list
}

// typedTests are the test files of a package as they are loaded, without the go command.
func typedTests(t *testing.T, goVersion, code string, tests map[string]string, names ...string) *load.Result {
	t.Helper()
	r := &load.Result{Fset: token.NewFileSet(), Test: instrument.TestPackage{ImportPath: "example.com/p"}, Observe: []string{"example.com/p"}}
	files := map[string]string{"/p/p.go": code}
	all := []string{"/p/p.go"}
	for _, name := range names {
		files["/p/"+name] = tests[name]
		all = append(all, "/p/"+name)
	}
	pkg, info, list := checkFiles(t, r.Fset, std, "example.com/p", goVersion, files, all...)
	test := &load.TestFiles{Types: pkg, Info: info}
	for i, f := range list[1:] {
		test.Files = append(test.Files, load.File{Path: all[i+1], Src: []byte(files[all[i+1]]), Syntax: f})
	}
	r.Tests = []*load.TestFiles{test}
	return r
}

const formsCode = `package p

type T struct{ n int }

func (t *T) Inc() int { t.n++; return t.n }
func (t *T) Reset()   { t.n = 0 }
func (t T) Get() int  { return t.n }

type Outer struct{ T }

type G[X any] struct{ x X }

func (g *G[X]) Set(x X) { g.x = x }

func One() int                               { return 1 }
func Ok() bool                               { return true }
func Two(v *T) (int, error)                  { return 2, nil }
func Three() (int, string, error)            { return 1, "", nil }
func Nine() (a, b, c, d, e, f, g, h, i int)  { return }
func Chan() chan int                         { return nil }
func Of[X any](x X) X                        { return x }
func Fill(b []byte, m map[int]int)           {}
func Void()                                  {}
func Hidden() int                            { return 1 }
func Many(n ...int) int                      { return 0 }
func Callback(f func() int) int              { return f() }
func hidden() int                            { return 1 }
`

const formsTest = `package p

import (
	"testing"
	"unsafe"
)

var alias = One

type own struct{ T }

func (own) One() int { return 1 }

func FuzzForms(f *testing.F) {
	f.Fuzz(func(t *testing.T, b []byte, n int) {
		var v T
		pt := &v
		One()
		(One())
		_ = -One() + n
		if Ok() {
		}
		if n := One(); n > 1 {
		} else if _, err := Two(&v); err != nil {
		}
		for i := One(); i < One(); i += One() {
		}
		for range Chan() {
		}
		for i := range One() {
			_ = i
		}
		switch One() {
		case One():
			pt.Reset()
		default:
			v.Reset()
		}
		switch v.Reset(); {
		}
		select {
		case <-Chan():
			v.Reset()
		default:
			Fill(b, nil)
		}
		func() {
			defer Void()
			defer func() { One() }()
			go Fill(b, nil)
		}()
		a, s, err := Three()
		_, _, _ = a, s, err
		Nine()
		Callback(func() int { return One() })
		Many(One(), Many())
		Many([]int{One()}...)
		_ = Of[int](3)
		_ = Of(n)
		_ = [...]int{0: One()}
		_ = map[int]int{One(): One()}
		_ = unsafe.Sizeof(One())
		const c = len([3]int{})
		alias()
		own{}.One()
		own{}.Get()
		(&Outer{}).Inc()
		T.Get(v)
		(*T).Inc(&v)
		var g G[string]
		g.Set("")
		fn := One
		fn()
		pt.Inc()
		pt.n, n = Two(pt)
		*pt, _ = Of(v), n
		Hidden()
		hidden()
	label:
		v.Reset()
		if n > 0 {
			goto label
		}
		if v.Reset(); n > 0 {
		}
		return
	})
}
`

// What a rewritten file says, and what its sites are called. It compiles.
func TestForms(t *testing.T) {
	src := strings.Replace(formsTest, "pt.n, n = Two(pt)", "pt.n, _ = Two(pt)", 1)
	r := typedTests(t, "go1.26", formsCode, map[string]string{"p_test.go": src}, "p_test.go")
	r.Views.Funcs = map[string]golden.View{"example.com/p.Hidden": golden.ViewNone, "example.com/p.T.Inc": golden.ViewExported}
	out := Rewrite(r, 3, nil)
	text := string(out.Files["/p/p_test.go"])

	corePkg, _, _ := checkFiles(t, token.NewFileSet(), std, "fuzzmutrt", "go1.26", map[string]string{"core.go": core}, "core.go")
	checkFiles(t, token.NewFileSet(), imports{corePkg, std}, "example.com/p", "go1.26", map[string]string{"/p/p.go": formsCode, "/p/p_test.go": text}, "/p/p.go", "/p/p_test.go")
	if n, m := strings.Count(src, "\n"), strings.Count(text, "\n"); n != m {
		t.Errorf("%d lines, %d before", m, n)
	}

	var b bytes.Buffer
	lines, was := strings.Split(text, "\n"), strings.Split(src, "\n")
	for i, line := range was {
		if i < len(lines) && lines[i] != line {
			fmt.Fprintf(&b, "- %s\n+ %s\n", strings.TrimSpace(line), strings.TrimSpace(lines[i]))
		}
	}
	b.WriteString("\n")
	for i, s := range out.Sites {
		fmt.Fprintf(&b, "%d: line %d, %s (%s)", i+3, s.Line, s.Name, strings.Join(s.Values, ", "))
		if s.Called != "" && s.Called != s.Name {
			fmt.Fprintf(&b, ", called %s", s.Called)
		}
		if s.In != "" {
			fmt.Fprintf(&b, ", in %s", s.In)
		}
		if s.View != "" {
			fmt.Fprintf(&b, ", view %s", s.View)
		}
		if s.After {
			b.WriteString(", after")
		}
		b.WriteString("\n")
		if s.Package != "example.com/p" || s.File != "/p/p_test.go" {
			t.Errorf("site %d: %+v", i, s)
		}
	}
	path := filepath.Join("testdata", "forms.golden")
	if *update {
		if err := os.MkdirAll("testdata", 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, b.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.ReplaceAll(string(want), "\r\n", "\n"), b.String()); diff != "" {
		t.Errorf("%s (-want +got):\n%s", path, diff)
	}
}

// A file of a module from before type parameters asks for the version that has them. Lines
// keep their numbers.
func TestFilesOfOldModules(t *testing.T) {
	const head, tail = "package p\n\nimport \"testing\"\n\n", "func FuzzX(f *testing.F) { f.Fuzz(func(t *testing.T, n int) { One() }) }\n"
	const code = "package p\n\nfunc One() int { return 1 }\n"
	for _, c := range []struct{ name, version, before, want string }{
		{"new enough", "go1.18", "", ""},
		{"old", "go1.17", "", "//go:build go1.18\n\n//line /p/p_test.go:1\n"},
		{"with a constraint", "go1.17", "//go:build linux || windows\n\n", "//go:build (linux || windows) && go1.18\n\n"},
		{"with a comment", "go1.13", "// Copyright.\n\n", "//go:build go1.18\n\n//line /p/p_test.go:1\n// Copyright.\n\n"},
		{"with a byte order mark", "go1.17", "\ufeff", "\ufeff//go:build go1.18\n\n//line /p/p_test.go:1\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := typedTests(t, c.version, code, map[string]string{"p_test.go": c.before + head + tail}, "p_test.go")
			got := string(Rewrite(r, 0, nil).Files["/p/p_test.go"])
			before, _, found := strings.Cut(got, "package p;")
			want := c.want
			if want == "" {
				want = c.before
			}
			if !found || before != want {
				t.Errorf("begins with %q, want %q", before, want)
			}
		})
	}
}

// The name of the runtime's import clashes with nothing in the file or in its package.
func TestTheNameOfTheImport(t *testing.T) {
	const code = "package p\n\nfunc One() int { return 1 }\n"
	for _, c := range []struct{ more, want string }{
		{"", "fuzzmutrt"},
		{"var fuzzmutrt int\n", "fuzzmutrt2"},
		{"func f(fuzzmutrt, fuzzmutrt2 int) {}\n", "fuzzmutrt3"},
	} {
		r := typedTests(t, "go1.26", code, map[string]string{
			"p_test.go": "package p\n\nimport \"testing\"\n\nfunc FuzzX(f *testing.F) { f.Fuzz(func(t *testing.T, n int) { One() }) }\n" + c.more,
		}, "p_test.go")
		if got := string(Rewrite(r, 0, nil).Files["/p/p_test.go"]); !strings.HasPrefix(got, `package p; import `+c.want+` "fuzzmutrt"`+"\n") || !strings.Contains(got, "{ "+c.want+".Obs1[[0]"+c.want+".Byte](One()) }") {
			t.Errorf("with %s:\n%s", c.more, got)
		}
	}
}

func TestCalledPackages(t *testing.T) {
	const test = "package p\n\nimport \"testing\"\n\nfunc FuzzX(f *testing.F) { f.Fuzz(func(t *testing.T, n int) { One() }) }\n"
	r := typedTests(t, "go1.26", "package p\n\nfunc One() int { return 1 }\n", map[string]string{"p_test.go": test}, "p_test.go")
	for _, c := range []struct {
		observe []string
		want    []string
	}{
		{[]string{"example.com/p"}, []string{"example.com/p"}},
		{[]string{"example.com/q", "example.com/p"}, []string{"example.com/p"}},
		{[]string{"example.com/q"}, []string{"example.com/p"}}, // nothing is called: the package under test
	} {
		r.Observe = c.observe
		if diff := cmp.Diff(c.want, Called(r)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", c.observe, diff)
		}
	}
}

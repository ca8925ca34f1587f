package target

import (
	"errors"
	"go/ast"
	"go/constant"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// typeCheck returns a package of one file.
func typeCheck(t *testing.T, src string) *types.Package {
	t.Helper()
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "p.go", src, 0)
	if err != nil {
		t.Fatal(err)
	}
	conf := types.Config{Importer: importer.Default(), GoVersion: "go1.26"}
	pkg, err := conf.Check("example.com/p", fset, []*ast.File{f}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return pkg
}

// function looks up "F" or "T.M".
func function(pkg *types.Package, name string) *types.Func {
	recv, method, ok := strings.Cut(name, ".")
	if !ok {
		return pkg.Scope().Lookup(name).(*types.Func)
	}
	n := pkg.Scope().Lookup(recv).Type().(*types.Named)
	for m := range n.Methods() {
		if m.Name() == method {
			return m
		}
	}
	return nil
}

func TestWrite(t *testing.T) {
	for _, c := range []struct{ name, src, fn, file, want string }{
		{"types that go test -fuzz knows", `func Parse(s string, strict bool) (int, error) { return 0, nil }`, "Parse", "parse_fuzz_test.go", `
import "testing"

func FuzzParse(f *testing.F) {
	f.Fuzz(func(t *testing.T, s string, strict bool) {
		Parse(s, strict)
	})
}`},
		{"an iterator is run", `func All(n int, nn string) func(func(int, string) bool) { return nil }`, "All", "all_fuzz_test.go", `
import "testing"

func FuzzAll(f *testing.F) {
	f.Fuzz(func(t *testing.T, n int, nn string) {
		nnn := 0
		for range All(n, nn) {
			if nnn++; nnn == 100 {
				break
			}
		}
	})
}`},
		{"named types are converted", `type ID string
type Raw []byte
func Look(id ID, b Raw, _ byte) int { return 0 }`, "Look", "look_fuzz_test.go", `
import "testing"

func FuzzLook(f *testing.F) {
	f.Fuzz(func(t *testing.T, id string, b []byte, arg3 byte) {
		Look(ID(id), Raw(b), arg3)
	})
}`},
		{"a struct of several", `type Tree struct{ L, R *Tree; K int }
func (t *Tree) Insert(k int, _ *Tree) bool { return false }`, "Tree.Insert", "tree_insert_fuzz_test.go", `
import (
	"testing"

	"github.com/fuzzmut/fuzzmut/fuzzmut"
)

func FuzzTree_Insert(f *testing.F) {
	fuzzmut.Fuzz(f, func(t *testing.T, in struct {
		Tree *Tree ` + "`fuzz:\"nonnil\"`" + `
		K    int
		Arg2 *Tree ` + "`fuzz:\"nonnil\"`" + `
	}) {
		in.Tree.Insert(in.K, in.Arg2)
	})
}`},
		{"a zone", `import "time"
func ParseIn(s string, loc *time.Location) time.Time { return time.Time{} }`, "ParseIn", "parse_in_fuzz_test.go", `
import (
	"testing"
	"time"
)

func FuzzParseIn(f *testing.F) {
	f.Fuzz(func(t *testing.T, s string, loc int8) {
		ParseIn(s, time.FixedZone("", 900*int(loc)))
	})
}`},
		{"one alone, changed in place", `func Sort(xs []int) {}`, "Sort", "sort_fuzz_test.go", `
import (
	"testing"

	"github.com/fuzzmut/fuzzmut/fuzzmut"
)

func FuzzSort(f *testing.F) {
	fuzzmut.Fuzz(f, func(t *testing.T, xs []int) {
		Sort(xs)
	})
}`},
		{"without results, what a call may change is a variable", `type Set struct{ m map[int]bool }
func (s *Set) Add(k int) {}`, "Set.Add", "set_add_fuzz_test.go", `
import (
	"testing"

	"github.com/fuzzmut/fuzzmut/fuzzmut"
)

func FuzzSet_Add(f *testing.F) {
	fuzzmut.Fuzz(f, func(t *testing.T, in struct {
		Set *Set ` + "`fuzz:\"nonnil\"`" + `
		K   int
	}) {
		set := in.Set
		set.Add(in.K)
	})
}`},
		{"what is supplied", `import ("context"; "io"; "testing")
func Copy(ctx context.Context, tb testing.TB, w io.Writer, r io.Reader) error { return nil }`, "Copy", "copy_fuzz_test.go", `
import (
	"bytes"
	"testing"
)

func FuzzCopy(f *testing.F) {
	f.Fuzz(func(t *testing.T, r []byte) {
		var w bytes.Buffer
		Copy(t.Context(), t, &w, bytes.NewReader(r))
	})
}`},
		{"an error is made of its text", `type state int
func (s state) Fail(n int, err error) error { return err }`, "state.Fail", "state_fail_fuzz_test.go", `
import (
	"errors"
	"testing"
)

func Fuzz_state_Fail(f *testing.F) {
	f.Fuzz(func(t *testing.T, receiver int, n int, errArg string) {
		state(receiver).Fail(n, errors.New(errArg))
	})
}`},
		{"generic", `func Max[K comparable, T ~float64 | ~string](m map[K]T, xs ...T) (z T) { return }`, "Max", "max_fuzz_test.go", `
import (
	"testing"

	"github.com/fuzzmut/fuzzmut/fuzzmut"
)

func FuzzMax(f *testing.F) {
	fuzzmut.Fuzz(f, func(t *testing.T, in struct {
		M  map[int]string
		Xs []string
	}) {
		Max[int, string](in.M, in.Xs...)
	})
}`},
		{"a method of a generic type", `type Box[T any] struct{ v T }
func (b Box[T]) Get(i int) T { return b.v }`, "Box.Get", "box_get_fuzz_test.go", `
import (
	"testing"

	"github.com/fuzzmut/fuzzmut/fuzzmut"
)

func FuzzBox_Get(f *testing.F) {
	fuzzmut.Fuzz(f, func(t *testing.T, in struct {
		Box Box[int]
		I   int
	}) {
		in.Box.Get(in.I)
	})
}`},
		{"a property that is a bool", `func PropTwice(s string, n int) bool { return true }`, "PropTwice", "prop_twice_fuzz_test.go", `
import "testing"

func FuzzPropTwice(f *testing.F) {
	f.Fuzz(func(t *testing.T, s string, n int) {
		if !PropTwice(s, n) {
			t.Errorf("PropTwice(%q, %v) is false", s, n)
		}
	})
}`},
		{"a property that is an error", `func PropertyXML(err []string) error { return nil }`, "PropertyXML", "property_xml_fuzz_test.go", `
import (
	"testing"

	"github.com/fuzzmut/fuzzmut/fuzzmut"
)

func FuzzPropertyXML(f *testing.F) {
	fuzzmut.Fuzz(f, func(t *testing.T, errArg []string) {
		if err := PropertyXML(errArg); err != nil {
			t.Error(err)
		}
	})
}`},
		{"names that are taken", `import "net/url"
func FuzzGet() {}
var bytes, testing int
func Get(Get string, t int, u *url.URL) {}`, "Get", "get2_fuzz_test.go", `
import (
	"net/url"
	testing2 "testing"

	"github.com/fuzzmut/fuzzmut/fuzzmut"
)

func FuzzGet2(f *testing2.F) {
	fuzzmut.Fuzz(f, func(t *testing2.T, in struct {
		GetArg string
		TArg   int
		U      *url.URL ` + "`fuzz:\"nonnil\"`" + `
	}) {
		u := in.U
		Get(in.GetArg, in.TArg, u)
	})
}`},
		{"unexported", `func parse(s string) error { return nil }`, "parse", "parse_fuzz_test.go", `
import "testing"

func Fuzz_parse(f *testing.F) {
	f.Fuzz(func(t *testing.T, s string) {
		parse(s)
	})
}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			pkg := typeCheck(t, "package p\n\n"+c.src)
			fn := function(pkg, c.fn)
			got, err := Write(fn, Options{Package: pkg, Property: HasPropertyName(fn) && IsProperty(fn)})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff("package p\n"+c.want+"\n", string(got.Text)); diff != "" {
				t.Errorf("text (-want +got):\n%s", diff)
			}
			if got.FileName != c.file {
				t.Errorf("the file is called %s, want %s", got.FileName, c.file)
			}
			if line := strings.Split(string(got.Text), "\n")[got.Line-1]; !strings.HasPrefix(line, "func "+got.Name+"(") {
				t.Errorf("line %d is %q", got.Line, line)
			}
		})
	}
}

func TestPartialArguments(t *testing.T) {
	pkg := typeCheck(t, `package p

import "hash"

type Options struct{ Hasher hash.Hash64; Next *Options; N int }
type Plain struct{ N int; V any }

func F(a *Options, b []Options, c Plain, d *Plain) {}
func G(o Options) {}
`)
	for _, c := range []struct {
		fn      string
		partial bool
		want    []string
	}{
		{"F", true, []string{"A *Options  `fuzz:\"nonnil,partial\"`\n", "B []Options `fuzz:\"partial\"`\n", "C Plain\n", "D *Plain `fuzz:\"nonnil\"`\n"}},
		{"F", false, []string{"A *Options `fuzz:\"nonnil\"`\n", "B []Options\n"}},
		{"G", true, []string{"O Options `fuzz:\"partial\"`\n"}},
		{"G", false, []string{"o Options) {"}},
	} {
		got, err := Write(function(pkg, c.fn), Options{Package: pkg, Partial: c.partial})
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range c.want {
			if text := strings.Join(strings.Fields(string(got.Text)), " "); !strings.Contains(text, strings.Join(strings.Fields(want), " ")) {
				t.Errorf("%s, partial %v: %q is not in\n%s", c.fn, c.partial, want, got.Text)
			}
		}
	}
}

func TestWriteSeeds(t *testing.T) {
	pkg := typeCheck(t, "package p\n\ntype ID int8\n\nfunc (id ID) Look(b []byte, ok bool, x float64, r rune, n uint8) {}\nfunc Keys(m map[string]int, s string) {}\n")
	text, yes := constant.MakeString("a\"b"), constant.MakeBool(true)
	number := constant.MakeInt64
	opts := Options{Package: pkg, Taken: map[string]bool{"FuzzID_Look": true}, Seeds: [][]constant.Value{
		{text, yes, number(3), number('x'), number(255)},
		{text, yes, number(3), number('x'), number(255)}, // again
		{nil, nil, constant.MakeFloat64(0.5)},
		{nil, nil, nil, nil, number(256)}, // no uint8
		{yes},                             // no text
		{nil, nil, nil, constant.MakeFromLiteral("1e100", token.FLOAT, 0)},
	}}
	got, err := Write(function(pkg, "ID.Look"), opts)
	if err != nil {
		t.Fatal(err)
	}
	want := `package p

import "testing"

func FuzzID_Look2(f *testing.F) {
	f.Add(int8(0), []byte("a\"b"), true, float64(3), rune(120), uint8(255))
	f.Add(int8(0), []byte(""), false, float64(0.5), rune(0), uint8(0))
	f.Fuzz(func(t *testing.T, id int8, b []byte, ok bool, x float64, r rune, n uint8) {
		ID(id).Look(b, ok, x, r, n)
	})
}
`
	if diff := cmp.Diff(want, string(got.Text)); diff != "" {
		t.Errorf("text (-want +got):\n%s", diff)
	}
	// Seeds of values would have to be encoded.
	if got, err = Write(function(pkg, "Keys"), opts); err != nil || strings.Contains(string(got.Text), "f.Add") {
		t.Errorf("%v\n%s", err, got.Text)
	}
}

func TestWriteWithMakers(t *testing.T) {
	pkg := typeCheck(t, `package p
type Version struct{ n int }
type Level int
func New(s string, lax bool) (*Version, error) { return nil, nil }
func Make(n Level) (Range, bool) { return Range{}, false }
type Range struct{ n int }
func (v Version) In(r *Range, old Version, n int) bool { return true }
`)
	text := func(s ...string) (seeds [][]constant.Value) {
		for _, s := range s {
			seeds = append(seeds, []constant.Value{constant.MakeString(s)})
		}
		return seeds
	}
	got, err := Write(function(pkg, "Version.In"), Options{Package: pkg, Makers: []Maker{
		{Type: "example.com/p.Version", Function: "New", Seeds: text("1", "2")}, {Type: "example.com/p.Range", Function: "Make"},
	}})
	if err != nil {
		t.Fatal(err)
	}
	want := `package p

import "testing"

func FuzzVersion_In(f *testing.F) {
	f.Add("1", false, 0, "2", false, 0)
	f.Add("2", false, 0, "1", false, 0)
	f.Fuzz(func(t *testing.T, s string, lax bool, n int, sArg string, laxArg bool, nArg int) {
		version, err := New(s, lax)
		if err != nil {
			return
		}
		r, ok := Make(Level(n))
		if !ok {
			return
		}
		old, err := New(sArg, laxArg)
		if err != nil {
			return
		}
		version.In(&r, *old, nArg)
	})
}
`
	if diff := cmp.Diff(want, string(got.Text)); diff != "" {
		t.Errorf("text (-want +got):\n%s", diff)
	}
	for _, c := range []struct{ maker, value, made string }{
		{"func New() *T { return nil }", "n int", "receiver := New()\n\t\tif receiver == nil {\n\t\t\treturn\n\t\t}\n\t\treceiver.F(n)"},
		{"func New(options ...func()) (T, error) { return T{}, nil }", "n int", "receiver, err := New()\n\t\tif err != nil {\n\t\t\treturn\n\t\t}\n\t\treceiver.F(n)"},
		{"func New(a int, options ...func()) T { return T{} }", "n int", "receiver := New(a)\n\t\treceiver.F(n)"},
		{"func New(r io.Reader, n int) *T { return nil }", "s string", "receiver := New(bytes.NewReader(r), n)\n\t\tif receiver == nil {\n\t\t\treturn\n\t\t}\n\t\treceiver.F(s)"},
		{"func New(w io.Writer) *T { return nil }", "s string", "var w bytes.Buffer\n\t\treceiver := New(&w)\n\t\tif receiver == nil {\n\t\t\treturn\n\t\t}\n\t\treceiver.F(s)"},
		{"func New(options ...string) T { return T{} }", "n int, of T", "receiver := New()\n\t\tof := New()\n\t\treceiver.F(n, of)"},
	} {
		pkg := typeCheck(t, "package p\n\nimport \"io\"\n\nvar _ io.Reader\n\ntype T struct{ n int }\n"+c.maker+"\nfunc (t T) F("+c.value+") {}\n")
		got, err := Write(function(pkg, "T.F"), Options{Package: pkg, Makers: []Maker{{Type: "example.com/p.T", Function: "New"}}})
		if err != nil || !strings.Contains(string(got.Text), c.made) {
			t.Errorf("%s: %v\n%s", c.maker, err, got.Text)
		}
	}
	// The first argument of a maker need not be an input.
	pkg = typeCheck(t, "package p\n\nimport \"io\"\n\ntype T struct{ n int }\nfunc New(w io.Writer, s string) T { return T{} }\nfunc (t T) F() {}\n")
	got, err = Write(function(pkg, "T.F"), Options{Package: pkg, Makers: []Maker{{Type: "example.com/p.T", Function: "New", Seeds: [][]constant.Value{{nil, constant.MakeString("1")}}}}})
	if err != nil || !strings.Contains(string(got.Text), "f.Add(\"1\")") {
		t.Errorf("%v\n%s", err, got.Text)
	}
	pkg = typeCheck(t, "package p\n\ntype T struct{ n int }\nfunc New() T { return T{} }\nfunc (t T) F() {}\n")
	if got, err := Write(function(pkg, "T.F"), Options{Package: pkg, Makers: []Maker{{Type: "example.com/p.T", Function: "New"}}}); err == nil {
		t.Errorf("nothing is an input:\n%s", got.Text)
	}
}

// A constructor that panics refuses its arguments, but for what the runtime panics with. The function itself must not.
func TestMakersThatMayPanic(t *testing.T) {
	pkg := typeCheck(t, `package p
type T struct{ n int }
func New(s string, n int) (T, error) { return T{}, nil }
func (t T) F() {}
`)
	opts := Options{Package: pkg, Changes: func(*types.Func) bool { return false }, Refuses: func(fn *types.Func) bool { return fn.Name() == "New" }}
	got, err := Write(function(pkg, "T.F"), opts)
	if err != nil {
		t.Fatal(err)
	}
	const want = `	f.Fuzz(func(t *testing.T, s string, n int) {
		receiver, err := func() (T, error) {
			defer func() {
				v := recover()
				if err, fault := v.(runtime.Error); fault {
					panic(err)
				}
				if v != nil {
					t.Skip(v)
				}
			}()
			return New(s, n)
		}()
		if err != nil {
			return
		}
		receiver.F()
	})
`
	if !strings.Contains(string(got.Text), want) {
		t.Errorf("there is no %s in\n%s", want, got.Text)
	}
}

// Fields become inputs where that is asked for, and all can.
func TestWriteFlat(t *testing.T) {
	pkg := typeCheck(t, `package p
type Kind uint8
type Segment struct{ Start, Stop int; Kind Kind }
type Tree struct{ Left *Tree }
func (s *Segment) Of(text string, other Segment) string { return text }
func Walk(t Tree, n int) int { return n }
`)
	got, err := Write(function(pkg, "Segment.Of"), Options{Package: pkg, Flat: true})
	if err != nil {
		t.Fatal(err)
	}
	want := `package p

import "testing"

func FuzzSegment_Of(f *testing.F) {
	f.Fuzz(func(t *testing.T, start int, stop int, kind uint8, text string, startArg int, stopArg int, kindArg uint8) {
		segment := &Segment{Start: start, Stop: stop, Kind: Kind(kind)}
		other := Segment{Start: startArg, Stop: stopArg, Kind: Kind(kindArg)}
		segment.Of(text, other)
	})
}
`
	if diff := cmp.Diff(want, string(got.Text)); diff != "" || got.Library {
		t.Errorf("text (-want +got):\n%s", diff)
	}
	for name, flat := range map[string]bool{"Segment.Of": false, "Walk": true} {
		if got, err = Write(function(pkg, name), Options{Package: pkg, Flat: flat}); err != nil || !got.Library {
			t.Errorf("%s: %v\n%s", name, err, got.Text)
		}
	}
}

// An input may be the argument itself, or stand for it.
func TestInputsThatStandForArguments(t *testing.T) {
	pkg := typeCheck(t, "package p\n\ntype T struct{ n int }\n\nfunc New(s string) *T { return &T{} }\nfunc (t *T) F(n int) int { return n }\nfunc Parse(s string, n uint8) int { return 0 }\nfunc Sum(list []int) int { return 0 }\n")
	for name, want := range map[string]bool{"T.F": true, "Parse": false, "Sum": true} {
		got, err := Write(function(pkg, name), Options{Package: pkg, Makers: []Maker{{Type: "example.com/p.T", Function: "New"}}})
		if err != nil || got.Stands != want {
			t.Errorf("%s: %v, %+v", name, err, got)
		}
	}
}

// A call may do without the last argument of a variadic function: it is left out where no
// input can stand for its values.
func TestWriteVariadic(t *testing.T) {
	const src = `package p
type Option func()
type Setter interface{ set() }
type setterFunc func()
func (setterFunc) set() {}
type Node interface{ node() }
type Leaf struct{ N int }
func (Leaf) node() {}
func Options(s string, o ...Option) int { return 0 }
func Pointers(s string, o ...*Option) int { return 0 }
func Setters(s string, o ...Setter) int { return 0 }
func Nodes(s string, n ...Node) int { return 0 }
func Leaves(s string, n ...Leaf) int { return 0 }
func Any(s string, a ...any) int { return 0 }
func Join(sep string, parts ...string) int { return 0 }
func Max[T ~int](first T, others ...T) int { return 0 }
`
	pkg := typeCheck(t, src)
	for _, c := range []struct{ fn, call, flat string }{
		{"Options", "Options(s)", "Options(s)"},
		{"Pointers", "Pointers(s)", "Pointers(s)"},
		{"Setters", "Setters(s)", "Setters(s)"},
		{"Nodes", "Nodes(in.S, in.N...)", "Nodes(s)"},
		{"Leaves", "Leaves(in.S, in.N...)", "Leaves(s)"},
		{"Any", "Any(in.S, in.A...)", "Any(s, nil...)"}, // s may be a format, which go vet looks at
		{"Join", "Join(in.Sep, in.Parts...)", "Join(sep, parts)"},
		{"Max", "Max[int](in.First, in.Others...)", "Max[int](first, others)"},
	} {
		for _, flat := range []bool{false, true} {
			want := c.call
			if flat {
				want = c.flat
			}
			got, err := Write(function(pkg, c.fn), Options{Package: pkg, Flat: flat})
			if err != nil || !strings.Contains(string(got.Text), "\t\t"+want+"\n") {
				t.Errorf("%s, flat %v: want the call %s, got %v\n%s", c.fn, flat, want, err, got.Text)
			}
		}
	}
}

func TestWriteRefuses(t *testing.T) {
	for _, c := range []struct{ name, src, fn, want string }{
		{"no arguments", `func Now() int { return 0 }`, "Now", "no fuzz test can be derived for Now: it has no arguments to derive inputs from"},
		{"only what is supplied", "import \"context\"\nfunc Run(ctx context.Context) {}", "Run", "it has no arguments to derive inputs from"},
		{"a function", `func Map(xs []int, f func(int) int) {}`, "Map", "its argument f is of type func(int) int, which bytes can't represent; mark a function"},
		{"channels", `func Drain(cs []chan int) {}`, "Drain", "its argument cs is of type chan int"},
		{"nothing but options", `func New(options ...func()) int { return 0 }`, "New", "it has no arguments to derive inputs from"},
		{"constraints", `func Each[T interface{ ~int; M() }](x T) {}`, "Each", "no plain types satisfy the constraints"},
		{"a receiver", "type F func()\nfunc (f F) Call(n int) {}", "F.Call", "its receiver is of type F"},
	} {
		t.Run(c.name, func(t *testing.T) {
			pkg := typeCheck(t, "package p\n\n"+c.src)
			_, err := Write(function(pkg, c.fn), Options{Package: pkg})
			var terr *Error
			if !errors.As(err, &terr) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %s", err, c.want)
			}
		})
	}
}

func TestHasPropertyName(t *testing.T) {
	pkg := typeCheck(t, "package p\nfunc Prop() {}\nfunc PropX() {}\nfunc Property_x() {}\nfunc Properties() {}\nfunc Propeller() {}\nfunc IsProp() {}")
	for name, want := range map[string]bool{"Prop": true, "PropX": true, "Property_x": true, "Properties": false, "Propeller": false, "IsProp": false} {
		if got := HasPropertyName(function(pkg, name)); got != want {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
}

// What is injected has to have all that it imports, but for the standard library.
func TestLibraryIsWhole(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", "-f", "{{range .GoFiles}}{{$.ImportPath}}/{{.}}\n{{end}}{{range .IgnoredGoFiles}}{{$.ImportPath}}/{{.}}\n{{end}}", Library).Output()
	if err != nil {
		t.Fatal(err)
	}
	root := filepath.FromSlash("/go")
	got, err := LibraryFiles(root)
	if err != nil {
		t.Fatal(err)
	}
	want := make(map[string]bool)
	for line := range strings.Lines(string(out)) {
		if rest, ok := strings.CutPrefix(strings.TrimSpace(line), Library+"/"); ok && !strings.HasSuffix(rest, "_test.go") {
			want[filepath.Join(root, "src", "fuzzmutrt", "fuzzmut", filepath.FromSlash(rest))] = true
		}
	}
	if len(want) == 0 {
		t.Fatal("go list found nothing")
	}
	for path := range want {
		if got[path] == nil {
			t.Errorf("%s is missing", path)
		}
	}
	for path, text := range got {
		if !want[path] {
			t.Errorf("%s is not part of the library", path)
		}
		if strings.Contains(string(text), `"github.com/fuzzmut`) {
			t.Errorf("%s imports what no go.mod may have", path)
		}
	}
}

// An argument of an empty interface is a text where seeds have one for it, and that is asked for.
func TestWriteTexts(t *testing.T) {
	pkg := typeCheck(t, "package p\nfunc Parse(name string, src any) int { return 0 }\n")
	texts := [][]constant.Value{{constant.MakeString("a"), nil}, {nil, constant.MakeString("b")}}
	got, err := Write(function(pkg, "Parse"), Options{Package: pkg, Flat: true, Texts: true, Seeds: texts})
	if err != nil {
		t.Fatal(err)
	}
	want := `package p

import "testing"

func FuzzParse(f *testing.F) {
	f.Add("a", "")
	f.Add("", "b")
	f.Fuzz(func(t *testing.T, name string, src string) {
		Parse(name, src)
	})
}
`
	if diff := cmp.Diff(want, string(got.Text)); diff != "" || got.Library {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for name, opts := range map[string]Options{
		"not asked for":  {Package: pkg, Flat: true, Seeds: texts},
		"no text for it": {Package: pkg, Flat: true, Texts: true, Seeds: texts[:1]},
	} {
		if got, err := Write(function(pkg, "Parse"), opts); err != nil || !got.Library {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
}

func TestVariables(t *testing.T) {
	for name, want := range map[string]string{
		"SSRC": "ssrc", "URLPath": "urlPath", "Name": "name", "IDs": "ids", "X": "x", "HTTP2Frame": "http2Frame", "Éa": "éa", "": "",
	} {
		if got := Variable(name); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}

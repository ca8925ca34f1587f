package values_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fuzzmut/fuzzmut/instrument/load"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
	"github.com/fuzzmut/fuzzmut/instrument/values"
)

// find looks at a package p with a package p/sub below it, and a test file.
func find(t *testing.T, test string) *values.Found {
	t.Helper()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	files := map[string]string{
		"go.mod": "module example.com/p\n\ngo 1.26.0\n\nrequire github.com/fuzzmut/fuzzmut v0.0.0\n\nreplace github.com/fuzzmut/fuzzmut => " + root + "\n",
		"p.go": `package p

import (
	"fmt"
	"io"
	"time"

	"example.com/p/sub"
)

type Shape interface{ Area() int }

type Square struct{ Side int }

func (s Square) Area() int { return s.Side * s.Side }

type frame struct {
	Inner Shape
	Paint sub.Color
	Label fmt.Stringer
}

func (f *frame) Area() int { return f.Inner.Area() }

type lazy func() int

func (l lazy) Area() int { return l() }

type pair[T any] struct{ A, B T }

func (p pair[T]) Area() int { return 0 }

type Level int8

const (
	Low  Level = -1
	High Level = 100
	high Level = High
)

type Mode string

const Read, Write Mode = "r", "w"

type Ratio float32

const Half, Whole Ratio = 0.5, 1

type single int

const only single = 5

type Config struct {
	Level Level
	Mode  Mode
	Ratio *Ratio
	Wait  time.Duration
	Other single
	Log   io.Writer ` + "`fuzz:\"-\"`" + `
}
`,
		"sub/sub.go": `package sub

type Color uint8

const Red, Green, Blue Color = 1, 2, 4

type Circle struct{ R int }

func (c *Circle) Area() int { return c.R }

type hidden struct{}

func (hidden) Area() int { return 0 }
`,
		"p_test.go": test,
	}
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	loaded, err := load.Load(t.Context(), load.Config{Dir: dir, Pattern: ".", TestOnly: true, Env: append(os.Environ(), "GOFLAGS=-mod=mod", "GOPROXY=off")})
	if err != nil {
		t.Fatal(err)
	}
	return values.Find(loaded)
}

const head = `

import (
	"testing"

	"github.com/fuzzmut/fuzzmut/fuzzmut"
`

func TestImplementationsAreFound(t *testing.T) {
	const fuzz = "func FuzzShape(f *testing.F) { fuzzmut.Fuzz(f, func(t *testing.T, in map[string][]Shape) {}) }\n"
	tests := []struct {
		name, test string
		calls      []string
	}{
		{"in the package", "package p" + head + ")\n" + fuzz, []string{
			"fuzzmut.Implementations[Shape](Square{}, new(frame), new(sub.Circle))", "",
		}},
		{"of inputs after operations", "package p" + head + ")\nfunc FuzzLazy(f *testing.F) {\n" +
			"\tfuzzmut.FuzzAfter(f, fuzzmut.Machine[*frame]{}, func(t *testing.T, s *frame, in []Shape) {})\n}\n", []string{
			"fuzzmut.Implementations[Shape](Square{}, new(frame), new(sub.Circle))", "",
		}},
		{"of operations", "package p" + head + "\t\"io\"\n)\nfunc show(f *frame, to []Shape, w io.Writer) {}\nfunc FuzzOps(f *testing.F) {\n" +
			"\tfuzzmut.Machine[*frame]{Ops: []any{show}}.Fuzz(f)\n}\n", []string{
			"fuzzmut.Implementations[Shape](Square{}, new(frame), new(sub.Circle))", "",
		}},
		{
			"outside, where names are exported",
			"package p_test" + head + "\t. \"example.com/p\"\n\t_ \"example.com/p/sub\"\n)\n" + fuzz,
			[]string{"fuzzmut.Implementations[p.Shape](p.Square{}, new(sub.Circle))"},
		},
		{
			"an interface of the tests",
			"package p" + head + ")\ntype local interface{ Local() }\ntype double bool\nfunc (double) Local() {}\n" +
				"func FuzzLocal(f *testing.F) { fuzzmut.Fuzz(f, func(t *testing.T, in local) {}) }\n",
			[]string{"fuzzmut.Implementations[local](double(false))"},
		},
		{
			"registered, and what that leads to",
			"package p" + head + ")\nfunc init() { fuzzmut.Implementations[Shape](&frame{}) }\n" + fuzz,
			[]string{""}, // of Stringer
		},
		{
			"of functions, which only they can name",
			"package p" + head + ")\nfunc fuzz[T Shape](f *testing.F) { fuzzmut.Fuzz(f, func(t *testing.T, in T) {}) }\n" +
				"func FuzzLocal(f *testing.F) {\n\ttype local interface{ Area() int }\n\tfuzz[Square](f)\n" +
				"\tfuzzmut.Fuzz(f, func(t *testing.T, in local) {})\n}\n",
			nil,
		},
		{
			"represented by another",
			"package p" + head + ")\nfunc init() { fuzzmut.Represent(func(n int) Shape { return Square{n} }, func(s Shape) int { return s.Area() }) }\n" + fuzz,
			nil,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			found := find(t, tt.test)
			var calls []string
			for _, i := range found.Missing() {
				calls = append(calls, found.Call(i))
			}
			if !slices.Equal(calls, tt.calls) {
				t.Errorf("got %q", calls)
			}
		})
	}
}

func TestConstantsAreFound(t *testing.T) {
	found := find(t, "package p"+head+")\nfunc FuzzConfig(f *testing.F) { fuzzmut.Fuzz(f, func(t *testing.T, in *Config) {}) }\n")
	got := found.Constants
	i := slices.IndexFunc(got, func(c wire.Constants) bool { return c.Type == "time.Duration" })
	if i < 0 || !slices.Contains(got[i].Numbers, 1e9) {
		t.Fatalf("got %+v", got)
	}
	got = slices.Delete(got, i, i+1)
	want := []wire.Constants{
		{Type: "p.Level", Numbers: []uint64{100, 1<<64 - 1}},
		{Type: "p.Mode", Texts: []string{"r", "w"}},
		{Type: "p.Ratio", Numbers: []uint64{0x3fe0000000000000, 0x3ff0000000000000}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if len(found.Interfaces) > 0 {
		t.Errorf("found %v, though no field has a value", found.Interfaces)
	}
}

func TestFileKeepsTheOrder(t *testing.T) {
	found := find(t, "package p"+head+")\nfunc FuzzShape(f *testing.F) { fuzzmut.Fuzz(f, func(t *testing.T, in Shape) {}) }\n")
	first, err := found.File(nil)
	if err != nil || !values.Generated(first) {
		t.Fatalf("%s: %v", first, err)
	}
	if again, err := found.File(first); err != nil || string(again) != string(first) {
		t.Errorf("written again it is\n%s\n%v", again, err)
	}
	const list = "(Square{}, new(frame), new(sub.Circle))"
	older := strings.Replace(string(first), list, "(new(sub.Circle), new(gone), Square{})", 1)
	now, err := found.File([]byte(older))
	if err != nil || string(now) != strings.Replace(string(first), list, "(new(sub.Circle), Square{}, new(frame))", 1) {
		t.Errorf("got\n%s\n%v", now, err)
	}
	if _, err := found.File([]byte("package p\nfunc")); err == nil {
		t.Error("no error from a file that is none")
	}
}

// The values of interface{} are what tests hand to functions of the module, in a file for derived
// fuzz tests alone: what has its form from the tests, and in it nothing of the package's own.
func TestWhatTestsHandToFunctions(t *testing.T) {
	const tests = `
func encode(v ...interface{}) {}
func one(v interface{}) {}

type config struct { Name string ` + "`json:\"name\"`" + `; Sub []inner; At time.Time }
type inner struct { N int8 }
type secret struct { n int }
type owned struct { S Square }
type waits struct { C chan int }
type marshaler struct { N int }
func (marshaler) MarshalText() ([]byte, error) { return nil, nil }

func TestAll(t *testing.T) {
	type local struct { A, B *inner }
	one(config{})
	one(&config{})
	one(&config{Name: "again"})
	one(local{})
	one(struct{ X map[string]float64 }{})
	one(marshaler{})
	one(secret{})
	one(owned{})
	one(waits{})
	one(Square{})
	one(1)
	one(time.Time{})
	t.Log(inner{})
	for _, c := range []struct { in interface{}; n int }{{in: &inner{}}, {inner{}, 1}} {
		one(c.in)
	}
	_ = map[string]interface{}{"a": struct{ Y int }{}}
}

func FuzzAny(f *testing.F) { fuzzmut.Fuzz(f, func(t *testing.T, in []interface{}) {}) }
`
	for _, c := range []struct{ name, head, want string }{
		{"in the package", "package p", `config{}, new(config), struct { A *inner B *inner }{}, struct{ X map[string]float64 }{}, marshaler{}, new(inner), inner{}, struct{ Y int }{}`},
		{"outside", "package p_test", `config{}, new(config), struct { A *inner B *inner }{}, struct{ X map[string]float64 }{}, marshaler{}, new(inner), inner{}, struct{ Y int }{}`},
	} {
		code := tests
		if c.name == "outside" {
			code = strings.ReplaceAll(strings.ReplaceAll(tests, "one(Square{})", ""), "S Square", "S p.Square")
		}
		head := head + "\t\"time\"\n"
		if c.name == "outside" {
			head += "\t\"example.com/p\"\n"
		}
		found := find(t, c.head+head+")\n"+code)
		text, err := found.DerivedFile()
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		_, got, _ := strings.Cut(string(text), "Anything(), ")
		got, _, _ = strings.Cut(got, ")...)\n}")
		got = strings.Join(strings.Fields(got), " ")
		if got != c.want {
			t.Errorf("%s: got\n%s\nwant\n%s\n%s", c.name, got, c.want, text)
		}
		if text, err := found.File(nil); err != nil || text != nil {
			t.Errorf("%s: %v, and a file for the user\n%s", c.name, err, text)
		}
		// Where the file is there with these, they stay, in its order.
		older := strings.Replace(string(text), "config{}, new(config), ", "new(gone), new(config), config{}, ", 1)
		if again, err := found.File([]byte(older)); err != nil || string(again) != strings.Replace(older, "new(gone), ", "", 1) {
			t.Errorf("%s: %v, and after other tests\n%s", c.name, err, again)
		}
	}
}

func TestFuzzTestsWithoutValuesNeedNoFile(t *testing.T) {
	f := find(t, `package p_test

import "testing"

func FuzzNothing(f *testing.F) { f.Fuzz(func(t *testing.T, n int) {}) }
`)
	if text, err := f.File(nil); err != nil || text != nil {
		t.Errorf("%v, and a file\n%s", err, text)
	}
}

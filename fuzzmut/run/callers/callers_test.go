package callers

import (
	"fmt"
	"go/constant"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/fuzzmut/fuzzmut/instrument/load"
)

// loadModule loads the package in the root of a module, example.com/m.
func loadModule(t *testing.T, archive string) *load.Result {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range txtar.Parse([]byte("-- go.mod --\nmodule example.com/m\n\ngo 1.26\n" + archive)).Files {
		path := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, f.Data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	r, err := load.Load(t.Context(), load.Config{Dir: dir, Pattern: ".", AnyTests: true})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// marked says that lines hold the comment "// changed".
func marked(file string, first, last int) bool {
	text, err := os.ReadFile(file)
	if err != nil {
		return false
	}
	lines := strings.Split(string(text), "\n")
	return strings.Contains(strings.Join(lines[first-1:last], "\n"), "// changed")
}

// find returns what Find finds, in lines.
func find(t *testing.T, before, after *load.Result) string {
	t.Helper()
	found, err := Find(before, after, marked)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, name := range found.Reached {
		fmt.Fprintf(&b, "reached %s\n", name)
	}
	for _, target := range found.Targets {
		fmt.Fprintf(&b, "target %s", target.Function)
		for _, m := range target.Makers {
			fmt.Fprintf(&b, " made by %s", m.Function)
		}
		if target.Among != nil {
			fmt.Fprintf(&b, " among %s", strings.Join(target.Among, ", "))
		}
		b.WriteString("\n")
	}
	for _, note := range found.Left {
		fmt.Fprintf(&b, "left %s: %s\n", note.What, note.Reason)
	}
	return strings.ReplaceAll(b.String(), "example.com/m", "m")
}

func TestFind(t *testing.T) {
	for _, c := range []struct{ name, code, want string }{
		{"the function itself", `
func Parse(s string) int { return 1 } // changed
func All(s string) int { return Parse(s) }
`, "target m.Parse\n"},
		{"the exported ones nearest above", `
func Far(s string) int { return Near(s) }
func Near(s string) int { return middle(s) }
func middle(s string) int { return low(s) }
func Other(b []byte) int { return low(string(b)) }
func low(s string) int { return 1 } // changed
`, "target m.Other\ntarget m.Near\n"},
		{"not exported, with nothing above", `
func low(s string) int { return 1 } // changed
`, "target m.low\n"},
		{"one above those that can't be derived", `
func Run(f func()) int { return low("") }
func Top(s string) int { return Run(func() {}) }
func low(s string) int { return 1 } // changed
`, "target m.Top\n"},
		{"none that can be derived", `
func Run(f func()) int { return 1 } // changed
func main() { Run(nil) }
`, "left m.Run: no fuzz test can be derived for Run: its argument f is of type func(), which bytes can't represent; mark a function that creates one and calls this one, or write the fuzz test yourself\n"},
		{"methods, by way of an interface", `
type shape interface{ area(scale int) int }
type square struct{ a int }
func (s square) area(scale int) int { return s.a } // changed
func Area(a int) int { var s shape = square{a}; return s.area(1) }
`, "target m.Area\n"},
		{"methods that other code calls", `
type list []string
func (l list) Len() int { return len(l) }
func (l list) Swap(i, k int) { l[i], l[k] = l[k], l[i] }
func (l list) Less(i, k int) bool { return l[i] < l[k] } // changed
func Sorted(s []string) []string { sort.Sort(list(s)); return s }
`, "target m.Sorted\n"},
		{"function values and variables", `
var table = map[string]func(string) int{"low": low}
func Call(name, s string) int { return table[name](s) }
func low(s string) int { return 1 } // changed
`, "target m.Call\n"},
		{"what init computes", `
var table []int
func init() { table = fill(10) }
func Look(n int) int { return table[n] }
func fill(n int) []int { return nil } // changed
`, "target m.Look\n"},
		{"effects", `
func Clean(dir string) { clean(dir) }
func clean(dir string) { remove(dir) } // changed
var remove = os.RemoveAll
var started = os.Getpid()
func Fatal(s string) int { log.Fatal(s); return started } // changed
`, "left m.clean: clean calls os.RemoveAll\nleft m.Fatal: Fatal calls log.Fatal\n"},
		{"what a variable is computed with is no effect", `
var dir, _ = os.MkdirTemp("", "")
var logger, _ = open()
func open() (*os.File, error) { return os.Create(dir) }
func Log(s string) bool { return logger != nil } // changed
`, "target m.Log\n"},
		{"a method of what a function makes", `
type Version struct{ n int }
func MustNew(s string) *Version { return &Version{} }
func New(s string) (*Version, error) { return &Version{}, nil }
func (v Version) Less(w *Version) bool { return v.n < w.n } // changed
`, "target (m.Version).Less made by New\n"},
		{"what a function makes, although it has a text form", `
type Version struct{ n int }
func New(s string) *Version { return &Version{} }
func (v Version) MarshalText() ([]byte, error) { return nil, nil }
func (v *Version) UnmarshalText([]byte) error { return nil }
func Compare(v, w *Version) int { return v.n - w.n } // changed
`, "target m.Compare made by New\n"},
		{"a method of what no function makes", `
type Version struct{ n int }
func (v Version) Next() int { return v.n } // changed
func Sum(list []struct{ V Version }) int { return list[0].V.Next() }
`, "left m.Version.Next: no fuzz test can be derived for Version.Next: its receiver is of Version, whose fields are not exported, and no exported function makes one of texts, of numbers or of nothing; mark a function that does and calls this one, or write the fuzz test yourself\n"},
		{"a method of what functions with type parameters make", `
type Pair[L, R any] struct{ l L; r R }
func Left[L, R any](l L) Pair[L, R] { return Pair[L, R]{l: l} }
func (p Pair[L, R]) Left() L { return p.l } // changed
type Lazy[T any] struct{ f func() T }
func Later[T any](f func() T) *Lazy[T] { return &Lazy[T]{f} }
func (l *Lazy[T]) Get() T { return l.f() } // changed
func First(list []Pair[int, int]) int { return list[0].r } // changed
`, "left m.Pair.Left: no fuzz test can be derived for Pair.Left: its receiver is of Pair, whose fields are not exported, and what makes one has type parameters, which no fuzz test for one function chooses; mark a function that makes one and calls this one, or write the fuzz test yourself\n" +
			"left m.(*Lazy).Get: no fuzz test can be derived for (*Lazy).Get: its receiver is of Lazy, whose fields are not exported, and no exported function makes one of texts, of numbers or of nothing; mark a function that does and calls this one, or write the fuzz test yourself\n" +
			"left m.First: no fuzz test can be derived for First: its argument list holds values of Pair, whose fields are not exported, and what makes one has type parameters, which no fuzz test for one function chooses; mark a function that makes one and calls this one, or write the fuzz test yourself\n"},
		{"methods of what a function makes of nothing", `
type Rules struct{ list []string }
func New() *Rules { r := &Rules{}; r.load(); return r }
func (r *Rules) load() { r.list = []string{"s"} } // changed
func (r *Rules) Add(s string) { r.list = append(r.list, s) }
func (r *Rules) Plural(s string) string { return s + r.list[0] }
func (r *Rules) Len() int { return len(r.list) }
func Other(s string) string { return s }
func Both(r *Rules, n int) int { return n }
`, "target (*m.Rules).Plural made by New\ntarget Rules among (*m.Rules).Add, (*m.Rules).Len, (*m.Rules).Plural, m.New\ntarget m.Both made by New\ntarget (*m.Rules).Add made by New\n"},
		{"methods that only sequences of calls reach", `
type Stack struct{ list []int }
func NewStack() *Stack { return &Stack{} }
func MustStack() *Stack { return NewStack() }
func (s *Stack) Push(v int) { s.list = append(s.list, v) }
func (s *Stack) Pop() int { return s.list[0] } // changed
func (s *Stack) Save() error { return os.WriteFile("stack", nil, 0) }
func (s *Stack) Len() int { return len(s.list) }
func (s *Stack) Cursor() *Cursor { return &Cursor{} }
type Cursor struct{ n int }
func (c *Cursor) Next() { c.n++ } // changed
type Fixed struct{ n int }
func (f *Fixed) N() int { return f.n } // changed
type set struct{ m map[string]bool }
func (s *set) Put() { s.m = nil } // changed
`, "target Stack among (*m.Stack).Cursor, (*m.Stack).Len, (*m.Stack).Pop, (*m.Stack).Push, m.NewStack\n" +
			"left m.(*Cursor).Next: no fuzz test can be derived for (*Cursor).Next: its receiver is of Cursor, whose fields are not exported, and no exported function makes one of texts, of numbers or of nothing; mark a function that does and calls this one, or write the fuzz test yourself\n" +
			"left m.(*Fixed).N: no fuzz test can be derived for (*Fixed).N: its receiver is of Fixed, whose fields are not exported, and no exported function makes one of texts, of numbers or of nothing; mark a function that does and calls this one, or write the fuzz test yourself\n" +
			"left m.(*set).Put: no fuzz test can be derived for (*set).Put: its receiver is of set, which is not exported, and no function makes one of texts, of numbers or of nothing: values that nobody can pass would differ; mark a function that calls this one, or write the fuzz test yourself\n"},
		{"methods of what reads and writes", `
type Decoder struct{ r *bytes.Reader; n int }
func New(r io.Reader) *Decoder { return nil }
func (d *Decoder) Line(n int) string { return "" } // changed
type Encoder struct{ w io.Writer }
func To(w io.Writer) *Encoder { return nil }
func (e Encoder) Put(s string) {} // changed
`, "target (*m.Decoder).Line made by New\ntarget (m.Encoder).Put made by To\n"},
		{"fields that are exported, and texts", `
type Point struct{ X, Y int; At *time.Time }
func (p Point) Sum() int { return p.X + p.Y } // changed
type ID struct{ s string }
func (id ID) MarshalText() ([]byte, error) { return nil, nil }
func (id *ID) UnmarshalText([]byte) error { return nil }
func (id ID) Len() int { return 1 } // changed
`, "target (m.Point).Sum\ntarget (m.ID).Len\n"},
		{"main", `
func main() { os.Stdout.Write(nil) } // changed
`, "left m.main: nothing that a fuzz test can call is above it\n"},
		{"the nearest of each, then others", `
func low(s string) int { return 1 } // changed
func A(s string) int { return low(s) }
func B(s string) int { return low(s) }
func C(s string) int { return low(s) }
func D(s string) int { return low(s) }
func E(s string) int { return low(s) }
func F(s string) int { return low(s) }
func G(s string) int { return low(s) }
func H(s string) int { return low(s) }
func I(s string) int { return low(s) }
func J(s string) int { return 1 } // changed
`, "target m.J\ntarget m.A\ntarget m.B\ntarget m.C\ntarget m.D\ntarget m.E\ntarget m.F\ntarget m.G\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			src := "package m\n\nimport (\"bytes\"; \"io\"; \"log\"; \"os\"; \"sort\"; \"time\")\n\nvar _, _, _, _, _, _ = bytes.Equal, io.EOF, log.Print, os.Getpid, sort.Ints, time.Now\n" + c.code
			r := loadModule(t, "-- m.go --\n"+src)
			if diff := cmp.Diff(c.want, find(t, r, r)); diff != "" {
				t.Errorf("found (-want +got):\n%s", diff)
			}
		})
	}
}

// findMissed is FindMissed where nothing was fuzzed before.
func findMissed(before, after *load.Result, changed func(string, int, int) bool) (*Found, error) {
	return FindMissed(before, after, changed, changed, func(load.Target) bool { return false })
}

// A function that no other shows is fuzzed itself, after all others that may were, if that is worth it.
func TestFindMissedFallsBackToTheFunctionItself(t *testing.T) {
	r := loadModule(t, "-- m.go --\npackage m\n\nfunc Write(s string) int { return clean(s) * 0 }\nfunc clean(s string) int { return len(s) } // changed\n"+
		"func Read(s string) int { return read(func() string { return s }) }\nfunc read(f func() string) int { return 1 } // changed\n")
	for _, c := range []struct {
		alone func(string, int, int) bool
		tried []string
		want  string
	}{
		{marked, nil, "example.com/m.Write example.com/m.Read"},
		{marked, []string{"example.com/m.Write"}, "example.com/m.clean example.com/m.Read"},
		{marked, []string{"example.com/m.Write", "example.com/m.Read"}, "example.com/m.clean example.com/m.Read"}, // read takes a function
		{func(string, int, int) bool { return false }, []string{"example.com/m.Write"}, "example.com/m.Write example.com/m.Read"},
	} {
		found, err := FindMissed(r, r, marked, c.alone, func(t load.Target) bool { return slices.Contains(c.tried, t.Function) })
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, t := range found.Targets {
			got = append(got, t.Function)
		}
		if strings.Join(got, " ") != c.want || found.Alone["example.com/m.clean"] != strings.Contains(c.want, "clean") {
			t.Errorf("%v: %v, %v, want %s", c.tried, got, found.Alone, c.want)
		}
	}
}

// Methods that inputs have missed are called in sequences, although a function makes the receiver.
func TestFindMissedPrefersSequences(t *testing.T) {
	r := loadModule(t, "-- m.go --\npackage m\n\ntype Stack struct{ list []int }\n\nfunc Named(name string) *Stack { return &Stack{} }\n"+
		"func (s *Stack) Push(v int) { s.list = append(s.list, v) }\nfunc (s *Stack) Pop() int { return s.list[0] } // changed\n")
	for _, c := range []struct {
		find func(before, after *load.Result, changed func(string, int, int) bool) (*Found, error)
		want string
	}{{Find, "(*example.com/m.Stack).Pop"}, {findMissed, "Stack"}} {
		if found, err := c.find(r, r, marked); err != nil || len(found.Targets) != 1 || found.Targets[0].Function != c.want {
			t.Errorf("%v, %v, want %s", found, err, c.want)
		}
	}
}

// A text form does not keep a type from sequences if calls change it in other ways: a hash can be
// marshaled, and what its Write does shows in its Sum. One that only reading a text changes has none.
func TestFindMissedOfTypesWithATextForm(t *testing.T) {
	for _, c := range []struct{ method, want string }{
		{"Write(b []byte) (int, error) { s.n += len(b); return len(b), nil }", "Sum"},
		{"Scan(n int) error { s.n = n; return nil }", "(*example.com/m.Sum).Scan"},
	} {
		r := loadModule(t, "-- m.go --\npackage m\n\ntype Sum struct{ n int }\n\nfunc NewSum() *Sum { return &Sum{} }\nfunc (s *Sum) "+c.method+" // changed\n"+
			"func (s *Sum) MarshalBinary() ([]byte, error) { return nil, nil }\nfunc (s *Sum) UnmarshalBinary(b []byte) error { s.n = len(b); return nil }\n")
		if found, err := findMissed(r, r, marked); err != nil || len(found.Targets) != 1 || found.Targets[0].Function != c.want {
			t.Errorf("%+v, %v, want %s", found, err, c.want)
		}
	}
}

// What the fuzz tests reach needs no others, and a changed package below is reached from
// the package under test.
func TestFindWithFuzzTestsAndPackages(t *testing.T) {
	r := loadModule(t, `
-- m.go --
package m

import "example.com/m/dep"

func Tested(s string) int { return tested(s) } // changed
func tested(s string) int { return 1 } // changed
func Outside(s string) int { return dep.F(s) }
-- dep/dep.go --
package dep

func F(s string) int { return g(s) }
func g(s string) int { return 1 } // changed
func Unused(s string) int { return 1 } // changed
-- m_test.go --
package m

import "testing"

func helper(s string) { Tested(s) }
func FuzzTested(f *testing.F) { f.Fuzz(func(t *testing.T, s string) { helper(s) }) }
func TestOutside(t *testing.T) { Outside("x") }
`)
	want := `reached m.Tested
reached m.tested
target m.Outside
left m/dep: 1 of its changed functions are not called from m
`
	if diff := cmp.Diff(want, find(t, r, r)); diff != "" {
		t.Errorf("found (-want +got):\n%s", diff)
	}
	// Of a function that no input of theirs has reached, it does not count that they lead there.
	missed, err := findMissed(r, r, func(file string, first, last int) bool {
		return marked(file, first, last) && filepath.Base(file) == "m.go" && first == 6
	})
	if err != nil || len(missed.Targets) != 1 || missed.Targets[0].Function != "example.com/m.Tested" || missed.Reached != nil {
		t.Errorf("missed: %+v, %v", missed, err)
	}
}

// A fuzz test that only new code has, as where only that marks a function, compares nothing.
func TestFuzzTestsOfOneSideReachNothing(t *testing.T) {
	code := "-- m.go --\npackage m\n\nfunc F(s string) int { return len(s) } // changed\n"
	before := loadModule(t, code)
	after := loadModule(t, code+"-- m_test.go --\npackage m\n\nimport \"testing\"\n\nfunc FuzzF(f *testing.F) { f.Fuzz(func(t *testing.T, s string) { F(s) }) }\n")
	if got, want := find(t, before, after), "target m.F\n"; got != want {
		t.Errorf("found %q, want %q", got, want)
	}
}

func TestFindComparesWhatBothSidesHave(t *testing.T) {
	before := loadModule(t, `
-- m.go --
package m

type T struct{}

func (T) M(s string) int { return 0 }
func Parse(s string) int { return low(s) }
func Kept(s string) int { return low(s) }
func Removed(s string) int { return low(s) }
func low(s string) int { return 0 }
`)
	after := loadModule(t, `
-- m.go --
package m

type T struct{}

func (*T) M(s string) int { return low(s) }
func New(s string) int { return low(s) }
func Parse(s []byte) int { return low(string(s)) } // changed
func Kept(text string) (int, error) { return low(text), nil }
func low(s string) int { return 1 } // changed
`)
	want := "target m.Kept\nleft m.Parse: Parse can't be compared: its arguments changed: (string) before, ([]byte) now\n"
	if diff := cmp.Diff(want, find(t, before, after)); diff != "" {
		t.Errorf("found (-want +got):\n%s", diff)
	}
	wantGone := []Note{
		{"m.T.M", "it is gone", true},
		{"m.Parse", "its arguments changed: (string) before, ([]byte) now", true},
		{"m.Removed", "it is gone", true},
	}
	if diff := cmp.Diff(wantGone, Gone(before, after)); diff != "" {
		t.Errorf("gone (-want +got):\n%s", diff)
	}
}

// A value whose fields differ would be another one on each side.
func TestFindComparesInputsOfTheSameShape(t *testing.T) {
	const code = "-- m.go --\npackage m\n\ntype In struct{ A, B int }\n\ntype I interface{ M() }\n\ntype T int\n\nfunc (T) M() {}\n\nfunc F(list []In) int { return 0 }\n\nfunc G(list []I) int { return 0 }\n"
	before := loadModule(t, code)
	after := loadModule(t, strings.NewReplacer("A, B", "B, A", "return 0", "return 1 /* // changed */").Replace(code)+"\ntype U int\n\nfunc (U) M() {}\n")
	want := "left m.F: F can't be compared: the values that its argument list can have changed\n" +
		"left m.G: G can't be compared: the values that its argument list can have changed\n"
	if diff := cmp.Diff(want, find(t, before, after)); diff != "" {
		t.Errorf("found (-want +got):\n%s", diff)
	}
	if got := find(t, after, after); got != "target m.F\ntarget m.G\n" {
		t.Errorf("of the same code, found %s", got)
	}
}

func TestSeeds(t *testing.T) {
	for _, c := range []struct{ name, code, tests, want string }{
		{"calls", `func Parse(s string, strict bool) int { return 1 } // changed`, `
func TestParse(t *testing.T) {
	Parse("a", true)
	Parse("a", true)
	Parse(text, false)
	in := "c"
	Parse(in, len(in) > 2)
}
const text = "b"
`, `"a" true; "b" false; "c" -`},
		{"tables", `func Parse(s string, strict bool) int { return 1 } // changed`, `
func TestParse(t *testing.T) {
	for _, tt := range []struct {
		in     string
		want   int
		strict bool
	}{{"a", 1, true}, {in: "b"}} {
		Parse(tt.in, tt.strict)
	}
	list := []string{"c", "d"}
	for _, s := range list {
		Parse(s, false)
	}
	for s, n := range map[string]int{"e": 1} {
		Parse(s, n > 0)
	}
}
`, `"a" true; "b" -; "c" false; "d" false; "e" -`},
		{"helpers", `func Parse(s []byte) int { return 1 } // changed`, `
func check(t *testing.T, in string, want int) { parse(t, in) }
func parse(t *testing.T, in string) { Parse([]byte(in)) }
func TestParse(t *testing.T) { check(t, "a", 1); parse(t, "b") }
`, `"a"; "b"`},
		{"readers", `func Read(r io.Reader) int { return 1 } // changed`, `
func TestRead(t *testing.T) { Read(strings.NewReader("a")) }
`, `"a"`},
		{"functions above", `func Number(n int, s string) int { return 1 } // changed
func All(dir, text string, n int) int { return Number(n, text) }
`, `
func TestAll(t *testing.T) { All("dir", "text", 3); Number(5, "own") }
`, `5 "own"; 3 "dir"; 3 "text"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := loadModule(t, "-- m.go --\npackage m\n\nimport \"io\"\n\nvar _ io.Reader\n"+c.code+
				"\n-- m_test.go --\npackage m\n\nimport (\"strings\"; \"testing\")\n\nvar _ strings.Builder\n"+c.tests)
			found, err := Find(r, r, marked)
			if err != nil || len(found.Targets) != 1 {
				t.Fatalf("found %+v, %v", found, err)
			}
			if got := show(found.Targets[0].Seeds); got != c.want {
				t.Errorf("seeds are %s, want %s", got, c.want)
			}
		})
	}
}

// show writes seeds as "a" 1; "b" -.
func show(seeds [][]constant.Value) string {
	var list []string
	for _, s := range seeds {
		var parts []string
		for _, v := range s {
			if v == nil {
				parts = append(parts, "-")
			} else {
				parts = append(parts, v.ExactString())
			}
		}
		list = append(list, strings.Join(parts, " "))
	}
	return strings.Join(list, "; ")
}

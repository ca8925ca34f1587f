package callers

import (
	"go/types"
	"slices"
	"strings"
	"testing"

	"github.com/fuzzmut/fuzzmut/instrument/sequence"
)

// read is a package that reads texts into values, and its tests.
const read = `-- m.go --
package m

import (
	"os"
	"strings"
	"sync"
	"time"
)

type Source interface{ Next() string }

type Doc struct{ Text string }

func Fill(text string, to interface{}) error { plans.Load(text); return nil }

func Pull(s Source) string { return s.Next() + clean("") }

func Words(s *strings.Reader) string { return clean("") }

func (d *Doc) Into(name string, to ...interface{}) bool { return shapes.by == nil && zone > 0 }

func (d *Doc) Whole(to interface{}) string { return clean("") }

type Large struct{ A, B, C, D, E, F, G, H, I int }

func Big(l *Large) int { return l.A + len(clean("")) }

type Box[T any] struct{ list []T }

func NewBox[T any](list ...T) *Box[T] { return &Box[T]{list: list} }

func Count[T any](b *Box[T], more ...*Box[T]) int { return len(b.list) + len(clean("")) }

func (b *Box[T]) Join(other *Box[T]) int { return len(clean("")) }

func Verbose() bool { return os.Getenv("VERBOSE") != "" && clean("") == "" }

func Home() string { return os.Getenv("HOME") + clean("") }

func clean(s string) string { return s } // changed

var plans, Open, used, made sync.Map

var first = func() int { made.Store(1, 2); return 1 }()

func init() { used.Store(1, 2) }

var shapes struct {
	sync.Mutex
	by map[string]int
	n  int
}

var bare struct{ by map[string]int }

var given = map[string]int{}

var _, zone = time.Now().Zone()
-- m_test.go --
package m

import (
	"encoding/csv"
	"strings"
	"testing"
)

type Page struct{ N int }

type reader struct{ *csv.Reader }

func (r reader) Next() string { return "" }

func fill(text string, v interface{}) { _ = Fill(text, v) }

func TestFill(t *testing.T) {
	type inner struct {
		A []Page "x:\"a\""
		b *inner
	}
	type flat struct{ Doc; B map[string]interface{} }
	var p Page
	_ = Fill("a", &p)
	_ = Fill("b", &Page{3})
	_ = Fill("c", 7)
	_ = Fill("d", new(inner))
	_ = Fill("d", new(flat))
	_ = Fill("e", map[string]string{"k": "v", "k2": "v2"})
	_ = Fill("f", make(chan int))
	fill("g", []int{1})
}

func TestLarge(t *testing.T) {
	type large struct {
		A, B, C, D, E int "x"
		f             int
		G             func()
		H             chan int
		I, J          string
	}
	var v large
	new(Doc).Whole(&v)
	var whole Large
	_ = Big(&whole)
}

func TestBox(t *testing.T) {
	_ = Count(NewBox("a"), NewBox("b"))
	_ = Count(NewBox(7), NewBox(8))
	_ = (*Box[int]).Join(NewBox(1), NewBox(9))
	_ = NewBox("").Join(NewBox("c"))
}

func TestTable(t *testing.T) {
	var p Page
	for _, tt := range []struct {
		text string
		to   interface{}
	}{
		{"x = 1", &Page{4}},
		{to: &[]Page{}, text: "x = 2"},
	} {
		_ = Fill(tt.text, tt.to)
		new(Doc).Into(tt.text, &p, tt.to)
		_ = Pull(reader{csv.NewReader(strings.NewReader(tt.text))})
	}
}
`

// What tests give to a function is what they write down, what a table or a helper hands on, and
// where a pointer comes from elsewhere a new value.
func TestPassed(t *testing.T) {
	r := loadModule(t, read)
	l := newGraph(r).literals()
	scope := r.Packages[0].Types.Scope()
	into, _, _ := types.LookupFieldOrMethod(scope.Lookup("Doc").Type(), true, r.Packages[0].Types, "Into")
	whole, _, _ := types.LookupFieldOrMethod(scope.Lookup("Doc").Type(), true, r.Packages[0].Types, "Whole")
	for _, c := range []struct {
		fn   types.Object
		at   int
		want []string
	}{
		{scope.Lookup("Fill"), 1, []string{
			"&Page{4}", "&[]Page{}", "[]int{1}", "new(Page)", "&Page{3}", "new(struct{Doc; B map[string]interface{}})", `map[string]string{"k": "v", "k2": "v2"}`,
			`map[string]string{"k": "v", "k2": ` + sequence.TextHole + "}", `map[string]string{"k": ` + sequence.TextHole + "}", `map[string]string{"k2": ` + sequence.TextHole + "}",
		}},
		{into, 1, []string{"new(Page)", "&Page{4}", "&[]Page{}"}},
		{whole, 0, []string{"new(struct{A int \"x\"; B int \"x\"; C int \"x\"; D int \"x\"})", "new(struct{E int \"x\"; I string; J string})"}},
		{scope.Lookup("Big"), 0, []string{"new(Large)"}},
		{scope.Lookup("Pull"), 0, []string{"reader{csv.NewReader(strings.NewReader(" + sequence.TextHole + "))}"}},
		{scope.Lookup("Fill"), 0, nil},
	} {
		fn := c.fn.(*types.Func)
		got := l.passed(fn, c.at, fn.Signature().Params().At(c.at).Type())
		for _, want := range c.want {
			if n := strings.Count("\n"+strings.Join(got, "\n")+"\n", "\n"+want+"\n"); n != 1 {
				t.Errorf("%s: %q is there %d times", c.fn.Name(), want, n)
			}
		}
		if len(got) != len(c.want) {
			t.Errorf("%s: %q, want %q", c.fn.Name(), got, c.want)
		}
	}
	if got := l.of(scope.Lookup("Source").Type()); len(got) != 1 || !strings.HasPrefix(got[0], "reader{csv.") {
		t.Errorf("of an interface: %q", got)
	}
}

// What tests give to a generic function is for the type arguments that it has there.
func TestPassedToGenericFunctions(t *testing.T) {
	r := loadModule(t, read)
	l := newGraph(r).literals()
	scope := r.Packages[0].Types.Scope()
	box := scope.Lookup("Box").Type().(*types.Named)
	for _, c := range []struct {
		arg  types.BasicKind
		want [3]string // both parameters of Count, and that of Join
	}{
		{types.String, [3]string{`NewBox("a")`, `NewBox("b")`, `NewBox("c")`}},
		{types.Int, [3]string{"NewBox(7)", "NewBox(8)", "NewBox(9)"}},
		{types.Bool, [3]string{}},
	} {
		of, err := types.Instantiate(nil, box, []types.Type{types.Typ[c.arg]}, true)
		if err != nil {
			t.Fatal(err)
		}
		param := types.NewPointer(of)
		join, _, _ := types.LookupFieldOrMethod(param, true, r.Packages[0].Types, "Join")
		count := scope.Lookup("Count").(*types.Func)
		var got [3]string
		for i, list := range [][]string{l.passed(count, 0, param), l.passed(count, 1, param), l.passed(join.(*types.Func).Origin(), 0, param)} {
			list = slices.DeleteFunc(list, func(source string) bool { return strings.Contains(source, sequence.TextHole) })
			got[i] = strings.Join(list, " ")
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", types.Typ[c.arg], got, c.want)
		}
	}
}

// Caches that calls fill are empty before each input. What is filled before tests begin stays, and
// so does what others may fill.
func TestCaches(t *testing.T) {
	got := strings.Join(newGraph(loadModule(t, read)).caches(), "; ")
	want := "plans.Range(func(key, _ interface{}) bool { plans.Delete(key); return true }); shapes.by = nil"
	if got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
}

// Functions that take what one fuzz test of texts and numbers can't give are called in turn, with
// the lines of tables as first inputs. A variable of the environment that is only a switch
// and the time at which the program starts are no reason to leave out a function.
func TestFunctionsInTurn(t *testing.T) {
	found := Sequences(loadModule(t, read), func(file string, first, last int) bool { return true })
	var text string
	for _, s := range found.List {
		text += string(s.Text)
	}
	for _, want := range []string{"func FuzzPull_sequence(", "Fill(pick(op[2]), any3)", "plans.Delete(key)", `, "x = 1", "")`, `, "x = 2", "")`, "Pull("} {
		if !strings.Contains(text, want) {
			t.Errorf("%s is missing in\n%s", want, text)
		}
	}
	s := NewSurface(loadModule(t, read))
	closed := func(name string) bool {
		return s.Closed(s.finder.graph.loaded.Packages[0].Types.Scope().Lookup(name).(*types.Func))
	}
	if !closed("Verbose") || closed("Home") {
		t.Errorf("Verbose: %v, Home: %v", closed("Verbose"), closed("Home"))
	}
}

// A type that only tests know stands in the file without its name, and so without its methods: where these are needed,
// its values are left out.
func TestPassedWithoutMethods(t *testing.T) {
	r := loadModule(t, `-- m.go --
package m

type Rule interface{ Apply() string }

type Option func()

type Set struct{ First Rule; All []Rule; ByName map[string]Rule; Any interface{} }

func With(r Rule) Option { return func() {} }

func Merge(to interface{}, options ...Option) string { return clean("") }

func Use(rules ...Rule) string { return clean("") }

func Take(s Set) string { return clean("") }

func clean(s string) string { return s } // changed
-- m_test.go --
package m_test

import (
	"testing"

	"example.com/m"
)

type rule struct{ N int }

func (r rule) Apply() string { return "" }

func Test(t *testing.T) {
	_ = m.Merge(rule{1}, m.With(rule{2}))
	_ = m.Merge(&rule{3}, m.With(nil))
	_ = m.Use(nil, rule{4}, &rule{5})
	_ = m.Take(m.Set{First: rule{6}})
	_ = m.Take(m.Set{nil, []m.Rule{rule{7}}, nil, nil})
	_ = m.Take(m.Set{ByName: map[string]m.Rule{"a": &rule{8}}})
	_ = m.Take(m.Set{Any: rule{9}})
}
`)
	l := newGraph(r).literals()
	scope := r.Packages[0].Types.Scope()
	for _, c := range []struct {
		name string
		at   int
		want []string
	}{
		{"With", 0, nil},
		{"Merge", 0, []string{"struct{N int}{1}", "&struct{N int}{3}"}},
		{"Merge", 1, []string{"With(nil)"}},
		{"Use", 0, nil},
		{"Take", 0, []string{"Set{Any: struct{N int}{9}}"}},
	} {
		fn := scope.Lookup(c.name).(*types.Func)
		if got := l.passed(fn, c.at, fn.Signature().Params().At(c.at).Type()); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// A type that only tests know is the type that it is declared with, if the file can name that. What the file can't
// write, as fields of another package that are not exported, is left out, and only that.
func TestPassedOfTypesMadeOfOthers(t *testing.T) {
	r := loadModule(t, `-- m.go --
package m

func Any(v interface{}) string { return clean("") }

func Doubled(v interface{}) string { return clean("") }

func clean(s string) string { return s } // changed
-- m_test.go --
package m_test

import (
	"encoding/csv"
	"testing"
	"text/scanner"
	"time"

	"example.com/m"
)

type moment time.Time

type later moment

type scan scanner.Scanner

type position scanner.Position

type number int

func (n number) Next() number { return n + 1 }

type reading struct{ of *csv.Reader }

func Test(t *testing.T) {
	_ = m.Any(moment(time.Unix(0, 0)))
	_ = m.Any(new(later))
	_ = m.Any([]moment{})
	_ = m.Any(new(scan))
	_ = m.Any(&position{Line: 1})
	_ = m.Any(&reading{})
	_ = m.Doubled(struct{ M func(number) number }{number.Next})
	_ = m.Doubled([]number{1})
}
`)
	l := newGraph(r).literals()
	scope := r.Packages[0].Types.Scope()
	for _, c := range []struct {
		name string
		want []string
	}{
		{"Any", []string{
			"time.Time(time.Unix(0, 0))", "new(time.Time)", "[]time.Time{}",
			"&struct{Filename string; Offset int; Line int; Column int}{Line: 1}", "&struct{of *csv.Reader}{}",
			"new(struct{ErrorCount int; Mode uint; Whitespace uint64})", // parts of scan
		}},
		{"Doubled", []string{"[]int{1}"}},
	} {
		fn := scope.Lookup(c.name).(*types.Func)
		if got := l.passed(fn, 0, fn.Signature().Params().At(0).Type()); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// Source that is no expression of the file costs nothing but itself, whatever is wrong with it.
func TestSourceThatDoesNotCompile(t *testing.T) {
	r := loadModule(t, read)
	l := newGraph(r).literals()
	for source, want := range map[string]bool{
		"Page{4}":                         true,
		"&Doc{Text: textOfTheInput}":      true,
		"time.Unix(0, 0)":                 true,
		"csv.NewReader(nil)":              true,
		"nil":                             true,
		"struct{N int}":                   true,
		"Page{":                           false,
		"Page{M: 4}":                      false,
		"Missing{}":                       false,
		"os.Args":                         false,
		"struct{ wall uint64 }(time.Now)": false,
		"[]Source{Page{4}}":               false,
	} {
		if got := l.compiles(source); got != want {
			t.Errorf("%s: %v", source, got)
		}
	}
}

package target

import (
	"go/types"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// stateOptions has methods that begin with Set, Push or Un change their receiver.
func stateOptions(pkg *types.Package) Options {
	return Options{
		Package: pkg,
		Changes: func(fn *types.Func) bool {
			return strings.HasPrefix(fn.Name(), "Set") || strings.HasPrefix(fn.Name(), "Push") || strings.HasPrefix(fn.Name(), "Un")
		},
		Touches: func(fn *types.Func) bool { return strings.HasPrefix(fn.Name(), "Open") },
	}
}

func TestReceiversOfConstructors(t *testing.T) {
	const imports = "import (\n\t\"testing\"\n\n\t\"github.com/fuzzmut/fuzzmut/fuzzmut\"\n)\n\n"
	for _, c := range []struct{ name, src, fn, want string }{
		{"constructors and methods", `type Queue[T any] struct{ list []T }
type Option func(*int)
func New[T any](size int, opts ...Option) *Queue[T] { return nil }
func NewOf[T any](list []T) (Queue[T], error) { return Queue[T]{}, nil }
func Clone[T any](q *Queue[T]) *Queue[T] { return q }
func OpenQueue(path string) *Queue[int] { return nil }
func MustNew[T any]() *Queue[T] { return nil }
func NewFunc[T any](less func(a, b T) bool) *Queue[T] { return nil }
func (q *Queue[T]) Push(v T) {}
func (q *Queue[T]) PushAll(o *Queue[T]) {}
func (q *Queue[T]) PushFunc(f func() T) {}
func (q *Queue[T]) Set(i int, v T) bool { return true }
func (q *Queue[T]) UnmarshalText(b []byte) error { return nil }
func (q *Queue[T]) At(i int) (v T) { return v }`, "Queue.At", imports + `func FuzzQueue_At(f *testing.F) {
	fuzzmut.FuzzAfter(f, fuzzmut.Machine[*Queue[int]]{
		Constructors: []any{New[int], NewOf[int]},
		Ops: []any{
			(*Queue[int]).Push,
			(*Queue[int]).Set,
		},
		Most: 1000,
	}, func(t *testing.T, queue *Queue[int], in struct {
		I int
	}) {
		queue.At(in.I)
	})
}
`},
		{"a zero value, and no argument", `type Queue struct{ list []int }
func (q *Queue) Push(v int) {}
func (q Queue) Len() int { return 0 }`, "Queue.Len", imports + `func FuzzQueue_Len(f *testing.F) {
	fuzzmut.FuzzAfter(f, fuzzmut.Machine[*Queue]{
		Ops: []any{
			(*Queue).Push,
		},
		Most: 1000,
	}, func(t *testing.T, queue *Queue, _ struct{}) {
		queue.Len()
	})
}
`},
		{"a text alone is plain, and other values of the type are made as well", `type Version struct{ n int }
func New(a int, s []int) *Version { return nil }
func Parse(s string) (*Version, error) { return nil, nil }
func (v *Version) Less(o *Version) bool { return false }`, "Version.Less", `import "testing"

func FuzzVersion_Less(f *testing.F) {
	f.Fuzz(func(t *testing.T, versionText string, oText string) {
		version, err := Parse(versionText)
		if err != nil {
			return
		}
		o, err := Parse(oText)
		if err != nil {
			return
		}
		version.Less(o)
	})
}
`},
		{"constructors that need the library", `type Set map[int]bool
func SetOf(list []int) Set { return nil }
func (s Set) Has(n int) bool { return s[n] }`, "Set.Has", imports + `func FuzzSet_Has(f *testing.F) {
	fuzzmut.FuzzAfter(f, fuzzmut.Machine[*Set]{
		Constructors: []any{SetOf},
		Ops:          []any{},
		Most:         1000,
	}, func(t *testing.T, set *Set, in struct {
		N int
	}) {
		set.Has(in.N)
	})
}
`},
		{"what anybody can fill is filled", `type Pair struct{ A, B int }
func (p *Pair) SetA(n int) {}
func (p Pair) Sum() int { return 0 }`, "Pair.Sum", imports + `func FuzzPair_Sum(f *testing.F) {
	fuzzmut.Fuzz(f, func(t *testing.T, pair Pair) {
		pair.Sum()
	})
}
`},
		{"what is not exported and has no constructor is filled", `type pair struct{ a, b int }
func (p *pair) setA(n int) {}
func (p pair) sum() int { return 0 }`, "pair.sum", imports + `func Fuzz_pair_sum(f *testing.F) {`},
		{"numbers are any", `type Level int
func Parse(s string) (Level, error) { return 0, nil }
func (l Level) Above(o Level) bool { return l > o }`, "Level.Above", `import "testing"

func FuzzLevel_Above(f *testing.F) {
	f.Fuzz(func(t *testing.T, level int, o int) {
		Level(level).Above(Level(o))
	})
}
`},
	} {
		pkg := typeCheck(t, "package p\n"+c.src)
		got, err := Write(function(pkg, c.fn), stateOptions(pkg))
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		text := strings.TrimPrefix(string(got.Text), "package p\n\n")
		if diff := cmp.Diff(c.want, text); diff != "" && !strings.HasPrefix(text, c.want) {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

// Without inputs, or with a receiver that nothing changes, there is nothing to fuzz.
func TestReceiversThatNothingDraws(t *testing.T) {
	pkg := typeCheck(t, "package p\ntype T struct{ n int }\nfunc New() *T { return nil }\nfunc (t *T) Get() int { return t.n }")
	_, err := Write(function(pkg, "T.Get"), stateOptions(pkg))
	if err == nil || !strings.Contains(err.Error(), "//fuzzmut:target fields draws its fields") {
		t.Errorf("%v", err)
	}
}

// A message of protocol buffers is drawn by its fields, whatever generated code keeps beside them.
func TestReceiversThatAreMessages(t *testing.T) {
	const source = `package p
type Order struct{ state struct{ f func() }; Name *string; sizeCache int32 }
func (o *Order) ProtoMessage() {}
func (o *Order) Reset() { *o = Order{} }
func (o *Order) Title() string { return *o.Name }
type Sealed struct{ xxx_hidden_Name *string }
func (s *Sealed) ProtoMessage() {}
func (s *Sealed) SetName(name string) { s.xxx_hidden_Name = &name }
func (s *Sealed) Title() string { return *s.xxx_hidden_Name }`
	pkg := typeCheck(t, source)
	for name, want := range map[string]bool{"Order": true, "Sealed": false} {
		if got := IsMessage(pkg.Scope().Lookup(name).Type().(*types.Named)); got != want {
			t.Errorf("%s: %v", name, got)
		}
	}
	for method, parts := range map[string][]string{"Order.Title": {"Order *Order `fuzz:\"nonnil\"`"}, "Sealed.Title": {"SetName"}} {
		got, err := Write(function(pkg, method), stateOptions(pkg))
		if err != nil {
			t.Errorf("%s: %v", method, err)
			continue
		}
		for _, part := range parts {
			if !strings.Contains(string(got.Text), part) {
				t.Errorf("%s: no %q in\n%s", method, part, got.Text)
			}
		}
	}
}

// Where what makes a receiver is not called, neither the zero value nor fields that nobody has chosen are what a user of
// the type has. Whoever means them has words for it.
func TestReceiversThatConstructorsWouldMake(t *testing.T) {
	const source = `package p
type Source interface{ Next() string }
type Peeking struct{ from Source; n int }
func Upgrade(from Source) *Peeking { return nil }
func (p *Peeking) Peek(n int) string { return p.from.Next() }
func (p *Peeking) SetSize(n int) { p.n = n }

type Tail struct{ from Source }
func NewTail(from Source) Tail { return Tail{from} }
func (t Tail) Len(n int) int { return n }

type Made struct{ n int }
func NewMade(n int) *Made { return nil }
func FromSource(from Source) *Made { return nil }
func (m *Made) SetSize(n int) {}
func (m *Made) Len() int { return m.n }

type Open struct{ From Source }
func NewOpen(from Source) *Open { return nil }
func (o *Open) Len(n int) int { return n }

type Count int
func (c Count) Twice() int { return 2 * int(c) }
`
	pkg := typeCheck(t, source)
	for _, c := range []struct {
		fn      string
		without []string
		refused string // "": it is not
		begins  string // what the text has
	}{
		{"Peeking.Peek", nil, "no fuzz test can be derived for (*Peeking).Peek: its constructor Upgrade is not called, since values of its argument from, of type Source, can't be drawn, and the receiver would begin as the zero value; add an exported function to a test file that returns *Peeking and takes other arguments, or write the directive with without \"Upgrade\" if the zero value is right", ""},
		{"Peeking.Peek", []string{"Upgrade"}, "", "fuzzmut.Machine[*Peeking]{\n\t\tOps:"},
		{"Peeking.Peek", []string{"Upgrade", "Peek"}, "there is no constructor Peek of its receiver, which the directive leaves out", ""},
		{"Tail.Len", nil, "and the fields of the receiver would have any values; add an exported function to a test file that returns Tail and takes other arguments, or write the directive with the word fields if any are right", ""},
		{"Made.Len", nil, "", "Constructors: []any{NewMade},"},
		{"Made.Len", []string{"FromSource"}, "", "Constructors: []any{NewMade},"},
		{"Made.Len", []string{"NewMade"}, "its constructor FromSource is not called", ""},
		{"Made.Len", []string{"NewMade", "FromSource"}, "", "fuzzmut.Machine[*Made]{\n\t\tOps:"},
		{"Count.Twice", []string{"New"}, "there is no constructor New of its receiver", ""},
	} {
		opts := stateOptions(pkg)
		opts.Without = c.without
		got, err := Write(function(pkg, c.fn), opts)
		switch {
		case c.refused != "":
			if err == nil || !strings.Contains(err.Error(), c.refused) {
				t.Errorf("%s without %q: %v, want %s", c.fn, c.without, err, c.refused)
			}
		case err != nil:
			t.Errorf("%s without %q: %v", c.fn, c.without, err)
		case !strings.Contains(string(got.Text), c.begins):
			t.Errorf("%s without %q: no %s in\n%s", c.fn, c.without, c.begins, got.Text)
		}
	}
	// Fields that are exported are what a user of the type chooses, and so is what nobody has marked.
	for _, name := range []string{"Tail.Len", "Peeking.Peek"} {
		if _, err := Write(function(pkg, name), Options{Package: pkg, Partial: true}); err != nil && strings.Contains(err.Error(), "constructor") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := Write(function(pkg, "Open.Len"), stateOptions(pkg)); err != nil && strings.Contains(err.Error(), "constructor") {
		t.Error(err)
	}
}

func TestDocumentedPanicsAreSkipped(t *testing.T) {
	pkg := typeCheck(t, "package p\nfunc Div(v, b int) int { return v / b }")
	got, err := Write(function(pkg, "Div"), Options{Package: pkg, Panics: []string{"division by 0", `a "b"`}})
	if err != nil {
		t.Fatal(err)
	}
	want := `package p

import (
	"fmt"
	"strings"
	"testing"
)

func FuzzDiv(f *testing.F) {
	f.Fuzz(func(t *testing.T, v int, b int) {
		defer func() {
			v := recover()
			if v == nil {
				return
			}
			if !strings.Contains(fmt.Sprint(v), "division by 0") && !strings.Contains(fmt.Sprint(v), "a \"b\"") {
				panic(v)
			}
			t.Skip(v)
		}()
		Div(v, b)
	})
}
`
	if diff := cmp.Diff(want, string(got.Text)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

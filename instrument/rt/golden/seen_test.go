package golden

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"reflect"
	"sort"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// Decimal has a text and accessors, but no exported field.
type Decimal struct {
	value int
	exp   int32
	cache string
	calls *int
}

func (d *Decimal) String() string {
	if d.cache == "" {
		d.cache = fmt.Sprintf("%de%d", d.value, d.exp)
	}
	return d.cache
}

func (d Decimal) Exponent() int32   { return d.exp }
func (d Decimal) IsZero() bool      { return d.value == 0 }
func (d Decimal) Neg() Decimal      { return Decimal{value: -d.value, exp: d.exp} }
func (d Decimal) Text() string      { return d.String() } // says what String says
func (d Decimal) Float() float64    { panic("no floats") }
func (d *Decimal) Reset() int       { *d.calls++; d.value = 0; return 0 }
func (d *Decimal) Count() int       { *d.calls++; return *d.calls }          // another result each time
func (d *Decimal) Halve() int       { d.value /= 2; d.cache = ""; return 1 } // changes String
func (d Decimal) Of(n int) int      { return n }
func (d Decimal) Parts() (int, int) { return d.value, int(d.exp) }

// Tree is opaque but for its own iteration.
type Tree struct{ keys []int }

func (t *Tree) Len() int { return len(t.keys) }
func (t *Tree) Ascend(f func(k int) bool) {
	for _, k := range t.keys {
		if !f(k) {
			return
		}
	}
}

// Set keeps the same in a map, and has iterators.
type Set struct{ keys map[int]bool }

func (s *Set) Len() int { return len(s.keys) }
func (s *Set) All() iter.Seq2[int, bool] {
	return func(yield func(int, bool) bool) {
		var keys []int
		for k := range s.keys {
			keys = append(keys, k)
		}
		sort.Ints(keys)
		for _, k := range keys {
			if !yield(k, true) {
				return
			}
		}
	}
}

// Leaf is a tree by methods that lead from node to node.
type Leaf struct {
	name         string
	up           *Leaf
	first, right *Leaf
}

func (l *Leaf) Name() string       { return l.name }
func (l *Leaf) Parent() *Leaf      { return l.up }
func (l *Leaf) FirstChild() *Leaf  { return l.first }
func (l *Leaf) LastChild() *Leaf   { return l.first }
func (l *Leaf) NextSibling() *Leaf { return l.right }

// Whole has its fields in itself, Split in two embedded structs.
type Whole struct {
	Name   string
	Size   int
	secret string
}

type head struct{ Name string }

type Split struct {
	head
	hidden int
	*tail
}

type tail struct{ Size int }

// DecodeError is an error with a position.
type DecodeError struct {
	Key    string
	line   int
	column int
	cause  error
}

func (e *DecodeError) Error() string        { return "bad " + e.Key }
func (e *DecodeError) Position() (int, int) { return e.line, e.column }
func (e *DecodeError) Unwrap() error        { return e.cause }

// Faults and Named are errors that hold several, Texts says all that it holds.
type (
	Faults  []Whole
	Named   map[string]Whole
	Texts   []string
	unnamed []Whole
)

func (Faults) Error() string  { return "faults" }
func (Named) Error() string   { return "named" }
func (Texts) Error() string   { return "texts" }
func (unnamed) Error() string { return "unnamed" }

// Itself has a method that returns it.
type Itself struct {
	Line int
	Up   *Itself
}

func (i *Itself) Error() string  { return "itself" }
func (i *Itself) AsError() error { return i }

type wrapping struct{ inner error }

func (w wrapping) Error() string { return "wrapped: " + w.inner.Error() }
func (w wrapping) Unwrap() error { return w.inner }

// Level is a number with a name.
type Level int

func (l Level) String() string { return [...]string{"low", "high"}[l] }

type level int

type Kept struct {
	At   time.Time
	Any  any
	Err  error
	Any2 fmt.Stringer
	Lev  Level
}

type counter struct{ n int }

func (c *counter) Next() bool { c.n++; return true }

type Empty struct{ a, b int }

type Loud struct{ n int }

func (Loud) MarshalText() ([]byte, error) { return nil, errors.New("no") }

func TestRenderSeen(t *testing.T) {
	calls := 0
	itself := &Itself{Line: 2}
	itself.Up = itself
	leaf := &Leaf{name: "root"}
	leaf.first = &Leaf{name: "a", up: leaf, right: &Leaf{name: "b", up: leaf}}
	for _, test := range []struct {
		v    any
		want string
	}{
		{Decimal{value: 5, exp: -1, calls: &calls}, `golden.Decimal {String(): "5e-1", Exponent(): -1, Parts(): (5, -1)}`},
		{&Decimal{value: 12, cache: "kept", calls: &calls}, `*golden.Decimal &{String(): "kept", Parts(): (12, 0)}`},
		{&Tree{[]int{2, 3}}, `*golden.Tree &{Ascend(): [2, 3], Len(): 2}`},
		{&Tree{}, `*golden.Tree &{Ascend(): []}`},
		{&Set{map[int]bool{3: true, 2: true}}, `*golden.Set &{All(): [2: true, 3: true], Len(): 2}`},
		{leaf, "*golden.Leaf &{\n\tFirstChild(): &{NextSibling(): &{Name(): \"b\"}, Name(): \"a\"}\n\tName(): \"root\"\n}"},
		{Whole{"n", 1, "s"}, `golden.Whole {Name: "n", Size: 1}`},
		{Split{head{"n"}, 3, &tail{1}}, `golden.Split {Name: "n", Size: 1}`},
		{Split{head{"n"}, 3, nil}, `golden.Split {Name: "n"}`},
		{&DecodeError{"k", 1, 2, fs.ErrExist}, `*golden.DecodeError error "bad k" {Key: "k", Position(): (1, 2), Unwrap(): error "file already exists"}`},
		{wrapping{errors.New("x")}, `error "wrapped: x" {Unwrap(): error "x"}`},
		{&fs.PathError{Op: "open", Path: "p", Err: fs.ErrExist}, `*fs.PathError error "open p: file already exists" {Err: error "file already exists", Op: "open", Path: "p"}`},
		{Faults{{Name: "x", Size: 1}}, `golden.Faults error "faults" [{Name: "x", Size: 1}]`},
		{&Faults{{Name: "x"}}, `*golden.Faults error "faults" [{Name: "x", Size: 0}]`},
		{Faults{}, `golden.Faults error "faults"`},
		{Faults(nil), `golden.Faults error "faults"`},
		{Named{"k": {Name: "x"}}, `golden.Named error "named" map{"k": {Name: "x", Size: 0}}`},
		{Texts{"a"}, `golden.Texts error "texts"`},
		{unnamed{{Name: "x"}}, `error "unnamed"`},
		{&Itself{1, nil}, `*golden.Itself error "itself" {Line: 1, Up: nil}`},
		{itself, `*golden.Itself error "itself" {Line: 2, Up: error "itself"}`},
		{errors.Join(errors.New("a"), errors.New("b")), `error "a\nb" {Unwrap(): [error "a", error "b"]}`},
		{Level(1), `golden.Level 1 "high"`},
		{[]Level{0, 1}, `[]golden.Level [0 "low", 1 "high"]`},
		{Level(7), "golden.Level 7"},
		{level(1), "1"},
		{&counter{}, "opaque"},
		{Empty{1, 2}, "golden.Empty opaque"},
		{Loud{1}, "golden.Loud {MarshalText(): error}"},
		{bytes.NewBufferString("text"), `*bytes.Buffer &{String(): "text"}`},
		{strings.NewReader("ab"), `*strings.Reader &{s: "ab", i: 0, prevRune: -1}`},
		{struct{ A, b int }{1, 2}, "struct {A: 1}"},
		{map[level]*head{1: {"x"}}, `map[_]_ map{1: &{Name: "x"}}`},
		{
			Kept{time.Unix(0, 0), &head{"x"}, nil, &Decimal{value: 1, calls: &calls}, 1},
			"golden.Kept {\n\tAny: {Name: \"x\"}\n\tAny2: *golden.Decimal &{String(): \"1e0\", Parts(): (1, 0), Text(): \"1e0\"}\n\tAt: 1970-01-01T00:00:00Z\n\tErr: nil\n\tLev: 1 \"high\"\n}",
		},
	} {
		if diff := cmp.Diff(test.want, Render(test.v)); diff != "" {
			t.Errorf("%T (-want +got):\n%s", test.v, diff)
		}
	}
	if calls != 0 {
		t.Errorf("methods were called %d times on the value itself", calls)
	}
}

// What is not exported has no influence: the same seen by a caller is the same text.
func TestRenderSurvivesRefactoring(t *testing.T) {
	type Caller struct{ S fmt.Stringer }
	for name, pair := range map[string][2]any{
		"split struct":         {Whole{"n", 1, "s"}, Whole{"n", 1, "t"}},
		"other implementation": {Caller{&sayer{"x"}}, Caller{saying("x")}},
		"hidden type of error": {errors.New("x"), fmt.Errorf("x")},
		"cached text":          {&Decimal{value: 1, calls: new(int)}, &Decimal{value: 1, cache: "1e0", calls: new(int)}},
	} {
		if a, b := Render(pair[0]), Render(pair[1]); a != b {
			t.Errorf("%s: %s and %s", name, a, b)
		}
	}
}

type sayer struct{ text string }

func (s *sayer) String() string { return s.text }

type saying string

func (s saying) String() string { return string(s) }

func TestViews(t *testing.T) {
	key := reflect.TypeFor[Decimal]().PkgPath() + "."
	d := &Decimal{value: 5, calls: new(int)}
	for _, test := range []struct {
		view  View
		types map[string]View
		v     any
		want  string
	}{
		{ViewExported, nil, Whole{"n", 1, "s"}, `golden.Whole {Name: "n", Size: 1}`},
		{ViewExported, nil, d, "*golden.Decimal &opaque"},
		{ViewString, nil, d, `*golden.Decimal &"5e0"`},
		{ViewString, nil, 3, "int 3"},
		{ViewAll, nil, Whole{"n", 1, "s"}, `golden.Whole {Name: "n", Size: 1, secret: "s"}`},
		{"", map[string]View{key + "Whole": ViewAll}, []any{Whole{"n", 1, "s"}}, `[]interface {} [golden.Whole {Name: "n", Size: 1, secret: "s"}]`},
		{"", map[string]View{key + "Whole": ViewOpaque}, Whole{"n", 1, "s"}, "golden.Whole opaque"},
		{"", map[string]View{key + "Decimal": ViewOpaque}, d, `*golden.Decimal &"5e0"`},
		{"", map[string]View{key + "Whole.Size": ViewNone}, Whole{"n", 1, "s"}, `golden.Whole {Name: "n"}`},
		{"", map[string]View{key + "Decimal": ViewNone}, d, "*golden.Decimal &not observed"},
		{ViewAll, map[string]View{key + "Decimal": ViewString}, []*Decimal{d}, `[]*golden.Decimal [&"5e0"]`},
	} {
		r := Renderer{Views: test.types}
		if got := r.Write(test.v, test.view); got != test.want {
			t.Errorf("%q %v: got %s, want %s", test.view, test.types, got, test.want)
		}
	}
}

// A Message is one as generated code declares it. What String returns differs from build to build.
type Message struct {
	state         struct{ info *int }
	Name          *string
	sizeCache     int32
	unknownFields []byte
	XXX_size      int
}

func (m *Message) ProtoMessage()      {}
func (m *Message) ProtoReflect() any  { return m }
func (m *Message) GetName() string    { return *m.Name }
func (m *Message) String() string     { return "name:  " + *m.Name }
func (m *Message) Descriptor() []byte { return []byte{1} }

// SealedMessage has fields that only its methods set.
type SealedMessage struct {
	state           struct{ info *int }
	xxx_hidden_Name string
}

func (m *SealedMessage) ProtoMessage()      {}
func (m *SealedMessage) ProtoReflect() any  { return m }
func (m *SealedMessage) GetName() string    { return m.xxx_hidden_Name }
func (m *SealedMessage) HasName() bool      { return m.xxx_hidden_Name != "" }
func (m *SealedMessage) String() string     { return "name:  " + m.xxx_hidden_Name }
func (m *SealedMessage) Descriptor() []byte { return []byte{1} }

func TestMessagesAreTheirFields(t *testing.T) {
	name := "a"
	m := &Message{Name: &name, sizeCache: 1, unknownFields: []byte("x"), XXX_size: 1}
	_, _ = m.state, SealedMessage{}.state
	for _, c := range []struct {
		value any
		view  View
		want  string
	}{
		{m, "", `*golden.Message &{Name: &"a"}`},
		{m, ViewAll, `*golden.Message &{Name: &"a"}`},
		{&SealedMessage{xxx_hidden_Name: "a"}, "", `*golden.SealedMessage &{GetName(): "a", HasName(): true}`},
		{&SealedMessage{xxx_hidden_Name: "a"}, ViewAll, `*golden.SealedMessage &{xxx_hidden_Name: "a"}`},
	} {
		if got := new(Renderer).Write(c.value, c.view); got != c.want {
			t.Errorf("%T as %q: %s, want %s", c.value, c.view, got, c.want)
		}
	}
}

package target

import (
	"go/types"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const ringSource = `type Ring[T any] struct{ list []T }
func New[T any](size int) *Ring[T] { return nil }
func Of[T any](list ...T) *Ring[T] { return nil }
func (r *Ring[T]) Push(v T) {}
func (r *Ring[T]) Pop() (v T, err error) { return v, nil }
func (r *Ring[T]) Len() int { return 0 }
func (r *Ring[T]) Grow(n int) {}
func (r *Ring[T]) Each(f func(T)) {}
func (r *Ring[T]) Lock() {}
func (r *Ring[T]) hidden() {}
type list[T any] struct{}
func newList[T any](size int) *list[T] { return nil }
func (l *list[T]) Push(v T) {}
func (l *list[T]) Pop() (v T, err error) { return v, nil }
type plain struct{}
func (p *plain) Push(v int) {}
func (p *plain) Len() string { return "" }
type odd struct{}
func (o *odd) Push(v string) {}
type none struct{}
func (n *none) Other() {}
func model(n string) *plain { return nil }
const constant = 1
type Zero struct{ n int }
func (z *Zero) Add(n int) {}
type sum int
func (s *sum) Add(n int) {}
type Trier struct{}
func (*Trier) Get() bool { return true }
func (*Trier) TryAll() {}
func (*Trier) TryGet() (int, bool) { return 0, true }
func (*Trier) TryLen() int { return 0 }
func (*Trier) TryPut(n int) error { return nil }
type Any interface{ Add() }
type Closed struct{}
func (c *Closed) Each(f func()) {}
type Lone struct{ list []int }
func (l *Lone) Push(v int) {}
func loneModel(size int) *Lone { return nil }
type Empty struct{}
`

func sequenceOf(t *testing.T, name string, opts Options) (*Test, error) {
	t.Helper()
	pkg := typeCheck(t, "package p\n\n"+ringSource)
	opts.Package, opts.Changes = pkg, func(*types.Func) bool { return true }
	return WriteSequence(pkg.Scope().Lookup(name).(*types.TypeName), opts)
}

func TestWriteSequence(t *testing.T) {
	got, err := sequenceOf(t, "Ring", Options{Model: "list", Panics: []string{"empty"}, Taken: map[string]bool{"FuzzRing": true}})
	if err != nil {
		t.Fatal(err)
	}
	want := `package p

import (
	"testing"

	"github.com/fuzzmut/fuzzmut/fuzzmut"
)

// FuzzRing2 calls all exported methods but
//
//	Each: values of its arguments can't be drawn
//	Lock: it may wait for others, or ends the use of the value
//	Grow: the model has no such method
//	Len: the model has no such method
func FuzzRing2(f *testing.F) {
	fuzzmut.Machine[*Ring[int]]{
		Constructors: []any{New[int], Of[int]},
		Models:       []any{newList[int], func() *list[int] { return new(list[int]) }},
		Ops: []any{
			(*Ring[int]).Pop,
			(*Ring[int]).Push,
		},
		Panics: []string{"empty"},
		Most:   1000,
	}.Fuzz(f)
}
`
	if diff := cmp.Diff(want, string(got.Text)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got.FileName != "ring2_fuzz_test.go" || got.Function != "Ring" || !got.Library {
		t.Errorf("%+v", got)
	}
}

// What values write to a constructor's writer is what an operation returns.
func TestSequencesOfWhatWrites(t *testing.T) {
	pkg := typeCheck(t, `package p

import "io"

type Writer struct{ w io.Writer }

func New(w io.Writer) *Writer { return nil }
func Sized(w io.Writer, size int, names ...string) (Writer, error) { return Writer{}, nil }
func (w *Writer) Put(s string) {}
func (w *Writer) Written() int { return 0 }
func (w *Writer) out() {}
`)
	got, err := WriteSequence(pkg.Scope().Lookup("Writer").(*types.TypeName), Options{Package: pkg, Taken: map[string]bool{}})
	if err != nil {
		t.Fatal(err)
	}
	want := `package p

import (
	"bytes"
	"testing"

	"github.com/fuzzmut/fuzzmut/fuzzmut"
)

func FuzzWriter(f *testing.F) {
	fuzzmut.Machine[*writerOutput]{
		Constructors: []any{newWriterOutput, newWriterOutput2},
		Ops: []any{
			(*writerOutput).Put,
			(*writerOutput).Written,
			(*writerOutput).Written2,
		},
		Most: 1000,
	}.Fuzz(f)
}

// writerOutput is a Writer, and what it writes.
type writerOutput struct {
	*Writer
	out2 bytes.Buffer
}

// Written2 returns what was written since it was called last.
func (o *writerOutput) Written2() string {
	defer o.out2.Reset()
	return o.out2.String()
}

func newWriterOutput() *writerOutput {
	o := new(writerOutput)
	made := New(&o.out2)
	if made == nil {
		return nil
	}
	o.Writer = made
	return o
}

func newWriterOutput2(arg2 int, arg3 []string) (*writerOutput, error) {
	o := new(writerOutput)
	made, ok := Sized(&o.out2, arg2, arg3...)
	o.Writer = &made
	return o, ok
}
`
	if diff := cmp.Diff(want, string(got.Text)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"Put", "Written"}, got.Methods); diff != "" {
		t.Errorf("methods (-want +got):\n%s", diff)
	}
}

// Constructors get functions that do nothing, and operations values of interfaces; what uses one
// as a key that can't be is left out.
func TestSequencesWithCallbacks(t *testing.T) {
	pkg := typeCheck(t, `package p

type Cache[K comparable] struct{ n int }
type Evict func(key, value interface{}) bool
type Key interface{ Less(Key) bool }
type Int int

func (i Int) Less(k Key) bool { return false }

type Other interface{ Unknown() }

func New[K comparable](size int, on Evict, each func(names ...string), less func(x, y K) bool, order func(x, y string) int, more ...func()) (*Cache[K], error) { return nil, nil }
func (c *Cache[K]) Add(key, value interface{}) {}
func (c *Cache[K]) Find(k Key) {}
func (c *Cache[K]) Each(o Other) {}
`)
	got, err := WriteSequence(pkg.Scope().Lookup("Cache").(*types.TypeName), Options{Package: pkg})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"//\tEach: values of its arguments can't be drawn\n",
		"Constructors: []any{newCache},\n\t\tOps: []any{\n\t\t\t(*Cache[int]).Add,\n\t\t\t(*Cache[int]).Find,\n\t\t},\n",
		"Panics: []string{\"hash of unhashable type\", \"comparing uncomparable type\"},\n",
		"func newCache(arg1 int) (*Cache[int], error) {\n\treturn New[int](arg1, func(_ interface{}, _ interface{}) (_ bool) { return }, func(_ ...string) {}, func(a int, b int) (less bool) { return a < b }, func(a string, b string) (order int) {\n\t\tswitch {\n\t\tcase a < b:\n\t\t\treturn -1\n",
	} {
		if !strings.Contains(string(got.Text), want) {
			t.Errorf("there is no %q in\n%s", want, got.Text)
		}
	}
	if !got.Made {
		t.Error("no constructor")
	}
	if diff := cmp.Diff(map[string]string{"newCache": "New[int]"}, got.Wrapped); diff != "" {
		t.Errorf("wrapped (-want +got):\n%s", diff)
	}
}

// With a model the constructor gets such functions, too. The model gets the same, none of them, or nothing.
func TestModelsOfConstructorsWithCallbacks(t *testing.T) {
	pkg := typeCheck(t, `package p

type Cache struct{ n int }

func New(size int, on func(string)) (*Cache, error) { return nil, nil }
func Plain(size int) *Cache { return nil }
func (c *Cache) Len() int { return 0 }

type slow struct{}

func (s *slow) Len() int { return 0 }

func both(size int, on func(string)) *slow { return nil }
func sized(size int) *slow { return nil }
func alone() *slow { return nil }
func other(n string, on func(string)) *slow { return nil }
`)
	for model, want := range map[string]string{
		"both":  "",
		"sized": "Models:       []any{sized, sized},\n",
		"alone": "Models:       []any{alone, alone},\n",
		"slow":  "Models:       []any{func(arg1 int) *slow { return both(arg1, func(_ string) {}) }, sized},\n",
		"other": "",
	} {
		got, err := WriteSequence(pkg.Scope().Lookup("Cache").(*types.TypeName), Options{Package: pkg, Model: model})
		if want == "" {
			if err == nil || !strings.Contains(err.Error(), "its model "+model+" has other parameters than ") {
				t.Errorf("%s: %v", model, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", model, err)
			continue
		}
		for _, want := range []string{want, "Constructors: []any{newCache, Plain},\n", "func newCache(arg1 int) (*Cache, error) {\n\treturn New(arg1, func(_ string) {})\n}\n"} {
			if !strings.Contains(string(got.Text), want) {
				t.Errorf("%s: there is no %q in\n%s", model, want, got.Text)
			}
		}
	}
}

// A method Format is called with flags and a verb.
func TestWriteFormat(t *testing.T) {
	pkg := typeCheck(t, "package p\n\nimport \"fmt\"\n\ntype Point struct{ X int }\n\nfunc (p Point) Format(s fmt.State, verb rune) {}\n")
	got, err := Write(function(pkg, "Point.Format"), Options{Package: pkg})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"Point Point\n\t\tFlags string\n\t\tVerb  rune", "s := pointFormatState{flags: in.Flags}\n\t\tin.Point.Format(&s, in.Verb)",
		"type pointFormatState struct {\n\ttext  bytes.Buffer\n\tflags string\n}\n", ") Flag(c int) bool { return strings.ContainsRune(s.flags, rune(c)) }\n",
	} {
		if !strings.Contains(string(got.Text), want) {
			t.Errorf("there is no %q in\n%s", want, got.Text)
		}
	}
}

func TestSequencesOfZeroValues(t *testing.T) {
	got, err := sequenceOf(t, "Zero", Options{Model: "sum"})
	if err != nil {
		t.Fatal(err)
	}
	want := "fuzzmut.Machine[*Zero]{\n\t\tModel: func() any { return new(sum) },\n\t\tOps: []any{\n\t\t\t(*Zero).Add,\n\t\t},\n"
	if !strings.Contains(string(got.Text), want) {
		t.Errorf("%s", got.Text)
	}
}

func TestSequencesOfGoroutines(t *testing.T) {
	got, err := sequenceOf(t, "Zero", Options{Concurrent: true})
	if err != nil || !strings.Contains(string(got.Text), "\t\t},\n\t\tGoroutines: 2,\n\t\tMost: ") {
		t.Errorf("%v\n%s", err, got.Text)
	}
}

// What a Try method returns last says whether it has done anything.
func TestMethodsThatTryMayGiveUp(t *testing.T) {
	got, err := sequenceOf(t, "Trier", Options{Concurrent: true})
	if err != nil || !strings.Contains(string(got.Text), "\t\tGivesUp:    []string{\"TryGet\", \"TryPut\"},\n") {
		t.Errorf("%v\n%s", err, got.Text)
	}
	got, err = sequenceOf(t, "Trier", Options{})
	if err != nil || strings.Contains(string(got.Text), "GivesUp") {
		t.Errorf("%v\n%s", err, got.Text)
	}
}

func TestMethodsThatSequencesDoWithout(t *testing.T) {
	got, err := sequenceOf(t, "Ring", Options{Without: []string{"Grow", "Pop"}})
	if err != nil || strings.Contains(string(got.Text), ".Grow") || !strings.Contains(string(got.Text), ".Len,") {
		t.Errorf("%v\n%s", err, got.Text)
	}
}

const shutSource = `package p

type Source interface{ Next() string }
type Peeking struct{ from Source }

func Upgrade(from Source, skip ...int) (*Peeking, error) { return nil, nil }
func (p *Peeking) Peek() string { return p.from.Next() }

type Conn struct{ n int }

func Dial(address string) *Conn { return nil }
func DialAll(c chan string, _ Source) Conn { return Conn{} }
func (c *Conn) Len() int { return c.n }

type Some struct{ n int }

func Made(n int) *Some { return nil }
func Wrapped(from Source) *Some { return nil }
func (s *Some) Len() int { return s.n }

type Copied struct{ n int }

func Clone(c *Copied) *Copied { return c }
func Joined(list ...*Copied) *Copied { return nil }
func MustCopy(from Source) *Copied { return nil }
func hiddenCopy(from Source) *Copied { return nil }
func (c *Copied) Len() int { return c.n }

type Box[T any] struct{ n T }

func Boxed[T any](from chan T) *Box[T] { return nil }
func (b *Box[T]) Get() T { return b.n }
`

// Where what makes a value is not called, the zero value is seldom what a user has. Whoever means it says that.
func TestSequencesDoNotBeginWithTheZeroValueInPlaceOfWhatConstructorsMake(t *testing.T) {
	pkg := typeCheck(t, shutSource)
	touches := func(fn *types.Func) bool { return fn.Name() == "Dial" }
	for _, c := range []struct {
		typ     string
		without []string
		refused string // "": it is not
		begins  string // what the text has; "": the zero value
	}{
		{"Peeking", nil, "no fuzz test can be derived for Peeking: its constructor Upgrade is not called, since values of its argument from, of type Source, can't be drawn, and sequences would begin with the zero value; add an exported function to a test file that returns *Peeking and takes other arguments, or write the directive with without \"Upgrade\" if the zero value is right", ""},
		{"Peeking", []string{"Upgrade"}, "", ""},
		{"Conn", nil, "its constructor Dial is not called, since it reaches outside the process, and sequences would begin with the zero value; add an exported function to a test file that returns *Conn and takes other arguments, or write the directive with without \"Dial\" \"DialAll\" if", ""},
		{"Conn", []string{"Dial"}, "its constructor DialAll is not called, since values of its argument c, of type chan string, can't be drawn", ""},
		{"Conn", []string{"Dial", "DialAll"}, "", ""},
		{"Some", nil, "", "Constructors: []any{Made},"},
		{"Some", []string{"Wrapped"}, "", "Constructors: []any{Made},"},
		{"Some", []string{"Made"}, "its constructor Wrapped is not called", ""},
		{"Some", []string{"Made", "Wrapped"}, "", ""},
		{"Copied", nil, "", ""},
		{"Copied", []string{"Clone"}, "it has no exported method and no constructor Clone", ""},
		{"Box", nil, "its constructor Boxed[int] is not called, since values of its argument from, of type chan int, can't be drawn", ""},
	} {
		got, err := WriteSequence(pkg.Scope().Lookup(c.typ).(*types.TypeName), Options{Package: pkg, Without: c.without, Touches: touches})
		switch {
		case c.refused != "":
			if err == nil || !strings.Contains(err.Error(), c.refused) {
				t.Errorf("%s without %q: %v, want %s", c.typ, c.without, err, c.refused)
			}
		case err != nil:
			t.Errorf("%s without %q: %v", c.typ, c.without, err)
		case got.Made != (c.begins != "") || !strings.Contains(string(got.Text), c.begins):
			t.Errorf("%s without %q: there is no %q in\n%s", c.typ, c.without, c.begins, got.Text)
		}
	}
	// Of two versions nobody asks which value is right.
	got, err := WriteSequence(pkg.Scope().Lookup("Peeking").(*types.TypeName), Options{Package: pkg, Zero: true})
	if err != nil || got.Made {
		t.Errorf("%v, %+v", err, got)
	}
}

// No input is a double of the tests, unless it is for an interface of theirs.
func TestTypesOfTestFilesImplementNothing(t *testing.T) {
	pkg := typeCheck(t, `package p

type Source interface{ Next() string }
type letters []string

func (l letters) Next() string { return l[0] }

type Peeker struct{ from Source }

func New(n int) *Peeker { return nil }
func Over(from Source) *Peeker { return nil }
func (p *Peeker) Peek() string { return "" }
`)
	for _, c := range []struct {
		doubles []string
		want    string
	}{
		{nil, "[]any{New, Over}"},
		{[]string{"letters"}, "[]any{New}"},
		{[]string{"letters", "Source"}, "[]any{New, Over}"},
	} {
		double := func(obj types.Object) bool { return slices.Contains(c.doubles, obj.Name()) }
		got, err := WriteSequence(pkg.Scope().Lookup("Peeker").(*types.TypeName), Options{Package: pkg, Double: double})
		if err != nil || !strings.Contains(string(got.Text), "Constructors: "+c.want+",\n") {
			t.Errorf("doubles %q: %v, no %s\n%s", c.doubles, err, c.want, got.Text)
		}
	}
}

func TestWriteSequenceRefuses(t *testing.T) {
	for _, c := range []struct {
		typ  string
		opts Options
		want string
	}{
		{"Ring", Options{Model: "nothing"}, "no fuzz test can be derived for Ring: its model nothing is declared nowhere"},
		{"Ring", Options{Model: "constant"}, "its model constant is no type, nor a function"},
		{"Ring", Options{Model: "odd"}, "its method Push is func(v int), and that of its model odd is func(v string)"},
		{"Ring", Options{Model: "none"}, "its model none shares no method with it"},
		{"Ring", Options{Model: "model"}, "its model model has other parameters than New[int], and needs the same or none"},
		{"Lone", Options{Model: "loneModel"}, "its model loneModel has parameters, and there is no constructor of Lone that has them"},
		{"Ring", Options{Without: []string{"Shrink"}}, "it has no exported method and no constructor Shrink"},
		{"Any", Options{}, "it is no type with methods"},
		{"Closed", Options{}, "there is no operation: Each: values of its arguments can't be drawn"},
		{"Empty", Options{}, "it has no exported method"},
	} {
		_, err := sequenceOf(t, c.typ, c.opts)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %+v: %v, want %s", c.typ, c.opts.Model, err, c.want)
		}
	}
}

func TestLeftOutGroupsMethodsByReason(t *testing.T) {
	const drawn, waits = "values of its arguments can't be drawn", "it may wait for others"
	test := Test{Left: []Left{{"A", drawn}, {"B", waits}, {"C", drawn}, {"D", drawn}, {"E", drawn}, {"F", drawn}, {"G", drawn}}}
	if got, want := test.LeftOut(), "A, C, D, E, 2 more ("+drawn+"); B ("+waits+")"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got := (&Test{}).LeftOut(); got != "" {
		t.Errorf("%q where all are called", got)
	}
}

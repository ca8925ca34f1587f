package golden

import (
	"bytes"
	"fmt"
	"iter"
	"math/rand/v2"
	"os"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"
	"unsafe"

	"github.com/google/go-cmp/cmp"
)

func TestMethodsThatActAreNotCalled(t *testing.T) {
	for name, want := range map[string]bool{
		"Reset": true, "ResetAll": true, "Resetting": false, "Add": true, "AddAll": true, "Address": false, "Do": true,
		"Done": false, "RLock": true, "Len": false, "HashCode": true, "Hashes": false, "IsOpen": false, "Opened": false,
		"GobEncode": true, "ID": false, "Close": true, "Closed": false, "Unwrap": true, "MustGet": true, "Mustard": false,
	} {
		if got := acts(name); got != want {
			t.Errorf("%s acts: %t", name, got)
		}
	}
}

type someStruct struct{ N int }

func TestResultsOfMethods(t *testing.T) {
	names := map[int]string{nothingToSee: "nothing", plainResults: "plain", furtherValue: "further", sequence: "sequence"}
	for _, c := range []struct {
		method any // the first parameter is the receiver
		want   string
	}{
		{func(int) {}, "nothing"},
		{func(int) int { return 0 }, "plain"},
		{func(int, int) int { return 0 }, "nothing"},
		{func(int) (a int, b string, err error) { return }, "plain"},
		{func(int) (a, b, c, d int) { return }, "nothing"},
		{func(int) []int { return nil }, "plain"},
		{func(int) []error { return nil }, "plain"},
		{func(int) [3]bool { return [3]bool{} }, "plain"},
		{func(int) [][]int { return nil }, "further"},
		{func(int) []any { return nil }, "further"},
		{func(int) time.Duration { return 0 }, "plain"},
		{func(int) time.Time { return time.Time{} }, "plain"},
		{func(int) uintptr { return 0 }, "nothing"},
		{func(int) unsafe.Pointer { return nil }, "nothing"},
		{func(int) *int { return nil }, "further"},
		{func(int) any { return nil }, "further"},
		{func(int) map[string]int { return nil }, "further"},
		{func(int) someStruct { return someStruct{} }, "further"},
		{func(int) (int, *int) { return 0, nil }, "nothing"},
		{func(int) func() { return nil }, "nothing"},
		{func(int) chan int { return nil }, "nothing"},
		{func(int) iter.Seq[int] { return nil }, "sequence"},
		{func(int) iter.Seq2[int, *int] { return nil }, "sequence"},
		{func(int) func(func(int)) { return nil }, "sequence"},
		{func(int) func(func(int) int) { return nil }, "nothing"},
		{func(int) func(func(int, int, int) bool) { return nil }, "nothing"},
		{func(int) func(func(...int) bool) { return nil }, "nothing"},
		{func(int) func(func(int) bool) int { return nil }, "nothing"},
		{func(int) (iter.Seq[int], error) { return nil, nil }, "nothing"},
	} {
		if got := names[resultsOf(reflect.TypeOf(c.method))]; got != c.want {
			t.Errorf("%T: %s, want %s", c.method, got, c.want)
		}
	}
}

// graph is what refers to itself, in all ways there are.
type graph struct {
	name    string
	next    *graph
	list    []*graph
	numbers []int
	texts   []string
	byName  map[string]*graph
	any     any
	pair    [2]*graph
	inner   someStruct
	lock    *sync.Mutex
	file    *os.File
	buffer  *bytes.Buffer
}

func circle() (a, b *graph) {
	b = &graph{name: "b"}
	a = &graph{
		name: "a", next: b, list: []*graph{b, b, nil}, numbers: []int{1, 2}, texts: []string{"x"},
		byName: map[string]*graph{"b": b}, any: b, inner: someStruct{3}, lock: new(sync.Mutex), file: os.Stdin, buffer: bytes.NewBufferString("text"),
	}
	b.next = a
	a.pair = [2]*graph{a, b}
	return a, b
}

func TestDuplicatesReferToThemselves(t *testing.T) {
	a, b := circle()
	c := duplicate(reflect.ValueOf(a).Elem()).Addr().Interface().(*graph)
	for what, ok := range map[string]bool{
		"it is another":            c != a && c.name == "a" && c.inner.N == 3,
		"a pointer":                c.next != b && c.next.name == "b",
		"a circle":                 c.next.next == c,
		"a slice of pointers":      c.list[0] == c.next && c.list[1] == c.next && c.list[2] == nil,
		"a map":                    c.byName["b"] == c.next && len(c.byName) == 1,
		"an interface":             c.any == any(c.next),
		"an array":                 c.pair == [2]*graph{c, c.next},
		"a lock is shared":         c.lock == a.lock,
		"a file is shared":         c.file == a.file,
		"a buffer is not":          c.buffer != a.buffer && c.buffer.String() == "text",
		"what is nil stays nil":    c.next.list == nil && c.next.byName == nil && c.next.any == nil,
		"numbers and texts follow": cmp.Equal(c.numbers, a.numbers) && cmp.Equal(c.texts, a.texts),
	} {
		if !ok {
			t.Errorf("not so: %s", what)
		}
	}
	c.list[0], c.numbers[0], c.texts[0], c.next.name = nil, 9, "y", "c"
	c.byName["c"] = c
	c.buffer.WriteString(" and more")
	again, _ := circle()
	if a.list[0] != b || a.numbers[0] != again.numbers[0] || a.texts[0] != "x" || b.name != "b" || len(a.byName) != 1 || a.buffer.String() != "text" {
		t.Error("what is done to a duplicate is done to the value")
	}
}

// A large value is copied as far as there is room, and never half of it changed.
func TestDuplicatesAreBounded(t *testing.T) {
	type holder struct{ list []*someStruct }
	var h holder
	for i := range 3 * maxDuplicated {
		h.list = append(h.list, &someStruct{i})
	}
	c := duplicate(reflect.ValueOf(&h).Elem()).Interface().(holder)
	copied := 0
	for i, p := range c.list {
		if p.N != i || h.list[i].N != i {
			t.Fatalf("element %d is %d, was %d", i, p.N, h.list[i].N)
		}
		if p != h.list[i] {
			copied++
		}
	}
	if copied < maxDuplicated/4 || copied > maxDuplicated {
		t.Errorf("%d of %d copied", copied, len(h.list))
	}
}

type (
	byError        struct{}
	byString       struct{}
	byPointer      struct{}
	byText         struct{}
	byJSON         struct{}
	byFormat       struct{}
	byBoth         struct{ byText }
	generic[T any] struct{ X T }
	named          []int
	hiddenNamed    struct{ A int }
)

type Public[T any] struct{ X T }

func (byError) Error() string               { return "e" }
func (byError) String() string              { return "s" }
func (byString) String() string             { return "s" }
func (*byPointer) String() string           { return "p" }
func (byText) MarshalText() ([]byte, error) { return []byte("t"), nil }
func (byJSON) MarshalJSON() ([]byte, error) { return nil, os.ErrInvalid }
func (byFormat) Format(s fmt.State, _ rune) { fmt.Fprint(s, "f") }
func (byBoth) String() string               { return "both\n" }

func TestTextsOfValues(t *testing.T) {
	for _, c := range []struct {
		v            any
		method, text string
	}{
		{new(byError), "Error", `Error() "e"`},
		{new(byString), "String", `String() "s"`},
		{new(byPointer), "String", `String() "p"`},
		{new(byText), "MarshalText", `MarshalText() "t"`},
		{new(byJSON), "MarshalJSON", "MarshalJSON() error"},
		{new(byFormat), "Format", `Format() "f"`},
		{new(byBoth), "String", `String() "both\n"`},
		{new(someStruct), "", " "},
		{new(int), "", " "},
	} {
		v := reflect.ValueOf(c.v).Elem()
		if got := textMethod(v.Type()); got != c.method {
			t.Errorf("%T has its text by %q, want %q", c.v, got, c.method)
		}
		p := printer{renderer: new(Renderer), shared: new(common)}
		if m := p.textOf(v); m.label+" "+m.plain != c.text {
			t.Errorf("%T: %s %s, want %s", c.v, m.label, m.plain, c.text)
		}
		p.renderer.Views = map[string]View{TypeKey(v.Type()) + "." + c.method: ViewNone}
		if m := p.textOf(v); m.label != "" {
			t.Errorf("%T: %s is called although no view has it", c.v, m.label)
		}
	}
}

func TestNamesOfTypes(t *testing.T) {
	for _, c := range []struct {
		v    any
		want string
	}{
		{1, "int"},
		{[]int{}, "[]int"},
		{[2]*int{}, "[2]*int"},
		{map[string][]bool{}, "map[string][]bool"},
		{struct{ A int }{}, "struct"},
		{func(int) {}, "func"},
		{make(chan int), "chan"},
		{time.Second, "time.Duration"},
		{&bytes.Buffer{}, "*bytes.Buffer"},
		{Public[int]{}, "golden.Public[int]"},
		{Public[someStruct]{}, "golden.Public[_]"},
		{Public[time.Time]{}, "golden.Public[_]"},
		{named{}, "_"},
		{[]hiddenNamed{}, "[]_"},
		{map[named2]*hiddenNamed{}, "map[_]_"},
		{generic[int]{}, "_"},
	} {
		typ := reflect.TypeOf(c.v)
		p := printer{renderer: new(Renderer)}
		if got := p.typeText(typ); got != c.want {
			t.Errorf("%T is %s, want %s", c.v, got, c.want)
		}
		p.view = ViewAll
		if got := p.typeText(typ); got != typ.String() {
			t.Errorf("%T is %s where all is written", c.v, got)
		}
	}
	if got, want := TypeKey(reflect.TypeFor[Public[int]]()), "github.com/fuzzmut/fuzzmut/instrument/rt/golden.Public"; got != want {
		t.Errorf("key %s, want %s", got, want)
	}
}

type named2 int

func TestTypesOfTheStandardLibrary(t *testing.T) {
	for _, c := range []struct {
		typ  reflect.Type
		want bool
	}{
		{reflect.TypeFor[time.Time](), true},
		{reflect.TypeFor[bytes.Buffer](), true},
		{reflect.TypeFor[cmp.Path](), false},
		{reflect.TypeFor[someStruct](), false},
		{reflect.TypeFor[int](), false},
		{reflect.TypeFor[error](), false},
	} {
		if got := standard(c.typ); got != c.want {
			t.Errorf("%s is of the standard library: %t", c.typ, got)
		}
	}
}

type (
	deep    struct{ A, B int }
	shallow struct {
		deep
		B string
		_ int
	}
	Stamped struct {
		time.Time
		*shallow
		Lock sync.Mutex
		Z, Y int
	}
)

// Fields are those that a caller can write after a dot, in the order of their names.
func TestFieldsThatCallersSee(t *testing.T) {
	for _, c := range []struct {
		typ  reflect.Type
		want string
	}{
		{reflect.TypeFor[deep](), "A B"},
		{reflect.TypeFor[shallow](), "A B"},
		{reflect.TypeFor[Stamped](), "A B Time Y Z"},
		{reflect.TypeFor[graph](), ""},
		{reflect.TypeFor[someStruct](), "N"},
	} {
		var names []string
		for _, f := range new(common).fieldsOf(c.typ) {
			names = append(names, f.Name)
		}
		if got := strings.Join(names, " "); got != c.want {
			t.Errorf("%s has %q, want %q", c.typ, got, c.want)
		}
	}
	v := reflect.ValueOf(&Stamped{Y: 1}).Elem()
	p := printer{renderer: new(Renderer), shared: new(common)}
	var labels []string
	for _, m := range p.fields(v) {
		labels = append(labels, m.label)
	}
	if got := strings.Join(labels, " "); got != "Time Y Z" {
		t.Errorf("where nothing is embedded, fields are %q", got)
	}
}

func TestSidesKeepTheirLines(t *testing.T) {
	for _, c := range []struct{ name, text, ours, theirs string }{
		{"no merge", "a\nb\n", "a\nb\n", "a\nb\n"},
		{"two sides", "a\n<<<<<<< x\nb\n=======\nc\n>>>>>>> y\nd", "a\n\nb\n\n\n\nd", "a\n\n\n\nc\n\nd"},
		{"three sides", "<<<<<<< x\nb\n||||||| z\no\n=======\nc\n>>>>>>> y", "\nb\n\n\n\n\n", "\n\n\n\n\nc\n"},
		{"a line of equals signs", "=======\na", "=======\na", "=======\na"},
		{"twice", "<<<<<<< x\n=======\nc\n>>>>>>> y\n<<<<<<< x\nb\n=======\n>>>>>>> y\n", "\n\n\n\n\nb\n\n\n", "\n\nc\n\n\n\n\n\n"},
		{"cut", "a\n<<<<<<< x\nb", "a\n\nb", "a\n\n"},
	} {
		if ours, theirs := sides(c.text); ours != c.ours || theirs != c.theirs {
			t.Errorf("%s: %q, %q; want %q, %q", c.name, ours, theirs, c.ours, c.theirs)
		}
	}
}

func TestLinesThatOpenSections(t *testing.T) {
	for line, want := range map[string]string{
		"-- a, 1 value --":          "a 1",
		"-- a, 12 values --":        "a 12",
		"-- a b-c, 0 values --":     "a b-c 0",
		"-- a, 1 value, 2 values--": "",
		"-- , 1 value --":           "",
		"-- a, b values --":         "",
		"-- a --":                   "",
		"-- end --":                 "",
		"-- --":                     "",
		"--":                        "",
		"a, 1 value --":             "",
	} {
		got := ""
		if name, n, ok := opening(line); ok {
			got = fmt.Sprint(name, " ", n)
		}
		if got != want {
			t.Errorf("%q opens %q, want %q", line, got, want)
		}
	}
}

// observation returns random values of an execution.
func observation(r *rand.Rand) (list []Value) {
	for i := range 6 {
		if r.IntN(3) > 0 {
			list = append(list, Value{Name: fmt.Sprintf("p.F #%d result 0", i), Text: fmt.Sprint("int ", r.IntN(2))})
		}
	}
	return list
}

// What two executions on one input are merged to is not violated by either of them, and a
// value that was the same in both is still compared.
func TestMergedObservationsHoldForBoth(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 300 {
		a, b := observation(r), observation(r)
		merged := Merge(a, b)
		for _, got := range [][]Value{a, b} {
			if changes := Compare(merged, got); len(changes) > 0 {
				t.Fatalf("%v and %v are merged to %v, which one of them changes: %v", a, b, merged, changes)
			}
		}
		if diff := cmp.Diff(a, Merge(a, a)); diff != "" {
			t.Fatalf("merged with itself (-want +got):\n%s", diff)
		}
		if changes := Compare(a, a); len(changes) > 0 {
			t.Fatalf("compared with itself: %v", changes)
		}
		now, stable := byName(b), 0
		for _, v := range a {
			if now[v.Name] == v {
				stable++
			}
		}
		for _, v := range merged {
			if v.Text != Unstable {
				stable--
			}
		}
		if stable != 0 {
			t.Fatalf("%v and %v are merged to %v: %d too few are stable", a, b, merged, stable)
		}
		// Every difference is named once, with what was and what is.
		for _, c := range Compare(a, b) {
			if was, is := byName(a)[c.Name].Text, now[c.Name].Text; c.Want != was || c.Got != is || was == is {
				t.Fatalf("%v to %v: change %+v", a, b, c)
			}
		}
		if n, same := len(Compare(a, b)), len(Compare(b, a)); n != same {
			t.Fatalf("%v to %v: %d changes, %d back", a, b, n, same)
		}
	}
}

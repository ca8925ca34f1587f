package golden

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"reflect"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

type point struct{ X, Y int }

type node struct {
	name string
	next *node
	kids []*node
}

type guarded struct {
	sync.Mutex
	n int
}

type failing struct{}

func (*failing) Error() string { panic("no text") }

func ring() *node {
	a := &node{name: "a"}
	a.next = &node{name: "b", next: a}
	return a
}

// renderAll writes unexported fields, too.
func renderAll(v any) string { return new(Renderer).Write(v, ViewAll) }

func TestRenderAll(t *testing.T) {
	var nilNode *node
	var nilError *failing
	wide := strings.Repeat("x", 60)
	for _, test := range []struct {
		v    any
		want string
	}{
		{nil, "nil"},
		{true, "bool true"},
		{int8(-3), "int8 -3"},
		{uint64(math.MaxUint64), "uint64 18446744073709551615"},
		{math.NaN(), "float64 NaN"},
		{math.Copysign(0, -1), "float64 -0"},
		{float32(0.1), "float32 0.1"},
		{complex(1, -2), "complex128 (1, -2i)"},
		{"é\n", `string "\u00e9\n"`},
		{wide + "\n" + wide + "\n", "string \n\t\"" + wide + "\\n\" +\n\t\"" + wide + "\\n\""},
		{[]byte("a\xff"), `[]uint8 "a\xff"`},
		{[2]byte{1, 'a'}, `[2]uint8 "\x01a"`},
		{[]byte(nil), "[]uint8 nil"},
		{[]byte{}, `[]uint8 ""`},
		{[]int{1, 2}, "[]int [1, 2]"},
		{[]int(nil), "[]int nil"},
		{[]int{}, "[]int []"},
		{point{1, 2}, "golden.point {X: 1, Y: 2}"},
		{&point{1, 2}, "*golden.point &{X: 1, Y: 2}"},
		{nilNode, "*golden.node nil"},
		{[]any{1, "a", nil}, `[]interface {} [int 1, string "a", nil]`},
		{[]point{{1, 2}, {3, 4}}, "[]golden.point [{X: 1, Y: 2}, {X: 3, Y: 4}]"},
		{map[string]int{"b": 2, "a": 1}, `map[string]int map{"a": 1, "b": 2}`},
		{map[int]string{10: "x", 9: "y"}, `map[int]string map{9: "y", 10: "x"}`},
		{map[string]int{}, "map[string]int map{}"},
		{map[string]int(nil), "map[string]int nil"},
		{map[*int]bool{new(int): true, new(int): false}, "map[*int]bool map{&0: false, &0: true}"},
		{func() {}, "func() not nil"},
		{uintptr(77), "uintptr not 0"},
		{errors.New("bad"), `*errors.errorString error "bad"`},
		{nilError, "*golden.failing nil"},
		{new(failing), `*golden.failing panic in Error: "no text"`},
		{guarded{n: 1}, "golden.guarded {n: 1}"},
		{time.UTC, `*time.Location &location "UTC"`},
		{time.FixedZone("", -900), `*time.Location &location "" -00:15:00`},
		{time.FixedZone("Europe/Berlin", 900), `*time.Location &location "Europe/Berlin"`},
		{time.Date(2020, 1, 2, 3, 4, 5, 6, time.FixedZone("x", 3600)), "time.Time 2020-01-02T02:04:05.000000006Z"},
		{big.NewInt(-5), "*big.Int &-5"},
		{big.NewFloat(0.5), "*big.Float &0x.8p+0"},
		{reflect.TypeFor[point](), "*reflect.rtype type golden.point"},
		{reflect.ValueOf(7), "reflect.Value int 7"},
		{
			&node{name: wide, kids: []*node{nil}},
			"*golden.node &{\n\tname: \"" + wide + "\"\n\tnext: nil\n\tkids: [nil]\n}",
		},
		{ring(), `*golden.node &{name: "a", next: &{name: "b", next: cycle, 2 up, kids: nil}, kids: nil}`},
	} {
		if diff := cmp.Diff(test.want, renderAll(test.v)); diff != "" {
			t.Errorf("%#v (-want +got):\n%s", test.v, diff)
		}
	}
}

// A sync.Map is what it holds.
func TestRenderSyncMap(t *testing.T) {
	var m sync.Map
	m.Store("k", 1)
	m.Store("j", 2)
	want := `*sync.Map &map{string "j": int 2, string "k": int 1}`
	if got := Render(&m); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// What is too long is cut, and the hash still tells the rest apart.
func TestRenderCuts(t *testing.T) {
	long := func(last byte) string { return strings.Repeat("a", 1<<16) + string(last) }
	deep := func(last string) any {
		n := &node{name: last}
		for range 300 {
			n = &node{name: "x", next: n}
		}
		return n
	}
	numbers := func(last int) []int { return append(make([]int, 5000), last) }
	strs := func(last string) []string { return append(strings.Split(strings.Repeat("some text,", 500), ","), last) }
	for name, pair := range map[string][2]any{
		"string":  {long('x'), long('y')},
		"deep":    {deep("x"), deep("y")},
		"numbers": {numbers(1), numbers(2)},
		"strings": {strs("x"), strs("y")},
	} {
		a, b := renderAll(pair[0]), renderAll(pair[1])
		if a == b {
			t.Errorf("%s: the same text for different values", name)
		}
		if len(a) > 2*maxBytes || strings.Count(a, "\n") > maxLines+1 {
			t.Errorf("%s: %d bytes in %d lines", name, len(a), strings.Count(a, "\n")+1)
		}
		if !strings.Contains(a, "hash ") {
			t.Errorf("%s: nothing says that it is cut:\n%s", name, a)
		}
	}
}

// Numbered is numbered for callers.
type Numbered int

func (n Numbered) String() string { return "no " + strconv.Itoa(int(n)) }

// The hash of a long list of numbers is that of the texts of all, whichever way they are written.
func TestRenderLongNumbers(t *testing.T) {
	const n = maxNumbers + 2000
	renderer := &Renderer{Times: 4} // so that the value is not cut as well
	list := func(kind any) any {
		v := reflect.MakeSlice(reflect.SliceOf(reflect.TypeOf(kind)), n, n)
		for i := range n {
			switch e := v.Index(i); {
			case e.CanInt():
				e.SetInt(int64(i%200 - 100))
			case e.CanUint():
				e.SetUint(uint64(i % 200))
			case e.CanFloat():
				e.SetFloat(float64(i) / 8)
			}
		}
		return v.Interface()
	}
	for _, view := range []View{"", ViewAll, ViewExported} {
		for _, kind := range []any{0, int8(0), int64(0), uint16(0), uint64(0), uintptr(0), 0.0, false, Numbered(0), time.Duration(0)} {
			v := reflect.ValueOf(list(kind))
			var texts []string
			for i := range n {
				text := renderer.Write(v.Index(i).Interface(), view)
				texts = append(texts, strings.TrimPrefix(text, v.Type().Elem().String()+" "))
			}
			want := fmt.Sprintf("... %d numbers, hash %s", n, hash(strings.Join(texts, " ")))
			if got := renderer.Write(v.Interface(), view); !strings.HasSuffix(got, want) {
				t.Errorf("%T, view %q: ends with %q, want %q", kind, view, got[max(0, len(got)-len(want)):], want)
			}
		}
	}
}

// Times has longer texts written whole, with the same bounds as often.
func TestRenderTimes(t *testing.T) {
	list := make([]node, maxLines+20)
	if text := renderAll(list); !strings.Contains(text, "... cut: ") {
		t.Errorf("it is not cut:\n%s", text)
	}
	wider := Renderer{Times: 2}
	if text := wider.Write(list, ViewAll); strings.Contains(text, "... cut: ") || strings.Count(text, "\n") < maxLines+20 {
		t.Errorf("it is not whole:\n%s", text)
	}
	if text := wider.Write(make([]node, 2*maxLines), ViewAll); !strings.Contains(text, "... cut: ") {
		t.Errorf("it is not cut:\n%s", text)
	}
}

// A structure with a hundred paths to each object ends.
func TestRenderManyPaths(t *testing.T) {
	n := &node{name: "leaf"}
	for range 40 {
		n = &node{name: "inner", kids: []*node{n, n, n}}
	}
	if text := renderAll(n); len(text) > 2*maxBytes {
		t.Errorf("%d bytes", len(text))
	}
}

// The order in which a map is walked does not show, also where the map is too large.
func TestRenderIsStable(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	m := make(map[any]any)
	for i := range 3000 {
		var v any = &node{name: fmt.Sprint(i), kids: []*node{ring(), {name: "k"}}}
		if i%3 == 0 {
			v = map[string][]float64{"a": {random.Float64()}, "b": nil}
		}
		m[fmt.Sprint(i%1000, "/", i)] = v
		m[&point{i % 7, 1}] = i
	}
	first := renderAll(m)
	for range 3 {
		copied := make(map[any]any)
		for k, v := range m {
			copied[k] = v
		}
		if got := renderAll(copied); got != first {
			t.Fatalf("another text (-first +now):\n%s", cmp.Diff(first, got))
		}
	}
}

func TestLogNamesValues(t *testing.T) {
	var l Log
	l.Begin("p.F")
	l.Add("p.F", "result 0", "int 1")
	l.Add("p.F", "argument v", "nil")
	l.Begin("p.G")
	l.Add("p.G", "result 0", "int 2")
	l.Begin("p.F")
	l.Begin("p.F")
	l.Add("p.F", "result 0", "int 3")
	l.Add("p.F", "argument w", "nil")
	want := []Value{
		{"p.F #1 result 0", "int 1"},
		{"p.F #1 argument v", "nil"},
		{"p.G #1 result 0", "int 2"},
		{"p.F #3 result 0", "int 3"},
		{"p.F #3 argument w", "nil"},
	}
	if diff := cmp.Diff(want, l.Values()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// However much is observed, a file stays small, and what differs anywhere shows.
func TestLogFolds(t *testing.T) {
	fill := func(last string) []Value {
		var l Log
		for range 10_000 {
			l.Begin("p.F")
			l.Add("p.F", "result 0 (int)", "int 1")
		}
		l.Begin("p.F")
		l.Add("p.F", "result 0 (int)", last)
		return l.Values()
	}
	a, b := fill("int 1"), fill("int 2")
	f := File{Entries: []Entry{{Values: a}}}
	if n := len(f.Marshal()); n > 2*maxValues {
		t.Errorf("%d bytes", n)
	}
	changes := Compare(a, b)
	if len(changes) != 1 || changes[0].Name != "more values" {
		t.Errorf("changes: %v", changes)
	}
}

// What a Gatherer passes on to another process makes the same values as the values
// themselves.
func TestGatherer(t *testing.T) {
	var here, there Log
	var g Gatherer
	for i := range 3000 {
		v := strings.Repeat("x", i%100)
		here.Begin("p.F")
		there.Begin("p.F")
		here.Add("p.F", "result 0", Render(v))
		add := there.Add
		text, folded := g.Text(v, "")
		if folded {
			add = there.AddFolded
		}
		add("p.F", "result 0", text)
	}
	if diff := cmp.Diff(here.Values(), there.Values()); diff != "" {
		t.Errorf("(-here +there):\n%s", diff)
	}
}

func TestMergeAndCompare(t *testing.T) {
	a := []Value{{"x", "1"}, {"y", "2"}, {"gone", "3"}}
	b := []Value{{"x", "1"}, {"y", "5"}, {"new", "4"}}
	merged := Merge(a, b)
	want := []Value{{"x", "1"}, {"y", Unstable}, {"gone", Unstable}, {"new", Unstable}}
	if diff := cmp.Diff(want, merged); diff != "" {
		t.Errorf("Merge (-want +got):\n%s", diff)
	}
	if changes := Compare(merged, b); changes != nil {
		t.Errorf("unstable values count: %v", changes)
	}
	wantChanges := []Change{{"y", "2", "5"}, {"gone", "3", ""}, {"new", "", "4"}}
	if diff := cmp.Diff(wantChanges, Compare(a, b)); diff != "" {
		t.Errorf("Compare (-want +got):\n%s", diff)
	}
}

// numbered is a value whose text is that of its String method, too.
type numbered int

func (n numbered) String() string { return "no " + strconv.Itoa(int(n)) }

// What it takes to write a value grows with its size, not with the square of it.
func TestManyValuesWithTextsAreWrittenOnce(t *testing.T) {
	allocated := func(n int) uint64 {
		type item struct {
			Number numbered
			Name   string
		}
		list := make([]item, n)
		for i := range list {
			list[i] = item{numbered(i), strings.Repeat("x", 50)}
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		new(Renderer).Write(list, "")
		runtime.ReadMemStats(&after)
		return after.TotalAlloc - before.TotalAlloc
	}
	allocated(10)
	if few, many := allocated(250), allocated(1000); many > 8*few {
		t.Errorf("%d bytes for 1000 values, %d for 250", many, few)
	}
}

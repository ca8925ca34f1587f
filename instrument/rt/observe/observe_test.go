package observe

import (
	"bytes"
	"container/list"
	"errors"
	"fmt"
	"io"
	"math"
	"math/big"
	"net/netip"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
	"unsafe"
)

type pair struct{ A, b any }

type ring struct {
	v    int
	next *ring
}

// circle returns a ring of n elements with the given values, repeated.
func circle(n int, vals ...int) *ring {
	first := &ring{v: vals[0]}
	last := first
	for i := 1; i < n; i++ {
		last.next = &ring{v: vals[i%len(vals)]}
		last = last.next
	}
	last.next = first
	return first
}

type tree struct {
	parent      *tree
	left, right *tree
	v           int
}

func newTree(depth, v int, parent *tree) *tree {
	if depth == 0 {
		return nil
	}
	t := &tree{parent: parent, v: v}
	t.left = newTree(depth-1, 2*v, t)
	t.right = newTree(depth-1, 2*v+1, t)
	return t
}

type panicky struct{ text string }

func (p *panicky) Error() string { panic("no text: " + p.text) }

type valueError struct{ code int }

func (e valueError) Error() string { return fmt.Sprint("code ", e.code/10) }

// Fault has more to say than its text does.
type Fault struct {
	Line   int
	At     *Place
	Any    any // what it leads to has no bound
	Up     *Fault
	hidden int
}

type Place struct {
	Row, Col int
	file     *string
}

func placeAt(row, col int) *Place { return &Place{row, col, nil} }

func (f *Fault) Error() string { return "a fault" }

// Faults has a text for all of them.
type Faults []*Fault

func (f Faults) Error() string { return "faults" }

// Several may lead to itself.
type Several []error

func (s Several) Error() string { return "several" }

func selfSeveral(n int) Several {
	s := Several{&Fault{Line: n}, nil}
	s[1] = s
	return s
}

// One holds what is in one word.
type One struct{ At *Place }

func (o One) Error() string { return "one" }

type unnamedFault struct{ Line int }

func (unnamedFault) Error() string { return "a fault" }

type fold string // equal up to case

func (f fold) Equal(g fold) bool { return strings.EqualFold(string(f), string(g)) }

type modulo struct{ n, m *int } // equal modulo m, through pointer receivers

func (a *modulo) Equal(b *modulo) bool { return *a.n%*a.m == *b.n%*b.m }

func mod(n, m int) modulo { return modulo{&n, &m} }

type residue int // equal modulo 7, as packages of crypto say it

func (a residue) Equal(b residue) int {
	if a%7 == b%7 {
		return 1
	}
	return 0
}

type sevens int // its Equal returns the order, 0 for what it takes for the same, or a difference

func (a sevens) Equal(b sevens) int { return int(a%7 - b%7) }

type locked struct {
	sync.Mutex
	n     int
	calls atomic.Int64
	once  sync.Once
	pool  sync.Pool
	wg    *sync.WaitGroup
}

func lockedWith(n int, used bool) *locked {
	l := &locked{n: n, wg: new(sync.WaitGroup)}
	if used {
		l.Lock()
		l.calls.Add(3)
		l.once.Do(func() {})
		l.pool.Put(new(int))
		l.wg.Add(1)
	}
	return l
}

type onePointer struct{ p *int }

type label string

type big64 [64]int

func ptr[T any](v T) *T { return &v }

func syncMap(kv ...any) *sync.Map {
	m := new(sync.Map)
	for i := 0; i < len(kv); i += 2 {
		m.Store(kv[i], kv[i+1])
	}
	return m
}

func selfSlice(v any) []any {
	s := []any{nil, v}
	s[0] = s
	return s
}

func selfMap(v int) map[string]any {
	m := map[string]any{"v": v}
	m["self"] = m
	return m
}

func withNaN(vals ...string) map[float64]string {
	m := map[float64]string{}
	for _, v := range vals {
		m[math.NaN()] = v
	}
	return m
}

func builder(s string) *strings.Builder {
	b := new(strings.Builder)
	b.WriteString(s)
	return b
}

func linked(vals ...any) *list.List {
	l := list.New()
	for _, v := range vals {
		l.PushBack(v)
	}
	return l
}

var (
	someTime  = time.Date(2024, 2, 29, 23, 59, 58, 7, time.UTC)
	elsewhere = time.FixedZone("X", 3600)
	negZero   = math.Copysign(0, -1)
)

// Values of one class equal each other, and none of another class. Each is made again
// for each use. A class whose name begins with ~ holds values of different content,
// equal by a method.
var classes = []struct {
	name string
	vals []func() any
}{
	{"nil", f(func() any { return nil }, func() any { return error(nil) })},
	{"true", f(func() any { return true })},
	{"false", f(func() any { return false })},
	{"int 0", f(func() any { return 0 })},
	{"int 1", f(func() any { return 1 })},
	{"int -1", f(func() any { return -1 })},
	{"int8 1", f(func() any { return int8(1) })},
	{"int8 -1", f(func() any { return int8(-1) })},
	{"uint8 255", f(func() any { return uint8(255) })},
	{"int16", f(func() any { return int16(-300) })},
	{"uint16", f(func() any { return uint16(300) })},
	{"int32", f(func() any { return int32(1 << 30) })},
	{"uint32", f(func() any { return uint32(1 << 30) })},
	{"int64", f(func() any { return int64(1 << 60) })},
	{"uint64", f(func() any { return uint64(1 << 60) })},
	{"uintptr", f(func() any { return uintptr(77) })},
	{"float 0", f(func() any { return 0.0 })},
	{"float -0", f(func() any { return negZero })},
	{"NaN", f(func() any { return math.NaN() }, func() any { return math.Float64frombits(0x7ff8dead00000001) })},
	{"float32 NaN", f(func() any { return float32(math.NaN()) }, func() any { return math.Float32frombits(0x7fc00123) })},
	{"float32", f(func() any { return float32(0.1) })},
	{"complex", f(func() any { return complex(1, 2) })},
	{"complex swapped", f(func() any { return complex(2, 1) })},
	{"complex64", f(func() any { return complex64(complex(1, 2)) })},
	{"empty string", f(func() any { return "" })},
	{"string a", f(func() any { return "a" }, func() any { return string([]byte{'a'}) })},
	{"label a", f(func() any { return label("a") })},
	{"string of zeros", f(func() any { return "\x00\x00" })},
	{"string of more zeros", f(func() any { return "\x00\x00\x00" })},
	{"long string", f(func() any { return strings.Repeat("ab", 500) })},
	{"long string, other end", f(func() any { return strings.Repeat("ab", 499) + "ac" })},
	{"nil bytes", f(func() any { return []byte(nil) })},
	{"empty bytes", f(func() any { return []byte{} }, func() any { return make([]byte, 0, 9) })},
	{"bytes", f(func() any { return []byte("a") }, func() any { return append(make([]byte, 0, 9), 'a') })},
	{"ints", f(func() any { return []int{1, 2} })},
	{"ints swapped", f(func() any { return []int{2, 1} })},
	{"int32s", f(func() any { return []int32{1, 2} })},
	{"bools", f(func() any { return []bool{true, false} })},
	{"floats", f(func() any { return []float64{math.NaN(), 1} })},
	{"nil anys", f(func() any { return []any(nil) })},
	{"empty anys", f(func() any { return []any{} })},
	{"one nil any", f(func() any { return []any{nil} })},
	{"two nil anys", f(func() any { return []any{nil, nil} })},
	{"anys", f(func() any { return []any{1, "a", nil} })},
	{"array", f(func() any { return [2]int{1, 2} })},
	{"big array", f(func() any { return big64{5: 1} })},
	{"pair", f(func() any { return pair{1, 2} })},
	{"pair, unexported differs", f(func() any { return pair{1, 3} })},
	{"pointer to pair", f(func() any { return &pair{1, 2} })},
	{"shared or not", f(func() any { p := ptr(1); return pair{p, p} }, func() any { return pair{ptr(1), ptr(1)} })},
	{"nil *int", f(func() any { return (*int)(nil) })},
	{"*int", f(func() any { return ptr(0) })},
	{"**int", f(func() any { return ptr(ptr(0)) })},
	{"direct struct", f(func() any { return onePointer{ptr(1)} })},
	{"direct struct, other", f(func() any { return onePointer{ptr(2)} })},
	{"direct struct, nil", f(func() any { return onePointer{} })},
	{"direct array", f(func() any { return [1]*int{ptr(1)} })},
	{"word struct", f(func() any { return struct{ n int64 }{5} })},
	{"nil map", f(func() any { return map[string]int(nil) })},
	{"empty map", f(func() any { return map[string]int{} })},
	{"map", f(func() any { return map[string]int{"a": 1, "b": 2} }, func() any { return map[string]int{"b": 2, "a": 1} })},
	{"map, values swapped", f(func() any { return map[string]int{"a": 2, "b": 1} })},
	{"map of any", f(func() any { return map[any]any{1: "a", "1": 1, nil: nil, 1.5: []any{1}} })},
	{"map of pointers", f(func() any { return map[*int]int{ptr(1): 1, ptr(1): 2, ptr(2): 3} })},
	{"map of pointers, swapped", f(func() any { return map[*int]int{ptr(1): 1, ptr(1): 3, ptr(2): 2} })},
	{"map of NaN", f(func() any { return withNaN("a", "b") }, func() any { return withNaN("b", "a") })},
	{"map of NaN, other", f(func() any { return withNaN("a", "a") })},
	{"map of arrays", f(func() any { return map[[2]string][]int{{"a", "b"}: {1}, {"b", "a"}: nil} })},
	{"func", f(func() any { return func() {} }, func() any { return func() { panic(1) } })},
	{"nil func", f(func() any { return (func())(nil) })},
	{"chan", f(func() any { return make(chan int) }, func() any { return make(chan int, 3) })},
	{"nil chan", f(func() any { return (chan int)(nil) })},
	{"unsafe pointer", f(func() any { return unsafe.Pointer(new(int)) })},
	{"nil unsafe pointer", f(func() any { return unsafe.Pointer(nil) })},
	{"error", f(func() any { return errors.New("x") })},
	{"error, other text", f(func() any { return errors.New("y") })},
	{"error, other type", f(func() any { return fmt.Errorf("x%.0w", io.EOF) })},
	{"error in field", f(func() any { return pair{errors.New("x"), nil} })},
	{"error panics", f(func() any { return &panicky{"a"} })},
	{"error panics otherwise", f(func() any { return &panicky{"b"} })},
	{"nil typed error", f(func() any { return (*panicky)(nil) })},
	{"nil typed error in any", f(func() any { return pair{A: (*panicky)(nil)} })},
	{"error by value", f(func() any { return valueError{11} }, func() any { return valueError{12} })},
	{"error by value, other", f(func() any { return valueError{21} })},
	{"errors", f(func() any { return []error{io.EOF, nil} })},
	{"fault", f(
		func() any { return &Fault{Line: 1, At: placeAt(2, 3)} },
		func() any { return &Fault{Line: 1, At: &Place{2, 3, new(string)}, Any: 1, hidden: 2, Up: &Fault{}} },
	)},
	{"fault, other line", f(func() any { return &Fault{Line: 2, At: placeAt(2, 3)} })},
	{"fault, other place", f(func() any { return &Fault{Line: 1, At: placeAt(2, 4)} })},
	{"fault, no place", f(func() any { return &Fault{Line: 1} })},
	{"no fault", f(func() any { return (*Fault)(nil) })},
	{"fault in field", f(func() any { return pair{A: &Fault{Line: 1}} })},
	{"fault in field, other", f(func() any { return pair{A: &Fault{Line: 2}} })},
	{"faults", f(func() any { return Faults{{Line: 1}, {Line: 2}} })},
	{"faults, other", f(func() any { return Faults{{Line: 1}, {Line: 3}} })},
	{"faults, in turn", f(func() any { return Faults{{Line: 2}, {Line: 1}} })},
	{"fewer faults", f(func() any { return Faults{{Line: 1}} })},
	{"no faults", f(func() any { return Faults{} })},
	{"nil faults", f(func() any { return Faults(nil) })},
	{"pointer to faults", f(func() any { return &Faults{{Line: 1}, {Line: 2}} })},
	{"faults in a list", f(func() any { return []Faults{{{Line: 1}}} })},
	{"faults in a list, other", f(func() any { return []Faults{{{Line: 2}}} })},
	{"cyclic errors", f(func() any { return selfSeveral(1) })},
	{"cyclic errors, other", f(func() any { return selfSeveral(2) })},
	{"one", f(func() any { return One{placeAt(1, 2)} })},
	{"one, other", f(func() any { return One{placeAt(1, 3)} })},
	{"one, no place", f(func() any { return One{} })},
	{"fault of a hidden type", f(func() any { return unnamedFault{1} }, func() any { return unnamedFault{2} })},
	{"type", f(func() any { return reflect.TypeFor[int]() })},
	{"type, other", f(func() any { return reflect.TypeFor[string]() })},
	{"reflected", f(func() any { return reflect.ValueOf(pair{1, 2}) })},
	{"reflected, other", f(func() any { return reflect.ValueOf(pair{1, 3}) })},
	{"reflected field", f(func() any { return reflect.ValueOf(&pair{1, 5}).Elem().Field(1) })},
	{"reflected, invalid", f(func() any { return reflect.Value{} })},
	{"locked", f(func() any { return lockedWith(1, false) }, func() any { return lockedWith(1, true) })},
	{"locked, other", f(func() any { return lockedWith(2, false) })},
	{"sync map", f(func() any { return syncMap("a", 1, "b", 2) }, func() any { return syncMap("b", 2, "a", 1) })},
	{"sync map, other", f(func() any { return syncMap("a", 2, "b", 1) })},
	{"time", f(func() any { return someTime }, func() any { return someTime.In(elsewhere) })},
	{"time, later", f(func() any { return someTime.Add(1) })},
	{"no time", f(func() any { return time.Time{} })},
	{"location", f(func() any { return time.UTC })},
	{"location, other", f(func() any { return elsewhere }, func() any { return time.FixedZone("X", 3600) })},
	{"location, of that name", f(func() any { return time.FixedZone("X", 7200) })},
	{"ring of 1", f(func() any { return circle(1, 1) })},
	{"ring of 3", f(func() any { return circle(3, 1) })},
	{"ring of 3, other", f(func() any { return circle(3, 1, 2, 3) })},
	{"tree", f(func() any { return newTree(6, 1, nil) })},
	{"tree, other", f(func() any { return newTree(6, 2, nil) })},
	{"subtree", f(func() any { return newTree(6, 1, nil).left })},
	{"cyclic slice", f(func() any { return selfSlice(1) })},
	{"cyclic slice, other", f(func() any { return selfSlice(2) })},
	{"cyclic map", f(func() any { return selfMap(1) })},
	{"cyclic map, other", f(func() any { return selfMap(2) })},
	{"list", f(func() any { return linked(1, "a") })},
	{"list, other", f(func() any { return linked(1, "b") })},
	{"buffer", f(func() any { return bytes.NewBufferString("abc") })},
	{"buffer, other", f(func() any { return bytes.NewBufferString("abd") })},
	{"builder", f(func() any { return builder("abc") })},
	{"big", f(func() any { return big.NewInt(5) })},
	{"big, negative", f(func() any { return big.NewInt(-5) })},
	{"addr", f(func() any { return netip.MustParseAddr("1.2.3.4") })},
	{"addr, other", f(func() any { return netip.MustParseAddr("::ffff:1.2.3.4") })},
	{"reader", f(func() any { return strings.NewReader("abc") })},
	{"~fold", f(func() any { return fold("abc") }, func() any { return fold("ABC") })},
	{"~fold inside", f(
		func() any { return map[string][]any{"k": {1, &pair{fold("x"), 1}}} },
		func() any { return map[string][]any{"k": {1, &pair{fold("X"), 1}}} },
	)},
	{"fold inside, other", f(func() any { return map[string][]any{"k": {1, &pair{fold("y"), 1}}} })},
	{"~fold as key", f(
		func() any { return map[fold]int{"a": 1, "b": 2} },
		func() any { return map[fold]int{"A": 1, "B": 2} },
	)},
	{"fold as key, other", f(func() any { return map[fold]int{"a": 2, "b": 1} })},
	{"~modulo", f(func() any { return ptr(mod(3, 7)) }, func() any { return ptr(mod(10, 7)) })},
	{"~modulo inside", f(func() any { return []modulo{mod(3, 7)} }, func() any { return []modulo{mod(10, 7)} })},
	{"~residue", f(func() any { return residue(3) }, func() any { return residue(10) })},
	{"residue, other", f(func() any { return residue(4) })},
	{"~residue inside", f(func() any { return []residue{3} }, func() any { return []residue{10} })},
	{"sevens", f(func() any { return sevens(3) })},
	{"sevens, the same up to 7", f(func() any { return sevens(10) })},
	{"sevens, one more", f(func() any { return sevens(4) })},
	{"modulo inside, other", f(func() any { return []modulo{mod(4, 7)} })},
}

func f(fs ...func() any) []func() any { return fs }

func TestClasses(t *testing.T) {
	o := New(Options{})
	for i, c := range classes {
		for j, d := range classes {
			for x, v := range c.vals {
				for y, w := range d.vals {
					a, b := o.Take(v()), o.Take(w())
					where := fmt.Sprintf("%s (%d), %s (%d)", c.name, x, d.name, y)
					check(t, where, a, b, i == j, c.name[0] == '~' && x != y)
				}
			}
		}
	}
}

// check tells whether two snapshots behave as equal ones must, or different ones. The
// content of soft ones differs though they are equal.
func check(t *testing.T, where string, a, b *Snapshot, equal, soft bool) {
	t.Helper()
	if got := Equal(a, b); got != equal {
		t.Errorf("%s: Equal is %t; difference: %q", where, got, Diff(a, b))
	}
	if got := a.Hash() == b.Hash(); got != (equal && !soft) {
		t.Errorf("%s: same hash is %t", where, got)
	}
	if got := Diff(a, b); (got == "") != equal || strings.Contains(got, "\n") {
		t.Errorf("%s: Diff is %q", where, got)
	}
	if equal && !soft && a.Text() != b.Text() {
		t.Errorf("%s: texts differ:\n%s\n%s", where, a.Text(), b.Text())
	}
}

func TestHashIsTakesHash(t *testing.T) {
	o, p := New(Options{}), New(Options{})
	for _, c := range classes {
		v := c.vals[0]()
		if o.Hash(v) != p.Take(v).Hash() || o.Hash(v) != o.Hash(c.vals[0]()) {
			t.Errorf("%s: hashes differ", c.name)
		}
	}
}

func TestSnapshotIsNotChangedLater(t *testing.T) {
	data := []byte("abcdef")
	v := &pair{
		A: []any{1, map[string]int{"a": 1}, data, unsafe.String(&data[0], len(data))},
		b: ptr(5),
	}
	s := Take(v)
	before, h := s.Text(), s.Hash()
	data[0] = 'x'
	list := v.A.([]any)
	list[0] = 2
	list[1].(map[string]int)["a"] = 7
	*v.b.(*int) = 6
	if s.Text() != before || s.Hash() != h {
		t.Errorf("was\n%s\nis\n%s", before, s.Text())
	}
	if Equal(s, Take(v)) {
		t.Error("the changed value equals its old snapshot")
	}
}

// Objects are shared, 2^60 paths lead to the last.
func TestSharedObjectsAreWalkedOnce(t *testing.T) {
	type node struct{ l, r any }
	dag := func(last int) any {
		var n any = last
		for range 60 {
			n = &node{n, n}
		}
		return n
	}
	a, b, c := Take(dag(1)), Take(dag(1)), Take(dag(2))
	if !Equal(a, b) || Equal(a, c) {
		t.Error("wrong")
	}
	if d := Diff(a, c); !strings.Contains(d, "1 vs 2") {
		t.Errorf("difference: %s", d)
	}
	soft := func(last fold) any {
		var n any = last
		for range 60 {
			n = &node{n, n}
		}
		return n
	}
	if !Equal(Take(soft("a")), Take(soft("A"))) || Equal(Take(soft("a")), Take(soft("b"))) {
		t.Error("wrong by method")
	}
}

// A graph in which every node reaches every other.
func TestDenseGraph(t *testing.T) {
	type node struct {
		v   int
		out map[int]*node
		all []*node
	}
	graph := func(n, odd int) *node {
		nodes := make([]*node, n)
		for i := range nodes {
			nodes[i] = &node{v: i, out: map[int]*node{}, all: nodes}
		}
		for i, from := range nodes {
			for j := range n {
				from.out[j*7%n] = nodes[(i*j)%n]
			}
		}
		nodes[n-1].v = odd
		return nodes[0]
	}
	o := New(Options{})
	h := o.Hash(graph(40, 1))
	for range 20 {
		if o.Hash(graph(40, 1)) != h {
			t.Fatal("the hash depends on map order")
		}
	}
	if o.Hash(graph(40, 2)) == h {
		t.Error("a difference inside is not seen")
	}
}

func TestLongChain(t *testing.T) {
	chain := func(n, last int) *ring {
		r := &ring{v: last}
		for range n {
			r = &ring{next: r}
		}
		return r
	}
	if !Equal(Take(chain(5000, 1)), Take(chain(5000, 1))) || Equal(Take(chain(5000, 1)), Take(chain(5000, 2))) {
		t.Error("chain of 5000: wrong")
	}
	// Deeper than a walk goes; the stack must hold.
	if !Equal(Take(chain(100_000, 1)), Take(chain(100_000, 1))) {
		t.Error("chain of 100,000: differs from itself")
	}
}

func TestBudgets(t *testing.T) {
	o := New(Options{MaxNodes: 100, MaxBytes: 50})
	long := func(at, v int) []any {
		s := make([]any, 200)
		s[at] = v
		return s
	}
	m := func(n int) map[int]string {
		m := make(map[int]string)
		for i := range n {
			m[i] = "v"
		}
		return m
	}
	for _, c := range []struct {
		name  string
		a, b  any
		equal bool
	}{
		{"difference within", long(40, 1), long(40, 2), false},
		{"difference beyond", long(150, 1), long(150, 2), true},
		{"length counts", long(150, 1)[:180], long(150, 1)[:181], false},
		{"map", m(30), m(30), true},
		{"map, too long", m(80), m(80), true},
		{"map, too long by different lengths", m(80), m(81), false},
		{"map with long values", map[int][]any{1: long(1, 1), 2: long(1, 2), 3: long(1, 3)}, map[int][]any{3: long(1, 3), 2: long(1, 2), 1: long(1, 1)}, true},
		{"string within", strings.Repeat("a", 40) + "b", strings.Repeat("a", 40) + "c", false},
		{"string beyond", strings.Repeat("a", 60) + "b", strings.Repeat("a", 60) + "c", true},
		{"string, length", strings.Repeat("a", 60), strings.Repeat("a", 61), false},
		{"bytes beyond", bytes.Repeat([]byte("a"), 60), append(bytes.Repeat([]byte("a"), 59), 'c'), true},
	} {
		check(t, c.name, o.Take(c.a), o.Take(c.b), c.equal, false)
		if o.Hash(c.a) != o.Take(c.a).Hash() {
			t.Errorf("%s: Hash differs from Take", c.name)
		}
	}
	if text := o.Take(long(150, 1)).Text(); !strings.Contains(text, "more") {
		t.Errorf("text does not tell of what is left out:\n%s", text)
	}
}

func TestCompareFunctions(t *testing.T) {
	near := func(a, b float64) bool { return math.Abs(a-b) < 0.1 }
	byText := func(a, b error) bool { return a.Error() == b.Error() }
	sameA := func(a, b *pair) bool { return a.A == b.A }
	m, err := CompareFuncs([]any{near, byText, sameA})
	if err != nil {
		t.Fatal(err)
	}
	o := New(Options{Compare: m})
	for _, c := range []struct {
		a, b  any
		equal bool
	}{
		{1.0, 1.05, true},
		{1.0, 1.5, false},
		{[]float64{1, 2}, []float64{1.01, 2.01}, true},
		{[]error{io.EOF}, []error{errors.New("EOF")}, true},
		{[]error{io.EOF}, []error{errors.New("EOG")}, false},
		{&pair{1, 2}, &pair{1, 3}, true},
		{&pair{1, 2}, &pair{2, 2}, false},
		{pair{1, 2}, pair{1, 3}, false},
		{[]*pair{{1, 2}}, []*pair{{1, 3}}, true},
	} {
		a, b := o.Take(c.a), o.Take(c.b)
		if got := Equal(a, b); got != c.equal {
			t.Errorf("%v, %v: Equal is %t: %s", c.a, c.b, got, Diff(a, b))
		}
	}
}

func TestCompareFuncsRefuses(t *testing.T) {
	for _, bad := range []any{
		nil, 1, func() {}, (func(a, b int) bool)(nil), func(a, b int) {}, func(a int, b string) bool { return true },
		func(a ...int) bool { return true }, func(a, b int) int { return 0 },
	} {
		if m, err := CompareFuncs([]any{bad}); err == nil || len(m) != 0 {
			t.Errorf("%T: err = %v, %d functions", bad, err, len(m))
		}
	}
	eq := func(a, b int) bool { return true }
	if m, err := CompareFuncs([]any{eq, eq}); err == nil || len(m) != 1 {
		t.Errorf("twice: err = %v, %d functions", err, len(m))
	}
}

type angry struct{ n int }

func (a angry) Equal(angry) bool { panic("never") }

func TestGuard(t *testing.T) {
	inside, calls := false, 0
	o := New(Options{Guard: func(call func()) (panicked any) {
		inside = true
		calls++
		defer func() { inside = false; panicked = recover() }()
		call()
		return nil
	}})
	var seen []bool
	e := hooked(func() string { seen = append(seen, inside); return "text" })
	o.Hash(e)
	if len(seen) != 1 || !seen[0] {
		t.Errorf("Error ran guarded: %v, want once", seen)
	}
	if Equal(o.Take(angry{1}), o.Take(angry{2})) || !Equal(o.Take(angry{1}), o.Take(angry{1})) {
		t.Error("an Equal method that panics must make different content different")
	}
	cut := New(Options{Guard: func(func()) any { return "out of fuel" }})
	if got := cut.Take(io.EOF).Text(); !strings.Contains(got, "out of fuel") {
		t.Errorf("text: %s", got)
	}
}

type hooked func() string

func (h hooked) Error() string { return h() }

func TestConcurrentUse(t *testing.T) {
	o := New(Options{})
	want := o.Hash(newTree(5, 1, nil))
	var wg sync.WaitGroup
	for range 4 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for range 200 {
				if o.Hash(newTree(5, 1, nil)) != want {
					t.Error("another hash")
					return
				}
			}
		}()
	}
	wg.Wait()
}

// An observer walks a value, is torn out by a Goexit in the value's method, and is
// used again.
func TestGoexitInMethod(t *testing.T) {
	o := New(Options{})
	done := make(chan bool)
	go func() {
		defer close(done)
		o.Hash(pair{1, hooked(func() string { runtime.Goexit(); return "" })})
	}()
	<-done
	if o.Hash(pair{1, 2}) != New(Options{}).Hash(pair{1, 2}) {
		t.Error("the observer is damaged")
	}
}

// Arrays of integers are read as memory: what differs is seen all the same.
func TestArraysOfIntegers(t *testing.T) {
	type name struct {
		Data   [255]byte
		Length uint8
	}
	o := New(Options{})
	a := name{Data: [255]byte{'a', 254: 1}, Length: 1}
	b := a
	if ha, hb := o.Hash(a), o.Hash(b); ha != hb {
		t.Errorf("equal values have the hashes %x and %x", ha, hb)
	}
	b.Data[254]++
	if o.Hash(a) == o.Hash(b) {
		t.Error("values that differ have the same hash")
	}
	for _, c := range [][2]any{
		{[2]int8{1, -1}, [2]int8{1, 1}},
		{[3]uint16{1, 2, 3}, [3]uint16{1, 2, 4}},
		{[1]int{1 << 40}, [1]int{0}},
	} {
		if o.Hash(c[0]) == o.Hash(c[1]) {
			t.Errorf("%v and %v have the same hash", c[0], c[1])
		}
	}
}

func TestWhichDifferencesArePlainToSee(t *testing.T) {
	type inner struct{ N int }
	type box struct {
		Shown  any
		hidden any
		inner
	}
	for name, c := range map[string]struct {
		a, b  any
		plain bool
	}{
		"a number":               {1, 2, true},
		"a length":               {[]string{"a"}, []string{"a", "b"}, true},
		"an exported field":      {box{Shown: "a"}, box{Shown: "b"}, true},
		"behind pointers":        {&box{Shown: &box{Shown: 1}}, &box{Shown: &box{Shown: 2}}, true},
		"an unexported field":    {box{hidden: 1}, box{hidden: 2}, false},
		"above an exported one":  {box{hidden: box{Shown: 1}}, box{hidden: box{Shown: 2}}, false},
		"an embedded struct":     {box{inner: inner{1}}, box{inner: inner{2}}, false},
		"another dynamic type":   {box{Shown: 1}, box{Shown: uint(1)}, false},
		"an error or none":       {box{Shown: errors.New("a")}, box{}, true},
		"nil or empty":           {[]int{}, []int(nil), true},
		"nil below the surface":  {box{hidden: 1}, box{}, false},
		"an error":               {errors.New("a"), errors.New("b"), true},
		"an entry of a map":      {map[string]int{"a": 1}, map[string]int{"a": 2}, true},
		"a key of many parts":    {map[box]int{{hidden: 1}: 1}, map[box]int{{hidden: 2}: 1}, false},
		"what may be an address": {uintptr(1), uintptr(2), false},
	} {
		var d Difference
		if d.explain(Take(c.a), Take(c.b)); d.Plain != c.plain {
			t.Errorf("%s (%s): %v", name, d.Text, d.Plain)
		}
	}
}

// A letter is a message as generated code declares it.
type letter struct {
	state         struct{ info *int }
	Name          *string
	sizeCache     int32
	unknownFields []byte
	XXX_size      int
}

func (*letter) ProtoMessage() {}

// What generated code keeps in a message beside its fields is no behavior.
func TestMessagesAreTheirFields(t *testing.T) {
	o := New(Options{})
	a, b, n := "a", "b", 1
	used := letter{Name: &a, sizeCache: 3, unknownFields: []byte("x"), XXX_size: 1}
	used.state.info = &n
	if x, y := o.Take(&letter{Name: &a}), o.Take(&used); !Equal(x, y) {
		t.Errorf("used: %s", Diff(x, y))
	}
	if x, y := o.Take(&letter{Name: &a}), o.Take(&letter{Name: &b}); Equal(x, y) {
		t.Error("another name is not seen")
	}
}

package derive

import (
	"bufio"
	"bytes"
	"fmt"
	"math"
	"math/big"
	oldrand "math/rand"
	"math/rand/v2"
	"net/netip"
	"net/url"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
	"unicode/utf8"
	"unsafe"

	"github.com/fuzzmut/fuzzmut/fuzzmut/term"
)

type tree struct {
	left, right *tree
	Key         int
}

type pair[A, B any] struct {
	First  A
	Second B
}

type color int

const (
	red   color = 7
	green color = 9
)

type expr interface{ eval() int }

type (
	literal int
	sum     struct{ X, Y expr }
	neg     struct{ X expr }
)

func (l literal) eval() int { return int(l) }
func (s *sum) eval() int    { return s.X.eval() + s.Y.eval() }
func (n neg) eval() int     { return -n.X.eval() }

type base struct {
	ID   uint16
	name string
}

type ranges struct {
	base
	*pair[int8, bool]
	Small   int              `fuzz:"min=0,max=15"`
	Far     int64            `fuzz:"min=1000,max=100000"`
	Below   int              `fuzz:"min=-10,max=-5"`
	Unit    float32          `fuzz:"min=0.1,max=0.9"`
	Word    string           `fuzz:"min=1,max=4"`
	Title   string           `fuzz:"utf8,max=6"`
	Some    []int            `fuzz:"min=1,max=3,elem.min=5,elem.max=7"`
	Always  *int             `fuzz:"nonnil,min=1,max=3"`
	Level   string           `fuzz:"oneof=low|high"`
	Power   uint8            `fuzz:"oneof=1|2|0x10"`
	Table   map[string][]int `fuzz:"max=2,key.max=2,nonnil"`
	Left    chan int         `fuzz:"-"`
	_       func()
	mu      sync.Mutex
	counter atomic.Int32
}

type node []node

type selfPointer *selfPointer

// evens is made from another type.
type evens struct{ list []int }

// registry knows the types above.
func registry(tb testing.TB) *Registry {
	r := NewRegistry()
	for _, err := range []error{
		r.Implementations(reflect.TypeFor[expr](), []any{&sum{}, neg{}, literal(0)}),
		r.Implementations(reflect.TypeFor[fmt.Stringer](), []any{nil, time.Duration(0)}),
		r.Values(reflect.TypeFor[color](), []reflect.Value{reflect.ValueOf(red), reflect.ValueOf(green)}),
		Represent(r, func(half []int32) evens {
			var e evens
			for _, h := range half {
				e.list = append(e.list, 2*int(h))
			}
			return e
		}, func(e evens) []int32 {
			var half []int32
			for _, n := range e.list {
				half = append(half, int32(n/2))
			}
			return half
		}),
	} {
		if err != nil {
			tb.Fatal(err)
		}
	}
	return r
}

// types are those that the properties are tested on.
var types = []reflect.Type{
	reflect.TypeFor[bool](), reflect.TypeFor[int](), reflect.TypeFor[uint64](), reflect.TypeFor[int8](), reflect.TypeFor[uintptr](),
	reflect.TypeFor[float32](), reflect.TypeFor[float64](), reflect.TypeFor[complex64](), reflect.TypeFor[complex128](),
	reflect.TypeFor[string](), reflect.TypeFor[[]byte](), reflect.TypeFor[[4]byte](), reflect.TypeFor[[3]int16](), reflect.TypeFor[[][]string](),
	reflect.TypeFor[*tree](), reflect.TypeFor[tree](), reflect.TypeFor[pair[string, *pair[int, bool]]](), reflect.TypeFor[ranges](),
	reflect.TypeFor[color](), reflect.TypeFor[expr](), reflect.TypeFor[[]expr](), reflect.TypeFor[fmt.Stringer](),
	reflect.TypeFor[map[string]int](), reflect.TypeFor[map[float64]string](), reflect.TypeFor[map[pair[int8, string]]map[color]*int](),
	reflect.TypeFor[map[expr]bool](), reflect.TypeFor[map[*int8]int](), reflect.TypeFor[map[fmt.Stringer]int](),
	reflect.TypeFor[node](), reflect.TypeFor[selfPointer](), reflect.TypeFor[evens](), reflect.TypeFor[[]evens](),
	reflect.TypeFor[time.Time](), reflect.TypeFor[*time.Time](), reflect.TypeFor[time.Duration](), reflect.TypeFor[big.Int](), reflect.TypeFor[*big.Int](),
	reflect.TypeFor[big.Rat](), reflect.TypeFor[big.Float](), reflect.TypeFor[netip.Addr](), reflect.TypeFor[netip.Prefix](), reflect.TypeFor[netip.AddrPort](),
	reflect.TypeFor[url.URL](), reflect.TypeFor[struct{}](),
	reflect.TypeFor[struct {
		A int
		b [2]struct{ c []byte }
	}](),
}

// makeValue makes the value that x stands for.
func makeValue(c *Codec, x *term.Term) reflect.Value {
	v := reflect.New(c.rtype)
	c.Set(v.UnsafePointer(), x)
	return v
}

// checkRound tests that a value comes back from its bytes, and returns them.
func checkRound(t *testing.T, c *Codec, v reflect.Value) []byte {
	t.Helper()
	x, err := c.Get(v.UnsafePointer())
	if err != nil {
		t.Fatalf("%v: %v: %v", c.rtype, v.Elem(), err)
	}
	enc, err := term.Encode(x)
	if err != nil {
		t.Fatalf("%v: %v: %v", c.rtype, v.Elem(), err)
	}
	y, _ := term.Decode(c.Type(), enc)
	w := makeValue(c, y)
	again, err := c.Get(w.UnsafePointer())
	if err != nil {
		t.Fatal(err)
	}
	enc2, err := term.Encode(again)
	if err != nil || !bytes.Equal(enc, enc2) {
		t.Fatalf("%v: %v has the encoding %x, and what it decodes to %x (%v)", c.rtype, v.Elem(), enc, enc2, err)
	}
	if hasPointerKeys(c.rtype) || bytes.Contains([]byte(fmt.Sprint(v.Elem())), []byte("NaN")) {
		return enc
	}
	if !reflect.DeepEqual(v.Interface(), w.Interface()) {
		t.Fatalf("%v: %#v comes back as %#v", c.rtype, v.Elem(), w.Elem())
	}
	return enc
}

// hasPointerKeys reports whether values of t hold what DeepEqual takes for different:
// keys that are pointers.
func hasPointerKeys(t reflect.Type) bool {
	return t.Kind() == reflect.Map && (t.Key().Kind() == reflect.Pointer || t.Key() == reflect.TypeFor[expr]())
}

func TestValuesComeBackFromTheirBytes(t *testing.T) {
	reg := registry(t)
	for _, rt := range types {
		t.Run(rt.String(), func(t *testing.T) {
			c, err := reg.Of(rt)
			if err != nil {
				t.Fatal(err)
			}
			r := rand.New(rand.NewPCG(1, 2))
			different := make(map[string]bool)
			for i := range 300 {
				x := c.Type().DrawVaried(r, i%6)
				if i%2 == 0 {
					data := make([]byte, r.IntN(80))
					for k := range data {
						data[k] = byte(r.Uint32()) % (2 << r.IntN(7))
					}
					x, _ = term.Decode(c.Type(), data)
				}
				different[string(checkRound(t, c, makeValue(c, x)))] = true
			}
			if len(different) < 2 && rt != reflect.TypeFor[struct{}]() {
				t.Error("all values were the same")
			}
		})
	}
}

func FuzzCodec(f *testing.F) {
	for i := range types {
		f.Add(uint8(i), []byte("\x01\x00\xfe\x00")) // a zero that is spelled out
		f.Add(uint8(i), []byte("\x01\x02\x03\x01\x01\x7f\x81\x01\x00\x01abc\x00\x01"))
	}
	reg := registry(f)
	f.Fuzz(func(t *testing.T, i uint8, data []byte) {
		c, err := reg.Of(types[int(i)%len(types)])
		if err != nil {
			t.Fatal(err)
		}
		x, _ := term.Decode(c.Type(), data)
		checkRound(t, c, makeValue(c, x))
	})
}

func TestSeedsComeBack(t *testing.T) {
	three := 3
	zone := time.FixedZone("", 3600)
	huge, _ := new(big.Int).SetString("-123456789012345678901234567890", 10)
	reg := registry(t)
	for _, v := range []any{
		tree{left: &tree{Key: -1}, Key: math.MinInt64, right: &tree{left: &tree{}}},
		pair[string, *int]{"a\x00\xfe", &three},
		map[string][]int{"a": nil, "b": {}, "": {1, 2}},
		[]expr{&sum{literal(1), neg{literal(2)}}},
		time.Date(2024, 2, 29, 12, 0, 0, 5, zone),
		time.Time{},
		*huge, netip.MustParseAddr("fe80::1%eth0"), netip.MustParsePrefix("10.0.0.0/8"), netip.MustParseAddrPort("[::1]:80"),
		[]float64{0, math.Copysign(0, -1), math.Inf(1), 0.1, 1e300, -5, math.SmallestNonzeroFloat64},
		node{nil, node{}, node{node{}}},
		evens{[]int{2, -4}},
	} {
		c, err := reg.Of(reflect.TypeOf(v))
		if err != nil {
			t.Error(err)
			continue
		}
		p := reflect.New(c.rtype)
		p.Elem().Set(reflect.ValueOf(v))
		checkRound(t, c, p)
	}
}

func TestTagsBoundValues(t *testing.T) {
	c, err := registry(t).Of(reflect.TypeFor[ranges]())
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		v := makeValue(c, c.Type().DrawVaried(r, 20)).Interface().(*ranges)
		for what, bad := range map[string]bool{
			"Small": v.Small < 0 || v.Small > 15, "Far": v.Far < 1000 || v.Far > 100000, "Below": v.Below < -10 || v.Below > -5,
			"Unit": v.Unit < 0.1 || v.Unit > 0.9, "Word": len(v.Word) < 1 || len(v.Word) > 4,
			"Some": len(v.Some) < 1 || len(v.Some) > 3 || v.Some[0] < 5 || v.Some[0] > 7, "Always": *v.Always < 1 || *v.Always > 3,
			"Title": len(v.Title) > 6 || !utf8.ValidString(v.Title), "Level": v.Level != "low" && v.Level != "high", "Power": v.Power != 1 && v.Power != 2 && v.Power != 16,
			"Table": v.Table == nil || len(v.Table) > 2, "Left": v.Left != nil,
			"mu": !v.mu.TryLock(), "name": len(v.name) > 20, "counter": v.counter.Add(1) != v.counter.Load(),
		} {
			if bad {
				t.Fatalf("%s is out of bounds in %+v", what, v)
			}
		}
	}
}

func TestTypesThatCantBeDerived(t *testing.T) {
	type inner struct{ Done []chan int }
	type endless struct {
		Next *endless `fuzz:"nonnil"`
	}
	reg := registry(t)
	for _, tt := range []struct {
		rtype reflect.Type
		want  []string
	}{
		{reflect.TypeFor[struct{ In map[string]*inner }](), []string{`no inputs can be derived: In[].Done[] is of type chan int`, "fuzz:\"-\"", "fuzzmut.Represent", "another type"}},
		{reflect.TypeFor[func()](), []string{"func() is a type that bytes can't represent"}},
		{reflect.TypeFor[chan int](), []string{"chan int is a type that bytes can't represent"}},
		{reflect.TypeFor[bufio.Reader](), []string{"bufio.Reader is a type of the standard library, whose fields can't be set"}},
		{reflect.TypeFor[struct{ P unsafe.Pointer }](), []string{"no inputs can be derived: P is of type unsafe.Pointer"}},
		{reflect.TypeFor[struct{ E fmt.Formatter }](), []string{"no inputs can be derived: E is of the interface type fmt.Formatter", "fuzzmut.Implementations", "fuzz:\"-\"", "fuzzmut.Represent"}},
		{reflect.TypeFor[struct{ B bufio.Reader }](), []string{"no inputs can be derived: B is of type bufio.Reader of the standard library"}},
		{reflect.TypeFor[endless](), []string{"derive.endless", "contains itself without end"}},
		{reflect.TypeFor[struct {
			N int `fuzz:"max=x"`
		}](), []string{`N has the tag`, `parsing "x"`}},
		{reflect.TypeFor[struct {
			N int `fuzz:"min=3,max=1"`
		}](), []string{`3 is above the maximum 1`}},
		{reflect.TypeFor[struct {
			B bool `fuzz:"min=3"`
		}](), []string{`B has the tag`, `"min=3" does not apply`}},
		{reflect.TypeFor[[1 << 20]int](), []string{"has 1048576 elements"}},
	} {
		_, err := reg.Of(tt.rtype)
		if err == nil {
			t.Errorf("%v: no error", tt.rtype)
			continue
		}
		for _, want := range tt.want {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%v: error lacks %q: %v", tt.rtype, want, err)
			}
		}
	}
}

// With partial, fields below keep their zero value if nothing is known of theirs, and only they.
func TestPartial(t *testing.T) {
	type options struct {
		Log  func(string)
		Hash fmt.Formatter
		Next *options
		Name string
		Done []chan int
	}
	type deep struct {
		In map[string]*options
	}
	reg := registry(t)
	c, err := reg.Of(reflect.TypeFor[struct {
		Opts *options `fuzz:"nonnil,partial"`
		Deep deep     `fuzz:"partial"`
	}]())
	if err != nil {
		t.Fatal(err)
	}
	text := fmt.Sprint(c.Type().Fields[0].Type.Fields[0].Type.Fields)
	if !strings.Contains(text, "Name") || !strings.Contains(text, "Next") || strings.Contains(text, "Log") || strings.Contains(text, "Hash") || strings.Contains(text, "Done") {
		t.Errorf("what is drawn of the options: %s", text)
	}
	type strict struct {
		Wrong []fmt.Formatter `fuzz:"partial"` // there is nothing below it
	}
	type mistaken struct {
		N bool `fuzz:"min=1"`
	}
	for _, rtype := range []reflect.Type{
		reflect.TypeFor[strict](),
		reflect.TypeFor[struct {
			A deep `fuzz:"partial"`
			B deep // not partial, though it was planned before
		}](),
		reflect.TypeFor[struct {
			M mistaken `fuzz:"partial"` // a mistake in a tag is an error
		}](),
	} {
		if _, err := reg.Of(rtype); err == nil {
			t.Errorf("%v: no error", rtype)
		}
	}
}

func TestValuesThatHaveNoBytes(t *testing.T) {
	loop := &tree{Key: 1}
	loop.left = &tree{right: loop}
	reg := registry(t)
	for _, tt := range []struct {
		v    any
		want string
	}{
		{loop, "contains itself, or is nested deeper than 1000 levels"},
		{ranges{Small: 16, pair: nil}, "Always is nil"},
		{struct {
			S string `fuzz:"utf8"`
		}{"\xff"}, `.S is "\xff", which is not valid UTF-8`},
		{[]expr{nil}, "[0] is nil, which is not among the implementations of derive.expr"},
		{[]expr{&neg{}}, "[0] is a *derive.neg"},
		{color(3), "is 3, which is not one of the listed values"},
	} {
		c, err := reg.Of(reflect.TypeOf(tt.v))
		if err != nil {
			t.Fatal(err)
		}
		p := reflect.New(c.rtype)
		p.Elem().Set(reflect.ValueOf(tt.v))
		if _, err := c.Get(p.UnsafePointer()); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%v: got error %v, want %s", tt.v, err, tt.want)
		}
	}
}

type dice int

func (dice) Generate(r *oldrand.Rand, _ int) reflect.Value {
	return reflect.ValueOf(dice(1 + r.Intn(6)))
}

func (d dice) FuzzMutate(r *rand.Rand) dice { return 7 - d }

func TestAMethodOrFunctionOverrides(t *testing.T) {
	type word string
	reg := NewRegistry()
	if err := Generate(reg, func(r *rand.Rand, size int) word { return word(strings.Repeat("w", size)) }); err != nil {
		t.Fatal(err)
	}
	if err := Mutate(reg, func(r *rand.Rand, w word) word { return w + "!" }); err != nil {
		t.Fatal(err)
	}
	c, err := reg.Of(reflect.TypeFor[pair[dice, word]]())
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 20 {
		x := c.Type().Draw(r, 3)
		v := makeValue(c, x).Interface().(*pair[dice, word])
		if v.First < 1 || v.First > 6 || v.Second != "www" {
			t.Fatalf("drawn: %v", v)
		}
		y := x.With([]*term.Term{x.Kids[0].Type.Mutate(r, x.Kids[0]), x.Kids[1].Type.Mutate(r, x.Kids[1])})
		if w := makeValue(c, y).Interface().(*pair[dice, word]); w.First != 7-v.First || w.Second != "www!" {
			t.Fatalf("%v mutated to %v", v, w)
		}
	}
}

func TestAPanickingGeneratorIsNamed(t *testing.T) {
	reg := NewRegistry()
	if err := Generate(reg, func(*rand.Rand, int) color { panic("no colors today") }); err != nil {
		t.Fatal(err)
	}
	c, err := reg.Of(reflect.TypeFor[[]color]())
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if got := fmt.Sprint(recover()); !strings.Contains(got, "the generator of derive.color panicked: no colors today") {
			t.Errorf("got %s", got)
		}
	}()
	c.Type().Elem.Draw(rand.New(rand.NewPCG(1, 2)), 3)
}

func TestRegistering(t *testing.T) {
	reg := registry(t)
	if err := reg.Implementations(reflect.TypeFor[expr](), []any{neg{}}); err == nil || !strings.Contains(err.Error(), "registered twice") {
		t.Errorf("twice: %v", err)
	}
	if err := reg.Implementations(reflect.TypeFor[int](), []any{1}); err == nil || !strings.Contains(err.Error(), "is not an interface") {
		t.Errorf("no interface: %v", err)
	}
	if _, err := reg.Of(reflect.TypeFor[tree]()); err != nil {
		t.Fatal(err)
	}
	if err := Generate(reg, func(*rand.Rand, int) tree { return tree{} }); err == nil || !strings.Contains(err.Error(), "too late") {
		t.Errorf("late: %v", err)
	}
}

func TestAPartIsPutWhereItBelongs(t *testing.T) {
	c, err := registry(t).Of(reflect.TypeFor[struct {
		X int
		T *tree
	}]())
	if err != nil {
		t.Fatal(err)
	}
	x, err := c.Part(reflect.ValueOf(tree{Key: 5}))
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(x); got != "{0 &({nil() nil() 5})}" {
		t.Errorf("got %s", got)
	}
	if _, err := c.Part(reflect.ValueOf("text")); err == nil || !strings.Contains(err.Error(), "string has no place in") {
		t.Errorf("got error %v", err)
	}
}

type brittle struct{ n uint8 }

// An error of a representation is reported as such, whatever type needed it.
func TestPanickingRepresentations(t *testing.T) {
	reg := NewRegistry()
	from := func(n uint8) brittle {
		if n > 100 {
			panic("too large")
		}
		return brittle{n}
	}
	to := func(b brittle) uint8 {
		if b.n == 8 {
			panic("unlucky")
		}
		return b.n
	}
	if err := Represent(reg, from, to); err != nil {
		t.Fatal(err)
	}
	if err := Mutate(reg, func(_ *rand.Rand, b brittle) brittle { return brittle{b.n + 1} }); err != nil {
		t.Fatal(err)
	}
	c, err := reg.Of(reflect.TypeFor[brittle]())
	if err != nil {
		t.Fatal(err)
	}
	for n, want := range map[uint8]string{101: "too large", 7: "unlucky"} {
		x, err := c.Get(unsafe.Pointer(&brittle{n}))
		if err != nil {
			t.Fatal(err)
		}
		func() {
			defer func() {
				got, ok := recover().(*UserError)
				if !ok || !strings.Contains(got.What, "a function of Represent for derive.brittle panicked: "+want) {
					t.Errorf("%d: got %v, want %s", n, got, want)
				}
			}()
			c.Type().Mutate(rand.New(rand.NewPCG(1, 1)), x)
		}()
	}
}

// A family is a message as generated code declares it.
type family struct {
	state struct { // how it is read and written
		never [0]func()
		info  *func()
	}
	Name          *string
	Members       []*member
	ByName        map[string]*member
	Kind          isKind // one of several fields: no package that is loaded has them
	unknownFields []byte
	sizeCache     int32
	XXX_unused    []byte
}

func (*family) ProtoMessage() {}

type member struct {
	state struct{ never [0]func() }
	Age   int32
}

func (*member) ProtoMessage() {}

type isKind interface{ isKind() }

// sealedFamily has fields that only its methods set.
type sealedFamily struct {
	xxx_hidden_Name *string
}

func (*sealedFamily) ProtoMessage() {}

func TestMessages(t *testing.T) {
	reg := registry(t)
	c, err := reg.Of(reflect.TypeFor[*family]())
	if err != nil {
		t.Fatal(err)
	}
	named, members := 0, 0
	r := rand.New(rand.NewPCG(1, 1))
	for range 500 {
		var f *family
		c.Set(unsafe.Pointer(&f), c.Type().Draw(r, 20))
		if f == nil {
			continue
		}
		if f.state.info != nil || f.unknownFields != nil || f.sizeCache != 0 || f.XXX_unused != nil || f.Kind != nil {
			t.Fatalf("set: %+v", f)
		}
		if f.Name != nil {
			named++
		}
		for _, m := range f.Members {
			if m == nil {
				t.Fatal("a list holds nil")
			}
			members++
		}
		for _, m := range f.ByName {
			if m == nil {
				t.Fatal("a map holds nil")
			}
		}
	}
	if named < 50 || members < 50 {
		t.Errorf("%d names, %d members", named, members)
	}
	_, _ = member{}.state, sealedFamily{}.xxx_hidden_Name
	if _, err := reg.Of(reflect.TypeFor[sealedFamily]()); err == nil || !strings.Contains(err.Error(), "only its methods set") {
		t.Errorf("%v", err)
	}
}

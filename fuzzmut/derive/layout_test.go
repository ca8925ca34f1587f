package derive

import (
	"fmt"
	oldrand "math/rand"
	"math/rand/v2"
	"reflect"
	"sync"
	"testing"
	"time"

	"github.com/fuzzmut/fuzzmut/fuzzmut/term"
)

type (
	wallet struct {
		ID      int
		Balance int32 `fuzz:"min=-5,max=1000"`
		Rate    float64
		Open    bool
		Flags   [3]bool
		Rest    struct {
			Low  uint16
			mid  int8
			high [2]struct{ F float32 }
		}
		Phase complex64
		Left  int `fuzz:"-"`
		Day   time.Duration
		Lock  sync.Mutex
		_     int
		Last  uint64
	}
	quickly int
)

func (quickly) Generate(*oldrand.Rand, int) reflect.Value { return reflect.ValueOf(quickly(7)) }

// Types of values that are drawn without a term.
var laidOut = []reflect.Type{
	reflect.TypeFor[wallet](), reflect.TypeFor[int8](), reflect.TypeFor[bool](), reflect.TypeFor[[5]uint32](), reflect.TypeFor[complex128](), reflect.TypeFor[struct{}](),
	reflect.TypeFor[string](), reflect.TypeFor[[]byte](), reflect.TypeFor[[4]byte](), reflect.TypeFor[[]int](), reflect.TypeFor[[][]uint8](), reflect.TypeFor[*int](), reflect.TypeFor[**[]bool](),
	reflect.TypeFor[tree](), reflect.TypeFor[*tree](), reflect.TypeFor[*tagged](), reflect.TypeFor[bush](), reflect.TypeFor[node](), reflect.TypeFor[[][][]tree](),
	reflect.TypeFor[several](), reflect.TypeFor[map[int]int](), reflect.TypeFor[map[string]map[bool][]string](), reflect.TypeFor[scope](), reflect.TypeFor[*forest](), reflect.TypeFor[mapped](),
	reflect.TypeFor[map[pair[int, string]][]map[[2]uint8]*forest](),
}

type (
	tagged struct {
		Title  string    `fuzz:"max=6,utf8"`
		Some   []int8    `fuzz:"min=1,max=3,nonnil,elem.min=5,elem.max=7"`
		Always *inTagged `fuzz:"nonnil"`
		Next   *tagged
		Words  []string
		Unit   float64 `fuzz:"min=0.1,max=0.9"`
		Same   [3]*uint8
		Empty  []struct{}
		Locks  []sync.Mutex
	}
	inTagged struct {
		Back []*tagged
		List *[]inTagged
	}
	mapped struct {
		Always map[uint8]struct{} `fuzz:"nonnil,max=5"`
		Small  map[int8][]*mapped `fuzz:"key.min=1,key.max=3"`
		Next   map[[2]byte]*mapped
	}
	several struct {
		A, B, C *several
		Text    []string
		Flags   [2][]bool
	}
)

// What is written to memory is what the term with the same number is set to.
func TestValuesWithoutATermAreThoseOfTheirTerms(t *testing.T) {
	for _, rt := range laidOut {
		c, err := NewRegistry().Of(rt)
		if err != nil {
			t.Fatal(err)
		}
		l := c.Layout()
		if l == nil {
			t.Errorf("%v has no layout", rt)
			continue
		}
		w := l.Writer()
		for i := range 200 {
			v, size := reflect.New(rt), i%50
			w.Draw(v.UnsafePointer(), uint64(i), size)
			want := makeValue(c, c.Type().Drawn(uint64(i), size))
			if !reflect.DeepEqual(v.Interface(), want.Interface()) {
				t.Fatalf("%+v in place of %+v", v.Elem(), want.Elem())
			}
		}
	}
}

// The same of types that are drawn.
func TestValuesOfAnyTypeWithoutATermAreThoseOfTheirTerms(t *testing.T) {
	for seed := range uint64(300) {
		rt := anyType(rand.New(rand.NewPCG(seed, 1)), 4)
		c, err := NewRegistry().Of(rt)
		if err != nil {
			t.Fatal(err)
		}
		w := c.Layout().Writer()
		for i := range 20 {
			v := reflect.New(rt)
			w.Draw(v.UnsafePointer(), seed+uint64(i), i)
			want := makeValue(c, c.Type().Drawn(seed+uint64(i), i))
			if !reflect.DeepEqual(v.Interface(), want.Interface()) {
				t.Fatalf("%v: %+v in place of %+v", rt, v.Elem(), want.Elem())
			}
		}
	}
}

// anyType draws a type of values that need no term.
func anyType(r *rand.Rand, depth int) reflect.Type {
	plain := []reflect.Type{
		reflect.TypeFor[bool](), reflect.TypeFor[int](), reflect.TypeFor[uint8](), reflect.TypeFor[int16](), reflect.TypeFor[uint32](),
		reflect.TypeFor[float32](), reflect.TypeFor[float64](), reflect.TypeFor[string](), reflect.TypeFor[complex64](),
	}
	if depth == 0 {
		return plain[r.IntN(len(plain))]
	}
	switch r.IntN(7) {
	case 6:
		keys := []reflect.Type{reflect.TypeFor[bool](), reflect.TypeFor[int8](), reflect.TypeFor[string](), reflect.TypeFor[[2]uint16](), reflect.TypeFor[struct{ A, B bool }]()}
		return reflect.MapOf(keys[r.IntN(len(keys))], anyType(r, depth-1))
	case 0:
		return reflect.SliceOf(anyType(r, depth-1))
	case 1:
		return reflect.PointerTo(anyType(r, depth-1))
	case 2:
		return reflect.ArrayOf(r.IntN(4), anyType(r, depth-1))
	case 3, 4:
		var fields []reflect.StructField
		for i := range r.IntN(4) {
			fields = append(fields, reflect.StructField{Name: fmt.Sprintf("F%d", i), Type: anyType(r, depth-1)})
		}
		return reflect.StructOf(fields)
	}
	return plain[r.IntN(len(plain))]
}

// A function that was registered, or one of the type, makes what it makes from a term.
func TestTypesWithoutALayout(t *testing.T) {
	reg := registry(t)
	for _, rt := range []reflect.Type{
		reflect.TypeFor[map[float64]int](), reflect.TypeFor[map[struct{ F float32 }]int](), reflect.TypeFor[map[*int]int](), reflect.TypeFor[struct {
			M map[string]int `fuzz:"key.utf8"`
		}](), reflect.TypeFor[color](), reflect.TypeFor[evens](), reflect.TypeFor[expr](), reflect.TypeFor[time.Time](),
		reflect.TypeFor[quickly](), reflect.TypeFor[*marshaling](), reflect.TypeFor[struct {
			N int
			Q []quickly
		}](),
		reflect.TypeFor[struct {
			N int `fuzz:"oneof=1|2"`
		}](),
	} {
		c, err := reg.Of(rt)
		if err != nil {
			t.Fatal(err)
		}
		if c.Layout() != nil {
			t.Errorf("%v has a layout", rt)
		}
	}
}

type marshaling struct{ n int }

func (m *marshaling) MarshalText() ([]byte, error)    { return fmt.Append(nil, m.n), nil }
func (m *marshaling) UnmarshalText(text []byte) error { m.n = len(text); return nil }

// A type that begins to have a generator has no layout for those who ask then.
func TestTypesWithAGeneratorHaveNoLayout(t *testing.T) {
	c, err := NewRegistry().Of(reflect.TypeFor[[2]int]())
	if err != nil {
		t.Fatal(err)
	}
	elem := c.Type().Fields[0].Type
	elem.Generate = func(*rand.Rand, int) *term.Term { return elem.Default() }
	if c.Layout() != nil {
		t.Error("it has one")
	}
}

package derive

import (
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

// What is written from bits alone is what a term with these bits is set to.
func TestFlatValuesAreThoseOfTheirTerms(t *testing.T) {
	for _, rt := range []reflect.Type{reflect.TypeFor[wallet](), reflect.TypeFor[int8](), reflect.TypeFor[bool](), reflect.TypeFor[[5]uint32](), reflect.TypeFor[complex128]()} {
		c, err := NewRegistry().Of(rt)
		if err != nil {
			t.Fatal(err)
		}
		v := reflect.New(rt)
		set := c.Flat(v.UnsafePointer())
		if set == nil {
			t.Errorf("%v is not flat", rt)
			continue
		}
		w := c.Type().Drawer()
		for i := range 500 {
			set(w.Bits(uint64(i), i))
			want := makeValue(c, c.Type().Drawn(uint64(i), i))
			if !reflect.DeepEqual(v.Interface(), want.Interface()) {
				t.Fatalf("%+v in place of %+v", v.Elem(), want.Elem())
			}
		}
	}
}

func TestTypesThatAreNotFlat(t *testing.T) {
	reg := registry(t)
	for _, rt := range []reflect.Type{
		reflect.TypeFor[string](), reflect.TypeFor[[]int](), reflect.TypeFor[*int](), reflect.TypeFor[tree](), reflect.TypeFor[map[int]int](), reflect.TypeFor[[4]byte](),
		reflect.TypeFor[color](), reflect.TypeFor[evens](), reflect.TypeFor[expr](), reflect.TypeFor[struct{ A, B []bool }](), reflect.TypeFor[struct{}](), reflect.TypeFor[time.Time](),
		reflect.TypeFor[quickly](), reflect.TypeFor[struct {
			N int
			Q quickly
		}](),
		reflect.TypeFor[struct {
			P *int `fuzz:"nonnil"`
		}](),
		reflect.TypeFor[struct {
			N int `fuzz:"oneof=1|2"`
		}](),
	} {
		c, err := reg.Of(rt)
		if err != nil {
			t.Fatal(err)
		}
		if c.Flat(nil) != nil {
			t.Errorf("%v is flat", rt)
		}
	}
}

// A type that begins to have a generator is no longer flat for those who ask then.
func TestTypesWithAGeneratorAreNotFlat(t *testing.T) {
	c, err := NewRegistry().Of(reflect.TypeFor[[2]int]())
	if err != nil {
		t.Fatal(err)
	}
	elem := c.Type().Fields[0].Type
	elem.Generate = func(*rand.Rand, int) *term.Term { return elem.Default() }
	if c.Flat(nil) != nil || c.Type().Flat() != nil {
		t.Error("it is flat")
	}
}

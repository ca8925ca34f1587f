package derive

import (
	"math/rand/v2"
	"reflect"
	"testing"
)

// Types that refer to themselves in the ways that Go has for it.
type (
	bush   struct{ Kids []*bush }
	forest struct {
		V     int
		Trees [][]forest
		Index map[string][]*forest
	}
	scope struct {
		Names  map[string]scope
		Parent *scope
	}
	keyed  map[pair[int, string]]keyed
	either struct {
		A, B, C *either
		Other   []other
	}
	other struct {
		Back [3]*either
		Text []string
	}
	module struct{ Body []stmt }
	stmt   interface{ stmt() }
	call   struct{ Args []value }
	loop   struct {
		Label string
		Body  []stmt
		Else  map[string]stmt
	}
	value interface{ value() }
	list  []value
	dict  map[string]value
	block struct{ Do stmt }
	atom  int
)

func (call) stmt()   {}
func (*loop) stmt()  {}
func (list) value()  {}
func (dict) value()  {}
func (block) value() {}
func (atom) value()  {}

var recursiveTypes = []reflect.Type{
	reflect.TypeFor[bush](), reflect.TypeFor[*forest](), reflect.TypeFor[scope](), reflect.TypeFor[keyed](), reflect.TypeFor[either](),
	reflect.TypeFor[module](), reflect.TypeFor[value](), reflect.TypeFor[node](), reflect.TypeFor[expr](), reflect.TypeFor[[][][]tree](),
	reflect.TypeFor[map[string]map[string][]*bush](),
}

func recursiveCodecs(tb testing.TB) []*Codec {
	reg := registry(tb)
	for _, err := range []error{
		reg.Implementations(reflect.TypeFor[stmt](), []any{call{}, &loop{}}),
		reg.Implementations(reflect.TypeFor[value](), []any{list{}, dict{}, block{}, atom(0)}),
	} {
		if err != nil {
			tb.Fatal(err)
		}
	}
	var list []*Codec
	for _, t := range recursiveTypes {
		c, err := reg.Of(t)
		if err != nil {
			tb.Fatal(err)
		}
		list = append(list, c)
	}
	return list
}

// largest is the number of parts of the largest of some values.
func largest(c *Codec, size int) int {
	r := rand.New(rand.NewPCG(1, uint64(size)))
	most := 0
	for range 300 {
		most = max(most, c.Type().DrawVaried(r, size).Nodes())
	}
	return most
}

func TestRecursiveValuesGrowLinearlyWithSize(t *testing.T) {
	for _, c := range recursiveCodecs(t) {
		small, large := largest(c, 10), largest(c, 100)
		if large > 30*small+100 || large < 50 {
			t.Errorf("%v: %d parts at size 10, %d at size 100", c.rtype, small, large)
		}
	}
}

// A value of any recursive type ends, at any size, and comes back from its bytes.
func FuzzDraw(f *testing.F) {
	codecs := recursiveCodecs(f)
	for i := range codecs {
		f.Add(uint8(i), uint64(i), uint16(20*i))
	}
	f.Fuzz(func(t *testing.T, which uint8, seed uint64, size uint16) {
		c := codecs[int(which)%len(codecs)]
		s := int(size % 300)
		x := c.Type().DrawVaried(rand.New(rand.NewPCG(seed, 3)), s)
		if n := x.Nodes(); n > 1000*s+200 {
			t.Fatalf("%v: %d parts at size %d", c.rtype, n, s)
		}
		v := makeValue(c, x)
		if _, err := c.Get(v.UnsafePointer()); err != nil {
			t.Fatal(err)
		}
	})
}

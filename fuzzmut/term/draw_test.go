package term_test

import (
	"math/rand/v2"
	"testing"

	"github.com/fuzzmut/fuzzmut/fuzzmut/term"
)

// bush is a node with any number of nodes below it: what is below a node would double
// from level to level, if nothing bounded the whole.
func bush() *term.Type {
	list := &term.Type{Name: "[]*N", Kind: term.List, MaxLen: -1, Nilable: true}
	node := &term.Type{Name: "N", Kind: term.Product, Fields: []term.Field{
		{Name: "V", Type: intType(-1<<63, 1<<63-1, 64)}, {Name: "Kids", Type: list},
	}}
	list.Elem = &term.Type{Name: "*N", Kind: term.Sum, Alts: []term.Alt{{Name: "nil"}, {Name: "&", Type: node}}}
	return node
}

// depthOf counts the levels of a term.
func depthOf(x *term.Term) int {
	deepest := 0
	for _, k := range x.Kids {
		deepest = max(deepest, depthOf(k))
	}
	return 1 + deepest
}

func TestTermsOfRecursiveTypesGrowLinearlyWithSize(t *testing.T) {
	typ := seal(t, bush())
	r := rand.New(rand.NewPCG(1, 1))
	for _, size := range []int{0, 1, 10, 100, 1000} {
		largest := 0
		for range 200 {
			largest = max(largest, typ.Draw(r, size).Nodes())
		}
		if most := 100*size + 10; largest > most || size > 1 && largest < 5*size {
			t.Errorf("size %d: the largest of 200 terms has %d parts; want up to %d, and not much less", size, largest, most)
		}
	}
}

// The budget must neither flatten terms nor have them all be chains.
func TestBushesAreDeepAndWide(t *testing.T) {
	typ := seal(t, bush())
	r := rand.New(rand.NewPCG(1, 1))
	deep, wide := 0, 0
	for range 1000 {
		x := typ.Draw(r, 20)
		if depthOf(x) > 3*8 {
			deep++
		}
		if len(x.Kids[1].Kids) > 8 {
			wide++
		}
	}
	if deep < 30 || wide < 100 {
		t.Errorf("of 1000 terms %d are deep, %d are wide", deep, wide)
	}
}

// A whole value that is nothing says little: it is drawn seldom.
func TestTheWholeIsSeldomNil(t *testing.T) {
	typ := seal(t, treeType())
	r := rand.New(rand.NewPCG(1, 1))
	none, left := 0, 0
	for range 10000 {
		switch x := typ.Draw(r, 20); {
		case x.Alt() == 0:
			none++
		case x.Kids[0].Kids[0].Alt() == 0:
			left++
		}
	}
	if none < 400 || none > 900 || left < 4000 || left > 5400 {
		t.Errorf("of 10000 trees %d are nil, and %d have nothing on the left", none, left)
	}
}

// What one part takes is not missing in its neighbors.
func TestNeighborsShareTheBudget(t *testing.T) {
	field := func(name string) term.Field { return term.Field{Name: name, Type: bush()} }
	typ := seal(t, &term.Type{Name: "pair", Kind: term.Product, Fields: []term.Field{field("A"), field("B")}})
	r := rand.New(rand.NewPCG(1, 1))
	first, second := 0, 0
	for range 1000 {
		x := typ.Draw(r, 20)
		first, second = first+x.Kids[0].Nodes(), second+x.Kids[1].Nodes()
	}
	if first > 2*second || second > 2*first {
		t.Errorf("1000 pairs have %d and %d parts", first, second)
	}
}

func TestDrawersAllocateNothingOnceTheyHaveRoom(t *testing.T) {
	typ := seal(t, bush())
	w, r := typ.Drawer(), rand.New(rand.NewPCG(1, 1))
	draw := func() {
		for range 100 {
			w.Drawn(r.Uint64(), 20)
		}
	}
	for range 20 {
		draw()
	}
	// Numbers beyond the small ones, and long lists, may need more than there was before.
	if n := testing.AllocsPerRun(10, draw); n > 50 {
		t.Errorf("100 terms take %v allocations", n)
	}
}

// Terms of any type can be drawn at any size, belong to their type, and have a bounded
// number of parts.
func FuzzDraw(f *testing.F) {
	for seed := range uint64(20) {
		f.Add(seed, uint16(20+100*seed))
	}
	f.Fuzz(func(t *testing.T, seed uint64, size uint16) {
		typ := randomType(seed)
		r := rand.New(rand.NewPCG(seed, 2))
		x := typ.DrawVaried(r, int(size%2000))
		if n := x.Nodes(); n > 1<<20 {
			t.Fatalf("%d parts at size %d", n, size)
		}
		if y, _ := term.Decode(typ, x.Bytes()); x.Nodes() < 1000 && depthOf(x) < 500 && !term.Equal(x, y) {
			t.Errorf("%v is encoded and decoded as %v", x, y)
		}
	})
}

package derive

import (
	"unsafe"

	"github.com/fuzzmut/fuzzmut/fuzzmut/term"
)

// storeOf is how integers are in memory, by their size.
var storeOf = map[int]term.Store{8: term.Stored8, 16: term.Stored16, 32: term.Stored32, 64: term.Stored64}

// elsewhere is what a slice has, or a pointer points to.
type elsewhere struct {
	plan *plan
	make func(n int) unsafe.Pointer // memory for this number of them
}

// Layout says how the values are in memory. It is nil for a type in which a function that was registered or
// an interface has part, or a map in whose keys Go sees less difference than terms have: what is written there
// is made from a term.
func (c *Codec) Layout() *term.Layout {
	l := layouts{known: make(map[*plan]*term.Layout)}
	if whole := l.of(c.plan); !l.failed {
		return whole
	}
	return nil
}

// layouts are those of plans, unless there is one that has none.
type layouts struct {
	known  map[*plan]*term.Layout
	failed bool
}

func (l *layouts) of(p *plan) *term.Layout {
	if known := l.known[p]; known != nil {
		return known
	}
	x := &term.Layout{Type: p.typ, Store: p.store}
	l.known[p] = x
	switch {
	case p.typ.Generate != nil:
		l.failed = true
	case p.store != 0:
	case p.inside:
		for _, f := range p.fields {
			x.Inside = append(x.Inside, term.Inside{Offset: f.offset, Layout: l.of(f.plan)})
		}
	case p.key.plan != nil && !p.key.plan.distinct():
		l.failed = true
	case p.key.plan != nil:
		x.Elem, x.Size, x.New = l.of(p.elem.plan), p.elem.plan.rtype.Size(), p.elem.make
		x.Key, x.KeySize, x.NewKeys, x.SetMap = l.of(p.key.plan), p.key.plan.rtype.Size(), p.key.make, p.makeMap
	case p.elem.plan != nil:
		x.Elem, x.Size, x.New = l.of(p.elem.plan), p.elem.plan.rtype.Size(), p.elem.make
	case p.text:
		x.Set = p.set
	default:
		l.failed = true
	}
	return x
}

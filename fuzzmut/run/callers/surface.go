package callers

import (
	"go/constant"
	"go/types"

	"github.com/fuzzmut/fuzzmut/instrument/load"
	"github.com/fuzzmut/fuzzmut/instrument/target"
)

// Surface is what is known of the functions of a package under test for whoever calls several
// of them in one fuzz test.
type Surface struct {
	finder *finder
	nodes  map[*types.Func]*node
}

// NewSurface looks at a package.
func NewSurface(r *load.Result) *Surface {
	g := newGraph(r)
	s := &Surface{
		finder: newFinder(g, r, 0),
		nodes:  make(map[*types.Func]*node),
	}
	s.finder.plain = true
	for _, n := range g.nodes {
		if n.fn != nil && n.own && !n.test {
			s.nodes[n.fn] = n
		}
	}
	return s
}

// Harmless says whether a function of the package may be called with any arguments: it
// changes nothing outside the process, and does not end it.
func (s *Surface) Harmless(fn *types.Func) bool {
	n := s.nodes[fn]
	if n == nil || s.finder.graph.inits[n] {
		return false
	}
	_, e := s.finder.graph.effectOf(n)
	return e == ""
}

// Closed says whether a function is harmless, and what it returns comes from nothing but its
// arguments and the package.
func (s *Surface) Closed(fn *types.Func) bool {
	return s.Harmless(fn) && !s.finder.graph.fromOutside(s.nodes[fn])
}

// Seeds are values for the parameters of a function that tests pass to it.
func (s *Surface) Seeds(fn *types.Func) [][]constant.Value {
	if n := s.nodes[fn]; n != nil {
		return s.finder.graph.seeds(n)
	}
	return nil
}

// Maker returns what makes a value of a type whose fields a fuzz test must not choose.
func (s *Surface) Maker(t types.Type) (target.Maker, bool) {
	n := s.finder.makerOf(t)
	if n == nil {
		return target.Maker{}, false
	}
	m := describeMaker(n)
	m.Seeds = s.finder.graph.seeds(n)
	return m, true
}

// Hidden says whether values of a type have fields that are not exported, and no text form.
func (s *Surface) Hidden(t types.Type) bool {
	return s.finder.hidden(t, make(map[types.Type]bool)) != nil
}

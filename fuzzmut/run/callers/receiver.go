package callers

import (
	"go/types"
	"slices"
	"strings"

	"github.com/fuzzmut/fuzzmut/instrument/load"
	"github.com/fuzzmut/fuzzmut/instrument/target"
)

// sequenceWith returns the fuzz test of sequences that calls a method; nil: there is none. The type
// is exported, and has fields that are not, so that values are what its functions and methods
// make of it; a method changes them, or nothing comes of sequences: of what has a text form, one
// that does more than read it. Both sides have all that is called, with the same arguments.
func (f *finder) sequenceWith(fn *types.Func) *load.Target {
	recv := fn.Signature().Recv()
	if recv == nil {
		return nil
	}
	n := target.NamedOf(recv.Type())
	if n == nil || f.plain || !n.Obj().Exported() || !fn.Exported() || !hasHidden(n) || n.Obj().Pkg() != f.graph.loaded.Packages[0].Types {
		return nil
	}
	s, known := f.types[n.Obj()]
	if !known {
		s = f.sequenceOf(n)
		f.types[n.Obj()] = s
	}
	if !slices.Contains(s.methods, fn.Name()) {
		return nil
	}
	return s.target
}

// sequenced is a fuzz test of sequences, and the methods that it calls; none: there is no such test.
type sequenced struct {
	target  *load.Target
	methods []string
}

// sequenceOf is the fuzz test of sequences of a type.
func (f *finder) sequenceOf(n *types.Named) (s sequenced) {
	if f.changes[0] == nil {
		f.changes = [2]func(*types.Func) bool{f.before.Changes(), f.graph.loaded.Changes()}
	}
	t := &load.Target{Function: n.Obj().Name()}
	changing, text := false, hasText(n)
	for sel := range types.NewMethodSet(types.NewPointer(n)).Methods() {
		m := sel.Obj().(*types.Func).Origin()
		if was := f.callable(m); was != nil && m.Exported() {
			t.Among = append(t.Among, key(m))
			changing = changing || !(text && reads(m)) && (f.changes[0](was) || f.changes[1](m))
		}
	}
	if !changing {
		return s
	}
	makers := false // whether something makes the value, a method of another type perhaps
	for _, g := range f.graph.nodes {
		if g.fn == nil || !g.own || g.test || !g.fn.Exported() || !makesType(g.fn, n) {
			continue
		}
		makers = makers || !takes(g.fn, n)
		if g.fn.Signature().Recv() == nil && f.mayMake(g.fn, n) && g.must() == nil && !g.returnsVariable() && f.callable(g.fn) != nil {
			t.Among = append(t.Among, key(g.fn))
		}
	}
	written, err := target.WriteSequence(n.Obj(), t.Options(f.graph.loaded, nil))
	if f.noteFault(f.graph.nodes[0], err) != nil || makers && !written.Made {
		return s // the zero value is not what there is
	}
	return sequenced{t, written.Methods}
}

// reads says whether a method makes its receiver of another form, by its name: a value that has
// such a form is as good as one that these methods have changed.
func reads(m *types.Func) bool {
	name := m.Name()
	return strings.HasPrefix(name, "Unmarshal") || name == "GobDecode" || name == "Scan" || name == "Set"
}

// makesType says whether the first result of a function is of a type, or points to it.
func makesType(fn *types.Func, n *types.Named) bool {
	res := fn.Signature().Results()
	return res.Len() > 0 && isOf(res.At(0), n)
}

// takes says whether a function has a receiver or a parameter of a type, or that points to it.
func takes(fn *types.Func, n *types.Named) bool {
	return slices.ContainsFunc(parts(fn.Signature()), func(v *types.Var) bool { return isOf(v, n) })
}

// isOf says whether a variable is of a type, with whatever type arguments, or points to it.
func isOf(v *types.Var, n *types.Named) bool {
	named := target.NamedOf(v.Type())
	return named != nil && named.Obj() == n.Obj()
}

// callable returns a function as it was, if a fuzz test can call both with the same arguments;
// nil: it can't.
func (f *finder) callable(fn *types.Func) *types.Func {
	n, was := f.graph.names[fn.FullName()], f.old[key(fn)]
	if n == nil || was == nil || difference(was, fn) != "" || f.graph.fromOutside(n) {
		return nil
	}
	if _, e := f.graph.effectOf(n); e != "" {
		return nil
	}
	now, old := slices.Collect(fn.Signature().Params().Variables()), slices.Collect(was.Signature().Params().Variables())
	for i := range now {
		if f.shape(f.graph.loaded, now[i].Type(), nil) != f.shape(f.before, old[i].Type(), nil) {
			return nil
		}
	}
	return was
}

package callers

import (
	"encoding/json"
	"go/constant"
	"go/types"
	"slices"

	"github.com/fuzzmut/fuzzmut/instrument/constants"
	"github.com/fuzzmut/fuzzmut/instrument/target"
)

// seeds returns values for the parameters of a function: constants that tests pass to it,
// and after these what they pass to functions above it. Of more than there may be, it
// returns some from all parts of the tests.
func (g *graph) seeds(n *node) [][]constant.Value {
	above := g.callersOf(n)
	var exact, other [][]constant.Value
	for _, c := range g.bindings().Of(func(fn *types.Func) bool { return above[fn.FullName()] }) {
		if c.Func.FullName() == n.name {
			exact = append(exact, c.Values)
		} else {
			other = append(other, translated(c.Values, c.Func.Signature(), n.fn.Signature())...)
		}
	}
	exact = append(exact, g.inJSON(n.fn)...)
	list := constants.Spread(exact, target.SeedsMost)
	return append(list, constants.Spread(constants.Without(other, list), target.SeedsMost-len(list))...)
}

// inJSON are seeds of a method UnmarshalJSON: texts that tests pass to functions which make values of
// its type, as JSON texts. Tests call such a method through package json, with what they have made
// of a text.
func (g *graph) inJSON(fn *types.Func) (list [][]constant.Value) {
	recv := fn.Signature().Recv()
	if recv == nil || fn.Name() != "UnmarshalJSON" || fn.Signature().Params().Len() != 1 || !isText(fn.Signature().Params().At(0).Type()) {
		return nil
	}
	pointee := func(t types.Type) types.Type {
		if p, ok := types.Unalias(t).(*types.Pointer); ok {
			return p.Elem()
		}
		return t
	}
	makes := func(f *types.Func) bool {
		for v := range f.Signature().Results().Variables() {
			if types.TypeString(pointee(v.Type()), nil) == types.TypeString(pointee(recv.Type()), nil) {
				return true
			}
		}
		return false
	}
	for _, c := range g.bindings().Of(makes) {
		for _, v := range c.Values {
			if v != nil && v.Kind() == constant.String {
				if text, err := json.Marshal(constant.StringVal(v)); err == nil {
					list = append(list, []constant.Value{constant.MakeString(string(text))})
				}
			}
		}
	}
	return list
}

// bindings reads the test files, once.
func (g *graph) bindings() *constants.Bindings {
	if g.bound == nil {
		g.bound = g.loaded.Constants()
	}
	return g.bound
}

// callersOf returns the full names of a function and of those above it that name each
// other, tests left out.
func (g *graph) callersOf(n *node) map[string]bool {
	set := map[string]bool{n.name: true}
	for todo := []*node{n}; len(todo) > 0; todo = todo[1:] {
		for i, cost := range todo[0].from {
			if from := g.nodes[i]; cost == named && !from.test && !set[from.name] {
				set[from.name] = true
				todo = append(todo, from)
			}
		}
	}
	return set
}

// translated makes seeds of a function from what a function above it is given: from
// parameters of the same name, and from each text if it takes just one.
func translated(values []constant.Value, from, to *types.Signature) (list [][]constant.Value) {
	seed := make([]constant.Value, to.Params().Len())
	text, texts, some := -1, 0, false
	for i := range seed {
		p := to.Params().At(i)
		if isText(p.Type()) {
			text = i
			texts++
		}
		for k, v := range values {
			if q := from.Params().At(k); v != nil && q.Name() == p.Name() && isText(q.Type()) == isText(p.Type()) {
				seed[i] = v
				some = true
			}
		}
	}
	if texts != 1 {
		if some {
			list = append(list, seed)
		}
		return list
	}
	for _, v := range values {
		if v != nil && v.Kind() == constant.String {
			own := slices.Clone(seed)
			own[text] = v
			list = append(list, own)
		}
	}
	return list
}

// isText says whether a parameter is a text, or is read as one.
func isText(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Info()&types.IsString != 0
	case *types.Slice:
		e, ok := u.Elem().Underlying().(*types.Basic)
		return ok && e.Kind() == types.Byte
	}
	return types.TypeString(t, nil) == "io.Reader"
}

package properties

import (
	"go/constant"
	"go/types"
	"slices"
)

// set is a sketch with values that methods set from texts: where a type is hidden, or holds more than texts and
// numbers, and no function makes one. Nil: there is no such method.
func (a *api) set(params []*types.Var, seeds [][]constant.Value) *sketch {
	plain, setters := slices.Clone(params), make([]*types.Func, len(params))
	any := false
	for i, p := range params {
		n := named(p.Type())
		if n == nil || n.Obj().Pkg() != a.pkg || a.made([]*types.Var{p}, nil) != nil {
			continue
		}
		if setters[i] = a.setter(n); setters[i] == nil {
			return nil
		}
		any, plain[i] = true, param(p.Name()+"Text", setters[i].Signature().Params().At(0).Type())
		for _, seed := range a.surface.Seeds(setters[i]) {
			row := make([]constant.Value, len(params))
			copy(row[i:], seed[:min(len(seed), 1)])
			seeds = append(seeds, row)
		}
	}
	if !any {
		return nil
	}
	s := a.made(plain, seeds)
	for i, back := range setters {
		if s == nil || back == nil {
			continue
		}
		n, arg := named(params[i].Type()), &s.Args[i]
		v := s.Local(params[i].Name())
		pointer := s.blank(v, n)
		s.linef("if %s; err != nil {\nreturn\n}", set(back, v, arg.Expr))
		_, wants := types.Unalias(params[i].Type()).(*types.Pointer)
		switch arg.Expr, arg.Format = v, n.Obj().Name()+"("+arg.Format+")"; {
		case wants && !pointer:
			arg.Expr = "&" + v
		case !wants && pointer:
			arg.Expr = "*" + v
		}
	}
	return s
}

// setter is a method that sets a value of a type from a text; nil: there is none.
func (a *api) setter(n *types.Named) *types.Func {
	for _, pair := range a.writers(n) {
		if isText(pair[1].Signature().Params().At(0).Type()) {
			return pair[1]
		}
	}
	return nil
}

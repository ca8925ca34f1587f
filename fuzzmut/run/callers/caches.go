package callers

import (
	"go/ast"
	"go/types"
)

// caches is source of statements that empty the variables of the package under test in which
// calls leave values for later ones: a sync.Map, and the maps of a struct with a lock, that
// nothing fills before the tests begin. What a call computes once for all would hide what it
// computes then from all inputs but the first.
func (g *graph) caches() (list []string) {
	filled := make(map[*types.Var]bool)
	for _, n := range g.nodes {
		if g.inits[n] || n.fn == nil {
			ast.Inspect(n.decl, func(x ast.Node) bool {
				if id, ok := x.(*ast.Ident); ok {
					if v, ok := n.info.Uses[id].(*types.Var); ok {
						filled[v] = true
					}
				}
				return true
			})
		}
	}
	scope := g.loaded.Packages[0].Types.Scope()
	for _, name := range scope.Names() {
		v, ok := scope.Lookup(name).(*types.Var)
		if !ok || v.Exported() || filled[v] || g.initialized(v) {
			continue
		}
		list = append(list, emptied(name, v.Type())...)
	}
	return list
}

// initialized says whether a variable is declared with a value.
func (g *graph) initialized(v *types.Var) bool {
	n := g.names[variableName(v)]
	if n == nil {
		return true
	}
	spec, ok := n.decl.(*ast.ValueSpec)
	return !ok || len(spec.Values) > 0
}

// emptied are the statements that empty a variable of a type.
func emptied(name string, t types.Type) (list []string) {
	if types.TypeString(t, nil) == "sync.Map" {
		return []string{name + ".Range(func(key, _ interface{}) bool { " + name + ".Delete(key); return true })"}
	}
	s, ok := t.Underlying().(*types.Struct)
	if !ok {
		return nil
	}
	locked := false
	for f := range s.Fields() {
		switch _, isMap := f.Type().Underlying().(*types.Map); types.TypeString(f.Type(), nil) {
		case "sync.Mutex", "sync.RWMutex":
			locked = true
		default:
			if isMap {
				list = append(list, name+"."+f.Name()+" = nil")
			}
		}
	}
	if !locked {
		return nil
	}
	return list
}

package diff

import (
	"go/types"

	"github.com/fuzzmut/fuzzmut/instrument/load"
	"github.com/fuzzmut/fuzzmut/instrument/rt/golden"
)

// hideMembers leaves fields and methods that only one side has out of what is compared:
// new API is no new behavior.
func hideMembers(loaded [2]*load.Result) {
	var have [2]map[string]map[string]bool
	for i, l := range loaded {
		have[i] = membersOf(l)
	}
	for _, sides := range [][2]map[string]map[string]bool{have, {have[after], have[before]}} {
		for typ, members := range sides[0] {
			other, both := sides[1][typ]
			if !both {
				continue
			}
			for name := range members {
				if !other[name] {
					for _, l := range loaded {
						l.Views.Types[typ+"."+name] = golden.ViewNone
					}
				}
			}
		}
	}
}

// membersOf lists the exported fields and methods of the types of rewritten packages, by
// the keys of views.
func membersOf(l *load.Result) map[string]map[string]bool {
	all := make(map[string]map[string]bool)
	for _, p := range l.Packages {
		if !p.Mutated {
			continue
		}
		scope := p.Types.Scope()
		for _, name := range scope.Names() {
			tn, ok := scope.Lookup(name).(*types.TypeName)
			if !ok || tn.IsAlias() {
				continue
			}
			members := make(map[string]bool)
			if s, ok := tn.Type().Underlying().(*types.Struct); ok {
				for i := range s.NumFields() {
					members[s.Field(i).Name()] = s.Field(i).Exported()
				}
			}
			methods := types.NewMethodSet(types.NewPointer(tn.Type()))
			for i := range methods.Len() {
				members[methods.At(i).Obj().Name()] = methods.At(i).Obj().Exported()
			}
			for m, exported := range members {
				if !exported {
					delete(members, m)
				}
			}
			all[p.ImportPath+"."+name] = members
		}
	}
	return all
}

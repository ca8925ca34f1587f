package callers

import (
	"fmt"
	"go/types"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/fuzzmut/fuzzmut/instrument/load"
	"github.com/fuzzmut/fuzzmut/instrument/target"
)

// Gone lists the exported functions and methods of the package under test that old code
// has, and new code does not have with the same signature: they can't be compared.
func Gone(before, after *load.Result) (list []Note) {
	old, now := functions(before), functions(after)
	for _, name := range slices.Sorted(maps.Keys(old)) {
		was := old[name]
		if !exported(was) {
			continue
		}
		reason := "it is gone"
		if fn := now[name]; fn != nil {
			reason = difference(was, fn)
		}
		if reason != "" {
			list = append(list, Note{What: was.Pkg().Name() + "." + target.Function(was), Reason: reason, OneSided: true})
		}
	}
	return list
}

// functions lists the functions and methods of the package under test, without its tests,
// by key.
func functions(r *load.Result) map[string]*types.Func {
	m := make(map[string]*types.Func)
	p := r.Packages[0]
	for _, obj := range p.Info.Defs {
		fn, ok := obj.(*types.Func)
		if !ok || strings.HasSuffix(r.Position(fn.Pos()).Filename, "_test.go") {
			continue
		}
		if recv := fn.Signature().Recv(); recv == nil || !types.IsInterface(recv.Type()) {
			m[key(fn)] = fn
		}
	}
	return m
}

// key is the full name of a function on both sides.
func key(fn *types.Func) string { return load.FunctionKey(fn) }

// difference says how the signatures of a function differ, "" if they do not. Results are
// compared by their values.
func difference(was, now *types.Func) string {
	from, to := was.Signature(), now.Signature()
	for _, part := range []struct{ what, was, now string }{
		{"receiver", receiver(from), receiver(to)},
		{"type parameters", typeParameters(from), typeParameters(to)},
		{"arguments", arguments(from), arguments(to)},
	} {
		if byPosition(from, part.was) != byPosition(to, part.now) {
			return fmt.Sprintf("its %s changed: %s before, %s now", part.what, part.was, part.now)
		}
	}
	return ""
}

// byPosition returns the text of types with positions in place of the names of type
// parameters, which may change.
func byPosition(s *types.Signature, text string) string {
	at := make(map[string]int)
	for i, p := range slices.Collect(typeParams(s).TypeParams()) {
		at[p.Obj().Name()] = i + 1
	}
	return identifier.ReplaceAllStringFunc(text, func(name string) string {
		if i := at[name]; i > 0 {
			return fmt.Sprintf("$%d", i)
		}
		return name
	})
}

// identifier matches a name with all of its import path, if it has one.
var identifier = regexp.MustCompile(`[\pL_][\pL\pN_]*(?:[./~-][\pL\pN_./~-]*[\pL\pN_])?`)

func typeParams(s *types.Signature) *types.TypeParamList {
	if s.Recv() != nil {
		return s.RecvTypeParams()
	}
	return s.TypeParams()
}

func receiver(s *types.Signature) string {
	if s.Recv() == nil {
		return "none"
	}
	return typeName(s.Recv().Type())
}

func typeParameters(s *types.Signature) string {
	var names []string
	for p := range typeParams(s).TypeParams() {
		names = append(names, p.String()+" "+typeName(p.Constraint()))
	}
	return "[" + strings.Join(names, ", ") + "]"
}

// arguments are the types of the parameters: their names may change.
func arguments(s *types.Signature) string {
	var list []string
	for p := range s.Params().Variables() {
		list = append(list, typeName(p.Type()))
	}
	text := strings.Join(list, ", ")
	if s.Variadic() {
		text += "..."
	}
	return "(" + text + ")"
}

// typeName is the text of a type, the same for a type and its aliases, as any and interface{}
// are, as far as they stand in it by themselves, or below pointers, lists and maps.
func typeName(t types.Type) string {
	switch t := types.Unalias(t).(type) {
	case *types.Pointer:
		return "*" + typeName(t.Elem())
	case *types.Slice:
		return "[]" + typeName(t.Elem())
	case *types.Array:
		return fmt.Sprintf("[%d]%s", t.Len(), typeName(t.Elem()))
	case *types.Map:
		return "map[" + typeName(t.Key()) + "]" + typeName(t.Elem())
	default:
		return strings.ReplaceAll(types.TypeString(t, nil), "interface{}", "any")
	}
}

// Package typename writes types as source text.
package typename

import (
	"fmt"
	"go/token"
	"go/types"
	"strings"
)

// A Namer writes types as source text that means them at a given place.
type Namer struct {
	pkg *types.Package
	rt  string // name of the core's import, which has aliases of the predeclared types
}

// New returns a namer for code of a package that imports the core under the name rt.
func New(pkg *types.Package, rt string) *Namer { return &Namer{pkg, rt} }

// Name returns text that denotes t in code at pos; plain text may not refer to
// the core. It fails where a name is shadowed, not imported, or not exported.
func (n *Namer) Name(t types.Type, pos token.Pos, plain bool) (string, bool) {
	w := typeWriter{n: n, scope: n.pkg.Scope().Innermost(pos), pos: pos, plain: plain}
	if w.scope == nil {
		return "", false
	}
	w.write(t)
	return w.b.String(), !w.failed
}

type typeWriter struct {
	n      *Namer
	scope  *types.Scope
	pos    token.Pos
	plain  bool
	b      strings.Builder
	failed bool
}

func (w *typeWriter) write(t types.Type) {
	switch t := t.(type) {
	case *types.Basic:
		w.basic(t)
	case *types.Alias:
		w.alias(t)
	case *types.Named:
		w.named(t.Obj(), t.TypeArgs())
	case *types.TypeParam:
		w.failed = w.failed || w.lookup(t.Obj().Name()) != t.Obj()
		w.b.WriteString(t.Obj().Name())
	case *types.Pointer:
		w.b.WriteString("*")
		w.write(t.Elem())
	case *types.Slice:
		w.b.WriteString("[]")
		w.write(t.Elem())
	case *types.Array:
		fmt.Fprintf(&w.b, "[%d]", t.Len())
		w.write(t.Elem())
	case *types.Map:
		w.b.WriteString("map[")
		w.write(t.Key())
		w.b.WriteString("]")
		w.write(t.Elem())
	case *types.Chan:
		w.channel(t)
	case *types.Signature:
		w.b.WriteString("func")
		w.signature(t)
	case *types.Struct:
		w.structType(t)
	case *types.Interface:
		w.interfaceType(t)
	default:
		w.failed = true
	}
}

func (w *typeWriter) lookup(name string) types.Object {
	_, obj := w.scope.LookupParent(name, w.pos)
	return obj
}

// CoreNames are the core's names for the predeclared types, for places where
// another declaration hides them.
var CoreNames = map[string]string{
	"bool": "Bool_", "string": "String_", "int": "Int_", "int8": "Int8_", "int16": "Int16_",
	"int32": "Int32_", "rune": "Int32_", "int64": "Int64_", "uint": "Uint_", "uint8": "Uint8_",
	"byte": "Uint8_", "uint16": "Uint16_", "uint32": "Uint32_", "uint64": "Uint64_",
	"uintptr": "Uintptr_", "float32": "Float32_", "float64": "Float64_",
	"complex64": "Complex64_", "complex128": "Complex128_",
	"any": "Any_", "error": "Error_", "Pointer": "Pointer_",
}

func (w *typeWriter) basic(t *types.Basic) {
	if t.Info()&types.IsUntyped != 0 {
		if t.Kind() == types.UntypedNil {
			w.failed = true
			return
		}
		t = types.Default(t).(*types.Basic)
	}
	if t.Kind() == types.UnsafePointer {
		w.core("Pointer")
		return
	}
	w.predeclared(t.Name())
}

func (w *typeWriter) predeclared(name string) {
	if obj := w.lookup(name); obj != nil && obj == types.Universe.Lookup(name) {
		w.b.WriteString(name)
		return
	}
	w.core(name)
}

func (w *typeWriter) core(name string) {
	w.failed = w.failed || w.plain
	w.b.WriteString(w.n.rt + "." + CoreNames[name])
}

// alias writes the alias if its name is good here, else what it stands for.
func (w *typeWriter) alias(t *types.Alias) {
	before, failed := w.b.String(), w.failed
	w.named(t.Obj(), t.TypeArgs())
	if w.failed && !failed {
		w.b.Reset()
		w.b.WriteString(before)
		w.failed = false
		w.write(types.Unalias(t))
	}
}

func (w *typeWriter) named(obj *types.TypeName, args *types.TypeList) {
	if obj.Pkg() == nil {
		w.predeclared(obj.Name())
		return
	}
	switch {
	case w.lookup(obj.Name()) == obj: // declared here, or imported with a dot
		w.b.WriteString(obj.Name())
	case obj.Pkg() != w.n.pkg && obj.Exported() && obj.Parent() == obj.Pkg().Scope():
		qualifier := w.importName(obj.Pkg())
		w.failed = w.failed || qualifier == ""
		w.b.WriteString(qualifier + "." + obj.Name())
	default:
		w.failed = true
		return
	}
	if args.Len() == 0 {
		return
	}
	w.b.WriteString("[")
	for i := range args.Len() {
		w.comma(i)
		w.write(args.At(i))
	}
	w.b.WriteString("]")
}

// importName returns the name of the file's import of a package if nothing hides
// it at this place.
func (w *typeWriter) importName(pkg *types.Package) string {
	scope := w.scope
	for scope.Parent() != nil && scope.Parent() != w.n.pkg.Scope() {
		scope = scope.Parent() // up to the file's
	}
	for _, name := range scope.Names() {
		if imp, ok := scope.Lookup(name).(*types.PkgName); ok && imp.Imported() == pkg && w.lookup(name) == imp {
			return name
		}
	}
	return ""
}

func (w *typeWriter) comma(i int) {
	if i > 0 {
		w.b.WriteString(", ")
	}
}

func (w *typeWriter) channel(t *types.Chan) {
	switch t.Dir() {
	case types.SendOnly:
		w.b.WriteString("chan<- ")
	case types.RecvOnly:
		w.b.WriteString("<-chan ")
	default:
		w.b.WriteString("chan ")
	}
	w.b.WriteString("(") // chan (<-chan T)
	w.write(t.Elem())
	w.b.WriteString(")")
}

func (w *typeWriter) signature(t *types.Signature) {
	w.b.WriteString("(")
	params := t.Params()
	for i := range params.Len() {
		w.comma(i)
		typ := params.At(i).Type()
		if s, ok := typ.(*types.Slice); ok && t.Variadic() && i == params.Len()-1 {
			w.b.WriteString("...")
			typ = s.Elem()
		}
		w.write(typ)
	}
	w.b.WriteString(")")
	if t.Results().Len() == 0 {
		return
	}
	w.b.WriteString(" (")
	for i := range t.Results().Len() {
		w.comma(i)
		w.write(t.Results().At(i).Type())
	}
	w.b.WriteString(")")
}

func (w *typeWriter) structType(t *types.Struct) {
	w.b.WriteString("struct{")
	for i := range t.NumFields() {
		f := t.Field(i)
		if !f.Exported() && f.Pkg() != w.n.pkg {
			w.failed = true
		}
		if i > 0 {
			w.b.WriteString("; ")
		}
		if !f.Embedded() {
			w.b.WriteString(f.Name() + " ")
		}
		w.write(f.Type())
		if tag := t.Tag(i); tag != "" {
			fmt.Fprintf(&w.b, " %q", tag)
		}
	}
	w.b.WriteString("}")
}

func (w *typeWriter) interfaceType(t *types.Interface) {
	w.failed = w.failed || !t.IsMethodSet()
	w.b.WriteString("interface{")
	for i := range t.NumMethods() { // embedded interfaces' methods included
		m := t.Method(i)
		if !m.Exported() && m.Pkg() != w.n.pkg {
			w.failed = true
		}
		if i > 0 {
			w.b.WriteString("; ")
		}
		w.b.WriteString(m.Name())
		w.signature(m.Signature())
	}
	w.b.WriteString("}")
}

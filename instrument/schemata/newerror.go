package schemata

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/typing"
)

// newError writes an error that is not nil. An edit can't add an import, and a
// type with an Error method can't be declared in a function: where neither errors
// nor fmt is at hand, it is an error variable, of this package or an imported one.
func (w *walker) newError(pos token.Pos) (text, why string) {
	imports := w.visibleImports(pos)
	for _, maker := range []struct{ path, call string }{{"errors", ".New"}, {"fmt", ".Errorf"}} {
		if name := imports[maker.path]; name != "" {
			return name + maker.call + `("fuzzmut")`, ""
		}
	}
	if name := w.errorVar(pos); name != "" {
		return name, ""
	}
	return w.importedErrorVar(imports)
}

// visibleImports returns the names of a file's imports by path, without those
// that something hides at pos.
func (w *walker) visibleImports(pos token.Pos) map[string]string {
	visible := map[string]string{}
	scope := w.r.Pkg.Scope().Innermost(pos)
	for _, spec := range w.f.Syntax.Imports {
		imp := w.info.PkgNameOf(spec)
		if imp == nil || imp.Name() == "_" || imp.Name() == "." {
			continue
		}
		if _, obj := scope.LookupParent(imp.Name(), pos); obj == imp {
			visible[imp.Imported().Path()] = imp.Name()
		}
	}
	return visible
}

// errorVar returns the first error variable of the package, in the order of its
// files, that another package makes of constants: its value can't depend on the
// code at pos, which would make a circle.
func (w *walker) errorVar(pos token.Pos) string {
	scope := w.r.Pkg.Scope().Innermost(pos)
	for _, v := range w.r.errorVars() {
		if _, obj := scope.LookupParent(v.Name(), pos); obj == v {
			return v.Name()
		}
	}
	return ""
}

// errorVars collects the package's error variables once.
func (r *rewriter) errorVars() []types.Object {
	if r.errors != nil {
		return *r.errors
	}
	r.errors = new([]types.Object)
	for _, f := range r.files {
		for _, d := range f.Syntax.Decls {
			if d, ok := d.(*ast.GenDecl); ok && d.Tok == token.VAR {
				for _, spec := range d.Specs {
					*r.errors = append(*r.errors, f.errorVars(spec.(*ast.ValueSpec))...)
				}
			}
		}
	}
	return *r.errors
}

func (f *file) errorVars(spec *ast.ValueSpec) []types.Object {
	w := &walker{f: f, r: f.r, info: f.r.info, fx: f.fx}
	var found []types.Object
	for i, value := range spec.Values {
		call, ok := ast.Unparen(value).(*ast.CallExpr)
		if ok && w.info.MakesError(call) && w.info.Uses[typing.CalleeIdent(call)].Pkg() != f.r.Pkg && w.info.AllConstant(call.Args) {
			found = append(found, f.r.info.Defs[spec.Names[i]])
		}
	}
	return found
}

// importedErrorVar returns the first exported error variable of the packages that
// a file imports.
func (w *walker) importedErrorVar(imports map[string]string) (text, why string) {
	for _, spec := range w.f.Syntax.Imports {
		imp := w.info.PkgNameOf(spec)
		if imp == nil || imports[imp.Imported().Path()] != imp.Name() {
			continue
		}
		scope := imp.Imported().Scope()
		for _, name := range scope.Names() {
			v, ok := scope.Lookup(name).(*types.Var)
			if ok && v.Exported() && typing.IsError(v.Type()) {
				return imp.Name() + "." + name, ""
			}
		}
	}
	return "", "no error at hand: neither errors nor fmt is imported, and there is no error variable"
}

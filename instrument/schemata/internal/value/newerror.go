package value

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/reasons"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/typing"
)

// newError writes an error that is not nil. An edit can't add an import, and a
// type with an Error method can't be declared in a function: where neither errors
// nor fmt is at hand, it is an error variable, of this package or an imported one.
func (w *Writer) newError(pos token.Pos) (text string, why reasons.Reason) {
	imports := w.VisibleImports(pos)
	for _, maker := range []struct{ path, call string }{{"errors", ".New"}, {"fmt", ".Errorf"}} {
		if name := imports[maker.path]; name != "" {
			return name + maker.call + `("fuzzmut")`, nil
		}
	}
	if name := w.errorVar(pos); name != "" {
		return name, nil
	}
	return w.importedErrorVar(imports)
}

// VisibleImports returns the names of a file's imports by path, without those
// that something hides at pos.
func (w *Writer) VisibleImports(pos token.Pos) map[string]string {
	visible := map[string]string{}
	scope := w.Info.Pkg.Scope().Innermost(pos)
	for _, spec := range w.Src.Syntax.Imports {
		imp := w.Info.PkgNameOf(spec)
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
func (w *Writer) errorVar(pos token.Pos) string {
	scope := w.Info.Pkg.Scope().Innermost(pos)
	for _, v := range w.Errors.all() {
		if _, obj := scope.LookupParent(v.Name(), pos); obj == v {
			return v.Name()
		}
	}
	return ""
}

// importedErrorVar returns the first exported error variable of the packages that
// a file imports.
func (w *Writer) importedErrorVar(imports map[string]string) (text string, why reasons.Reason) {
	for _, spec := range w.Src.Syntax.Imports {
		imp := w.Info.PkgNameOf(spec)
		if imp == nil || imports[imp.Imported().Path()] != imp.Name() {
			continue
		}
		scope := imp.Imported().Scope()
		for _, name := range scope.Names() {
			v, ok := scope.Lookup(name).(*types.Var)
			if ok && v.Exported() && typing.IsError(v.Type()) {
				return imp.Name() + "." + name, nil
			}
		}
	}
	return "", reasons.NoErrorValue
}

// ErrorVars are the error variables of a package, in the order of its files, that
// another package makes of constants.
type ErrorVars struct {
	info  *typing.Info
	files []*ast.File
	found []types.Object
	done  bool
}

// NewErrorVars returns the error variables of a package's files.
func NewErrorVars(info *typing.Info, files []*ast.File) *ErrorVars {
	return &ErrorVars{info: info, files: files}
}

// all collects them once.
func (v *ErrorVars) all() []types.Object {
	if v.done {
		return v.found
	}
	v.done = true
	for _, f := range v.files {
		for _, d := range f.Decls {
			if d, ok := d.(*ast.GenDecl); ok && d.Tok == token.VAR {
				for _, spec := range d.Specs {
					v.collect(spec.(*ast.ValueSpec))
				}
			}
		}
	}
	return v.found
}

func (v *ErrorVars) collect(spec *ast.ValueSpec) {
	for i, value := range spec.Values {
		call, ok := ast.Unparen(value).(*ast.CallExpr)
		if ok && v.info.MakesError(call) && v.info.Uses[typing.CalleeIdent(call)].Pkg() != v.info.Pkg && v.info.AllConstant(call.Args) {
			v.found = append(v.found, v.info.Defs[spec.Names[i]])
		}
	}
}

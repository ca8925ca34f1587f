package schemata

import (
	"fmt"
	"go/ast"

	"github.com/fuzzmut/fuzzmut/instrument/edit"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/reasons"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/site"
)

// Package-level initialisers have one body: it runs once, before a mutant can be
// switched, so their mutants are static. In a process that has one active from
// the start the helpers are called at the variable's turn in the order of
// initialization, which is that of the plain edit, since the helpers refer to no
// variable of the package.
//
// A constant value is written into the binary by the compiler, and other code may
// see it before the variable's turn: through an interface, say, which the order
// of initialization does not take into account. So such initialisers stay as they are.
// The mutant's value is assigned before everything else, by a method that is
// called through an interface for the same reason.

// initialisers makes the static mutants of package-level variables, and rewrites
// the function literals in them like functions.
func (f *file) initialisers(d *ast.GenDecl, without reasons.Reason) {
	for _, spec := range d.Specs {
		vs, ok := spec.(*ast.ValueSpec)
		if !ok || len(vs.Values) == 0 {
			continue
		}
		scope := vs.Names[0].Name
		if f.r.Mutate {
			u := f.newUnit(-1, "", "var "+scope, reasons.Initializer)
			w := newWalker(u, nil)
			if w.Quiet = without; without == nil {
				if w.Quiet = f.droppedSpec(vs); w.Quiet != nil {
					f.r.pkg.Mutants.Skip(vs.Pos(), u.mutants.Scope, w.Quiet)
				}
			}
			for i, v := range vs.Values {
				var name *ast.Ident
				if len(vs.Names) == len(vs.Values) {
					name = vs.Names[i]
				}
				w.initialiser(name, v)
			}
		}
		for _, v := range vs.Values {
			f.literals(v, scope, without)
		}
	}
}

// droppedSpec returns why the caller wants a declaration of variables left
// unmutated.
func (f *file) droppedSpec(vs *ast.ValueSpec) reasons.Reason {
	for line := f.Tok.PositionFor(vs.Pos(), false).Line; line <= f.Tok.PositionFor(vs.End(), false).Line; line++ {
		if reason := f.r.DropFuncs[fmt.Sprintf("%s:%d", f.Path, line)]; reason != "" {
			return reasons.Dropped.With(reason)
		}
	}
	return nil
}

// initialiser walks the value of a variable, or of several if name is nil. The
// walker writes into the list of the copied bodies, which there is none of here:
// the edits are taken from there.
func (w *walker) initialiser(name *ast.Ident, v ast.Expr) {
	f := w.f
	data := name != nil && w.Info.IsConstant(v)
	if data && name.Name == "_" {
		return
	}
	saved := f.Slow
	f.Slow = edit.List{}
	base := w.f.r.pkg.Mutants.Next()
	w.expr(v, site.Place{})
	edits := f.Slow
	f.Slow = saved
	switch {
	case edits.Len() == 0:
	case data:
		value := edits.Render(f.Src, f.Off(v.Pos()), f.Off(v.End()))
		f.data = append(f.data, fmt.Sprintf("if %s.Starts(%d, %d) { %s%s = %s }", w.Names.RT,
			base, w.f.r.pkg.Mutants.Next()-base, f.LineDirective(v.Pos()), name.Name, value))
	default:
		f.fast.Append(&edits)
	}
}

// literals rewrites the outermost function literals of an initialiser.
func (f *file) literals(v ast.Expr, scope string, without reasons.Reason) {
	n := 0
	ast.Inspect(v, func(node ast.Node) bool {
		lit, ok := node.(*ast.FuncLit)
		if !ok {
			return true
		}
		n++
		name := fmt.Sprintf("%s.func%d", scope, n)
		u := f.newUnit(f.r.newFunc(name, lit), name, name, nil)
		u.walk(lit, lit.Body, f.r.pkg.Info.Types[lit].Type, without)
		u.finish(lit.Body, lit.Type)
		return false
	})
}

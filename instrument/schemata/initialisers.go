package schemata

import (
	"fmt"
	"go/ast"

	"github.com/fuzzmut/fuzzmut/instrument/edit"
)

// Package-level initialisers have one body: it runs once, before a mutant can be
// switched, so their mutants are static. In a process that has one active from
// the start the helpers are called at the variable's turn in the order of
// initialisation, which is that of the plain edit, since the helpers refer to no
// variable of the package.
//
// A constant value is written into the binary by the compiler, and other code may
// see it before the variable's turn: through an interface, say, which the order
// of initialisation does not look behind. So such initialisers stay as they are.
// The mutant's value is assigned before everything else, by a method that is
// called through an interface for the same reason.

const initialiserReason = "a package-level initialiser runs once, before the fuzz test starts"

// initialisers makes the static mutants of package-level variables, and rewrites
// the function literals in them like functions.
func (f *file) initialisers(d *ast.GenDecl, without string) {
	for _, spec := range d.Specs {
		vs, ok := spec.(*ast.ValueSpec)
		if !ok || len(vs.Values) == 0 {
			continue
		}
		scope := vs.Names[0].Name
		if f.r.Mutate {
			u := &unit{f: f, index: -1, scope: "var " + scope, ordinals: map[string]int{}, static: initialiserReason}
			w := newWalker(u, nil)
			if w.quiet = without; without == "" {
				if w.quiet = f.droppedSpec(vs); w.quiet != "" {
					f.r.skip(vs.Pos(), u.scope, "%s", w.quiet)
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
func (f *file) droppedSpec(vs *ast.ValueSpec) string {
	for line := f.Tok.PositionFor(vs.Pos(), false).Line; line <= f.Tok.PositionFor(vs.End(), false).Line; line++ {
		if reason := f.r.DropFuncs[fmt.Sprintf("%s:%d", f.Path, line)]; reason != "" {
			return reason
		}
	}
	return ""
}

// initialiser walks the value of a variable, or of several if name is nil. The
// walker writes into the list of the copied bodies, which there is none of here:
// the edits are taken from there.
func (w *walker) initialiser(name *ast.Ident, v ast.Expr) {
	f := w.f
	data := name != nil && w.info.IsConstant(v)
	if data && name.Name == "_" {
		return
	}
	saved := f.slow
	f.slow = edit.List{}
	base := w.r.nextMutant()
	w.expr(v, place{})
	edits := f.slow
	f.slow = saved
	switch {
	case edits.Len() == 0:
	case data:
		value := edits.Render(f.Src, f.Off(v.Pos()), f.Off(v.End()))
		f.data = append(f.data, fmt.Sprintf("if %s.Starts(%d, %d) { %s%s = %s }", w.r.names.rt,
			base, w.r.nextMutant()-base, f.LineDirective(v.Pos()), name.Name, value))
	default:
		f.fast.Append(&edits)
	}
}

func (r *rewriter) nextMutant() int { return r.FirstMutant + len(r.out.Mutants) }

// literals rewrites the outermost function literals of an initialiser.
func (f *file) literals(v ast.Expr, scope, without string) {
	n := 0
	ast.Inspect(v, func(node ast.Node) bool {
		lit, ok := node.(*ast.FuncLit)
		if !ok {
			return true
		}
		n++
		name := fmt.Sprintf("%s.func%d", scope, n)
		u := &unit{f: f, index: f.r.newFunc(name, lit), name: name, scope: name, ordinals: map[string]int{}}
		u.walk(lit, lit.Body, f.r.info.Types[lit].Type, without)
		u.finish(lit.Body, lit.Type)
		return false
	})
}

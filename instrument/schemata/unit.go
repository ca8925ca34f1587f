package schemata

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"path/filepath"

	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/directive"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/mutants"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/reasons"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/statements"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/typing"
)

// unit is what is switched between its bodies as a whole: a function or method
// declaration with the function literals in it, or a function literal in a
// package-level initializer; or, never switched, an initializer itself.
type unit struct {
	f       *file
	mutants *mutants.Unit
	index   int // into Output.Funcs; -1 for an initializer

	w     *walker    // that made its mutants
	types localTypes // of a function with mutants
}

// hasLive says whether a body has a site that can be switched.
func (u *unit) hasLive(b *ast.BlockStmt) bool {
	for _, pos := range u.mutants.Live {
		if b.Lbrace < pos && pos < b.Rbrace {
			return true
		}
	}
	return false
}

// funcDecl rewrites a function declaration. It gets no mutants if there is a
// reason for the file to be without.
func (f *file) funcDecl(d *ast.FuncDecl, without reasons.Reason) {
	name := funcName(d)
	if d.Body == nil {
		if f.r.Mutate && without == nil {
			f.r.pkg.Mutants.Skip(d.Pos(), name, reasons.NoBody)
		}
		return
	}
	word, index := directive.Forbids(d), 0
	if word == "" {
		index = f.r.newFunc(name, d)
	}
	scope, static := name, reasons.Reason(nil)
	if d.Recv == nil && d.Name.Name == "init" {
		scope, static = "init in "+filepath.Base(f.Path), reasons.InitFunction
	}
	u := f.newUnit(index, name, scope, static)
	u.walk(d, d.Body, f.r.pkg.Info.Defs[d.Name].Type(), without)
	if word != "" {
		return
	}
	if target := f.isTarget(d); f.r.Mutate && (target || f.changed(d)) {
		f.target(d, name, !target)
	}
	u.finish(d.Body, d.Type)
}

// isTarget says whether a function is marked, or an exported method with results of a type that
// is: sequences show what a method without results does by others.
func (f *file) isTarget(d *ast.FuncDecl) bool {
	if directive.IsTarget(d) || d.Recv == nil || !d.Name.IsExported() || d.Type.Results.NumFields() == 0 {
		return directive.IsTarget(d)
	}
	fn, ok := f.r.pkg.Info.Defs[d.Name].(*types.Func)
	return ok && f.r.types[typing.ReceiverName(fn)]
}

// newUnit returns a unit with the function that has a number, or -1.
func (f *file) newUnit(index int, name, scope string, static reasons.Reason) *unit {
	fn := index
	if index >= 0 {
		fn += f.r.FirstFunc
	}
	return &unit{f: f, index: index, mutants: f.Mutants.NewUnit(fn, name, scope, static)}
}

// walk makes the mutants of a function, unless there is a reason not to. Its
// sites are counted all the same.
func (u *unit) walk(fn ast.Node, body *ast.BlockStmt, t types.Type, without reasons.Reason) {
	sig, ok := t.(*types.Signature)
	if !ok || !u.f.r.Mutate {
		return
	}
	w := newWalker(u, sig)
	u.w = w
	if w.Quiet = without; without == nil {
		if w.Quiet = u.leaveOut(fn, body); w.Quiet != nil {
			u.f.r.pkg.Mutants.Skip(fn.Pos(), u.mutants.Name, w.Quiet)
		}
	}
	statements.Locks(w.Function, body)
	if d, ok := fn.(*ast.FuncDecl); ok {
		statements.Depth(w.Function, d)
	}
	w.body(body)
}

// changed says whether a node is one of those that Input.Changed holds for.
func (f *file) changed(n ast.Node) bool {
	if f.r.Changed == nil {
		return false
	}
	line := func(pos token.Pos) int { return f.r.Fset.PositionFor(pos, false).Line }
	return f.r.Changed(f.Path, line(n.Pos()), line(n.End()))
}

// leaveOut returns why a function is left unmutated; nil if it is not.
func (u *unit) leaveOut(fn ast.Node, body *ast.BlockStmt) (why reasons.Reason) {
	f := u.f
	if f.r.Changed != nil && !f.changed(fn) {
		return reasons.NotChanged
	}
	if d, ok := fn.(*ast.FuncDecl); ok {
		if word := directive.Forbids(d); word != "" {
			return reasons.Marked.With(word)
		}
	}
	if reason := f.dropped(fn, u.mutants.Name); reason != nil {
		return reason
	}
	if f.r.readsAddresses(body) {
		return reasons.ReadsAddresses
	}
	u.types, why = f.localTypes(fn, body)
	return why
}

// readsAddresses reports whether code turns pointers into numbers. Its mutants
// depend on where things are in memory, and whatever depends on them would make
// two runs with the same seed differ.
func (r *rewriter) readsAddresses(body *ast.BlockStmt) bool {
	found := false
	ast.Inspect(body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || len(call.Args) != 1 || !r.pkg.Info.Types[call.Fun].IsType() {
			return !found
		}
		to, ok := r.pkg.Info.TypeOf(call.Fun).Underlying().(*types.Basic)
		if !ok || to.Kind() != types.Uintptr {
			return !found
		}
		from, ok := r.pkg.Info.TypeOf(call.Args[0]).Underlying().(*types.Basic)
		found = found || ok && from.Kind() == types.UnsafePointer
		return !found
	})
	return found
}

// dropped returns why the caller wants a function left unmutated.
func (f *file) dropped(fn ast.Node, name string) reasons.Reason {
	reason, ok := f.r.DropFuncs[name]
	if !ok {
		line := f.Tok.PositionFor(fn.Pos(), false).Line
		reason = f.r.DropFuncs[fmt.Sprintf("%s:%d", f.Path, line)]
	}
	if reason == "" {
		return nil
	}
	return reasons.Dropped.With(reason)
}

// finish makes the control flow edits once all schemata are in place.
func (u *unit) finish(body *ast.BlockStmt, sig *ast.FuncType) {
	if len(u.mutants.Live) > 0 {
		u.types.remove(u.f)
		slow := flow{u: u, f: u.f, list: &u.f.Slow}
		slow.body(body, sig)
	}
	if u.f.r.wraps != nil {
		u.f.r.wraps.Edit(&u.f.fast, u.f.File.File, u.f.r.pkg.Names.RT, body)
	}
	fast := flow{u: u, f: u.f, list: &u.f.fast, fast: true, top: body}
	fast.body(body, sig)
}

// funcName returns a declaration's name as "F", "T.M" or "(*T).M".
func funcName(d *ast.FuncDecl) string {
	if d.Recv == nil || len(d.Recv.List) == 0 {
		return d.Name.Name
	}
	t := ast.Unparen(d.Recv.List[0].Type)
	format := "%s.%s"
	if star, ok := t.(*ast.StarExpr); ok {
		t, format = ast.Unparen(star.X), "(*%s).%s"
	}
	switch e := t.(type) {
	case *ast.IndexExpr:
		t = e.X
	case *ast.IndexListExpr:
		t = e.X
	}
	if id, ok := t.(*ast.Ident); ok {
		return fmt.Sprintf(format, id.Name, d.Name.Name)
	}
	return d.Name.Name
}

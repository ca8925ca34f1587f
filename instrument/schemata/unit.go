package schemata

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"path/filepath"

	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/directive"
)

// unit is what is switched between its bodies as a whole: a function or method
// declaration with the function literals in it, or a function literal in a
// package-level initialiser; or, never switched, an initialiser itself.
type unit struct {
	f      *file
	index  int    // into Output.Funcs; -1 for an initialiser
	name   string // for reports; "" for an initialiser
	scope  string // names the unit in mutant IDs
	static string // why its mutants can't be switched; "" if they can

	w     *walker    // that made its mutants
	types localTypes // of a function with mutants

	live     []token.Pos // of the sites that got schemata
	ordinals map[string]int
	moved    map[types.Object]string // what break and continue call a label in the copied body
}

// hasLive says whether a body has a site that can be switched.
func (u *unit) hasLive(b *ast.BlockStmt) bool {
	for _, pos := range u.live {
		if b.Lbrace < pos && pos < b.Rbrace {
			return true
		}
	}
	return false
}

// funcDecl rewrites a function declaration. It gets no mutants if there is a
// reason for the file to be without.
func (f *file) funcDecl(d *ast.FuncDecl, without string) {
	name := funcName(d)
	if d.Body == nil {
		if f.r.Mutate && without == "" {
			f.r.skip(d.Pos(), name, "no body: implemented elsewhere")
		}
		return
	}
	u := &unit{f: f, name: name, scope: name, ordinals: map[string]int{}}
	word := directive.Forbids(d)
	if word == "" {
		u.index = f.r.newFunc(name, d)
	}
	if d.Recv == nil && d.Name.Name == "init" {
		u.static = "init runs before the fuzz test starts"
		u.scope = fmt.Sprintf("init in %s", filepath.Base(f.Path))
	}
	u.walk(d, d.Body, f.r.info.Defs[d.Name].Type(), without)
	if word != "" {
		return
	}
	if directive.IsTarget(d) && f.r.Mutate {
		f.target(d, name)
	}
	u.finish(d.Body, d.Type)
}

// walk makes the mutants of a function, unless there is a reason not to. Its
// sites are counted all the same.
func (u *unit) walk(fn ast.Node, body *ast.BlockStmt, t types.Type, without string) {
	sig, ok := t.(*types.Signature)
	if !ok || !u.f.r.Mutate {
		return
	}
	w := newWalker(u, sig)
	u.w = w
	if w.quiet = without; without == "" {
		if w.quiet = u.leaveOut(fn, body); w.quiet != "" {
			u.f.r.skip(fn.Pos(), u.name, "%s", w.quiet)
		}
	}
	w.locking(body)
	w.body(body)
}

// leaveOut returns why a function is left unmutated; "" if it is not.
func (u *unit) leaveOut(fn ast.Node, body *ast.BlockStmt) (why string) {
	f := u.f
	if d, ok := fn.(*ast.FuncDecl); ok {
		if word := directive.Forbids(d); word != "" {
			return "marked " + word
		}
	}
	if reason := f.dropped(fn, u.name); reason != "" {
		return reason
	}
	if f.r.readsAddresses(body) {
		return "calculates with addresses: what its mutants do differs from run to run"
	}
	u.types, why = f.localTypes(fn, body)
	return why
}

// readsAddresses reports whether code turns pointers into numbers. Its mutants
// depend on where things lie in memory, and whatever depends on them would make
// two runs with the same seed differ.
func (r *rewriter) readsAddresses(body *ast.BlockStmt) bool {
	found := false
	ast.Inspect(body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || len(call.Args) != 1 || !r.info.Types[call.Fun].IsType() {
			return !found
		}
		to, ok := r.info.TypeOf(call.Fun).Underlying().(*types.Basic)
		if !ok || to.Kind() != types.Uintptr {
			return !found
		}
		from, ok := r.info.TypeOf(call.Args[0]).Underlying().(*types.Basic)
		found = found || ok && from.Kind() == types.UnsafePointer
		return !found
	})
	return found
}

// dropped returns why the caller wants a function left unmutated.
func (f *file) dropped(fn ast.Node, name string) string {
	if reason, ok := f.r.DropFuncs[name]; ok {
		return reason
	}
	line := f.Tok.PositionFor(fn.Pos(), false).Line
	return f.r.DropFuncs[fmt.Sprintf("%s:%d", f.Path, line)]
}

// finish makes the control flow edits once all schemata are in place.
func (u *unit) finish(body *ast.BlockStmt, sig *ast.FuncType) {
	if len(u.live) > 0 {
		u.types.remove(u.f)
		slow := flow{u: u, f: u.f, list: &u.f.slow}
		slow.body(body, sig)
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

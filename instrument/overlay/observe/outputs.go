package observe

import (
	"go/ast"
	"go/token"
	"go/types"
	"strconv"
	"strings"

	"github.com/fuzzmut/fuzzmut/instrument/target"
)

// output is a variable that a call may change.
type output struct {
	obj       *types.Var
	expr      string // the variable, or its address
	name      string // of the value, for reports
	addressed bool
}

// outputs returns the variables that call may change: those whose addresses are
// arguments, the receiver of a method that takes the receiver's address, and what the
// receiver writes to. A call that returns nothing, or only whether it failed, must act through
// its arguments, so that pointers, slices, maps and empty interfaces given to it are observed too.
func (fr *fileRewriter) outputs(call *ast.CallExpr, fn *types.Func) []output {
	acts := target.OnlyFails(fn.Signature())
	var list []output
	add := func(id *ast.Ident, what string, addressed bool) {
		v, ok := fr.info.Uses[id].(*types.Var)
		if !ok || v.IsField() || isTesting(v.Type()) {
			return
		}
		for _, o := range list {
			if o.obj == v {
				return
			}
		}
		expr := id.Name
		if addressed {
			expr = "&" + expr
		}
		list = append(list, output{obj: v, expr: expr, name: what + " " + id.Name, addressed: addressed})
	}
	id, addressed := fr.receiver(call, fn)
	if id != nil && (addressed || acts) {
		add(id, "receiver", addressed)
	}
	if id != nil {
		for _, v := range fr.writersOf(id) {
			out := output{obj: v, expr: v.Name(), name: "argument " + v.Name()}
			if out.addressed = Writes(v.Type()); out.addressed {
				out.expr = "&" + out.expr
			}
			list = append(list, out)
		}
	}
	for _, arg := range call.Args {
		switch arg := ast.Unparen(arg).(type) {
		case *ast.UnaryExpr:
			if id, ok := ast.Unparen(arg.X).(*ast.Ident); ok && arg.Op == token.AND {
				add(id, "argument", true)
			}
		case *ast.Ident:
			if acts && target.RefersToMemory(fr.info.TypeOf(arg)) {
				add(arg, "argument", false)
			}
		}
	}
	return list
}

// noteWriters notes the writers whose addresses a call is given, if a variable is declared for what
// it returns: enc := NewEncoder(&buf).
func (fr *fileRewriter) noteWriters(stmt *ast.AssignStmt) {
	if stmt.Tok != token.DEFINE || len(stmt.Rhs) != 1 {
		return
	}
	call, ok := ast.Unparen(stmt.Rhs[0]).(*ast.CallExpr)
	id, named := stmt.Lhs[0].(*ast.Ident)
	if !ok || !named {
		return
	}
	made, ok := fr.info.Defs[id].(*types.Var)
	if !ok {
		return
	}
	for _, arg := range call.Args {
		arg = ast.Unparen(arg)
		address, addressed := arg.(*ast.UnaryExpr)
		if addressed && address.Op == token.AND {
			arg = ast.Unparen(address.X)
		}
		to, ok := arg.(*ast.Ident)
		if !ok {
			continue
		}
		v, ok := fr.info.Uses[to].(*types.Var)
		if !ok || v.IsField() {
			continue
		}
		if t, pointer := types.Unalias(v.Type()).(*types.Pointer); Writes(v.Type()) && addressed || pointer && Writes(t.Elem()) && !addressed {
			fr.writers[made] = append(fr.writers[made], v)
		}
	}
}

// Writes says whether what a caller writes to a variable can be read from it.
func Writes(t types.Type) bool {
	switch types.TypeString(types.Unalias(t), nil) {
	case "bytes.Buffer", "strings.Builder":
		return true
	}
	return false
}

// writersOf lists the writers of a variable that can be named where that is.
func (fr *fileRewriter) writersOf(id *ast.Ident) (list []*types.Var) {
	made, ok := fr.info.Uses[id].(*types.Var)
	if !ok {
		return nil
	}
	for _, v := range fr.writers[made] {
		if inner := fr.scope.Innermost(id.Pos()); inner != nil {
			if _, obj := inner.LookupParent(v.Name(), id.Pos()); obj == v {
				list = append(list, v)
			}
		}
	}
	return list
}

// receiver returns the variable that is the receiver of a method call, if it is
// one through which the method may change something, and whether the method gets
// the variable's address.
func (fr *fileRewriter) receiver(call *ast.CallExpr, fn *types.Func) (id *ast.Ident, addressed bool) {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return nil, false
	}
	id, ok = ast.Unparen(sel.X).(*ast.Ident)
	if s := fr.info.Selections[sel]; !ok || s == nil || s.Kind() != types.MethodVal {
		return nil, false
	}
	recv := fn.Signature().Recv()
	if recv == nil {
		return nil, false
	}
	_, wantsPointer := types.Unalias(recv.Type()).(*types.Pointer)
	_, isPointer := fr.info.TypeOf(id).Underlying().(*types.Pointer)
	switch {
	case wantsPointer && !isPointer:
		return id, true
	case target.RefersToMemory(fr.info.TypeOf(id)):
		return id, false
	}
	return nil, false
}

// isTesting says whether t is a type of package testing or a pointer to one.
func isTesting(t types.Type) bool {
	t = types.Unalias(t)
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	n, ok := t.(*types.Named)
	return ok && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == "testing"
}

func allAddressed(vars []output) bool {
	for _, v := range vars {
		if !v.addressed {
			return false
		}
	}
	return true
}

// after observes vars after the call, where the syntax has room: after its
// statement in a list, or before the condition of the if statement that it
// initializes. Elsewhere they go unobserved.
func (fr *fileRewriter) after(call *ast.CallExpr, what seen) {
	stmt, at := fr.statement()
	if stmt == nil {
		return
	}
	if what.vars = visibleAfter(fr.info, stmt, what.vars); len(what.vars) == 0 {
		return
	}
	args := make([]string, len(what.vars))
	for i, v := range what.vars {
		args[i] = v.expr
	}
	observe := func() string {
		return fr.rt + "ObsArgs(" + strconv.Itoa(fr.site(call, what)) + ", " + strings.Join(args, ", ") + ")"
	}
	switch above := fr.above(at).(type) {
	case *ast.BlockStmt, *ast.CaseClause:
		fr.edits.Insert(fr.offset(stmt.End()), "; if "+fr.rt+"Observing { "+observe()+" }")
	case *ast.CommClause:
		if above.Comm != stmt {
			fr.edits.Insert(fr.offset(stmt.End()), "; if "+fr.rt+"Observing { "+observe()+" }")
		}
	case *ast.IfStmt:
		if above.Init == stmt {
			fr.edits.Wrap(fr.offset(above.Cond.Pos()), fr.offset(above.Cond.End()),
				fr.rt+"Second("+fr.rt+"Observing && "+observe()+", ", ")")
		}
	}
}

// statement returns the statement that consists of nothing but the call under
// way and perhaps variables to take its results, and its place in the stack.
func (fr *fileRewriter) statement() (ast.Stmt, int) {
	parent, i := fr.parent()
	switch p := parent.(type) {
	case *ast.ExprStmt:
		return p, i
	case *ast.AssignStmt:
		if len(p.Rhs) == 1 && plainTargets(p) {
			return p, i
		}
	case *ast.ValueSpec:
		if i < 2 || len(p.Values) != 1 {
			return nil, 0
		}
		gd, _ := fr.stack[i-1].(*ast.GenDecl)
		ds, ok := fr.stack[i-2].(*ast.DeclStmt)
		if ok && gd != nil && len(gd.Specs) == 1 {
			return ds, i - 2
		}
	}
	return nil, 0
}

// plainTargets says whether nothing but variables is assigned to, so that the
// assignment can't panic after the call nor reach what the variables refer to.
func plainTargets(a *ast.AssignStmt) bool {
	for _, e := range a.Lhs {
		if _, ok := e.(*ast.Ident); !ok {
			return false
		}
	}
	return true
}

// above returns the node above the statement at place i of the stack, labels
// aside.
func (fr *fileRewriter) above(i int) ast.Node {
	for i--; i >= 0; i-- {
		if _, ok := fr.stack[i].(*ast.LabeledStmt); !ok {
			return fr.stack[i]
		}
	}
	return nil
}

// visibleAfter returns the variables that the names still stand for after stmt,
// which may declare others of these names.
func visibleAfter(info *types.Info, stmt ast.Stmt, vars []output) []output {
	declared := make(map[string]bool)
	declare := func(e ast.Expr) {
		if id, ok := e.(*ast.Ident); ok && info.Defs[id] != nil {
			declared[id.Name] = true
		}
	}
	switch s := stmt.(type) {
	case *ast.AssignStmt:
		for _, e := range s.Lhs {
			declare(e)
		}
	case *ast.DeclStmt:
		for _, spec := range s.Decl.(*ast.GenDecl).Specs {
			if vs, ok := spec.(*ast.ValueSpec); ok {
				for _, id := range vs.Names {
					declare(id)
				}
			}
		}
	}
	var kept []output
	for _, v := range vars {
		if !declared[v.obj.Name()] {
			kept = append(kept, v)
		}
	}
	return kept
}

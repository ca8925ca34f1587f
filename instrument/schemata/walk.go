package schemata

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/fuzzmut/fuzzmut/instrument/operator"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/control"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/expressions"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/helper"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/logic"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/mutants"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/plain"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/site"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/typing"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/value"
)

// walker finds the sites of one unit and writes their schemata into the copied
// bodies. Statements are in this file, expressions in expr.go.
type walker struct {
	*site.Context
	u    *unit
	f    *file
	list *mutants.List

	ends  map[ast.Stmt]bool // statements that their function needs to be terminating
	sole  map[ast.Stmt]bool // that make up what a condition that is always false leaves out
	own   map[ast.Stmt]*ownLabel
	pairs []*lockSet // with calls that lock and calls that unlock

	conditions map[*types.Var]conditionUses // filled by countConditions
}

func newWalker(u *unit, sig *types.Signature) *walker {
	w := &walker{
		Context: u.f.context(), u: u, f: u.f, list: u.f.r.list,
		ends: map[ast.Stmt]bool{}, sole: map[ast.Stmt]bool{}, own: map[ast.Stmt]*ownLabel{},
	}
	w.Unit = u.mutants
	if sig != nil {
		w.Results = sig.Results()
	}
	return w
}

// context is what the sites of a unit of the file are given.
func (f *file) context() *site.Context {
	r := f.r
	return &site.Context{
		Src: f.File, Info: r.info, Effects: f.effects, Nils: f.nils, Logic: logic.New(r.info, f.effects, r.Operators),
		Flow: control.New(r.info), Logs: r.loggers, Uses: r.uses, Enums: r.enums, Operators: r.Operators, Race: r.Race,
		Names: r.names, Types: r.types,
		Calls:  &helper.Writer{Src: f.File, Types: r.types, RT: r.names.RT, List: &f.slow},
		Plain:  &plain.Writer{Src: f.File, Info: r.info, Types: r.types, Uses: r.uses},
		Values: &value.Writer{Src: f.File, Info: r.info, Types: r.types, Effects: f.effects, Errors: r.errors},
		Slow:   &f.slow, File: f.mutants, Comparisons: r.comparisons,
		Taken: map[*ast.CallExpr][]operator.Action{}, Deleted: map[*ast.CallExpr]bool{},
	}
}

// body walks a function's body.
func (w *walker) body(b *ast.BlockStmt) {
	defer func(outer *ast.BlockStmt) { w.Block = outer }(w.Block)
	w.Block = b
	w.Flow.Read(b)
	w.guards(b.List)
	w.stmts(b.List, w.Results.Len() > 0)
}

// silenced walks something without making mutants in it, and lists the reason.
func (w *walker) silenced(pos token.Pos, what, reason string, walk func()) {
	saved := w.Quiet
	if w.Quiet == "" {
		w.list.Skip(pos, what, "%s", reason)
		w.Quiet = reason
	}
	walk()
	w.Quiet = saved
}

// stmts walks a statement list. With last, the list has to end in a terminating
// statement.
func (w *walker) stmts(list []ast.Stmt, last bool) {
	dead := false
	end := len(list) - 1
	for end > 0 && control.IsEmpty(list[end]) {
		end--
	}
	for i, s := range list {
		if _, labeled := s.(*ast.LabeledStmt); labeled {
			dead = false
		}
		if dead {
			if !control.IsEmpty(s) {
				w.silenced(s.Pos(), "statement", mutants.UnreachableCode, func() { w.stmt(s, site.Position{InList: true}) })
			}
			continue
		}
		w.stmt(s, site.Position{InList: true, Last: last && i == end})
		dead = dead || w.Flow.JumpsAway(s)
	}
}

func (w *walker) stmt(s ast.Stmt, p site.Position) {
	defer w.enter(s)()
	switch s := s.(type) {
	case nil:
	case *ast.DeclStmt:
		w.decl(s)
	case *ast.LabeledStmt:
		w.stmt(s.Stmt, p)
	case *ast.ExprStmt:
		w.exprStmt(s, p)
	case *ast.SendStmt:
		w.deletable(s, operator.OtherStmt, p)
		w.exprs(s.Chan, s.Value)
	case *ast.IncDecStmt:
		w.deletable(s, operator.OtherStmt, p)
		expressions.IncDec(w.Context, s, p)
		w.target(s.X)
	case *ast.AssignStmt:
		w.assign(s, p)
	case *ast.GoStmt:
		w.elsewhere(s, s.Go, token.GO, s.Call)
	case *ast.DeferStmt:
		w.elsewhere(s, s.Defer, token.DEFER, s.Call)
	case *ast.BranchStmt:
		w.branchStmt(s, p)
	case *ast.ReturnStmt:
		w.returnStmt(s)
	case *ast.BlockStmt:
		w.stmts(s.List, p.Last)
	default:
		w.compound(s, p)
	}
}

// compound walks the statements that have bodies.
func (w *walker) compound(s ast.Stmt, p site.Position) {
	w.ends[s] = p.Last
	switch s := s.(type) {
	case *ast.IfStmt:
		w.ifStmt(s, p)
	case *ast.ForStmt:
		w.stmt(s.Init, site.Position{})
		if s.Cond != nil {
			w.condition(s.Cond)
		}
		w.forLoop(s, p)
		w.stmt(s.Post, site.Position{})
		w.stmts(s.Body.List, false)
		w.placeLabel(s, s.Body)
	case *ast.RangeStmt:
		w.rangeLoop(s)
		w.target(s.Key)
		w.target(s.Value)
		w.expr(s.X, site.Place{})
		w.stmts(s.Body.List, false)
		w.placeLabel(s, s.Body)
	case *ast.SwitchStmt:
		w.switchStmt(s, p)
	case *ast.TypeSwitchStmt:
		w.stmt(s.Init, site.Position{})
		w.stmt(s.Assign, site.Position{})
		for _, c := range s.Body.List {
			w.caseBody(c.(*ast.CaseClause), p)
		}
	case *ast.SelectStmt:
		for _, c := range s.Body.List {
			clause := c.(*ast.CommClause)
			w.commaOkClause(clause)
			w.comm(clause.Comm)
			w.stmts(clause.Body, p.Last)
			w.commBody(clause, p)
		}
	}
}

func (w *walker) switchStmt(s *ast.SwitchStmt, p site.Position) {
	w.stmt(s.Init, site.Position{})
	if s.Tag != nil && !w.Info.IsConstant(s.Tag) {
		expressions.RecordTag(w.Context, s)
		w.expr(s.Tag, site.Place{})
	}
	for _, c := range s.Body.List {
		clause := c.(*ast.CaseClause)
		for _, e := range clause.List {
			switch {
			case w.Info.IsConstant(e): // changed, it could be a duplicate case
			case s.Tag == nil:
				w.condition(e)
			default:
				w.expr(e, site.Place{})
			}
		}
		w.caseBody(clause, p)
	}
}

// comm walks the communication of a select clause, whose receive operation has to
// stay one.
func (w *walker) comm(s ast.Stmt) {
	switch s := s.(type) {
	case *ast.SendStmt:
		w.exprs(s.Chan, s.Value)
	case *ast.ExprStmt:
		w.expr(s.X, site.Place{})
	case *ast.AssignStmt:
		for _, e := range s.Lhs {
			w.target(e)
		}
		w.exprs(s.Rhs...)
	}
}

// decl walks a declaration in a function: the values of variables. Constants and
// types have nothing that could be switched.
func (w *walker) decl(s *ast.DeclStmt) {
	d, ok := s.Decl.(*ast.GenDecl)
	if !ok || d.Tok != token.VAR {
		return
	}
	for _, spec := range d.Specs {
		vs := spec.(*ast.ValueSpec)
		w.commaOk(s, typing.Idents(vs.Names), vs.Values, true)
		w.exprs(vs.Values...)
	}
}

func (w *walker) exprStmt(s *ast.ExprStmt, p site.Position) {
	call, ok := ast.Unparen(s.X).(*ast.CallExpr)
	if !ok {
		if _, receive := ast.Unparen(s.X).(*ast.UnaryExpr); receive {
			w.deletable(s, operator.OtherStmt, p)
		}
		w.expr(s.X, site.Place{})
		return
	}
	kind := operator.OtherStmt
	if tv := w.Info.Types[call]; tv.IsVoid() {
		kind = operator.VoidCall
	}
	switch {
	case w.Logs.Logs(call):
	case p.Last && w.Info.IsPanic(s): // without it the function would need a return
	default:
		w.deletable(s, kind, p)
	}
	w.call(call) // and no operator that needs its result
}

// target walks an operand that is assigned to: what it is made of, not itself.
func (w *walker) target(e ast.Expr) {
	if e == nil {
		return
	}
	if _, ok := ast.Unparen(e).(*ast.Ident); !ok {
		w.Written = ast.Unparen(e)
		w.expr(e, site.Place{})
	}
}

// neverThen walks an if statement whose condition is false.
func (w *walker) neverThen(s *ast.IfStmt, p site.Position) {
	w.silenced(s.Cond.Pos(), "block", mutants.UnreachableCode, func() {
		w.expr(s.Cond, site.Place{})
		w.stmts(s.Body.List, p.Last)
	})
	w.stmt(s.Else, site.Position{Last: p.Last})
}

// enter notes the statement that is walked, until the function it returns is called.
func (w *walker) enter(s ast.Stmt) (leave func()) {
	saved := w.Within
	w.Within = s
	return func() { w.Within = saved }
}

// condition walks the whole condition of a statement.
func (w *walker) condition(e ast.Expr) {
	w.Logic.Settle(e, func(bool) bool { return true })
	expressions.Offer(expressions.Condition, w.Context, e, site.Place{})
	w.expr(e, site.Place{Decided: true})
}

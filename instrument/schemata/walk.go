package schemata

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/fuzzmut/fuzzmut/instrument/operator"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/control"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/expressions"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/logic"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/reasons"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/site"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/statements"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/typing"
)

// walker walks the code of one unit and has all its sites offered. Statements are in this
// file, expressions in expr.go.
type walker struct {
	*statements.Function
	f *file
}

func newWalker(u *unit, sig *types.Signature) *walker {
	w := &walker{Function: statements.New(u.f.Context(u.mutants)), f: u.f}
	if sig != nil {
		w.Results = sig.Results()
	}
	return w
}

// body walks a function's body.
func (w *walker) body(b *ast.BlockStmt) {
	defer func(outer *ast.BlockStmt) { w.Block = outer }(w.Block)
	w.Block = b
	w.Flow.Read(b)
	statements.Guards(w.Function, b.List)
	w.stmts(b.List, w.Results.Len() > 0)
}

// silenced walks something without making mutants in it, and lists the reason.
func (w *walker) silenced(pos token.Pos, what string, reason reasons.Reason, walk func()) {
	saved := w.Quiet
	if w.Quiet == nil {
		w.f.r.pkg.Mutants.Skip(pos, what, reason)
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
				w.silenced(s.Pos(), "statement", reasons.UnreachableCode, func() { w.stmt(s, site.Position{InList: true}) })
			}
			continue
		}
		w.stmt(s, site.Position{InList: true, Last: last && i == end})
		dead = dead || w.Flow.JumpsAway(s)
	}
}

func (w *walker) stmt(s ast.Stmt, p site.Position) {
	defer w.enter(s)()
	w.Ends[s] = p.Last
	statements.Offer(w.Function, s, p)
	switch s := s.(type) {
	case nil:
	case *ast.DeclStmt:
		w.decl(s)
	case *ast.LabeledStmt:
		w.stmt(s.Stmt, p)
	case *ast.ExprStmt:
		w.exprStmt(s)
	case *ast.SendStmt:
		w.exprs(s.Chan, s.Value)
	case *ast.IncDecStmt:
		w.target(s.X)
	case *ast.AssignStmt:
		w.assign(s)
	case *ast.GoStmt:
		w.call(s.Call)
	case *ast.DeferStmt:
		w.call(s.Call)
	case *ast.ReturnStmt:
		for _, e := range s.Results {
			w.returned(e)
		}
	case *ast.BlockStmt:
		w.stmts(s.List, p.Last)
	default:
		w.compound(s, p)
	}
}

// compound walks the statements that have bodies.
func (w *walker) compound(s ast.Stmt, p site.Position) {
	switch s := s.(type) {
	case *ast.IfStmt:
		w.ifStmt(s, p)
	case *ast.ForStmt:
		w.stmt(s.Init, site.Position{})
		if s.Cond != nil {
			expressions.GuardLater(w.Context, s.Cond)
			w.condition(s.Cond)
		}
		statements.ForLoop(w.Function, s, p)
		w.stmt(s.Post, site.Position{})
		w.stmts(s.Body.List, false)
		statements.PlaceLabel(w.Function, s, s.Body)
	case *ast.RangeStmt:
		w.target(s.Key)
		w.target(s.Value)
		w.expr(s.X, site.Place{})
		w.stmts(s.Body.List, false)
		statements.PlaceLabel(w.Function, s, s.Body)
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
			statements.Offer(w.Function, clause, site.Position{})
			w.comm(clause.Comm)
			w.stmts(clause.Body, p.Last)
			statements.Comm(w.Function, clause, p.Last)
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
				expressions.GuardLater(w.Context, e)
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
		statements.CommaOk(w.Function, s, typing.Idents(vs.Names), vs.Values, true)
		w.exprs(vs.Values...)
	}
}

func (w *walker) exprStmt(s *ast.ExprStmt) {
	if call, ok := ast.Unparen(s.X).(*ast.CallExpr); ok {
		w.call(call) // and no kind of site that needs its result
		return
	}
	w.expr(s.X, site.Place{})
}

func (w *walker) assign(s *ast.AssignStmt) {
	switch s.Tok {
	case token.DEFINE:
	case token.ASSIGN:
		for _, e := range s.Lhs {
			w.target(e)
		}
	default:
		w.target(s.Lhs[0])
		w.expr(s.Rhs[0], site.Place{Limit: w.rightLimit(s.Tok, s.Lhs[0], s.Rhs[0])})
		return
	}
	w.exprs(s.Rhs...)
}

// returned walks an operand of a return statement.
func (w *walker) returned(e ast.Expr) {
	c := site.Place{}
	if typing.ClassOf(w.Info.TypeOf(e)) == operator.Bool {
		c.Decided = true
		w.Logic.Settle(e, func(v bool) bool {
			site := &operator.Site{Kind: operator.Result, Class: operator.Bool, Type: w.Info.TypeOf(e)}
			return w.Logic.Proposes(site, operator.Change{Do: logic.Forcing(v)})
		})
	}
	w.expr(e, c)
}

func (w *walker) ifStmt(s *ast.IfStmt, p site.Position) {
	w.stmt(s.Init, site.Position{})
	value, known := w.Info.Decided(s.Cond)
	if known && !value {
		w.neverThen(s, p)
		return
	}
	if !p.InList { // else the guard stands before the statement
		expressions.GuardLater(w.Context, s.Cond)
	}
	w.condition(s.Cond)
	statements.NoteThen(w.Function, s)
	w.stmts(s.Body.List, p.Last)
	statements.Then(w.Function, s, p.Last)
	if known && s.Else != nil {
		w.silenced(s.Else.Pos(), "block", reasons.UnreachableCode, func() { w.stmt(s.Else, site.Position{Last: p.Last}) })
		return
	}
	w.stmt(s.Else, site.Position{Last: p.Last})
	statements.Else(w.Function, s, p.Last)
}

// caseBody walks the body of a clause of a switch.
func (w *walker) caseBody(c *ast.CaseClause, p site.Position) {
	w.stmts(c.Body, p.Last)
	statements.Case(w.Function, c, p.Last)
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
	w.silenced(s.Cond.Pos(), "block", reasons.UnreachableCode, func() {
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

package schemata

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/fuzzmut/fuzzmut/instrument/operator"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/control"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/effects"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/logic"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/nilness"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/typing"
)

// walker finds the sites of one unit and writes their schemata into the copied
// bodies. Statements are in this file, expressions in expr.go; the edits in
// edits.go and statements.go.
type walker struct {
	u       *unit
	f       *file
	r       *rewriter
	info    *typing.Info
	results *types.Tuple   // of the innermost function; nil in an initialiser
	block   *ast.BlockStmt // the innermost function's body
	quiet   string         // why there are no mutants here, if there are none

	logic *logic.Logic

	flow    *control.Flow
	fx      *effects.Effects
	nils    *nilness.Facts
	ends    map[ast.Stmt]bool // statements that their function needs to be terminating
	sole    map[ast.Stmt]bool // that make up what a condition that is always false leaves out
	own     map[ast.Stmt]*ownLabel
	pairs   []*lockSet                          // with calls that lock and calls that unlock
	written ast.Expr                            // the operand that is assigned to
	within  ast.Stmt                            // the statement that is walked, in an initialiser nil
	taken   map[*ast.CallExpr][]operator.Action // changes of lengths not to offer
	deleted map[*ast.CallExpr]bool              // calls offered as the statements they make
}

func newWalker(u *unit, sig *types.Signature) *walker {
	w := &walker{
		u: u, f: u.f, r: u.f.r, info: u.f.r.info, flow: control.New(u.f.r.info), fx: u.f.fx, nils: u.f.nils, logic: logic.New(u.f.r.info, u.f.fx, u.f.r.Operators),
		ends: map[ast.Stmt]bool{}, sole: map[ast.Stmt]bool{}, own: map[ast.Stmt]*ownLabel{},
	}
	if sig != nil {
		w.results = sig.Results()
	}
	return w
}

// body walks a function's body.
func (w *walker) body(b *ast.BlockStmt) {
	defer func(outer *ast.BlockStmt) { w.block = outer }(w.block)
	w.block = b
	w.flow.Read(b)
	w.guards(b.List)
	w.stmts(b.List, w.results.Len() > 0)
}

// silenced walks something without making mutants in it, and lists the reason.
func (w *walker) silenced(pos token.Pos, what, reason string, walk func()) {
	saved := w.quiet
	if w.quiet == "" {
		w.r.skip(pos, what, "%s", reason)
		w.quiet = reason
	}
	walk()
	w.quiet = saved
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
				w.silenced(s.Pos(), "statement", unreachableCode, func() { w.stmt(s, position{inList: true}) })
			}
			continue
		}
		w.stmt(s, position{inList: true, last: last && i == end})
		dead = dead || w.flow.JumpsAway(s)
	}
}

// position is what the place of a statement allows.
type position struct {
	inList bool // in a statement list, where other statements can be put
	last   bool // its function needs it to be a terminating statement
}

func (w *walker) stmt(s ast.Stmt, p position) {
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
		w.incDec(s, p)
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
		w.stmts(s.List, p.last)
	default:
		w.compound(s, p)
	}
}

// compound walks the statements that have bodies.
func (w *walker) compound(s ast.Stmt, p position) {
	w.ends[s] = p.last
	switch s := s.(type) {
	case *ast.IfStmt:
		w.ifStmt(s, p)
	case *ast.ForStmt:
		w.stmt(s.Init, position{})
		if s.Cond != nil {
			w.condition(s.Cond)
		}
		w.forLoop(s, p)
		w.stmt(s.Post, position{})
		w.stmts(s.Body.List, false)
		w.placeLabel(s, s.Body)
	case *ast.RangeStmt:
		w.rangeLoop(s)
		w.target(s.Key)
		w.target(s.Value)
		w.expr(s.X, place{})
		w.stmts(s.Body.List, false)
		w.placeLabel(s, s.Body)
	case *ast.SwitchStmt:
		w.switchStmt(s, p)
	case *ast.TypeSwitchStmt:
		w.stmt(s.Init, position{})
		w.stmt(s.Assign, position{})
		for _, c := range s.Body.List {
			w.caseBody(c.(*ast.CaseClause), p)
		}
	case *ast.SelectStmt:
		for _, c := range s.Body.List {
			clause := c.(*ast.CommClause)
			w.commaOkClause(clause)
			w.comm(clause.Comm)
			w.stmts(clause.Body, p.last)
			w.commBody(clause, p)
		}
	}
}

func (w *walker) switchStmt(s *ast.SwitchStmt, p position) {
	w.stmt(s.Init, position{})
	if s.Tag != nil && !w.info.IsConstant(s.Tag) {
		w.recordTag(s)
		w.expr(s.Tag, place{})
	}
	for _, c := range s.Body.List {
		clause := c.(*ast.CaseClause)
		for _, e := range clause.List {
			switch {
			case w.info.IsConstant(e): // changed, it could be a duplicate case
			case s.Tag == nil:
				w.condition(e)
			default:
				w.expr(e, place{})
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
		w.expr(s.X, place{})
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

func (w *walker) exprStmt(s *ast.ExprStmt, p position) {
	call, ok := ast.Unparen(s.X).(*ast.CallExpr)
	if !ok {
		if _, receive := ast.Unparen(s.X).(*ast.UnaryExpr); receive {
			w.deletable(s, operator.OtherStmt, p)
		}
		w.expr(s.X, place{})
		return
	}
	kind := operator.OtherStmt
	if tv := w.info.Types[call]; tv.IsVoid() {
		kind = operator.VoidCall
	}
	switch {
	case w.r.loggers.Logs(call):
	case p.last && w.info.IsPanic(s): // without it the function would need a return
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
		w.written = ast.Unparen(e)
		w.expr(e, place{})
	}
}

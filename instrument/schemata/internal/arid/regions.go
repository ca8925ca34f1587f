package arid

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/reasons"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/typing"
)

// regions returns the uninteresting code of the function.
func (b *body) regions() []region {
	m := &marks{body: b, why: map[ast.Stmt]reasons.Reason{}, wanted: map[*types.Var]bool{}}
	list := append(m.operands(), b.pools()...)
	for more := true; more; {
		more = false
		for i := len(b.seen) - 1; i >= 0; i-- { // parts first
			more = m.mark(b.seen[i]) || more
		}
	}
	for _, s := range b.seen {
		if why := m.why[s]; why != nil {
			list = append(list, b.around(s, why)...)
		} else if sw, ok := s.(*ast.SwitchStmt); ok {
			list = append(list, b.emptyEnd(sw)...)
		}
	}
	return list
}

// marks are the dead statements that are uninteresting.
type marks struct {
	*body
	why    map[ast.Stmt]reasons.Reason
	wanted map[*types.Var]bool // variables with values for what is uninteresting
}

// operands notes what is logged or reserved by statements that are alive, and returns the
// operands of make that only reserve space.
func (m *marks) operands() (hints []region) {
	ast.Inspect(m.root, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		if m.onlyLogged(call) {
			for _, arg := range call.Args {
				m.want(arg)
			}
		}
		if hint := m.hint(call); hint != nil {
			m.want(hint)
			hints = append(hints, region{hint.Pos(), hint.End(), reasons.ReservesSpace})
		}
		return true
	})
	return hints
}

func (m *marks) want(n ast.Node) {
	ast.Inspect(n, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			if v := m.local(id); v != nil {
				m.wanted[v] = true
			}
		}
		return true
	})
}

// mark marks a dead statement if it is uninteresting, and says whether that is new.
func (m *marks) mark(s ast.Stmt) bool {
	if m.live[s] || m.why[s] != nil {
		return false
	}
	why := m.reason(s)
	if why == nil {
		return false
	}
	m.why[s] = why
	m.want(s)
	return true
}

func (m *marks) reason(s ast.Stmt) reasons.Reason {
	if _, ok := s.(*ast.BlockStmt); ok {
		return nil // what is in it has its own
	}
	switch {
	case m.speaks(s), jumps(s) && m.speaks(m.root):
		return reasons.OnlyLogs
	case isEmptyIf(s):
		return reasons.EmptyBranch
	case m.sets(s):
		return reasons.OnlyLogged
	}
	return nil
}

// isEmptyIf says whether a statement is a condition on which nothing happens: there is a
// comment in its body, perhaps.
func isEmptyIf(s ast.Stmt) bool {
	i, ok := s.(*ast.IfStmt)
	return ok && len(i.Body.List) == 0 && i.Else == nil
}

// emptyEnd returns the conditions of the clauses at the end of a switch in which nothing happens, if
// nothing happens either where none of all clauses is chosen.
func (b *body) emptyEnd(s *ast.SwitchStmt) (list []region) {
	var end []*ast.CaseClause
	for _, c := range s.Body.List {
		clause := c.(*ast.CaseClause)
		switch {
		case len(clause.Body) == 0:
			end = append(end, clause)
		case clause.List == nil: // a default
			return nil
		default:
			end = nil
		}
	}
	for _, clause := range end {
		for _, e := range clause.List {
			if !b.effectless(e) || b.mayPanic(e) {
				return nil
			}
			list = append(list, region{e.Pos(), e.End(), reasons.EmptyBranch})
		}
	}
	return list
}

// mayPanic says whether evaluating a condition may panic, so that one before it could be there to keep it from
// that.
func (b *body) mayPanic(e ast.Expr) (may bool) {
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.IndexExpr, *ast.SliceExpr, *ast.StarExpr, *ast.TypeAssertExpr:
			may = true
		case *ast.SelectorExpr:
			sel, ok := b.info.Selections[n]
			may = may || ok && (typing.Dereferences(sel) || len(sel.Index()) > 1)
		case *ast.CallExpr:
			name, _ := b.info.BuiltinCall(n)
			may = may || name != "len" && name != "cap"
		case *ast.BinaryExpr:
			may = may || n.Op == token.QUO || n.Op == token.REM || n.Op == token.SHL || n.Op == token.SHR ||
				(n.Op == token.EQL || n.Op == token.NEQ) && types.IsInterface(b.info.TypeOf(n.X))
		}
		return !may
	})
	return may
}

// jumps says whether a dead statement decides whether others are skipped, which then are
// dead, too.
func jumps(s ast.Stmt) bool {
	found := false
	ast.Inspect(s, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.ReturnStmt, *ast.BranchStmt:
			found = true
		}
		return !found
	})
	return found
}

// sets says whether a statement, or one in it, sets a variable that is wanted.
func (m *marks) sets(s ast.Stmt) bool {
	found := false
	wants := func(e ast.Expr) {
		v := m.variable(e)
		found = found || v != nil && m.wanted[v]
	}
	ast.Inspect(s, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, e := range n.Lhs {
				wants(e)
			}
		case *ast.IncDecStmt:
			wants(n.X)
		case *ast.ValueSpec:
			for _, id := range n.Names {
				wants(id)
			}
		}
		return !found
	})
	return found
}

// around returns the region of a statement, without the statement before its condition where
// that is alive.
func (b *body) around(s ast.Stmt, why reasons.Reason) []region {
	var init ast.Stmt
	switch s := s.(type) {
	case *ast.IfStmt:
		init = s.Init
	case *ast.ForStmt:
		init = s.Init
	case *ast.SwitchStmt:
		init = s.Init
	case *ast.TypeSwitchStmt:
		init = s.Init
	}
	if init == nil || !b.live[init] {
		return []region{{s.Pos(), s.End(), why}}
	}
	return []region{{s.Pos(), init.Pos(), why}, {init.End(), s.End(), why}}
}

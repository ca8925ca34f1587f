package arid

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/typing"
)

// body is a function with the literals in it. What is alive grows until nothing is added.
type body struct {
	*knowledge
	root ast.Node // the function

	live    map[ast.Node]bool // statements, and functions whose return statements matter
	needed  map[*types.Var]bool
	changed bool
	seen    []ast.Stmt // all statements

	fresh    map[*types.Var]bool    // slices that share no memory with others when they grow
	resliced map[*types.Var]bool    // slices whose capacity can be seen
	slices   map[*ast.CallExpr]bool // filled by made

	// What is walked.
	fn      ast.Node // the innermost function
	targets []ast.Stmt
}

func (k *knowledge) newBody(root ast.Node) *body {
	b := &body{
		knowledge: k, root: root, live: map[ast.Node]bool{}, needed: map[*types.Var]bool{},
		fresh: map[*types.Var]bool{}, resliced: map[*types.Var]bool{},
	}
	b.readSlices()
	return b
}

// analyse finds what is alive in a function.
func (k *knowledge) analyse(root ast.Node, t *ast.FuncType, block *ast.BlockStmt) *body {
	b := k.newBody(root)
	ast.Inspect(root, func(n ast.Node) bool {
		if t, ok := n.(*ast.FuncType); ok && t.Results != nil {
			for _, f := range t.Results.List {
				for _, id := range f.Names {
					if v, ok := k.info.Defs[id].(*types.Var); ok {
						b.needed[v] = true
					}
				}
			}
		}
		return true
	})
	b.live[root] = t.Results.NumFields() > 0
	for b.changed = true; b.changed; {
		b.changed, b.seen = false, b.seen[:0]
		b.function(root, block)
	}
	return b
}

// allDead says whether nothing in the function is alive.
func (b *body) allDead() bool {
	for _, s := range b.seen {
		if b.live[s] {
			return false
		}
	}
	return true
}

// function walks the body of a function. Its return statements matter once anything else
// in it does.
func (b *body) function(fn ast.Node, block *ast.BlockStmt) (live bool) {
	outer, targets := b.fn, b.targets
	b.fn, b.targets = fn, nil
	live = b.list(block.List)
	b.fn, b.targets = outer, targets
	b.set(fn, live)
	return live
}

func (b *body) set(n ast.Node, live bool) {
	if live && !b.live[n] {
		b.live[n], b.changed = true, true
	}
}

// list walks statements, the last first: what a statement needs stands before it, mostly.
func (b *body) list(list []ast.Stmt) (live bool) {
	for _, s := range slices.Backward(list) {
		live = b.stmt(s) || live
	}
	return live
}

// stmt says whether a statement has to stay: it, or one in it, is alive.
func (b *body) stmt(s ast.Stmt) bool {
	if s == nil {
		return false
	}
	b.seen = append(b.seen, s)
	own, init := false, false
	switch s := s.(type) {
	case *ast.IfStmt:
		init, own = b.stmt(s.Init), b.ifStmt(s)
	case *ast.ForStmt:
		init, own = b.stmt(s.Init), b.forStmt(s)
	case *ast.RangeStmt:
		own = b.rangeStmt(s)
	case *ast.SwitchStmt:
		init, own = b.stmt(s.Init), b.switchStmt(s)
	case *ast.TypeSwitchStmt:
		init, own = b.stmt(s.Init), b.typeSwitch(s)
	default:
		own = b.simple(s)
	}
	own = own || b.live[s]
	b.set(s, own)
	return own || init
}

// simple walks a statement that has no parts but expressions and lists.
func (b *body) simple(s ast.Stmt) bool {
	switch s := s.(type) {
	case *ast.EmptyStmt:
		return false
	case *ast.BlockStmt:
		return b.list(s.List)
	case *ast.ExprStmt:
		if call, ok := ast.Unparen(s.X).(*ast.CallExpr); ok && b.writes(call) && b.effectless(call) {
			return false
		}
	case *ast.AssignStmt:
		return b.assign(s, s.Lhs, s.Rhs)
	case *ast.IncDecStmt:
		return b.assign(s, []ast.Expr{s.X}, nil)
	case *ast.DeclStmt:
		return b.decl(s)
	case *ast.DeferStmt:
		if lit, ok := ast.Unparen(s.Call.Fun).(*ast.FuncLit); ok && len(s.Call.Args) == 0 {
			return b.function(lit, lit.Body)
		}
		if b.writes(s.Call) && b.effectless(s.Call) {
			return false
		}
	case *ast.ReturnStmt:
		if len(s.Results) == 0 && !b.live[b.fn] {
			return false
		}
	case *ast.BranchStmt:
		if t := b.target(s); t != nil && !b.live[t] {
			return false
		}
	case *ast.LabeledStmt:
		b.stmt(s.Stmt)
		return true
	case *ast.SelectStmt:
		b.selectStmt(s)
		return true
	}
	b.need(s)
	return true
}

// target returns the statement that a break or continue without a label concerns.
func (b *body) target(s *ast.BranchStmt) ast.Stmt {
	if s.Label != nil || s.Tok != token.BREAK && s.Tok != token.CONTINUE {
		return nil
	}
	for i := len(b.targets) - 1; i >= 0; i-- {
		switch t := b.targets[i].(type) {
		case *ast.ForStmt, *ast.RangeStmt:
			return t
		default:
			if s.Tok == token.BREAK {
				return t
			}
		}
	}
	return nil
}

// within walks a list in a statement that break concerns.
func (b *body) within(s ast.Stmt, list []ast.Stmt) bool {
	b.targets = append(b.targets, s)
	defer func() { b.targets = b.targets[:len(b.targets)-1] }()
	return b.list(list)
}

// assign walks an assignment, or ++ and --.
func (b *body) assign(s ast.Stmt, lhs, rhs []ast.Expr) bool {
	live, blank := false, true
	for _, e := range lhs {
		id, ok := ast.Unparen(e).(*ast.Ident)
		if ok && id.Name == "_" {
			continue
		}
		blank = false
		if !ok {
			live = true
			continue
		}
		v := b.local(id)
		live = live || v == nil || b.needed[v]
	}
	for _, e := range rhs {
		_, name := ast.Unparen(e).(*ast.Ident)
		live = live || !b.effectless(e) || blank && !name // _ = b[7] is there for its panic
	}
	if !live && !b.live[s] {
		return false
	}
	for _, e := range rhs {
		b.need(e)
	}
	for _, e := range lhs {
		if _, ok := ast.Unparen(e).(*ast.Ident); !ok {
			b.need(e)
		}
	}
	return true
}

// decl walks a declaration in a function.
func (b *body) decl(s *ast.DeclStmt) (live bool) {
	d, ok := s.Decl.(*ast.GenDecl)
	if !ok || d.Tok != token.VAR {
		return false
	}
	for _, spec := range d.Specs {
		vs := spec.(*ast.ValueSpec)
		live = b.assign(s, typing.Idents(vs.Names), vs.Values) || live
	}
	return live
}

func (b *body) ifStmt(s *ast.IfStmt) bool {
	live := b.list(s.Body.List)
	if s.Else != nil {
		live = b.stmt(s.Else) || live
	}
	return b.depends(s, live, s.Cond)
}

// depends says whether a statement is alive that has something alive in its body, or whose
// operands have effects; then it needs them.
func (b *body) depends(s ast.Stmt, live bool, operands ...ast.Expr) bool {
	for _, e := range operands {
		live = live || e != nil && !b.effectless(e)
	}
	if live || b.live[s] {
		for _, e := range operands {
			if e != nil {
				b.need(e)
			}
		}
	}
	return live
}

// forStmt walks a loop. One that need not end is alive.
func (b *body) forStmt(s *ast.ForStmt) bool {
	live := b.within(s, s.Body.List)
	live = b.stmt(s.Post) || live
	return b.depends(s, live || s.Cond == nil, s.Cond)
}

func (b *body) rangeStmt(s *ast.RangeStmt) bool {
	live := b.within(s, s.Body.List) || b.info.RangesOver(s.X)
	for _, e := range []ast.Expr{s.Key, s.Value} {
		if e == nil {
			continue
		}
		id, ok := ast.Unparen(e).(*ast.Ident)
		if !ok {
			b.need(e)
			live = true
			continue
		}
		if id.Name != "_" {
			v := b.local(id)
			live = live || v == nil || s.Tok == token.ASSIGN && b.needed[v]
		}
	}
	return b.depends(s, live, s.X)
}

func (b *body) switchStmt(s *ast.SwitchStmt) bool {
	operands := []ast.Expr{s.Tag}
	live := false
	for _, c := range s.Body.List {
		clause := c.(*ast.CaseClause)
		operands = append(operands, clause.List...)
		live = b.within(s, clause.Body) || live
	}
	return b.depends(s, live, operands...)
}

func (b *body) typeSwitch(s *ast.TypeSwitchStmt) bool {
	live := false
	for _, c := range s.Body.List {
		live = b.within(s, c.(*ast.CaseClause).Body) || live
	}
	var operand ast.Expr
	switch a := s.Assign.(type) {
	case *ast.AssignStmt:
		operand = a.Rhs[0]
	case *ast.ExprStmt:
		operand = a.X
	}
	return b.depends(s, live, operand)
}

func (b *body) selectStmt(s *ast.SelectStmt) {
	for _, c := range s.Body.List {
		clause := c.(*ast.CommClause)
		if clause.Comm != nil {
			b.need(clause.Comm)
		}
		b.within(s, clause.Body)
	}
}

// need notes the variables whose values something alive needs.
func (b *body) need(n ast.Node) {
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			b.set(n, true)
			b.function(n, n.Body)
			return false
		case *ast.CallExpr:
			return b.needCall(n)
		case *ast.Ident:
			if v := b.local(n); v != nil && !b.needed[v] {
				b.needed[v], b.changed = true, true
			}
		}
		return true
	})
}

// needCall notes what a call needs, but for what is only logged, and what only reserves
// space. It says whether that is to be done as for any other expression.
func (b *body) needCall(e *ast.CallExpr) bool {
	if b.onlyLogged(e) {
		b.need(e.Fun)
		for _, arg := range e.Args {
			if !b.effectless(arg) {
				b.need(arg)
			}
		}
		return false
	}
	hint := b.hint(e)
	if hint == nil {
		return true
	}
	for _, arg := range e.Args {
		if arg != hint {
			b.need(arg)
		}
	}
	return false
}

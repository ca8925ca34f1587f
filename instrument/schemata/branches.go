package schemata

import (
	"go/ast"
	"go/token"
	"slices"

	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/typing"
)

// branches knows, for the break, continue and fallthrough statements of function
// bodies, where control goes from them and where it would go otherwise.
type branches struct {
	info  *typing.Info
	jumps map[*ast.BranchStmt]*jump
	loops map[ast.Stmt]*loop
	left  map[ast.Stmt]bool // by a break

	// While a body is read: the statements around the one at hand, and the loops.
	open []*target
	here []*loop
}

func newBranches(info *typing.Info) *branches {
	return &branches{
		info: info, jumps: map[*ast.BranchStmt]*jump{}, loops: map[ast.Stmt]*loop{}, left: map[ast.Stmt]bool{},
	}
}

// target is a statement that break or continue may concern.
type target struct {
	stmt  ast.Stmt
	label *ast.Ident
	leave goal
}

func (t *target) isLoop() bool {
	switch t.stmt.(type) {
	case *ast.ForStmt, *ast.RangeStmt:
		return true
	}
	return false
}

// next is where continue goes.
func (t *target) next() goal { return goal{t.stmt, true} }

// goal is where control goes: before a statement, or past all rounds but the next
// of a loop (round), or to the end of a function's body. Two equal goals are the
// same way to go on. The zero goal is nowhere: what does not compile.
type goal struct {
	at    ast.Node
	round bool
}

// jump is what is known of one branch statement.
type jump struct {
	to     goal
	drop   goal    // without the statement
	bare   goal    // without its label
	swap   goal    // with break for continue, or continue for break
	target *target // of break and continue
	swapTo *target // of the swapped one; nil if there is none
	label  string  // of the swapped one; "" if it has none
	direct bool    // a break without label would concern the target
}

// loop is what is known of one loop.
type loop struct {
	labeled   *ast.LabeledStmt // it, with its label; nil without
	gotos     bool             // some goto outside of it jumps to its label
	named     bool             // some break or continue names its label
	continues []*ast.BranchStmt
	labels    map[string]bool // of its function
}

// read reads a function's body. The bodies of the function literals in it are read
// by themselves.
func (b *branches) read(body *ast.BlockStmt) {
	b.open, b.here = nil, nil
	b.list(body.List, goal{body, false})
	b.seal(body)
}

// list reads a statement list after which control goes to after.
func (b *branches) list(list []ast.Stmt, after goal) {
	for i := len(list) - 1; i >= 0; i-- {
		s := list[i]
		if isEmpty(s) {
			continue
		}
		b.stmt(s, after)
		if after = (goal{s, false}); isBranch(s) {
			after = b.jumps[s.(*ast.BranchStmt)].to
		}
	}
}

// isBranch says whether a statement is a break or continue.
func isBranch(s ast.Stmt) bool {
	branch, ok := s.(*ast.BranchStmt)
	return ok && (branch.Tok == token.BREAK || branch.Tok == token.CONTINUE)
}

func (b *branches) stmt(s ast.Stmt, after goal) {
	switch s := s.(type) {
	case *ast.LabeledStmt:
		if l := b.compound(s.Stmt, after, s.Label); l != nil {
			l.labeled = s
		}
	case *ast.BranchStmt:
		b.branch(s, after)
	default:
		b.compound(s, after, nil)
	}
}

// compound reads a statement with statements in it; of a loop it returns what is
// known.
func (b *branches) compound(s ast.Stmt, after goal, label *ast.Ident) *loop {
	switch s := s.(type) {
	case *ast.BlockStmt:
		b.list(s.List, after)
	case *ast.IfStmt:
		b.list(s.Body.List, after)
		if s.Else != nil {
			b.stmt(s.Else, after)
		}
	case *ast.ForStmt:
		return b.loop(s, s.Body, after, label)
	case *ast.RangeStmt:
		return b.loop(s, s.Body, after, label)
	case *ast.SwitchStmt:
		b.clauses(s, s.Body, after, label)
	case *ast.TypeSwitchStmt:
		b.clauses(s, s.Body, after, label)
	case *ast.SelectStmt:
		b.clauses(s, s.Body, after, label)
	case *ast.LabeledStmt, *ast.BranchStmt:
		b.stmt(s, after)
	}
	return nil
}

func (b *branches) loop(s ast.Stmt, body *ast.BlockStmt, after goal, label *ast.Ident) *loop {
	l := &loop{}
	b.loops[s], b.here = l, append(b.here, l)
	t := &target{s, label, after}
	b.open = append(b.open, t)
	b.list(body.List, t.next())
	b.open = b.open[:len(b.open)-1]
	return l
}

func (b *branches) clauses(s ast.Stmt, body *ast.BlockStmt, after goal, label *ast.Ident) {
	b.open = append(b.open, &target{s, label, after})
	for i, c := range body.List {
		switch c := c.(type) {
		case *ast.CaseClause:
			b.list(c.Body, after)
			if f := fallsThrough(c.Body); f != nil {
				next := body.List[i+1].(*ast.CaseClause)
				b.jumps[f] = &jump{to: goal{next, false}, drop: after}
				if len(next.Body) == 0 {
					b.jumps[f].to = after
				}
			}
		case *ast.CommClause:
			b.list(c.Body, after)
		}
	}
	b.open = b.open[:len(b.open)-1]
}

// fallsThrough returns the fallthrough statement that ends a clause, or nil.
func fallsThrough(list []ast.Stmt) *ast.BranchStmt {
	list = trimEmpty(list)
	if len(list) == 0 {
		return nil
	}
	s := list[len(list)-1]
	for labeled, ok := s.(*ast.LabeledStmt); ok; labeled, ok = s.(*ast.LabeledStmt) {
		s = labeled.Stmt
	}
	if branch, ok := s.(*ast.BranchStmt); ok && branch.Tok == token.FALLTHROUGH {
		return branch
	}
	return nil
}

// trimEmpty leaves out the empty statements at the end of a list.
func trimEmpty(list []ast.Stmt) []ast.Stmt {
	for len(list) > 0 && isEmpty(list[len(list)-1]) {
		list = list[:len(list)-1]
	}
	return list
}

// branch reads a break or continue.
func (b *branches) branch(s *ast.BranchStmt, after goal) {
	if !isBranch(s) {
		return
	}
	j := &jump{drop: after, target: b.innermost(s.Tok)}
	b.jumps[s] = j
	if s.Label != nil {
		j.bare = j.target.goal(s.Tok)
		j.target = b.labeled(s.Label.Name)
		if l := b.loops[j.target.stmt]; l != nil {
			l.named = true
		}
	}
	j.to = j.target.goal(s.Tok)
	j.direct = b.innermost(token.BREAK) == j.target
	if s.Tok == token.BREAK {
		b.left[j.target.stmt] = true
	} else {
		l := b.loops[j.target.stmt]
		l.continues = append(l.continues, s)
	}
	b.swapped(s, j)
}

// swapped finds what the other of break and continue would do. It keeps the
// label. Without one, a break that takes the place of continue in a switch or
// select leaves that, unless the loop has a label that says better.
func (b *branches) swapped(s *ast.BranchStmt, j *jump) {
	j.swapTo = j.target
	switch {
	case s.Tok == token.BREAK:
		if s.Label == nil {
			j.swapTo = b.innermost(token.CONTINUE)
		} else {
			j.label = s.Label.Name
		}
		if j.swapTo != nil && !j.swapTo.isLoop() {
			j.swapTo = nil
		}
		if j.swapTo != nil {
			j.swap = j.swapTo.next()
		}
	case s.Label != nil:
		j.label = s.Label.Name
		j.swap = j.target.leave
	case j.direct:
		j.swap = j.target.leave
	case j.target.label != nil:
		j.label = j.target.label.Name
		j.swap = j.target.leave
	default:
		j.swapTo = b.innermost(token.BREAK)
		j.swap = j.swapTo.leave
	}
}

// goal is where break or continue goes.
func (t *target) goal(tok token.Token) goal {
	if tok == token.CONTINUE {
		return t.next()
	}
	return t.leave
}

// innermost returns what break or continue without label concerns, or nil.
func (b *branches) innermost(tok token.Token) *target {
	for i := len(b.open) - 1; i >= 0; i-- {
		if t := b.open[i]; tok == token.BREAK || t.isLoop() {
			return t
		}
	}
	return nil
}

func (b *branches) labeled(label string) *target {
	for i := len(b.open) - 1; i >= 0; i-- {
		if t := b.open[i]; t.label != nil && t.label.Name == label {
			return t
		}
	}
	return nil
}

// seal notes which loops of the body just read a goto from elsewhere jumps to, and
// tells them the labels of the body. Their continue statements get the order of
// the source.
func (b *branches) seal(body *ast.BlockStmt) {
	labels, gotos := map[string]bool{}, map[string][]token.Pos{}
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.LabeledStmt:
			labels[n.Label.Name] = true
		case *ast.BranchStmt:
			if n.Tok == token.GOTO {
				gotos[n.Label.Name] = append(gotos[n.Label.Name], n.Pos())
			}
		}
		return true
	})
	for _, l := range b.here {
		l.labels = labels
		slices.SortFunc(l.continues, func(x, y *ast.BranchStmt) int { return int(x.Pos() - y.Pos()) })
		if l.labeled == nil {
			continue
		}
		for _, pos := range gotos[l.labeled.Label.Name] {
			l.gotos = l.gotos || pos < l.labeled.Pos() || pos >= l.labeled.End()
		}
	}
}

// terminates says whether control never gets to the end of a statement list, as
// far as the language knows: a terminating statement or a jump stands in the way.
func (b *branches) terminates(list []ast.Stmt) bool {
	dead := false
	for _, s := range list {
		if _, labeled := s.(*ast.LabeledStmt); labeled {
			dead = false
		}
		dead = dead || b.terminating(s)
	}
	return dead
}

func (b *branches) terminating(s ast.Stmt) bool {
	switch s := s.(type) {
	case *ast.ReturnStmt, *ast.BranchStmt:
		return true
	case *ast.ExprStmt:
		return b.info.IsPanic(s)
	case *ast.LabeledStmt:
		return b.terminating(s.Stmt)
	case *ast.BlockStmt:
		return b.terminates(s.List)
	case *ast.IfStmt:
		return s.Else != nil && b.terminates(s.Body.List) && b.terminating(s.Else)
	case *ast.ForStmt:
		return s.Cond == nil && !b.left[s]
	case *ast.SwitchStmt:
		return !b.left[s] && b.terminatingClauses(s.Body, true)
	case *ast.TypeSwitchStmt:
		return !b.left[s] && b.terminatingClauses(s.Body, true)
	case *ast.SelectStmt:
		return !b.left[s] && b.terminatingClauses(s.Body, false)
	}
	return false
}

func (b *branches) terminatingClauses(body *ast.BlockStmt, needsDefault bool) bool {
	for _, c := range body.List {
		switch c := c.(type) {
		case *ast.CaseClause:
			needsDefault = needsDefault && c.List != nil
			if !b.terminates(c.Body) {
				return false
			}
		case *ast.CommClause:
			if !b.terminates(c.Body) {
				return false
			}
		}
	}
	return !needsDefault
}

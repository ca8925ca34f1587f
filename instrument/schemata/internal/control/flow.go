// Package control knows where control goes in function bodies.
package control

import (
	"go/ast"
	"go/token"
	"slices"

	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/typing"
)

// Flow knows, for the break, continue and fallthrough statements of function
// bodies, where control goes from them and where it would go otherwise.
type Flow struct {
	info  *typing.Info
	jumps map[*ast.BranchStmt]*Jump
	loops map[ast.Stmt]*Loop
	left  map[ast.Stmt]bool // by a break

	// While a body is read: the statements around the one at hand, and the loops.
	open []*Target
	here []*Loop
}

// New returns a flow without bodies.
func New(info *typing.Info) *Flow {
	return &Flow{
		info: info, jumps: map[*ast.BranchStmt]*Jump{}, loops: map[ast.Stmt]*Loop{}, left: map[ast.Stmt]bool{},
	}
}

// Target is a statement that break or continue may concern.
type Target struct {
	Stmt  ast.Stmt
	label *ast.Ident
	leave Goal
}

func (t *Target) isLoop() bool {
	switch t.Stmt.(type) {
	case *ast.ForStmt, *ast.RangeStmt:
		return true
	}
	return false
}

// next is where continue goes.
func (t *Target) next() Goal { return Goal{t.Stmt, true} }

// Goal is where control goes: before a statement, or past all rounds but the next
// of a loop (round), or to the end of a function's body. Two equal goals are the
// same way to go on. The zero goal is nowhere: what does not compile.
type Goal struct {
	at    ast.Node
	round bool
}

// Jump is what is known of one branch statement.
type Jump struct {
	To     Goal
	Drop   Goal    // without the statement
	Bare   Goal    // without its label
	Swap   Goal    // with break for continue, or continue for break
	Target *Target // of break and continue
	SwapTo *Target // of the swapped one; nil if there is none
	Label  string  // of the swapped one; "" if it has none
	Direct bool    // a break without label would concern the target
}

// Loop is what is known of one loop.
type Loop struct {
	Labeled   *ast.LabeledStmt // it, with its label; nil without
	Gotos     bool             // some goto outside of it jumps to its label
	Named     bool             // some break or continue names its label
	Continues []*ast.BranchStmt
	Labels    map[string]bool // of its function
}

// Jump returns what is known of a branch statement, nil if that is a goto.
func (b *Flow) Jump(s *ast.BranchStmt) *Jump { return b.jumps[s] }

// Loop returns what is known of a loop.
func (b *Flow) Loop(s ast.Stmt) *Loop { return b.loops[s] }

// Read reads a function's body. The bodies of the function literals in it are read
// by themselves.
func (b *Flow) Read(body *ast.BlockStmt) {
	b.open, b.here = nil, nil
	b.list(body.List, Goal{body, false})
	b.finish(body)
}

// list reads a statement list after which control goes to after.
func (b *Flow) list(list []ast.Stmt, after Goal) {
	for i := len(list) - 1; i >= 0; i-- {
		s := list[i]
		if IsEmpty(s) {
			continue
		}
		b.stmt(s, after)
		if after = (Goal{s, false}); isBranch(s) {
			after = b.jumps[s.(*ast.BranchStmt)].To
		}
	}
}

// isBranch says whether a statement is a break or continue.
func isBranch(s ast.Stmt) bool {
	branch, ok := s.(*ast.BranchStmt)
	return ok && (branch.Tok == token.BREAK || branch.Tok == token.CONTINUE)
}

func (b *Flow) stmt(s ast.Stmt, after Goal) {
	switch s := s.(type) {
	case *ast.LabeledStmt:
		if l := b.compound(s.Stmt, after, s.Label); l != nil {
			l.Labeled = s
		}
	case *ast.BranchStmt:
		b.branch(s, after)
	default:
		b.compound(s, after, nil)
	}
}

// compound reads a statement with statements in it; of a loop it returns what is
// known.
func (b *Flow) compound(s ast.Stmt, after Goal, label *ast.Ident) *Loop {
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

func (b *Flow) loop(s ast.Stmt, body *ast.BlockStmt, after Goal, label *ast.Ident) *Loop {
	l := &Loop{}
	b.loops[s], b.here = l, append(b.here, l)
	t := &Target{s, label, after}
	b.open = append(b.open, t)
	b.list(body.List, t.next())
	b.open = b.open[:len(b.open)-1]
	return l
}

func (b *Flow) clauses(s ast.Stmt, body *ast.BlockStmt, after Goal, label *ast.Ident) {
	b.open = append(b.open, &Target{s, label, after})
	for i, c := range body.List {
		switch c := c.(type) {
		case *ast.CaseClause:
			b.list(c.Body, after)
			if f := FallsThrough(c.Body); f != nil {
				next := body.List[i+1].(*ast.CaseClause)
				b.jumps[f] = &Jump{To: Goal{next, false}, Drop: after}
				if len(next.Body) == 0 {
					b.jumps[f].To = after
				}
			}
		case *ast.CommClause:
			b.list(c.Body, after)
		}
	}
	b.open = b.open[:len(b.open)-1]
}

// FallsThrough returns the fallthrough statement that ends a clause, or nil.
func FallsThrough(list []ast.Stmt) *ast.BranchStmt {
	list = TrimEmpty(list)
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

// TrimEmpty leaves out the empty statements at the end of a list.
func TrimEmpty(list []ast.Stmt) []ast.Stmt {
	for len(list) > 0 && IsEmpty(list[len(list)-1]) {
		list = list[:len(list)-1]
	}
	return list
}

// branch reads a break or continue.
func (b *Flow) branch(s *ast.BranchStmt, after Goal) {
	if !isBranch(s) {
		return
	}
	j := &Jump{Drop: after, Target: b.innermost(s.Tok)}
	b.jumps[s] = j
	if s.Label != nil {
		j.Bare = j.Target.goal(s.Tok)
		j.Target = b.labeled(s.Label.Name)
		if l := b.loops[j.Target.Stmt]; l != nil {
			l.Named = true
		}
	}
	j.To = j.Target.goal(s.Tok)
	j.Direct = b.innermost(token.BREAK) == j.Target
	if s.Tok == token.BREAK {
		b.left[j.Target.Stmt] = true
	} else {
		l := b.loops[j.Target.Stmt]
		l.Continues = append(l.Continues, s)
	}
	b.swapped(s, j)
}

// swapped finds what the other of break and continue would do. It keeps the
// label. Without one, a break that takes the place of continue in a switch or
// select leaves that, unless the loop has a label that says better.
func (b *Flow) swapped(s *ast.BranchStmt, j *Jump) {
	j.SwapTo = j.Target
	switch {
	case s.Tok == token.BREAK:
		if s.Label == nil {
			j.SwapTo = b.innermost(token.CONTINUE)
		} else {
			j.Label = s.Label.Name
		}
		if j.SwapTo != nil && !j.SwapTo.isLoop() {
			j.SwapTo = nil
		}
		if j.SwapTo != nil {
			j.Swap = j.SwapTo.next()
		}
	case s.Label != nil:
		j.Label = s.Label.Name
		j.Swap = j.Target.leave
	case j.Direct:
		j.Swap = j.Target.leave
	case j.Target.label != nil:
		j.Label = j.Target.label.Name
		j.Swap = j.Target.leave
	default:
		j.SwapTo = b.innermost(token.BREAK)
		j.Swap = j.SwapTo.leave
	}
}

// goal is where break or continue goes.
func (t *Target) goal(tok token.Token) Goal {
	if tok == token.CONTINUE {
		return t.next()
	}
	return t.leave
}

// innermost returns what break or continue without label concerns, or nil.
func (b *Flow) innermost(tok token.Token) *Target {
	for i := len(b.open) - 1; i >= 0; i-- {
		if t := b.open[i]; tok == token.BREAK || t.isLoop() {
			return t
		}
	}
	return nil
}

func (b *Flow) labeled(label string) *Target {
	for i := len(b.open) - 1; i >= 0; i-- {
		if t := b.open[i]; t.label != nil && t.label.Name == label {
			return t
		}
	}
	return nil
}

// finish notes which loops of the body just read a goto from elsewhere jumps to, and
// their labels. Their continue statements get the order of
// the source.
func (b *Flow) finish(body *ast.BlockStmt) {
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
		l.Labels = labels
		slices.SortFunc(l.Continues, func(x, y *ast.BranchStmt) int { return int(x.Pos() - y.Pos()) })
		if l.Labeled == nil {
			continue
		}
		for _, pos := range gotos[l.Labeled.Label.Name] {
			l.Gotos = l.Gotos || pos < l.Labeled.Pos() || pos >= l.Labeled.End()
		}
	}
}

// Terminates says whether control never gets to the end of a statement list, as
// far as the language knows: a terminating statement or a jump stands in the way.
func (b *Flow) Terminates(list []ast.Stmt) bool {
	dead := false
	for _, s := range list {
		if _, labeled := s.(*ast.LabeledStmt); labeled {
			dead = false
		}
		dead = dead || b.terminating(s)
	}
	return dead
}

func (b *Flow) terminating(s ast.Stmt) bool {
	switch s := s.(type) {
	case *ast.ReturnStmt, *ast.BranchStmt:
		return true
	case *ast.ExprStmt:
		return b.info.IsPanic(s)
	case *ast.LabeledStmt:
		return b.terminating(s.Stmt)
	case *ast.BlockStmt:
		return b.Terminates(s.List)
	case *ast.IfStmt:
		return s.Else != nil && b.Terminates(s.Body.List) && b.terminating(s.Else)
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

func (b *Flow) terminatingClauses(body *ast.BlockStmt, needsDefault bool) bool {
	for _, c := range body.List {
		switch c := c.(type) {
		case *ast.CaseClause:
			needsDefault = needsDefault && c.List != nil
			if !b.Terminates(c.Body) {
				return false
			}
		case *ast.CommClause:
			if !b.Terminates(c.Body) {
				return false
			}
		}
	}
	return !needsDefault
}

// IsEmpty says whether a statement is a lone semicolon.
func IsEmpty(s ast.Stmt) bool {
	_, ok := s.(*ast.EmptyStmt)
	return ok
}

// JumpsAway says whether control never gets past a simple statement.
func (b *Flow) JumpsAway(s ast.Stmt) bool {
	switch s := s.(type) {
	case *ast.ReturnStmt:
		return true
	case *ast.BranchStmt:
		return s.Tok != token.FALLTHROUGH
	case *ast.ExprStmt:
		return b.info.IsPanic(s)
	}
	return false
}

package schemata

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strconv"

	"github.com/fuzzmut/fuzzmut/instrument/operator"
)

// forLoop offers a for statement without range, whose condition has been walked.
func (w *walker) forLoop(s *ast.ForStmt, p position) {
	header := w.header(s.Pos(), s.Body.Lbrace+1)
	site := &operator.Site{Kind: operator.Loop}
	arg, cant := "", ""
	if s.Cond != nil {
		arg, cant = w.boolArg(w.info.TypeOf(s.Cond), s.Cond.Pos())
	}
	base, live := w.offer(site, header, func(ch operator.Change) (plain, string) {
		if ch.Do == operator.Once {
			return w.onceEdit(s, s.Body, p)
		}
		edit, why := w.neverEdit(s, p)
		return edit, cmp.Or(cant, why)
	})
	for i, ch := range live {
		switch {
		case ch.Do == operator.Once:
			w.once(base+i, s, s.Body, w.calmHeader(s))
		case s.Cond != nil:
			w.f.slow.Enclose(w.f.Off(s.Cond.Pos()), w.f.Off(s.Cond.End()), w.helper("Bool", arg, "%d, %d, ", base+i, boolCode(operator.Change{Do: operator.False})), ")")
		default: // the round is made, but nothing of it
			w.f.slow.Insert(w.f.Off(s.Body.Lbrace)+1, " "+w.jumpIf(base+i, token.BREAK, nil, ""))
		}
	}
}

// neverEdit is the plain edit that makes the condition of a for statement false.
func (w *walker) neverEdit(s *ast.ForStmt, p position) (plain, string) {
	if s.Cond != nil {
		if v := w.info.Value(s.Cond); v != nil && !constant.BoolVal(v) {
			return plain{}, "the same program: unreachable code"
		}
		edit := w.forced(s.Cond, operator.False, false)
		edit.desc = "skipped the loop"
		_, why := w.info.Predeclared("false", s.Cond.Pos())
		return edit, cmp.Or(why, w.logic.Settled(s.Cond, operator.False))
	}
	no, why := w.info.Predeclared("false", s.Body.Pos())
	if p.last {
		why = missingReturn
	}
	text := "for " + no + " "
	if s.Init != nil || s.Post != nil {
		text = fmt.Sprintf("for %s; %s; %s ", w.nodeOrNone(s.Init), no, w.nodeOrNone(s.Post))
	}
	return plain{s.Pos(), s.Body.Lbrace, text, "skipped the loop"}, why
}

func (w *walker) nodeOrNone(s ast.Stmt) string {
	if s == nil {
		return ""
	}
	return w.f.Node(s)
}

// calmHeader says whether the end of the last round of a for statement, from its
// post statement on, leaves nothing behind: a mutant that leaves before is the
// same unless there would be another round.
func (w *walker) calmHeader(s *ast.ForStmt) bool {
	if s.Cond != nil && !w.fx.Pure(s.Cond) {
		return false
	}
	switch post := s.Post.(type) {
	case nil:
		return true
	case *ast.IncDecStmt:
		return w.counts(s, post.X)
	case *ast.AssignStmt:
		for _, e := range post.Lhs {
			if !w.counts(s, e) {
				return false
			}
		}
		for _, e := range post.Rhs {
			if !w.fx.Pure(e) {
				return false
			}
		}
		return true
	}
	return false
}

// counts says whether an operand is a variable that a for statement declares and
// that nothing can see once the loop is left: no function literal has it, and its
// address is not taken.
func (w *walker) counts(s *ast.ForStmt, e ast.Expr) bool {
	id, ok := ast.Unparen(e).(*ast.Ident)
	if !ok {
		return false
	}
	v, ok := w.info.Uses[id].(*types.Var)
	if !ok || v.Pos() < s.Pos() || v.Pos() > s.Body.Lbrace {
		return false
	}
	if _, basic := types.Unalias(v.Type()).(*types.Basic); !basic {
		return false // a method could take the address
	}
	hidden := true
	ast.Inspect(s, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			hidden = hidden && !w.info.Mentions(n, v)
		case *ast.UnaryExpr:
			hidden = hidden && (n.Op != token.AND || !w.info.Mentions(n.X, v))
		}
		return hidden
	})
	return hidden
}

// rangeLoop offers a range statement.
func (w *walker) rangeLoop(s *ast.RangeStmt) {
	header := w.header(s.Pos(), s.Body.Lbrace+1)
	base, live := w.offer(&operator.Site{Kind: operator.Loop}, header, func(ch operator.Change) (plain, string) {
		if ch.Do == operator.Once {
			return w.onceEdit(s, s.Body, position{})
		}
		whole := w.whole(s)
		text, why := w.keep(whole)
		return plain{whole.Pos(), whole.End(), text, "skipped the loop"}, why
	})
	for i, ch := range live {
		if ch.Do == operator.Once {
			w.once(base+i, s, s.Body, !w.info.RangesOver(s.X))
		} else {
			w.skipRange(base+i, s)
		}
	}
}

// whole returns a loop with its label, unless a goto needs the label by itself.
func (w *walker) whole(s ast.Stmt) ast.Stmt {
	if l := w.flow.Loop(s); l.Labeled != nil && !l.Gotos {
		return l.Labeled
	}
	return s
}

// skipRange puts a range statement under a condition, with its label, which only
// in front of a loop can be continued at. A label that gotos jump to must stay
// outside; break and continue then get another.
func (w *walker) skipRange(id int, s *ast.RangeStmt) {
	whole := w.whole(s)
	if w.flow.Loop(s).Gotos {
		w.ownLabel(s)
	}
	if w.info.RangesOver(s.X) || !w.fx.Pure(s.X) {
		w.wrap(whole.Pos(), whole.End(), "if "+w.helper("Do", "", "%d", id)+") { ", " }")
		return
	}
	w.wrap(whole.Pos(), whole.End(), "if "+w.helper("Enter", "", "%d", id)+") { ", "; "+w.helper("Ended", "", "%d", id)+") }")
	w.f.slow.Insert(w.f.Off(s.Body.Lbrace)+1, " "+w.helper("Began", "", "%d", id)+"); ")
}

// ownLabel gives a loop a label of its own in the copied body.
func (w *walker) ownLabel(s ast.Stmt) {
	w.own[s] = &ownLabel{name: fmt.Sprintf("%sl%d", w.r.names.result, w.f.Off(s.Pos()))}
}

// ownLabel is a label that a loop has in the copied body alone. A label that is
// not used would not compile.
type ownLabel struct {
	name string
	used bool
}

// labelOf returns the label of a statement in the copied body, to be used there. A
// loop without one gets one.
func (w *walker) labelOf(s ast.Stmt, label string) string {
	if label == "" && w.own[s] == nil {
		w.ownLabel(s)
	}
	if own := w.own[s]; own != nil {
		own.used = true
		return own.name
	}
	return label + w.r.names.label
}

// placeLabel writes a loop's own label, if anything uses it. It comes after the
// loop has been walked.
func (w *walker) placeLabel(s ast.Stmt, body *ast.BlockStmt) {
	own, l := w.own[s], w.flow.Loop(s)
	if own == nil || !own.used && !l.Named {
		return
	}
	w.wrap(s.Pos(), body.Lbrace, own.name+": ", "")
	if l.Named {
		if w.u.moved == nil {
			w.u.moved = map[types.Object]string{}
		}
		w.u.moved[w.info.Defs[l.Labeled.Label]] = own.name
	}
}

// onceEdit is the plain edit that leaves a loop at the end of its first round: a
// break there, and in the place of every continue.
func (w *walker) onceEdit(s ast.Stmt, body *ast.BlockStmt, p position) (plain, string) {
	l := w.flow.Loop(s)
	ends := !w.flow.Terminates(body.List)
	switch forever, ok := s.(*ast.ForStmt); {
	case !ends && len(l.Continues) == 0:
		return plain{}, "the same program: there is no second round"
	case ok && forever.Cond == nil && p.last:
		return plain{}, missingReturn
	}
	edit := plain{lo: body.Rbrace, hi: body.Rbrace, desc: "left the loop after its first round"}
	if len(l.Continues) > 0 {
		edit.lo = l.Continues[0].Pos()
	}
	label := ""
	if l.Labeled != nil {
		label = l.Labeled.Label.Name
	} else if w.needsLabel(s) {
		edit.lo, label = s.Pos(), freshLabel(l.Labels)
		edit.text = label + ": "
	}
	done := edit.lo
	for _, c := range l.Continues {
		edit.text += w.f.Text(done, c.Pos()) + "break"
		if done = c.End(); c.Label != nil || !w.flow.Jump(c).Direct {
			edit.text += " " + label
		}
	}
	edit.text += w.f.Text(done, body.Rbrace)
	if ends {
		if w.f.CodeBefore(body.Rbrace) {
			edit.text += "; "
		}
		edit.text += "break "
	}
	return edit, ""
}

// needsLabel says whether a loop has a continue in whose place a break without
// label would leave something else.
func (w *walker) needsLabel(s ast.Stmt) bool {
	for _, c := range w.flow.Loop(s).Continues {
		if !w.flow.Jump(c).Direct {
			return true
		}
	}
	return false
}

// freshLabel returns a label that a function does not have.
func freshLabel(taken map[string]bool) string {
	label := "once"
	for n := 2; taken[label]; n++ {
		label = "once" + strconv.Itoa(n)
	}
	return label
}

// once lets a loop be left where its first round ends. For a loop that is calm,
// the end of whose last round leaves nothing behind, a variable tells whether
// there is a second.
func (w *walker) once(id int, s ast.Stmt, body *ast.BlockStmt, calm bool) {
	l := w.flow.Loop(s)
	helper := "On"
	if calm && !l.Gotos {
		helper = "Leave"
		whole := w.whole(s)
		rounds := fmt.Sprintf("%sn%d", w.r.names.result, w.f.Off(s.Pos()))
		w.wrap(whole.Pos(), whole.End(), "{ "+rounds+" := "+w.helper("Rounds", "", "%d", id)+"); ", "; "+w.helper("Ended", "", "%d", id)+") }")
		w.f.slow.Insert(w.f.Off(body.Lbrace)+1, fmt.Sprintf(" %s = %s, %s); ", rounds, w.helper("Again", "", "%d", id), rounds))
	}
	label := ""
	if l.Labeled != nil {
		label = l.Labeled.Label.Name
	}
	test := "if " + w.helper(helper, "", "%d", id) + ") { break"
	for _, c := range l.Continues {
		to := ""
		if !w.flow.Jump(c).Direct {
			to = " " + w.labelOf(s, label)
		}
		w.wrap(c.Pos(), c.End(), test+to+" }; ", "")
	}
	if !w.flow.Terminates(body.List) {
		w.f.slow.Insert(w.f.Off(body.Rbrace), "; "+test+" }; ")
	}
}

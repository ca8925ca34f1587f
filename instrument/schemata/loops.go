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
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/helper"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/mutants"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/plain"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/site"
)

// forLoop offers a for statement without range, whose condition has been walked.
func (w *walker) forLoop(s *ast.ForStmt, p site.Position) {
	header := w.header(s.Pos(), s.Body.Lbrace+1)
	site := &operator.Site{Kind: operator.Loop}
	arg, cant := "", ""
	if s.Cond != nil {
		arg, cant = w.Calls.BoolArg(w.Info.TypeOf(s.Cond), s.Cond.Pos())
	}
	base, live := w.offer(site, header, func(ch operator.Change) (plain.Edit, string) {
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
			w.Slow.Enclose(w.Src.Off(s.Cond.Pos()), w.Src.Off(s.Cond.End()), w.Calls.Begin("Bool", arg, "%d, %d, ", base+i, helper.BoolCode(operator.Change{Do: operator.False})), ")")
		default: // the round is made, but nothing of it
			w.Slow.Insert(w.Src.Off(s.Body.Lbrace)+1, " "+w.jumpIf(base+i, token.BREAK, nil, ""))
		}
	}
}

// neverEdit is the plain edit that makes the condition of a for statement false.
func (w *walker) neverEdit(s *ast.ForStmt, p site.Position) (plain.Edit, string) {
	if s.Cond != nil {
		if v := w.Info.Value(s.Cond); v != nil && !constant.BoolVal(v) {
			return plain.Edit{}, "the same program: unreachable code"
		}
		edit := w.Plain.Forced(s.Cond, operator.False, false)
		edit.Desc = "skipped the loop"
		_, why := w.Info.Predeclared("false", s.Cond.Pos())
		return edit, cmp.Or(why, w.Logic.Settled(s.Cond, operator.False))
	}
	no, why := w.Info.Predeclared("false", s.Body.Pos())
	if p.Last {
		why = mutants.MissingReturn
	}
	text := "for " + no + " "
	if s.Init != nil || s.Post != nil {
		text = fmt.Sprintf("for %s; %s; %s ", w.nodeOrNone(s.Init), no, w.nodeOrNone(s.Post))
	}
	return plain.Replace(s.Pos(), s.Body.Lbrace, text, "skipped the loop"), why
}

func (w *walker) nodeOrNone(s ast.Stmt) string {
	if s == nil {
		return ""
	}
	return w.Src.Node(s)
}

// calmHeader says whether the end of the last round of a for statement, from its
// post statement on, leaves nothing behind: a mutant that leaves before is the
// same unless there would be another round.
func (w *walker) calmHeader(s *ast.ForStmt) bool {
	if s.Cond != nil && !w.Effects.Pure(s.Cond) {
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
			if !w.Effects.Pure(e) {
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
	v, ok := w.Info.Uses[id].(*types.Var)
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
			hidden = hidden && !w.Info.Mentions(n, v)
		case *ast.UnaryExpr:
			hidden = hidden && (n.Op != token.AND || !w.Info.Mentions(n.X, v))
		}
		return hidden
	})
	return hidden
}

// rangeLoop offers a range statement.
func (w *walker) rangeLoop(s *ast.RangeStmt) {
	header := w.header(s.Pos(), s.Body.Lbrace+1)
	base, live := w.offer(&operator.Site{Kind: operator.Loop}, header, func(ch operator.Change) (plain.Edit, string) {
		if ch.Do == operator.Once {
			return w.onceEdit(s, s.Body, site.Position{})
		}
		whole := w.whole(s)
		text, why := w.Plain.Keep(whole)
		return plain.Replace(whole.Pos(), whole.End(), text, "skipped the loop"), why
	})
	for i, ch := range live {
		if ch.Do == operator.Once {
			w.once(base+i, s, s.Body, !w.Info.RangesOver(s.X))
		} else {
			w.skipRange(base+i, s)
		}
	}
}

// whole returns a loop with its label, unless a goto needs the label by itself.
func (w *walker) whole(s ast.Stmt) ast.Stmt {
	if l := w.Flow.Loop(s); l.Labeled != nil && !l.Gotos {
		return l.Labeled
	}
	return s
}

// skipRange puts a range statement under a condition, with its label, which only
// in front of a loop can be continued at. A label that gotos jump to must stay
// outside; break and continue then get another.
func (w *walker) skipRange(id int, s *ast.RangeStmt) {
	whole := w.whole(s)
	if w.Flow.Loop(s).Gotos {
		w.ownLabel(s)
	}
	if w.Info.RangesOver(s.X) || !w.Effects.Pure(s.X) {
		w.Calls.Wrap(whole.Pos(), whole.End(), "if "+w.Calls.Begin("Do", "", "%d", id)+") { ", " }")
		return
	}
	w.Calls.Wrap(whole.Pos(), whole.End(), "if "+w.Calls.Begin("Enter", "", "%d", id)+") { ", "; "+w.Calls.Begin("Ended", "", "%d", id)+") }")
	w.Slow.Insert(w.Src.Off(s.Body.Lbrace)+1, " "+w.Calls.Begin("Began", "", "%d", id)+"); ")
}

// ownLabel gives a loop a label of its own in the copied body.
func (w *walker) ownLabel(s ast.Stmt) {
	w.own[s] = &ownLabel{name: fmt.Sprintf("%sl%d", w.Names.Result, w.Src.Off(s.Pos()))}
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
	return label + w.Names.Label
}

// placeLabel writes a loop's own label, if anything uses it. It comes after the
// loop has been walked.
func (w *walker) placeLabel(s ast.Stmt, body *ast.BlockStmt) {
	own, l := w.own[s], w.Flow.Loop(s)
	if own == nil || !own.used && !l.Named {
		return
	}
	w.Calls.Wrap(s.Pos(), body.Lbrace, own.name+": ", "")
	if l.Named {
		if w.u.moved == nil {
			w.u.moved = map[types.Object]string{}
		}
		w.u.moved[w.Info.Defs[l.Labeled.Label]] = own.name
	}
}

// onceEdit is the plain edit that leaves a loop at the end of its first round: a
// break there, and in the place of every continue.
func (w *walker) onceEdit(s ast.Stmt, body *ast.BlockStmt, p site.Position) (plain.Edit, string) {
	l := w.Flow.Loop(s)
	ends := !w.Flow.Terminates(body.List)
	switch forever, ok := s.(*ast.ForStmt); {
	case !ends && len(l.Continues) == 0:
		return plain.Edit{}, "the same program: there is no second round"
	case ok && forever.Cond == nil && p.Last:
		return plain.Edit{}, mutants.MissingReturn
	}
	edit := plain.Edit{Lo: body.Rbrace, Hi: body.Rbrace, Desc: "left the loop after its first round"}
	if len(l.Continues) > 0 {
		edit.Lo = l.Continues[0].Pos()
	}
	label := ""
	if l.Labeled != nil {
		label = l.Labeled.Label.Name
	} else if w.needsLabel(s) {
		edit.Lo, label = s.Pos(), freshLabel(l.Labels)
		edit.Text = label + ": "
	}
	done := edit.Lo
	for _, c := range l.Continues {
		edit.Text += w.Src.Text(done, c.Pos()) + "break"
		if done = c.End(); c.Label != nil || !w.Flow.Jump(c).Direct {
			edit.Text += " " + label
		}
	}
	edit.Text += w.Src.Text(done, body.Rbrace)
	if ends {
		if w.Src.CodeBefore(body.Rbrace) {
			edit.Text += "; "
		}
		edit.Text += "break "
	}
	return edit, ""
}

// needsLabel says whether a loop has a continue in whose place a break without
// label would leave something else.
func (w *walker) needsLabel(s ast.Stmt) bool {
	for _, c := range w.Flow.Loop(s).Continues {
		if !w.Flow.Jump(c).Direct {
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
	l := w.Flow.Loop(s)
	helper := "On"
	if calm && !l.Gotos {
		helper = "Leave"
		whole := w.whole(s)
		rounds := fmt.Sprintf("%sn%d", w.Names.Result, w.Src.Off(s.Pos()))
		w.Calls.Wrap(whole.Pos(), whole.End(), "{ "+rounds+" := "+w.Calls.Begin("Rounds", "", "%d", id)+"); ", "; "+w.Calls.Begin("Ended", "", "%d", id)+") }")
		w.Slow.Insert(w.Src.Off(body.Lbrace)+1, fmt.Sprintf(" %s = %s, %s); ", rounds, w.Calls.Begin("Again", "", "%d", id), rounds))
	}
	label := ""
	if l.Labeled != nil {
		label = l.Labeled.Label.Name
	}
	test := "if " + w.Calls.Begin(helper, "", "%d", id) + ") { break"
	for _, c := range l.Continues {
		to := ""
		if !w.Flow.Jump(c).Direct {
			to = " " + w.labelOf(s, label)
		}
		w.Calls.Wrap(c.Pos(), c.End(), test+to+" }; ", "")
	}
	if !w.Flow.Terminates(body.List) {
		w.Slow.Insert(w.Src.Off(body.Rbrace), "; "+test+" }; ")
	}
}

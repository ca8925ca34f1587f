package statements

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strconv"

	"github.com/fuzzmut/fuzzmut/instrument/operator"
	"github.com/fuzzmut/fuzzmut/instrument/rt/codes"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/plain"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/reasons"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/site"
)

// ForLoop offers a for statement without range, whose condition has been walked.
func ForLoop(cx *Function, s *ast.ForStmt, p site.Position) {
	k := &forLoop{Function: cx, s: s, p: p}
	if s.Cond != nil {
		k.arg, k.cant = cx.Calls.BoolArg(cx.Info.TypeOf(s.Cond), s.Cond.Pos())
	}
	cx.Offer(k)
}

type forLoop struct {
	*Function
	s    *ast.ForStmt
	p    site.Position
	arg  string
	cant reasons.Reason
}

func (k *forLoop) Describe() (*operator.Site, ast.Node) {
	return &operator.Site{Kind: operator.Loop}, header(k.s.Pos(), k.s.Body.Lbrace+1)
}

func (k *forLoop) Plain(ch operator.Change) (plain.Edit, reasons.Reason) {
	if ch.Do == operator.Once {
		return onceEdit(k.Function, k.s, k.s.Body, k.p)
	}
	edit, why := neverEdit(k.Function, k.s, k.p)
	return edit, cmp.Or(k.cant, why)
}

func (k *forLoop) Schemata(base int, live []operator.Change) {
	s := k.s
	for i, ch := range live {
		switch {
		case ch.Do == operator.Once:
			once(k.Function, base+i, s, s.Body, calmHeader(k.Function, s))
		case s.Cond != nil:
			call := k.Calls.Begin("Bool", k.arg, "%d, %d, ", base+i, codes.MadeFalse)
			k.Slow.Enclose(k.Src.Off(s.Cond.Pos()), k.Src.Off(s.Cond.End()), call, ")")
		default: // the round is made, but nothing of it
			k.Slow.Insert(k.Src.Off(s.Body.Lbrace)+1, " "+jumpIf(k.Function, base+i, token.BREAK, nil, ""))
		}
	}
}

// rangeLoop offers a range statement.
func rangeLoop(cx *Function, s ast.Stmt, _ site.Position) {
	if r, ok := s.(*ast.RangeStmt); ok {
		cx.Offer(&ranged{cx, r})
	}
}

type ranged struct {
	*Function
	s *ast.RangeStmt
}

func (k *ranged) Describe() (*operator.Site, ast.Node) {
	return &operator.Site{Kind: operator.Loop}, header(k.s.Pos(), k.s.Body.Lbrace+1)
}

func (k *ranged) Plain(ch operator.Change) (plain.Edit, reasons.Reason) {
	if ch.Do == operator.Once {
		return onceEdit(k.Function, k.s, k.s.Body, site.Position{})
	}
	whole := whole(k.Function, k.s)
	text, why := k.Context.Plain.Keep(whole)
	return plain.Replace(whole.Pos(), whole.End(), text, "skipped the loop"), why
}

func (k *ranged) Schemata(base int, live []operator.Change) {
	for i, ch := range live {
		if ch.Do == operator.Once {
			once(k.Function, base+i, k.s, k.s.Body, !k.Info.RangesOver(k.s.X))
		} else {
			skipRange(k.Function, base+i, k.s)
		}
	}
}

// neverEdit is the plain edit that makes the condition of a for statement false.
func neverEdit(cx *Function, s *ast.ForStmt, p site.Position) (plain.Edit, reasons.Reason) {
	if s.Cond != nil {
		if v := cx.Info.Value(s.Cond); v != nil && !constant.BoolVal(v) {
			return plain.Edit{}, reasons.NeverEntered
		}
		edit := cx.Plain.Forced(s.Cond, operator.False, false)
		edit.Desc = "skipped the loop"
		_, why := cx.Info.Predeclared("false", s.Cond.Pos())
		return edit, cmp.Or(why, cx.Logic.Settled(s.Cond, operator.False))
	}
	no, why := cx.Info.Predeclared("false", s.Body.Pos())
	if p.Last {
		why = reasons.MissingReturn
	}
	text := "for " + no + " "
	if s.Init != nil || s.Post != nil {
		text = fmt.Sprintf("for %s; %s; %s ", nodeOrNone(cx, s.Init), no, nodeOrNone(cx, s.Post))
	}
	return plain.Replace(s.Pos(), s.Body.Lbrace, text, "skipped the loop"), why
}

func nodeOrNone(cx *Function, s ast.Stmt) string {
	if s == nil {
		return ""
	}
	return cx.Src.Node(s)
}

// calmHeader says whether the end of the last round of a for statement, from its
// post statement on, changes nothing that is used later: a mutant that leaves before is the
// same unless there would be another round.
func calmHeader(cx *Function, s *ast.ForStmt) bool {
	if s.Cond != nil && !cx.Effects.Pure(s.Cond) {
		return false
	}
	switch post := s.Post.(type) {
	case nil:
		return true
	case *ast.IncDecStmt:
		return counts(cx, s, post.X)
	case *ast.AssignStmt:
		for _, e := range post.Lhs {
			if !counts(cx, s, e) {
				return false
			}
		}
		for _, e := range post.Rhs {
			if !cx.Effects.Pure(e) {
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
func counts(cx *Function, s *ast.ForStmt, e ast.Expr) bool {
	id, ok := ast.Unparen(e).(*ast.Ident)
	if !ok {
		return false
	}
	v, ok := cx.Info.Uses[id].(*types.Var)
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
			hidden = hidden && !cx.Info.Mentions(n, v)
		case *ast.UnaryExpr:
			hidden = hidden && (n.Op != token.AND || !cx.Info.Mentions(n.X, v))
		}
		return hidden
	})
	return hidden
}

// whole returns a loop with its label, unless a goto needs the label by itself.
func whole(cx *Function, s ast.Stmt) ast.Stmt {
	if l := cx.Flow.Loop(s); l.Labeled != nil && !l.Gotos {
		return l.Labeled
	}
	return s
}

// skipRange puts a range statement under a condition, with its label, which only
// in front of a loop can be continued at. A label that gotos jump to must stay
// outside; break and continue then get another.
func skipRange(cx *Function, id int, s *ast.RangeStmt) {
	whole := whole(cx, s)
	if cx.Flow.Loop(s).Gotos {
		giveLabel(cx, s)
	}
	if cx.Info.RangesOver(s.X) || !cx.Effects.Pure(s.X) {
		cx.Calls.Wrap(whole.Pos(), whole.End(), "if "+cx.Calls.Begin("Do", "", "%d", id)+") { ", " }")
		return
	}
	cx.Calls.Wrap(whole.Pos(), whole.End(), "if "+cx.Calls.Begin("Enter", "", "%d", id)+") { ", "; "+cx.Calls.Begin("Ended", "", "%d", id)+") }")
	cx.Slow.Insert(cx.Src.Off(s.Body.Lbrace)+1, " "+cx.Calls.Begin("Began", "", "%d", id)+"); ")
}

// onceEdit is the plain edit that leaves a loop at the end of its first round: a
// break there, and in place of every continue.
func onceEdit(cx *Function, s ast.Stmt, body *ast.BlockStmt, p site.Position) (plain.Edit, reasons.Reason) {
	l := cx.Flow.Loop(s)
	ends := !cx.Flow.Terminates(body.List)
	switch forever, ok := s.(*ast.ForStmt); {
	case !ends && len(l.Continues) == 0:
		return plain.Edit{}, reasons.NoSecondRound
	case ok && forever.Cond == nil && p.Last:
		return plain.Edit{}, reasons.MissingReturn
	}
	edit := plain.Edit{Lo: body.Rbrace, Hi: body.Rbrace, Desc: "ended the loop after its first iteration"}
	if len(l.Continues) > 0 {
		edit.Lo = l.Continues[0].Pos()
	}
	label := ""
	if l.Labeled != nil {
		label = l.Labeled.Label.Name
	} else if needsLabel(cx, s) {
		edit.Lo, label = s.Pos(), freshLabel(l.Labels)
		edit.Text = label + ": "
	}
	done := edit.Lo
	for _, c := range l.Continues {
		edit.Text += cx.Src.Text(done, c.Pos()) + "break"
		if done = c.End(); c.Label != nil || !cx.Flow.Jump(c).Direct {
			edit.Text += " " + label
		}
	}
	edit.Text += cx.Src.Text(done, body.Rbrace)
	if ends {
		if cx.Src.CodeBefore(body.Rbrace) {
			edit.Text += "; "
		}
		edit.Text += "break "
	}
	return edit, nil
}

// needsLabel says whether a loop has a continue in whose place a break without
// label would leave something else.
func needsLabel(cx *Function, s ast.Stmt) bool {
	for _, c := range cx.Flow.Loop(s).Continues {
		if !cx.Flow.Jump(c).Direct {
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
// where the end of the last round changes nothing, a variable says whether
// there is a second.
func once(cx *Function, id int, s ast.Stmt, body *ast.BlockStmt, calm bool) {
	l := cx.Flow.Loop(s)
	helper := "On"
	if calm && !l.Gotos {
		helper = "Leave"
		whole := whole(cx, s)
		rounds := fmt.Sprintf("%sn%d", cx.Names.Result, cx.Src.Off(s.Pos()))
		cx.Calls.Wrap(whole.Pos(), whole.End(), "{ "+rounds+" := "+cx.Calls.Begin("Rounds", "", "%d", id)+"); ", "; "+cx.Calls.Begin("Ended", "", "%d", id)+") }")
		cx.Slow.Insert(cx.Src.Off(body.Lbrace)+1, fmt.Sprintf(" %s = %s, %s); ", rounds, cx.Calls.Begin("Again", "", "%d", id), rounds))
	}
	label := ""
	if l.Labeled != nil {
		label = l.Labeled.Label.Name
	}
	test := "if " + cx.Calls.Begin(helper, "", "%d", id) + ") { break"
	for _, c := range l.Continues {
		to := ""
		if !cx.Flow.Jump(c).Direct {
			to = " " + labelOf(cx, s, label)
		}
		cx.Calls.Wrap(c.Pos(), c.End(), test+to+" }; ", "")
	}
	if !cx.Flow.Terminates(body.List) {
		cx.Slow.Insert(cx.Src.Off(body.Rbrace), "; "+test+" }; ")
	}
}

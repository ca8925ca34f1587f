package statements

import (
	"fmt"
	"go/ast"
	"go/token"

	"github.com/fuzzmut/fuzzmut/instrument/operator"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/control"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/plain"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/reasons"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/site"
)

// jump offers break, continue and fallthrough. A goto is left alone.
func jump(cx *Function, s ast.Stmt, p site.Position) {
	b, ok := s.(*ast.BranchStmt)
	if !ok {
		return
	}
	switch j := cx.Flow.Jump(b); {
	case j == nil:
	case b.Tok == token.FALLTHROUGH:
		cx.Offer(&fallsThrough{cx, b, j, p.Last})
	default:
		taken := map[control.Goal]reasons.Reason{j.To: reasons.GoesThere}
		cx.Offer(&branch{cx, b, j, taken})
	}
}

// branch is a break or continue.
type branch struct {
	*Function
	s     *ast.BranchStmt
	j     *control.Jump
	taken map[control.Goal]reasons.Reason // where control goes already, and why not to go there
}

func (k *branch) Describe() (*operator.Site, ast.Node) {
	return &operator.Site{Kind: operator.Branch, Op: k.s.Tok, Labeled: k.s.Label != nil}, k.s
}

func (k *branch) Plain(ch operator.Change) (plain.Edit, reasons.Reason) {
	p, to, why := branchEdit(k.Function, k.s, k.j, ch)
	if why == nil {
		why = k.taken[to]
	}
	if why == nil {
		k.taken[to] = reasons.LikeAnother
	}
	return p, why
}

// Schemata puts the alternatives before the statement, and the statement itself under a
// condition if one of them is to leave it out.
func (k *branch) Schemata(base int, live []operator.Change) {
	before, after := "", ""
	for i, ch := range live {
		switch ch.Do {
		case operator.Swap:
			before += jumpIf(k.Function, base+i, ch.Op, k.j.SwapTo, k.j.Label)
		case operator.Unlabel:
			before += jumpIf(k.Function, base+i, k.s.Tok, nil, "")
		}
	}
	for i, ch := range live {
		if ch.Do == operator.Delete {
			before += "if " + k.Calls.Begin("Do", "", "%d", base+i) + ") { "
			after = " }"
		}
	}
	k.Calls.Wrap(k.s.Pos(), k.s.End(), before, after)
}

// fallsThrough is a fallthrough, which a break is put before.
type fallsThrough struct {
	*Function
	s    *ast.BranchStmt
	j    *control.Jump
	last bool // without it, the function could end without a return
}

func (k *fallsThrough) Describe() (*operator.Site, ast.Node) {
	return &operator.Site{Kind: operator.Branch, Op: k.s.Tok}, k.s
}

func (k *fallsThrough) Plain(operator.Change) (plain.Edit, reasons.Reason) {
	var why reasons.Reason
	switch {
	case k.j.To == k.j.Drop:
		why = reasons.NextCaseEmpty
	case k.last:
		why = reasons.MissingReturn
	}
	return plain.Replace(k.s.Pos(), k.s.End(), "", "removed fallthrough"), why
}

func (k *fallsThrough) Schemata(base int, _ []operator.Change) {
	k.Calls.Wrap(k.s.Pos(), k.s.End(), jumpIf(k.Function, base, token.BREAK, nil, ""), "")
}

// jumpIf is a statement of the copied body that jumps if a mutant is active.
func jumpIf(cx *Function, id int, tok token.Token, t *control.Target, label string) string {
	return "if " + cx.Calls.Begin("On", "", "%d", id) + ") { " + jumpText(cx, tok, t, label) + " }; "
}

// jumpText is a break or continue of the copied body, where labels have other
// names. A jump that needs no label has none.
func jumpText(cx *Function, tok token.Token, t *control.Target, label string) string {
	if label == "" {
		return tok.String()
	}
	return tok.String() + " " + labelOf(cx, t.Stmt, label)
}

// branchEdit is the plain edit of a change of break or continue, and where control
// goes then.
func branchEdit(cx *Function, s *ast.BranchStmt, j *control.Jump, ch operator.Change) (p plain.Edit, to control.Goal, why reasons.Reason) {
	switch ch.Do {
	case operator.Delete:
		if cx.sole[s] {
			return p, to, reasons.LikeFalse
		}
		text, why := cx.Plain.Keep(s)
		return plain.Replace(s.Pos(), s.End(), text, "removed "+cx.Src.Short(s)), j.Drop, why
	case operator.Unlabel:
		text, why := cx.Plain.Keep(s)
		if text != "" {
			text += "; "
		}
		return plain.Replace(s.Pos(), s.End(), text+s.Tok.String(), "removed the label of "+cx.Src.Short(s)), j.Bare, why
	}
	switch {
	case j.SwapTo == nil:
		return p, to, reasons.OutsideLoop
	case ch.Op == token.BREAK && cx.Ends[j.SwapTo.Stmt]:
		return p, to, reasons.MissingReturn
	}
	text := ch.Op.String()
	if j.Label != "" {
		text += " " + j.Label
	}
	return plain.Replace(s.Pos(), s.End(), text, fmt.Sprintf("changed %s to %s", cx.Src.Short(s), text)), j.Swap, nil
}

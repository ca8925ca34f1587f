package schemata

import (
	"fmt"
	"go/ast"
	"go/token"

	"github.com/fuzzmut/fuzzmut/instrument/operator"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/control"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/mutants"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/plain"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/site"
)

// branchStmt offers break, continue and fallthrough. A goto is left alone.
func (w *walker) branchStmt(s *ast.BranchStmt, p site.Position) {
	switch j := w.Flow.Jump(s); {
	case j == nil:
	case s.Tok == token.FALLTHROUGH:
		w.fallthroughStmt(s, j, p)
	default:
		w.breakOrContinue(s, j)
	}
}

// breakOrContinue puts the alternatives before the statement, and the statement
// itself under a condition if one of them is to leave it out.
func (w *walker) breakOrContinue(s *ast.BranchStmt, j *control.Jump) {
	site := &operator.Site{Kind: operator.Branch, Op: s.Tok, Labeled: s.Label != nil}
	taken := map[control.Goal]string{j.To: "the same program: control goes there anyway"}
	base, live := w.offer(site, s, func(ch operator.Change) (plain.Edit, string) {
		p, to, why := w.branchEdit(s, j, ch)
		if why == "" {
			why = taken[to]
		}
		if why == "" {
			taken[to] = "the same as another mutant here"
		}
		return p, why
	})
	before, after := "", ""
	for i, ch := range live {
		switch ch.Do {
		case operator.Swap:
			before += w.jumpIf(base+i, ch.Op, j.SwapTo, j.Label)
		case operator.Unlabel:
			before += w.jumpIf(base+i, s.Tok, nil, "")
		}
	}
	for i, ch := range live {
		if ch.Do == operator.Delete {
			before += "if " + w.Calls.Begin("Do", "", "%d", base+i) + ") { "
			after = " }"
		}
	}
	if len(live) > 0 {
		w.Calls.Wrap(s.Pos(), s.End(), before, after)
	}
}

// jumpIf is a statement of the copied body that jumps if a mutant is active.
func (w *walker) jumpIf(id int, tok token.Token, t *control.Target, label string) string {
	return "if " + w.Calls.Begin("On", "", "%d", id) + ") { " + w.jumpText(tok, t, label) + " }; "
}

// jumpText is a break or continue of the copied body, where labels have other
// names. A jump that needs no label has none.
func (w *walker) jumpText(tok token.Token, t *control.Target, label string) string {
	if label == "" {
		return tok.String()
	}
	return tok.String() + " " + w.labelOf(t.Stmt, label)
}

// branchEdit is the plain edit of a change of break or continue, and where control
// goes then.
func (w *walker) branchEdit(s *ast.BranchStmt, j *control.Jump, ch operator.Change) (p plain.Edit, to control.Goal, why string) {
	switch ch.Do {
	case operator.Delete:
		if w.sole[s] {
			return p, to, sameAsFalse
		}
		text, why := w.Plain.Keep(s)
		return plain.Replace(s.Pos(), s.End(), text, "removed "+w.Src.Short(s)), j.Drop, why
	case operator.Unlabel:
		text, why := w.Plain.Keep(s)
		if text != "" {
			text += "; "
		}
		return plain.Replace(s.Pos(), s.End(), text+s.Tok.String(), "removed the label of "+w.Src.Short(s)), j.Bare, why
	}
	switch {
	case j.SwapTo == nil:
		return p, to, mutants.NoCompile + ": continue outside of a loop"
	case ch.Op == token.BREAK && w.ends[j.SwapTo.Stmt]:
		return p, to, mutants.MissingReturn
	}
	text := ch.Op.String()
	if j.Label != "" {
		text += " " + j.Label
	}
	return plain.Replace(s.Pos(), s.End(), text, fmt.Sprintf("changed %s to %s", w.Src.Short(s), text)), j.Swap, ""
}

// fallthroughStmt puts a break before a fallthrough.
func (w *walker) fallthroughStmt(s *ast.BranchStmt, j *control.Jump, p site.Position) {
	base, live := w.offer(&operator.Site{Kind: operator.Branch, Op: s.Tok}, s, func(operator.Change) (plain.Edit, string) {
		why := ""
		switch {
		case j.To == j.Drop:
			why = "the same program: the next case is empty"
		case p.Last:
			why = mutants.MissingReturn
		}
		return plain.Replace(s.Pos(), s.End(), "", "removed fallthrough"), why
	})
	if len(live) > 0 {
		w.Calls.Wrap(s.Pos(), s.End(), w.jumpIf(base, token.BREAK, nil, ""), "")
	}
}

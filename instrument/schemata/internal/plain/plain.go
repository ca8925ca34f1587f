// Package plain writes the edits of the source that mutants stand for.
package plain

import (
	"fmt"
	"go/ast"
	"go/token"
	"strconv"
	"strings"

	"github.com/fuzzmut/fuzzmut/instrument/operator"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/reasons"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/source"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/typename"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/typing"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/uses"
)

// Writer writes the edits in one file.
type Writer struct {
	Src   *source.File
	Info  *typing.Info
	Types *typename.Namer
	Uses  *uses.Uses
}

// An Edit is the source edit that a mutant stands for.
type Edit struct {
	Lo, Hi token.Pos
	Text   string
	Desc   string // one phrase
	// Doubt is why the mutant is seldom worth a test; "" if nothing is known against it.
	Doubt string
}

// Replace returns the edit that puts text in place of [lo, hi).
func Replace(lo, hi token.Pos, text, desc string) Edit {
	return Edit{Lo: lo, Hi: hi, Text: text, Desc: desc}
}

// Swapped is the edit that puts op in place of a binary operator. If op binds
// as tightly as the old one only the operator changes; otherwise parentheses keep
// the operands what they were.
func (w *Writer) Swapped(e *ast.BinaryExpr, op token.Token, operand bool) Edit {
	desc := fmt.Sprintf("changed %s to %s", e.Op, op)
	if op.Precedence() == e.Op.Precedence() {
		return w.SwappedOp(e.OpPos, e.Op, op)
	}
	x := w.Parenthesised(e.X, op.Precedence())
	y := w.Parenthesised(e.Y, op.Precedence()+1)
	gap := w.Src.Text(e.OpPos+token.Pos(len(e.Op.String())), e.Y.Pos())
	if gap == "" && source.Glues(y[0]) {
		gap = " "
	}
	text := x + w.Src.Text(e.X.End(), e.OpPos) + op.String() + gap + y
	if op.Precedence() < e.Op.Precedence() && operand {
		text = "(" + text + ")"
	}
	return Replace(e.Pos(), e.End(), text, desc)
}

// SwappedOp replaces an operator token alone.
func (w *Writer) SwappedOp(pos token.Pos, old, op token.Token) Edit {
	end := pos + token.Pos(len(old.String()))
	text := op.String()
	if source.Glues(w.Src.Src[w.Src.Off(end)]) {
		text += " " // - before *p must not become /*
	}
	return Replace(pos, end, text, fmt.Sprintf("changed %s to %s", old, op))
}

// Parenthesised returns an operand's text for an operator that needs operands of
// at least the given precedence.
func (w *Writer) Parenthesised(e ast.Expr, least int) string {
	if b, ok := e.(*ast.BinaryExpr); ok && b.Op.Precedence() < least {
		return "(" + w.Src.Node(e) + ")"
	}
	return w.Src.Node(e)
}

// Forced is the edit of a whole condition or term. A forced one is evaluated all
// the same, since the schemata do so.
func (w *Writer) Forced(e ast.Expr, do operator.Action, term bool) Edit {
	text := w.Src.Node(e)
	p := Edit{Lo: e.Pos(), Hi: e.End()}
	switch do {
	case operator.Negate:
		p.Desc = "negated the condition"
		switch x := e.(type) {
		case *ast.UnaryExpr:
			if p.Text = "!" + text; x.Op == token.NOT {
				p.Text = w.Src.Node(x.X)
			}
		case *ast.BinaryExpr:
			p.Text = "!(" + text + ")"
		default:
			p.Text = "!" + text
		}
	case operator.True:
		p.Text, p.Desc = text+" || "+w.truth(true, e.Pos()), "made the condition always true"
	case operator.False:
		p.Text, p.Desc = w.Parenthesised(e, token.LAND.Precedence())+" && "+w.truth(false, e.Pos()), "made the condition always false"
	}
	if term && do != operator.Negate {
		p.Text = "(" + p.Text + ")"
	}
	return p
}

// truth writes a boolean constant for a place where its name may mean something
// else.
func (w *Writer) truth(v bool, pos token.Pos) string {
	name := strconv.FormatBool(v)
	switch _, hidden := w.Info.Predeclared(name, pos); {
	case hidden == nil:
		return name
	case v:
		return "0 == 0"
	}
	return "0 != 0"
}

// Unglued returns text that can begin at pos: after an operator, an operator is
// put in parentheses.
func (w *Writer) Unglued(pos token.Pos, text string) string {
	if source.Glues(text[0]) && source.Glues(w.Src.Src[w.Src.Off(pos)-1]) {
		return "(" + text + ")"
	}
	return text
}

// Emptied is the plain edit that takes none of a slice's elements, or of a
// string's bytes.
func (w *Writer) Emptied(e ast.Expr, desc string) Edit {
	text := w.Src.Node(e)
	switch e.(type) {
	case *ast.Ident, *ast.SelectorExpr, *ast.CallExpr, *ast.BasicLit, *ast.IndexExpr, *ast.ParenExpr, *ast.SliceExpr:
	default:
		text = "(" + text + ")"
	}
	return Replace(e.Pos(), e.End(), text+"[:0]", desc)
}

// CantMove says why code can't stand in a function literal.
func CantMove(text string) reasons.Reason {
	if strings.Contains(text, "recover") {
		return reasons.MovesRecover
	}
	return nil
}

package schemata

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/fuzzmut/fuzzmut/instrument/operator"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/source"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/uses"
)

// swapped is the edit that puts op in the place of a binary operator. If op binds
// as tightly as the old one only the operator changes; otherwise parentheses keep
// the operands what they were.
func (w *walker) swapped(e *ast.BinaryExpr, op token.Token, c place) plain {
	desc := fmt.Sprintf("changed %s to %s", e.Op, op)
	if op.Precedence() == e.Op.Precedence() {
		return w.swappedOp(e.OpPos, e.Op, op)
	}
	x := w.parenthesised(e.X, op.Precedence())
	y := w.parenthesised(e.Y, op.Precedence()+1)
	gap := w.f.Text(e.OpPos+token.Pos(len(e.Op.String())), e.Y.Pos())
	if gap == "" && source.Glues(y[0]) {
		gap = " "
	}
	text := x + w.f.Text(e.X.End(), e.OpPos) + op.String() + gap + y
	if op.Precedence() < e.Op.Precedence() && c.operand {
		text = "(" + text + ")"
	}
	return plain{e.Pos(), e.End(), text, desc}
}

// swappedOp replaces an operator token alone.
func (w *walker) swappedOp(pos token.Pos, old, op token.Token) plain {
	end := pos + token.Pos(len(old.String()))
	text := op.String()
	if source.Glues(w.f.Src[w.f.Off(end)]) {
		text += " " // - before *p must not become /*
	}
	return plain{pos, end, text, fmt.Sprintf("changed %s to %s", old, op)}
}

// parenthesised returns an operand's text for an operator that needs operands of
// at least the given precedence.
func (w *walker) parenthesised(e ast.Expr, least int) string {
	if b, ok := e.(*ast.BinaryExpr); ok && b.Op.Precedence() < least {
		return "(" + w.f.Node(e) + ")"
	}
	return w.f.Node(e)
}

// forced is the edit of a whole condition or term. A forced one is evaluated all
// the same, since the schemata do so.
func (w *walker) forced(e ast.Expr, do operator.Action, term bool) plain {
	text := w.f.Node(e)
	p := plain{lo: e.Pos(), hi: e.End()}
	switch do {
	case operator.Negate:
		p.desc = "negated the condition"
		switch x := e.(type) {
		case *ast.UnaryExpr:
			if p.text = "!" + text; x.Op == token.NOT {
				p.text = w.f.Node(x.X)
			}
		case *ast.BinaryExpr:
			p.text = "!(" + text + ")"
		default:
			p.text = "!" + text
		}
	case operator.True:
		p.text, p.desc = text+" || "+w.truth(true, e.Pos()), "made the condition always true"
	case operator.False:
		p.text, p.desc = w.parenthesised(e, token.LAND.Precedence())+" && "+w.truth(false, e.Pos()), "made the condition always false"
	}
	if term && do != operator.Negate {
		p.text = "(" + p.text + ")"
	}
	return p
}

// truth writes a boolean constant for a place where its name may mean something
// else.
func (w *walker) truth(v bool, pos token.Pos) string {
	name := strconv.FormatBool(v)
	switch _, hidden := w.info.Predeclared(name, pos); {
	case hidden == "":
		return name
	case v:
		return "0 == 0"
	}
	return "0 != 0"
}

// constantText writes a constant in the form that has the site's kind by default;
// "" if a character has no such form.
func constantText(s *operator.Site, c operator.Change) string {
	if c.Const != nil {
		return c.Const.Name()
	}
	v := c.Value
	switch v.Kind() {
	case constant.Bool:
		return strconv.FormatBool(constant.BoolVal(v))
	case constant.String:
		return strconv.Quote(constant.StringVal(v))
	}
	if s.Char {
		r, ok := constant.Int64Val(constant.ToInt(v))
		if !ok || r < 0 || r > utf8.MaxRune || !utf8.ValidRune(rune(r)) {
			return ""
		}
		return strconv.QuoteRuneToASCII(rune(r))
	}
	if b, ok := s.Type.Underlying().(*types.Basic); ok && b.Info()&types.IsFloat != 0 {
		f, _ := constant.Float64Val(v)
		text := strconv.FormatFloat(f, 'g', -1, 64)
		if !strings.ContainsAny(text, ".e") {
			text += ".0"
		}
		return text
	}
	if i := constant.ToInt(v); i.Kind() == constant.Int {
		return i.ExactString()
	}
	f, _ := constant.Float64Val(v)
	return strconv.FormatFloat(f, 'g', -1, 64)
}

// keep returns statements that use objects whose last use goes away, so that the
// edit compiles; an error text if there are none.
func (w *walker) keep(n ast.Node) (text, why string) {
	return w.keepObjects(n, w.r.uses.Lost(w.f.Tok, n.Pos(), n.End()))
}

// keepObjects does it for some of the objects that n uses.
func (w *walker) keepObjects(n ast.Node, lost []types.Object) (text, why string) {
	var parts []string
	for _, obj := range lost {
		switch obj := obj.(type) {
		case *types.Var:
			parts = append(parts, "_ = "+obj.Name())
		case *types.PkgName:
			part := w.keepImport(n, obj)
			if part == "" {
				return "", "does not compile: last use of import " + obj.Name()
			}
			parts = append(parts, part)
		case *types.Label:
			part, why := w.keepLabel(n, obj)
			if why != "" {
				return "", why
			}
			parts = append(parts, part)
		}
	}
	return strings.Join(parts, "; "), ""
}

// keepLabel uses a label as n does.
func (w *walker) keepLabel(n ast.Node, label *types.Label) (text, why string) {
	no, why := w.info.Predeclared("false", n.Pos())
	if why != "" {
		return "", "does not compile: last use of label " + label.Name()
	}
	ast.Inspect(n, func(n ast.Node) bool {
		if s, ok := n.(*ast.BranchStmt); ok && s.Label != nil && w.info.Uses[s.Label] == label {
			text = fmt.Sprintf("if %s { %s %s }", no, s.Tok, label.Name())
		}
		return text == ""
	})
	return text, ""
}

// keepImport uses an import for something that n uses it for.
func (w *walker) keepImport(n ast.Node, imp *types.PkgName) string {
	found, at := "", n.Pos()
	ast.Inspect(n, func(n ast.Node) bool {
		var id *ast.Ident
		switch n := n.(type) {
		case *ast.SelectorExpr:
			if x, ok := n.X.(*ast.Ident); ok && w.info.Uses[x] == imp {
				id = n.Sel
			}
		case *ast.Ident:
			if imp.Name() == "." && uses.PackageOf(w.info.Uses[n]) == imp.Imported() {
				id = n
			}
		}
		if id != nil && found == "" {
			found = w.keepImported(n, id, at)
		}
		return found == ""
	})
	return found
}

// keepImported uses the object of another package that id names, at a position; e
// is its whole name. The result is "" where that takes type arguments that can't
// be written there.
func (w *walker) keepImported(e ast.Node, id *ast.Ident, at token.Pos) string {
	name := w.f.Node(e)
	if targs := w.info.Instances[id].TypeArgs; targs.Len() > 0 {
		args := make([]string, targs.Len())
		for i := range args {
			arg, ok := w.r.types.Name(targs.At(i), at, true)
			if !ok {
				return ""
			}
			args[i] = arg
		}
		name += "[" + strings.Join(args, ", ") + "]"
	}
	switch w.info.Uses[id].(type) {
	case *types.Func, *types.Var:
		return "_ = " + name
	case *types.Const:
		return "const _ = " + name
	case *types.TypeName:
		return "var _ " + name
	}
	return ""
}

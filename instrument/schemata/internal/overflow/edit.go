package overflow

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"github.com/fuzzmut/fuzzmut/instrument/edit"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/source"
)

// helpers are the core's functions by the operations that they stand in for.
var helpers = map[token.Token]string{
	token.ADD: "WideAdd", token.SUB: "WideSub", token.MUL: "WideMul", token.OR: "WideOr",
	token.QUO: "WideQuo", token.SHL: "WideShl", token.SHR: "WideShr",
}

// CoreNames are the names of the core that edits have.
func CoreNames() []string {
	names := []string{
		"Digit", "WideNeg", "WideTo", "WideFloat", "Used", "Bounds", "Signs", "Settles",
		"UseIndex", "UseSlice", "UseMake", "UseCount", "UseLength",
	}
	for _, of := range []map[token.Token]string{helpers, relation} {
		for _, name := range of {
			names = append(names, name)
		}
	}
	return names
}

// writer makes the edits of one body.
type writer struct {
	*Flow
	list *edit.List
	src  *source.File
	rt   string // the name of the core
}

// Edit has what is watched in a body call the core.
func (f *Flow) Edit(list *edit.List, src *source.File, rt string, body *ast.BlockStmt) {
	w := &writer{Flow: f, list: list, src: src, rt: rt}
	ast.Inspect(body, func(n ast.Node) bool {
		if e, ok := n.(ast.Expr); ok && f.uses[e] != "" {
			w.wrap(e, fmt.Sprintf("%s.Used(%s.%s, ", rt, rt, f.uses[e]))
		}
		w.node(n)
		return true
	})
}

func (w *writer) wrap(e ast.Node, before string) {
	w.list.Wrap(w.src.Off(e.Pos()), w.src.Off(e.End()), before, ")")
}

// replace puts text in place of a token.
func (w *writer) replace(pos token.Pos, tok, text string) {
	w.list.Replace(w.src.Off(pos), w.src.Off(pos)+len(tok), text)
}

func (w *writer) node(n ast.Node) {
	if b, ok := n.(*ast.BinaryExpr); ok && w.cmps[b] != "" {
		w.comparison(b)
		return
	}
	if !w.ops[n] {
		return
	}
	switch n := n.(type) {
	case *ast.BinaryExpr:
		w.wrap(n, w.call(n.Op, n.X, n.Y))
		w.replace(n.OpPos, n.Op.String(), ",")
	case *ast.UnaryExpr:
		w.wrap(n, w.rt+".WideNeg(")
		w.replace(n.OpPos, "-", " ")
	case *ast.CallExpr:
		w.conversion(n)
	case *ast.AssignStmt:
		if op := assigns[n.Tok]; w.repeatable(n.Lhs[0]) {
			w.list.Wrap(w.src.Off(n.Rhs[0].Pos()), w.src.Off(n.Rhs[0].End()), "", ")")
			w.replace(n.TokPos, n.Tok.String(), "= "+w.call(op, n.Lhs[0], n.Rhs[0])+w.text(n.Lhs[0])+",")
		}
	case *ast.IncDecStmt:
		if w.repeatable(n.X) {
			op := token.ADD
			if n.Tok == token.DEC {
				op = token.SUB
			}
			w.replace(n.TokPos, n.Tok.String(), fmt.Sprintf(" = %s.%s(2, %s, 1)", w.rt, helpers[op], w.text(n.X)))
		}
	}
}

// call is the beginning of a call that stands in for an operation.
func (w *writer) call(op token.Token, x, y ast.Expr) string {
	switch op {
	case token.QUO, token.SHL, token.SHR:
		return fmt.Sprintf("%s.%s(", w.rt, helpers[op])
	case token.SUB:
		if w.unsigned(x) && w.size(x) == 1 && w.info.IsConstant(y) {
			return w.rt + ".Digit("
		}
	}
	return fmt.Sprintf("%s.%s(%s, ", w.rt, helpers[op], w.isConstant(x, y))
}

func (w *writer) conversion(n *ast.CallExpr) {
	name := "WideTo"
	if b := w.basic(n.Args[0]); b.Info()&types.IsFloat != 0 {
		name = "WideFloat"
	}
	w.list.Wrap(w.src.Off(n.Fun.Pos()), w.src.Off(n.Fun.End()), fmt.Sprintf("%s.%s[", w.rt, name), "]")
}

func (w *writer) comparison(b *ast.BinaryExpr) {
	name := relation[b.Op]
	if w.looks(b.X, b.Y) || w.looks(b.Y, b.X) {
		name += "|" + w.rt + ".Settles"
	}
	constants := ""
	if w.cmps[b] == "Bounds" {
		constants = w.isConstant(b.X, b.Y) + ", "
	}
	w.wrap(b, fmt.Sprintf("%s.%s(%s%s.%s, ", w.rt, w.cmps[b], constants, w.rt, name))
	w.replace(b.OpPos, b.Op.String(), ",")
}

// repeatable reports whether an operand can stand in the text twice.
func (w *writer) repeatable(e ast.Expr) bool {
	for {
		switch x := e.(type) {
		case *ast.Ident:
			return true
		case *ast.SelectorExpr:
			if bytes.ContainsRune([]byte(w.text(e)), '\n') {
				return false
			}
			e = x.X
		default:
			return false
		}
	}
}

func (w *writer) text(e ast.Expr) string {
	return string(w.src.Src[w.src.Off(e.Pos()):w.src.Off(e.End())])
}

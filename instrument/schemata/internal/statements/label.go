package statements

import (
	"fmt"
	"go/ast"
)

// giveLabel gives a loop its own label in the copied body.
func giveLabel(cx *Function, s ast.Stmt) {
	cx.own[s] = &ownLabel{name: fmt.Sprintf("%sl%d", cx.Names.Result, cx.Src.Off(s.Pos()))}
}

// ownLabel is a label that a loop has in the copied body alone. A label that is
// not used would not compile.
type ownLabel struct {
	name string
	used bool
}

// labelOf returns the label of a statement in the copied body, to be used there. A
// loop without one gets one.
func labelOf(cx *Function, s ast.Stmt, label string) string {
	if label == "" && cx.own[s] == nil {
		giveLabel(cx, s)
	}
	if own := cx.own[s]; own != nil {
		own.used = true
		return own.name
	}
	return label + cx.Names.Label
}

// PlaceLabel writes a loop's own label, if anything uses it. It comes after the
// loop has been walked.
func PlaceLabel(cx *Function, s ast.Stmt, body *ast.BlockStmt) {
	own, l := cx.own[s], cx.Flow.Loop(s)
	if own == nil || !own.used && !l.Named {
		return
	}
	cx.Calls.Wrap(s.Pos(), body.Lbrace, own.name+": ", "")
	if l.Named {
		cx.Moved[cx.Info.Defs[l.Labeled.Label]] = own.name
	}
}

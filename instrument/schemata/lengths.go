package schemata

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/fuzzmut/fuzzmut/instrument/operator"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/helper"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/plain"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/site"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/typing"
)

// lengthOperand returns the call that an operand is if it is a length or capacity.
func (w *walker) lengthOperand(e ast.Expr) (*ast.CallExpr, bool) {
	name, call := w.Info.BuiltinCall(e)
	return call, (name == "len" || name == "cap") && !w.Info.IsConstant(call)
}

// noteLengths notes which changes of a length that is an operand would be the same
// as another operator's: with a constant beside it those by one, compared with
// something else the one that only moves the boundary.
func (w *walker) noteLengths(e *ast.BinaryExpr) {
	x, left := w.lengthOperand(e.X)
	y, right := w.lengthOperand(e.Y)
	if left {
		w.take(x, lengthChanges(e.Op, w.Info.EndsInConstant(e.Y), w.Info.IsConstant(e.Y))...)
	}
	switch {
	case left && right: // what moves one moves the other
		w.take(y, operator.Up, operator.Down)
	case right:
		w.take(y, lengthChanges(mirrored[e.Op], w.Info.EndsInConstant(e.X), w.Info.IsConstant(e.X))...)
	}
}

var mirrored = map[token.Token]token.Token{
	token.ADD: token.ADD, token.SUB: token.SUB, token.EQL: token.EQL, token.NEQ: token.NEQ,
	token.LSS: token.GTR, token.GTR: token.LSS, token.LEQ: token.GEQ, token.GEQ: token.LEQ,
}

// lengthChanges returns what other operators do to a length on the left of op,
// with an operand on the right that is or ends in a constant.
func lengthChanges(op token.Token, ends, is bool) []operator.Action {
	both := []operator.Action{operator.Up, operator.Down}
	switch op {
	case token.ADD, token.SUB:
		if is {
			return both
		}
	case token.EQL, token.NEQ:
		if ends {
			return both
		}
	case token.LSS, token.GEQ: // len < n moves to len <= n, which is len-1 < n
		if ends {
			return both
		}
		return both[1:]
	case token.GTR, token.LEQ:
		if ends {
			return both
		}
		return both[:1]
	}
	return nil
}

// take notes changes of a length that are not to be offered.
func (w *walker) take(e *ast.CallExpr, changes ...operator.Action) {
	if w.taken == nil {
		w.taken = map[*ast.CallExpr][]operator.Action{}
	}
	w.taken[e] = append(w.taken[e], changes...)
}

// noteMake notes that lengths in the capacity or size hint of a make are not to be
// offered: the program would be the same.
func (w *walker) noteMake(e *ast.CallExpr) {
	hint := 2
	if _, ok := typing.Core(w.Info.TypeOf(e)).(*types.Map); ok {
		hint = 1
	}
	if len(e.Args) <= hint {
		return
	}
	ast.Inspect(e.Args[hint], func(n ast.Node) bool {
		if x, ok := n.(ast.Expr); ok {
			if call, ok := w.lengthOperand(x); ok {
				w.take(call, operator.Up, operator.Down, operator.Counterpart)
			}
		}
		return true
	})
}

// lengthCall offers a call of len or cap.
func (w *walker) lengthCall(e *ast.CallExpr, name string, c site.Place) {
	site := &operator.Site{Kind: operator.Length, Taken: w.taken[e]}
	other, why := w.counterpart(e, name)
	if name == "cap" {
		site.Taken = append(site.Taken, operator.Up, operator.Down)
	}
	if other == "" && why == "" {
		site.Taken = append(site.Taken, operator.Counterpart)
	}
	base, live := w.offer(site, e, func(ch operator.Change) (plain.Edit, string) {
		if ch.Do != operator.Counterpart {
			return w.lengthEdit(e, ch.Do, c), w.Order(e)
		}
		return plain.Replace(e.Pos(), e.End(), other, "changed "+w.Src.Short(e)+" to "+other), cmp.Or(why, w.Order(e))
	})
	if len(live) == 0 {
		return
	}
	if !slices.ContainsFunc(live, func(c operator.Change) bool { return c.Do == operator.Counterpart }) {
		other = "0"
	}
	w.Calls.Wrap(e.Pos(), e.End(), w.Calls.Begin("Length", "", "%d, %s, ", base, helper.Alternatives(live, moveCode)), ", "+other+")")
}

// counterpart writes the length for a capacity and the other way round. It is
// empty for what has no capacity, and with a reason if it can't be written.
func (w *walker) counterpart(e *ast.CallExpr, name string) (text, why string) {
	hasCapacity := typing.EachTerm(w.Info.TypeOf(e.Args[0]), func(t types.Type) bool {
		switch t.Underlying().(type) {
		case *types.Slice, *types.Chan:
			return true
		}
		return false
	})
	if !hasCapacity {
		return "", ""
	}
	other := "cap"
	if name == "cap" {
		other = "len"
	}
	return w.Values.Length(other, e.Args[0], e.Pos())
}

func (w *walker) lengthEdit(e *ast.CallExpr, do operator.Action, c site.Place) plain.Edit {
	p := plain.Replace(e.Pos(), e.End(), w.Src.Node(e)+"+1", fmt.Sprintf("took one more for %s", w.Src.Short(e)))
	if do == operator.Down {
		p.Text, p.Desc = w.Src.Node(e)+"-1", fmt.Sprintf("took one less for %s", w.Src.Short(e))
	}
	if c.Operand {
		p.Text = "(" + p.Text + ")"
	}
	return p
}

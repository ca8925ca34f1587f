package expressions

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
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/reasons"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/site"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/typing"
)

// length offers a call of len or cap.
func length(cx *site.Context, e ast.Expr, p site.Place) {
	name, call := builtinCall(cx, e)
	if name != "len" && name != "cap" {
		return
	}
	k := &lengthSite{Context: cx, e: call, place: p, taken: cx.Taken[call]}
	k.other, k.why = counterpart(cx, call, name)
	if name == "cap" {
		k.taken = append(k.taken, operator.Up, operator.Down)
	}
	if k.other == "" && k.why == nil {
		k.taken = append(k.taken, operator.Counterpart)
	}
	cx.Offer(k)
}

type lengthSite struct {
	*site.Context
	e     *ast.CallExpr
	place site.Place
	taken []operator.Action // changes not to offer
	other string            // the capacity for the length, the length for the capacity
	why   reasons.Reason    // there is no other
}

func (k *lengthSite) Describe() (*operator.Site, ast.Node) {
	return &operator.Site{Kind: operator.Length, Taken: k.taken}, k.e
}

func (k *lengthSite) Plain(ch operator.Change) (plain.Edit, reasons.Reason) {
	e := k.e
	if ch.Do != operator.Counterpart {
		return lengthEdit(k.Context, e, ch.Do, k.place), k.Order(e)
	}
	return plain.Replace(e.Pos(), e.End(), k.other, "changed "+k.Src.Short(e)+" to "+k.other), cmp.Or(k.why, k.Order(e))
}

func (k *lengthSite) Schemata(base int, live []operator.Change) {
	other := k.other
	if !slices.ContainsFunc(live, func(c operator.Change) bool { return c.Do == operator.Counterpart }) {
		other = "0"
	}
	k.Calls.Wrap(k.e.Pos(), k.e.End(), k.Calls.Begin("Length", "", "%d, %s, ", base, helper.Alternatives(live, moveCode)), ", "+other+")")
}

// lengthOperand returns the call that an operand is if it is a length or capacity.
func lengthOperand(cx *site.Context, e ast.Expr) (*ast.CallExpr, bool) {
	name, call := cx.Info.BuiltinCall(e)
	return call, (name == "len" || name == "cap") && !cx.Info.IsConstant(call)
}

// NoteLengths notes which changes of a length that is an operand would be the same
// as another operator's: with a constant beside it those by one, compared with
// something else the one that only moves the boundary.
func NoteLengths(cx *site.Context, e *ast.BinaryExpr) {
	x, left := lengthOperand(cx, e.X)
	y, right := lengthOperand(cx, e.Y)
	if left {
		take(cx, x, lengthChanges(e.Op, cx.Info.EndsInConstant(e.Y), cx.Info.IsConstant(e.Y))...)
	}
	switch {
	case left && right: // what moves one moves the other
		take(cx, y, operator.Up, operator.Down)
	case right:
		take(cx, y, lengthChanges(mirrored[e.Op], cx.Info.EndsInConstant(e.X), cx.Info.IsConstant(e.X))...)
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
func take(cx *site.Context, e *ast.CallExpr, changes ...operator.Action) {
	cx.Taken[e] = append(cx.Taken[e], changes...)
}

// NoteMake notes that lengths in the capacity or size hint of a make are not to be
// offered: the program would be the same.
func NoteMake(cx *site.Context, e *ast.CallExpr) {
	hint := 2
	if _, ok := typing.Core(cx.Info.TypeOf(e)).(*types.Map); ok {
		hint = 1
	}
	if len(e.Args) <= hint {
		return
	}
	ast.Inspect(e.Args[hint], func(n ast.Node) bool {
		if x, ok := n.(ast.Expr); ok {
			if call, ok := lengthOperand(cx, x); ok {
				take(cx, call, operator.Up, operator.Down, operator.Counterpart)
			}
		}
		return true
	})
}

// counterpart writes the length for a capacity and the other way round. It is
// empty for what has no capacity, and with a reason if it can't be written.
func counterpart(cx *site.Context, e *ast.CallExpr, name string) (text string, why reasons.Reason) {
	hasCapacity := typing.EachTerm(cx.Info.TypeOf(e.Args[0]), func(t types.Type) bool {
		switch t.Underlying().(type) {
		case *types.Slice, *types.Chan:
			return true
		}
		return false
	})
	if !hasCapacity {
		return "", nil
	}
	other := "cap"
	if name == "cap" {
		other = "len"
	}
	return cx.Values.Length(other, e.Args[0], e.Pos())
}

func lengthEdit(cx *site.Context, e *ast.CallExpr, do operator.Action, c site.Place) plain.Edit {
	p := plain.Replace(e.Pos(), e.End(), cx.Src.Node(e)+"+1", fmt.Sprintf("added one to %s", cx.Src.Short(e)))
	if do == operator.Down {
		p.Text, p.Desc = cx.Src.Node(e)+"-1", fmt.Sprintf("subtracted one from %s", cx.Src.Short(e))
	}
	if c.Operand {
		p.Text = "(" + p.Text + ")"
	}
	return p
}

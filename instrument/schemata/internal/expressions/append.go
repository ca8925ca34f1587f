package expressions

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/types"

	"github.com/fuzzmut/fuzzmut/instrument/operator"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/plain"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/reasons"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/site"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/typing"
)

// appended offers to append nothing. With the helper's empty slice, append gives
// its first operand back.
func appended(cx *site.Context, e ast.Expr, p site.Place) {
	name, call := builtinCall(cx, e)
	if name != "append" || len(call.Args) < 2 || cx.Deleted[call] {
		return
	}
	k := &appendSite{Context: cx, e: call, place: p}
	switch {
	case !call.Ellipsis.IsValid():
		if s, ok := typing.Core(cx.Info.TypeOf(call)).(*types.Slice); ok {
			name, named := cx.Types.Name(s.Elem(), call.Pos(), false)
			if k.slice = "[]" + name; !named {
				k.why = reasons.CantName
			}
		}
	case cx.Info.Types[call.Args[1]].IsNil():
		return
	default:
		k.why = cx.Info.Mixed(call.Args[1])
	}
	cx.Offer(k)
}

type appendSite struct {
	*site.Context
	e     *ast.CallExpr
	place site.Place
	slice string // type of a slice of what is appended; "" if a slice is
	why   reasons.Reason
}

func (k *appendSite) Describe() (*operator.Site, ast.Node) {
	return &operator.Site{Kind: operator.Append}, k.e
}

func (k *appendSite) Plain(operator.Change) (plain.Edit, reasons.Reason) {
	p, reason := appendEdit(k.Context, k.e, k.place)
	return p, cmp.Or(k.why, k.Order(k.e.Args[1:]...), reason)
}

func (k *appendSite) Schemata(base int, _ []operator.Change) {
	first, last := k.e.Args[1], k.e.Args[len(k.e.Args)-1]
	if k.slice == "" {
		dropped(k.Context, last, base)
		return
	}
	k.Calls.Wrap(first.Pos(), last.End(), k.Calls.Begin("Elems", "", "%d, %s{", base, k.slice), "})...")
}

// copied offers to copy nothing.
func copied(cx *site.Context, e ast.Expr, _ site.Place) {
	name, call := builtinCall(cx, e)
	if name != "copy" || cx.Deleted[call] || len(call.Args) != 2 { // copy(f()) with two results
		return
	}
	cx.Offer(&copySite{cx, call})
}

type copySite struct {
	*site.Context
	e *ast.CallExpr
}

func (k *copySite) Describe() (*operator.Site, ast.Node) {
	return &operator.Site{Kind: operator.Copy}, k.e
}

func (k *copySite) Plain(operator.Change) (plain.Edit, reasons.Reason) {
	src := k.e.Args[1]
	return k.Context.Plain.Emptied(src, "copied nothing to "+k.Src.Short(k.e.Args[0])), cmp.Or(k.Info.Mixed(src), k.Order(src))
}

func (k *copySite) Schemata(base int, _ []operator.Change) { dropped(k.Context, k.e.Args[1], base) }

// dropped hands a slice or string to the helper that empties it.
func dropped(cx *site.Context, e ast.Expr, base int) {
	helper := "Elems"
	if typing.ClassOf(cx.Info.TypeOf(e)) == operator.String {
		helper = "Chars"
	}
	cx.Calls.Wrap(e.Pos(), e.End(), cx.Calls.Begin(helper, "", "%d, ", base), ")")
}

// appendEdit is the plain edit that appends nothing. What was to be appended is
// evaluated if that could be noticed.
func appendEdit(cx *site.Context, e *ast.CallExpr, c site.Place) (plain.Edit, reasons.Reason) {
	s, first, last := e.Args[0], e.Args[1], e.Args[len(e.Args)-1]
	p := plain.Replace(e.Pos(), e.End(), cx.Src.Node(s), "appended nothing to "+cx.Src.Short(s))
	rest := e.Args[1:]
	if cx.Effects.DroppableAll(rest, s) && len(cx.Uses.Lost(cx.Src.Tok, first.Pos(), last.End())) == 0 {
		if _, star := s.(*ast.StarExpr); star && c.Operand {
			p.Text = "(" + p.Text + ")"
		}
		return p, nil
	}
	if e.Ellipsis.IsValid() {
		return cx.Plain.Emptied(last, p.Desc), nil
	}
	slice, ok := typing.Core(cx.Info.TypeOf(e)).(*types.Slice)
	if !ok {
		return p, reasons.CantName
	}
	name, ok := cx.Types.Name(slice.Elem(), e.Pos(), true)
	if !ok {
		return p, reasons.CantName
	}
	p.Lo, p.Hi = first.Pos(), last.End()
	p.Text = fmt.Sprintf("[]%s{%s}[:0]...", name, cx.Src.Text(p.Lo, p.Hi))
	return p, nil
}

package schemata

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/types"
	"strings"

	"github.com/fuzzmut/fuzzmut/instrument/operator"
	"github.com/fuzzmut/fuzzmut/instrument/rt/codes"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/helper"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/plain"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/site"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/typename"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/typing"
)

// dataBuiltin offers a call of a builtin function.
func (w *walker) dataBuiltin(e *ast.CallExpr, name string, c site.Place) {
	if w.Info.IsConstant(e) {
		return
	}
	switch name {
	case "len", "cap":
		w.lengthCall(e, name, c)
	case "append":
		if len(e.Args) > 1 && !w.deleted[e] {
			w.appendCall(e, c)
		}
	case "copy":
		if !w.deleted[e] {
			w.copyCall(e)
		}
	case "min", "max":
		if len(e.Args) > 1 {
			w.minMax(e, name)
		}
	}
}

// effect returns the effect of a statement that has only one, on a slice or map,
// and notes the call that it consists of: the whole statement is offered, not the
// call once more.
func (w *walker) effect(s ast.Stmt) operator.Effect {
	switch s := s.(type) {
	case *ast.IncDecStmt:
		if w.Info.IsMapElement(s.X) {
			return operator.WritesMap
		}
	case *ast.AssignStmt:
		if len(s.Lhs) != 1 || len(s.Rhs) != 1 {
			return 0
		}
		name, call := w.Info.BuiltinCall(s.Rhs[0])
		switch {
		case name == "append" && w.Src.Node(call.Args[0]) == w.Src.Node(s.Lhs[0]) && w.Effects.EffectlessAll(call.Args):
			w.noteDeleted(call)
			return operator.Appends
		case w.Info.IsMapElement(s.Lhs[0]):
			return operator.WritesMap
		}
	case *ast.ExprStmt:
		switch name, call := w.Info.BuiltinCall(s.X); name {
		case "copy":
			if w.Effects.EffectlessAll(call.Args) {
				w.noteDeleted(call)
				return operator.Copies
			}
		case "delete", "clear":
			return operator.Deletes
		}
	}
	return 0
}

func (w *walker) noteDeleted(e *ast.CallExpr) {
	if w.deleted == nil {
		w.deleted = map[*ast.CallExpr]bool{}
	}
	w.deleted[e] = true
}

// appendCall offers to append nothing. With the helper's empty slice, append gives
// its first operand back.
func (w *walker) appendCall(e *ast.CallExpr, c site.Place) {
	elem, why := "", ""
	if !e.Ellipsis.IsValid() {
		if s, ok := typing.Core(w.Info.TypeOf(e)).(*types.Slice); ok {
			name, named := w.Types.Name(s.Elem(), e.Pos(), false)
			if elem = "[]" + name; !named {
				why = typename.CantName
			}
		}
	} else if w.Info.Types[e.Args[1]].IsNil() {
		return
	} else {
		why = w.Info.Mixed(e.Args[1])
	}
	first, last := e.Args[1], e.Args[len(e.Args)-1]
	base, live := w.offer(&operator.Site{Kind: operator.Append}, e, func(operator.Change) (plain.Edit, string) {
		p, reason := w.appendEdit(e, c)
		return p, cmp.Or(why, w.Order(e.Args[1:]...), reason)
	})
	switch {
	case len(live) == 0:
	case elem == "":
		w.dropped(last, base)
	default:
		w.Calls.Wrap(first.Pos(), last.End(), w.Calls.Begin("Elems", "", "%d, %s{", base, elem), "})...")
	}
}

// dropped hands a slice or string to the helper that empties it.
func (w *walker) dropped(e ast.Expr, base int) {
	helper := "Elems"
	if typing.ClassOf(w.Info.TypeOf(e)) == operator.String {
		helper = "Chars"
	}
	w.Calls.Wrap(e.Pos(), e.End(), w.Calls.Begin(helper, "", "%d, ", base), ")")
}

// appendEdit is the plain edit that appends nothing. What was to be appended is
// evaluated if that could be noticed.
func (w *walker) appendEdit(e *ast.CallExpr, c site.Place) (plain.Edit, string) {
	s, first, last := e.Args[0], e.Args[1], e.Args[len(e.Args)-1]
	p := plain.Replace(e.Pos(), e.End(), w.Src.Node(s), "appended nothing to "+w.Src.Short(s))
	rest := e.Args[1:]
	if w.Effects.DroppableAll(rest, s) && len(w.Uses.Lost(w.Src.Tok, first.Pos(), last.End())) == 0 {
		if _, star := s.(*ast.StarExpr); star && c.Operand {
			p.Text = "(" + p.Text + ")"
		}
		return p, ""
	}
	if e.Ellipsis.IsValid() {
		return w.Plain.Emptied(last, p.Desc), ""
	}
	slice, ok := typing.Core(w.Info.TypeOf(e)).(*types.Slice)
	if !ok {
		return p, typename.CantName
	}
	name, ok := w.Types.Name(slice.Elem(), e.Pos(), true)
	if !ok {
		return p, typename.CantName
	}
	p.Lo, p.Hi = first.Pos(), last.End()
	p.Text = fmt.Sprintf("[]%s{%s}[:0]...", name, w.Src.Text(p.Lo, p.Hi))
	return p, ""
}

// copyCall offers to copy nothing.
func (w *walker) copyCall(e *ast.CallExpr) {
	if len(e.Args) != 2 {
		return // copy(f()) with two results
	}
	src := e.Args[1]
	base, live := w.offer(&operator.Site{Kind: operator.Copy}, e, func(operator.Change) (plain.Edit, string) {
		p := w.Plain.Emptied(src, "copied nothing to "+w.Src.Short(e.Args[0]))
		return p, cmp.Or(w.Info.Mixed(src), w.Order(src))
	})
	if len(live) > 0 {
		w.dropped(src, base)
	}
}

// minMax offers to exchange min for max.
func (w *walker) minMax(e *ast.CallExpr, name string) {
	other, helper := "max", "Min"
	if name == "max" {
		other, helper = "min", "Max"
	}
	arg, why := w.Calls.TypeArg(w.Info.TypeOf(e), e.Pos(), w.Info.HasUntypedShift(e.Args...))
	base, live := w.offer(&operator.Site{Kind: operator.MinMax}, e, func(operator.Change) (plain.Edit, string) {
		_, hidden := w.Info.Predeclared(other, e.Pos())
		p := plain.Replace(e.Fun.Pos(), e.Fun.End(), other, fmt.Sprintf("changed %s to %s", name, other))
		return p, cmp.Or(why, hidden, w.Order(e))
	})
	if len(live) > 0 {
		w.Slow.Replace(w.Src.Off(e.Fun.Pos()), w.Src.Off(e.Lparen)+1, w.Calls.Begin(helper, arg, "%d, ", base))
	}
}

// integerTypes names the integer types by their codes in the core.
var integerTypes = map[int]string{
	codes.Int8: "int8", codes.Int16: "int16", codes.Int32: "int32", codes.Int64: "int64",
	codes.Uint8: "uint8", codes.Uint16: "uint16", codes.Uint32: "uint32", codes.Uint64: "uint64",
}

// bits returns the size of an integer type, with int as on 64-bit machines.
func bits(b *types.Basic) int {
	switch b.Kind() {
	case types.Int8, types.Uint8:
		return 8
	case types.Int16, types.Uint16:
		return 16
	case types.Int32, types.Uint32:
		return 32
	}
	return 64
}

// integerCode returns the core's code of the integer type of a size.
func integerCode(size int, unsigned bool) int {
	if unsigned {
		return map[int]int{8: codes.Uint8, 16: codes.Uint16, 32: codes.Uint32, 64: codes.Uint64}[size]
	}
	return map[int]int{8: codes.Int8, 16: codes.Int16, 32: codes.Int32, 64: codes.Int64}[size]
}

// conversionCodes returns the types that a conversion could take a way round by,
// as the core's codes; 0 for none. To truncate, that is the next narrower than
// both, with the sign of the one that decides; to extend, the operand's own with
// the other sign, which only a wider result shows.
func conversionCodes(to, from *types.Basic) (truncate, extend int) {
	if to.Info()&types.IsInteger == 0 || from.Info()&types.IsInteger == 0 {
		return 0, 0
	}
	unsigned := from.Info()&types.IsUnsigned != 0
	if bits(to) > bits(from) {
		extend = integerCode(bits(from), !unsigned)
	} else {
		unsigned = to.Info()&types.IsUnsigned != 0
	}
	if size := min(bits(to), bits(from)) / 2; size >= 8 {
		truncate = integerCode(size, unsigned)
	}
	return truncate, extend
}

// integerConversion offers a conversion between integer types.
func (w *walker) integerConversion(e *ast.CallExpr, to types.Type) {
	if len(e.Args) != 1 || w.Info.HasUntypedShift(e.Args[0]) || strings.Contains(w.Src.Text(e.Pos(), e.Lparen), "\n") {
		return
	}
	x := e.Args[0]
	toBasic, ok := to.Underlying().(*types.Basic)
	fromBasic, fromOK := w.Info.TypeOf(x).Underlying().(*types.Basic)
	if !ok || !fromOK || typing.IsTypeParam(to) || w.Info.IsConstant(x) {
		return
	}
	truncate, extend := conversionCodes(toBasic, fromBasic)
	site := &operator.Site{Kind: operator.Conversion}
	if truncate == 0 {
		site.Taken = append(site.Taken, operator.Truncate)
	}
	if extend == 0 {
		site.Taken = append(site.Taken, operator.Extend)
	}
	code := func(ch operator.Change) int {
		if ch.Do == operator.Truncate {
			return truncate
		}
		return extend
	}
	base, live := w.offer(site, e, func(ch operator.Change) (plain.Edit, string) {
		by, why := w.Info.Predeclared(integerTypes[code(ch)], e.Pos())
		return plain.Replace(x.Pos(), x.End(), by+"("+w.Src.Node(x)+")", "converted "+w.Src.Short(x)+" to "+by+" before"), cmp.Or(why, w.Order(x))
	})
	if len(live) > 0 {
		fun := w.Src.Node(e.Fun)
		w.Slow.Replace(w.Src.Off(e.Pos()), w.Src.Off(e.Lparen)+1, w.Calls.Begin("Convert", "["+fun+"]", "%d, %s, ", base, helper.Alternatives(live, code)))
	}
}

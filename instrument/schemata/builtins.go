package schemata

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/types"
	"strings"

	"github.com/fuzzmut/fuzzmut/instrument/operator"
	"github.com/fuzzmut/fuzzmut/instrument/rt/codes"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/typing"
)

// dataBuiltin offers a call of a builtin function.
func (w *walker) dataBuiltin(e *ast.CallExpr, name string, c place) {
	if w.info.IsConstant(e) {
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
		if w.info.IsMapElement(s.X) {
			return operator.WritesMap
		}
	case *ast.AssignStmt:
		if len(s.Lhs) != 1 || len(s.Rhs) != 1 {
			return 0
		}
		name, call := w.info.BuiltinCall(s.Rhs[0])
		switch {
		case name == "append" && w.f.Node(call.Args[0]) == w.f.Node(s.Lhs[0]) && w.fx.EffectlessAll(call.Args):
			w.noteDeleted(call)
			return operator.Appends
		case w.info.IsMapElement(s.Lhs[0]):
			return operator.WritesMap
		}
	case *ast.ExprStmt:
		switch name, call := w.info.BuiltinCall(s.X); name {
		case "copy":
			if w.fx.EffectlessAll(call.Args) {
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
func (w *walker) appendCall(e *ast.CallExpr, c place) {
	elem, why := "", ""
	if !e.Ellipsis.IsValid() {
		if s, ok := typing.Core(w.info.TypeOf(e)).(*types.Slice); ok {
			name, named := w.r.types.Name(s.Elem(), e.Pos(), false)
			if elem = "[]" + name; !named {
				why = cantName
			}
		}
	} else if w.info.Types[e.Args[1]].IsNil() {
		return
	} else {
		why = w.info.Mixed(e.Args[1])
	}
	first, last := e.Args[1], e.Args[len(e.Args)-1]
	base, live := w.offer(&operator.Site{Kind: operator.Append}, e, func(operator.Change) (plain, string) {
		p, reason := w.appendEdit(e, c)
		return p, cmp.Or(why, w.fx.Order(w.within, e.Args[1:]...), reason)
	})
	switch {
	case len(live) == 0:
	case elem == "":
		w.dropped(last, base)
	default:
		w.wrap(first.Pos(), last.End(), w.helper("Elems", "", "%d, %s{", base, elem), "})...")
	}
}

// dropped hands a slice or string to the helper that empties it.
func (w *walker) dropped(e ast.Expr, base int) {
	helper := "Elems"
	if typing.ClassOf(w.info.TypeOf(e)) == operator.String {
		helper = "Chars"
	}
	w.wrap(e.Pos(), e.End(), w.helper(helper, "", "%d, ", base), ")")
}

// appendEdit is the plain edit that appends nothing. What was to be appended is
// evaluated if that could be noticed.
func (w *walker) appendEdit(e *ast.CallExpr, c place) (plain, string) {
	s, first, last := e.Args[0], e.Args[1], e.Args[len(e.Args)-1]
	p := plain{e.Pos(), e.End(), w.f.Node(s), "appended nothing to " + w.f.Short(s)}
	rest := e.Args[1:]
	if w.fx.DroppableAll(rest, s) && len(w.r.uses.Lost(w.f.Tok, first.Pos(), last.End())) == 0 {
		if _, star := s.(*ast.StarExpr); star && c.operand {
			p.text = "(" + p.text + ")"
		}
		return p, ""
	}
	if e.Ellipsis.IsValid() {
		return w.emptiedOperand(last, p.desc), ""
	}
	slice, ok := typing.Core(w.info.TypeOf(e)).(*types.Slice)
	if !ok {
		return p, cantName
	}
	name, ok := w.r.types.Name(slice.Elem(), e.Pos(), true)
	if !ok {
		return p, cantName
	}
	p.lo, p.hi = first.Pos(), last.End()
	p.text = fmt.Sprintf("[]%s{%s}[:0]...", name, w.f.Text(p.lo, p.hi))
	return p, ""
}

// emptiedOperand is the plain edit that takes none of a slice's elements, or of a
// string's bytes.
func (w *walker) emptiedOperand(e ast.Expr, desc string) plain {
	text := w.f.Node(e)
	switch e.(type) {
	case *ast.Ident, *ast.SelectorExpr, *ast.CallExpr, *ast.BasicLit, *ast.IndexExpr, *ast.ParenExpr, *ast.SliceExpr:
	default:
		text = "(" + text + ")"
	}
	return plain{e.Pos(), e.End(), text + "[:0]", desc}
}

// copyCall offers to copy nothing.
func (w *walker) copyCall(e *ast.CallExpr) {
	if len(e.Args) != 2 {
		return // copy(f()) with two results
	}
	src := e.Args[1]
	base, live := w.offer(&operator.Site{Kind: operator.Copy}, e, func(operator.Change) (plain, string) {
		p := w.emptiedOperand(src, "copied nothing to "+w.f.Short(e.Args[0]))
		return p, cmp.Or(w.info.Mixed(src), w.fx.Order(w.within, src))
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
	arg, why := w.typeArg(w.info.TypeOf(e), e.Pos(), w.info.HasUntypedShift(e.Args...))
	base, live := w.offer(&operator.Site{Kind: operator.MinMax}, e, func(operator.Change) (plain, string) {
		_, hidden := w.info.Predeclared(other, e.Pos())
		p := plain{e.Fun.Pos(), e.Fun.End(), other, fmt.Sprintf("changed %s to %s", name, other)}
		return p, cmp.Or(why, hidden, w.fx.Order(w.within, e))
	})
	if len(live) > 0 {
		w.f.slow.Replace(w.f.Off(e.Fun.Pos()), w.f.Off(e.Lparen)+1, w.helper(helper, arg, "%d, ", base))
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
	if len(e.Args) != 1 || w.info.HasUntypedShift(e.Args[0]) || strings.Contains(w.f.Text(e.Pos(), e.Lparen), "\n") {
		return
	}
	x := e.Args[0]
	toBasic, ok := to.Underlying().(*types.Basic)
	fromBasic, fromOK := w.info.TypeOf(x).Underlying().(*types.Basic)
	if !ok || !fromOK || typing.IsTypeParam(to) || w.info.IsConstant(x) {
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
	base, live := w.offer(site, e, func(ch operator.Change) (plain, string) {
		by, why := w.info.Predeclared(integerTypes[code(ch)], e.Pos())
		return plain{x.Pos(), x.End(), by + "(" + w.f.Node(x) + ")", "converted " + w.f.Short(x) + " to " + by + " before"}, cmp.Or(why, w.fx.Order(w.within, x))
	})
	if len(live) > 0 {
		fun := w.f.Node(e.Fun)
		w.f.slow.Replace(w.f.Off(e.Pos()), w.f.Off(e.Lparen)+1, w.helper("Convert", "["+fun+"]", "%d, %s, ", base, alternatives(live, code)))
	}
}

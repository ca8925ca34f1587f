package expressions

import (
	"cmp"
	"go/ast"
	"go/types"
	"strings"

	"github.com/fuzzmut/fuzzmut/instrument/operator"
	"github.com/fuzzmut/fuzzmut/instrument/rt/codes"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/helper"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/plain"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/reasons"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/site"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/typing"
)

// conversions offers a conversion between integer types.
func conversions(cx *site.Context, e ast.Expr, _ site.Place) {
	call, ok := e.(*ast.CallExpr)
	if !ok || len(call.Args) != 1 || cx.Info.HasUntypedShift(call.Args[0]) || strings.Contains(cx.Src.Text(call.Pos(), call.Lparen), "\n") {
		return
	}
	x, to := call.Args[0], cx.Info.TypeOf(call.Fun)
	toBasic, ok := to.Underlying().(*types.Basic)
	fromBasic, fromOK := cx.Info.TypeOf(x).Underlying().(*types.Basic)
	if !ok || !fromOK || typing.IsTypeParam(to) || cx.Info.IsConstant(x) {
		return
	}
	k := &conversion{Context: cx, e: call}
	k.truncate, k.extend = conversionCodes(toBasic, fromBasic)
	cx.Offer(k)
}

type conversion struct {
	*site.Context
	e                *ast.CallExpr
	truncate, extend int // codes of the types by which to convert; 0 for none
}

func (k *conversion) Describe() (*operator.Site, ast.Node) {
	s := &operator.Site{Kind: operator.Conversion}
	if k.truncate == 0 {
		s.Taken = append(s.Taken, operator.Truncate)
	}
	if k.extend == 0 {
		s.Taken = append(s.Taken, operator.Extend)
	}
	return s, k.e
}

func (k *conversion) code(ch operator.Change) int {
	if ch.Do == operator.Truncate {
		return k.truncate
	}
	return k.extend
}

func (k *conversion) Plain(ch operator.Change) (plain.Edit, reasons.Reason) {
	x := k.e.Args[0]
	by, why := k.Info.Predeclared(integerTypes[k.code(ch)], k.e.Pos())
	text, desc := by+"("+k.Src.Node(x)+")", "converted "+k.Src.Short(x)+" to "+by+" before"
	return plain.Replace(x.Pos(), x.End(), text, desc), cmp.Or(why, k.Order(x))
}

func (k *conversion) Schemata(base int, live []operator.Change) {
	fun := k.Src.Node(k.e.Fun)
	k.Slow.Replace(k.Src.Off(k.e.Pos()), k.Src.Off(k.e.Lparen)+1, k.Calls.Begin("Convert", "["+fun+"]", "%d, %s, ", base, helper.Alternatives(live, k.code)))
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

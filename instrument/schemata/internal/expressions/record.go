package expressions

import (
	"encoding/binary"
	"fmt"
	"go/ast"
	"go/constant"
	"go/types"

	"github.com/fuzzmut/fuzzmut/instrument/rt/codes"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/site"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/typing"
)

// The operands of comparisons are recorded by the helpers that make the mutants
// there. A comparison without mutants gets a helper for that alone.

// records says whether operands are recorded here: in functions, if they may be
// mutated.
func records(cx *site.Context) bool {
	return cx.Quiet == nil && cx.Unit.Func >= 0 && cx.Unit.Static == nil
}

// describe numbers a comparison and packs what its helper has to know of it.
func describe(cx *site.Context, op, kind int, xConst, yConst bool) uint64 {
	n := cx.Comparisons.First + cx.Comparisons.N
	cx.Comparisons.N++
	return codes.Describe(n, kind, op, xConst, yConst)
}

// compareHelper returns the helper for a comparison of values of x's type.
func compareHelper(cx *site.Context, x ast.Expr) string {
	if typing.KindOf(cx.Info.TypeOf(x)) == codes.Unknown {
		return "CmpAny"
	}
	return "Cmp"
}

// maxArray is the length of the arrays that are recorded: they are copied.
const maxArray = 256

// recordArrays has arrays of bytes handed over that are compared.
func recordArrays(cx *site.Context, e *ast.BinaryExpr) {
	t := cx.Info.TypeOf(e.X)
	a, ok := t.Underlying().(*types.Array)
	if !ok || !records(cx) || !typing.PlainBool(cx.Info.TypeOf(e)) || !types.Identical(t, cx.Info.TypeOf(e.Y)) ||
		a.Len() == 0 || a.Len() > maxArray || !types.Identical(a.Elem(), types.Typ[types.Uint8]) {
		return
	}
	cx.Calls.Wrap(e.Pos(), e.End(), cx.Calls.Begin("Arrays", "", "%#x, ", describe(cx, compareCodes[e.Op], codes.Text, false, false)), ")")
	cx.Calls.ReplaceOp(e.OpPos, e.Op, ",")
}

// searches are the functions of packages strings and bytes that look for their
// second argument in the first, or compare the two.
var searches = map[string]int{
	"Contains": codes.Contains, "Count": codes.Contains, "Cut": codes.Contains, "Index": codes.Contains, "LastIndex": codes.Contains,
	"Split": codes.Contains, "SplitAfter": codes.Contains, "SplitSeq": codes.Contains, "SplitAfterSeq": codes.Contains,
	"ContainsRune": codes.Contains, "IndexByte": codes.Contains, "IndexRune": codes.Contains, "LastIndexByte": codes.Contains,
	"CutPrefix": codes.HasPrefix, "HasPrefix": codes.HasPrefix, "TrimPrefix": codes.HasPrefix,
	"CutSuffix": codes.HasSuffix, "HasSuffix": codes.HasSuffix, "TrimSuffix": codes.HasSuffix,
	"EqualFold": codes.EqualFold,
	"Compare":   codes.Equal, "Equal": codes.Equal,
}

// recordSearch has the arguments of a call handed over that looks for one in the
// other. Both go through one helper, which returns them.
func recordSearch(cx *site.Context, expr ast.Expr, _ site.Place) {
	e := expr.(*ast.CallExpr)
	id := typing.CalleeIdent(e)
	if id == nil || len(e.Args) != 2 || !records(cx) || cx.Order(e.Args...) != nil {
		return
	}
	fn, ok := cx.Info.Uses[id].(*types.Func)
	if !ok || fn.Pkg() == nil || fn.Signature().Recv() != nil {
		return
	}
	helper, op := "", searches[fn.Name()]
	switch fn.Pkg().Path() {
	case "strings", "internal/stringslite":
		helper = "Texts"
	case "bytes":
		helper = "Bytes"
	case "slices":
		recordElements(cx, e, fn.Name())
		return
	}
	if helper == "" || op == 0 || cx.Info.IsConstantText(e.Args[0]) && cx.Info.IsConstantText(e.Args[1]) {
		return
	}
	what := describe(cx, op, codes.Text, cx.Info.IsConstantText(e.Args[0]), cx.Info.IsConstantText(e.Args[1]))
	wrapArgs(cx, e, helper+soughtSuffix(fn), what)
}

// soughtSuffix ends the helper's name where no text is looked for.
func soughtSuffix(fn *types.Func) string {
	if b, ok := fn.Signature().Params().At(1).Type().Underlying().(*types.Basic); ok {
		switch b.Kind() {
		case types.Uint8:
			return "Byte"
		case types.Int32:
			return "Rune"
		}
	}
	return ""
}

func wrapArgs(cx *site.Context, e *ast.CallExpr, helper string, what uint64) {
	cx.Calls.Wrap(e.Args[0].Pos(), e.Args[1].End(), cx.Calls.Begin(helper, "", "%#x, ", what), ")")
}

// recordElements is recordSearch for the functions of package slices.
func recordElements(cx *site.Context, e *ast.CallExpr, name string) {
	kind := typing.KindOf(cx.Info.TypeOf(e.Args[1]))
	if name != "Contains" && name != "Index" || kind == codes.Unknown || cx.Info.HasUntypedShift(e.Args[1]) {
		return
	}
	wrapArgs(cx, e, "Among", describe(cx, codes.Lookup, kind, cx.Info.IsConstant(e.Args[1]), false))
}

// maxLabels is how many labels of a switch statement are recorded.
const maxLabels = 64

// RecordTag has the tag of a switch statement handed over with its labels, as far
// as they are constants.
func RecordTag(cx *site.Context, s *ast.SwitchStmt) {
	kind := typing.KindOf(cx.Info.TypeOf(s.Tag))
	if kind == codes.Unknown || kind == codes.Float || !records(cx) || cx.Info.HasUntypedShift(s.Tag) || cx.Order(s.Tag) != nil {
		return
	}
	labels, n := labels(cx, s, kind)
	if n == 0 {
		return
	}
	what := describe(cx, codes.Equal, kind, false, true)
	cx.Comparisons.N += n - 1
	args := fmt.Sprintf("%#x, %q, ", what, labels)
	if b := textOfBytes(cx, s.Tag); b != nil {
		cx.Calls.Wrap(b.Pos(), b.End(), cx.Calls.Begin("TagBytes", "", "%s", args), ")")
		return
	}
	cx.Calls.Wrap(s.Tag.Pos(), s.Tag.End(), cx.Calls.BeginFor("Tag", cx.Info.TypeOf(s.Tag), "", "%s", args), ")")
}

// labels packs the constant labels of a switch statement into a string, as the
// core reads them, and counts them.
func labels(cx *site.Context, s *ast.SwitchStmt, kind int) (text []byte, n int) {
	for _, c := range s.Body.List {
		for _, e := range c.(*ast.CaseClause).List {
			v := cx.Info.Value(e)
			if v == nil || n == maxLabels {
				continue
			}
			n++
			if kind == codes.Text {
				text = binary.AppendUvarint(text, uint64(len(constant.StringVal(v))))
				text = append(text, constant.StringVal(v)...)
				continue
			}
			bits, signed := constant.Int64Val(constant.ToInt(v))
			if !signed {
				u, _ := constant.Uint64Val(constant.ToInt(v))
				bits = int64(u)
			}
			text = binary.AppendVarint(text, bits)
		}
	}
	return text, n
}

// textOfBytes returns b if an expression is string(b), which the compiler evaluates
// without a copy where only its value is asked for: it is b that is handed over.
func textOfBytes(cx *site.Context, e ast.Expr) ast.Expr {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok || len(call.Args) != 1 || !cx.Info.Types[call.Fun].IsType() || typing.KindOf(cx.Info.TypeOf(e)) != codes.Text {
		return nil
	}
	if s, ok := cx.Info.TypeOf(call.Args[0]).Underlying().(*types.Slice); ok && types.Identical(s.Elem(), types.Typ[types.Uint8]) {
		return call.Args[0]
	}
	return nil
}

// recordLookup has the key handed over that is looked up in a map, with the map. It
// is named once more for that.
func recordLookup(cx *site.Context, expr ast.Expr, _ site.Place) {
	e := expr.(*ast.IndexExpr)
	m, ok := cx.Info.TypeOf(e.X).Underlying().(*types.Map)
	if !ok || typing.IsTypeParam(cx.Info.TypeOf(e.X)) || cx.Written == e || !records(cx) || !namesAgain(cx, e) {
		return
	}
	kind := typing.KindOf(m.Key())
	if kind == codes.Unknown || kind == codes.Float || cx.Info.HasUntypedShift(e.Index) || cx.Order(e) != nil {
		return
	}
	key, helper := e.Index, "Key"
	if b := textOfBytes(cx, key); b != nil {
		key, helper = b, "KeyBytes"
	}
	what := describe(cx, codes.Lookup, kind, cx.Info.IsConstant(key), false)
	cx.Calls.Wrap(key.Pos(), key.End(), cx.Calls.Begin(helper, "", "%#x, %s, ", what, cx.Src.Node(e.X)), ")")
}

// namesAgain says whether the map of a lookup can be named once more while the key
// is evaluated: a variable, or a field of one if the key has no effects.
func namesAgain(cx *site.Context, e *ast.IndexExpr) bool {
	x := e.X
	_, variable := x.(*ast.Ident)
	return cx.Info.IsSimple(x) && cx.Effects.Replayable(x) && (variable || cx.Effects.Effectless(e.Index))
}

package typing

import (
	"go/ast"
	"go/constant"
	"go/types"
	"strconv"
)

// SameArgument says whether a function of the standard library does the same with v in place of
// its constant argument was, as its documentation says.
func (i *Info) SameArgument(e *ast.CallExpr, at int, was, v constant.Value) bool {
	same := alikeArguments[i.calledName(e)]
	return same.alike != nil && same.at == at && was != nil && same.alike(was, v)
}

// calledName is the full name of the function or method that a call names, as types.Func has it; "" if
// there is none.
func (i *Info) calledName(e *ast.CallExpr) string {
	if fn := i.calledObject(e); fn != nil {
		return fn.FullName()
	}
	return ""
}

// calledObject is the function or method that a call names; nil: it names none.
func (i *Info) calledObject(e *ast.CallExpr) *types.Func {
	id := CalleeIdent(e)
	if id == nil {
		return nil
	}
	fn, _ := i.Uses[id].(*types.Func)
	if fn == nil {
		return nil
	}
	return fn.Origin()
}

// alikeArguments are arguments of functions, and which of their values are alike.
var alikeArguments = map[string]struct {
	at    int
	alike func(a, b constant.Value) bool
}{
	"strconv.ParseInt":     {2, sizesOfInt},
	"strconv.ParseUint":    {2, sizesOfInt},
	"strconv.ParseFloat":   {1, noSize(32)},
	"strconv.ParseComplex": {1, noSize(64)},

	"strings.Replace": {3, unbounded}, "strings.SplitN": {2, unbounded}, "strings.SplitAfterN": {2, unbounded},
	"bytes.Replace": {3, unbounded}, "bytes.SplitN": {2, unbounded}, "bytes.SplitAfterN": {2, unbounded},

	"(*regexp.Regexp).FindAll":                    {1, unbounded},
	"(*regexp.Regexp).FindAllIndex":               {1, unbounded},
	"(*regexp.Regexp).FindAllString":              {1, unbounded},
	"(*regexp.Regexp).FindAllStringIndex":         {1, unbounded},
	"(*regexp.Regexp).FindAllStringSubmatch":      {1, unbounded},
	"(*regexp.Regexp).FindAllStringSubmatchIndex": {1, unbounded},
	"(*regexp.Regexp).FindAllSubmatch":            {1, unbounded},
	"(*regexp.Regexp).FindAllSubmatchIndex":       {1, unbounded},
	"(*regexp.Regexp).Split":                      {1, unbounded},
}

// sizesOfInt says whether two sizes in bits are one: 0 is that of an int here, where the mutants run.
func sizesOfInt(a, b constant.Value) bool {
	size := func(v constant.Value) int64 {
		if n, ok := constant.Int64Val(constant.ToInt(v)); ok && n != 0 {
			return n
		}
		return strconv.IntSize
	}
	return size(a) == size(b)
}

// noSize says of sizes whether neither is the one that counts: all others are the largest.
func noSize(counts int64) func(a, b constant.Value) bool {
	return func(a, b constant.Value) bool {
		x, exact := constant.Int64Val(constant.ToInt(a))
		y, both := constant.Int64Val(constant.ToInt(b))
		return exact && both && x != counts && y != counts
	}
}

// unbounded says whether two numbers of things to find are below 0, which stands for all.
func unbounded(a, b constant.Value) bool { return constant.Sign(a) < 0 && constant.Sign(b) < 0 }

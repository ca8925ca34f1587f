package schemata

import (
	"go/ast"
	"go/types"
)

// The operands of comparisons are recorded by the helpers that make the mutants
// there. A comparison without mutants gets a helper for that alone.

// records says whether operands are recorded here: in functions, if they may be
// mutated.
func (w *walker) records() bool { return w.quiet == "" && w.u.index >= 0 && w.u.static == "" }

// The core's codes for the kinds of operands; see operands.go there.
const (
	kindUnknown = iota
	kindSigned
	kindUnsigned
	kindFloat
	kindText
)

// describe numbers a comparison and packs what its helper has to know of it.
func (w *walker) describe(op int, x, y ast.Expr) uint64 {
	n := w.r.FirstComparison + w.r.out.Comparisons
	w.r.out.Comparisons++
	constants := digit(w.isConstant(x)) | digit(w.isConstant(y))<<1
	return uint64(n)<<12 | uint64(kindOf(w.info.TypeOf(x)))<<8 | uint64(constants)<<4 | uint64(op)
}

// kindOf returns the kind of the values of a type, if all that the type may stand
// for are of one.
func kindOf(t types.Type) int {
	kind, first := kindUnknown, true
	ok := eachTerm(t, func(t types.Type) bool {
		k := basicKind(t)
		same := first || k == kind
		kind, first = k, false
		return same
	})
	if !ok {
		return kindUnknown
	}
	return kind
}

func basicKind(t types.Type) int {
	b, ok := t.Underlying().(*types.Basic)
	if !ok {
		return kindUnknown
	}
	switch info := b.Info(); {
	case info&types.IsUnsigned != 0:
		return kindUnsigned
	case info&types.IsInteger != 0:
		return kindSigned
	case info&types.IsFloat != 0:
		return kindFloat
	case info&types.IsString != 0:
		return kindText
	}
	return kindUnknown
}

// Package helper writes calls of the core's helpers into the copied bodies.
package helper

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"github.com/fuzzmut/fuzzmut/instrument/edit"
	"github.com/fuzzmut/fuzzmut/instrument/operator"
	"github.com/fuzzmut/fuzzmut/instrument/rt/codes"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/reasons"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/source"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/typename"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/typing"
)

// Writer writes the calls in one file.
type Writer struct {
	Src   *source.File
	Types *typename.Namer
	RT    string     // the core's name
	List  *edit.List // the edits of the copied bodies
}

// Wrap puts a call of a helper of the core around [lo, hi) in the copied bodies.
func (w *Writer) Wrap(lo, hi token.Pos, call, end string) {
	w.List.Wrap(w.Src.Off(lo), w.Src.Off(hi), call, end)
}

// ReplaceOp puts text in place of an operator or keyword.
func (w *Writer) ReplaceOp(pos token.Pos, op token.Token, text string) {
	w.List.Replace(w.Src.Off(pos), w.Src.Off(pos)+len(op.String()), text)
}

// Begin begins a call of a helper of the core.
func (w *Writer) Begin(name, typeArg, format string, args ...any) string {
	return w.RT + "." + name + typeArg + "(" + fmt.Sprintf(format, args...)
}

// TypeArg writes t as an explicit type argument. Without need it is left to
// inference.
func (w *Writer) TypeArg(t types.Type, pos token.Pos, need bool) (arg string, why reasons.Reason) {
	if !need {
		return "", nil
	}
	name, ok := w.Types.Name(t, pos, false)
	if !ok {
		return "", reasons.CantName
	}
	return "[" + name + "]", nil
}

// BoolArg is typeArg for helpers that return a boolean of type t: without a type
// argument they return bool.
func (w *Writer) BoolArg(t types.Type, pos token.Pos) (arg string, why reasons.Reason) {
	return w.TypeArg(t, pos, !typing.PlainBool(t))
}

// BeginFor begins a call of a helper for type t, with the type argument unless the
// core has a version for t alone.
func (w *Writer) BeginFor(name string, t types.Type, typeArg, format string, args ...any) string {
	suffix := ""
	if b, ok := types.Unalias(t).(*types.Basic); ok {
		suffix = suffixes[b.Kind()]
	} else if typing.IsError(t) {
		suffix = errorSuffix
	}
	if Concrete[name+suffix] {
		name, typeArg = name+suffix, ""
	}
	return w.Begin(name, typeArg, format, args...)
}

// BeginBool is helperOf for the helpers of booleans.
func (w *Writer) BeginBool(name string, t types.Type, typeArg, format string, args ...any) string {
	if typing.PlainBool(t) {
		return w.Begin(name, "", format, args...)
	}
	return w.Begin(name+"Of", typeArg, format, args...)
}

// suffixes end the names of the core's helpers for one type.
var suffixes = map[types.BasicKind]string{
	types.Int: "Int", types.Int32: "Int32", types.Int64: "Int64",
	types.Uint8: "Uint8", types.Uint32: "Uint32", types.Uint64: "Uint64", types.String: "String",
}

const errorSuffix = "Error"

// Concrete are the core's helpers for one type.
var Concrete = map[string]bool{
	"TagInt": true, "TagInt32": true, "TagUint8": true, "TagString": true,
	"CmpInt": true, "CmpInt32": true, "CmpInt64": true, "CmpUint8": true, "CmpUint32": true, "CmpUint64": true, "CmpString": true,
	"ArithIInt": true, "ArithIInt32": true, "ArithIInt64": true, "ArithIUint8": true, "ArithIUint32": true, "ArithIUint64": true,
	"IncInt": true, "IncInt32": true, "IncInt64": true, "IncUint8": true, "IncUint32": true, "IncUint64": true,
	"NumInt": true, "NumInt32": true, "NumInt64": true, "NumUint8": true, "NumUint32": true, "NumUint64": true,
	"ConcatString": true, "Lit1String": true, "RetInt": true, "RetString": true, "RetError": true,
	"AltInt": true, "AltError": true,
	"IndexInt": true, "IndexUint8": true, "BoundInt": true,
}

// Alternatives packs codes into the digits of a hexadecimal number, first lowest. A
// code takes one digit: see codes.Bits.
func Alternatives(live []operator.Change, code func(operator.Change) int) string {
	digits := ""
	for _, c := range live {
		digits = fmt.Sprintf("%x", code(c)) + digits
	}
	if digits == "" {
		return "0"
	}
	return "0x" + digits
}

// WrapBool hands a boolean of type t to a helper that changes it.
func (w *Writer) WrapBool(e ast.Expr, t types.Type, typeArg string, base int, live []operator.Change) {
	w.Wrap(e.Pos(), e.End(), w.BeginBool("Bool", t, typeArg, "%d, %s, ", base, Alternatives(live, BoolCode)), ")")
}

// BoolCode returns the core's code of a change of a boolean.
func BoolCode(c operator.Change) int {
	switch c.Do {
	case operator.True:
		return codes.MadeTrue
	case operator.False:
		return codes.MadeFalse
	}
	return codes.Negated // also == for !=
}

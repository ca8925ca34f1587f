// Package value writes values that mutants put in place of others.
package value

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"github.com/fuzzmut/fuzzmut/instrument/operator"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/effects"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/reasons"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/source"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/typename"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/typing"
)

// Writer writes the values in one file.
type Writer struct {
	Src     *source.File
	Info    *typing.Info
	Types   *typename.Namer
	Effects *effects.Effects
	Errors  *ErrorVars
}

// Result writes the value a result mutant returns. It means the same in the
// source and in the copied bodies.
func (w *Writer) Result(t types.Type, ch operator.Change, pos token.Pos) (text string, why reasons.Reason) {
	switch ch.Do {
	case operator.True:
		return w.Info.Predeclared("true", pos)
	case operator.False:
		return w.Info.Predeclared("false", pos)
	case operator.Replace:
		return ch.Value.ExactString(), nil
	case operator.Fresh:
		return w.fresh(t, pos)
	case operator.NewError:
		return w.newError(pos)
	}
	return w.Zero(t, pos)
}

// Zero writes the zero value of a type.
func (w *Writer) Zero(t types.Type, pos token.Pos) (text string, why reasons.Reason) {
	switch {
	case typing.ClassOf(t) == operator.Bool:
		return w.Info.Predeclared("false", pos)
	case typing.IsTypeParam(t):
		name, ok := w.Types.Name(t, pos, true)
		if _, hidden := w.Info.Predeclared("new", pos); !ok || hidden != nil {
			return "", reasons.CantName
		}
		return "*new(" + name + ")", nil
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		switch {
		case u.Info()&types.IsNumeric != 0:
			return "0", nil
		case u.Info()&types.IsString != 0:
			return `""`, nil
		}
	case *types.Struct, *types.Array:
		name, ok := w.Types.Name(t, pos, true)
		if !ok {
			return "", reasons.CantName
		}
		return name + "{}", nil
	}
	return w.Info.Predeclared("nil", pos)
}

// fresh writes an empty slice or map, or a pointer to a zero value.
func (w *Writer) fresh(t types.Type, pos token.Pos) (text string, why reasons.Reason) {
	format := "%s{}"
	if p, ok := t.Underlying().(*types.Pointer); ok {
		if _, why := w.Info.Predeclared("new", pos); why != nil {
			return "", why
		}
		t, format = p.Elem(), "new(%s)"
	}
	name, ok := w.Types.Name(t, pos, true)
	if !ok {
		return "", reasons.CantName
	}
	return fmt.Sprintf(format, name), nil
}

// Instead is an expression of type t that evaluates e and gives val.
func (w *Writer) Instead(e ast.Expr, t types.Type, val string) (text string, why reasons.Reason) {
	name, ok := w.Types.Name(t, e.Pos(), true)
	old := w.Src.Node(e)
	switch {
	case !ok:
		return "", reasons.CantName
	case strings.Contains(old, "recover"):
		return "", reasons.MovesRecover
	}
	return fmt.Sprintf("func() %s { _ = %s; return %s }()", name, old, val), nil
}

// Allocates says whether making the value of a result mutant takes memory.
func (w *Writer) Allocates(t types.Type, ch operator.Change, pos token.Pos) bool {
	switch ch.Do {
	case operator.Fresh:
		_, slice := t.Underlying().(*types.Slice) // an empty one takes none
		return !slice
	case operator.NewError:
		text, _ := w.newError(pos)
		return strings.HasSuffix(text, ")")
	}
	return false
}

// Length writes the length, or with "cap" the capacity, of an operand: a
// number for arrays and constants. It is empty, with the reason, where the operand
// can't be evaluated once more.
func (w *Writer) Length(builtin string, x ast.Expr, pos token.Pos) (text string, why reasons.Reason) {
	if n := w.Info.Length(x); n >= 0 && !typing.IsTypeParam(w.Info.TypeOf(x)) {
		return fmt.Sprint(n), nil
	}
	if !w.Effects.Replayable(x) {
		return "", reasons.HasEffects
	}
	name, why := w.Info.Predeclared(builtin, pos)
	if why != nil {
		return "", why
	}
	return name + "(" + w.Src.Node(x) + ")", nil
}

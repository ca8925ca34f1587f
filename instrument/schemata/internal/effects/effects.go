// Package effects tells what evaluating expressions of a file does apart from giving their
// values: whether it changes something, may panic, or depends on when it happens.
package effects

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/source"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/typing"
)

// Effects knows the effects of one file's expressions.
type Effects struct {
	info   *typing.Info
	src    *source.File
	shared map[*types.Var]bool // filled by isShared
}

// New returns what is known of a file's expressions.
func New(info *typing.Info, src *source.File) *Effects { return &Effects{info: info, src: src} }

// Pure says whether leaving an expression out can't be noticed, but for some of the
// panics: see droppable.
func (fx *Effects) Pure(e ast.Expr) bool {
	pure := true
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.CallExpr:
			pure = pure && fx.Harmless(n)
		case *ast.IndexExpr:
			_, isMap := typing.Core(fx.info.TypeOf(n.X)).(*types.Map)
			pure = pure && (isMap || fx.info.Types[n.Index].IsType())
		case *ast.SliceExpr, *ast.TypeAssertExpr:
			pure = false
		case *ast.UnaryExpr:
			pure = pure && n.Op != token.ARROW
		case *ast.BinaryExpr:
			pure = pure && (n.Op != token.QUO && n.Op != token.REM || fx.info.IsConstant(n.Y))
		}
		return pure
	})
	return pure
}

// Harmless says whether a call is a conversion or a builtin without effect.
func (fx *Effects) Harmless(e *ast.CallExpr) bool {
	tv := fx.info.Types[e.Fun]
	if tv.IsType() {
		return true
	}
	id := typing.CalleeIdent(e)
	if !tv.IsBuiltin() || id == nil {
		return false
	}
	switch id.Name {
	case "len", "cap", "min", "max", "real", "imag", "complex", "new":
		return true
	}
	return false
}

// Replayable says whether an operand can be evaluated once more without a
// difference, and its text stands on one line.
func (fx *Effects) Replayable(e ast.Expr) bool {
	text := fx.src.Node(e)
	return fx.Effectless(e) && !strings.Contains(text, "\n") && !strings.Contains(text, "//")
}

// Effectless says whether evaluating an expression does nothing but give its
// value, or panic.
func (fx *Effects) Effectless(e ast.Expr) bool {
	fine := true
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit, *ast.CompositeLit:
			fine = false
		case *ast.CallExpr:
			id := typing.CalleeIdent(n)
			fine = fine && fx.Harmless(n) && (fx.info.Types[n.Fun].IsType() || id.Name != "new")
		case *ast.UnaryExpr:
			fine = fine && n.Op != token.ARROW
		}
		return fine
	})
	return fine
}

// EffectlessAll says whether all of several expressions are without effects.
func (fx *Effects) EffectlessAll(list []ast.Expr) bool {
	for _, e := range list {
		if !fx.Effectless(e) {
			return false
		}
	}
	return true
}

// Calls says whether an expression calls something, or receives.
func (fx *Effects) Calls(e ast.Expr) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			found = found || !fx.Harmless(n)
		case *ast.UnaryExpr:
			found = found || n.Op == token.ARROW
		}
		return !found
	})
	return found
}

// AllPure says whether all of several expressions are pure.
func (fx *Effects) AllPure(list []ast.Expr) bool {
	for _, e := range list {
		if !fx.Pure(e) {
			return false
		}
	}
	return true
}

// Blank says whether an assignment only drops values that cost nothing to make.
func (fx *Effects) Blank(s *ast.AssignStmt) bool {
	for _, e := range s.Lhs {
		if id, ok := ast.Unparen(e).(*ast.Ident); !ok || id.Name != "_" {
			return false
		}
	}
	for _, e := range s.Rhs {
		if !fx.Pure(e) {
			return false
		}
	}
	return true
}

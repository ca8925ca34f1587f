package plain

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/reasons"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/uses"
)

// Keep returns statements that use objects whose last use goes away, so that the
// edit compiles; an error text if there are none.
func (w *Writer) Keep(n ast.Node) (text string, why reasons.Reason) {
	return w.KeepObjects(n, w.Uses.Lost(w.Src.Tok, n.Pos(), n.End()))
}

// KeepObjects does it for some of the objects that n uses.
func (w *Writer) KeepObjects(n ast.Node, lost []types.Object) (text string, why reasons.Reason) {
	var parts []string
	for _, obj := range lost {
		switch obj := obj.(type) {
		case *types.Var:
			parts = append(parts, "_ = "+obj.Name())
		case *types.PkgName:
			part := w.keepImport(n, obj)
			if part == "" {
				return "", reasons.LastUseOfImport.With(obj.Name())
			}
			parts = append(parts, part)
		case *types.Label:
			part, why := w.keepLabel(n, obj)
			if why != nil {
				return "", why
			}
			parts = append(parts, part)
		}
	}
	return strings.Join(parts, "; "), nil
}

// keepLabel uses a label as n does.
func (w *Writer) keepLabel(n ast.Node, label *types.Label) (text string, why reasons.Reason) {
	no, why := w.Info.Predeclared("false", n.Pos())
	if why != nil {
		return "", reasons.LastUseOfLabel.With(label.Name())
	}
	ast.Inspect(n, func(n ast.Node) bool {
		if s, ok := n.(*ast.BranchStmt); ok && s.Label != nil && w.Info.Uses[s.Label] == label {
			text = fmt.Sprintf("if %s { %s %s }", no, s.Tok, label.Name())
		}
		return text == ""
	})
	return text, nil
}

// keepImport uses an import for something that n uses it for.
func (w *Writer) keepImport(n ast.Node, imp *types.PkgName) string {
	found, at := "", n.Pos()
	ast.Inspect(n, func(n ast.Node) bool {
		var id *ast.Ident
		switch n := n.(type) {
		case *ast.SelectorExpr:
			if x, ok := n.X.(*ast.Ident); ok && w.Info.Uses[x] == imp {
				id = n.Sel
			}
		case *ast.Ident:
			if imp.Name() == "." && uses.PackageOf(w.Info.Uses[n]) == imp.Imported() {
				id = n
			}
		}
		if id != nil && found == "" {
			found = w.keepImported(n, id, at)
		}
		return found == ""
	})
	return found
}

// keepImported uses the object of another package that id names, at a position; e
// is its whole name. The result is "" where that takes type arguments that can't
// be written there.
func (w *Writer) keepImported(e ast.Node, id *ast.Ident, at token.Pos) string {
	name := w.Src.Node(e)
	if targs := w.Info.Instances[id].TypeArgs; targs.Len() > 0 {
		args := make([]string, targs.Len())
		for i := range args {
			arg, ok := w.Types.Name(targs.At(i), at, true)
			if !ok {
				return ""
			}
			args[i] = arg
		}
		name += "[" + strings.Join(args, ", ") + "]"
	}
	switch w.Info.Uses[id].(type) {
	case *types.Func, *types.Var:
		return "_ = " + name
	case *types.Const:
		return "const _ = " + name
	case *types.TypeName:
		return "var _ " + name
	}
	return ""
}

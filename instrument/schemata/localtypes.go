package schemata

import (
	"bytes"
	"go/ast"
	"go/token"
	"go/types"
	"strconv"
	"strings"

	"github.com/fuzzmut/fuzzmut/instrument/edit"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/reasons"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/source"
)

// A type that is declared in a function would be declared twice, once in each
// body, and be two types: a value that one body put into an interface would not be
// known to the other. So such types are declared before the branch between the
// bodies, under their own names, and taken out of both:
//
//	func F() { type key struct{ n int }; if !fuzzmutS[3] { ...; return }; ... }
//
// There a name is visible in the whole function. That is the same program if it
// meant nothing else anywhere in it; see sameEverywhere. The length of an array may be
// a constant that is declared later, so it is written as a number.
type localTypes struct {
	text  string // the declarations, on one line
	decls []*ast.GenDecl
}

// localTypes returns the types that a function declares, and why its bodies can't
// share them; nil if they can.
func (f *file) localTypes(fn ast.Node, body *ast.BlockStmt) (list localTypes, why reasons.Reason) {
	specs := map[types.Object]bool{}
	ast.Inspect(body, func(n ast.Node) bool {
		decl, ok := n.(*ast.GenDecl)
		if !ok || decl.Tok != token.TYPE {
			return true
		}
		list.decls = append(list.decls, decl)
		for _, spec := range decl.Specs {
			spec := spec.(*ast.TypeSpec)
			specs[f.r.pkg.Info.Defs[spec.Name]] = true
			if spec.TypeParams != nil {
				why = reasons.UnsharedType
			}
			list.text += "type " + f.typeSpec(spec) + "; "
		}
		return true
	})
	if len(list.decls) == 0 {
		return list, nil
	}
	if !f.sameEverywhere(fn, specs) {
		why = reasons.UnsharedType
	}
	return list, why
}

// sameEverywhere says whether the names of types mean these types wherever they
// stand in a function. Fields and methods do not count: they are found otherwise.
func (f *file) sameEverywhere(fn ast.Node, specs map[types.Object]bool) bool {
	byName := map[string]types.Object{}
	same := true
	for obj := range specs {
		if obj.Name() == "_" {
			continue
		}
		same = same && byName[obj.Name()] == nil
		byName[obj.Name()] = obj
	}
	qualified := map[*ast.Ident]bool{}
	ast.Inspect(fn, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			qualified[n.Sel] = true
		case *ast.Ident:
			if own := byName[n.Name]; own != nil && !qualified[n] {
				same = same && f.means(n, own)
			}
		}
		return same
	})
	return same
}

// means says whether an identifier, if it is found by its name at all, is the type.
func (f *file) means(id *ast.Ident, own types.Object) bool {
	obj := f.r.pkg.Info.Uses[id]
	if obj == nil {
		if obj = f.r.pkg.Info.Defs[id]; obj == nil {
			return false // the variable of a type switch
		}
	}
	switch obj := obj.(type) {
	case *types.Var:
		return obj.IsField() // an embedded one is used as the type, too: see Uses
	case *types.Func:
		return obj.Signature().Recv() != nil
	case *types.Label:
		return true
	}
	return obj == own
}

// typeSpec returns the source of a declaration on one line, with numbers for the
// lengths of arrays.
func (f *file) typeSpec(spec *ast.TypeSpec) string {
	var lengths edit.List
	var visit func(ast.Node) bool
	visit = func(n ast.Node) bool {
		array, ok := n.(*ast.ArrayType)
		if !ok || array.Len == nil {
			return true
		}
		if t, ok := f.r.pkg.Info.TypeOf(array).(*types.Array); ok {
			lengths.Replace(f.Off(array.Len.Pos()), f.Off(array.Len.End()), strconv.FormatInt(t.Len(), 10))
		}
		ast.Inspect(array.Elt, visit)
		return false
	}
	ast.Inspect(spec.Type, visit)
	text := lengths.Render(f.Src, f.Off(spec.Pos()), f.Off(spec.End()))
	if bytes.ContainsAny(text, "\n\r") || bytes.Contains(text, []byte("//")) || bytes.Contains(text, []byte("/*")) {
		return source.Flatten(text)
	}
	return string(text)
}

// remove takes the declarations out of both bodies. Lines stay what they are.
func (l *localTypes) remove(f *file) {
	for _, d := range l.decls {
		lines := strings.Count(f.Node(d), "\n")
		for _, list := range []*edit.List{&f.fast, &f.Slow} {
			list.Replace(f.Off(d.Pos()), f.Off(d.End()), "{}"+strings.Repeat("\n", lines))
		}
	}
}

package schemata

import (
	"go/ast"

	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/helper"
)

// RewriteCosts returns the files of a package with calls that burn fuel for what they cost, and
// without anything else: those of the standard library whose work one number decides. Files
// that have none are left out. It is for programs without mutants, whose values have methods
// that must end.
func RewriteCosts(in Input) (files map[string][]byte, err error) {
	in.Mutate = false
	r := newRewriter(in)
	files = make(map[string][]byte)
	for i := range in.Files {
		f, err := r.newFile(&in.Files[i])
		if err != nil {
			return nil, err
		}
		if f.costs(); f.touched() {
			files[f.Path] = f.render()
		}
	}
	return files, nil
}

// costs has such calls burn fuel.
func (f *file) costs() {
	if importsC(f.Syntax) {
		return
	}
	ast.Inspect(f.Syntax, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			if helper := helper.Costly(f.r.pkg.Info, call); helper != "" {
				f.standIn(&f.fast, call, helper)
			}
		}
		return true
	})
}

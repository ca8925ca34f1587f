package target

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/types"
	"io/fs"
	"path/filepath"
	"strings"

	source "github.com/fuzzmut/fuzzmut"
)

// Injected is the import path that package fuzzmut has where it is put into a test
// binary: no module has to require it.
const Injected = "fuzzmutrt/fuzzmut"

// InjectedText returns the text of a file as it is where the library is injected.
func InjectedText(text []byte) []byte {
	return bytes.ReplaceAll(text, []byte(`"`+Library+`"`), []byte(`"`+Injected+`"`))
}

// MachineState returns the type of the states of a fuzzmut.Machine; nil: t is none.
func MachineState(t types.Type) types.Type {
	n, ok := types.Unalias(t).(*types.Named)
	if !ok || n.Obj().Name() != "Machine" || n.Obj().Pkg() == nil || n.TypeArgs().Len() != 1 {
		return nil
	}
	if path := n.Obj().Pkg().Path(); path != Library && path != Injected {
		return nil
	}
	return n.TypeArgs().At(0)
}

// Listed returns what the literal of a Machine lists in a field; ok says whether it has a list there.
func Listed(machine *ast.CompositeLit, field string) (list []ast.Expr, ok bool) {
	for _, e := range machine.Elts {
		if kv, isField := e.(*ast.KeyValueExpr); isField {
			key, _ := kv.Key.(*ast.Ident)
			if lit, isList := ast.Unparen(kv.Value).(*ast.CompositeLit); isList && key != nil && key.Name == field {
				return lit.Elts, true
			}
		}
	}
	return nil, false
}

// LibraryFiles returns the files to be put into GOROOT/src for package fuzzmut to be
// there under the path Injected, by their paths.
func LibraryFiles(goroot string) (map[string][]byte, error) {
	files := make(map[string][]byte)
	err := fs.WalkDir(source.Library, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasSuffix(name, "_test.go") {
			return err
		}
		text, err := fs.ReadFile(source.Library, name)
		to := filepath.Join(goroot, "src", filepath.FromSlash(strings.Replace(name, "fuzzmut", Injected, 1)))
		files[to] = bytes.ReplaceAll(text, []byte(`"`+Library), []byte(`"`+Injected))
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("reading the embedded library: %w", err)
	}
	return files, nil
}

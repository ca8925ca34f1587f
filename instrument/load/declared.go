package load

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
)

// InTestFiles lists the functions that the test files of a directory declare, with the base name of a file that does. Files
// count that other build constraints choose. It fails on a file that can't be read or parsed.
func InTestFiles(dir string) (map[string]string, error) {
	files, err := fs.Glob(os.DirFS(dir), "*_test.go")
	if err != nil {
		return nil, err
	}
	declared := make(map[string]string)
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil {
				declared[f.Name.Name] = name
			}
		}
	}
	return declared, nil
}

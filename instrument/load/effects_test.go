package load

import (
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"
)

// All names of the table are those of existing functions: on any system, as some are declared
// for a few only.
func TestTheTableOfEffectsNamesFunctions(t *testing.T) {
	for path, list := range effects {
		declared := make(map[string]bool)
		files, err := filepath.Glob(filepath.Join(build.Default.GOROOT, "src", filepath.FromSlash(path), "*.go"))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %d files, %v", path, len(files), err)
		}
		for _, name := range files {
			f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range f.Decls {
				fd, ok := d.(*ast.FuncDecl)
				switch {
				case !ok || strings.HasSuffix(name, "_test.go"):
				case fd.Recv == nil:
					declared[fd.Name.Name] = true
				default:
					declared[ReceiverName(fd.Recv.List[0].Type)+"."+fd.Name.Name] = true
				}
			}
		}
		for _, name := range strings.Fields(list) {
			if !declared[name] {
				t.Errorf("%s has no %s", path, name)
			}
		}
	}
}

package gogen_test

import (
	"errors"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/scanner"
	"go/token"
	"go/types"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/fuzzmut/fuzzmut/instrument/schemata/gogen"
)

// choices returns n random bytes.
func choices(seed uint64, n int) []byte {
	r := rand.NewChaCha8([32]byte{byte(seed), byte(seed >> 8), byte(seed >> 16)})
	b := make([]byte, n)
	r.Read(b) // never fails
	return b
}

// near returns the lines of src around a line.
func near(src []byte, line int) string {
	lines := strings.Split(string(src), "\n")
	return strings.Join(lines[max(0, line-6):min(line+3, len(lines))], "\n")
}

// Any bytes give a program that type-checks.
func TestProgramsTypeCheck(t *testing.T) {
	fset := token.NewFileSet()
	imports := importer.ForCompiler(fset, "source", nil)
	failures := 0
	for seed := range uint64(300) {
		src := gogen.File("p", "x", choices(seed, int(seed)*5))
		var at token.Position
		f, err := parser.ParseFile(fset, "x.go", src, 0)
		if list := scanner.ErrorList(nil); errors.As(err, &list) {
			at = list[0].Pos
		}
		if err == nil {
			conf := types.Config{Importer: imports}
			_, err = conf.Check("p", fset, []*ast.File{f}, nil)
			if e := (types.Error{}); errors.As(err, &e) {
				at = fset.Position(e.Pos)
			}
		}
		if err == nil {
			continue
		}
		t.Errorf("seed %d: %v\n%s", seed, err, near(src, at.Line))
		if failures++; failures > 10 {
			return
		}
	}
}

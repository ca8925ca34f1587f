package gogen_test

import (
	"bytes"
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

	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/gogen"
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

// Any bytes give a program that type-checks: random ones, and the same one over
// and over.
func TestProgramsTypeCheck(t *testing.T) {
	fset := token.NewFileSet()
	imports := importer.ForCompiler(fset, "source", nil)
	for seed := range uint64(200) {
		checkProgram(t, fset, imports, choices(seed, int(seed)*6))
	}
	for c := range 256 {
		checkProgram(t, fset, imports, bytes.Repeat([]byte{byte(c)}, 200))
	}
}

func checkProgram(t *testing.T, fset *token.FileSet, imports types.Importer, choices []byte) {
	t.Helper()
	src := gogen.File("p", "x", choices)
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
	if err != nil {
		t.Errorf("%x: %v\n%s", choices, err, near(src, at.Line))
	}
}

package project

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
	"testing"

	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
	"github.com/fuzzmut/fuzzmut/instrument/load"
)

func TestFunctionsThatPackagesDoNotHave(t *testing.T) {
	const text = `package notes
import "log"
type T struct{ *log.Logger }
func (*T) Note() {}
type Noter interface{ Note(); interface{ More() } }
func Note() { log.Print() }
var V = 1
`
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "notes.go", text, 0)
	if err != nil {
		t.Fatal(err)
	}
	conf := types.Config{Importer: importer.Default()}
	pkg, err := conf.Check("example.com/a/notes", fset, []*ast.File{f}, nil)
	if err != nil {
		t.Fatal(err)
	}
	loaded := &load.Result{Packages: []*load.Package{{Types: pkg, Mutated: true}}}
	for name, fine := range map[string]bool{
		"notes.Note": true, "example.com/a/notes.Note": true, "notes.T.Note": true, "notes.Noter.Note": true,
		"log.Print": true, "log.Logger.Printf": true,
		"notes.Nota": false, "notes.T.Printf": false, "notes.Noter.More": false, "notes.V": false, "notes.U.Note": false, "notes.V.Note": false,
		"log.Prnit": false, "example.com/a/notes.T.Nota": false,
		"elsewhere.Note": true, "example.com/b/notes.Nota": true,
	} {
		err := checkArid([]string{"log.Println", name}, loaded)
		if fine != (err == nil) || err != nil && (exit.CodeOf(err) != exit.Usage || !strings.Contains(err.Error(), "declares no "+name+";")) {
			t.Errorf("-arid %s: %v", name, err)
		}
	}
	loaded.Packages[0].Mutated = false
	if err := checkArid([]string{"log.Prnit"}, loaded); err != nil {
		t.Errorf("of a package that is not mutated: %v", err)
	}
}

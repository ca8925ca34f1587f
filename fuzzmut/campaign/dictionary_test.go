package campaign

import (
	"go/parser"
	"go/token"
	"slices"
	"testing"

	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/load"
)

func testProgram(dir, path string) *instrument.Program {
	return &instrument.Program{Test: instrument.TestPackage{ModuleDir: dir, Dir: dir, ImportPath: path}}
}

func TestDictionary(t *testing.T) {
	src := `package p
import "imported"
type T struct {
	A int ` + "`json:\"alpha,omitempty\" xml:\"beta\"`" + `
}
const magic = 0xCAFE
func f(s string, r rune) bool {
	switch s {
	case "true", "nu\x00ll":
		return r == 'é' || len(s) == 7 || s == "error at line %d: it is not what we want"
	}
	return false
}`
	f, err := parser.ParseFile(token.NewFileSet(), "p.go", src, 0)
	if err != nil {
		t.Fatal(err)
	}
	dict := dictionary(&load.Result{Packages: []*load.Package{{Files: []load.File{{Syntax: f}}}}})
	var got []string
	for _, d := range dict {
		got = append(got, string(d))
	}
	want := []string{"é", "\xca\xfe", "\xfe\xca", "beta", "true", "51966", "alpha", "nu\x00ll"}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

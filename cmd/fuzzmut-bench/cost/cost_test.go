package cost

import (
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"testing"
)

// What is written for a report is a package with a fuzz test.
func TestReportsCanBeWritten(t *testing.T) {
	names := make(map[string]bool)
	for i := range reports {
		k := &reports[i]
		if names[k.Name] || k.Before == k.After || k.Report == "" {
			t.Errorf("%+v", k)
		}
		names[k.Name] = true
		for name, text := range k.files("v1") {
			if filepath.Ext(name) != ".go" {
				continue
			}
			if _, err := parser.ParseFile(token.NewFileSet(), name, text, 0); err != nil {
				t.Errorf("%s: %v", k.Name, err)
			}
		}
	}
}

func TestPackagesOfTheStandardLibraryAreCopied(t *testing.T) {
	dir := t.TempDir()
	k := &known{Package: "encoding/pem"}
	if err := k.copyStd(t.Context(), dir, "local"); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(dir, "pem.go")); err != nil || k.mutate() != copied {
		t.Error(err, k.mutate())
	}
	if _, err := os.Stat(filepath.Join(dir, "pem_test.go")); err == nil {
		t.Error("tests are copied")
	}
}

func TestPlace(t *testing.T) {
	if got := place("html.(*parser).x  /a/b/parse.go:12"); got != "parse.go:12" {
		t.Errorf("%q", got)
	}
}

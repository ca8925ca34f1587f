package cost

import (
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// What is written for a report is a package with a fuzz test.
func TestReportsCanBeWritten(t *testing.T) {
	names := make(map[string]bool)
	list := slices.Clone(reports)
	for _, name := range slices.Sorted(maps.Keys(asked)) {
		list = append(list, asked[name]...)
	}
	reported := len(list)
	for i, k := range slices.Concat(list, unreported) {
		if names[k.Name] && i < reported || k.Before == k.After || (k.Report != "") != (i < reported) {
			t.Errorf("%+v", k)
		}
		names[k.Name] = true
		for name, text := range k.files("example.com/m", "v1") {
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
	if _, err := os.Stat(filepath.Join(dir, "pem.go")); err != nil || k.mutate("example.com/m") != "example.com/m/copied" {
		t.Error(err, k.mutate("example.com/m"))
	}
	if _, err := os.Stat(filepath.Join(dir, "pem_test.go")); err == nil {
		t.Error("tests are copied")
	}
}

func TestTheMedianIsThatOfSortedNumbers(t *testing.T) {
	if a, b := median([]float64{3, 1, 2}), median([]float64{4, 1, 2, 3}); a != 2 || b != 2.5 {
		t.Error(a, b)
	}
	if _, err := chosen(unreported, []string{"nope"}); err == nil {
		t.Error("no name is like that")
	}
}

func TestPlace(t *testing.T) {
	if got := place("html.(*parser).x  /a/b/parse.go:12"); got != "parse.go:12" {
		t.Errorf("%q", got)
	}
}

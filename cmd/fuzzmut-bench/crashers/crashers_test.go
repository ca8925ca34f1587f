package crashers

import (
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"testing"

	"github.com/fuzzmut/fuzzmut/cmd/fuzzmut-bench/arena"
	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/job/triage"
)

func TestTheFuzzTestOverATargetCompiles(t *testing.T) {
	const target = "package p_test\n\nvar seeds []string\n\nfunc target(b []byte) {}\n"
	fset := token.NewFileSet()
	var files []*ast.File
	for _, src := range []string{target, fuzzTest(target, "FuzzX")} {
		f, err := parser.ParseFile(fset, "", src, 0)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	cfg := types.Config{Importer: importer.ForCompiler(fset, "source", nil)}
	if _, err := cfg.Check("p_test", fset, files, nil); err != nil {
		t.Error(err)
	}
}

func TestWhatIsNotServedIsAskedForOnceMore(t *testing.T) {
	var calls []string
	err := Each([]string{"a", "late", "never", "b"}, func(i int, name string) error {
		calls = append(calls, fmt.Sprint(name, i))
		if name == "never" || name == "late" && !slices.Contains(calls, "b3") {
			return fmt.Errorf("%w", arena.ErrNotServed)
		}
		return nil
	})
	if want := []string{"a0", "late1", "never2", "b3", "late1", "never2"}; err != nil || !slices.Equal(calls, want) {
		t.Errorf("%v, error %v", calls, err)
	}
	bad := errors.New("bad")
	if err := Each([]string{"a", "b"}, func(int, string) error { return bad }); !errors.Is(err, bad) {
		t.Errorf("%v", err)
	}
}

// TestCrashersAreWhole: each failing input has a label, and each label an input.
func TestCrashersAreWhole(t *testing.T) {
	b := &Collection{Data: filepath.Join("..", "..", "..", "testdata", "crashers")}
	names, err := b.Names(nil)
	if err != nil || len(names) < 9 {
		t.Fatalf("modules %v, error %v", names, err)
	}
	for _, name := range names {
		dir := filepath.Join(b.Data, name)
		labels, err := triage.ReadLabels(filepath.Join(dir, "labels.json"))
		if err != nil {
			t.Error(err)
			continue
		}
		entries, bad, err := corpus.ReadDir(corpus.TestdataDir(dir, "FuzzTarget"), []string{"[]byte"}, 0)
		if err != nil || len(bad) > 0 || len(entries) != len(labels) {
			t.Errorf("%s: %d inputs, %d bad, %d labels, error %v", name, len(entries), len(bad), len(labels), err)
		}
		for _, e := range entries {
			if labels[e.Name] == "" {
				t.Errorf("%s has no label", e.Path)
			}
		}
		if _, _, _, err := Description(dir); err != nil {
			t.Errorf("%s: the README does not name the version (%v)", name, err)
		}
	}
}

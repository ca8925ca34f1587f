package corpora

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"
)

func TestRefactoringsAreAppliedAndTakenBack(t *testing.T) {
	m, err := parseRefactored("m", txtar.Parse([]byte("m@v1\n-- add/x_test.go --\npackage m\n"+
		"-- refactor/names --\nword *.go old fresh\ntext a.go\n<<<\nx {\n===\ny {\n>>>\n")))
	if err != nil {
		t.Fatal(err)
	}
	if m.module != "m@v1" || len(m.files) != 1 || len(m.edits) != 1 {
		t.Fatalf("%+v", m)
	}
	dir := t.TempDir()
	file := filepath.Join(dir, "a.go")
	const text = "old older x {\n"
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	before, err := m.edits[0].apply(dir)
	if err != nil {
		t.Fatal(err)
	}
	got, _ := os.ReadFile(file)
	if diff := cmp.Diff("fresh older y {\n", string(got)); diff != "" || string(before[file]) != text {
		t.Errorf("before %q, (-want +got):\n%s", before[file], diff)
	}
	if _, err := (refactoring{edits: []edit{{files: "*.go", old: "none"}}}).apply(dir); err == nil {
		t.Error("an edit that changes nothing is no error")
	}
}

func TestRefactoringsThatCannotBeRead(t *testing.T) {
	for _, text := range []string{"word a b\n", "text a.go\n<<<\nx\n>>>\n", "text a.go\nx\n===\ny\n>>>\n", "patch a\n"} {
		if list, err := parseEdits(text); err == nil {
			t.Errorf("%q: %v", text, list)
		}
	}
}

// The data are whole: at least twenty refactorings of eight modules.
func TestRefactoringData(t *testing.T) {
	list, err := readRefactorings(filepath.Join("..", "..", "..", "testdata", "refactorings"), nil)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, m := range list {
		n += len(m.edits)
	}
	if len(list) < 8 || n < 20 {
		t.Errorf("%d refactorings of %d modules", n, len(list))
	}
}

//go:build unix

package suggest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
	"github.com/fuzzmut/fuzzmut/instrument/load"
)

// tabled is a test of the function of the world, with a table.
const tabled = `
func TestTable(t *testing.T) {
	for _, test := range []struct{ words, want string }{
		{"", ""}, // nothing
	} {
		if got := F(test.words); got != test.want {
			t.Error(got)
		}
	}
}
`

// withTable is a world with a test that has a table, in its file.
func withTable(t *testing.T) (w *world, path string, src []byte) {
	t.Helper()
	w = newWorld(t, plainCode)
	w.table = tabled
	w.survive("m2", "m3")
	w.seed("FuzzF", "d2", "d3")
	w.opts.WriteTest = true
	r, err := w.load(t.Context(), load.Config{Targets: []load.Target{}})
	if err != nil {
		t.Fatal(err)
	}
	path, src = r.Tests[0].Files[0].Path, r.Tests[0].Files[0].Src
	if err := os.WriteFile(path, src, 0o640); err != nil {
		t.Fatal(err)
	}
	return w, path, src
}

func TestCasesBecomeRowsOfATable(t *testing.T) {
	w, path, src := withTable(t)
	got, err := w.suggested()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{`TestTable: F("d2") = "d2": m2`, `TestTable: F("d3") = "d3": m3`}, closedBy(got)); diff != "" {
		t.Errorf("cases (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"m_test.go"}, got.Extended); diff != "" || got.Written != nil || got.Closed != 2 {
		t.Errorf("%d closed, written %v, extended (-want +got):\n%s", got.Closed, got.Written, diff)
	}
	text, err := os.ReadFile(path)
	const row = "\t\t{\"\", \"\"}, // nothing\n"
	const rows = row + "\t\t// m.go:2: change 2\n\t\t{\"d2\", \"d2\"},\n\t\t// m.go:2: change 3\n\t\t{\"d3\", \"d3\"},\n"
	if want := strings.Replace(string(src), row, rows, 1); err != nil || string(text) != want {
		t.Errorf("%v (-want +got):\n%s", err, cmp.Diff(want, string(text)))
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	if _, err := os.Lstat(filepath.Join(w.dir, plain.Name)); err == nil {
		t.Error("a further file is there")
	}
}

func TestATableThatFailsIsLeft(t *testing.T) {
	w, path, src := withTable(t)
	w.project.Options.Env = append(w.project.Options.Env, fakeGo+"="+filepath.Join(w.dir, "table"))
	got, err := w.suggested()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{plain.Name}, got.Written); diff != "" || got.Extended != nil || got.Closed != 2 {
		t.Errorf("%d closed, extended %v, written (-want +got):\n%s", got.Closed, got.Extended, diff)
	}
	if text, err := os.ReadFile(path); err != nil || string(text) != string(src) {
		t.Errorf("%v, the file is\n%s", err, text)
	}
}

func TestAFileThatHasChangedStays(t *testing.T) {
	w, path, _ := withTable(t)
	if err := os.WriteFile(path, []byte("package m // new\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	got, err := w.suggested()
	if exit.CodeOf(err) != exit.Usage || !strings.Contains(err.Error(), path+" has changed") {
		t.Errorf("%v", err)
	}
	if text, err := os.ReadFile(path); err != nil || string(text) != "package m // new\n" || got.Written != nil || got.Extended != nil {
		t.Errorf("%v, written %v, extended %v, the file is\n%s", err, got.Written, got.Extended, text)
	}
}

package share

import (
	"errors"
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/fuzzmut/fuzzmut/corpus"
)

var update = flag.Bool("update", false, "write the golden directory for the program of fleets")

// The program of fleets is another module, with separate code for directories and their logs. Both
// tests read the golden directory: this one writes the same, that one in pack_test.go there as well.
func TestTheProgramOfFleetsHasThisFormat(t *testing.T) {
	golden := filepath.Join("testdata", "fleet")
	path := t.TempDir()
	d, err := Open(path, true)
	if err != nil {
		t.Fatal(err)
	}
	input := corpus.Of("in")
	for _, kind := range []string{Entries, Failing} {
		if _, err := d.Keep(kind, "example.com/p", "FuzzA", input); err != nil {
			t.Fatal(err)
		}
	}
	l := d.NewLog(binary64, "example.com/p")
	add(t, l, Record{Fuzz: "FuzzA", Kill: &Kill{Mutant: 7, Input: input.Hash(), Kind: "difference"}})
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(filepath.Join(path, binary64, l.Name()), filepath.Join(path, binary64, "one.log")); err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := errors.Join(os.RemoveAll(golden), os.CopyFS(golden, os.DirFS(path))); err != nil {
			t.Fatal(err)
		}
	}
	want, got := textsOf(t, golden), textsOf(t, path)
	if len(want) != len(got) {
		t.Errorf("%d files, want %d", len(got), len(want))
	}
	for name, text := range want {
		if got[name] != text {
			t.Errorf("%s: %q, want %q; the program of fleets has to read and write the same; then go test -update", name, got[name], text)
		}
	}
}

// textsOf reads the files of a directory, by their names below it.
func textsOf(t *testing.T, dir string) map[string]string {
	t.Helper()
	texts := make(map[string]string)
	files := os.DirFS(dir)
	err := fs.WalkDir(files, ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		text, err := fs.ReadFile(files, name)
		texts[name] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return texts
}

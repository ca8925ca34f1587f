package golden

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/instrument/rt/golden"
)

const (
	one = "fuzzmut-0123456789abcdef"
	two = "fuzzmut-fedcba9876543210"
)

func file(text string) *golden.File {
	return &golden.File{Packages: "example.com/p", Values: []golden.Value{{Name: "p.F #1 result 0 (int)", Text: text}}}
}

func put(t *testing.T, dir, name, text string) {
	t.Helper()
	if err := os.MkdirAll(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

func TestWriteReadRemove(t *testing.T) {
	pkg := t.TempDir()
	dir := Dir(pkg, "FuzzX")
	for _, text := range []string{"int 1", "int 2"} { // the second one replaces
		if err := Write(dir, one, file(text)); err != nil {
			t.Fatal(err)
		}
	}
	files, bad, err := Read(dir)
	if err != nil || len(bad) > 0 {
		t.Fatal(bad, err)
	}
	if diff := cmp.Diff(map[string]*golden.File{one: file("int 2")}, files); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if names, err := Tests(pkg); err != nil || !cmp.Equal(names, []string{"FuzzX"}) {
		t.Errorf("Tests: %v, %v", names, err)
	}
	if err := Remove(dir, one); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(Root(pkg)); !os.IsNotExist(err) {
		t.Errorf("empty directories are left: %v", err)
	}
	if err := Remove(dir, one); err != nil {
		t.Errorf("removing what is not there: %v", err)
	}
}

func TestReadNamesBadFilesAndPassesOverOthers(t *testing.T) {
	dir := Dir(t.TempDir(), "FuzzX")
	put(t, dir, one, "<<<<<<< HEAD\n")
	put(t, dir, "README", "not ours")
	put(t, filepath.Join(dir, two), "x", "a directory of that name")
	files, bad, err := Read(dir)
	if err != nil || len(files) > 0 || len(bad) != 1 || bad[one] == nil {
		t.Fatalf("%v, %v, %v", files, bad, err)
	}
	want := filepath.Join(dir, one) + ": line 1: a conflict mark of git"
	if got := bad[one].Error(); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestReadWithoutDirectory(t *testing.T) {
	files, bad, err := Read(Dir(t.TempDir(), "FuzzX"))
	if err != nil || len(files)+len(bad) > 0 {
		t.Errorf("%v, %v, %v", files, bad, err)
	}
}

func TestRemoveOf(t *testing.T) {
	pkg := t.TempDir()
	dir := Dir(pkg, "FuzzX")
	for _, name := range []string{one, two} {
		if err := Write(dir, name, file("int 1")); err != nil {
			t.Fatal(err)
		}
	}
	for _, path := range []string{
		filepath.Join(corpus.TestdataDir(pkg, "FuzzX"), one),
		filepath.Join(pkg, "elsewhere", "FuzzX", two), // an entry of another directory
	} {
		if err := RemoveOf(path); err != nil {
			t.Fatal(err)
		}
	}
	files, _, err := Read(dir)
	if err != nil || len(files) != 1 || files[two] == nil {
		t.Errorf("%v, %v: only the golden file of %s was to go", files, err, one)
	}
}

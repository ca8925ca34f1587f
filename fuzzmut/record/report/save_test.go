package report

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// content returns a function for Save.
func content(s string) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := io.WriteString(w, s)
		return err
	}
}

// only checks that dir holds one file, with the given content.
func only(t *testing.T, path, want string) {
	t.Helper()
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Errorf("%s holds %q, want %q", path, got, want)
	}
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		t.Fatal(err)
	}
	if len(entries) != 1 {
		t.Errorf("files were left behind: %v", entries)
	}
}

func TestSaveReplacesWholeFiles(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out.json")
	for _, s := range []string{"first, longer", "second"} {
		if err := CheckSave(path); err != nil {
			t.Fatal(err)
		}
		if err := Save(path, content(s)); err != nil {
			t.Fatal(err)
		}
		only(t, path, s)
	}
}

func TestSaveKeepsTheOldFileWhenWritingFails(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out.json")
	if err := Save(path, content("old")); err != nil {
		t.Fatal(err)
	}
	full := errors.New("no space left on device")
	err := Save(path, func(w io.Writer) error {
		io.WriteString(w, "ne")
		return full
	})
	if !errors.Is(err, full) || !strings.Contains(err.Error(), path) {
		t.Errorf("got error %v", err)
	}
	only(t, path, "old")
}

func TestSaveFollowsSymbolicLinks(t *testing.T) {
	dir := t.TempDir()
	target := filepath.Join(dir, "real", "out.json")
	if err := os.Mkdir(filepath.Dir(target), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := Save(target, content("old")); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(dir, "link.json")
	if err := os.Symlink(target, link); err != nil {
		t.Skip(err)
	}
	if err := Save(link, content("new")); err != nil {
		t.Fatal(err)
	}
	only(t, target, "new")
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link was replaced: %v, %v", info, err)
	}
}

func TestSaveKeepsTheMode(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out.json")
	if err := os.WriteFile(path, nil, 0o640); err != nil {
		t.Fatal(err)
	}
	if err := Save(path, content("x")); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("mode %v, error %v", info.Mode(), err)
	}
}

func TestSaveWritesToDevicesDirectly(t *testing.T) {
	if err := CheckSave(os.DevNull); err != nil {
		t.Fatal(err)
	}
	if err := Save(os.DevNull, content("x")); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(os.DevNull); err != nil || info.Mode().IsRegular() {
		t.Fatal("the null device was replaced")
	}
}

func TestCheckSaveNamesTheFile(t *testing.T) {
	dir := t.TempDir()
	for path, want := range map[string]string{
		dir:                                "is a directory",
		filepath.Join(dir, "no", "x.json"): "can't be written: no such file or directory",
	} {
		err := CheckSave(path)
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), path) {
			t.Errorf("CheckSave(%s) = %v, want %q", path, err, want)
		}
	}
}

package gotool

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

func TestCopyFileReplacesALinkAndNotWhatItLeadsTo(t *testing.T) {
	dir := t.TempDir()
	from, original, to := filepath.Join(dir, "from"), filepath.Join(dir, "original"), filepath.Join(dir, "to")
	for path, text := range map[string]string{from: "new", original: "old"} {
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Link(original, to); err != nil {
		t.Skip(err)
	}
	if err := CopyFile(to, from, 0o700); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{to: "new", original: "old"} {
		if got, err := os.ReadFile(path); string(got) != want {
			t.Errorf("%s holds %q, %v; want %q", filepath.Base(path), got, err, want)
		}
	}
	if info, err := os.Stat(to); err != nil || info.Mode()&0o100 != 0o100 && filepath.Separator == '/' {
		t.Errorf("mode %v, error %v", info, err)
	}
}

func TestCopyFileOfNothingLeavesWhatIsThere(t *testing.T) {
	to := filepath.Join(t.TempDir(), "to")
	if err := os.WriteFile(to, []byte("old"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := CopyFile(to, to+".none", 0o666); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("error %v", err)
	}
	if got, err := os.ReadFile(to); string(got) != "old" {
		t.Errorf("holds %q, %v", got, err)
	}
}

package regular

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestRead(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"full": "12345678", "over": "123456789", "empty": ""} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("full", filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"full": "12345678", "link": "12345678", "empty": ""} {
		data, err := Read(filepath.Join(dir, name), 8)
		if err != nil || string(data) != want {
			t.Errorf("%s: %q, %v", name, data, err)
		}
	}
	for path, want := range map[string]string{
		filepath.Join(dir, "over"): "is larger than 0 MiB",
		filepath.Join(dir, "none"): "can't be read: no such file",
		dir:                        "is a directory; name a file in it",
		os.DevNull:                 "is not a regular file",
	} {
		_, err := Read(path, 8)
		if err == nil || !strings.HasPrefix(err.Error(), path+" ") || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", path, err, want)
		}
	}
	if _, err := Read(filepath.Join(dir, "none"), 8); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a file that does not exist: %v", err)
	}
}

package main

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// Files are called as in the working directory, unless their module is not known.
func TestFilesAreNamedFromTheWorkingDirectory(t *testing.T) {
	root := t.TempDir()
	for _, name := range []string{"m/go.mod", "m/parser/p.go", "m/parser/deep/p.go", "w/go.work", "w/m/go.mod", "w/m/sub/p.go", "none/p.go"} {
		file := filepath.Join(root, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o777), os.WriteFile(file, nil, 0o666)); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct{ here, dir, file, want string }{
		{"m", "", "parser/p.go", "parser/p.go"},
		{"m/parser", "", "parser/p.go", "p.go"},
		{"m/parser", "", "m.go", "../m.go"},
		{"m/parser/deep", "", "parser/p.go", "../p.go"},
		{"m/parser/deep", "..", "parser/deep/p.go", "p.go"},
		{".", "m", "parser/p.go", "m/parser/p.go"},
		{"m/parser", "", "/usr/local/go/src/fmt/print.go", "/usr/local/go/src/fmt/print.go"},
		{"w/m/sub", "", "sub/p.go", "sub/p.go"},
		{"none", "", "p.go", "p.go"},
	} {
		t.Chdir(filepath.Join(root, c.here))
		got := c.file
		if names := fileNames(c.dir); names != nil {
			got = names(c.file)
		}
		if got != c.want {
			t.Errorf("%s of %q is %s in %s, want %s", c.file, c.dir, got, c.here, c.want)
		}
	}
}

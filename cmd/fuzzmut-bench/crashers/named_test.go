package crashers

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// Test files that the go command complains of are left out, each once, if they are of the
// package's directory.
func TestTestFilesThatMessagesName(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a_test.go", "b_test.go", "c.go"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		messages string
		want     []string
	}{
		{"", nil},
		{"# m/p\n./a_test.go:3:2: undefined: x\n./a_test.go:5:2: undefined: y\n", []string{"a_test.go"}},
		{"b_test.go:1:1: no required module provides package q\na_test.go:2:1: likewise\n", []string{"b_test.go", "a_test.go"}},
		{"./c.go:3:2: undefined: x\n", nil},
		{"./gone_test.go:3:2: undefined: x\n", nil},
		{"/elsewhere/a_test.go:3:2: undefined: x\n", nil},
		{"m/p/a_test.go:3:2: undefined: x\n", nil},
		{"see ./a_test.go:3:2\n", nil},
		{"./a_test.go: no line\n", nil},
	} {
		var got []string
		for _, path := range named(c.messages, dir) {
			if filepath.Dir(path) != dir {
				t.Errorf("%q: %s is elsewhere", c.messages, path)
			}
			got = append(got, filepath.Base(path))
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%q: %q, want %q", c.messages, got, c.want)
		}
	}
}

package load

import (
	"path/filepath"
	"slices"
	"testing"
)

// The tests of packages that import one may run its code; where none of these has tests, those further up may.
func TestUsers(t *testing.T) {
	const (
		base   = "-- go.mod --\nmodule example.com/m\n\ngo 1.26\n-- a/a.go --\npackage a\n-- m.go --\npackage m\n\nimport _ \"example.com/m/b\"\n-- m_test.go --\npackage m\n-- other/o.go --\npackage other\n-- other/o_test.go --\npackage other\n-- b/b.go --\npackage b\n\nimport _ \"example.com/m/a\"\n"
		tested = "-- b/b_test.go --\npackage b\n"
		inTest = "-- other/x_test.go --\npackage other_test\n\nimport _ \"example.com/m/a\"\n"
	)
	for _, c := range []struct {
		name, files, dir string
		want             []string
	}{
		{"through a package without tests", base, ".", []string{"."}},
		{"directly", base + tested, ".", []string{"./b"}},
		{"by test files", base + inTest, ".", []string{"./other"}},
		{"from a directory below", base + tested, "a", []string{"example.com/m/b"}},
	} {
		dir := unpack(t, c.files)
		got, err := Users(t.Context(), Config{Dir: filepath.Join(dir, c.dir)}, "example.com/m/a", "example.com/m", dir)
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, %v, want %q", c.name, got, err, c.want)
		}
	}
}

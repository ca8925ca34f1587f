package constraints

import (
	"go/parser"
	"go/token"
	"testing"
)

// source is a file with what stands above its package clause.
type source struct{ name, head string }

func TestWhichBuildsHaveFiles(t *testing.T) {
	for _, c := range []struct {
		files []source
		want  string
	}{
		{[]source{{"a.go", ""}}, ""},
		{[]source{{"a.go", "//go:build linux\n\n"}}, "linux"},
		{[]source{{"a.go", "//go:build linux || darwin\n\n"}}, "linux || darwin"},
		{[]source{{"a.go", "//go:build !windows && !binary_log\n\n"}, {"b.go", "//go:build !binary_log\n\n"}}, "!windows && !binary_log"},
		{[]source{{"a.go", "//go:build linux || darwin\n\n"}, {"b.go", "//go:build cgo\n\n"}, {"c.go", "//go:build linux || darwin\n\n"}}, "(linux || darwin) && cgo"},
		{[]source{{"a.go", "//go:build !windows\n// +build !windows\n\n"}}, "!windows"},
		{[]source{{"a.go", "// +build !windows\n// +build cgo ppc64\n\n"}}, "!windows && (cgo || ppc64)"},
		{[]source{{"a_linux.go", ""}}, "linux"},
		{[]source{{"a_amd64_test.go", ""}}, "amd64"},
		{[]source{{"a_windows_arm64.go", "//go:build cgo\n\n"}}, "cgo && windows && arm64"},
		{[]source{{"a_arm64_windows.go", ""}}, "windows"},
		{[]source{{"a_log_linux_test.go", ""}}, "linux"},
		{[]source{{"linux.go", ""}, {"a_unix.go", ""}, {"a_log.go", ""}, {"linux_test.go", ""}, {"a_linux_log.go", ""}, {"a_none.go", ""}}, ""},
	} {
		var got Conjunction
		for _, f := range c.files {
			syntax, err := parser.ParseFile(token.NewFileSet(), f.name, f.head+"package p\n\n//go:build never\n", parser.ParseComments)
			if err != nil {
				t.Fatal(err)
			}
			if err := got.AddFile("/dir_linux/"+f.name, syntax); err != nil {
				t.Error(err)
			}
		}
		if got.String() != c.want {
			t.Errorf("%q: %q, want %q", c.files, got.String(), c.want)
		}
	}
}

func TestAConstraintThatIsNone(t *testing.T) {
	syntax, err := parser.ParseFile(token.NewFileSet(), "", "//go:build &&\n\npackage p\n", parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	if err := new(Conjunction).AddFile("a.go", syntax); err == nil || err.Error() != "a.go: unexpected token &&" {
		t.Error(err)
	}
}

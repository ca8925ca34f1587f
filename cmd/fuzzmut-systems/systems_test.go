package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// files are a module with a fault for each of three systems, and none for a fourth.
var files = map[string]string{
	"go.mod":            "module example.com/odd\n\ngo 1.26\n",
	"odd.go":            "package odd\n\nimport \"unicode/utf8\"\n\nfunc Odd(n int) bool { return n%utf8.UTFMax == limit }\n",
	"limit_linux.go":    "package odd\n\nconst limit = 1\n",
	"limit_freebsd.go":  "package odd\n\nconst limit = \"1\"\n",
	"limit_windows.go":  "package odd\n\nconst limit = 1\n",
	"odd_test.go":       "package odd_test\n\nimport \"example.com/odd\"\n\nvar _ = odd.Odd(width)\n",
	"w_linux_test.go":   "package odd_test\n\nconst width = 3\n",
	"w_freebsd_test.go": "package odd_test\n\nconst width = 3\n",
	"w_windows_test.go": "package odd_test\n\nvar width int\n\nfunc init() { width = width }\n",
}

func TestFaultsOfSystems(t *testing.T) {
	dir := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	s, err := newSources(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ system, want string }{
		{"linux", ""},
		{"freebsd", "odd.go:5:48: invalid operation: n % utf8.UTFMax == limit (mismatched types int and untyped string)"},
		{"windows", "w_windows_test.go:5:15: self-assignment of width (assign)"},
		{"darwin", "undefined: limit"},
	} {
		faults, err := s.check(c.system, []string{"./..."})
		if err != nil {
			t.Fatalf("%s: %v", c.system, err)
		}
		got := strings.Join(faults, "\n")
		if c.want == "" && got != "" || !strings.Contains(got, c.want) {
			t.Errorf("faults for %s:\n%s\nwant %q", c.system, got, c.want)
		}
	}
}

func TestWithoutPackages(t *testing.T) {
	if err := run(t.TempDir(), []string{"linux"}, []string{"./..."}); err == nil {
		t.Error("a directory without a module is no error")
	}
}

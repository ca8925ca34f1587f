package overlay

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// The toolchain that the tests are run with is one whose runtime is known.
func TestChancesOfThisToolchain(t *testing.T) {
	src := filepath.Join(runtime.GOROOT(), "src")
	for name, c := range map[string]chances{"maps": mapOrder, "pools": pools} {
		files, err := c.files(src, nil)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		want := len(c.heads) + len(c.hooks)
		for text := range c.texts {
			if c.heads[text] == nil {
				want++
			}
		}
		if len(files) != want {
			t.Errorf("%s: %d files, want %d", name, len(files), want)
		}
	}
}

// What is not known is left as it is, all of it.
func TestChancesUnknown(t *testing.T) {
	src := t.TempDir()
	at := filepath.Join(src, "sync", "pool.go")
	if err := os.MkdirAll(filepath.Dir(at), 0o777); err != nil {
		t.Fatal(err)
	}
	const known = "package sync\n\ntype Pool struct {\n\tnoCopy noCopy\n}\n\nfunc (p *Pool) Put(x any) {}\n\nfunc (p *Pool) Get() any { return nil }\n"
	for _, test := range []struct{ name, text, err string }{
		{"known", known, ""},
		{"no such function", strings.Replace(known, "Get", "Take", 1), "no function Get"},
		{"another function", strings.Replace(known, "x any", "x, y any", 1), "no function Put"},
		{"another struct", strings.Replace(known, "noCopy noCopy", "_ noCopy", 1), "not as fuzzmut knows it"},
	} {
		if err := os.WriteFile(at, []byte(test.text), 0o666); err != nil {
			t.Fatal(err)
		}
		files, err := pools.files(src, nil)
		switch {
		case test.err == "" && err != nil:
			t.Errorf("%s: %v", test.name, err)
		case test.err != "" && (err == nil || !strings.Contains(err.Error(), test.err) || files != nil):
			t.Errorf("%s: %d files, %v; want an error that says %q", test.name, len(files), err, test.err)
		}
	}
	if err := os.WriteFile(at, []byte(known), 0o666); err != nil {
		t.Fatal(err)
	}
	if files, err := pools.files(src, map[string][]byte{at: nil}); err == nil {
		t.Error("a file that has mutants is changed twice", len(files))
	}
}

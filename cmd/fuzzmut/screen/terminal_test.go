package screen

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

func TestFilesPipesAndTheNullDeviceAreNoTerminals(t *testing.T) {
	file, err := os.Create(filepath.Join(t.TempDir(), "out"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	defer w.Close()
	getenv := func(string) string { return "xterm" }
	for _, f := range []*os.File{file, null, w} {
		for _, term := range []Terminal{TerminalOf(f, getenv), TerminalOf(&piped{w: f}, getenv)} {
			if term.Live || term.width() != 0 {
				t.Errorf("%s is a terminal of %d columns", f.Name(), term.width())
			}
		}
	}
	if TerminalOf(new(bytes.Buffer), getenv).Live {
		t.Error("a buffer is a terminal")
	}
}

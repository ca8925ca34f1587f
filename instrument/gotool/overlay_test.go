package gotool

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The go command has to find each file with its own text, also where sets have the same.
func TestOverlayFlag(t *testing.T) {
	for range 20 { // whatever the order of the map is
		dir := t.TempDir()
		flag, err := OverlayFlag(dir, map[string][]byte{"/p/a.go": []byte("old a"), "/p/b.s": []byte("b")}, map[string][]byte{"/p/a.go": []byte("a"), "/p/c.go": []byte("c"), "/p/d.go": []byte("d")})
		if err != nil {
			t.Fatal(err)
		}
		path, _ := strings.CutPrefix(flag, "-overlay=")
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var overlay struct{ Replace map[string]string }
		if err := json.Unmarshal(text, &overlay); err != nil {
			t.Fatal(err)
		}
		got := make(map[string]string)
		for name, to := range overlay.Replace {
			text, err := os.ReadFile(to)
			if err != nil || filepath.Ext(to) != filepath.Ext(name) {
				t.Fatalf("%s is in %s: %v", name, to, err)
			}
			got[name] = string(text)
		}
		if diff := cmp.Diff(map[string]string{"/p/a.go": "a", "/p/b.s": "b", "/p/c.go": "c", "/p/d.go": "d"}, got); diff != "" {
			t.Fatalf("(-want +got):\n%s", diff)
		}
	}
}

// A user is not to look for a file of a temporary directory.
func TestInPlace(t *testing.T) {
	dir := t.TempDir()
	if _, err := OverlayFlag(dir, map[string][]byte{"/p/a_test.go": []byte("a")}); err != nil {
		t.Fatal(err)
	}
	short := filepath.Join("..", filepath.Base(dir), "0.go")
	for out, want := range map[string]string{
		filepath.Join(dir, "0.go") + ":9:7: a mistake": "/p/a_test.go:9:7: a mistake",
		"vet: " + short + ":9:7: a mistake":            "vet: /p/a_test.go:9:7: a mistake",
		"other/0.go:9:7: a mistake":                    "other/0.go:9:7: a mistake",
		filepath.Join(dir, "0.gox") + ": a mistake":    filepath.Join(dir, "0.gox") + ": a mistake",
	} {
		if got := string(InPlace(dir, []byte(out))); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	if got := string(InPlace(t.TempDir(), []byte("text"))); got != "text" {
		t.Errorf("without an overlay: %q", got)
	}
}

// Package goldenfile holds what a tool produces against files, for tests. The flag -update of
// such a test rewrites them.
package goldenfile

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// Compare holds a text against a file in testdata.
func Compare(t testing.TB, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", filepath.FromSlash(name))
	want, err := os.ReadFile(path)
	if *update {
		if bytes.Equal(want, got) && err == nil {
			return
		}
		if err := os.WriteFile(path, got, 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s differs (-want +got); -update rewrites it:\n%s", path, diff)
	}
}

package fleet

import (
	"maps"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"
)

func TestWhatIsThereStaysAsItIs(t *testing.T) {
	dir := t.TempDir()
	files := func(text string) fstest.MapFS {
		return fstest.MapFS{"a/b/c": {Data: []byte(text)}, text: {Data: []byte(text)}}
	}
	for _, text := range []string{"first", "second"} {
		if err := copyNew(files(text), dir); err != nil {
			t.Fatal(err)
		}
	}
	for name, want := range map[string]string{"a/b/c": "first", "first": "first", "second": "second"} {
		if data, err := os.ReadFile(filepath.Join(dir, name)); err != nil || string(data) != want {
			t.Errorf("%s: %q, %v", name, data, err)
		}
	}
}

func TestWhatTheDirectoryLacksIsLost(t *testing.T) {
	r := &row{union: map[string]bool{"a": true, "b": true}, directory: map[string]bool{"b": true, "c": true}}
	if r.lost() != 1 {
		t.Errorf("%d are lost", r.lost())
	}
	r.directory = maps.Clone(r.union)
	if r.lost() != 0 {
		t.Errorf("%d are lost", r.lost())
	}
}

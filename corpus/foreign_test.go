package corpus

import (
	"archive/zip"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// foreignFiles are what other fuzzers leave, by name.
var foreignFiles = map[string]string{
	"a-raw":     "\xff\x00raw",
	"b-empty":   "",
	"c-go":      "go test fuzz v1\n[]byte(\"go\")\n",
	"d-crlf":    "go test fuzz v1\r\n[]byte(\"crlf\")\r\n",
	"e-nearly":  "go test fuzz v10\n",
	"f-corrupt": "go test fuzz v1\n[]byte(",
	"g-stale":   "go test fuzz v1\nint(1)\n",
	"h-none":    "go test fuzz v1\n",
	"i-large":   strings.Repeat("x", 101),
}

func TestReadForeignTellsRawFilesByTheirContent(t *testing.T) {
	dir := writeTree(t, foreignFiles)
	if err := os.MkdirAll(filepath.Join(dir, "crashes", "deep"), 0o777); err != nil {
		t.Fatal(err)
	}
	archive := filepath.Join(t.TempDir(), "seed_corpus.ZIP")
	writeZip(t, archive, foreignFiles)
	for _, path := range []string{dir, archive} {
		for typ, want := range map[string][]any{
			"[]byte": {[]byte("\xff\x00raw"), []byte(""), []byte("go"), []byte("crlf"), []byte("go test fuzz v10\n")},
			"string": {"\xff\x00raw", "", "go test fuzz v10\n"},
			"int":    {1},
		} {
			entries, bad, err := ReadForeign(path, []string{typ}, nil, 100)
			if err != nil {
				t.Fatal(err)
			}
			var got []any
			for _, e := range entries {
				got = append(got, e.Input.Values()[0])
				if e.Source != Found || e.Path != "" || e.Name != ManagedName(e.Input.Encode()) {
					t.Errorf("entry %+v", e)
				}
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s of %s (-want +got):\n%s", typ, path, diff)
			}
			if len(entries)+len(bad) != len(foreignFiles) {
				t.Errorf("%s of %s: %d entries, %d bad", typ, path, len(entries), len(bad))
			}
			for _, b := range bad {
				var stale *StaleError
				isStale := strings.HasSuffix(b.Path, "stale") || typ != "[]byte" && strings.Contains(b.Path, "c-go") || typ != "[]byte" && strings.Contains(b.Path, "d-crlf")
				if !strings.HasPrefix(b.Path, path) || b.Fix == "" || errors.As(b, &stale) != isStale {
					t.Errorf("%s: %v", typ, b)
				}
			}
		}
	}
}

func writeZip(t *testing.T, path string, files map[string]string) {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	w := zip.NewWriter(f)
	_, err = w.Create("dir/")
	for _, name := range slices.Sorted(maps.Keys(files)) {
		member, cerr := w.Create(name)
		if cerr == nil {
			_, cerr = member.Write([]byte(files[name]))
		}
		err = errors.Join(err, cerr)
	}
	if err := errors.Join(err, w.Close(), f.Close()); err != nil {
		t.Fatal(err)
	}
}

func TestReadForeignNamesWhatCannotBeRead(t *testing.T) {
	dir := writeTree(t, map[string]string{"file": "x", "bad.zip": "no archive"})
	for _, name := range []string{"absent", "file", "bad.zip"} {
		_, _, err := ReadForeign(filepath.Join(dir, name), []string{"string"}, nil, 0)
		if err == nil || !strings.Contains(err.Error(), filepath.Join(dir, name)) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestRawBytesComeBack(t *testing.T) {
	for _, vals := range [][]any{{[]byte("a\x00")}, {"b\xff"}, {""}} {
		e := Of(vals...).Found()
		data, ok := e.Raw()
		back, err := FromRaw(data, Types(vals))
		if diff := cmp.Diff(vals, back); diff != "" || !ok || err != nil {
			t.Errorf("%v: %v, %v\n%s", vals, ok, err, diff)
		}
	}
	for _, vals := range [][]any{{1}, {"a", "b"}} {
		e := Of(vals...).Found()
		if _, ok := e.Raw(); ok {
			t.Errorf("%v has raw bytes", vals)
		}
		if _, err := FromRaw(nil, Types(vals)); err == nil {
			t.Errorf("raw bytes make %v", vals)
		}
	}
}

// A zip archive of some kilobytes can hold gigabytes.
func TestReadForeignIsBounded(t *testing.T) {
	const size = 1 << 20
	files := make(map[string]string)
	for i := range 9 {
		files[fmt.Sprint("f", i)] = strings.Repeat("\x00", size)
	}
	path := filepath.Join(t.TempDir(), "bomb.zip")
	writeZip(t, path, files)
	f := &foreign{types: []string{"[]byte"}, max: DefaultMaxSize, room: 2*size + 1}
	entries, bad, err := f.read(path)
	if err != nil || len(entries) != 3 || len(bad) != len(files)-3 {
		t.Fatalf("%d entries, %d bad, %v", len(entries), len(bad), err)
	}
	if want := path + "/f3: is not read: the files before it have 256 MiB"; !strings.HasPrefix(bad[0].Error(), want) {
		t.Errorf("got %v, want %s", bad[0], want)
	}
}

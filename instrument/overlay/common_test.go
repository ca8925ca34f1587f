package overlay

import (
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/fuzzmut/fuzzmut/instrument/gotool"
)

var helpers = map[string][]byte{"/goroot/src/a/a.go": []byte("package a\n"), "/goroot/src/b/a.go": []byte("package b\n")}

// read returns the texts of the files, by the paths that they stand for.
func read(t *testing.T, at map[string]string) map[string][]byte {
	t.Helper()
	texts := make(map[string][]byte)
	for path, to := range at {
		text, err := os.ReadFile(to)
		if err != nil {
			t.Fatal(err)
		}
		texts[path] = text
	}
	return texts
}

func lay(t *testing.T, root string) map[string]string {
	t.Helper()
	at, err := layCommon(root, helpers)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(helpers, read(t, at)); diff != "" {
		t.Fatalf("files (-want +got):\n%s", diff)
	}
	return at
}

func entries(t *testing.T, root string) int {
	t.Helper()
	list, err := os.ReadDir(root)
	if err != nil {
		t.Fatal(err)
	}
	return len(list)
}

func TestCommonFilesAreWrittenOnce(t *testing.T) {
	root := filepath.Join(t.TempDir(), "fuzz", "rt")
	at := lay(t, root)
	before, err := os.Stat(at["/goroot/src/a/a.go"])
	if err != nil {
		t.Fatal(err)
	}
	after, err := os.Stat(lay(t, root)["/goroot/src/a/a.go"])
	if err != nil {
		t.Fatal(err)
	}
	if !os.SameFile(before, after) {
		t.Error("the second run wrote the files again")
	}
	other, err := layCommon(root, map[string][]byte{"/goroot/src/a/a.go": []byte("package b\n")})
	if err != nil {
		t.Fatal(err)
	}
	if filepath.Dir(other["/goroot/src/a/a.go"]) == filepath.Dir(at["/goroot/src/a/a.go"]) || entries(t, root) != 2 {
		t.Error("other files are not in another directory, or something is left")
	}
}

func TestDamagedCommonFilesAreReplaced(t *testing.T) {
	for name, damage := range map[string]func(path string) error{
		"removed":   os.Remove,
		"shortened": func(path string) error { return os.Truncate(path, 3) },
		"edited":    func(path string) error { return os.WriteFile(path, []byte("package x\n"), 0o666) },
	} {
		t.Run(name, func(t *testing.T) {
			root := filepath.Join(t.TempDir(), "rt")
			if err := damage(lay(t, root)["/goroot/src/a/a.go"]); err != nil {
				t.Fatal(err)
			}
			lay(t, root)
			if n := entries(t, root); n != 1 {
				t.Errorf("%d entries, want one directory", n)
			}
		})
	}
}

func TestCommonFilesOfRunsAtTheSameTime(t *testing.T) {
	root := filepath.Join(t.TempDir(), "rt")
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if at, err := layCommon(root, helpers); err != nil {
				t.Error(err)
			} else if !whole(at, helpers) {
				t.Error("not all files are there")
			}
		})
	}
	wg.Wait()
	if n := entries(t, root); n != 1 {
		t.Errorf("%d entries, want one directory", n)
	}
}

func TestUnusedCommonFilesAreRemoved(t *testing.T) {
	root := filepath.Join(t.TempDir(), "rt")
	long := time.Now().Add(-2 * unusedCommon)
	for name, at := range map[string]time.Time{"old": long, "tmp-1": long, "young": time.Now()} {
		if err := os.MkdirAll(filepath.Join(root, name, "x"), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(filepath.Join(root, name), at, at); err != nil {
			t.Fatal(err)
		}
	}
	dir := filepath.Dir(lay(t, root)["/goroot/src/a/a.go"])
	if n := entries(t, root); n != 2 {
		t.Errorf("%d entries, want the young one and the new one", n)
	}
	if err := os.Chtimes(dir, long, long); err != nil {
		t.Fatal(err)
	}
	lay(t, root)
	if info, err := os.Stat(dir); err != nil || time.Since(info.ModTime()) > time.Hour {
		t.Errorf("use is not noted: %v, %v", info.ModTime(), err)
	}
}

// Where the cache can't be written, all files are in the work directory.
func TestCommonFilesWithoutACache(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	b := &builder{tool: &gotool.Toolchain{Cache: file}}
	src := filepath.Join(t.TempDir(), "src")
	at, err := b.lay(src, helpers, map[string][]byte{"/user/c.go": []byte("package c\n")})
	if err != nil {
		t.Fatal(err)
	}
	for path, to := range at {
		if filepath.Dir(to) != src {
			t.Errorf("%s lies at %s, want %s", path, to, src)
		}
	}
	if texts := read(t, at); len(texts) != 3 || string(texts["/user/c.go"]) != "package c\n" {
		t.Errorf("files: %q", texts)
	}
}

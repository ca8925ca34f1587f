package share

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/fuzzmut/fuzzmut/corpus"
)

// binary is the name of a test binary that nobody has.
var binary64 = strings.Repeat("ab", 32)

func open(t *testing.T) *Dir {
	t.Helper()
	d, err := Open(filepath.Join(t.TempDir(), "new", "dir"), true)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func put(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

func TestADirectoryIsOpenedAgain(t *testing.T) {
	d := open(t)
	for _, write := range []bool{true, false} {
		if _, err := Open(d.Path(), write); err != nil {
			t.Error(err)
		}
	}
	files, err := os.ReadDir(d.Path())
	if err != nil || len(files) != 1 || files[0].Name() != markName {
		t.Errorf("%v, %v", files, err)
	}
}

// Who only reads makes nothing.
func TestADirectoryThatIsOnlyReadNeedNotExist(t *testing.T) {
	path := filepath.Join(t.TempDir(), "none")
	d, err := Open(path, false)
	if err != nil {
		t.Fatal(err)
	}
	names, err := d.Names(Entries, "example.com/p", "FuzzX")
	if err != nil || len(names) != 0 {
		t.Error(names, err)
	}
	if _, err := os.Stat(path); err == nil {
		t.Error("it was made")
	}
}

func TestWhatIsNoSharedDirectoryIsRefused(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"file": "", "other/notes.txt": "", "later/" + markName: `{"format":"fuzzmut share","version":2}`,
		"damaged/" + markName: `{"for`, "foreign/" + markName: `{"format":"fuzzmut","version":1}`,
		"copied/" + Entries + "/x": "", "copied/" + binary64 + "/x": "",
	} {
		put(t, filepath.Join(dir, name), text)
	}
	for name, want := range map[string]string{
		"file":       "/file is a file; name a directory",
		"other":      "/other holds files that are not of a shared directory, as notes.txt; name an empty directory",
		"later":      markName + " is of version 2, and this fuzzmut knows version 1; update fuzzmut",
		"damaged":    markName + " is damaged",
		"foreign":    markName + " is damaged",
		"file/below": "move the file that has the name of a directory",
	} {
		for _, write := range []bool{true, false} {
			_, err := Open(filepath.Join(dir, name), write)
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v, want %q", name, err, want)
			}
		}
	}
	if _, err := Open(filepath.Join(dir, "copied"), true); err != nil {
		t.Errorf("a copy that has not brought all: %v", err)
	}
}

// Processes that begin at once find the directory new, or being made by another.
func TestManyMakeOneDirectory(t *testing.T) {
	for range 200 {
		dir := filepath.Join(t.TempDir(), "share")
		var wg sync.WaitGroup
		begin := make(chan struct{})
		for range 8 {
			wg.Go(func() {
				<-begin
				if _, err := Open(dir, true); err != nil {
					t.Error(err)
				}
			})
		}
		close(begin)
		wg.Wait()
		if t.Failed() {
			return
		}
	}
}

func TestErrorsOfTheFileSystemHaveAFix(t *testing.T) {
	for number, want := range map[syscall.Errno]string{
		syscall.ENOSPC: "free some space", syscall.EROFS: "make the file system writable", syscall.EACCES: "change its permissions",
		syscall.ENOTDIR: "move the file", syscall.EIO: "fix the directory",
	} {
		err := &os.PathError{Op: "open", Path: "/x", Err: number}
		text := (&Dir{path: "/share"}).Problem(err)
		if !strings.HasPrefix(text, "/share: ") || !strings.Contains(text, want) || strings.Contains(text, "/x") {
			t.Errorf("%v: %q", number, text)
		}
	}
}

func TestInputsComeBack(t *testing.T) {
	d := open(t)
	for _, want := range []bool{true, false} { // the second time, it is there
		if created, err := d.Keep(Entries, "example.com/p", "FuzzX", corpus.Of("a", 1)); created != want || err != nil {
			t.Fatal(created, err)
		}
	}
	name := corpus.Of("a", 1).Hash()
	names, err := d.Names(Entries, "example.com/p", "FuzzX")
	if err != nil || !reflect.DeepEqual(names, []string{name}) {
		t.Fatal(names, err)
	}
	in, err := d.Read(Entries, "example.com/p", "FuzzX", name, []string{"string", "int"})
	if err != nil || !in.Equal(corpus.Of("a", 1)) {
		t.Error(in, err)
	}
	if _, err := d.Read(Entries, "example.com/p", "FuzzX", name, []string{"string"}); !errors.Is(err, ErrTypes) {
		t.Error(err)
	}
	if names, _ := d.Names(Failing, "example.com/p", "FuzzX"); len(names) != 0 {
		t.Error("of another kind:", names)
	}
	if created, err := d.Keep(Entries, "example.com/p", "FuzzX", corpus.Of(bytes.Repeat([]byte{0}, entryMost))); created || !errors.Is(err, ErrTooLarge) {
		t.Error("a huge one:", created, err)
	}
}

func TestInputsThatCantBe(t *testing.T) {
	d := open(t)
	for _, where := range [][2]string{{"../../p", "FuzzX"}, {"p", "../.."}, {"", "FuzzX"}, {"/p", ".."}} {
		if _, err := d.Keep(Entries, where[0], where[1], corpus.Of("a")); err == nil && where[0] != "/p" {
			t.Errorf("%q: no error", where)
		}
	}
	dir := filepath.Join(d.Path(), Entries, "p", "FuzzX")
	put(t, filepath.Join(dir, hashA), string(corpus.Marshal([]any{"a"})))
	put(t, filepath.Join(dir, hashB), "go test fuzz v1\nstring(7)\n")
	put(t, filepath.Join(dir, "notes.txt"), "")
	put(t, filepath.Join(dir, strings.Repeat("c", 16)), strings.Repeat("x", entryMost+1))
	if err := os.MkdirAll(filepath.Join(dir, strings.Repeat("d", 16)), 0o777); err != nil {
		t.Fatal(err)
	}
	names, err := d.Names(Entries, "p", "FuzzX")
	if err != nil || len(names) != 3 {
		t.Error(names, err)
	}
	for name, want := range map[string]string{hashA: "another input than its name says", hashB: "line 2", strings.Repeat("c", 16): "larger than"} {
		_, err := d.Read(Entries, "p", "FuzzX", name, nil)
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), filepath.Join(dir, name)) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

package share

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

func killOf(m uint32) Record {
	return Record{Fuzz: "FuzzX", Kill: &Kill{Mutant: m, Input: hashA, Kind: "panic"}}
}

// mutantsOf lists the mutants of kills.
func mutantsOf(list []Record) string {
	var ms []string
	for _, r := range list {
		if r.Kill != nil {
			ms = append(ms, fmt.Sprint(r.Kill.Mutant))
		}
	}
	return strings.Join(ms, " ")
}

func next(t *testing.T, r *Reader) string {
	t.Helper()
	list, err := r.Next()
	if err != nil {
		t.Error(err)
	}
	return mutantsOf(list)
}

func add(t *testing.T, l *Log, records ...Record) {
	t.Helper()
	if err := l.Add(records...); err != nil {
		t.Fatal(err)
	}
}

func TestWhatIsAddedIsReadOnce(t *testing.T) {
	d := open(t)
	a, own := d.NewLog(binary64, "p"), d.NewLog(binary64, "p")
	r := d.NewReader(binary64, own)
	if got := next(t, r); got != "" {
		t.Errorf("nothing was said: %q", got)
	}
	add(t, own, killOf(9))
	add(t, a, killOf(1), killOf(2))
	for _, want := range []string{"1 2", ""} {
		if got := next(t, r); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	add(t, a, killOf(3))
	add(t, d.NewLog(strings.Repeat("cd", 32), "p"), killOf(4)) // of another binary
	if got := next(t, r); got != "3" {
		t.Errorf("%q", got)
	}
}

// A record may be read while it is written.
func TestATornRecordIsReadOnceItIsWhole(t *testing.T) {
	d := open(t)
	path := filepath.Join(d.Path(), binary64, "x.log")
	text := head + string(frames(t, killOf(1), killOf(2)))
	r := d.NewReader(binary64, nil)
	for i := range text {
		put(t, path, text[:i])
		if list, err := r.Next(); err != nil || len(list) > 1 {
			t.Fatalf("at %d: %v, %v", i, list, err)
		}
	}
	put(t, path, text)
	if got := next(t, r); got != "2" {
		t.Errorf("%q", got)
	}
}

func TestDamagedFilesAreNamedOnce(t *testing.T) {
	d := open(t)
	dir := filepath.Join(d.Path(), binary64)
	put(t, filepath.Join(dir, "a.log"), "something else")
	put(t, filepath.Join(dir, "b.log"), head+string(frames(t, killOf(1)))+"\xff\xff\xff\xffxxxx"+string(frames(t, killOf(2))))
	put(t, filepath.Join(dir, "c.log"), head+string(frames(t, killOf(3))))
	put(t, filepath.Join(dir, "notes.txt"), "x")
	if err := os.Mkdir(filepath.Join(dir, "d.log"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("/dev/zero", filepath.Join(dir, "e.log")); err != nil {
		t.Skip(err)
	}
	r := d.NewReader(binary64, nil)
	list, err := r.Next()
	if got := mutantsOf(list); got != "1 3" {
		t.Errorf("%q", got)
	}
	for _, want := range []string{"a.log is no log", "b.log is damaged at byte ", "d.log is not a regular file", "e.log is not a regular file"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	if list, err := r.Next(); err != nil || len(list) > 0 {
		t.Error(list, err)
	}
}

// Whoever compacts the directory may remove a log whose process goes on.
// A directory that is empty may be removed at any time.
func TestALogIsMadeWhileDirectoriesAreRemoved(t *testing.T) {
	dir, done := filepath.Join(t.TempDir(), "of", "a", "binary"), make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		for {
			select {
			case <-done:
				return
			default:
				os.Remove(dir)
				time.Sleep(10 * time.Microsecond)
			}
		}
	})
	for range 2000 {
		file, err := createIn(dir, newName())
		if err != nil {
			t.Error(err)
			break
		}
		file.Close()
		os.Remove(file.Name())
	}
	close(done)
	wg.Wait()
}

func TestALogThatWasRemovedIsWrittenAgain(t *testing.T) {
	d := open(t)
	l := d.NewLog(binary64, "p")
	if err := l.Repair(); err != nil || l.Name() != "" {
		t.Error("nothing was said, and there is a file", err)
	}
	add(t, l, killOf(1))
	first := l.Name()
	if err := l.Repair(); err != nil || l.Name() != first {
		t.Error("a whole file was written again", err)
	}
	if err := os.Remove(filepath.Join(d.Path(), binary64, first)); err != nil {
		t.Fatal(err)
	}
	add(t, l, killOf(2)) // into a file that has no name
	if err := l.Repair(); err != nil {
		t.Fatal(err)
	}
	add(t, l, killOf(3))
	if got := next(t, d.NewReader(binary64, nil)); got != "1 2 3" {
		t.Errorf("%q", got)
	}
}

// A disk may be full for a while: then a part of a record may be in the file.
func TestWhatCouldNotBeWrittenIsWrittenLater(t *testing.T) {
	d := open(t)
	l := d.NewLog(binary64, "p")
	add(t, l, killOf(1))
	good := l.file
	path := good.Name()
	if _, err := good.WriteString("to"); err != nil {
		t.Fatal(err)
	}
	good.Close() // no write succeeds any more
	if err := l.Add(killOf(2)); err == nil {
		t.Fatal("written to a closed file")
	}
	if err := l.Add(killOf(3)); err != nil {
		t.Error("reported twice:", err)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	if got := next(t, d.NewReader(binary64, nil)); got != "1 1 2 3" && got != "1 2 3 1" {
		t.Errorf("%q", got)
	}
	if l.Name() == filepath.Base(path) {
		t.Error("it goes on after a torn record")
	}
}

func TestALogIsBounded(t *testing.T) {
	d := open(t)
	l := d.NewLog(binary64, "p")
	l.size = logMost - len(frames(t, killOf(1)))
	if err := l.Add(killOf(1), killOf(2)); !errors.Is(err, ErrFull) {
		t.Error(err)
	}
	if got := next(t, d.NewReader(binary64, nil)); got != "1" {
		t.Errorf("%q", got)
	}
	huge := Record{Fuzz: "FuzzX", Cover: &Cover{Input: hashA, Features: make([]uint32, recordMost)}}
	add(t, d.NewLog(binary64, "p"), huge, killOf(2)) // the first is left out
	if got := next(t, d.NewReader(binary64, nil)); got != "1 2" && got != "2 1" {
		t.Errorf("%q", got)
	}
}

//go:build unix || windows

package filelock

import (
	"path/filepath"
	"runtime"
	"testing"
)

// Own waits until nobody else has the file.
func TestOwnWaits(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	first, err := Own(path)
	if err != nil {
		t.Fatal(err)
	}
	order := make(chan string, 2) // the race detector does not see the file's lock
	done := make(chan error)
	go func() {
		second, err := Own(path)
		order <- "second"
		if err == nil {
			second()
		}
		done <- err
	}()
	for range 100 {
		runtime.Gosched()
		if _, ok := Claim(path); ok {
			t.Fatal("two have it")
		}
	}
	order <- "first"
	first()
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	if one, two := <-order, <-order; one != "first" || two != "second" {
		t.Errorf("%s, %s", one, two)
	}
}

func TestOneHasAFileForHimself(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	unlock, ok := Claim(path)
	if !ok {
		t.Fatal("nobody has it")
	}
	if _, ok := Claim(path); ok {
		t.Error("two have it")
	}
	unlock()
	first, err := Share(path)
	if err != nil {
		t.Fatal(err)
	}
	second, err := Share(path)
	if err != nil {
		t.Fatal(err)
	}
	first()
	if _, ok := Claim(path); ok {
		t.Error("it is claimed while it is shared")
	}
	second()
	if _, ok := Claim(path); !ok {
		t.Error("nobody has it any more")
	}
	if _, ok := Claim(filepath.Join(path, "none")); ok {
		t.Error("there is no such directory")
	}
}

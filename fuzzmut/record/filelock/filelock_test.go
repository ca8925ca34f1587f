//go:build unix || windows

package filelock

import (
	"path/filepath"
	"testing"
)

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

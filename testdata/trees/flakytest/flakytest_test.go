package flakytest

import (
	"os"
	"path/filepath"
	"testing"
)

func TestNext(t *testing.T) {
	if Next(1) != 2 {
		t.Error("1")
	}
}

// TestSometimes fails every second time, in whatever process: it leaves a file
// where the next one finds it.
func TestSometimes(t *testing.T) {
	trace := filepath.Join(os.TempDir(), "flakytest-was-here")
	if os.Remove(trace) == nil {
		t.Error("not again")
		return
	}
	if err := os.WriteFile(trace, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if Next(2) != 3 {
		t.Error("2")
	}
}

package overlay

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestWrittenFilesAreOldByTheirContent(t *testing.T) {
	at := make(map[string]time.Time)
	for _, text := range []string{"package a\n", "package b\n", ""} {
		for _, name := range []string{"x.go", "y.go"} {
			path := filepath.Join(t.TempDir(), name)
			if err := writeOld(path, []byte(text)); err != nil {
				t.Fatal(err)
			}
			info, err := os.Stat(path)
			if err != nil {
				t.Fatal(err)
			}
			if age := time.Since(info.ModTime()); age < time.Hour {
				t.Errorf("%q is %v old", text, age)
			}
			if was, ok := at[text]; ok && !was.Equal(info.ModTime()) {
				t.Errorf("%q has two times: %v and %v", text, was, info.ModTime())
			}
			at[text] = info.ModTime()
		}
	}
	if at["package a\n"].Equal(at["package b\n"]) {
		t.Error("files of one size and different content have one time")
	}
	if err := writeOld(filepath.Join(t.TempDir(), "no", "x.go"), nil); err == nil {
		t.Error("a file in no directory is written")
	}
}

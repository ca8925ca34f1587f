//go:build unix && !darwin

package system

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// The other program does the same, and its file is another one.
func TestElsewhereBinary(t *testing.T) {
	if os.Getenv("FUZZMUT_TEST_BINARY") != "" {
		path, err := os.Executable()
		if err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("size=%d", len(data))
		return
	}
	dir := t.TempDir()
	data, err := os.ReadFile(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "test.bin")
	if err := os.WriteFile(path, data, 0o700); err != nil {
		t.Fatal(err)
	}
	for range 3 { // each time the program is another one
		other, err := ElsewhereBinary(path, 2)
		if err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(other, "-test.run=^TestElsewhereBinary$", "-test.v")
		cmd.Env = append(os.Environ(), "FUZZMUT_TEST_BINARY=1")
		out, err := cmd.CombinedOutput()
		data = append(data, 0)
		if err := os.WriteFile(path+".new", data, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(path+".new", path); err != nil {
			t.Fatal(err)
		}
		if err != nil || !strings.Contains(string(out), "size="+strconv.Itoa(len(data)-1+2*added)+"\n") {
			t.Errorf("%v\n%s", err, out)
		}
	}
	if files, err := os.ReadDir(filepath.Join(dir, "elsewhere2")); err != nil || len(files) != 1 {
		t.Errorf("%d files, %v", len(files), err)
	}
	if other, err := ElsewhereBinary(filepath.Join(dir, "missing"), 1); err == nil {
		t.Errorf("a program that is not there: %s", other)
	}
}

// A program that can't ask for its file is a link, also once it is built again.
func TestElsewhereBinaryThatCannotTell(t *testing.T) {
	path := filepath.Join(t.TempDir(), "test.bin")
	for _, text := range []string{"first", "second"} {
		if err := os.WriteFile(path+".new", []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(path+".new", path); err != nil {
			t.Fatal(err)
		}
		from, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			other, err := ElsewhereBinary(path, 1)
			if err != nil {
				t.Fatal(err)
			}
			to, err := os.Stat(other)
			if err != nil || other == path || !os.SameFile(from, to) {
				t.Errorf("%s: %s is another file, %v", text, other, err)
			}
		}
		if files, err := os.ReadDir(filepath.Join(filepath.Dir(path), "elsewhere1")); err != nil || len(files) != 1 {
			t.Errorf("%d files, %v", len(files), err)
		}
	}
}

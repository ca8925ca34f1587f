package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// envBinary names the file of a fuzzmut, as it is built of this repository: make cloud does.
const envBinary = "FLEET_TEST_FUZZMUT"

// The real command does slices, and what it leaves is found in the server's directory.
func TestWithTheRealCommand(t *testing.T) {
	binary := os.Getenv(envBinary)
	if binary == "" {
		t.Skip("make cloud runs it")
	}
	dir := filepath.Join(t.TempDir(), "crashes")
	if err := os.CopyFS(dir, os.DirFS(filepath.Join("..", "..", "testdata", "trees", "crashes"))); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	t.Setenv(envCommand, binary)
	share := filepath.Join(t.TempDir(), "found")
	s, joins := served(t, share, "-state", t.TempDir(), "-slices", "2", "-execs", "1500")
	begin(t, joins...).ends(t, 0)
	s.ends(t, 0)
	list, err := files(share, nil)
	if err != nil {
		t.Fatal(err)
	}
	kinds := make(map[string]int)
	for _, name := range list {
		first, _, _ := strings.Cut(name, "/")
		kinds[first]++
	}
	if kinds["entries"] < 10 || kinds["failing"] < 2 || kinds["fuzzmut-share.json"] != 1 || len(kinds) != 4 {
		t.Errorf("%v", kinds)
	}
	if text := s.String(); !strings.Contains(text, "2 slices, 0 without a result; 3000 executions") {
		t.Error(text)
	}
	if exists("testdata") {
		t.Error("the user's tree has a failing input")
	}
}

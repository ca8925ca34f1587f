package system

import (
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"
	"time"
)

// A process with the variable has another local time, in whatever zone this one is.
func TestElsewhere(t *testing.T) {
	if os.Getenv("FUZZMUT_TEST_ZONE") != "" {
		_, offset := time.Date(2026, 1, 2, 3, 4, 5, 0, time.Local).Zone()
		t.Logf("offset=%d", offset)
		return
	}
	if runtime.GOOS == "windows" {
		t.Skip("the variable TZ is not asked for")
	}
	dir := t.TempDir()
	for range 2 { // the second time the file is there
		zone, err := ElsewhereEnv(dir)
		if err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(os.Args[0], "-test.run=^TestElsewhere$", "-test.v")
		cmd.Env = append(os.Environ(), "FUZZMUT_TEST_ZONE=1", zone)
		out, err := cmd.CombinedOutput()
		if err != nil || !strings.Contains(string(out), "offset=20220\n") {
			t.Errorf("%v\n%s", err, out)
		}
	}
	if files, err := os.ReadDir(dir); err != nil || len(files) != 1 {
		t.Errorf("%d files, %v", len(files), err)
	}
	if _, err := ElsewhereEnv(dir + "/missing"); err == nil {
		t.Error("a directory that is not there")
	}
}

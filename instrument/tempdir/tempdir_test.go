//go:build unix

package tempdir

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
	"time"
)

// owned is set in a process that a test has started: it makes a directory there, and
// waits to be killed, or for the test to end.
const owned = "FUZZMUT_TEST_OWNED"

func TestMain(m *testing.M) {
	if parent := os.Getenv(owned); parent != "" {
		dir, _, err := Make(parent)
		if err != nil {
			os.Stdout.WriteString(err.Error())
		}
		runtime.GC() // the lock stays, although nobody refers to it here
		runtime.GC()
		os.Stdout.WriteString(dir + "\n")
		io.Copy(io.Discard, os.Stdin) // without anything to wait for, Go would end the process
	}
	os.Exit(m.Run())
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

func TestOnlyWhatHasNoOwnerIsRemoved(t *testing.T) {
	parent := t.TempDir()
	mine, remove, err := Make(parent)
	if err != nil {
		t.Fatal(err)
	}
	other := filepath.Join(parent, "fuzzmut-other")
	file := filepath.Join(parent, Prefix+"file")
	if err := os.Mkdir(other, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), owned+"="+parent)
	if _, err := cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	lines.Scan()
	theirs := lines.Text()
	if err := os.WriteFile(filepath.Join(theirs, "large"), make([]byte, 1<<16), 0o666); err != nil {
		t.Fatal(err)
	}
	time.Sleep(50 * time.Millisecond) // one that ended by itself would be gone by now
	Sweep(parent)
	for _, path := range []string{mine, theirs, other, file} {
		if !exists(path) {
			t.Errorf("%s was removed while its owner lives", path)
		}
	}
	cmd.Process.Kill()
	cmd.Wait()
	Sweep(parent)
	if exists(theirs) {
		t.Error("what a killed process has left stays")
	}
	if !exists(mine) || !exists(other) || !exists(file) {
		t.Error("too much is removed")
	}
	if remove(); exists(mine) {
		t.Error("its owner does not remove it")
	}
}

func TestOwnDirectoriesAreRemovedAtOnce(t *testing.T) {
	parent := t.TempDir()
	first, remove, err := Make(parent)
	if err != nil {
		t.Fatal(err)
	}
	second, _, err := Make(parent)
	if err != nil {
		t.Fatal(err)
	}
	remove()
	// Another process's by now.
	if err := os.Mkdir(first, 0o777); err != nil {
		t.Fatal(err)
	}
	if RemoveOwn(); exists(second) || !exists(first) {
		t.Errorf("own: %v, another's: %v", exists(second), exists(first))
	}
}

// Runs that begin at the same time neither take a new directory for a left one, nor fail.
func TestManyBeginAtOnce(t *testing.T) {
	parent := t.TempDir()
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 50 {
				dir, remove, err := Make(parent)
				if err != nil {
					t.Error(err)
					return
				}
				Sweep(parent)
				if !exists(dir) {
					t.Errorf("%s was removed while its owner lives", dir)
				}
				remove()
			}
		})
	}
	wg.Wait()
}

package main

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
)

func TestAFleetNeedsItsProgram(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	for _, name := range []string{"serve", "join", "status"} {
		f := newFake(nil)
		f.check(t, exit.Usage, "fleet", name, "-share", "x")
		if want := "fuzzmut: fuzzmut fleet needs fuzzmut-fleet: get it with " + fleetInstall + "\n"; f.errs.String() != want {
			t.Errorf("%q, want %q", f.errs.String(), want)
		}
	}
}

// The program has the arguments as they are, and its exit code is that of the command.
func TestAFleetIsHandedOver(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the program is a shell script")
	}
	dir := t.TempDir()
	script := "#!/bin/sh\necho \"$@\"\ntest -x \"$FUZZMUT_COMMAND\" || exit 9\necho wrong >&2\nexit 2\n"
	if err := os.WriteFile(filepath.Join(dir, fleetProgram), []byte(script), 0o777); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+string(filepath.ListSeparator)+os.Getenv("PATH"))
	f := newFake(nil)
	f.check(t, exit.Usage, "fleet", "join", "-key", "k", "nats://x", "./...")
	if f.out.String() != "join -key k nats://x ./...\n" || f.errs.String() != "wrong\n" {
		t.Errorf("%q, %q", f.out.String(), f.errs.String())
	}
	f = newFake(nil)
	f.check(t, exit.OK, "fleet", "serve", "-h")
	if !strings.Contains(f.out.String(), "fuzzmut fleet serve -share") {
		t.Error(f.out.String())
	}
}

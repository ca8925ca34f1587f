package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// fakeGo is a go command that writes the system for a program, and a word for a page.
const fakeGo = `#!/bin/sh
case $1 in
env) echo 0 ;;
build) while [ "$1" != -o ]; do shift; done; echo "$GOOS/$GOARCH" >"$2" ;;
*) echo page ;;
esac
`

// The checksums of a release are those of its files, and of nothing else.
func TestTheChecksumsOfARelease(t *testing.T) {
	for _, name := range []string{"make", "sha256sum"} {
		if _, err := exec.LookPath(name); err != nil {
			t.Skipf("there is no %s", name)
		}
	}
	dir := t.TempDir()
	fake, dist := filepath.Join(dir, "go"), filepath.Join(dir, "dist")
	if err := os.WriteFile(fake, []byte(fakeGo), 0o777); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("make", "-C", filepath.Join("..", ".."), "release", "GO="+fake, "DIST="+dist, "RELEASE=linux/amd64 windows/arm64")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	cmd = exec.Command("sha256sum", "--check", "--strict", "SHA256SUMS")
	cmd.Dir = dist
	out, err := cmd.CombinedOutput()
	if want := "fuzzmut.1: OK\nfuzzmut_linux_amd64: OK\nfuzzmut_windows_arm64.exe: OK\n"; err != nil || string(out) != want {
		t.Errorf("%v, %s", err, out)
	}
	if text, err := os.ReadFile(filepath.Join(dist, "fuzzmut_windows_arm64.exe")); err != nil || strings.TrimSpace(string(text)) != "windows/arm64" {
		t.Errorf("a program for windows/arm64: %q, %v", text, err)
	}
}

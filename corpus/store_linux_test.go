package corpus

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// childEnv names the directory to work on in a process that a test started from
// its own binary.
const childEnv = "FUZZMUT_TEST_CHILD"

// inNamespace runs the calling test again in a process that may mount on the
// directory that it returns there. In the first process it returns "", after
// having failed the test if the second one did.
func inNamespace(t *testing.T) string {
	t.Helper()
	if dir := os.Getenv(childEnv); dir != "" {
		return dir
	}
	cmd := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v")
	cmd.Env = append(os.Environ(), childEnv+"="+t.TempDir())
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWNS | syscall.CLONE_NEWUSER,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}},
	}
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Skip("no user namespaces:", err)
	}
	switch {
	case err != nil:
		t.Errorf("%v\n%s", err, out)
	case strings.Contains(string(out), "--- SKIP"):
		t.Skipf("%s", out)
	case !strings.Contains(string(out), "--- PASS: "+t.Name()):
		t.Errorf("the test did not run in the namespace\n%s", out)
	}
	return ""
}

// mountTmpfs mounts a file system of that size in bytes on dir.
func mountTmpfs(t *testing.T, dir, size string) {
	t.Helper()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "mode=0777,size="+size); err != nil {
		t.Skip("no tmpfs:", err)
	}
}

func TestWriteFileOnFullDisk(t *testing.T) {
	dir := inNamespace(t)
	if dir == "" {
		return
	}
	mountTmpfs(t, dir, "64k")
	target := filepath.Join(dir, "FuzzX")
	small := Marshal([]any{1})
	if created, err := WriteFile(target, "small", small); !created || err != nil {
		t.Fatal(created, err)
	}
	large := Marshal([]any{strings.Repeat("x", 200_000)})
	created, err := WriteFile(target, "large", large)
	want := "writing " + filepath.Join(target, "large") + ": "
	if created || !errors.Is(err, syscall.ENOSPC) || !strings.HasPrefix(err.Error(), want) || !strings.HasSuffix(err.Error(), "; free some space on the disk and run again") {
		t.Errorf("created = %v, error %v", created, err)
	}
	if got := list(t, target); len(got) != 1 || got[0] != "small" {
		t.Errorf("left on the disk: %v", got)
	}
	if created, err := WriteFile(target, "small2", small); !created || err != nil {
		t.Errorf("a small file after the failure: created = %v, error %v", created, err)
	}
}

func TestReadOnlyFileSystem(t *testing.T) {
	dir := inNamespace(t)
	if dir == "" {
		return
	}
	mountTmpfs(t, dir, "64k")
	if _, err := WriteFile(dir, "there", one); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(dir, tempPrefix+"1"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mount("", dir, "", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""); err != nil {
		t.Skip(err)
	}
	const fix = "; make the file system writable, or name another directory with -corpus"
	if created, err := WriteFile(dir, "there", one); created || err != nil {
		t.Errorf("writing what is there: created = %v, error %v", created, err)
	}
	_, werr := WriteFile(dir, "new", one)
	_, merr := WriteFile(filepath.Join(dir, "newdir"), "new", one)
	for _, err := range []error{werr, merr, Remove(dir, "there"), RemoveLeftovers(dir)} {
		if !errors.Is(err, syscall.EROFS) || !strings.Contains(err.Error(), dir) || !strings.HasSuffix(err.Error(), fix) {
			t.Errorf("error %v does not name path and fix", err)
		}
	}
	if entries, bad, err := ReadDir(dir, nil, 0); len(entries) != 1 || len(bad) != 0 || err != nil {
		t.Errorf("reading: %v, %v, %v", entries, bad, err)
	}
}

// TestKilledWriterLeavesNoEntry kills a process in the middle of a write.
func TestKilledWriterLeavesNoEntry(t *testing.T) {
	if dir := os.Getenv(childEnv); dir != "" {
		writeFile(dir, "x", one, func(f *os.File) error {
			f.WriteString("go test fuzz v1\nin")
			return syscall.Kill(os.Getpid(), syscall.SIGKILL)
		})
		t.Fatal("survived SIGKILL")
	}
	dir := t.TempDir()
	cmd := exec.Command(os.Args[0], "-test.run=^TestKilledWriterLeavesNoEntry$")
	cmd.Env = append(os.Environ(), childEnv+"="+dir)
	if out, err := cmd.CombinedOutput(); err == nil || !strings.Contains(err.Error(), "killed") {
		t.Fatalf("%v\n%s", err, out)
	}
	if n := len(list(t, dir)); n != 1 {
		t.Errorf("%d remains, want the temporary directory", n)
	}
	if entries, bad, err := ReadDir(dir, nil, 0); entries != nil || bad != nil || err != nil {
		t.Errorf("half an entry can be seen: %v, %v, %v", entries, bad, err)
	}
	if err := RemoveLeftovers(dir); err != nil || len(list(t, dir)) != 0 {
		t.Errorf("cleaning up: %v; left %v", err, list(t, dir))
	}
}

// TestWithoutPermission runs in its own process, in order to give up root's
// rights there if it has them.
func TestWithoutPermission(t *testing.T) {
	dir := os.Getenv(childEnv)
	if dir == "" {
		cmd := exec.Command(os.Args[0], "-test.run=^TestWithoutPermission$")
		cmd.Env = append(os.Environ(), childEnv+"="+t.TempDir())
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%v\n%s", err, out)
		}
		return
	}
	locked := lockedDir(t, dir)
	const fix = "; change its permissions, or name another directory with -corpus"
	_, werr := WriteFile(locked, "new", one)
	_, terr := WriteFile(locked, "there", one) // can't be read to be compared
	_, _, derr := ReadDir(filepath.Join(locked, "hidden"), nil, 0)
	for _, err := range []error{werr, terr, derr, Remove(locked, "there"), CheckDir(locked), CheckDir(filepath.Join(locked, "new", "er"))} {
		if !errors.Is(err, os.ErrPermission) || !strings.Contains(err.Error(), locked) || !strings.HasSuffix(err.Error(), fix) {
			t.Errorf("error %v does not name path and fix", err)
		}
	}
	_, bad, err := ReadDir(locked, nil, 0)
	if len(bad) != 2 || err != nil || bad[1].Error() != filepath.Join(locked, "there")+": permission denied"+fix {
		t.Errorf("reading: %v, %v", bad, err)
	}
}

// lockedDir makes a directory that can be listed only, with an entry and
// a directory that can't be read, and gives up root's rights.
func lockedDir(t *testing.T, dir string) string {
	t.Helper()
	locked := filepath.Join(dir, "locked")
	for _, err := range []error{
		os.Chmod(filepath.Dir(dir), 0o755),
		os.MkdirAll(filepath.Join(locked, "hidden"), 0o777),
		os.WriteFile(filepath.Join(locked, "there"), one, 0o666),
		os.Chmod(filepath.Join(locked, "there"), 0),
		os.Chmod(filepath.Join(locked, "hidden"), 0),
		os.Chmod(locked, 0o555),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	const nobody = 65534
	if os.Getuid() == 0 {
		if err := syscall.Setuid(nobody); err != nil {
			t.Fatal(err)
		}
	}
	return locked
}

func TestWriteFileLeavesPermissionsToUmask(t *testing.T) {
	for umask, want := range map[int][2]os.FileMode{0: {0o777, 0o666}, 0o027: {0o750, 0o640}} {
		old := syscall.Umask(umask)
		dir := filepath.Join(t.TempDir(), "corpus")
		_, err := WriteFile(dir, "x", one)
		syscall.Umask(old)
		if err != nil {
			t.Fatal(err)
		}
		got := [2]os.FileMode{mode(t, dir).Perm(), mode(t, filepath.Join(dir, "x")).Perm()}
		if got != want {
			t.Errorf("umask %o: directory and file get %o, want %o", umask, got, want)
		}
	}
}

func TestReadDirOfFileThatHoldsMoreThanItsSize(t *testing.T) {
	dir := t.TempDir()
	symlink(t, "/proc/self/status", filepath.Join(dir, "x")) // of size 0
	_, bad, err := ReadDir(dir, nil, 20)
	if len(bad) != 1 || bad[0].Error() != filepath.Join(dir, "x")+": is larger than 20 bytes; shorten or remove the file" || err != nil {
		t.Errorf("%v, %v", bad, err)
	}
}

func TestReadForeignOpensNoPipe(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.zip")
	if err := syscall.Mkfifo(path, 0o666); err != nil {
		t.Skip(err)
	}
	if _, _, err := ReadForeign(path, []string{"[]byte"}, nil, 0); err == nil || !strings.Contains(err.Error(), path+" is not a regular file") {
		t.Errorf("got %v", err)
	}
}

package system

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestMemoryOnFullDisk: a page that has no room on the disk would end the process that
// touches it, so the room is reserved before. The test runs again in a process that may
// mount a small disk.
func TestMemoryOnFullDisk(t *testing.T) {
	const dirVar = "FUZZMUT_TEST_DISK"
	dir := os.Getenv(dirVar)
	if dir == "" {
		runInNamespace(t, dirVar+"="+t.TempDir())
		return
	}
	const size = 8 << 20
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "mode=0777,size=1m"); err != nil {
		t.Skip("no tmpfs:", err)
	}
	f, err := memoryFile(dir, size)
	if f != nil || !errors.Is(err, syscall.ENOSPC) || !strings.Contains(err.Error(), "not enough space in "+dir+" for 8 MiB") ||
		!strings.HasSuffix(err.Error(), "; free some space, or set TMPDIR to another directory") {
		t.Errorf("got %v", err)
	}
	if left, err := os.ReadDir(dir); len(left) > 0 || err != nil {
		t.Errorf("left behind: %v, %v", left, err)
	}
	// Where no room can be reserved, zeros are written.
	g, err := os.CreateTemp(dir, "")
	if err != nil {
		t.Fatal(err)
	}
	if err := fill(g, size); !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("filled: %v", err)
	}
	os.Remove(g.Name())
	g.Close()
	// The memory itself needs no disk here.
	t.Setenv("TMPDIR", dir)
	m, err := NewMemory(dir, size)
	if err != nil {
		t.Fatal(err)
	}
	for i := range m.Bytes {
		m.Bytes[i] = 1
	}
	m.Close()
}

// runInNamespace runs the test in a process that may mount.
func runInNamespace(t *testing.T, env string) {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v")
	cmd.Env = append(os.Environ(), env)
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWNS | syscall.CLONE_NEWUSER,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}},
	}
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	switch {
	case err != nil && !errors.As(err, &exit):
		t.Skip("no user namespaces:", err)
	case err != nil:
		t.Errorf("%v\n%s", err, out)
	case strings.Contains(string(out), "--- SKIP"):
		t.Skipf("%s", out)
	case !strings.Contains(string(out), "--- PASS: "+t.Name()):
		t.Errorf("the test did not run\n%s", out)
	}
}

func TestMemoryFile(t *testing.T) {
	const size = 1 << 20
	f, err := memoryFile(t.TempDir(), size)
	if err != nil {
		t.Fatal(err)
	}
	m, err := mapFile(f, size)
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	var st syscall.Stat_t
	if err := syscall.Fstat(int(f.Fd()), &st); err != nil || len(m.Bytes) != size || st.Size != size || st.Nlink != 0 {
		t.Errorf("%d bytes, %d links, %v", st.Size, st.Nlink, err)
	}
	m.Bytes[size-1] = 1
}

func TestUsage(t *testing.T) {
	for i, sum := 0, 0; OwnCPU() == 0 || CPU(os.Getpid()) == 0; i++ {
		sum += i * i
	}
	if Resident(os.Getpid()) < 1<<20 {
		t.Errorf("resident: %d bytes", Resident(os.Getpid()))
	}
	if Resident(1<<30) != 0 || CPU(1<<30) != 0 {
		t.Error("a process that is not there has used something")
	}
}

// TestBoundSpace: the runtime spends ten seconds on the tables of 64 TiB before it finds that
// there is no memory. With a bound it is refused the addresses at once.
func TestBoundSpace(t *testing.T) {
	const childVar = "FUZZMUT_TEST_SPACE"
	if os.Getenv(childVar) != "" {
		os.Stdout.Write([]byte{'\n'}) // the runtime has reserved what it needs
		os.Stdin.Read(make([]byte, 1))
		_ = append(make([]*int, 0, len(os.Args)<<42), nil)
		return
	}
	cmd := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$")
	cmd.Env = append(os.Environ(), childVar+"=1")
	var out strings.Builder
	cmd.Stderr = &out
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	stdout.Read(make([]byte, 1))
	BoundSpace(cmd.Process.Pid, 1<<40)
	stdin.Close()
	if err := cmd.Wait(); err == nil || !strings.Contains(out.String(), "cannot allocate") {
		t.Errorf("%v: %s", err, out.String())
	}
	BoundSpace(1<<30, 1) // a process that is not there
}

func init() {
	if os.Getenv("FUZZMUT_TEST_SPIN") != "" {
		runtime.LockOSThread() // the main thread, which has the signals of a process, is to wait
	}
}

// The thread that computes has the signal, and not one that waits: of a goroutine that is not soon
// interrupted, as on a busy machine, the other one would know no stack.
func TestDumpAsksTheThreadThatRuns(t *testing.T) {
	if os.Getenv("FUZZMUT_TEST_SPIN") != "" {
		runtime.GOMAXPROCS(1)
		go spin()
		time.Sleep(time.Hour)
	}
	for range 5 {
		cmd := exec.Command(os.Args[0], "-test.run=^TestDumpAsksTheThreadThatRuns$")
		cmd.Env = append(os.Environ(), "FUZZMUT_TEST_SPIN=1", "GOTRACEBACK=all")
		var out bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &out
		c := NewChild(cmd)
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		for CPU(cmd.Process.Pid) < 200*time.Millisecond {
			time.Sleep(10 * time.Millisecond)
		}
		if !c.Dump() {
			t.Error("no signal was sent")
		}
		_ = c.Wait() // it has failed
		if !strings.Contains(out.String(), "system.spin(") {
			t.Errorf("the function that runs is not there:\n%s", &out)
		}
	}
}

// spin is nearly all the time in a function of the library that the runtime can't interrupt.
func spin() {
	zeros := make([]byte, 256<<20)
	for bytes.IndexByte(zeros, 1) < 0 {
	}
}

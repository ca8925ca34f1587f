package misbehave

import (
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"
	"unsafe"
)

func signalled(f *testing.F, s syscall.Signal) {
	run(f, func(*testing.T, []byte) { syscall.Kill(os.Getpid(), s); select {} })
}

func FuzzKill(f *testing.F)      { signalled(f, syscall.SIGKILL) }
func FuzzTerminate(f *testing.F) { signalled(f, syscall.SIGTERM) }
func FuzzAbort(f *testing.F)     { signalled(f, syscall.SIGABRT) }
func FuzzSegment(f *testing.F)   { signalled(f, syscall.SIGSEGV) }
func FuzzStop(f *testing.F)      { signalled(f, syscall.SIGSTOP) }

func FuzzFault(f *testing.F) {
	run(f, func(*testing.T, []byte) { *(*int)(unsafe.Pointer(uintptr(0x4000_0000_0000))) = 1 })
}

func FuzzExitGroup(f *testing.F) {
	run(f, func(*testing.T, []byte) { syscall.Exit(0) })
}

func FuzzDescriptors(f *testing.F) {
	run(f, func(*testing.T, []byte) {
		for fd := range 21 {
			syscall.Close(fd)
		}
	})
}

func FuzzAllDescriptors(f *testing.F) {
	run(f, func(*testing.T, []byte) {
		for fd := range 1024 {
			syscall.Close(fd)
		}
	})
}

func FuzzProtocol(f *testing.F) {
	run(f, func(*testing.T, []byte) {
		for fd := 3; fd < 21; fd++ {
			syscall.Write(fd, []byte("ab 12345\n"))
		}
	})
}

// FuzzAllPipes writes to every pipe of the process, wherever it is.
func FuzzAllPipes(f *testing.F) {
	run(f, func(*testing.T, []byte) {
		for fd := 3; fd < 1024; fd++ {
			if to, err := os.Readlink(fmt.Sprintf("/proc/self/fd/%d", fd)); err == nil && strings.HasPrefix(to, "pipe:") {
				syscall.SetNonblock(fd, true)
				syscall.Write(fd, []byte("{\"Fuzzed\":{}}\nab 12345\n\xff\xff\xff\xff"))
			}
		}
	})
}

// FuzzScribble writes over memory that is shared with other processes.
func FuzzScribble(f *testing.F) {
	run(f, func(_ *testing.T, b []byte) {
		data, err := os.ReadFile("/proc/self/maps")
		if err != nil {
			return
		}
		for line := range strings.Lines(string(data)) {
			var from, to uintptr
			var mode string
			if n, _ := fmt.Sscanf(line, "%x-%x %s", &from, &to, &mode); n < 3 || mode != "rw-s" {
				continue
			}
			for at := from; at < min(to, from+1<<12); at += 8 {
				*(*uint64)(unsafe.Pointer(at)) = 0xffff_ffff_ffff_fff0 + uint64(len(b))
			}
		}
	})
}

func FuzzLimits(f *testing.F) {
	run(f, func(*testing.T, []byte) {
		syscall.Setrlimit(syscall.RLIMIT_NOFILE, &syscall.Rlimit{Cur: 4, Max: 4})
		syscall.Umask(0o777)
	})
}

func FuzzGroup(f *testing.F) { run(f, func(*testing.T, []byte) { syscall.Setpgid(0, 0) }) }

package misbehave

import (
	"errors"
	"flag"
	"fmt"
	"log"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"testing"
	"time"
)

// run fuzzes Digits, and does the deed with each input that is long enough.
func run(f *testing.F, deed func(t *testing.T, b []byte)) {
	f.Add([]byte(""))
	f.Add([]byte("a1"))
	f.Fuzz(func(t *testing.T, b []byte) {
		if n := Digits(b); n < 0 || n > len(b) {
			t.Errorf("%d digits in %q", n, b)
		}
		if len(b) > 3 {
			deed(t, b)
		}
	})
}

// Deaths.

func FuzzExit(f *testing.F)     { run(f, func(*testing.T, []byte) { os.Exit(3) }) }
func FuzzExitZero(f *testing.F) { run(f, func(*testing.T, []byte) { os.Exit(0) }) }
func FuzzLogFatal(f *testing.F) { run(f, func(*testing.T, []byte) { log.Fatal("that was it") }) }

func FuzzExitElsewhere(f *testing.F) {
	run(f, func(*testing.T, []byte) { go os.Exit(4); time.Sleep(time.Second) })
}

func FuzzPanicElsewhere(f *testing.F) {
	run(f, func(*testing.T, []byte) {
		var wait sync.WaitGroup
		wait.Go(func() { panic("elsewhere") })
		wait.Wait()
	})
}

func FuzzDeadlock(f *testing.F) { run(f, func(*testing.T, []byte) { <-make(chan int) }) }
func FuzzSelect(f *testing.F)   { run(f, func(*testing.T, []byte) { select {} }) }
func FuzzSleep(f *testing.F)    { run(f, func(*testing.T, []byte) { time.Sleep(time.Hour) }) }

func FuzzSpin(f *testing.F) {
	run(f, func(*testing.T, []byte) {
		for n := 0; ; n++ {
			runtime.KeepAlive(n)
		}
	})
}

var kept [][]byte

func FuzzMemory(f *testing.F) {
	run(f, func(*testing.T, []byte) {
		for {
			kept = append(kept, []byte(strings.Repeat("x", 16<<20)))
		}
	})
}

func deep(n int) int {
	var room [1 << 10]byte
	room[n%len(room)] = 1
	return deep(n+1) + int(room[n%7])
}

func FuzzStack(f *testing.F) { run(f, func(*testing.T, []byte) { deep(0) }) }

func FuzzUnlock(f *testing.F) {
	run(f, func(*testing.T, []byte) { new(sync.Mutex).Unlock() })
}

func FuzzMaps(f *testing.F) {
	run(f, func(*testing.T, []byte) {
		m := map[int]int{}
		var wait sync.WaitGroup
		for range 4 {
			wait.Go(func() {
				for i := range 100_000 {
					m[i%7] = i
				}
			})
		}
		wait.Wait()
	})
}

// Panics.

func FuzzPanic(f *testing.F)    { run(f, func(*testing.T, []byte) { panic("plain") }) }
func FuzzPanicNil(f *testing.F) { run(f, func(*testing.T, []byte) { panic(nil) }) }

func FuzzNilPointer(f *testing.F) {
	run(f, func(*testing.T, []byte) { var p *flag.Flag; p.Name = "x" })
}

type oddError struct{}

func (oddError) Error() string { panic("an error that panics") }

func FuzzPanicOdd(f *testing.F) { run(f, func(*testing.T, []byte) { panic(oddError{}) }) }

func FuzzPanicFunc(f *testing.F) { run(f, func(*testing.T, []byte) { panic(func() {}) }) }

func FuzzPanicHuge(f *testing.F) {
	run(f, func(*testing.T, []byte) { panic(strings.Repeat("huge ", 2<<20)) })
}

func FuzzPanicEscapes(f *testing.F) {
	run(f, func(*testing.T, []byte) { panic("\x1b]0;title\a\x1b[2J\r\x9b31m\u202e") })
}

func FuzzPanicTwice(f *testing.F) {
	run(f, func(*testing.T, []byte) {
		defer func() { panic(errors.Join(errors.New("second"), fmt.Errorf("%v", recover()))) }()
		panic("first")
	})
}

func FuzzErrorEscapes(f *testing.F) {
	run(f, func(t *testing.T, _ []byte) { t.Error("\x1b[2J\x1b[H", "\x00", "\xff\xfe") })
}

func FuzzErrorHuge(f *testing.F) {
	run(f, func(t *testing.T, _ []byte) { t.Error(strings.Repeat("long line ", 1<<18)) })
}

func FuzzGoexit(f *testing.F) { run(f, func(*testing.T, []byte) { runtime.Goexit() }) }

func FuzzFailElsewhere(f *testing.F) {
	run(f, func(t *testing.T, _ []byte) {
		var wait sync.WaitGroup
		wait.Go(func() { t.FailNow() })
		wait.Wait()
	})
}

var calls int

func FuzzFlaky(f *testing.F) {
	run(f, func(*testing.T, []byte) {
		if calls++; calls%500 == 0 {
			panic("now and then")
		}
	})
}

func FuzzFlakyError(f *testing.F) {
	run(f, func(t *testing.T, _ []byte) {
		if calls++; calls%3 == 0 {
			t.Error("every third time")
		}
	})
}

// What is harmed or left behind.

func FuzzGoroutines(f *testing.F) { run(f, func(*testing.T, []byte) { go func() { select {} }() }) }

func FuzzTimers(f *testing.F) {
	run(f, func(*testing.T, []byte) { time.AfterFunc(time.Hour, func() {}) })
}

func FuzzLateTimer(f *testing.F) {
	run(f, func(*testing.T, []byte) { time.AfterFunc(time.Millisecond, func() { _ = Digits(nil) }) })
}

func FuzzChild(f *testing.F) {
	run(f, func(t *testing.T, _ []byte) {
		if calls++; calls > 5 {
			return
		}
		if err := exec.Command("sleep", "61").Start(); err != nil {
			t.Skip(err)
		}
	})
}

func FuzzChildAndPanic(f *testing.F) {
	run(f, func(*testing.T, []byte) {
		c := exec.Command("sleep", "61")
		c.Stdout, c.Stderr = os.Stdout, os.Stderr
		c.Start()
		done := make(chan bool)
		go func() { panic("with a child") }()
		<-done
	})
}

func FuzzDirectory(f *testing.F)   { run(f, func(*testing.T, []byte) { os.Chdir("/") }) }
func FuzzEnvironment(f *testing.F) { run(f, func(*testing.T, []byte) { os.Clearenv() }) }

func FuzzTempDir(f *testing.F) {
	run(f, func(*testing.T, []byte) {
		// Only what the bench has made for this run.
		if strings.Contains(os.TempDir(), "fuzzmut-fault") {
			os.RemoveAll(os.TempDir())
		}
	})
}

func FuzzStdout(f *testing.F) {
	run(f, func(*testing.T, []byte) { os.Stdout.Close(); os.Stderr.Close() })
}

func FuzzNoStdout(f *testing.F) {
	run(f, func(*testing.T, []byte) { os.Stdout, os.Stderr, os.Stdin = nil, nil, nil })
}

func FuzzOutput(f *testing.F) {
	run(f, func(*testing.T, []byte) { fmt.Println(strings.Repeat("output ", 1<<14)) })
}

func FuzzLogs(f *testing.F) {
	run(f, func(t *testing.T, _ []byte) { t.Log(strings.Repeat("log ", 1<<14)) })
}

func FuzzThread(f *testing.F)   { run(f, func(*testing.T, []byte) { runtime.LockOSThread() }) }
func FuzzGCOff(f *testing.F)    { run(f, func(*testing.T, []byte) { debug.SetGCPercent(-1) }) }
func FuzzMaxStack(f *testing.F) { run(f, func(*testing.T, []byte) { debug.SetMaxStack(1 << 16) }) }
func FuzzProcs(f *testing.F)    { run(f, func(*testing.T, []byte) { runtime.GOMAXPROCS(1) }) }
func FuzzArgs(f *testing.F)     { run(f, func(*testing.T, []byte) { os.Args = nil }) }

func FuzzFlags(f *testing.F) {
	run(f, func(*testing.T, []byte) { flag.CommandLine = flag.NewFlagSet("other", flag.PanicOnError) })
}

func FuzzTestFlags(f *testing.F) {
	run(f, func(*testing.T, []byte) { flag.Set("test.timeout", "1ns"); flag.Set("test.run", "Nothing") })
}

func FuzzSignals(f *testing.F) {
	run(f, func(*testing.T, []byte) { signal.Ignore(); signal.Notify(make(chan os.Signal, 1)) })
}

func FuzzMaxThreads(f *testing.F) {
	run(f, func(*testing.T, []byte) { debug.SetPanicOnFault(true); debug.SetTraceback("none") })
}

func FuzzParallel(f *testing.F) { run(f, func(t *testing.T, _ []byte) { t.Parallel() }) }
func FuzzSubtests(f *testing.F) {
	run(f, func(t *testing.T, _ []byte) { t.Run("sub", func(t *testing.T) { t.Skip() }) })
}

func FuzzCleanupPanics(f *testing.F) {
	run(f, func(t *testing.T, _ []byte) { t.Cleanup(func() { panic("while cleaning up") }) })
}

func FuzzFiles(f *testing.F) {
	run(f, func(t *testing.T, b []byte) { os.WriteFile(t.TempDir()+"/file", b, 0o600) })
}

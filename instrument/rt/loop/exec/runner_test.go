package exec

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	fuzzmutrt "github.com/fuzzmut/fuzzmut/instrument/rt"
)

func TestRunnerComesBackFromEveryEnding(t *testing.T) { comesBack(t) }

// What modules whose go line is below 1.21 ask for.
func TestRunnerTellsNilPanicsFromGoexit(t *testing.T) {
	t.Setenv("GODEBUG", "panicnil=1")
	comesBack(t)
	r := runner{wantStack: true}
	if r.run(func() { nilPanic(3) }) != panicked || r.value != nil {
		t.Fatalf("got value %v", r.value)
	}
	list := frames(r.stack, []string{"github.com/fuzzmut/fuzzmut/instrument/rt/loop"})
	if len(list) < 4 || !strings.Contains(list[0], ".nilPanic ") {
		t.Errorf("frames: %q", list)
	}
	if got := PanicText(r.value); got != "panic(nil)" {
		t.Errorf("got %q", got)
	}
}

func nilPanic(n int) {
	if n == 0 {
		panic(nil) //nolint:govet // what the runtime makes of it
	}
	nilPanic(n - 1)
}

func comesBack(t *testing.T) {
	boom := errors.New("boom")
	tests := []struct {
		name string
		fn   func()
		want ending
	}{
		{"return", func() {}, returned},
		{"panic", func() { panic(boom) }, panicked},
		{"nil panic", func() { panic(nil) }, panicked}, //nolint:govet // what the runtime makes of it
		{"runtime error", func() { _ = []int{}[len(boom.Error())] }, panicked},
		{"goexit", runtime.Goexit, exited},
		{"goexit under defer", func() { defer func() {}(); runtime.Goexit() }, exited},
		{"recovered", func() { defer func() { recover() }(); panic(1) }, returned},             //nolint:errcheck // the point of it
		{"nil panic recovered", func() { defer func() { recover() }(); panic(nil) }, returned}, //nolint:govet,errcheck // the point of it
		{"panic during goexit", func() { defer func() { panic(boom) }(); runtime.Goexit() }, panicked},
	}
	var r runner
	// In one runner, each after each: an ending must not spoil the next run.
	for _, first := range tests {
		for _, then := range tests {
			if got := r.run(first.fn); got != first.want {
				t.Fatalf("%s: got %d, want %d", first.name, got, first.want)
			}
			if got := r.run(then.fn); got != then.want {
				t.Fatalf("%s after %s: got %d, want %d", then.name, first.name, got, then.want)
			}
		}
	}
}

func TestRunnerKeepsThePanicsValueAndStack(t *testing.T) {
	r := runner{wantStack: true}
	if r.run(func() { deeply(3) }) != panicked || r.value != "deep" {
		t.Fatalf("got value %v", r.value)
	}
	list := frames(r.stack, []string{"github.com/fuzzmut/fuzzmut/instrument/rt/loop"})
	if len(list) < 4 || !strings.Contains(list[0], ".deeply ") || !strings.Contains(list[0], "runner_test.go:") {
		t.Errorf("frames: %q", list)
	}
}

func deeply(n int) {
	if n == 0 {
		panic("deep")
	}
	deeply(n - 1)
}

// again panics with the value of a panic, as parsers do that end by panics.
func again() {
	if r := recover(); r != nil {
		panic(r)
	}
}

// wraps panics with a text that quotes the value of a panic.
func wraps() { panic(fmt.Sprint("wrapped: ", recover())) }

// stumbles fails while it looks at a panic.
func stumbles() {
	_ = recover().([]int)[1]
}

func outOfRange(list []int) int { return list[len(list)] }

func TestFramesAreThoseOfTheFirstPanic(t *testing.T) {
	tests := []struct {
		name string
		fn   func()
		top  string
	}{
		{"with the same value", func() { defer again(); deeply(2) }, ".deeply "},
		{"an error of the runtime", func() { defer again(); outOfRange(nil) }, ".outOfRange "},
		{"with a text", func() { defer wraps(); outOfRange(nil) }, ".outOfRange "},
		{"twice", func() { defer again(); defer wraps(); outOfRange(nil) }, ".outOfRange "},
		{"in a function literal", func() { defer func() { panic(recover()) }(); nilPanic(2) }, ".nilPanic "},
		{"by a deferred function", func() { defer stumbles(); panic([]int{0}) }, ".stumbles "},
		{"after a deferred function failed", func() { defer again(); defer stumbles(); panic([]int{0}) }, ".stumbles "},
		{"after it was recovered", func() { func() { defer func() { recover() }(); nilPanic(1) }(); deeply(1) }, ".deeply "}, //nolint:errcheck // the point of it
	}
	for _, test := range tests {
		r := runner{wantStack: true}
		if r.run(test.fn) != panicked {
			t.Fatalf("%s: it does not panic", test.name)
		}
		list := frames(r.stack, []string{"github.com/fuzzmut/fuzzmut/instrument/rt/loop"})
		if len(list) < 2 || !strings.Contains(list[0], test.top) {
			t.Errorf("%s: frames: %q", test.name, list)
		}
	}
}

// Where Goexits can be ended, a function runs on the goroutine of the caller, whose frames are
// no part of what failed.
func TestStacksBeginWithTheRun(t *testing.T) {
	fuzzmutrt.EndGoexit = func() bool { return false }
	defer func() { fuzzmutrt.EndGoexit = nil }()
	for name, fn := range map[string]func(){"panic": func() { deeply(3) }, "nil panic": func() { nilPanic(3) }} {
		r := runner{wantStack: true}
		if callsRun(&r, fn) != panicked || r.next != nil {
			t.Fatalf("%s: got %d, coroutine %v", name, r.how, r.next != nil)
		}
		list := frames(r.stack, []string{"github.com/fuzzmut/fuzzmut/instrument/rt/loop"})
		if len(list) < 4 || strings.Contains(strings.Join(list, "\n"), ".callsRun ") {
			t.Errorf("%s: frames %q", name, list)
		}
		if got := callsRun(&r, func() {}); got != returned || r.stack != nil {
			t.Errorf("%s: the next run: %d", name, got)
		}
	}
}

//go:noinline
func callsRun(r *runner, fn func()) ending { return r.run(fn) }

func TestRunnerLeavesNoGoroutinesBehind(t *testing.T) {
	var r runner
	r.run(func() {})
	before := runtime.NumGoroutine()
	for range 1000 {
		r.run(runtime.Goexit)
	}
	for range 10_000 { // they end in their own time
		if runtime.NumGoroutine() <= before+1 {
			return
		}
		time.Sleep(time.Millisecond)
	}
	t.Errorf("%d goroutines, %d before", runtime.NumGoroutine(), before)
}

// Runs that end in Goexit, from deep in a target as well, share one coroutine, and none
// shows in the stack of a later one.
func TestRunnerStandsInGoexits(t *testing.T) {
	r := runner{wantStack: true}
	goroutines, most := 0, 0
	for i := range 300 {
		if r.next == nil {
			goroutines++
		}
		if got := r.run(func() { skips(i % 20) }); got != exited {
			t.Fatalf("run %d: got %d", i, got)
		}
		most = max(most, r.nested)
		if r.run(func() { deeply(3) }) != panicked {
			t.Fatal("no panic")
		}
		list := strings.Join(frames(r.stack, []string{"github.com/fuzzmut/fuzzmut/instrument/rt/loop"}), "\n")
		if strings.Contains(list, ".skips ") || strings.Count(list, ".deeply ") != 4 {
			t.Fatalf("run %d, in %d Goexits: frames:\n%s", i, r.nested, list)
		}
	}
	if goroutines > 100 || most < 3 {
		t.Errorf("%d goroutines, at most %d Goexits in one", goroutines, most)
	}
	// One that leaves little stack is the last of its coroutine.
	if r.run(func() { skips(2000) }); r.next != nil {
		t.Error("goes on in a stack that is full")
	}
}

func skips(n int) {
	if n == 0 {
		runtime.Goexit()
	}
	skips(n - 1)
}

func BenchmarkRunner(b *testing.B) {
	var r runner
	n := 0
	for b.Loop() {
		r.run(func() { n++ })
	}
}

func BenchmarkRunnerOnTheGoroutineOfTheCaller(b *testing.B) {
	fuzzmutrt.EndGoexit = func() bool { return false }
	defer func() { fuzzmutrt.EndGoexit = nil }()
	var r runner
	n := 0
	for b.Loop() {
		r.run(func() { n++ })
	}
}

func BenchmarkRunnerGoexit(b *testing.B) {
	var r runner
	for b.Loop() {
		r.run(runtime.Goexit)
	}
}

// A coroutine that is locked to a thread can't be switched from: the process would end.
func TestThreadsThatAreLeftLocked(t *testing.T) {
	var r runner
	for name, fn := range map[string]func(){
		"returned": runtime.LockOSThread,
		"panicked": func() { runtime.LockOSThread(); panic("boom") },
		"exited":   func() { runtime.LockOSThread(); runtime.Goexit() },
	} {
		r.run(fn)
		if got := r.run(func() {}); got != returned {
			t.Errorf("after one that %s: got %v", name, got)
		}
	}
}

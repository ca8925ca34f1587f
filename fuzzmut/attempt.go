package fuzzmut

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
)

// attempt is the test of one value: a testing.TB whose failure is not yet one of the
// whole test.
type attempt struct {
	testing.TB
	failed, skipped bool
	site            string // of the failure
	log             bytes.Buffer
	cleanups        []func()
	cancel          context.CancelFunc
	ctx             context.Context
}

// run calls fn, and waits until it has returned, panicked or ended its goroutine.
func (a *attempt) run(fn func()) {
	a.ctx, a.cancel = context.WithCancel(a.TB.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer a.finish()
		defer a.recovered()
		fn()
	}()
	<-done
}

// finish does what was left for the end, the last first.
func (a *attempt) finish() {
	a.cancel()
	for len(a.cleanups) > 0 {
		last := len(a.cleanups) - 1
		f := a.cleanups[last]
		a.cleanups = a.cleanups[:last]
		func() {
			defer a.recovered()
			f()
		}()
	}
}

// recovered makes a panic a failure.
func (a *attempt) recovered() {
	if v := recover(); v != nil {
		a.fail(panicSite())
		fmt.Fprintf(&a.log, "panic: %v\n%s", v, debug.Stack())
	}
}

// panicSite returns where the panic that is being recovered started: below the frames
// of the runtime.
func panicSite() string {
	pcs := make([]uintptr, 64)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs)])
	panicked := false
	for {
		f, more := frames.Next()
		inRuntime := strings.HasPrefix(f.Function, "runtime.")
		if panicked && !inRuntime || !more {
			return fmt.Sprintf("%s:%d", f.File, f.Line)
		}
		panicked = panicked || f.Function == "runtime.gopanic"
	}
}

// callSite returns the place of the call of its caller's caller.
func callSite(skip int) string {
	_, file, line, _ := runtime.Caller(skip + 1)
	return fmt.Sprintf("%s:%d", filepath.Base(file), line)
}

func (a *attempt) fail(site string) {
	if !a.failed {
		a.failed, a.site = true, site
	}
}

func (a *attempt) print(s string) {
	fmt.Fprintf(&a.log, "%s: %s\n", callSite(2), strings.TrimSuffix(s, "\n"))
}

func (a *attempt) Context() context.Context     { return a.ctx }
func (a *attempt) Cleanup(f func())             { a.cleanups = append(a.cleanups, f) }
func (a *attempt) Failed() bool                 { return a.failed }
func (a *attempt) Skipped() bool                { return a.skipped }
func (a *attempt) Helper()                      {}
func (a *attempt) Output() io.Writer            { return &a.log }
func (a *attempt) Log(args ...any)              { a.print(fmt.Sprintln(args...)) }
func (a *attempt) Logf(format string, v ...any) { a.print(fmt.Sprintf(format, v...)) }
func (a *attempt) Fail()                        { a.fail(callSite(1)) }

func (a *attempt) FailNow() {
	a.fail(callSite(1))
	runtime.Goexit()
}

func (a *attempt) Error(args ...any) {
	a.fail(callSite(1))
	a.print(fmt.Sprintln(args...))
}

func (a *attempt) Errorf(format string, args ...any) {
	a.fail(callSite(1))
	a.print(fmt.Sprintf(format, args...))
}

func (a *attempt) Fatal(args ...any) {
	a.fail(callSite(1))
	a.print(fmt.Sprintln(args...))
	runtime.Goexit()
}

func (a *attempt) Fatalf(format string, args ...any) {
	a.fail(callSite(1))
	a.print(fmt.Sprintf(format, args...))
	runtime.Goexit()
}

func (a *attempt) Skip(args ...any) {
	a.print(fmt.Sprintln(args...))
	a.SkipNow()
}

func (a *attempt) Skipf(format string, args ...any) {
	a.print(fmt.Sprintf(format, args...))
	a.SkipNow()
}

func (a *attempt) SkipNow() {
	a.skipped = true
	runtime.Goexit()
}

// message says what fails for a value.
func message(which, source string, a *attempt, minimal bool) string {
	least := "no input one step smaller fails in the same place"
	if !minimal {
		least = "smaller ones may also fail"
	}
	return fmt.Sprintf("%s; minimized (%s), it is\n%s\nwith this result:\n%s", which, least, source, strings.TrimSuffix(a.log.String(), "\n"))
}

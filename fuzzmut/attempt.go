package fuzzmut

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"path/filepath"
	"reflect"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"unsafe"

	"github.com/fuzzmut/fuzzmut/fuzzmut/derive"
)

// attempt is the test of one value: a testing.TB whose failure is not yet one of the
// whole test. It is as small as it can be: to get memory takes longer than many a test.
type attempt struct{ *group }

// group has attempts that were made at once. To make them one by one, or a few, takes longer.
type group struct {
	testing.TB
	shown func() string // Go source of the value; nil: see property.source
	list  []attempt
	// noted has the notes of each, or nil. There is none before one has any: most have not.
	noted atomic.Pointer[[]atomic.Pointer[notes]]
}

// attempts makes attempts of the same test. Which are taken is a number, and no slice: to set a pointer takes
// longer while the collector runs. No two have the same memory, since a goroutine that a test has left may
// still use its own.
type attempts struct {
	of   testing.TB
	some *manyAttempts
	left int // attempts of these, the last ones first
}

// manyAttempts is a group with its attempts: with what Go notes of an object it takes 4096 bytes, which memory is
// handed out in.
type manyAttempts struct {
	group
	all [atOnce]attempt
}

const atOnce = 504 // attempts

func (s *attempts) next() *attempt {
	if s.left == 0 {
		s.more()
	}
	s.left--
	return &s.some.all[s.left]
}

// more makes attempts that are all still to be taken.
func (s *attempts) more() {
	g := new(manyAttempts)
	g.TB, g.list, s.left = s.of, g.all[:], atOnce
	for i := range g.all {
		g.all[i].group = &g.group
	}
	s.some = g
}

// quietly is an attempt that nobody is shown.
func quietly(t testing.TB) *attempt {
	alone := new(struct {
		group
		one [1]attempt
	})
	alone.TB, alone.list = t, alone.one[:]
	alone.one[0].group = &alone.group
	return &alone.one[0]
}

// notes are what a test has said, and what it has left for its end.
type notes struct {
	mu       sync.Mutex // operations may be called at once
	skip     *string    // see attempt.skip
	failed   bool
	site     string // of the failure
	log      bytes.Buffer
	cleanups []func()
	cancel   context.CancelFunc // nil: nobody has asked for ctx
	ctx      context.Context
}

// notes are those of the test, which it has from now on.
func (a *attempt) notes() *notes {
	if a.noted.Load() == nil {
		list := make([]atomic.Pointer[notes], len(a.list))
		a.noted.CompareAndSwap(nil, &list)
	}
	if n := a.anyNotes(); n != nil {
		return n
	}
	(*a.noted.Load())[a.index()].CompareAndSwap(nil, new(notes))
	return a.anyNotes()
}

// anyNotes are those of the test, or nil.
func (a *attempt) anyNotes() *notes {
	list := a.noted.Load()
	if list == nil {
		return nil
	}
	return (*list)[a.index()].Load()
}

// index is that in the group.
func (a *attempt) index() uintptr {
	return (uintptr(unsafe.Pointer(a)) - uintptr(unsafe.Pointer(unsafe.SliceData(a.list)))) / unsafe.Sizeof(*a)
}

// site is where the test has failed; "" where it has not.
func (a *attempt) site() string {
	n := a.anyNotes()
	if n == nil {
		return ""
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.site
}

// start calls fn on a goroutine, and closes done when it has returned, panicked or ended that.
func (a *attempt) start(fn func()) (done chan struct{}) {
	done = make(chan struct{})
	go func() {
		defer close(done)
		defer a.finish()
		defer func() { a.caught(recover()) }()
		fn()
	}()
	return done
}

// blocks fails a test whose goroutine is left alone.
func (a *attempt) blocks(text string) {
	a.fail(blockedSite)
	n := a.notes()
	n.mu.Lock()
	defer n.mu.Unlock()
	n.log.WriteString(text)
}

// runEach calls fn for tests, until one fails or is skipped, and returns which. What is left for the
// end is still to be done. There is one goroutine for all: to start it takes longer than many a test.
func runEach(list []*attempt, fn func(i int)) (last int) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer func() { list[last].caught(recover()) }()
		for last = range list {
			if fn(last); list[last].Failed() || list[last].Skipped() {
				return
			}
		}
	}()
	<-done
	return last
}

// finishAll does what was left for the end of tests.
func finishAll(list []*attempt) {
	for _, a := range list {
		if a.unfinished() {
			done := make(chan struct{})
			go func() {
				defer close(done)
				a.finish()
			}()
			<-done
		}
	}
}

// uneventful reports whether the test has passed, and left nothing for its end.
func (a *attempt) uneventful() bool { return a.noted.Load() == nil || a.onlyLogged() }

// onlyLogged reports the same, but takes longer.
func (a *attempt) onlyLogged() bool { return !a.Skipped() && a.onlySkipped() }

// onlySkipped reports the same, but for that it may have ended itself.
func (a *attempt) onlySkipped() bool { return !a.Failed() && !a.unfinished() }

// unfinished reports whether something was left for the end.
func (a *attempt) unfinished() bool {
	n := a.anyNotes()
	if n == nil {
		return false
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.cancel != nil || len(n.cleanups) > 0
}

// finish does what was left for the end, the last first.
func (a *attempt) finish() {
	n := a.anyNotes()
	if n == nil {
		return
	}
	if n.cancel != nil {
		n.cancel()
	}
	for len(n.cleanups) > 0 {
		last := len(n.cleanups) - 1
		f := n.cleanups[last]
		n.cleanups = n.cleanups[:last]
		func() {
			defer func() { a.caught(recover()) }()
			f()
		}()
	}
}

// caught makes a panic a failure.
func (a *attempt) caught(v any) {
	if v != nil {
		a.fail(panicSite())
		fmt.Fprintf(&a.notes().log, "panic: %v\n%s", v, ownStack(string(debug.Stack())))
	}
}

// ownStack leaves in a stack of a panic what the test and the code under test have of it: neither what
// looks at the panic, nor what called the test.
func ownStack(stack string) string {
	_, below, _ := strings.Cut(stack, "\npanic(")
	_, below, _ = strings.Cut(below, "\n\t") // the place of panic
	_, below, _ = strings.Cut(below, "\n")
	var own, calls strings.Builder // calls by reflection are ours where we come next
	for line := range strings.Lines(below) {
		switch {
		case strings.HasPrefix(line, ownFunctions) || strings.HasPrefix(line, deriveFunctions):
			if own.Len() == 0 {
				return stack // it is ours
			}
			return own.String()
		case strings.HasPrefix(line, "reflect.Value.") || calls.Len() > 0 && strings.HasPrefix(line, "\t"):
			calls.WriteString(line)
		default:
			own.WriteString(calls.String())
			calls.Reset()
			own.WriteString(line)
		}
	}
	return stack
}

// How the names of functions of this package begin, and of the one that makes values by functions of the user's.
var (
	ownFunctions    = reflect.TypeFor[attempt]().PkgPath() + "."
	deriveFunctions = reflect.TypeFor[derive.Codec]().PkgPath() + "."
)

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
	var pcs [1]uintptr
	runtime.Callers(skip+2, pcs[:])
	if site, ok := sites.Load(pcs[0]); ok {
		return site.(string)
	}
	f, _ := runtime.CallersFrames(pcs[:]).Next()
	site := fmt.Sprintf("%s:%d", filepath.Base(f.File), f.Line)
	sites.Store(pcs[0], site)
	return site
}

// sites are the places of calls that were looked up, by program counters.
var sites sync.Map

func (a *attempt) fail(site string) {
	n := a.notes()
	n.mu.Lock()
	defer n.mu.Unlock()
	if !n.failed {
		n.failed, n.site = true, site
	}
}

func (a *attempt) print(s string) {
	site, n := callSite(2), a.notes()
	n.mu.Lock()
	defer n.mu.Unlock()
	fmt.Fprintf(&n.log, "%s: %s\n", site, strings.TrimSuffix(s, "\n"))
}

// Context is made for those who ask for it: most do not, and it takes longer than many a test.
func (a *attempt) Context() context.Context {
	n := a.notes()
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.ctx == nil {
		n.ctx, n.cancel = context.WithCancel(a.TB.Context())
	}
	return n.ctx
}

func (a *attempt) Cleanup(f func()) {
	n := a.notes()
	n.mu.Lock()
	defer n.mu.Unlock()
	n.cleanups = append(n.cleanups, f)
}

func (a *attempt) Failed() bool {
	n := a.anyNotes()
	if n == nil {
		return false
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.failed
}

func (a *attempt) Skipped() bool                { return a.skip() != nil }
func (a *attempt) Helper()                      {}
func (a *attempt) Output() io.Writer            { return &a.notes().log }
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
	a.skips("")
}

// skips ends the test, since a place discards it, or for another reason.
func (a *attempt) skips(place string) {
	n := a.notes()
	n.mu.Lock()
	n.skip = &place
	n.mu.Unlock()
	runtime.Goexit()
}

// skip is the place that has discarded the test, "" if another call has ended it; nil: neither.
func (a *attempt) skip() *string {
	n := a.anyNotes()
	if n == nil {
		return nil
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.skip
}

// message says what fails for a value. Smaller ones had some runs each.
func message(which, source string, a *attempt, minimal bool, runs int) string {
	least := "no input one step smaller fails in the same place"
	switch {
	case !minimal:
		least = "smaller ones may also fail"
	case runs > 1:
		least = fmt.Sprintf("no input one step smaller failed in %d runs", runs)
	}
	return fmt.Sprintf("%s; minimized (%s), it is\n%s\nwith this result:\n%s", which, least, source, strings.TrimSuffix(a.notes().log.String(), "\n"))
}

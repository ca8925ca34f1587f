package exec

import (
	"iter"
	"reflect"
	"runtime"
	"unsafe"

	fuzzmutrt "github.com/fuzzmut/fuzzmut/instrument/rt"
)

// A runner calls functions that may panic or end their goroutine, and comes back
// either way. Goexit (t.Fatal, t.Skip) runs deferred calls and then ends the goroutine,
// unless the runner's own deferred call ends the Goexit before. Where the runtime can't do
// that, the function runs on a coroutine: a switch there and back costs a third of a pair of
// channel operations. Goexit then waits for a deferred call that does not return: the runs
// that follow happen in one. Each Goexit leaves its frames on the stack below them, so after
// some the coroutine ends, and a new one is made.
type runner struct {
	fn    func()
	how   ending
	value any  // of the panic
	alive bool // the coroutine has come through
	ended bool // a Goexit that was not to end the coroutine

	wantStack bool
	stack     []uintptr // of the panic or of the doom; valid until the next run
	pcs       [maxStack]uintptr
	depth     int  // of what pcs holds in case of panic(nil)
	panicNil  bool // recover returns nil for panic(nil)

	nested int     // Goexits that the coroutine stands in
	full   bool    // they have left it little stack
	bottom uintptr // entry of the function that each run is called from
	next   func() (struct{}, bool)
	stop   func()
}

const maxStack = 64

// ending is how a function came to its end.
type ending uint8

const (
	returned ending = iota
	panicked
	exited // runtime.Goexit
)

// run calls fn and reports how it ended.
func (r *runner) run(fn func()) ending {
	if r.bottom == 0 {
		r.bottom = reflect.ValueOf((*runner).guarded).Pointer()
		r.panicNil = recoversNil()
		growStack()
	}
	r.fn, r.how, r.value, r.stack, r.alive, r.ended = fn, exited, nil, nil, false, false
	if plain() {
		r.call()
		return r.how
	}
	if r.next == nil {
		r.next, r.stop = iter.Pull(r.serve)
	}
	r.next()
	if r.full {
		// The coroutine stands in a deferred call of a goroutine that is going
		// to end. Let it, on its own goroutine: the one that resumes it
		// ends with it.
		go r.stop()
		r.next, r.stop, r.nested, r.full = nil, nil, 0, false
	}
	return r.how
}

// recoversNil reports whether recover returns nil for panic(nil), as in modules whose go
// line is below 1.21. Then it looks like a Goexit, and each of these has to be looked at
// as if it were one, which takes longer than many a target.
func recoversNil() (yes bool) {
	defer func() { yes = recover() == nil }()
	panic(nil) //nolint:govet // what it becomes is the question
}

func (r *runner) serve(yield func(struct{}) bool) {
	growStack()
	var base byte
	r.each(yield, &base)
}

// each runs one function after another. It returns when the runner was stopped.
func (r *runner) each(yield func(struct{}) bool, base *byte) {
	for r.one(yield, base) && yield(struct{}{}) {
	}
}

// A coroutine begins with a stack of stackRoom bytes, and stands in Goexits up to
// stackNested bytes of it. What is left is room for a typical target.
const (
	stackRoom   = 64 << 10
	stackNested = 44 << 10
)

// growStack makes the room at once. A new goroutine or coroutine begins with a few kilobytes,
// and growing them by halves in the middle of a deep recursion would cost more than the
// target itself.
//
//go:noinline
func growStack() {
	var room [stackRoom]byte
	runtime.KeepAlive(&room)
}

// one runs r.fn. It returns false only when the runner was stopped. base is the bottom
// of the coroutine's stack.
func (r *runner) one(yield func(struct{}) bool, base *byte) (goOn bool) {
	defer func() {
		if r.alive {
			return
		}
		unlockThread() // Goexit: from here on, runs happen in this call
		var here byte
		r.nested++
		r.full = uintptr(unsafe.Pointer(base))-uintptr(unsafe.Pointer(&here)) > stackNested
		if yield(struct{}{}) {
			r.each(yield, base)
		}
	}()
	r.call()
	return true
}

// plain says whether functions run on the goroutine of the caller.
func plain() bool { return fuzzmutrt.EndGoexit != nil }

// call calls r.fn, and comes back unless a Goexit goes on.
func (r *runner) call() {
	r.guarded()
	unlockThread()
	r.alive = true
	if r.how == exited && !r.ended { // what was recovered is panic(nil)
		r.how = panicked
		if r.wantStack && r.stack == nil {
			r.stack = r.own(r.pcs[:r.depth])
		}
	}
}

// unlockThread takes back what fn has locked: a coroutine that is locked to a thread
// can't be switched from, and the process would end. Below go test it is the end of
// the test's goroutine that unlocks.
func unlockThread() {
	if fuzzmutrt.UnlockThread != nil {
		fuzzmutrt.UnlockThread()
	} else {
		runtime.UnlockOSThread()
	}
}

// guarded runs r.fn and recovers its panic. A panic of a function deferred during
// Goexit is recovered too, but the goroutine goes on to end unless the Goexit is ended. In a
// module whose go line is below 1.21 recover returns nil for panic(nil), as it does during
// Goexit.
func (r *runner) guarded() {
	defer func() {
		if r.how == returned {
			return
		}
		v := recover()
		if v != nil {
			r.how, r.value = panicked, v
		}
		if fuzzmutrt.EndGoexit != nil {
			r.ended = fuzzmutrt.EndGoexit()
		}
		switch {
		case !r.wantStack || r.stack != nil:
		case v != nil:
			r.capture(2)
		case r.panicNil && !r.ended: // it may be one: that is known once the function has returned
			r.depth = runtime.Callers(2, r.pcs[:])
		}
	}()
	r.fn()
	r.how = returned
}

// capture stores the stack of the calling goroutine. Called from a deferred
// function during a panic it holds the frames that panicked.
func (r *runner) capture(skip int) {
	r.stack = r.own(r.pcs[:runtime.Callers(skip+1, r.pcs[:])])
}

// own cuts a stack where this run begins: below are runs that ended in Goexit, or the worker and
// the fuzz test that it is in.
func (r *runner) own(stack []uintptr) []uintptr {
	if r.nested == 0 && !plain() {
		return stack
	}
	for i, pc := range stack {
		if f := runtime.FuncForPC(pc - 1); f != nil && f.Entry() == r.bottom {
			return stack[:i]
		}
	}
	return stack
}

package fuzzmut

import (
	"fmt"
	"reflect"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/fuzzmut/fuzzmut/fuzzmut/term"
)

// Bounds of what is called at once.
const (
	mostGoroutines = 8
	mostBefore     = 8       // calls before all goroutines: a short way to what is empty or full
	mostAtOnce     = 6       // calls of a goroutine
	mostAfter      = 4       // calls when all goroutines have ended
	leastOverlaps  = 1000    // runs in which calls overlap, before a check is over since its time is
	mostTimes      = 5       // of that time, where there are fewer
	batch          = 100     // runs of a sequence with the same goroutines
	fewSpins       = 200     // of a goroutine that waits for others, before it lets them have its turn
	mostSpins      = 200_000 // before it sleeps
)

// blockedSite is where a sequence fails whose calls do not return.
const blockedSite = "blocked"

// mostWait bounds how long calls may block, while no other one ends; tests change it.
var mostWait = 10 * time.Second

// atOnce bounds the lists of calls of the goroutines.
func (r *runner[S]) atOnce() []int {
	if r.Goroutines < 2 {
		return nil
	}
	return slices.Repeat([]int{mostAtOnce}, r.Goroutines)
}

// manyProcessors has Go run goroutines at once also where it has fewer processors than there are
// goroutines: what the operating system does with threads makes their calls overlap. It returns
// what takes that back.
func (r *runner[S]) manyProcessors() (restore func()) {
	before := runtime.GOMAXPROCS(0)
	if r.Goroutines <= before || steady {
		return func() {}
	}
	runtime.GOMAXPROCS(r.Goroutines)
	return func() { runtime.GOMAXPROCS(before) }
}

// runAtOnce makes the calls at once of several runs of a sequence that has run up to there.
func runAtOnce[S any](runs []*sequence[S], x *term.Term) {
	var lists [][][]*step // of a run, of a goroutine
	for _, s := range runs {
		s.together = len(s.done)
		goroutines, _ := s.calls.AtOnce(x)
		list := make([][]*step, len(goroutines))
		for i, calls := range goroutines {
			for _, call := range calls {
				list[i] = append(list[i], s.prepared(i+1, call))
			}
			s.done = append(s.done, list[i]...)
		}
		lists = append(lists, list)
	}
	callAtOnce(lists)
}

// afterwards makes the calls after those at once, and judges what all of them returned.
func (s *sequence[S]) afterwards(t testing.TB, x *term.Term) {
	if blocked := s.blocked(); blocked != "" {
		s.fail(t, blockedSite, fmt.Sprintf("calls have not returned for %v: %s", mostWait, blocked))
		return
	}
	s.runner.runs++
	if s.overlap() {
		s.runner.overlaps++
	}
	_, after := s.calls.AtOnce(x)
	for _, call := range after {
		st := s.prepared(0, call)
		s.done = append(s.done, st)
		st.timed()
	}
	if t.Failed() || s.panicked(t) {
		return
	}
	if s.Invariant != nil {
		if s.Invariant(t, s.state); t.Failed() {
			return
		}
	}
	if s.History != nil {
		s.History(t, s.history())
		return
	}
	s.judge(t, x)
}

// overlap reports whether calls of two goroutines were made at the same time.
func (s *sequence[S]) overlap() bool {
	return slices.ContainsFunc(s.done[s.together:], func(st *step) bool {
		return st.goroutine == 1 && slices.ContainsFunc(s.done[s.together:], st.beside)
	})
}

// prepared is a call with its arguments, of a goroutine; 0: that of the test.
func (s *sequence[S]) prepared(goroutine int, call *term.Term) *step {
	st := &step{TB: s.tb, op: s.ops[call.Alt()], call: call, goroutine: goroutine, on: reflect.ValueOf(&s.state).Elem()}
	_, st.args = s.calls.Args(call)
	return st
}

// callAtOnce makes lists of calls, of several runs, in a goroutine for each list of a run. They begin
// each run at the same time. Those of a run with a call that does not return are left alone.
func callAtOnce(runs [][][]*step) {
	n := len(runs[0])
	met := make([]atomic.Int32, len(runs))
	var ended atomic.Int32
	done := make(chan bool, 1)
	for g := range n {
		go func() {
			defer func() {
				if int(ended.Add(1)) == n {
					done <- true
				}
			}()
			for i, run := range runs {
				meet(&met[i], n)
				for _, st := range run[g] {
					if !st.timed() {
						break
					}
				}
			}
		}()
	}
	for before := -1; before != endedCalls(runs); {
		before = endedCalls(runs)
		select {
		case <-done:
			return
		case <-time.After(mostWait):
		}
	}
}

// endedCalls counts the calls that have ended.
func endedCalls(runs [][][]*step) (n int) {
	for _, lists := range runs {
		for _, list := range lists {
			for _, st := range list {
				if st.end.Load() != 0 {
					n++
				}
			}
		}
	}
	return n
}

// meet waits until n goroutines have arrived. It keeps its processor for a while: of goroutines that
// have to wake up first, each makes all of its calls before the next one begins.
func meet(arrived *atomic.Int32, n int) {
	arrived.Add(1)
	most := mostSpins
	if runtime.NumCPU() < n {
		most = fewSpins // in vain: one of them has no processor
	}
	for spins := 1; int(arrived.Load()) < n; spins++ {
		switch {
		case spins > most:
			time.Sleep(time.Microsecond)
		case spins%fewSpins == 0: // the others may need the processor of this one
			runtime.Gosched()
		}
	}
}

// timed makes a call, and notes when it began and ended, and how. It reports whether the goroutine
// goes on: not where the call has ended the test.
func (st *step) timed() (goesOn bool) {
	defer func() {
		st.end.Store(now())
		if st.results != nil {
			return
		}
		if v := recover(); v != nil && !st.left {
			st.panicked, st.site, st.stack = v, panicSite(), debug.Stack()
			goesOn = true
		} else {
			goesOn = st.left
		}
	}()
	st.start.Store(now())
	results := st.op.invoke(st, st.on, st.args)
	if st.results = copied(results); st.results == nil {
		st.results = []reflect.Value{}
	}
	return true
}

// panicked fails the test if a call has panicked where nothing can say whether it may.
func (s *sequence[S]) panicked(t testing.TB) bool {
	if s.ops[0].model != "" {
		return false
	}
	for _, st := range s.done[s.together:] {
		if st.panicked != nil && !s.documented(st.panicked) {
			s.fail(t, st.site, fmt.Sprintf("panic: %v\n%s", st.panicked, st.stack))
			return true
		}
	}
	return false
}

// blocked names the calls that have begun and not ended.
func (s *sequence[S]) blocked() string {
	var names []string
	last := make(map[int]bool) // goroutines
	for _, st := range s.done[s.together:] {
		if st.end.Load() == 0 && !last[st.goroutine] {
			names = append(names, fmt.Sprintf("%s in goroutine %d", st.op.name, st.goroutine))
			last[st.goroutine] = true
		}
	}
	return strings.Join(names, ", ")
}

// fail fails the test at a place, which tells failures apart.
func (s *sequence[S]) fail(t testing.TB, site, text string) {
	if a, ok := t.(*attempt); ok {
		a.fail(site)
	}
	fmt.Fprintln(t.Output(), text)
	t.Fail()
}

// copied are results with copies of lists and maps: later calls may change what these hold.
func copied(list []reflect.Value) []reflect.Value {
	for i, v := range list {
		list[i] = copyOf(v)
	}
	return list
}

func copyOf(v reflect.Value) reflect.Value {
	switch {
	case v.Kind() == reflect.Slice && !v.IsNil():
		c := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
		reflect.Copy(c, v)
		return c
	case v.Kind() == reflect.Map && !v.IsNil():
		c := reflect.MakeMapWithSize(v.Type(), v.Len())
		for it := v.MapRange(); it.Next(); {
			c.SetMapIndex(it.Key(), it.Value())
		}
		return c
	case v.Kind() == reflect.Interface && !v.IsNil() && v.Elem().Kind() != reflect.Pointer:
		c := reflect.New(v.Type()).Elem()
		c.Set(copyOf(v.Elem()))
		return c
	}
	return v
}

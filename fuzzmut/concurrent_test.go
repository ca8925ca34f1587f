package fuzzmut_test

import (
	"regexp"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/fuzzmut/fuzzmut/fuzzmut"
)

// sum is wrong: between the look and the change others may change it. In tests of this package it
// leaves them the processor there, so that few runs show it.
type sum struct {
	n     atomic.Int64
	yield bool
}

func newSum() *sum      { return &sum{yield: true} }
func newTightSum() *sum { return &sum{} }

func (s *sum) Add(n int8) int64 {
	next := s.n.Load() + int64(n)
	if s.yield {
		runtime.Gosched()
	}
	s.n.Store(next)
	return next
}

func (s *sum) Get() int64 { return s.n.Load() }

// rightSum is a sum that is right, for one goroutine and for many.
type rightSum struct{ atomic.Int64 }

func newRightSum() *rightSum { return &rightSum{} }

// shared is a queue. It is wrong if it is eager: Pop does not look again when it has the lock.
type shared struct {
	mu    sync.Mutex
	list  []int
	eager bool
	yield bool
}

func newShared() *shared      { return &shared{} }
func newEager() *shared       { return &shared{eager: true, yield: true} }
func newTightShared() *shared { return &shared{eager: true} }

func (q *shared) Push(n int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.list = append(q.list, n)
}

func (q *shared) Len() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.list)
}

func (q *shared) Pop() (int, bool) {
	some := q.Len() > 0
	if q.yield {
		runtime.Gosched()
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.list) == 0 {
		return 0, some && q.eager
	}
	n := q.list[0]
	q.list = q.list[1:]
	return n, true
}

// single is what a shared has to be like.
type single struct{ list []int }

func (q *single) Push(n int) { q.list = append(q.list, n) }
func (q *single) Len() int   { return len(q.list) }

func (q *single) Pop() (n int, ok bool) {
	if len(q.list) == 0 {
		return 0, false
	}
	n, q.list = q.list[0], q.list[1:]
	return n, true
}

// lru is a cache. Its Add is wrong: it looks for the key with a lock, and adds it with another one.
type lru struct {
	mu    sync.RWMutex
	order []uint8 // the oldest first
	value map[uint8]int
}

func newLRU() *lru { return &lru{value: make(map[uint8]int)} }

func (c *lru) touch(k uint8) {
	for i, other := range c.order {
		if other == k {
			c.order = append(append(c.order[:i:i], c.order[i+1:]...), k)
			return
		}
	}
}

func (c *lru) Get(k uint8) (int, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	v, ok := c.value[k]
	c.touch(k)
	return v, ok
}

func (c *lru) Add(k uint8, v int) {
	c.mu.RLock()
	_, known := c.value[k]
	c.mu.RUnlock()
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.value[k] = v; known {
		c.touch(k)
		return
	}
	if c.order = append(c.order, k); len(c.order) > 3 {
		delete(c.value, c.order[0])
		c.order = c.order[1:]
	}
}

func (c *lru) Len() int {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return len(c.value)
}

// Planted faults: FIGURES.md says how often the defaults find them.
func TestHelperPlanted(t *testing.T) {
	helper(t)
	t.Run("Counter", func(t *testing.T) { fuzzmut.Machine[*sum]{New: newTightSum, Goroutines: 2}.Check(t) })
	t.Run("Queue", func(t *testing.T) {
		fuzzmut.Machine[*shared]{New: newTightShared, Model: func() any { return &single{} }, Goroutines: 2}.Check(t)
	})
	t.Run("Cache", func(t *testing.T) { fuzzmut.Machine[*lru]{New: newLRU, Goroutines: 2}.Check(t) })
}

func TestHelperSum(t *testing.T) {
	helper(t)
	fuzzmut.Machine[*sum]{New: newSum, Goroutines: 2, N: 200}.Check(t)
}

func TestHelperEager(t *testing.T) {
	helper(t)
	fuzzmut.Machine[*shared]{New: newEager, Model: func() any { return &single{} }, Goroutines: 2, N: 200}.Check(t)
}

func FuzzHelperSum(f *testing.F) {
	helper(f)
	fuzzmut.Machine[*sum]{New: newSum, Goroutines: 2}.Fuzz(f)
}

// Without a model it is the type itself, one call after the other, that says what is right.
func TestWhatNoOrderExplainsFails(t *testing.T) {
	out, passed := runHelper(t, "TestHelperSum", "-fuzzmut.seed=1")
	if passed {
		t.Fatal("passes")
	}
	wantLines(t, out, "s := newSum()\n", "var all sync.WaitGroup\n", "all.Go(func() {\n", "all.Wait()\n", "no order of the calls explains what they returned\n", "and one after the other it returned ")
	call := regexp.MustCompile(`\ts\.Add\(-?\d+\) // returns -?\d+, from \d+ to \d+\n`)
	if n := len(call.FindAllString(out, -1)); n < 2 {
		t.Errorf("%d calls of Add say what they returned and when:\n%s", n, out)
	}
	if n := strings.Count(out, "all.Go"); n != 2 {
		t.Errorf("%d goroutines:\n%s", n, out)
	}
}

func TestCallsAtOnceAreComparedWithAModel(t *testing.T) {
	out, passed := runHelper(t, "TestHelperEager", "-fuzzmut.seed=1")
	if passed {
		t.Fatal("passes")
	}
	wantLines(t, out, "no order of the calls explains what they returned\n", "Pop returned 0, true, and the model returned ")
}

// Seeds of a fuzz test run as those of other machines do.
func TestCallsAtOnceInFuzzTests(t *testing.T) {
	out, passed := runHelper(t, "FuzzHelperSum", "-test.count=5")
	if passed {
		t.Fatal("passes")
	}
	wantLines(t, out, "no order of the calls explains what they returned\n", "the input is\n", "all.Go(func() {\n")
}

// strictStack must not be asked for what it does not have.
type strictStack struct {
	mu   sync.Mutex
	list []int
}

func (s *strictStack) Push(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.list = append(s.list, n)
}

func (s *strictStack) Pop() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	last := len(s.list) - 1
	if last < 0 {
		panic("the stack is empty")
	}
	n := s.list[last]
	s.list = s.list[:last]
	return n
}

func newStrictStack() *strictStack { return &strictStack{} }

// All at once: what is right passes, whatever overlaps, and so do panics that the model has, too.
func TestCallsAtOnceThatAreRightPass(t *testing.T) {
	const n = 10 // of 100 runs each
	fuzzmut.Machine[*rightSum]{New: newRightSum, Ops: []any{(*rightSum).Add, (*rightSum).Load}, Goroutines: 3, N: n}.Check(t)
	fuzzmut.Machine[*shared]{New: newShared, Model: func() any { return &single{} }, Goroutines: 2, N: n}.Check(t)
	fuzzmut.Machine[*strictStack]{New: newStrictStack, Model: func() any { return newStrictStack() }, Goroutines: 2, N: n}.Check(t)
	fuzzmut.Machine[*strictStack]{New: newStrictStack, Panics: []string{"is empty"}, Goroutines: 2, N: n}.Check(t)
}

func TestHelperStrictStack(t *testing.T) {
	helper(t)
	fuzzmut.Machine[*strictStack]{New: newStrictStack, Goroutines: 2, N: 200}.Check(t)
}

func TestPanicsOfCallsAtOnceFail(t *testing.T) {
	out, passed := runHelper(t, "TestHelperStrictStack", "-fuzzmut.seed=1")
	if passed {
		t.Fatal("passes")
	}
	wantLines(t, out, "s.Pop()", "panic: the stack is empty\n")
}

// random returns what nothing can foresee, which is no fault.
type random struct{}

var lastRandom atomic.Int64

func newRandom() *random      { return &random{} }
func (r *random) Next() int64 { return lastRandom.Add(1) }

func TestWhatDiffersByItselfIsNotCompared(t *testing.T) {
	fuzzmut.Machine[*random]{New: newRandom, Goroutines: 2, N: 10}.Check(t)
}

// A history has all calls, those before and after the others, too.
func TestHistory(t *testing.T) {
	longest, atOnce := 0, 0
	fuzzmut.Machine[*shared]{New: newShared, Goroutines: 2, N: 20, History: func(t testing.TB, calls []fuzzmut.Call) {
		longest = max(longest, len(calls))
		for i, c := range calls {
			if c.Goroutine > 0 {
				atOnce++
			}
			if c.Start >= c.End || c.Goroutine > 2 || (c.Op == "Push") != (len(c.Args) == 1) || c.Op == "Pop" && len(c.Results) != 2 {
				t.Errorf("%+v", c)
			}
			if i > 0 && calls[i-1].Goroutine == c.Goroutine && calls[i-1].End >= c.Start {
				t.Errorf("%+v begins before %+v ends", c, calls[i-1])
			}
		}
	}}.Check(t)
	if longest < 8 || atOnce == 0 {
		t.Errorf("the longest history had %d calls, and %d were made at once", longest, atOnce)
	}
}

// impatient is a queue whose TryPop gives up where another call has the lock, and, if it is lazy,
// also at each third call.
type impatient struct {
	mu    sync.Mutex
	list  []int
	lazy  bool
	calls int
}

func newImpatient() *impatient { return &impatient{} }
func newLazy() *impatient      { return &impatient{lazy: true} }

func (q *impatient) Push(n int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	runtime.Gosched() // so that others meet the lock
	q.list = append(q.list, n)
}

func (q *impatient) TryPop() (int, bool) {
	if !q.mu.TryLock() {
		return 0, false
	}
	defer q.mu.Unlock()
	if q.calls++; q.lazy && q.calls%3 == 0 || len(q.list) == 0 {
		return 0, false
	}
	n := q.list[0]
	q.list = q.list[1:]
	return n, true
}

// patient is what an impatient is one call after the other.
type patient struct{ single }

func (q *patient) TryPop() (int, bool) { return q.Pop() }

func impatientMachine(made func() *impatient, givesUp ...string) fuzzmut.Machine[*impatient] {
	return fuzzmut.Machine[*impatient]{New: made, Model: func() any { return &patient{} }, Goroutines: 2, N: 60, GivesUp: givesUp}
}

func TestHelperImpatient(t *testing.T) {
	helper(t)
	impatientMachine(newImpatient).Check(t)
}

func TestHelperLazy(t *testing.T) {
	helper(t)
	impatientMachine(newLazy, "TryPop").Check(t)
}

func TestOperationsMayGiveUpWhileOthersAreAtWork(t *testing.T) {
	for _, name := range []string{"TestHelperImpatient", "TestHelperLazy"} {
		out, passed := runHelper(t, name, "-fuzzmut.seed=1")
		if passed {
			t.Errorf("%s passes", name)
		}
		wantLines(t, out, "s.TryPop()", "no order of the calls explains what they returned")
	}
	impatientMachine(newImpatient, "TryPop").Check(t)
}

func TestGivesUpNamesOperationsThatCanBeSeenToGiveUp(t *testing.T) {
	for name, want := range map[string]string{
		"Peek": "GivesUp names Peek, which is no operation",
		"Push": "GivesUp names Push, whose last result is no bool and no error",
	} {
		a := &recorder{TB: t}
		a.run(func() { impatientMachine(newImpatient, name).Fuzz(a) })
		if !strings.Contains(a.text, want) {
			t.Errorf("%q lacks %q", a.text, want)
		}
	}
}

// watched counts the calls that its observer would see.
type watched struct {
	by    *observed
	calls *int
}

func (w *watched) Get() int {
	if !w.by.off {
		*w.calls++
	}
	return 1
}

// What is called at once, and what the order of these calls is looked for with, is not the same in each run: of an input
// only what comes before is observed, and only once.
func TestCallsAtOnceAreNotObserved(t *testing.T) {
	a, calls := &observed{recorder: recorder{TB: t}, t: t}, 0
	fuzzmut.Machine[*watched]{New: func() *watched { return &watched{a, &calls} }, Goroutines: 2}.Fuzz(a)
	if calls == 0 || calls != len(a.seen) {
		t.Errorf("%d calls could be observed, and %d operations were", calls, len(a.seen))
	}
}

func TestTooManyGoroutines(t *testing.T) {
	a := &recorder{TB: t}
	a.run(func() { fuzzmut.Machine[*sum]{New: newSum, Goroutines: 9}.Fuzz(a) })
	if want := "it has 9 goroutines. To fix this: give it 8 at most"; !strings.Contains(a.text, want) {
		t.Errorf("%q lacks %q", a.text, want)
	}
}

// A race that changes no result is shown by the race detector, and so is its sequence.
type racy struct{ n int }

func newRacy() *racy        { return &racy{} }
func (r *racy) Touch()      { r.n++ }
func (r *racy) Nothing(int) {}

func TestHelperRace(t *testing.T) {
	helper(t)
	fuzzmut.Machine[*racy]{New: newRacy, Goroutines: 2, N: 200}.Check(t)
}

func TestRacesAreShownWithTheirSequence(t *testing.T) {
	if !fuzzmut.RaceDetector {
		t.Skip("needs -race")
	}
	out, passed := runHelper(t, "TestHelperRace", "-fuzzmut.seed=1")
	if passed {
		t.Fatal("passes")
	}
	wantLines(t, out, "WARNING: DATA RACE", "the race detector has found a race, which is above, in input ", "s.Touch()")
}

// sack gives any of its elements.
type sack struct {
	mu   sync.Mutex
	some map[int]bool
}

func newSack() *sack { return &sack{some: make(map[int]bool)} }

func (s *sack) Add(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.some[n] = true
}

func (s *sack) Take() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	for n := range s.some {
		delete(s.some, n)
		return n
	}
	return 0
}

// What the order of a map decides is not compared.
func TestCallsThatDoOneOfSeveralThingsAreNotCompared(t *testing.T) {
	fuzzmut.Machine[*sack]{New: newSack, Goroutines: 2, Seed: 1, N: 60}.Check(t)
}

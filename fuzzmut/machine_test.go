package fuzzmut_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unsafe"

	"github.com/fuzzmut/fuzzmut/fuzzmut"
)

// ring is a queue in an array that grows. It is wrong where it grows while its values
// do not begin at the start of the array.
type ring struct {
	array       []int
	first, used int
}

func newRing() *ring { return &ring{array: make([]int, 2)} }

func (r *ring) Push(n int) {
	if r.used == len(r.array) {
		r.array = append(r.array, make([]int, r.used)...)
	}
	r.array[(r.first+r.used)%len(r.array)] = n
	r.used++
}

func (r *ring) Pop() (n int, err error) {
	if r.used == 0 {
		return 0, errors.New("empty")
	}
	n, r.first, r.used = r.array[r.first], (r.first+1)%len(r.array), r.used-1
	return n, nil
}

func (r *ring) Len() int { return r.used }

func (r *ring) Append(*ring)      {}
func (r *ring) Each(f func(int))  {}
func (r *ring) Self() *ring       { return r }
func (r *ring) All(n ...int) bool { return true }

// queue is what a ring has to be like.
type queue struct{ list []int }

func (q *queue) Push(n int) { q.list = append(q.list, n) }
func (q *queue) Len() int   { return len(q.list) }

func (q *queue) Pop() (int, error) {
	if len(q.list) == 0 {
		return 0, errors.New("no value is left")
	}
	n := q.list[0]
	q.list = q.list[1:]
	return n, nil
}

var ringMachine = fuzzmut.Machine[*ring]{New: newRing, Model: func() any { return &queue{} }}

func TestHelperMachine(t *testing.T) {
	helper(t)
	ringMachine.Check(t)
}

func FuzzHelperMachine(f *testing.F) {
	helper(f)
	ringMachine.Fuzz(f)
}

func TestSequencesAreComparedWithAModel(t *testing.T) {
	out, passed := runHelper(t, "TestHelperMachine", "-fuzzmut.seed=1")
	if passed {
		t.Fatal("passes")
	}
	wantLines(t, out, "no input one step smaller fails in the same place), it is",
		"s := newRing()\n", "s.Push(0)\n", "s.Push(1)\n", "s.Pop() // returns 0, <nil>\n", "; the model: 1, <nil>\n", "Pop returned ", "operations:\n",
		"Append: one of its arguments is another *fuzzmut_test.ring", "Each: no inputs of type func(int) can be derived", "To fix this: call it in a function of the test", "Self: the model has no such method")
	if n := strings.Count(out, "s.Push("); n != 4 {
		t.Errorf("the sequence is not the shortest one:\n%s", out)
	}
	if strings.Contains(out, "s.Len") || strings.Contains(out, "Append(") {
		t.Errorf("it passes without Len and Append as well:\n%s", out)
	}
}

// strict must not be asked for what it does not have.
type strict struct {
	queue
	first func([]int) int // of the model: what it does with an empty list
	pops  *int
}

func (s *strict) Pop() int {
	if s.first == nil && len(s.list) == 0 {
		panic("strict: Pop of nothing")
	}
	if s.first != nil {
		s.first(s.list)
	}
	*s.pops++
	n, _ := s.queue.Pop()
	return n
}

func strictMachine(pops *int, first func([]int) int) fuzzmut.Machine[*strict] {
	return fuzzmut.Machine[*strict]{
		New: func() *strict { return &strict{pops: pops} }, Model: func() any { return &strict{pops: new(int), first: first} }, N: 300,
	}
}

// Where the model panics, an operation must not be called.
func TestWhatTheModelForbidsIsLeftOut(t *testing.T) {
	pops := 0
	strictMachine(&pops, func(list []int) int {
		if len(list) == 0 {
			panic("nothing to pop")
		}
		return 0
	}).Check(t)
	if pops == 0 {
		t.Error("Pop is never called")
	}
}

func TestHelperFaultyModel(t *testing.T) {
	helper(t)
	strictMachine(new(int), func(list []int) int { return list[0] }).Check(t)
}

func TestAFaultOfTheModelFails(t *testing.T) {
	out, passed := runHelper(t, "TestHelperFaultyModel", "-fuzzmut.seed=1")
	if passed {
		t.Fatal("passes")
	}
	wantLines(t, out, "index out of range", "s.Pop()\n")
}

// Stock fuzzing finds the same, and leaves an input that go test replays.
func TestSequencesAreNativeFuzzTests(t *testing.T) {
	dir := t.TempDir()
	out, passed := runHelperIn(t, dir, "FuzzHelperMachine", "-test.fuzz=^FuzzHelperMachine$", "-test.fuzzcachedir="+t.TempDir(),
		"-test.fuzztime=1000000x", "-test.parallel=1") // its seed can't be set
	if passed {
		t.Fatal("passes")
	}
	wantLines(t, out, "and the model", "the input is", "s := newRing()\n")
	again, passed := runHelperIn(t, dir, "FuzzHelperMachine")
	if passed {
		t.Fatal("the input that failed passes")
	}
	wantLines(t, again, "s := newRing()\n", "the model: ")
	if want := regexp.MustCompile(` machine_test\.go:\d+: Pop returned .*, and the model `); !want.MatchString(again) {
		t.Errorf("nothing says where Pop is:\n%s", again)
	}
}

// account is a state of the test's own, with a model inside.
type account struct {
	balance, limit int
	log            []string
}

func newAccount() *account { return &account{limit: 100} }

func (a *account) deposit(t testing.TB, in struct {
	Amount int `fuzz:"min=1,max=50"`
},
) {
	fuzzmut.Assume(t, a.balance+in.Amount <= a.limit)
	a.balance += in.Amount
	a.log = append(a.log, "deposit")
}

func withdraw(t testing.TB, a *account, amount uint8) {
	if int(amount) > a.balance {
		t.Skip("not so much is there")
	}
	if a.balance -= int(amount); len(a.log) > 1 {
		a.balance -= 200 // wrong
	}
}

func (a *account) solvent(t testing.TB) {
	if a.balance < 0 {
		t.Errorf("the balance is %d", a.balance)
	}
}

func TestHelperAccount(t *testing.T) {
	helper(t)
	fuzzmut.Machine[*account]{New: newAccount, Ops: []any{(*account).deposit, withdraw}, Invariant: func(t testing.TB, a *account) { a.solvent(t) }}.Check(t)
}

func TestOperationsWithoutTheirPreconditionAreLeftOut(t *testing.T) {
	out, passed := runHelper(t, "TestHelperAccount", "-fuzzmut.seed=1")
	if passed {
		t.Fatal("passes")
	}
	wantLines(t, out, "s := newAccount()\n", "withdraw(t, s, 0)\n", "the balance is -198", "machine_test.go")
	if n := strings.Count(out, "s.deposit(t, struct"); n != 2 {
		t.Errorf("%d deposits:\n%s", n, out)
	}
}

func TestHelperMachinePanic(t *testing.T) {
	helper(t)
	fuzzmut.Machine[*[]int]{New: func() *[]int { return new([]int) }, Ops: []any{grow, index}}.Check(t)
}

func grow(s *[]int)             { *s = append(*s, 1) }
func index(s *[]int, at uint16) { _ = (*s)[:min(int(at), 2)] }

func TestPanicsOfOperationsAreShown(t *testing.T) {
	out, passed := runHelper(t, "TestHelperMachinePanic", "-fuzzmut.seed=1")
	if passed {
		t.Fatal("passes")
	}
	wantLines(t, out, "s := new([]int(nil)) // as New of the Machine returns it\n", "index(s, 1)\n", "panic: runtime error: slice bounds out of range", "fuzzmut_test.index")
	withoutOwnFrames(t, out)
}

func TestHelperMachineOfFunctionLiteral(t *testing.T) {
	helper(t)
	fuzzmut.Machine[*mailbox]{New: func() *mailbox { return &mailbox{in: make(chan int, 1)} }, Ops: []any{overfill}}.Check(t)
}

type mailbox struct{ in chan int }

func overfill(t testing.TB, m *mailbox, n int) {
	select {
	case m.in <- n:
	default:
		t.Error("it is full")
	}
}

// A package may have another function New.
func TestStatesOfFunctionLiteralsAreNotShownAsACallOfNew(t *testing.T) {
	out, passed := runHelper(t, "TestHelperMachineOfFunctionLiteral", "-fuzzmut.seed=1")
	if passed {
		t.Fatal("passes")
	}
	wantLines(t, out, "var s *mailbox // what New of the Machine returns, machine_test.go:", "overfill(t, s, 0)\n", "it is full")
	if strings.Contains(out, "New()") {
		t.Errorf("a call of New:\n%s", out)
	}
}

func TestMachinesThatCantBe(t *testing.T) {
	for _, test := range []struct {
		name string
		m    fuzzmut.Machine[*ring]
		want string
	}{
		{"literal", fuzzmut.Machine[*ring]{New: newRing, Ops: []any{func(*ring) {}}}, "operation 1 has no name. To fix this: declare it"},
		{"number", fuzzmut.Machine[*ring]{New: newRing, Ops: []any{grow, 1}}, "grow can be no operation: it has no argument of type *fuzzmut_test.ring"},
		{"twice", fuzzmut.Machine[*ring]{New: newRing, Ops: []any{(*ring).Len, (*ring).Len}}, "Len is given twice"},
		{"model", fuzzmut.Machine[*ring]{New: newRing, Model: func() any { return other{} }}, "argument 1 of Push is of type int, and that of the model is string"},
		{"channel", fuzzmut.Machine[*ring]{New: newRing, Ops: []any{send}}, "send can be no operation: no inputs of type chan int can be derived"},
	} {
		a := &recorder{TB: t}
		a.run(func() { test.m.Fuzz(a) })
		if !strings.Contains(a.text, test.want) {
			t.Errorf("%s: %q lacks %q", test.name, a.text, test.want)
		}
	}
	a := &recorder{TB: t}
	if a.run(func() { fuzzmut.Machine[queue]{Ops: []any{}}.Fuzz(a) }); !strings.Contains(a.text, "New is nil") {
		t.Errorf("%q", a.text)
	}
}

type other struct{}

func (other) Push(string)      {}
func send(s *ring, _ chan int) {}

// recorder is an F that notes why it can't be.
type recorder struct {
	testing.TB
	text string
}

func (r *recorder) Add(...any)                        {}
func (r *recorder) Fuzz(any)                          {}
func (r *recorder) Fatalf(format string, args ...any) { panic(fatal(fmt.Sprintf(format, args...))) }

type fatal string

func (r *recorder) run(fn func()) {
	defer func() {
		if text, ok := recover().(fatal); ok {
			r.text = string(text)
		}
	}()
	fn()
}

func TestSequencesPass(t *testing.T) {
	longest := 0
	lens := func(t testing.TB, q *queue) { longest = max(longest, len(q.list)) }
	fuzzmut.Machine[*queue]{New: func() *queue { return &queue{} }, Model: func() any { return &queue{} }, Invariant: lens, N: 300}.Check(t)
	if longest < 20 {
		t.Errorf("the longest queue had %d values", longest)
	}
}

// A sequence that failed is kept as any other value.
func TestFailedSequencesAreKept(t *testing.T) {
	dir := t.TempDir()
	runHelperIn(t, dir, "TestHelperMachine")
	files, err := filepath.Glob(filepath.Join(dir, "cache", "fuzz", "*", "*", "*", "*", "TestHelperMachine", "*"))
	if err != nil || len(files) != 1 {
		t.Fatalf("%q, %v", files, err)
	}
	text, err := os.ReadFile(files[0])
	if err != nil || !strings.HasPrefix(string(text), "go test fuzz v1\n[]byte(") {
		t.Errorf("%s, %v", text, err)
	}
	if !slices.Contains(strings.Split(string(text), "\n"), "") {
		t.Errorf("the last line of %q has no end", text)
	}
}

// odd has methods that can be no operations.
type odd struct{ n int }

func (o *odd) Add(n int)                          { o.n += n }
func (o *odd) Send(chan int)                      {}
func (o *odd) Take(c chan int)                    {}
func (o *odd) Each(f func(unsafe.Pointer) uint64) {}

func TestHelperOdd(t *testing.T) {
	helper(t)
	fuzzmut.Machine[*odd]{New: func() *odd { return new(odd) }}.Check(t)
}

// Methods that are no operations for one reason have one line.
func TestAMachineSaysWhichMethodsAreNoOperations(t *testing.T) {
	out, _ := runHelper(t, "TestHelperOdd", "-test.v")
	if !strings.Contains(out, "Send, Take: no inputs of type chan int can be derived") {
		t.Errorf("it prints\n%s", out)
	}
}

// endless has a call that does not return.
type endless struct{ n int }

func newEndless(n int) *endless { return &endless{n} }

func (e *endless) Add(n int) int { e.n += n; return e.n }

func (e *endless) Spin() {
	for {
		time.Sleep(time.Hour)
	}
}

func FuzzHelperEndless(f *testing.F) {
	helper(f)
	fuzzmut.Machine[*endless]{Constructors: []any{newEndless}, Ops: []any{(*endless).Add, (*endless).Spin}}.Fuzz(f)
}

func FuzzHelperEndlessAtOnce(f *testing.F) {
	helper(f)
	fuzzmut.Machine[*endless]{Constructors: []any{newEndless}, Ops: []any{(*endless).Add, (*endless).Spin}, Goroutines: 2}.Fuzz(f)
}

func FuzzHelperEndlessAfter(f *testing.F) {
	helper(f)
	fuzzmut.FuzzAfter(f, fuzzmut.Machine[*endless]{Constructors: []any{newEndless}, Ops: []any{(*endless).Add}}, func(_ *testing.T, e *endless, _ struct{ N int }) { e.Spin() })
}

func FuzzHelperEndlessValues(f *testing.F) {
	helper(f)
	fuzzmut.Fuzz(f, func(_ *testing.T, in struct{ N int }) { new(endless).Spin() })
}

// What does not end is shown without a run.
func TestInputsAreShownThatDoNotEnd(t *testing.T) {
	t.Setenv("FUZZMUT_SHOW", "planned")
	for name, want := range map[string][]string{
		"FuzzHelperEndless":       {"s := newEndless(", "s.Spin()\n", "s.Add("},
		"FuzzHelperEndlessAtOnce": {"s := newEndless(", "s.Spin()\n", "all.Go(func() {\n", "all.Wait()\n"},
		"FuzzHelperEndlessAfter":  {"s := newEndless(", "s.Add(", "in := struct{ N int }{"},
	} {
		out, passed := runHelper(t, name, "-test.timeout=20s")
		if !passed {
			t.Errorf("%s:\n%s", name, out)
		}
		wantLines(t, out, append(want, "the input is\n")...)
	}
	dir := t.TempDir()
	entry := filepath.Join(dir, "testdata", "fuzz", "FuzzHelperEndlessValues", "one")
	if err := os.MkdirAll(filepath.Dir(entry), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(entry, []byte("go test fuzz v1\n[]byte(\"\")\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	out, passed := runHelperIn(t, dir, "FuzzHelperEndlessValues", "-test.timeout=20s")
	if !passed {
		t.Error("fails")
	}
	wantLines(t, out, "the input is\n", "struct{ N int }{")
}

package fuzzmut_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"

	"github.com/fuzzmut/fuzzmut/fuzzmut"
)

// Expr is an interface with two implementations.
type Expr interface{ String() string }

type (
	Num int
	Add struct{ X, Y Expr }
)

func (n Num) String() string  { return fmt.Sprint(int(n)) }
func (a *Add) String() string { return "(" + a.X.String() + "+" + a.Y.String() + ")" }

func init() {
	fuzzmut.Implementations[Expr](Num(0), &Add{})
	fuzzmut.Represent(newSet, (*set).elements)
	fuzzmut.Values(Hearts, Spades)
	fuzzmut.Generate(drawEven)
}

func ExampleImplementations() {
	// In an init function: fuzzmut.Implementations[Expr](Num(0), &Add{})
	data, err := fuzzmut.Encode[Expr](&Add{Num(1), &Add{Num(2), Num(300)}})
	fmt.Printf("%x %v\n", data, err)
	fmt.Println(fuzzmut.Decode[Expr](data))
	fmt.Println(fuzzmut.Decode[Expr](data[:5]))
	fmt.Println(fuzzmut.Decode[Expr](nil))
	// Output:
	// 0100010100020081012c <nil>
	// (1+(2+300))
	// (1+(0+0))
	// 0
}

// set has an invariant: its elements are in order.
type set struct{ list []int }

func newSet(elems []int) *set {
	slices.Sort(elems)
	return &set{slices.Compact(elems)}
}

func (s *set) elements() []int { return s.list }

func ExampleRepresent() {
	// In an init function: fuzzmut.Represent(newSet, (*set).elements)
	data, _ := fuzzmut.Encode([]int{3, 1, 3})
	fmt.Println(fuzzmut.Decode[*set](data).list)
	// Output: [1 3]
}

// Suit has two values; the zero value is none of them.
type Suit string

const Hearts, Spades Suit = "hearts", "spades"

func ExampleValues() {
	// In an init function: fuzzmut.Values(Hearts, Spades)
	data, err := fuzzmut.Encode(Spades)
	fmt.Println(fuzzmut.Decode[Suit](data), err)
	fmt.Println(fuzzmut.Decode[Suit](nil))
	_, err = fuzzmut.Encode(Suit("clubs"))
	fmt.Println(err != nil)
	// Output:
	// spades <nil>
	// hearts
	// true
}

// Even is drawn in its own way. A mutation can still give any number.
type Even int

func drawEven(r *rand.Rand, size int) Even { return Even(2 * r.IntN(size+1)) }

func ExampleGenerate() {
	// In an init function: fuzzmut.Generate(drawEven)
	n, odd := 0, 0
	for v := range (fuzzmut.Gen[Even]{Seed: 1, Size: 50}).Values() {
		if n++; n > 100 {
			break
		}
		if v%2 != 0 || v > 100 {
			odd++
		}
	}
	fmt.Println(odd)
	// Output: 0
}

func ExampleDecode() {
	type point struct{ X, Y int }
	// Any bytes stand for a value; what is missing is zero.
	for _, data := range []string{"", "\x05", "\x05\x07", "\x05\x07and more"} {
		fmt.Println(fuzzmut.Decode[point]([]byte(data)))
	}
	// Output:
	// {0 0}
	// {5 0}
	// {5 7}
	// {5 7}
}

func ExampleGen_Values() {
	type request struct {
		Method string `fuzz:"oneof=GET|PUT"`
		Retry  uint8  `fuzz:"max=3"`
	}
	for r := range (fuzzmut.Gen[request]{Seed: 1}).Values() {
		if r.Method == "PUT" && r.Retry > 0 {
			fmt.Println(r.Retry <= 3)
			break
		}
	}
	// Output: true
}

func TestReverseTwice(t *testing.T) {
	fuzzmut.Gen[[]string]{}.Check(t, func(t testing.TB, in []string) {
		again := slices.Clone(in)
		slices.Reverse(again)
		slices.Reverse(again)
		if !slices.Equal(in, again) {
			t.Errorf("got %q", again)
		}
	})
}

func ExampleFuzz() {
	// In a file of tests: func FuzzSorted(f *testing.F).
	_ = func(f *testing.F) {
		fuzzmut.Add(f, []int{3, 1, 2})
		fuzzmut.Fuzz(f, func(t *testing.T, in []int) {
			fuzzmut.Assume(t, len(in) > 1)
			slices.Sort(in)
			if in[0] > in[1] {
				t.Errorf("%d comes before %d", in[0], in[1])
			}
		})
	}
}

func ExampleGen_Check() {
	// In a test: func TestSorted(t *testing.T).
	_ = func(t *testing.T) {
		fuzzmut.Gen[[]int]{}.Check(t, func(t testing.TB, in []int) {
			slices.Sort(in)
			if !slices.IsSorted(in) {
				t.Errorf("not sorted")
			}
		})
	}
}

// Stack is tested; its model is a slice.
type Stack struct{ list []int }

func NewStack() *Stack { return &Stack{} }

func (s *Stack) Push(n int) { s.list = append(s.list, n) }

func (s *Stack) Pop() (n int, ok bool) {
	if len(s.list) == 0 {
		return 0, false
	}
	last := len(s.list) - 1
	n, s.list = s.list[last], s.list[:last]
	return n, true
}

func ExampleMachine() {
	// In a test: func TestStack(t *testing.T).
	_ = func(t *testing.T) {
		fuzzmut.Machine[*Stack]{New: NewStack, Model: func() any { return &slowStack{} }}.Check(t)
	}
}

// slowStack has the last value in front.
type slowStack struct{ list []int }

func (s *slowStack) Push(n int) { s.list = append([]int{n}, s.list...) }

func (s *slowStack) Pop() (n int, ok bool) {
	if len(s.list) == 0 {
		return 0, false
	}
	n, s.list = s.list[0], s.list[1:]
	return n, true
}

// bank is a state of a test: what is tested, and what is known about it.
type bank struct {
	stack *Stack
	depth int
}

func newBank() *bank { return &bank{stack: NewStack()} }

func (b *bank) push(n int) {
	b.stack.Push(n)
	b.depth++
}

func (b *bank) pop(t testing.TB) {
	fuzzmut.Assume(t, b.depth > 0)
	if _, ok := b.stack.Pop(); !ok {
		t.Errorf("nothing is there, and %d values were left", b.depth)
	}
	b.depth--
}

func (b *bank) holds(t testing.TB) {
	if len(b.stack.list) != b.depth {
		t.Errorf("%d values, want %d", len(b.stack.list), b.depth)
	}
}

var bankMachine = fuzzmut.Machine[*bank]{
	New:       newBank,
	Ops:       []any{(*bank).push, (*bank).pop},
	Invariant: func(t testing.TB, b *bank) { b.holds(t) },
}

func ExampleMachine_Check() {
	// In a test: func TestBank(t *testing.T).
	_ = func(t *testing.T) { bankMachine.Check(t) }
}

func ExampleMachine_Fuzz() {
	// In a file of tests: func FuzzBank(f *testing.F).
	_ = func(f *testing.F) { bankMachine.Fuzz(f) }
}

func TestExamplesOfMachinesPass(t *testing.T) {
	bankMachine.Check(t)
	fuzzmut.Machine[*Stack]{New: NewStack, Model: func() any { return &slowStack{} }}.Check(t)
}

func ExampleAnything() {
	// In an init function: fuzzmut.Implementations[any](append(fuzzmut.Anything(), Num(0))...)
	for _, v := range fuzzmut.Anything() {
		fmt.Printf("%T ", v)
	}
	fmt.Println()
	// Output: <nil> bool int float64 string []uint8 []interface {} map[string]interface {} *interface {} *map[string]interface {}
}

// Register is a type whose methods may be called at once. Porcupine has a model of it.
type Register struct {
	mu sync.Mutex
	n  int
}

func NewRegister() *Register { return &Register{} }

func (r *Register) Write(n int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.n = n
}

func (r *Register) Read() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.n
}

// registerModel is a model for package github.com/anishathalye/porcupine: its inputs are calls.
var registerModel = porcupine.Model{
	Init: func() any { return 0 },
	Step: func(state, input, output any) (bool, any) {
		call := input.(fuzzmut.Call)
		if call.Op == "Write" {
			return true, call.Args[0]
		}
		return output.([]any)[0] == state, state
	},
}

// checkWithPorcupine judges histories.
func checkWithPorcupine(t testing.TB, calls []fuzzmut.Call) {
	var ops []porcupine.Operation
	for _, c := range calls {
		ops = append(ops, porcupine.Operation{ClientId: c.Goroutine, Input: c, Output: c.Results, Call: c.Start, Return: c.End})
	}
	switch porcupine.CheckOperationsTimeout(registerModel, ops, 5*time.Second) {
	case porcupine.Illegal:
		t.Error("the history is not linearizable")
	case porcupine.Unknown:
		t.Log("porcupine needs more time")
	}
}

func ExampleMachine_concurrent() {
	// In a test: func TestRegister(t *testing.T). Register is compared with itself, called from one
	// goroutine; with a Model, it would be with that.
	_ = func(t *testing.T) {
		fuzzmut.Machine[*Register]{New: NewRegister, Goroutines: 2}.Check(t)
	}
}

func ExampleMachine_porcupine() {
	// In a test: func TestRegister(t *testing.T).
	_ = func(t *testing.T) {
		fuzzmut.Machine[*Register]{New: NewRegister, Goroutines: 3, History: checkWithPorcupine}.Check(t)
	}
}

func TestExampleWithPorcupinePasses(t *testing.T) {
	fuzzmut.Machine[*Register]{New: NewRegister, Goroutines: 3, History: checkWithPorcupine, N: 20}.Check(t)
}

package linear

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/anishathalye/porcupine"
)

// call is one of a register: it adds to it, and returns what was there before.
type call struct{ add, was int }

// register is the object of calls. compared says whether states are.
func register(calls []call, compared bool) Object[*int] {
	o := Object[*int]{
		New: func() *int { return new(int) },
		Step: func(n *int, i int) bool {
			fits := *n == calls[i].was
			*n += calls[i].add
			return fits
		},
	}
	if compared {
		o.Equal = func(a, b *int) bool { return *a == *b }
	}
	return o
}

// counted are calls that begin and end at the given times.
func counted(texts ...[4]int) (calls []call, history []Interval) {
	for _, t := range texts {
		calls = append(calls, call{t[0], t[1]})
		history = append(history, Interval{int64(t[2]), int64(t[3])})
	}
	return calls, history
}

func TestCheck(t *testing.T) {
	for _, c := range []struct {
		name        string
		calls       [][4]int // what is added, what is returned, begin, end
		want        Verdict
		order, next []int
	}{
		{"nothing", nil, Linearizable, nil, nil},
		{"one after the other", [][4]int{{1, 0, 1, 2}, {1, 1, 3, 4}}, Linearizable, []int{0, 1}, nil},
		{"the later one first", [][4]int{{1, 1, 1, 4}, {1, 0, 2, 3}}, Linearizable, []int{1, 0}, nil},
		{"a lost one", [][4]int{{1, 0, 1, 4}, {1, 0, 2, 3}}, NotLinearizable, []int{0}, []int{1}},
		{"at the same moment", [][4]int{{1, 1, 1, 2}, {1, 0, 2, 3}}, Linearizable, []int{1, 0}, nil},
		{"a late one", [][4]int{{1, 1, 1, 2}, {1, 0, 3, 4}}, NotLinearizable, nil, []int{0}},
		{"back from the second", [][4]int{{2, 0, 1, 9}, {1, 0, 2, 8}, {0, 1, 3, 4}, {0, 3, 5, 6}}, NotLinearizable, []int{1, 2}, []int{0, 3}},
	} {
		for _, compared := range []bool{false, true} {
			calls, history := counted(c.calls...)
			r := Check(history, register(calls, compared), 1000)
			if r.Verdict != c.want || !slices.Equal(r.Order, c.order) || !slices.Equal(r.Next, c.next) {
				t.Errorf("%s, states compared %t: %+v, want %d, %v, %v", c.name, compared, r, c.want, c.order, c.next)
			}
		}
	}
}

func TestWhatTakesTooLongIsUnknown(t *testing.T) {
	var texts [][4]int
	for range 12 {
		texts = append(texts, [4]int{1, 0, 1, 2})
	}
	texts[0] = [4]int{0, 99, 1, 2}
	calls, history := counted(texts...)
	if r := Check(history, register(calls, false), 5); r.Verdict != Unknown {
		t.Errorf("with five steps: %+v", r)
	}
	if r := Check(make([]Interval, MostCalls+1), register(nil, false), 1000); r.Verdict != Unknown {
		t.Errorf("of too many calls: %+v", r)
	}
}

// The verdicts are those of porcupine.
func TestCheckAgainstPorcupine(t *testing.T) {
	model := porcupine.Model{
		Init: func() any { return 0 },
		Step: func(state, input, output any) (bool, any) {
			return state.(int) == output.(int), state.(int) + input.(int)
		},
	}
	verdicts := make(map[Verdict]int)
	for seed := range uint64(3000) {
		calls, history := randomHistory(rand.New(rand.NewPCG(seed, 0)))
		var ops []porcupine.Operation
		for i, c := range calls {
			ops = append(ops, porcupine.Operation{ClientId: i, Input: c.add, Output: c.was, Call: history[i].Start, Return: history[i].End})
		}
		want := NotLinearizable
		if porcupine.CheckOperations(model, ops) {
			want = Linearizable
		}
		for _, compared := range []bool{false, true} {
			r := Check(history, register(calls, compared), 10_000_000)
			if r.Verdict != want {
				t.Fatalf("seed %d, states compared %t: %+v, and porcupine %d: %v %v", seed, compared, r, want, calls, history)
			}
			if err := valid(r, calls, history); err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
		}
		verdicts[want]++
	}
	if verdicts[Linearizable] < 300 || verdicts[NotLinearizable] < 300 {
		t.Errorf("%v: one of the verdicts is rare", verdicts)
	}
}

// randomHistory is that of a register that works, and often with a result that is changed.
func randomHistory(r *rand.Rand) (calls []call, history []Interval) {
	n, sum := 1+r.IntN(8), 0
	for i := range n {
		c := call{r.IntN(3), sum}
		sum += c.add
		if r.IntN(8) == 0 {
			c.was = r.IntN(4)
		}
		at := int64(4 * i)
		calls, history = append(calls, c), append(history, Interval{at - r.Int64N(9), at + r.Int64N(9)})
	}
	return calls, history
}

// valid says what is wrong with the order of a result.
func valid(r Result, calls []call, history []Interval) error {
	sum := 0
	for at, i := range r.Order {
		if calls[i].was != sum {
			return fmt.Errorf("%v: call %d does not fit", r.Order, i)
		}
		sum += calls[i].add
		for _, before := range r.Order[:at] {
			if history[i].End < history[before].Start {
				return fmt.Errorf("%v: call %d had ended before call %d began", r.Order, i, before)
			}
		}
	}
	return nil
}

// Package linear decides whether calls that were made at once did what they do one after the
// other, in an order in which none comes before one that had ended when it began (Herlihy and
// Wing, Linearizability, 1990).
//
// It looks for such an order from call to call, and comes back where there is no way on (Wing and
// Gong, Testing and Verifying Concurrent Objects, 1993). What led nowhere is not tried again: the
// same calls with the same state after them (Lowe, Testing for Linearizability, 2017).
package linear

// Interval is when a call began and ended. A call that has ended before another begins comes
// before it in each order.
type Interval struct{ Start, End int64 }

// MostCalls is how many calls a history has at most.
const MostCalls = 64

// Object is what calls are made on, one after the other.
type Object[S any] struct {
	// New makes the state that all orders begin with.
	New func() S
	// Step makes a call, by its number, which changes the state. It reports whether the call did
	// what it did in the history.
	Step func(state S, call int) bool
	// Equal reports whether calls do the same in both states. It may be false where they do. nil:
	// nobody knows.
	Equal func(a, b S) bool
}

// Verdict says whether there is an order.
type Verdict int

// The verdicts.
const (
	Linearizable    Verdict = iota
	NotLinearizable         // no order
	Unknown                 // none was found with the steps that were allowed, or there are too many calls
)

// Result is what Check found out.
type Result struct {
	Verdict Verdict
	Order   []int // of all calls; without such an order, of as many as fit
	Next    []int // where no order fits: the calls that can come after Order; none fits
}

// Check looks for an order of the calls of a history, with at most that number of steps.
func Check[S any](history []Interval, o Object[S], most int) Result {
	if len(history) > MostCalls {
		return Result{Verdict: Unknown}
	}
	c := &checker[S]{Object: o, history: history, left: most, dead: make(map[uint64][]S)}
	if c.from(0, nil, o.New()) {
		return Result{Verdict: Linearizable, Order: c.order}
	}
	r := Result{Verdict: NotLinearizable, Order: c.order, Next: c.next(setOf(c.order))}
	if c.left < 0 {
		r.Verdict = Unknown
	}
	return r
}

// checker looks for an order.
type checker[S any] struct {
	Object[S]
	history []Interval
	left    int            // steps
	order   []int          // the longest so far
	dead    map[uint64][]S // states from which there is no way on, by the calls that were made
}

// from reports whether there is an order that begins with the calls of order, the set done, which
// lead to state.
func (c *checker[S]) from(done uint64, order []int, state S) bool {
	if len(order) > len(c.order) {
		c.order = append([]int(nil), order...)
	}
	if len(order) == len(c.history) {
		return true
	}
	for _, s := range c.dead[done] {
		if c.Equal(s, state) {
			return false
		}
	}
	fresh := true
	for _, i := range c.next(done) {
		if !fresh {
			state = c.after(order)
		}
		if c.left--; c.left < 0 {
			return false
		}
		fresh = false
		if c.Step(state, i) && c.from(done|1<<i, append(order, i), state) {
			return true
		}
		if c.left < 0 {
			return false
		}
	}
	if c.Equal != nil {
		c.dead[done] = append(c.dead[done], c.after(order))
	}
	return false
}

// after makes the state after some calls.
func (c *checker[S]) after(order []int) S {
	state := c.New()
	for _, i := range order {
		c.left--
		c.Step(state, i)
	}
	return state
}

// next lists the calls that can come after those of a set, in the order in which they began.
func (c *checker[S]) next(done uint64) (list []int) {
	end := int64(1<<63 - 1)
	for i, h := range c.history {
		if done&(1<<i) == 0 {
			end = min(end, h.End)
		}
	}
	for i, h := range c.history {
		if done&(1<<i) != 0 || h.Start > end {
			continue
		}
		at := len(list)
		for at > 0 && c.history[list[at-1]].Start > h.Start {
			at--
		}
		list = append(list, 0)
		copy(list[at+1:], list[at:])
		list[at] = i
	}
	return list
}

func setOf(calls []int) (set uint64) {
	for _, i := range calls {
		set |= 1 << i
	}
	return set
}

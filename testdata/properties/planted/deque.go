package planted

import (
	"slices"

	"github.com/fuzzmut/fuzzmut/testdata/hunt"
)

// The bugs of a Deque.
const (
	DequeGrowsWrapped   = 1 + iota // to grow forgets the part before the start of the array, from 16 values on
	DequeShrinksWrapped            // to shrink forgets the last value, if the values do not lie in one piece
	DequeRotatesBack               // to rotate back by more than the length goes one too far
)

// Deque is a queue with two ends, in an array that grows and shrinks.
type Deque struct {
	bug         int
	array       []int
	first, used int
	model       []int
}

const leastArray = 4

// NewDeque returns an empty Deque with a bug.
func NewDeque(bug int) *Deque { return &Deque{bug: bug, array: make([]int, leastArray)} }

func (d *Deque) at(i int) *int { return &d.array[(d.first+i)%len(d.array)] }

// resize moves the values to another array.
func (d *Deque) resize(size int) {
	array := make([]int, size)
	n := d.used
	wrapped := d.first+d.used > len(d.array)
	switch {
	case d.bug == DequeGrowsWrapped && wrapped && size >= 32:
		n = len(d.array) - d.first
	case d.bug == DequeShrinksWrapped && wrapped && size < len(d.array):
		n--
	}
	for i := range n {
		array[i] = *d.at(i)
	}
	d.array, d.first = array, 0
}

func (d *Deque) grow() {
	if d.used == len(d.array) {
		d.resize(2 * d.used)
	}
}

func (d *Deque) shrink() {
	if len(d.array) > leastArray && d.used == len(d.array)/4 {
		d.resize(len(d.array) / 2)
	}
}

// PushFront and the other operations say whether the model did the same.
func (d *Deque) PushFront(n int) hunt.Outcome {
	d.grow()
	d.first = (d.first + len(d.array) - 1) % len(d.array)
	*d.at(0) = n
	d.used++
	d.model = slices.Insert(d.model, 0, n)
	return d.outcome()
}

// PushBack appends n.
func (d *Deque) PushBack(n int) hunt.Outcome {
	d.grow()
	*d.at(d.used) = n
	d.used++
	d.model = append(d.model, n)
	return d.outcome()
}

// PopFront removes the first value, if there is one.
func (d *Deque) PopFront() hunt.Outcome {
	if d.used == 0 {
		return hunt.Passed
	}
	d.first = (d.first + 1) % len(d.array)
	d.used--
	d.shrink()
	d.model = d.model[1:]
	return d.outcome()
}

// PopBack removes the last value, if there is one.
func (d *Deque) PopBack() hunt.Outcome {
	if d.used == 0 {
		return hunt.Passed
	}
	d.used--
	d.shrink()
	d.model = d.model[:len(d.model)-1]
	return d.outcome()
}

// Rotate moves n values from the front to the back, or -n from the back to the front.
func (d *Deque) Rotate(n int) hunt.Outcome {
	if d.used < 2 {
		return hunt.Passed
	}
	by := n % d.used
	if by < 0 {
		by += d.used
		if d.bug == DequeRotatesBack && n < -d.used {
			by = (by + 1) % d.used
		}
	}
	values := make([]int, d.used)
	for i := range values {
		values[i] = *d.at((i + by) % d.used)
	}
	d.first = 0
	copy(d.array, values)
	for range (n%len(d.model) + len(d.model)) % len(d.model) {
		d.model = append(d.model[1:], d.model[0])
	}
	return d.outcome()
}

func (d *Deque) outcome() hunt.Outcome {
	if d.used != len(d.model) {
		return hunt.Failed
	}
	for i, n := range d.model {
		if *d.at(i) != n {
			return hunt.Failed
		}
	}
	return hunt.Passed
}

// DequeOp is an operation as a value.
type DequeOp struct {
	Kind uint8 `fuzz:"max=4"`
	N    int
}

// Deques tests operations on an empty Deque.
func Deques(bug int) func(*[]DequeOp) hunt.Outcome {
	return func(ops *[]DequeOp) hunt.Outcome {
		d := NewDeque(bug)
		for _, op := range *ops {
			if d.do(op) == hunt.Failed {
				return hunt.Failed
			}
		}
		return hunt.Passed
	}
}

func (d *Deque) do(op DequeOp) hunt.Outcome {
	switch op.Kind % 5 {
	case 0:
		return d.PushFront(op.N)
	case 1:
		return d.PushBack(op.N)
	case 2:
		return d.PopFront()
	case 3:
		return d.PopBack()
	}
	return d.Rotate(op.N)
}

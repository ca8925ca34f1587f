// Package failures collects the failing inputs of one fuzz test: by the stacks, that is by how
// they fail and where, and apart from these the failures that are flaky. Stacks only grow,
// and what is kept of one does not depend on the order in which its inputs come.
package failures

import (
	"slices"
	"sync"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// Failure is one failing input.
type Failure struct {
	Input   *corpus.Input // nil: only one more execution of a known stack
	Key     string        // of the stack
	Outcome wire.Outcome
	Cause   string // of a death
	First   bool   // of its stack
	Known   int    // entries of the corpus when it was found
	Cost    int64  // fuel that it burned; 0 if it is not known
}

// Stack gathers the inputs that fail with one stack: in the same way, with the same frames.
// Whether several of them show one bug is for others to say: those make buckets of stacks.
type Stack struct {
	Key     string
	Outcome wire.Outcome    // of the smallest input; of the first execution if none is kept
	Inputs  []*corpus.Input // kept, the smallest first
	Count   int64           // executions
}

// inputsPerStack bounds the inputs kept of one stack.
const inputsPerStack = 16

// Collector collects the failures of one fuzz test. It may be used by several goroutines
// at a time. Its lock is a leaf.
type Collector struct {
	onFailure func(Failure)

	mu     sync.Mutex // guards what follows, the stacks, and the flaky failures
	stacks []*Stack
	byKey  map[string]*Stack
	flaky  []*Flaky        // in order of appearance
	sure   map[string]bool // keys of inputs that failed in each of several runs
}

// New makes an empty collector. onFailure is called for each failing input that is kept,
// with no lock held; nil is not called.
func New(onFailure func(Failure)) *Collector {
	if onFailure == nil {
		onFailure = func(Failure) {}
	}
	return &Collector{onFailure: onFailure, byKey: make(map[string]*Stack), sure: make(map[string]bool)}
}

// Add puts a failing input into its stack, which was met in count executions. First is
// set here.
func (c *Collector) Add(f Failure, count int64) {
	c.mu.Lock()
	b := c.byKey[f.Key]
	if f.First = b == nil; f.First {
		b = &Stack{Key: f.Key, Outcome: f.Outcome}
		c.byKey[f.Key] = b
		c.stacks = append(c.stacks, b)
	}
	b.Count += count
	kept := f.Input != nil && b.keep(f.Input)
	if kept && b.Inputs[0] == f.Input {
		b.Outcome = f.Outcome // what is said is often a value of the input, and the smallest is shown
	}
	c.mu.Unlock()
	if kept {
		c.onFailure(f)
	}
}

// keep inserts an input, the smallest first, and reports whether it was kept.
func (b *Stack) keep(input *corpus.Input) bool {
	at := len(b.Inputs)
	for i, have := range b.Inputs {
		if have.Equal(input) {
			return false
		}
		if at == len(b.Inputs) && input.Compare(have) < 0 {
			at = i
		}
	}
	if at >= inputsPerStack {
		return false
	}
	b.Inputs = slices.Insert(b.Inputs, at, input)
	b.Inputs = b.Inputs[:min(len(b.Inputs), inputsPerStack)]
	return true
}

// Has reports whether there is a stack of that key.
func (c *Collector) Has(key string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.byKey[key] != nil
}

// Sure notes that an input with a key failed in each of several runs.
func (c *Collector) Sure(key string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.sure[key] = true
}

// IsSure reports whether Sure was called with a key.
func (c *Collector) IsSure(key string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.sure[key]
}

// Suffices reports whether a stack has its inputs, and all are as small as this one or
// smaller: then it need not be run again.
func (c *Collector) Suffices(key string, input *corpus.Input) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	b := c.byKey[key]
	return b != nil && len(b.Inputs) > 0 && (len(b.Inputs) >= inputsPerStack || b.Inputs[0].Len() <= input.Len())
}

// Len returns the number of stacks. It may be called at any time.
func (c *Collector) Len() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.stacks)
}

// Stacks returns the stacks in order of appearance. They are the collector's own: call
// it when no more is added.
func (c *Collector) Stacks() []*Stack {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.stacks)
}

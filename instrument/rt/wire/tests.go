package wire

import (
	"time"

	"github.com/fuzzmut/fuzzmut/instrument/rt/oracle"
)

// Tests asks for runs of the package's own tests without a mutant. A TestRan
// comes for each, up to one that leaves goroutines that compute, and Ran in the end.
type Tests struct {
	List   []int  // indices into Hello.Tests
	Trace  bool   // through the mutable bodies, recording mutants
	Bounds Bounds // of each test
}

// Bounds of one run of a test by the clock, and by what the system says of the process.
type Bounds struct {
	Limit time.Duration // how long it may take; 0: as long as the coordinator lets any execution
	Idle  time.Duration // how long nothing may run in the process meanwhile; 0: as long as it likes
	CPU   time.Duration // processor time that the process may take meanwhile; 0: as much as it likes
}

// TestRan is what one run of a test came to.
type TestRan struct {
	Test    int
	Outcome Outcome
	Fuel    int64 // burned
	Time    time.Duration
	Leaked  int   // goroutines that it left behind
	Working bool  // these do not wait, but compute
	Allocs  int64 // memory allocations; only of a trace
	Bytes   int64 // that these took; likewise
	Starts  bool  // it starts other processes, and waits for them; likewise
	// Bit sets over mutant indices, little endian; only of a trace.
	Reached, Infected []byte `json:",omitempty"`
	// Times are how often the sites of the mutants in Reached were, in their order, one after another as
	// binary.AppendUvarint writes them; only of a trace that took LongTest or more.
	Times []byte `json:",omitempty"`
}

// LongTest is the least time of a test for which starting a process is nothing. A trace takes longer than
// other runs.
const LongTest = 100 * time.Millisecond

// Try asks for runs of mutants, each with its tests until one fails. A Tried
// comes for each, and Ran in the end.
type Try struct {
	Tests []TestCost // that the items refer to
	Items []TryItem
	// Alone says that the process is there for this one item: the tests run in the
	// order given, and nothing is run again.
	Alone bool
	// Tried and Killed count, for each of Tests, how often it was run with mutants
	// that are neighbors of these, and how many of them it killed.
	Tried, Killed []int `json:",omitempty"`
}

// TestCost says what the original needs for a test, and what it may have.
type TestCost struct {
	Test   int // index into Hello.Tests
	Fuel   int64
	Cost   int64 // like fuel, but with what rewritten code does not do itself
	Bytes  int64 // that it allocates
	Leaked int
	// LeastFuel and LeastBytes are what a mutant may use in any case.
	LeastFuel, LeastBytes int64  `json:",omitempty"`
	Bounds                Bounds // of one run
}

// TryItem is a mutant with its tests: indices into Try.Tests.
type TryItem struct {
	Mutant uint32
	Tests  []int
	// With are mutants that are on together with the first, which stands for all of them;
	// only where Try.Alone is.
	With []uint32 `json:",omitempty"`
}

// Tried is what trying a mutant came to.
type Tried struct {
	Mutant uint32
	Kill   *TestKill `json:",omitempty"` // nil: no test failed, or it is doubtful
	Doubt  string    `json:",omitempty"` // why a test that failed says nothing
	Ran    []int     // Try.Tests in the order in which they were run, the killing one last
	Runs   int       // with the mutant, repetitions included
	// Spent says that the process is not fit for another mutant.
	Spent bool
	// Fired are those of several mutants that took effect in the last test, as bits over mutant
	// indices, little endian.
	Fired []byte `json:",omitempty"`
	// Times are how often the sites of these mutants were evaluated in that test, in the order of TryItem.
	Times []uint32 `json:",omitempty"`
}

// TestKill is a test that fails because of a mutant.
type TestKill struct {
	Test   int // index into Hello.Tests
	Kind   oracle.Kind
	Detail string
}

// Observe asks what the calls in tests return with mutants that no test notices. An Observed
// comes for each, and Ran in the end.
type Observe struct {
	Tests []TestCost // that the items refer to
	Items []TryItem
}

// Observed is what the calls in the tests of a mutant returned.
type Observed struct {
	Mutant uint32
	// Shown is the first call that returned something else; nil: none did, as far as one
	// could tell.
	Shown *Shown `json:",omitempty"`
	Runs  int    // with the mutant
	// Spent says that the process is not fit for another mutant.
	Spent bool
}

// Shown is a call in a test that returned something else with a mutant.
type Shown struct {
	Test  int // index into Hello.Tests
	Site  uint32
	Value int    // number among the values of the site, or observe.WholeSite
	Text  string // one line: what the value was, and what it is with the mutant
	// Plain says that a caller sees it: see observe.Difference.
	Plain bool `json:",omitempty"`
	// Weak says why a caller hardly relies on it: an observe.Weakness.
	Weak string `json:",omitempty"`
	// Field is the innermost field that holds it: see observe.Difference.
	Field string `json:",omitempty"`
}

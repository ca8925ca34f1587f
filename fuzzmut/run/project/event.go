package project

import (
	"time"

	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/unittest"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
)

// An Event is one thing that happened. Exactly one field is set.
type Event struct {
	Phase   *Phase
	Status  *Status
	Tests   *TestStatus
	Crash   *Crash
	Warning *Warning
	Done    *report.FuzzTest // a fuzz test's result, complete
}

// Phase says what the run does from now on, or what it has found out.
type Phase struct {
	Package string // import path; "" when it concerns all
	Text    string // lower-case: "building the test binary", "212 mutants in 38 functions"
	Note    bool   // nothing begins with it
	Brief   bool   // one of many short ones, which are not each worth a line of a log
}

// Status is where a fuzz test stands. It comes several times a second while the
// fuzz test runs, and once at its end.
type Status struct {
	Package string // import path
	Fuzz    string

	Elapsed     time.Duration // since this step began
	Budget      FuzzTime      // while fuzzing: when it ends; else zero
	Doing       string        // else: what is done
	Execs       int64         // of the original
	ExecsPerSec float64       // over the last seconds
	MutantExecs int64

	// Evaluated of Evaluating entries, or what Unit says, are done with in this step; zero
	// while fuzzing, and while it is not known how many there are.
	Evaluated, Evaluating int
	Unit                  string // "": an entry
	Runs                  int64  // of mutants, since this step began; zero while fuzzing

	Corpus int // inputs in use
	Added  int // of them found in this run

	Killed  int // mutants
	Reached int // mutants, the killed ones included
	Mutants int // all that can be run
	// NoMutants says that nobody has asked for these three: a search only uses mutants to find other inputs.
	NoMutants bool

	Covered int // source blocks
	Blocks  int

	Buckets int // of failing inputs; -1: none are reported, and the number is not shown
}

// TestStatus is how far the tests of a package have come with its mutants.
type TestStatus struct {
	Package string        // import path
	Elapsed time.Duration // since the tests were built
	unittest.Progress
}

// Crash reports the first failing input of a bucket.
type Crash struct {
	Package string // import path
	Fuzz    string
	Crash   report.Crash
}

// Warning is something the user should know that does not end the run.
type Warning struct {
	Text string // one line, lower-case
}

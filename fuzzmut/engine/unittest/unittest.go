// Package unittest judges the mutants of a test binary by the package's own
// tests.
//
// The tests run first without a mutant: they have to pass, twice, and their cost
// is measured. A trace then tells which mutants each test reaches, and which it
// infects: for which mutants it computes a value that the mutant would have made
// another. A mutant is run with the tests that it infects, until one of them
// fails. The tests share a process, which switches from mutant to mutant in
// place; what such a process says is checked where its own state may have had a
// hand in it: a kill counts when the mutant fails the test twice and the original
// passes it right after, and whatever is no such kill is decided by a process of
// its own, in which the mutant is active from the start.
//
// Verdicts do not depend on the number of processes, nor on the clock, but for
// mutants that block. What tests do in processes that they start themselves is
// not traced: a mutant that is reached only there is not covered.
package unittest

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/rt/oracle"
)

// Options say what to run.
type Options struct {
	Program *instrument.Program
	Binary  string   // the test binary, built by overlay.Build with Tests set
	Dir     string   // of the package under test: the tests' working directory
	Env     []string // of the tests; nil means the command's own
	TempDir string   // for what passes between processes; "" means the system's

	Run     string   // regular expression of the tests to use, as -run of go test; "" means all
	Mutants []uint32 // to judge; nil means all that can be run, static ones too
	// Known may give the verdict on a mutant from an earlier run. It is asked once
	// it is known which tests reach the mutant. nil knows none.
	Known func(m *instrument.Mutant, reach []string) (Verdict, bool)

	Parallel int           // processes at a time; 0 means one for each processor
	Timeout  time.Duration // of one test, by the clock; 0 means 10 s or a multiple of the original's, whichever is more. Fuel ends loops much earlier: this is for what blocks
	MemLimit int64         // resident bytes of a process; 0 means 2 GiB, negative means no limit

	Verdicts func(Verdict)  // gets each verdict once it is final, one call at a time; nil discards
	Progress func(Progress) // gets now and then how far the run has come; nil discards
	Log      io.Writer      // gets what people may want to know; nil discards
}

// Progress is how far a run has come.
type Progress struct {
	Phase            string // what is being done, as a heading: "baseline", "trace", "mutants", "confirmation"
	Done, Total      int    // mutants with a verdict, and all; 0 of 0 before the mutants' turn
	Killed, Survived int
}

// Status is what became of a mutant.
type Status string

const (
	StatusKilled     Status = "killed"
	StatusSurvived   Status = "survived"
	StatusNotCovered Status = "not-covered" // no test reaches it
	StatusSkipped    Status = "skipped"     // not run: see Verdict.Reason
	StatusNotRun     Status = "not-run"     // likewise, for a reason that may be gone the next time
)

// Verdict is what the tests say of one mutant.
type Verdict struct {
	Mutant   uint32 // index into Program.Mutants, from 1
	Status   Status
	Kind     oracle.Kind // of a kill
	Test     string      // that killed it: "TestParse"; "" when that happened before the first test
	Detail   string      // what was seen, in one line or few
	Tests    []string    // that reach it, in source order
	Infected []string    // of these, the ones in which it computes another value
	Reason   string      // why it was not run, or why its survival was known without a run
	Fresh    bool        // decided in a process of its own
	Reused   bool        // from an earlier run
}

// Result is what the tests of one package say of its mutants.
type Result struct {
	Tests       []Test    // all tests run, in source order
	Verdicts    []Verdict // by mutant; of an interrupted run, those that are final
	Executions  int64     // test runs without a mutant
	MutantRuns  int64     // test runs with one
	Processes   int       // started
	Wall        time.Duration
	CPU         time.Duration // of the processes
	Shared      bool          // tests share a process; else one is started for each mutant
	Reason      string        // why not all of them do
	Interrupted bool          // the context was cancelled before the end
}

// Test is one test of the package: a Test function, an example with output, or
// a fuzz test with its seeds.
type Test struct {
	Name  string
	Fuel  int64         // burned by the original
	Time  time.Duration // taken by the original
	Kills int
}

// A BaselineError says that tests fail, or pass only sometimes, without any
// mutant. Nothing can be learnt from such tests.
type BaselineError struct {
	Red    []string // tests that fail
	Flaky  []string // tests that pass and fail
	Deaths []string // tests that ended their process, each with what it died of
	Output string   // of a failing run
}

func (e *BaselineError) Error() string {
	var parts []string
	if len(e.Red) > 0 {
		parts = append(parts, fmt.Sprintf("tests fail without any mutant: %s", strings.Join(e.Red, ", ")))
	}
	if len(e.Flaky) > 0 {
		parts = append(parts, fmt.Sprintf("tests pass only sometimes: %s", strings.Join(e.Flaky, ", ")))
	}
	return strings.Join(parts, "; ")
}

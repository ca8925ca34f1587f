// Package unittest judges the mutants of a test binary by the package's own
// tests.
//
// The tests run first without a mutant, and their cost is measured. One that fails
// is set aside: it judges nothing. So is one that is seen to fail later, and what
// it has killed is judged by the others. A trace then tells which mutants each test reaches, and which it
// infects: for which mutants it computes a value that the mutant would have made
// another. A mutant is run with the tests that it infects, until one of them
// fails. The tests share a process, which switches from mutant to mutant in
// place; what such a process says is checked where its own state may have had a
// hand in it: a kill counts when the mutant fails the test twice and the original
// passes it right after. Whatever is no such kill is decided by a process of
// its own, in which the mutant is active from the start, unless it survives and nothing in
// the shared process can have hidden it: of such survivors a sample has one (see trust). Others share one
// with some at once (see together).
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
	Skip    string   // and of those to leave out, as -skip; "" means none
	Short   bool     // as -short of go test
	Args    []string // of the test binary, after the flags
	Mutants []uint32 // to judge; nil means all that can be run, static ones too
	// Known may give the verdict on a mutant from an earlier run. It is asked once
	// it is known which tests reach the mutant. Of one that was not run with all of its long
	// tests it may give StatusNotRun and Left: this run goes on with these tests alone. nil knows none.
	Known func(m *instrument.Mutant, reach []string) (Verdict, bool)

	// Fuel is about what the runs with mutants may burn; 0 is no limit. The mutants come in
	// the order of Mutants: those that find too little left are not run, for the reason
	// OverBudget. What is known without a run burns nothing.
	Fuel int64

	// Least is what a mutant may use in any case: it is killed by fuel only if it uses more than that, as well
	// as many times what the original does. So a loop that ends after some milliseconds, where the original
	// does next to nothing, kills by what it returns, or not at all.
	Least Use

	// LongCPU is about the processor time that runs of long tests may take with mutants that have
	// survived all others, by what each takes without one; 0 means two minutes, or longShare times what
	// all tests take if that is more, negative no limit. Mutants that find too little left are
	// not judged, for the reason LongOverBudget.
	LongCPU time.Duration

	Parallel int           // processes at a time; 0 means one for each processor
	Slots    *Slots        // that the run shares with others; the caller holds one for it. nil means that it is alone
	Rank     int           // of the run among these: the lowest has slots first
	Timeout  time.Duration // of one test, by the clock; 0 means 10 s or a multiple of the original's, whichever is more. Fuel ends loops much earlier: this is for what blocks
	MemLimit int64         // resident bytes of a process; 0 means 2 GiB, negative means no limit

	// Baseline is about the time that tests may take without a mutant. Those that do not fit in are left
	// out, and judge nothing: see fit.go. 0 is no bound.
	Baseline time.Duration
	// LeftOut gets the tests that are left out, and how many there are in all, once the tests have run without
	// a mutant; it is not called if there are none. nil discards.
	LeftOut func(names []string, all int)

	// Isolated has each mutant run in a separate process, in which it is active from the
	// start, with all tests that judge: nothing is taken from the trace, and no process is
	// shared. It shows whether these leave out what they should not.
	Isolated bool
	// Observe has survivors run once more, to see what the calls in tests return with them.
	Observe bool
	// Strict ends the run with the first tests that do not pass without a mutant. Else
	// they are set aside.
	Strict bool
	// FailFast ends the run at the first survivor with which a test computes a different value.
	FailFast bool
	// SetAside gets tests that are set aside, when they are found; nil discards.
	SetAside func([]SetAside)
	Counts   func(test string) bool   // whether a test counts allocations, which rewritten code makes more of; nil knows of none
	Alone    func(test string)        // gets a test that makes files in the package's directory: from there on processes run one at a time; nil discards
	Place    func(test string) string // where a test is declared, as "a_test.go:3", "" if that is not known; nil knows none

	Verdicts func(Verdict) // gets each verdict once it is final, one call at a time, and again if something is Seen; nil discards
	// Withdrawn gets mutants whose verdicts no longer count, since the test that
	// killed them was set aside; they are judged again. nil discards.
	Withdrawn func(mutants []uint32)
	Progress  func(Progress) // gets sometimes how far the run has come; nil discards
	Log       io.Writer      // gets what people may want to know; nil discards
}

// Use is what a run of one test uses.
type Use struct{ Fuel, Bytes int64 }

// Progress is how far a run has come.
type Progress struct {
	Phase            string // what is being done, as a heading: "baseline", "trace", "mutants", "confirmation", "observation"
	Done, Total      int    // mutants with a verdict, and all; 0 of 0 before the mutants' turn
	Killed, Survived int
	Seen, ToSee      int           // survivors that were run once more to see what calls return, and all that are to be; 0 before
	Test             string        // that runs without a mutant; in the mutants' turn a long one that runs with one, "" if none does
	Ran, Tests       int           // without a mutant, the tests that have run, and all; else 0
	Running, Most    time.Duration // how long the test has run without a mutant, and may; else 0
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

// OverBudget is why a mutant is not run when Options.Fuel is used up.
const OverBudget = "the budget for tests was used up"

// LongOverBudget is why a mutant is not judged when Options.LongCPU is used up.
const LongOverBudget = "it survives the short tests, and the budget for long ones was used up; the next run goes on with it"

// LongInterrupted is why a mutant is not judged when the run is interrupted while long tests run.
const LongInterrupted = "it survives the short tests, and the run ended before the long ones had; the next run goes on with it"

// TestsLeftOut is why a mutant is not judged that no test reaches but perhaps one that is left out.
const TestsLeftOut = "no test reaches it that had the time to run; whether one of the others does is not known"

// LongTestsLeftOut is why a mutant is believed to survive that was not run with each of its
// tests: see trust.
const LongTestsLeftOut = "not run with long tests in which it computes no different value, since these kill none of a sample like it"

// Verdict is what the tests say of one mutant.
type Verdict struct {
	Mutant   uint32 // index into Program.Mutants, from 1
	Status   Status
	Kind     oracle.Kind // of a kill
	Test     string      // that killed it: "TestParse"; "" when that happened before the first test
	Detail   string      // what was seen, in one line or few
	Tests    []string    // that reach it, in source order
	Infected []string    // of these, the ones in which it computes a different value
	Reason   string      // why it was not run, or why its survival was known without a run
	Fresh    bool        // decided in its own process
	Reused   bool        // from an earlier run
	Aside    []string    // tests that reach it, but are set aside; only if no other test does
	Seen     *Seen       // of a survivor: a call in a test that returns something else; nil: none is known
	Left     []string    // of one that the next run goes on with: the tests that have not passed, in source order
}

// Result is what the tests of one package say of its mutants.
type Result struct {
	Tests       []Test     // all tests that judge, in source order
	SetAside    []SetAside // those that do not, in source order
	LeftOut     []string   // tests that did not fit into Options.Baseline, in source order
	Verdicts    []Verdict  // by mutant; of an interrupted run, those that are final
	Executions  int64      // test runs without a mutant
	MutantRuns  int64      // test runs with one
	Unobserved  int        // survivors that there was no budget to observe
	Processes   int        // started
	Wall        time.Duration
	CPU         time.Duration // of the processes
	Shared      bool          // tests share a process; else one is started for each mutant
	Reason      string        // why not all of them do
	Stopped     bool          // at a survivor, by FailFast
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

// A SetAside is a test that does not pass each time without a mutant. It judges
// nothing: neither it nor a part of it, since its subtests share what it sets up.
type SetAside struct {
	Test           string
	Passed, Failed int    // runs without a mutant
	Death          string // what its process died of; "" if it did not
	Output         string // first lines of a run that failed
	Endless        bool   // no run has ended by itself
	Place          string // where such a test is declared; "" if that is not known
	Counts         bool   // it counts allocations
}

// A BaselineError says that no test passes without a mutant, or with Options.Strict, that
// one does not.
type BaselineError struct {
	Tests []SetAside // that do not; empty if the process ended before the first test
	Start string     // what the process printed then
	// Stopped says that they do not end, and that others were not run for that reason.
	Stopped bool
}

func (e *BaselineError) Error() string {
	if len(e.Tests) == 0 {
		return "the process ends before the first test: " + e.Start
	}
	var parts []string
	for i := range e.Tests {
		parts = append(parts, e.Tests[i].String())
	}
	return "without a mutant, " + strings.Join(parts, "; ")
}

// Endless names the first test that does not end, and where it was seen; "" if all end. Nobody wants to
// wait for it once more to learn its name.
func (e *BaselineError) Endless() string {
	for i := range e.Tests {
		if a := &e.Tests[i]; a.Endless {
			return a.String() + " (" + a.Output + ")"
		}
	}
	return ""
}

// String says how the test behaves, in one line.
func (a *SetAside) String() string {
	switch {
	case a.Endless && a.Place != "":
		return a.Test + " (" + a.Place + ") does not end"
	case a.Endless:
		return a.Test + " does not end"
	case a.Passed == 0:
		return a.Test + " fails"
	}
	return fmt.Sprintf("%s failed %s and passed %s", a.Test, times(a.Failed), times(a.Passed))
}

// Chosen says how tests were chosen on the command line, by the regular expressions of -run and -skip; "" if they were not.
func Chosen(run, skip string) string {
	var parts []string
	if run != "" {
		parts = append(parts, fmt.Sprintf("-run %q", run))
	}
	if skip != "" {
		parts = append(parts, fmt.Sprintf("-skip %q", skip))
	}
	return strings.Join(parts, " with ")
}

// described is how many tests one line describes.
const described = 5

// Describe says in one line how tests behave, and what the first of them print.
func Describe(list []SetAside) string {
	var parts []string
	for i := range list[:min(described, len(list))] {
		text := list[i].String()
		if why, _, _ := strings.Cut(list[i].Output, "\n"); why != "" {
			if likely := list[i].Likely(); likely != "" {
				why += "; " + likely
			}
			text += " (" + why + ")"
		}
		parts = append(parts, text)
	}
	if n := len(list) - len(parts); n > 0 {
		parts = append(parts, fmt.Sprintf("%d more do the like", n))
	}
	return strings.Join(parts, ", ")
}

// Likely says why a test is likely to fail that passes with plain go test, or the next step; "": that is not known.
func (a *SetAside) Likely() string {
	switch {
	case strings.Contains(a.Output, "MiB of memory"):
		return "a higher -memlimit gives it more"
	case a.Counts:
		return "it counts allocations, and rewritten code makes more than yours"
	case a.Death != "" && !a.Endless:
		return fmt.Sprintf("it ends the process: go test -run '^%s$' in its directory shows what it prints", a.Test)
	}
	return ""
}

// times counts in words.
func times(n int) string {
	if n == 1 {
		return "once"
	}
	return fmt.Sprintf("%d times", n)
}

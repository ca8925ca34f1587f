// Package suggestion is the result of a search for tests: cases that kill mutants which the
// unit tests of a package miss.
package suggestion

import "slices"

// FormatVersion is the version of the JSON format.
const FormatVersion = 1

// A Report is what was found for all packages.
type Report struct {
	Version int    `json:"version"` // of this format
	Seed    uint64 `json:"seed"`
	// Diff is the revision of -diff, or "-" for a patch, and DiffBy what counts as changed; "": everything does.
	Diff     string    `json:"diff,omitempty"`
	DiffBy   string    `json:"diff_by,omitempty"`
	Packages []Package `json:"packages"`
	Warnings []string  `json:"warnings,omitempty"`
}

// A Package is a package with its tests.
type Package struct {
	Package string `json:"package"`
	// Mutants counts those that can be switched on after the package is initialized. Its unit
	// tests kill Killed of them, NotJudged were not run with the tests, and the rest survives.
	Mutants   int `json:"mutants"`
	Killed    int `json:"killed"`
	NotJudged int `json:"not_judged"`
	Survivors int `json:"survivors"`
	// NotCovered counts the survivors that no unit test reaches. Static are mutants that act while the package is
	// initialized, and that Mutants lacks: no case can switch them on.
	NotCovered int `json:"not_covered"`
	Static     int `json:"static"`
	Closed     int `json:"closed"` // survivors that the cases kill
	// LeftOut are unit tests that there was no time for, and Tests counts all of them then. They may kill survivors.
	Tests   int      `json:"unit_tests,omitempty"`
	LeftOut []string `json:"tests_left_out,omitempty"`
	// Assertions are values that calls in the unit tests return and no test checks, those that
	// close most first, and Unasserted counts the survivors with which one of them differs.
	Assertions []Assertion `json:"assertions"`
	Unasserted int         `json:"unasserted"`
	// Searches are the fuzz tests with which inputs were looked for.
	Searches []Search `json:"searches"`
	// LastFound counts the survivors that an input was found for in the last third of -fuzztime: more time may find more.
	LastFound int    `json:"found_last,omitempty"`
	Cases     []Case `json:"cases"` // those that close most come first
	// Left are survivors for which a search found an input, and no case was made, by the
	// reason; NotSearched is code with survivors that no search could reach.
	Left        []Note   `json:"left"`
	NotSearched []Note   `json:"not_searched"`
	Open        []Open   `json:"open"`              // survivors that no case kills, in the order of the source
	Oracles     *Oracles `json:"oracles,omitempty"` // of -oracles, which has no cases
	Seconds     float64  `json:"seconds"`
	Written     []string `json:"written,omitempty"`  // files
	Extended    []string `json:"extended,omitempty"` // files of the package that have more rows in tables now
	Interrupted bool     `json:"interrupted,omitempty"`
}

// An Open survivor is one that no case kills. Some change nothing that a caller can see.
type Open struct {
	ID          string `json:"id"`
	File        string `json:"file"` // relative to its module, with slashes
	Line        int    `json:"line"`
	Column      int    `json:"column"`
	Description string `json:"description"`
	Reached     bool   `json:"reached_by_tests"`
	Why         Why    `json:"why"`
}

// Why says how far the searches came with a survivor that no case kills.
type Why string

const (
	NotSearched Why = "not searched" // no input reached it, and a search that may do so had no turn
	NotReached  Why = "not reached"  // by any input
	SameValues  Why = "same values"  // it was reached, and never changed a value or a branch
	NotSeen     Why = "not seen"     // it changed one, and the calls that were made returned the same
	NotSteady   Why = "not steady"   // the same, but that some results differ from run to run, and were not compared
	NotCompared Why = "not compared" // a call returned something else, and no case can compare it
	NotKept     Why = "not kept"     // an input was found, and no case was made of it that kills
	NotRun      Why = "not run"      // a case was made of an input, and an interrupt came before its test was run
)

// Whys are all of them, from the least to the most that was found.
var Whys = []Why{NotSearched, NotReached, SameValues, NotSeen, NotSteady, NotCompared, NotKept, NotRun}

// A Search is one fuzz test, derived for a function.
type Search struct {
	Fuzz     string  `json:"fuzz_test"`
	Function string  `json:"function"`
	Execs    int64   `json:"execs"`
	Found    int     `json:"found"` // survivors that an input was found for
	Seconds  float64 `json:"seconds"`
	Ended    string  `json:"ended,omitempty"` // why, if it ended before its share of the budget was used up
}

// An Assertion is a value that a call in a unit test returns, and that the test does not check.
type Assertion struct {
	Test   string   `json:"test"` // that makes the call
	File   string   `json:"file"` // of the call; relative to its module, with slashes
	Line   int      `json:"line"`
	Call   string   `json:"call"`            // the function
	Value  string   `json:"value,omitempty"` // which value, as "result 0 (int)"; "" for the calls after it
	Closes []Mutant `json:"closes"`          // Seen is the value now, and with the mutant: "3 vs 0"
}

// A Case is a call that a test can make, with what it returns now.
type Case struct {
	Test     string   `json:"test"` // that it is part of, if it is written
	Function string   `json:"function"`
	Call     string   `json:"call"`   // as Go source
	Result   string   `json:"result"` // several are separated by commas; errors by what they say
	Closes   []Mutant `json:"closes"`
}

// A Mutant is one that a case kills.
type Mutant struct {
	ID          string `json:"id"`
	File        string `json:"file"` // relative to its module, with slashes
	Line        int    `json:"line"`
	Column      int    `json:"column"`
	Operator    string `json:"operator"`
	Description string `json:"description"`
	// Reached says that the unit tests run its code.
	Reached bool   `json:"reached_by_tests"`
	Seen    string `json:"seen"` // what the case shows with the mutant
	// Kind is how the case kills it, as oracle.Kind says it; "": it is shown as a difference of values.
	Kind string `json:"kill_kind,omitempty"`
	// Got and Want are the values in that and what the case shows now, both as the test prints them; "": not known.
	Got  string `json:"-"`
	Want string `json:"-"`
}

// At is where it is, and what it changes.
func (m Mutant) At() (file string, line, column int, text string) {
	return m.File, m.Line, m.Column, m.Description
}

// Oracles are the properties that a search for them has found.
type Oracles struct {
	// Proposed counts the properties that the shape of the API suggests, of several that
	// exclude each other one. Held of them hold, and Idle of these kill nothing that nothing
	// else kills.
	Proposed int `json:"proposed"`
	Held     int `json:"held"`
	Idle     int `json:"idle"`
	// Asserted counts the survivors that the properties kill by assertion.
	Asserted   int        `json:"asserted"`
	Properties []Property `json:"properties"` // those that kill most come first
	Failing    []Failing  `json:"failing"`    // on the code as it is
}

// A Property holds, as far as a search has found out, and kills survivors by assertion.
type Property struct {
	Test      string   `json:"test"` // the fuzz test, if it is written
	Kind      string   `json:"kind"`
	Sentence  string   `json:"sentence"`  // what holds
	Functions []string `json:"functions"` // that it is about
	Source    string   `json:"source"`    // of the fuzz test
	Kills     []Mutant `json:"kills"`     // that no property before it kills
	All       int      `json:"all"`       // survivors that it kills, those of properties before it included
}

// A Failing property does not hold on some input: the code has a bug, or the guess is wrong.
type Failing struct {
	Kind      string   `json:"kind"`
	Sentence  string   `json:"sentence"`
	Functions []string `json:"functions"`
	Input     string   `json:"input"`   // as Go source
	Failure   string   `json:"failure"` // what the fuzz test says, or the panic
	// Panic says that the code panics, and Guess that the shape of the API is no promise, or that the
	// property fails on an input of the tests or on most inputs.
	Panic  bool   `json:"panic,omitempty"`
	Guess  bool   `json:"guess,omitempty"`
	Source string `json:"source"` // of the fuzz test
}

// A Note says why something is left out.
type Note struct {
	What    string `json:"what"`
	Reason  string `json:"reason"`
	Mutants int    `json:"mutants"` // that it is about; 0: not counted
}

// Canonical returns a copy for programs: see report.Result.
func (r *Report) Canonical() any {
	out := *r
	out.Version = FormatVersion
	out.Packages = present(slices.Clone(out.Packages))
	for i := range out.Packages {
		p := &out.Packages[i]
		p.Searches, p.Left, p.NotSearched, p.Open = present(p.Searches), present(p.Left), present(p.NotSearched), present(p.Open)
		p.Assertions, p.Cases = present(slices.Clone(p.Assertions)), present(slices.Clone(p.Cases))
		for k := range p.Assertions {
			p.Assertions[k].Closes = present(p.Assertions[k].Closes)
		}
		for k := range p.Cases {
			p.Cases[k].Closes = present(p.Cases[k].Closes)
		}
	}
	for i := range out.Packages {
		out.Packages[i].Oracles = out.Packages[i].Oracles.canonical()
	}
	return &out
}

// canonical is a copy with lists that are not null.
func (o *Oracles) canonical() *Oracles {
	if o == nil {
		return nil
	}
	out := *o
	out.Properties, out.Failing = present(slices.Clone(o.Properties)), present(slices.Clone(o.Failing))
	for i := range out.Properties {
		p := &out.Properties[i]
		p.Functions, p.Kills = present(p.Functions), present(p.Kills)
	}
	for i := range out.Failing {
		out.Failing[i].Functions = present(out.Failing[i].Functions)
	}
	return &out
}

// present makes an empty list of none.
func present[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// Totals adds up packages.
func (r *Report) Totals() (t Package) {
	for i := range r.Packages {
		p := &r.Packages[i]
		t.Mutants += p.Mutants
		t.Killed += p.Killed
		t.NotJudged += p.NotJudged
		t.Survivors += p.Survivors
		t.NotCovered += p.NotCovered
		t.Static += p.Static
		t.Closed += p.Closed
		t.Unasserted += p.Unasserted
		t.LeftOut = append(t.LeftOut, p.LeftOut...)
		t.Open = append(t.Open, p.Open...)
		t.Assertions = append(t.Assertions, p.Assertions...)
		t.Cases = append(t.Cases, p.Cases...)
		t.Written = append(t.Written, p.Written...)
		t.Extended = append(t.Extended, p.Extended...)
		if o := p.Oracles; o != nil {
			if t.Oracles == nil {
				t.Oracles = &Oracles{}
			}
			t.Oracles.Proposed += o.Proposed
			t.Oracles.Held += o.Held
			t.Oracles.Idle += o.Idle
			t.Oracles.Asserted += o.Asserted
			t.Oracles.Properties = append(t.Oracles.Properties, o.Properties...)
			t.Oracles.Failing = append(t.Oracles.Failing, o.Failing...)
		}
	}
	return t
}

// Package report holds the results of jobs. Package format writes them. Names of members in
// JSON are a contract with scripts: they are documented in cmd/fuzzmut/help/json*.txt and
// pinned by a test.
package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/runlog"
)

// A Report is the result of one command over one or more fuzz tests.
type Report struct {
	Version  int        `json:"version"`           // of this format: 1
	Diff     string     `json:"diff,omitempty"`    // the revision of -diff, or "-" for a patch
	DiffBy   string     `json:"diff_by,omitempty"` // what counts as changed: "line" or "function"
	Tests    []FuzzTest `json:"tests"`
	Baseline Baseline   `json:"baseline,omitzero"` // of a score with accepted survivors
	Next     []string   `json:"next,omitempty"`    // commands that a user is likely to want then, three at most
	// CostFails says that inputs that cost too much are failing ones.
	CostFails bool    `json:"-"`
	Covered   Profile `json:"-"` // by the resulting corpora; nil: it was not asked for
	MinScore  float64 `json:"-"` // the least score that was asked for; 0: none
}

// A Listing is the result of listing mutants without running them.
type Listing struct {
	Version int      `json:"version"` // of this format: 1
	Mutants []Mutant `json:"mutants"`
	Skips   []Skip   `json:"skips"`
	// Untested are the packages without tests, by import path.
	Untested []string `json:"untested,omitempty"`
}

// A Skip is code that is left without mutants, or without one that an operator
// asked for, for a reason that is in the code.
type Skip struct {
	Package string `json:"package"`
	File    string `json:"file"`
	Line    int    `json:"line"`
	What    string `json:"what"`
	Reason  string `json:"reason"`
}

// A Result is what a job has found, for formats to write.
type Result interface {
	// Canonical returns a copy for programs, with the version of the format, mutants in
	// the order of the source, and lists that are not nil, so that none is written as null.
	Canonical() any
}

// FormatVersion is the value of Report.Version and Listing.Version.
const FormatVersion = 1

// FuzzTest is the result for one fuzz test.
type FuzzTest struct {
	Package string `json:"package"`
	Name    string `json:"name"`
	Engine  string `json:"engine"` // "guided", "native", or "score" or "merge" when nothing was fuzzed
	Filter  string `json:"filter"`
	Seed    uint64 `json:"seed"`

	Executions       int64   `json:"executions"`        // runs of the original on an input
	MutantExecutions int64   `json:"mutant_executions"` // runs of one mutant on one input
	WallSeconds      float64 `json:"wall_seconds"`
	CPUSeconds       float64 `json:"cpu_seconds"`
	FuzzCPUSeconds   float64 `json:"fuzz_cpu_seconds,omitempty"` // of CPUSeconds, until fuzzing ended
	CostSeconds      float64 `json:"cost_cpu_seconds,omitempty"` // of FuzzCPUSeconds, looking for inputs that cost too much
	StartSeconds     float64 `json:"start_seconds,omitempty"`    // of WallSeconds, until fuzzing began
	FuzzSeconds      float64 `json:"fuzz_seconds,omitempty"`     // of WallSeconds, spent fuzzing
	ExecsPerSecond   float64 `json:"execs_per_second"`           // Executions in FuzzSeconds
	Ended            string  `json:"ended,omitempty"`            // why fuzzing ended before its time
	TargetShare      float64 `json:"target_share"`               // of the time spent fuzzing: in the fuzz target, estimated by a sample

	Corpus   Corpus   `json:"corpus"`
	Discards Discards `json:"discards,omitzero"` // of a fuzz test of values
	// NotMeasured says why it is not known what the resulting corpus covers and kills;
	// Coverage and Score say nothing then, and are not written as JSON.
	NotMeasured string   `json:"not_measured,omitempty"`
	Coverage    Coverage `json:"coverage,omitzero"`
	Score       Score    `json:"score,omitzero"`
	Sites       Sites    `json:"sites,omitzero"` // of the mutated packages

	// File and Line are the place of the fuzz test, or of the function that it is derived for.
	File string `json:"file,omitempty"` // relative to the module's root where it lies below it
	Line int    `json:"line,omitempty"`

	Growth  []runlog.Point `json:"-"` // of coverage and kills while fuzzing: some of the points of the log
	Entries []Entry        `json:"-"` // of the resulting corpus, seeds first
	Golden  string         `json:"-"` // file of the golden values, if there are any
	// Foreign says that the package is not the user's to change: one of the Go installation,
	// or of the module cache.
	Foreign bool `json:"-"`
	// Derived says that the fuzz test stands in no file yet.
	Derived bool `json:"-"`

	OtherTests OtherTests `json:"other_tests,omitzero"` // of the survivors, with -with-tests

	Mutants []Mutant `json:"mutants"`
	Crashes []Crash  `json:"crashes"`
	Fixed   []string `json:"fixed,omitempty"` // known failures whose input passes now
	// KnownWritten says that the list of known failures was brought up to date: it is without those.
	KnownWritten bool        `json:"known_written,omitempty"`
	Flaky        []Flake     `json:"flaky,omitempty"`      // failures that are flaky
	Costs        []Cost      `json:"costs,omitempty"`      // inputs that cost too much
	Regenerated  Regenerated `json:"regenerated,omitzero"` // of a regeneration

	After After `json:"after,omitzero"` // what followed fuzzing
	Late  Late  `json:"late,omitzero"`  // what there was no time for

	Shared Shared `json:"shared,omitzero"` // with -share

	Unstable []string `json:"unstable,omitempty"` // observed values left out of the oracle, and why
	Warnings []string `json:"warnings,omitempty"`

	// UnstableFunctions say the same as Unstable in a line for each function.
	UnstableFunctions []string `json:"-"`

	Interrupted bool `json:"interrupted,omitempty"`
}

// OtherWarnings are those that do not say what Unstable says: of what is unstable is warned at once.
func (f *FuzzTest) OtherWarnings() []string {
	return slices.DeleteFunc(slices.Clone(f.Warnings), func(warning string) bool {
		return slices.ContainsFunc(f.Unstable, func(u string) bool { return strings.HasPrefix(warning, u) })
	})
}

// After says what took how long after fuzzing, in seconds.
type After struct {
	LiveSeconds    float64 `json:"live_seconds"`    // the live mutants on new inputs
	ChoiceSeconds  float64 `json:"choice_seconds"`  // of the entries among the new inputs
	ScoreSeconds   float64 `json:"score_seconds"`   // the mutants on the resulting corpus
	StaticSeconds  float64 `json:"static_seconds"`  // mutants in package initialization
	GoldenSeconds  float64 `json:"golden_seconds"`  // golden values
	FailingSeconds float64 `json:"failing_seconds"` // failing inputs, sorted into buckets
}

// Late counts what there was no time for. Another run goes on with it.
type Late struct {
	Cached      int `json:"cached"`      // inputs in Go's fuzz cache that were not run
	Entries     int `json:"entries"`     // added for what was seen while fuzzing, and not compared with the others
	Unconfirmed int `json:"unconfirmed"` // mutants killed while fuzzing that were not run once more
	Mutants     int `json:"mutants"`     // not run on all entries: they are pending
	Static      int `json:"static"`      // mutants in package initialization that were not run
	Golden      int `json:"golden"`      // entries without golden values, or whose values were not compared
}

// Corpus counts entries: f.Add seeds, corpus files, and Go's fuzz cache.
type Corpus struct {
	Before int      `json:"before"` // seeds and entries in the corpus directory at the start
	Added  int      `json:"added"`  // files written to the corpus directory
	After  int      `json:"after"`
	Found  int      `json:"found"` // inputs kept while fuzzing, before minimization; they are in Go's fuzz cache
	Dir    string   `json:"dir"`
	Files  []string `json:"files"` // base names of the files added
	// Removed are the base names of files of earlier runs that were removed.
	Removed []string `json:"removed"`
	// Unwritten counts new entries that could not be written: they do not count for the
	// score, and are in Go's fuzz cache if that could be written to.
	Unwritten int `json:"unwritten,omitempty"`
	// LeftOut counts the entries that -corpus-size leaves no room for: they are in Go's
	// fuzz cache. Own counts those of fuzzmut's that stay then, and LeftOutKills the mutants
	// that only the others kill.
	LeftOut      int `json:"left_out,omitempty"`
	LeftOutKills int `json:"left_out_kills,omitempty"`
	Own          int `json:"own,omitempty"`
	// Golden counts the entries whose golden values were written.
	Golden int `json:"golden"`
	// GoldenValues counts these values.
	GoldenValues int `json:"golden_values"`
	// WithoutGolden counts the entries that have none, and that no run with mutants writes any for.
	WithoutGolden int `json:"-"`
}

// An Entry is a seed or an entry of the resulting corpus.
type Entry struct {
	Name   string // of its file, or "seed#0"
	Path   string // of its file, "" for a seed
	Data   string // the input as a file of Go's corpus
	Blocks int    // that it covers
}

// Regenerated says what a regeneration for changed code was about, and what came
// of it.
type Regenerated struct {
	Since     string   `json:"since,omitempty"` // a revision as -diff takes it; "" for the last run, or a patch
	Functions int      `json:"functions"`       // that have changed and have mutants
	Mutants   int      `json:"mutants"`         // in them
	Gained    int      `json:"gained"`          // of these, killed now and not by the corpus as it was
	Lost      []string `json:"lost,omitempty"`  // IDs of mutants that were killed after the last run, and live
}

// Discards counts the inputs that were made and discarded: values that the fuzz test
// says nothing about.
type Discards struct {
	Inputs    int64     `json:"inputs"` // made, discarded or not
	Discarded int64     `json:"discarded"`
	Places    []Discard `json:"places"` // where most were discarded comes first
}

// A Discard is a place where inputs were discarded.
type Discard struct {
	Place  string `json:"place"` // of the call of fuzzmut.Assume: "file.go:12"; or the constructor that made nothing; "" for t.Skip
	Inputs int64  `json:"inputs"`
}

// String says how many inputs were discarded, and where.
func (d *Discards) String() string {
	var places []string
	for _, p := range d.Places {
		by := "Assume at " + p.Place
		switch {
		case p.Place == "":
			by = "t.Skip"
		case !strings.Contains(p.Place, ":"):
			by = "the constructor " + p.Place
		}
		if len(d.Places) > 1 {
			by = Group(p.Inputs) + " by " + by
		} else {
			by = "by " + by
		}
		places = append(places, by)
	}
	return fmt.Sprintf("%s of %s inputs were discarded: %s", Group(d.Discarded), Group(d.Inputs), strings.Join(places, ", "))
}

// OtherTests counts the survivors by what other tests say of them.
type OtherTests struct {
	Unnoticed int `json:"unnoticed"` // by any test
	Noticed   int `json:"noticed"`   // by a unit test, or another fuzz test
	NotTried  int `json:"not_tried"`
}

// Coverage counts the source blocks of the instrumented packages.
type Coverage struct {
	Blocks  int  `json:"blocks"`
	Covered int  `json:"covered"`
	Absent  bool `json:"-"` // it was not measured
}

// IsZero has JSON leave out what was not measured.
func (c Coverage) IsZero() bool { return c.Absent }

// Score summarises the mutants' statuses.
type Score struct {
	Mutants    int            `json:"mutants"` // all but static and skipped
	Killed     int            `json:"killed"`
	Survived   int            `json:"survived"` // reached, not killed
	NotCovered int            `json:"not_covered"`
	Static     int            `json:"static"`
	Skipped    int            `json:"skipped"`
	Pending    int            `json:"pending,omitempty"` // not judged, not counted
	Score      float64        `json:"score"`             // Killed / Mutants; 0 without mutants
	KillKinds  map[string]int `json:"kill_kinds"`
	Absent     bool           `json:"-"` // it was not measured
}

// IsZero has JSON leave out what was not measured.
func (s Score) IsZero() bool { return s.Absent }

// Status values of a mutant.
const (
	Pending    = "pending" // not run: in a listing, or in an interrupted run
	Killed     = "killed"
	Survived   = "survived"
	NotCovered = "not-covered"
	Static     = "static"
	Skipped    = "skipped"
)

// Classes of a mutant that lives, by how far inputs, or tests, came with it: to
// its place, to a different value there, and no further.
const (
	NotReached  = "not-reached"
	NotInfected = "not-infected"
	NotSeen     = "not-seen"
)

// Mutant is one mutant's fate.
type Mutant struct {
	ID          string `json:"id"`
	Operator    string `json:"operator"`
	Package     string `json:"package"`
	Function    string `json:"function"`
	File        string `json:"file"` // relative to the module's root where it lies below it
	Root        string `json:"-"`    // the module's root; "" if that is not known, as of a result that was read
	Line        int    `json:"line"`
	Column      int    `json:"column"`
	Original    string `json:"original"`
	Replacement string `json:"replacement"`
	Description string `json:"description"`     // one phrase: "changed < to <="
	Doubt       string `json:"doubt,omitempty"` // why it is seldom worth a test, by the form of the code
	Status      string `json:"status"`
	Reason      string `json:"reason,omitempty"`    // for static and skipped, and for survivors that were not run
	KillKind    string `json:"kill_kind,omitempty"` // for killed: the name of an oracle.Kind
	KilledBy    string `json:"killed_by,omitempty"` // the corpus entry that is first known to kill it: "seed#3" or a file's base name; or the test
	Detail      string `json:"detail,omitempty"`    // what was seen: the panic's value, the observed value that differed
	// Unconfirmed says of one that was killed while fuzzing that there was no time to run it
	// once more.
	Unconfirmed bool `json:"unconfirmed,omitempty"`
	// KilledByLeftOut is an input that kills one that lives in the corpus, since -corpus-size leaves
	// no room for it there: the name of its file in Go's fuzz cache.
	KilledByLeftOut string `json:"killed_by_left_out,omitempty"`

	Class    string `json:"class,omitempty"`    // of a mutant that lives
	Observed bool   `json:"observed,omitempty"` // of one that lives: another of the same function was killed
	Rank     int    `json:"rank,omitempty"`     // of a survivor: its place in the order in which text shows them, from 1
	// ShownBy is the ID of the survivor in whose place text shows this one, and Unchecked says
	// of one that is shown that none of the mutants of its function is killed: see Finding.
	ShownBy   string `json:"shown_by,omitempty"`
	Unchecked bool   `json:"unchecked,omitempty"`

	Changed  bool   `json:"changed,omitempty"`  // of a regeneration: its function has changed; of a run with -diff: its code has
	Baseline string `json:"baseline,omitempty"` // of one that no fuzz test kills: Accepted or New; only with a list of accepted ones

	Start Start `json:"start,omitzero"` // what it does before the first input

	OtherTests Others `json:"other_tests,omitzero"` // of a survivor: what other tests say, if they were asked

	// ReachedBy is the first entry of the corpus with which a survivor computes a different
	// value, or else the first that reaches it.
	ReachedBy string `json:"reached_by,omitempty"`

	Reached  int64 `json:"reached"`  // corpus entries and traced inputs, or tests, that reached it
	Infected int64 `json:"infected"` // ... and for which its value differed from the original's, or what it removes ran
	Executed int64 `json:"executed"` // runs with it active; not counted for tests

	Tests  []string `json:"tests,omitempty"`  // of a survivor: some of the tests that reach it, those that it infects first
	Reused bool     `json:"reused,omitempty"` // the verdict is that of an earlier run

	// Seen is a call in a test that returns something else with a survivor of the unit tests;
	// nil: none is known.
	Seen *Seen `json:"seen,omitempty"`

	Diff string `json:"diff,omitempty"` // unified diff of the user's source, for survivors
}

// Survives reports whether inputs, or tests, reach a mutant and none that is known kills it: also none for
// which the corpus has no room.
func (m *Mutant) Survives() bool { return m.Status == Survived && m.KilledByLeftOut == "" }

// Seen is a call in a test that returns something else with a survivor: what the test lacks is
// an assertion.
type Seen struct {
	Test string `json:"test"` // that makes the call
	Call string `json:"call"` // the function, as a user would write it
	File string `json:"file"` // of the call; relative to the module's root where it lies below it
	Line int    `json:"line"`
	// Value says what differs: "result 0 (int)"; "" if other calls are made.
	Value string `json:"value,omitempty"`
	Text  string `json:"text,omitempty"` // one line: what the value was, and what it is with the mutant
	// Inside says that only unexported fields lead to what differs.
	Inside bool `json:"inside,omitempty"`
	// Weak says why a caller hardly relies on what differs, as an observe.Weakness, or
	// Unexported; "" if it may.
	Weak string `json:"weak,omitempty"`
}

// Says says what the call returns that the test does not check.
func (s *Seen) Says() string {
	what := fmt.Sprintf("%s of %s: %s", s.Value, s.Call, s.Text)
	if s.Value == "" {
		what = "that the same calls follow that of " + s.Call
	}
	return fmt.Sprintf("%s:%d (%s) does not check %s", s.File, s.Line, s.Test, what)
}

// Unexported is why callers hardly rely on what a call in a test returns: no other package can
// make it, or what differs is in an unexported field that the test can't name.
const Unexported = "unexported"

// Others is what the unit tests, and the other fuzz tests of the run, say of a survivor of
// a fuzz test.
type Others struct {
	Status   string `json:"status"`              // Killed, Survived, NotCovered, or Pending if they were not tried
	KilledBy string `json:"killed_by,omitempty"` // the test, or the fuzz test; with its package if that is another
	Reason   string `json:"reason,omitempty"`    // why they were not tried
}

// Unnoticed reports whether no other test notices the mutant.
func (o *Others) Unnoticed() bool { return o.Status == Survived || o.Status == NotCovered }

// Start is what a mutant does while packages are initialized, before the fuzz target is
// called. It does that once in a process, whatever the inputs.
type Start struct {
	Reached   bool `json:"reached"`
	Infected  bool `json:"infected"`  // its value differed from the original's there, or what it removes ran
	Processes int  `json:"processes"` // separate ones that it was run in, active from the start
	Killed    int  `json:"killed"`    // of these: in which it was killed
}

// Crash is one bucket of failing inputs: those that are taken to show one bug.
type Crash struct {
	Kind    string   `json:"kind"`              // "panic", "failure", "hang", "exit", "memory", "leak", "overflow", "race", "death"
	Message string   `json:"message"`           // the first failing input's
	Frames  []string `json:"frames"`            // top frames in the user's code: "pkg.Func file.go:12"
	Count   int64    `json:"count"`             // failing executions, not distinct inputs
	Stacks  int      `json:"stacks"`            // different stacks, or places of assertions, that were joined
	Known   bool     `json:"known,omitempty"`   // on the list of known failures
	Before  bool     `json:"before,omitempty"`  // an entry showed it when the run began
	Repairs []Repair `json:"repairs,omitempty"` // mutants with which it does not fail, and which break nothing
	Entries []string `json:"entries"`           // paths of the inputs that were kept; the first is the representative
	Input   string   `json:"input,omitempty"`   // of the representative, if it is short and its arguments stand for nothing else: one on each line
	Source  string   `json:"source,omitempty"`  // of the representative, if it stands for a value or a sequence of calls: Go source
	Repro   string   `json:"repro"`             // a command that reproduces the representative
}

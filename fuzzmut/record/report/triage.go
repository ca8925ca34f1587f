package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// A TriageReport is the result of sorting failing inputs by the bug they show.
type TriageReport struct {
	Version     int      `json:"version"` // of this format: 1
	Tests       []Triage `json:"tests"`
	Interrupted bool     `json:"interrupted,omitempty"`
}

// Triage is the result for one fuzz test.
type Triage struct {
	Package string `json:"package"`
	Name    string `json:"name"`
	// File and Line are the place of the fuzz test, as of FuzzTest.
	File      string `json:"file,omitempty"`
	Line      int    `json:"line,omitempty"`
	Operators string `json:"operators"`

	Mutants          int     `json:"mutants"`           // that can be run
	Passing          int     `json:"passing"`           // inputs that a repair must not break
	PackageTests     int     `json:"package_tests"`     // the package's own, likewise; 0 if they were not run
	MutantExecutions int64   `json:"mutant_executions"` // on failing inputs and passing ones
	WallSeconds      float64 `json:"wall_seconds"`
	CPUSeconds       float64 `json:"cpu_seconds"`
	MatrixCPUSeconds float64 `json:"matrix_cpu_seconds"` // of it: failing inputs with mutants

	// Raced has inputs that pass run under the race detector, each RaceRuns times at least; 0: there was no time.
	Raced    bool `json:"race_detector,omitempty"`
	RaceRuns int  `json:"race_runs,omitempty"`

	NotRun int `json:"not_run,omitempty"` // inputs that there was no time to run, so that nothing is known of them

	Buckets []Bucket       `json:"buckets"` // in the order in which to look at them
	Inputs  []FailingInput `json:"inputs"`  // in the order in which to look at them, those without a rank last
	Repairs []Repair       `json:"repairs"` // mutants with which some failing input passes

	// With labels: how many there are, how many have been seen by each rank, and what
	// that amounts to.
	Labels    int     `json:"labels,omitempty"`
	Discovery []int   `json:"discovery,omitempty"`
	APFD      float64 `json:"apfd,omitempty"`

	Cells *Cells `json:"cells,omitempty"` // with -cells: nothing was sorted

	Warnings []string `json:"warnings,omitempty"`
}

// Cells is what was found out of a part of the matrix of failing inputs and mutants.
type Cells struct {
	Place  string `json:"place"`  // of the shared directory
	Binary string `json:"binary"` // by which it knows the test binary
	Part   int    `json:"part"`   // of the mutants, from 1; 0: the inputs alone were left
	Parts  int    `json:"parts"`
	Found  int    `json:"found"`  // inputs that were run with all mutants of the part
	Inputs int    `json:"inputs"` // failing inputs that can be divided
}

// What became of an input that was given as failing.
const (
	Repaired    = "repaired"    // some mutant makes it pass
	Unrepaired  = "unrepaired"  // no mutant does: sorted by stack and coverage
	Unfinished  = "unfinished"  // out of time to try all mutants: likewise
	NotRun      = "not-run"     // out of time to run it: in no bucket
	Passes      = "passes"      // it does not fail, or no longer
	Flaky       = "flaky"       // it does not always fail in the same way
	Undecodable = "undecodable" // it is no input of this fuzz test
	Duplicate   = "duplicate"   // of another one
)

// CostKind is the kind of an input that passes, and costs too much for its length.
const CostKind = "cost"

// FailingInput is one failing input, or one that costs too much.
type FailingInput struct {
	Name    string   `json:"name"`
	Path    string   `json:"path"` // "" for a seed
	Size    int      `json:"size"` // in bytes, as a file
	Status  string   `json:"status"`
	Reason  string   `json:"reason,omitempty"`
	Kind    string   `json:"kind,omitempty"` // as of Crash
	Message string   `json:"message,omitempty"`
	Frames  []string `json:"frames,omitempty"`
	Rank    int      `json:"rank,omitempty"`   // from 1; 0 if it is not sorted
	Bucket  int      `json:"bucket,omitempty"` // number; 0 if it is not sorted
	// Distance is that to the nearest input with a lower rank.
	Distance float64 `json:"distance,omitempty"`
	Repairs  []int   `json:"repairs,omitempty"` // indices into Triage.Repairs: the repair vector
	Changes  []int   `json:"changes,omitempty"` // likewise: with these it fails in another way
	Label    string  `json:"label,omitempty"`
	Runs     int64   `json:"mutant_runs,omitempty"` // executions with mutants

	// The further evidence that the input was sorted by, for programs: the
	// failure's identity, functions on its stack with the innermost first, and
	// blocks covered.
	Token   string   `json:"-"`
	Stack   []string `json:"-"`
	Covered []int    `json:"-"`
}

// Sorted reports whether the input takes part in ranking and buckets.
func (f *FailingInput) Sorted() bool { return f.Rank > 0 }

// Unsorted is the number of failing inputs that are in no bucket: those that were not
// run, and those that do not always fail.
func (t *Triage) Unsorted() int {
	n := 0
	for i := range t.Inputs {
		if f := &t.Inputs[i]; !f.Sorted() && (f.Status == NotRun || f.Status == Flaky) {
			n++
		}
	}
	return n
}

// Counted counts the inputs in buckets, and the buckets: of failing inputs, or of costly ones.
func (t *Triage) Counted(costly bool) (inputs, buckets int) {
	for i := range t.Buckets {
		if b := &t.Buckets[i]; (b.Cost != nil) == costly {
			inputs, buckets = inputs+len(b.Inputs), buckets+1
		}
	}
	return inputs, buckets
}

// Repair is a mutant with which failing inputs pass.
type Repair struct {
	ID          string `json:"id"`
	Operator    string `json:"operator"`
	File        string `json:"file"`
	Line        int    `json:"line"`
	EndLine     int    `json:"end_line"`
	Function    string `json:"function"`
	Description string `json:"description"`
	Inputs      int    `json:"inputs"`            // failing inputs that pass with it
	Breaks      int    `json:"breaks"`            // passing inputs that it breaks, as far as they were run
	Test        string `json:"test,omitempty"`    // of the package's own, that it breaks
	Untried     bool   `json:"untried,omitempty"` // with the package's own tests, for lack of time
	// NowPass are tests of the package that fail without it and pass with it; StillFail reach it, and fail all the same.
	NowPass   []string `json:"now_pass,omitempty"`
	StillFail []string `json:"still_fail,omitempty"`
	// Unreached says that nothing that was run and passes reaches the change.
	Unreached bool   `json:"unreached,omitempty"`
	Counts    bool   `json:"counts"`           // it breaks nothing, and takes part in the vectors
	Reason    string `json:"reason,omitempty"` // why it does not
	Diff      string `json:"diff,omitempty"`   // of those that are shown for a bucket
}

// Remarks say what to know of a repair before it is believed, each in one line.
func (r *Repair) Remarks() (lines []string) {
	if r.Untried {
		lines = append(lines, "the package's own tests were not run with this change")
	}
	if n := len(r.NowPass); n > 0 {
		lines = append(lines, fmt.Sprintf("%s, which %s now, %s with it", testNames(r.NowPass), Verb(n, "fails", "fail"), Verb(n, "passes", "pass")))
	}
	if n := len(r.StillFail); n > 0 {
		lines = append(lines, fmt.Sprintf("%s %s now, and still %s with it", testNames(r.StillFail), Verb(n, "fails", "fail"), Verb(n, "does", "do")))
	}
	if r.Unreached {
		lines = append(lines, "nothing that was run and passes reaches the change, so what it breaks is not known")
	}
	return lines
}

// testNames names the first of some tests, and counts the others.
func testNames(names []string) string {
	const most = 3
	if n := len(names) - most; n > 1 {
		names = append(slices.Clone(names[:most]), Plural(n, "more"))
	}
	last := len(names) - 1
	if last == 0 {
		return names[0]
	}
	return strings.Join(names[:last], ", ") + " and " + names[last]
}

// Bucket is what is taken for one bug.
type Bucket struct {
	Number  int      `json:"number"` // from 1
	Kind    string   `json:"kind"`   // of the representative, as of Crash, or CostKind
	Message string   `json:"message"`
	Frames  []string `json:"frames"`
	// Ends is what the loop of a hang calls last in its turns, if that is known:
	// "pkg.F file.go:12 > pkg.G file.go:40". There are several if turns differ.
	Ends   []string `json:"ends,omitempty"`
	Inputs []string `json:"inputs"` // names, in order of rank
	// Representative is the smallest input that fails in this way, minimized
	// still, and Path where it is kept; "" if it is kept nowhere.
	Representative string `json:"representative"` // as Go source of its values
	Path           string `json:"path,omitempty"`
	Repro          string `json:"repro,omitempty"` // a command that reproduces it
	// ByStack says that no mutant repairs these inputs, and stacks and coverage have
	// decided.
	ByStack bool `json:"by_stack,omitempty"`

	// Cost is what the representative costs, if that is too much; then it does not fail, and a
	// repair stops the growth. nil for failing inputs.
	Cost *Cost `json:"cost,omitempty"`

	// Of the revision that was asked for: its name, what became of the representative
	// there, and if it passes there the first commit with which it fails.
	Revision     string `json:"revision,omitempty"`
	AtRevision   string `json:"at_revision,omitempty"`
	FirstFailing string `json:"first_failing,omitempty"`
	// Of a bucket with several inputs, if they can be run at that revision: how many
	// were run there, and how many of these fail.
	InputsRun     int `json:"inputs_run,omitempty"`
	InputsFailing int `json:"inputs_failing,omitempty"`

	Repairs []RankedRepair `json:"repairs"` // the first ones worth reading
	Guards  []RankedRepair `json:"guards"`  // the first of those that are guards, at most one
	// Noisy are mutants that break something else, up to as many as there are too few repairs.
	Noisy  []RankedRepair `json:"noisy,omitempty"`
	Places []Place        `json:"places"` // lines, by each localizer
	Rings  []Ring         `json:"rings"`
}

// What becomes of a representative at another revision.
const (
	FailsThere  = "fails"
	PassesThere = "passes"
	NotBuilt    = "not run" // and why
)

// RankedRepair is a repair of a bucket.
type RankedRepair struct {
	Repair int     `json:"repair"` // index into Triage.Repairs
	Score  float64 `json:"score"`  // r_f: 1 if it repairs nothing else, down to 0.5
	Here   int     `json:"here"`   // inputs of the bucket that pass with it
	// Place is that in the order in which to read repairs and what breaks something; 0: there is none.
	Place int `json:"place,omitempty"`
	// Decides says that it negates the condition which decides whether the failing line is reached.
	Decides bool `json:"decides,omitempty"`
	// Elsewhere says of what breaks something that it is in no function of the stack.
	Elsewhere bool `json:"elsewhere,omitempty"`
}

// Near lists what breaks something in the functions of the stack.
func (b *Bucket) Near() []RankedRepair {
	return slices.DeleteFunc(slices.Clone(b.Noisy), func(r RankedRepair) bool { return r.Elsewhere })
}

// Reading lists the changes in the order in which to read them.
func (b *Bucket) Reading() []RankedRepair {
	list := slices.Concat(b.Repairs, b.Noisy)
	slices.SortStableFunc(list, func(a, b RankedRepair) int { return cmp.Compare(a.Place, b.Place) })
	return list
}

// Place is what a localizer suspects: a statement, by its first line, or the lines of
// a block.
type Place struct {
	Localiser string  `json:"localiser"`
	File      string  `json:"file"`
	Line      int     `json:"line"`
	EndLine   int     `json:"end_line"`
	Score     float64 `json:"score"`
}

// Ring lists the buckets at a distance from another.
type Ring struct {
	Distance float64 `json:"distance"`
	Buckets  []int   `json:"buckets"`
}

// Canonical returns a copy of r for programs. Lists without elements are written as [].
func (r *TriageReport) Canonical() any {
	out := TriageReport{Version: FormatVersion, Tests: present(r.Tests), Interrupted: r.Interrupted}
	for i := range out.Tests {
		t := &out.Tests[i]
		t.Buckets, t.Inputs, t.Repairs = present(t.Buckets), present(t.Inputs), present(t.Repairs)
		for j := range t.Buckets {
			b := &t.Buckets[j]
			b.Frames, b.Inputs, b.Repairs, b.Guards = present(b.Frames), present(b.Inputs), present(b.Repairs), present(b.Guards)
			b.Places, b.Rings = present(b.Places), present(b.Rings)
			if b.Cost != nil {
				cost := *b.Cost
				cost.Frames, cost.Others, cost.Curve = present(cost.Frames), present(cost.Others), present(cost.Curve)
				b.Cost = &cost
			}
			for k := range b.Rings {
				b.Rings[k].Buckets = present(b.Rings[k].Buckets)
			}
		}
	}
	return &out
}

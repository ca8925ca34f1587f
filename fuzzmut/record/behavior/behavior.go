// Package behavior is the result of a comparison of old and new code: what differs, with
// its cause, and how far to trust that nothing else does.
package behavior

import (
	"fmt"
	"go/token"
	"regexp"
	"slices"
	"strings"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/difference"
	"github.com/fuzzmut/fuzzmut/instrument/rt/failure"
)

// FormatVersion is the version of the JSON format.
const FormatVersion = 1

// A Report is what a change does.
type Report struct {
	Version int    `json:"version"`           // of this format
	Old     string `json:"old"`               // what is compared: "main (1a2b3c4)"
	New     string `json:"new"`               // with what: "the work tree"
	Command string `json:"command,omitempty"` // that gives this again
	// Nothing says why there was nothing to compare; "" if there was.
	Nothing string `json:"nothing,omitempty"`
	// Changes are the Go files outside tests that differ in more than comments.
	Changes []File  `json:"changes"`
	Tests   []Test  `json:"fuzz_tests"`
	Reach   []Reach `json:"reach"`
	Causes  []Cause `json:"causes"` // the gravest come first, then those that most inputs show
	// NotCompared is code that was not looked at, with the reason.
	NotCompared []Note   `json:"not_compared,omitempty"`
	Warnings    []string `json:"warnings,omitempty"`
	Written     []string `json:"written,omitempty"` // files, with what was accepted
}

// A File is a file that differs.
type File struct {
	Name  string `json:"name"`  // relative to its module, with slashes
	Hunks []Hunk `json:"hunks"` // places that differ
}

// Values of Hunk.OnlyIn.
const (
	Old = "old"
	New = "new"
)

// A Hunk is a run of lines that differ.
type Hunk struct {
	File string `json:"file"`
	// In is the declaration that it is in, as "func Buffer.Len" or "type Buffer".
	In   string `json:"in,omitempty"`
	Line int    `json:"line"` // in the new code, from 1
	End  int    `json:"end"`  // last line; below Line if nothing is left of it
	Was  string `json:"was"`  // the lines before
	Is   string `json:"is"`   // the lines now
	// How far inputs got: its code ran on either side; a changed function that it is in
	// returned something else; a difference was seen that reverting it repairs.
	Reached bool `json:"reached"`
	Inside  bool `json:"changed_state"`
	Seen    bool `json:"seen"`
	// Compared says that both sides have a function that it is in with results, which are compared whoever calls it.
	Compared bool `json:"compared"`
	// OnlyIn is the code that alone has the function, Old or New; "" if both have it, or if it is in none. If one
	// function is there instead of another, it is New.
	OnlyIn string `json:"only_in,omitempty"`
	// Number tells the hunks of a file apart that change the same lines.
	Number int `json:"-"`
}

// AppendHunk adds a hunk to those of a cause: to the last one, if it goes on with its lines.
func AppendHunk(list []Hunk, h Hunk) []Hunk {
	if len(list) == 0 {
		return append(list, h)
	}
	last := &list[len(list)-1]
	switch {
	case last.File != h.File || last.In != h.In:
	case last.Was == "" && h.Was == "" && last.End+1 == h.Line:
		last.End, last.Is = h.End, last.Is+"\n"+h.Is
		return list
	case last.Is == "" && h.Is == "" && last.Line == h.Line && last.Number+1 == h.Number:
		last.Was, last.Number = last.Was+"\n"+h.Was, h.Number
		return list
	}
	return append(list, h)
}

// A Test is the search of one fuzz test.
type Test struct {
	Package  string   `json:"package"`
	Name     string   `json:"name"`
	Derived  string   `json:"derived_for,omitempty"`    // the function that it was derived for
	Execs    int64    `json:"execs"`                    // inputs that were run on both sides
	Lost     int64    `json:"execs_one_side"`           // inputs that were too large to be run on the other side
	Slow     int64    `json:"execs_too_long,omitempty"` // inputs on which both sides work for too long to be compared
	First    int64    `json:"first_difference_execs"`
	Seconds  float64  `json:"seconds"`
	Ended    string   `json:"ended,omitempty"` // why it did not use its budget up
	Inside   int      `json:"functions_changed_state"`
	Unstable []string `json:"unstable,omitempty"`        // values that differ from run to run, and are not compared
	Untried  int      `json:"samples_not_run,omitempty"` // since the time was over
	Left     int      `json:"entries_not_run,omitempty"` // likewise
	Dropped  int      `json:"differences_not_confirmed,omitempty"`
	// Bounded says why no more parts of the change were reverted to find causes; "" if all were
	// that matter.
	Bounded string `json:"causes_bounded,omitempty"`
	// Cut says that an interrupt came before all differences were confirmed.
	Cut bool `json:"interrupted,omitempty"`
}

// Internal reports whether the fuzz test was derived for a function, or a method of a type,
// that is not exported.
func (t *Test) Internal() bool {
	for name := range strings.SplitSeq(strings.NewReplacer("(", "", "*", "", ")", "").Replace(t.Derived), ".") {
		if name != "" && !token.IsExported(name) {
			return true
		}
	}
	return false
}

// A Reach is how far the fuzz tests of one package come together.
type Reach struct {
	Package string `json:"package"`
	Blocks  Share  `json:"changed_blocks"`  // of the new code, those that were reached
	Mutants Share  `json:"changed_mutants"` // of the changed functions, those that inputs killed
	// Unmeasured says that there was no time to run the mutants: Mutants is empty.
	Unmeasured bool    `json:"changed_mutants_unmeasured,omitempty"`
	NotReach   []Place `json:"blocks_not_reached,omitempty"`
	NotSeen    []Place `json:"mutants_not_seen,omitempty"`
}

// UnmeasuredText is what is said of a Reach that is Unmeasured.
const UnmeasuredText = "there was no time to measure which other changes would have been seen: a longer -fuzztime gives more"

// A Share is how many of all.
type Share struct {
	Some int `json:"some"`
	All  int `json:"all"`
}

// A Place is in the new code.
type Place struct {
	File   string `json:"file"`
	Line   int    `json:"line"`
	Column int    `json:"column,omitempty"` // of a mutant, in bytes, from 1
	Text   string `json:"text,omitempty"`
}

// At is where it is, and what is there.
func (p Place) At() (file string, line, column int, text string) {
	return p.File, p.Line, p.Column, p.Text
}

// A Cause is one reason for differences, with the smallest input that shows its gravest effect.
type Cause struct {
	Kind    string   `json:"kind"` // see the constants
	Hunks   []Hunk   `json:"hunks"`
	Package string   `json:"package"`
	Fuzz    string   `json:"fuzz"`
	Also    []string `json:"also,omitempty"`  // other fuzz tests that have seen it
	Call    string   `json:"call"`            // "FuzzParse", or the function that it was derived for
	Input   string   `json:"input"`           // arguments as Go source, one on each line
	Value   string   `json:"value,omitempty"` // what bytes stand for, as Go source
	Entry   string   `json:"entry"`           // the input in the form of Go's corpus files
	Values  []Value  `json:"values"`
	Work    Work     `json:"work,omitzero"`   // if there is much more of it
	Memory  Work     `json:"memory,omitzero"` // likewise, the allocated bytes
	Inputs  int64    `json:"inputs"`          // that differ in this way, as far as was counted
	Inside  []string `json:"changed_state,omitempty"`
	// Entries are those of a corpus that differ in this way, where golden values are
	// compared.
	Entries    []string `json:"entries,omitempty"`
	Attributed string   `json:"attributed"` // how the cause was found: see the constants
	// Dependency is the module whose other version is the cause, as "golang.org/x/net v0.55.0 in place
	// of v0.54.0"; "" if none is known to be.
	Dependency string `json:"dependency,omitempty"`
	// Late says that the time was over before all parts of the change were reverted.
	Late      bool   `json:"late,omitempty"`
	Reproduce string `json:"reproduce"`
	Accepted  bool   `json:"accepted,omitempty"` // it is meant: a list of accepted differences has it
	Recorded  bool   `json:"recorded,omitempty"` // this run has put it there
	// Parts are those of the change among which its cause is, as lists of accepted
	// differences know them.
	Parts []string `json:"-"`
}

// Kinds of causes.
const (
	KindValue     = "value"
	KindToError   = "to error"
	KindToSuccess = "to success"
	KindPanic     = "panic"
	KindNoPanic   = "no panic"
	KindOutcome   = "outcome"
	KindOrder     = "order"
	KindWork      = "more work"
	KindFails     = "fails" // and nobody has observed whether it did before
)

// How a cause was found.
const (
	ByRepair = "repair" // the difference is gone when these lines are as before
	ByValue  = "value"  // no part of the change, reverted alone, is known to repair it: by what differs
	NotTried = ""       // no part of the change was reverted, as where there are golden values in place of old code
)

// A Value is one observed value that differs.
type Value struct {
	Name string `json:"name"`
	Old  string `json:"old"` // golden texts; "" for a value that is not observed
	New  string `json:"new"`
	// Place is where it was observed, as "file:line"; "" is not known.
	Place string `json:"place,omitempty"`
}

// Work is what an input makes both sides do, in units of fuel: calls and turns of loops in
// the packages that differ; or the bytes that it makes them allocate.
type Work struct {
	Old int64 `json:"old"`
	New int64 `json:"new"`
}

// A Note is about a function, a package or a file.
type Note struct {
	What   string `json:"what"`
	Reason string `json:"reason"`
}

// ByReason joins the notes that have one reason, in the order of the first ones. Each names
// most at most, and counts the rest; 0: all.
func ByReason(notes []Note, most int) (list []Note) {
	named := make(map[string][]string)
	for _, n := range notes {
		if named[n.Reason] == nil {
			list = append(list, n)
		}
		named[n.Reason] = append(named[n.Reason], n.What)
	}
	for i := range list {
		names := named[list[i].Reason]
		if more := len(names) - most; most > 0 && more > 0 {
			names = append(slices.Clone(names[:most]), fmt.Sprintf("%d more", more))
		}
		list[i].What = strings.Join(names, ", ")
	}
	return list
}

// says has what a cause of a kind does.
var says = map[string]string{
	KindValue: "a different value", KindToError: "an error, where there was none", KindToSuccess: "no error, where there was one",
	KindPanic: "fails, and did not", KindNoPanic: "no longer fails", KindOutcome: "a different outcome",
	KindOrder: "a different order", KindWork: "much more work", KindFails: "fails",
}

// Says is what a cause does, for people.
func (c *Cause) Says() string { return says[c.Kind] }

// Unplaced says why no lines of the change are known to be the cause; "" if some are, or if
// none were looked for.
func (c *Cause) Unplaced() string {
	switch {
	case c.Attributed != ByValue:
		return ""
	case c.Late:
		return "its lines in the change are not known: the bound on reverting parts of it was reached"
	case c.Dependency != "":
		return "its lines in the change are not known: no smaller part of it, reverted, repairs this, as far as parts could be reverted"
	}
	return "its lines in the change are not known: no part of it, reverted, repairs this, as far as parts could be reverted"
}

// Origin says which dependency is the cause; "" if none is known to be.
func (c *Cause) Origin() string {
	if c.Dependency == "" {
		return ""
	}
	return "caused by " + c.Dependency
}

// Place is where a hunk is in the new code.
func (h *Hunk) Place() string {
	switch {
	case h.End < h.Line:
		return fmt.Sprintf("%s:%d, taken out", h.File, h.Line)
	case h.End == h.Line:
		return fmt.Sprintf("%s:%d", h.File, h.Line)
	}
	return fmt.Sprintf("%s:%d-%d", h.File, h.Line, h.End)
}

// callNumber is the part of a value's name that says which of several calls it is of.
var callNumber = regexp.MustCompile(` #\d+`)

// Of is what the value is of: its name without the number of the call.
func (v *Value) Of() string { return callNumber.ReplaceAllString(v.Name, "") }

// Outcome is what the outcome of a fuzz target is called among its values, and Passes what
// it is where the fuzz target does not fail.
const (
	Outcome = "fuzz target"
	Passes  = "passes"
)

// Known is what the value is known by where no more is known of a cause: what it is of, and
// of a failure what kind of thing it says, so that one failure does not stand for another.
func (v *Value) Known() string {
	if v.Name != Outcome {
		return v.Of()
	}
	said := v.New
	if said == Passes {
		said = v.Old
	}
	if said == "" || said == Passes {
		return v.Name
	}
	return v.Name + ": " + sayingOf(said)
}

// atLine is where a test failed.
var atLine = regexp.MustCompile(`^([^\s:]+\.go):\d+: `)

// sayingOf is a message up to the first number or quotation: what comes then is of an input.
func sayingOf(message string) string {
	message = failure.Template(atLine.ReplaceAllString(message, "$1: "))
	if at := strings.IndexAny(message, "#\"`'"); at >= 0 {
		message = message[:at]
	}
	return strings.Join(strings.Fields(message), " ")
}

// Lines shows what the value was and is, by compare, which is difference.Lines or
// difference.Signed. Where one side has no value, all lines are of the other.
func (v *Value) Lines(compare func(was, is string) []string) []string {
	switch {
	case v.Old == "":
		return difference.All("+", v.New)
	case v.New == "":
		return difference.All("-", v.Old)
	}
	return compare(v.Old, v.New)
}

// Lines shows the code before and now, each line after its sign.
func (h *Hunk) Lines() (lines []string) {
	if h.Was != "" {
		lines = difference.All("-", h.Was)
	}
	if h.Is != "" {
		lines = append(lines, difference.All("+", h.Is)...)
	}
	return lines
}

// Differences counts the causes that are not accepted.
func (r *Report) Differences() int { return len(r.Causes) - r.Accepted() }

// Accepted counts the causes that are.
func (r *Report) Accepted() (n int) {
	for i := range r.Causes {
		if r.Causes[i].Accepted {
			n++
		}
	}
	return n
}

// Canonical returns a copy for programs: see report.Result.
func (r *Report) Canonical() any {
	out := *r
	out.Version = FormatVersion
	out.Changes, out.Tests, out.Reach = present(slices.Clone(out.Changes)), present(out.Tests), present(out.Reach)
	for i := range out.Changes {
		out.Changes[i].Hunks = present(out.Changes[i].Hunks)
	}
	out.Causes = CanonicalCauses(out.Causes)
	return &out
}

// CanonicalCauses returns a copy for programs: see report.Result.
func CanonicalCauses(causes []Cause) []Cause {
	causes = present(slices.Clone(causes))
	for i := range causes {
		c := &causes[i]
		c.Hunks, c.Values = present(c.Hunks), present(c.Values)
	}
	return causes
}

// present makes an empty list of none.
func present[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

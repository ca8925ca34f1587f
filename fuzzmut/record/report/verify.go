package report

import (
	"strings"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/behavior"
)

// A Verification is what became of golden values. Paths are relative to the module.
type Verification struct {
	Version int            `json:"version"` // of this format: 1
	Tests   []VerifiedTest `json:"tests"`
	// Generated are the test files that were written.
	Generated []string `json:"generated"`
	// Next is the command that records what is observed now; "" if there is nothing to record.
	Next string `json:"next,omitempty"`
}

// VerifiedTest is what became of the golden values of one fuzz test.
type VerifiedTest struct {
	Package string `json:"package"`
	Name    string `json:"name"`
	None    bool   `json:"none,omitempty"` // there are no golden values, and none were asked for
	// Nothing says why there can be none; "" if there are some, or none were asked for.
	Nothing string `json:"nothing,omitempty"`
	// Cut says that an interrupt or an error came before all was compared.
	Cut      bool `json:"cut,omitempty"`
	Entries  int  `json:"entries"`  // seeds included
	Values   int  `json:"values"`   // of all entries, that are what they were
	Unstable int  `json:"unstable"` // that differ from run to run, and are not compared
	Changed  int  `json:"changed"`  // that are not what they were
	Failing  int  `json:"failing"`  // entries on which the fuzz target fails: they have no values

	// Known are the entries that were skipped: they fail, in a way that is on the list of
	// known failures. Failing does not count them.
	Known []string `json:"known"`

	Changes []ValueChange `json:"changes"`
	// Causes have the same changes, by what differs.
	Causes []behavior.Cause `json:"causes"`
	Files  []FileProblem    `json:"files"`

	Updated bool     `json:"updated,omitempty"` // changes and files are as they were before
	Written []string `json:"written"`           // entries whose golden values were, by their names in the golden file
	Removed []string `json:"removed"`
}

// A ValueChange is a value that is not what it was.
type ValueChange struct {
	Entry    string `json:"entry"`              // path of the entry's file, or "seed#0"
	Value    string `json:"value"`              // "gjson.Get #2 result 0"
	Function string `json:"function,omitempty"` // "gjson.Get"
	File     string `json:"file"`               // of the call that is observed
	Line     int    `json:"line"`
	Want     string `json:"want"` // as text; "" if it was not observed before
	Got      string `json:"got"`  // as text; "" if it is no longer observed
	// Failure is what the fuzz target says on an entry that it failed on: there are no
	// values then.
	Failure string `json:"failure,omitempty"`
}

// Kinds of FileProblem.
const (
	FileMissing  = "missing"  // an entry has no golden values
	FileOrphaned = "orphaned" // there is no such entry, or fuzz test
	FileDamaged  = "damaged"  // a file is not as it was written
	FileOutdated = "outdated" // an earlier version of fuzzmut has written it
	FileStale    = "stale"    // a generated test is not that of the fuzz test
)

// A FileProblem is a file that is not what the entries and the fuzz test ask for.
type FileProblem struct {
	Path  string `json:"path"`
	Line  int    `json:"line,omitempty"`  // of the file, if it is about one
	Entry string `json:"entry,omitempty"` // that it is about, by its path or its name in the golden file
	Kind  string `json:"kind"`
	Text  string `json:"text"`
}

// Differences counts what is not as the golden values have it, unless it was
// accepted.
func (v *Verification) Differences() int {
	n := 0
	for i := range v.Tests {
		n += v.Tests[i].differences()
	}
	return n
}

func (t *VerifiedTest) differences() int {
	if !t.Updated {
		return len(t.Changes) + len(t.Files)
	}
	return t.failing()
}

// failing counts the changes that are entries on which the fuzz target fails.
func (t *VerifiedTest) failing() (n int) {
	for _, c := range t.Changes {
		if c.Failure != "" {
			n++
		}
	}
	return n
}

// Fails counts the Differences that are entries on which the fuzz target fails: no golden value can accept them.
func (v *Verification) Fails() (n int) {
	for i := range v.Tests {
		n += v.Tests[i].failing()
	}
	return n
}

// Unlike says what Differences counts, in words. An entry that fails need not have had golden values.
func (v *Verification) Unlike() string { return unlike(v.Differences(), v.Fails()) }

// Unlike is that of one fuzz test.
func (t *VerifiedTest) Unlike() string { return unlike(t.differences(), t.failing()) }

func unlike(n, fails int) string {
	var parts []string
	if n > fails {
		parts = append(parts, Plural(n-fails, "difference")+" from the golden values")
	}
	if fails > 0 {
		parts = append(parts, Plural(fails, "entry")+" "+Verb(fails, "fails", "fail"))
	}
	return strings.Join(parts, ", and ")
}

// Canonical returns a copy of v for programs. Lists without elements are written as [].
func (v *Verification) Canonical() any {
	out := Verification{Version: FormatVersion, Tests: present(v.Tests), Generated: present(v.Generated)}
	for i := range out.Tests {
		t := &out.Tests[i]
		t.Changes, t.Files, t.Known = present(t.Changes), present(t.Files), present(t.Known)
		t.Causes = behavior.CanonicalCauses(t.Causes)
		t.Written, t.Removed = present(t.Written), present(t.Removed)
	}
	return &out
}

package text

import (
	"fmt"
	"slices"
	"strings"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/behavior"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/difference"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
)

// Indents begin the lines of differences: of a part of the change, of a value, and of a
// value in the list of all.
var Indents = []string{hunkIndent, valueIndent, listIndent}

const (
	hunkIndent  = "   | "
	valueIndent = "     "
	listIndent  = "      "
)

// Bounds on what is shown of a cause, in a text that is not verbose.
const (
	causeLines  = 10 // of its value
	hunkLines   = 8  // of its hunks
	valuesShown = 2
	// argumentsMost is in bytes, of an entry of a corpus.
	argumentsMost = 200
	placesShown   = 5 // that no input has reached, or seen
)

// behavior writes what a change does.
func (t *text) behavior(r *behavior.Report) {
	if r.Nothing != "" {
		t.linef("nothing to compare: %s", r.Nothing)
		return
	}
	if !t.o.Quiet {
		shown := 0
		for i := range r.Causes {
			if c := &r.Causes[i]; !c.Accepted || c.Recorded || t.o.Verbose {
				shown++
				t.causeOf(shown, c)
			}
		}
		if n := len(r.Causes) - shown; n > 0 {
			t.linef("%s; -v shows %s", report.Plural(n, "accepted difference"), map[bool]string{true: "it", false: "them"}[n == 1])
			t.linef("")
		}
		for i := range r.Tests {
			t.compared(&r.Tests[i])
		}
		t.ladder(r)
		for i := range r.Reach {
			t.reach(&r.Reach[i], len(r.Causes) > 0)
		}
		t.notCompared(r)
		for _, w := range r.Warnings {
			t.linef("warning: %s", w)
		}
		for _, file := range r.Written {
			t.linef("written: %s", t.file(file))
		}
	}
	t.linef("%s against %s: %s", r.New, r.Old, report.Ending(r, true))
}

// causeOf writes one cause with its input.
func (t *text) causeOf(n int, c *behavior.Cause) {
	noun := "input"
	if c.Entries != nil {
		noun = "entry"
	}
	t.linef("%d. %s: %s  (%s)", n, strings.Join(append([]string{c.Fuzz}, c.Also...), ", "), c.Says(), report.Plural(int(c.Inputs), noun))
	if origin := c.Origin(); origin != "" {
		t.linef("   %s", origin)
	}
	shown := 0
	for i, h := range c.Hunks {
		if shown >= hunkLines && !t.o.Verbose {
			t.linef("   and %s; -v shows all", report.Plural(len(c.Hunks)-i, "more place"))
			break
		}
		t.linef("   %s", t.placeOf(&h))
		shown = t.indented(hunkIndent, h.Lines(), hunkLines, shown)
	}
	if why := c.Unplaced(); why != "" {
		t.linef("   %s", why)
	}
	t.linef("   %s(%s)", c.Call, t.arguments(c))
	if c.Value != "" {
		lines := strings.Split(c.Value, "\n")
		lines[0] = "that is " + lines[0]
		t.indented(valueIndent, lines, causeLines, 0)
	}
	for i, v := range c.Values {
		if i == valuesShown && !t.o.Verbose {
			t.linef("     %s more", report.Plural(len(c.Values)-i, "value"))
			break
		}
		t.linef("     %s", t.nameOf(&v))
		t.indented(valueIndent, v.Lines(difference.Lines), causeLines, 0)
	}
	for _, line := range report.Growth(c) {
		t.linef("     %s", line)
	}
	if c.Entries != nil {
		t.linef("   on %s", t.someEntries(c.Entries))
	}
	if c.Reproduce != "" {
		t.linef("   to see it: %s", c.Reproduce)
	}
	switch {
	case c.Recorded:
		t.linef("   accepted now")
	case c.Accepted:
		t.linef("   accepted")
	}
	t.linef("")
}

// arguments are those of a cause's input. An entry of a corpus may be large: its file has
// them all.
func (t *text) arguments(c *behavior.Cause) string {
	s := strings.ReplaceAll(c.Input, "\n", ", ")
	if c.Entries == nil || t.o.Verbose || len(s) <= argumentsMost {
		return s
	}
	return strings.ToValidUTF8(s[:argumentsMost], "") + "..."
}

// nameOf is the name of a value, with the place where it is observed.
func (t *text) nameOf(v *behavior.Value) string {
	if v.Place == "" {
		return v.Of()
	}
	colon := max(strings.LastIndexByte(v.Place, ':'), 0)
	return fmt.Sprintf("%s  (%s%s)", v.Of(), t.file(v.Place[:colon]), v.Place[colon:])
}

// indented writes lines, as long as no more than most are shown with those before.
func (t *text) indented(indent string, lines []string, most, shown int) int {
	for i, line := range lines {
		if shown == most && !t.o.Verbose {
			t.linef("%s... %s more", indent, report.Plural(len(lines)-i, "line"))
			return shown
		}
		t.linef("%s%s", indent, line)
		shown++
	}
	return shown
}

// compared writes how far the search of one fuzz test has come.
func (t *text) compared(c *behavior.Test) {
	name := c.Name
	if c.Derived != "" {
		name += " (derived for " + c.Derived + ")"
	}
	t.linef("%s  %s: %s compared in %.0f s", name, c.Package, report.Plural(int(c.Execs), "input"), c.Seconds)
	if c.Internal() {
		t.linef("  %s is not exported: its callers may never pass such inputs", c.Derived)
	}
	if c.Ended != "" {
		t.linef("  ended early: %s", c.Ended)
	}
	if c.Lost > 0 {
		t.linef("  %s too large to be compared", report.Plural(int(c.Lost), "input"))
	}
	if c.Slow > 0 {
		t.linef("  %s on which both sides take too long to be compared", report.Plural(int(c.Slow), "input"))
	}
	if c.Left > 0 {
		t.linef("  no time to compare %s of the corpus: with more of -fuzztime they are", report.Plural(c.Left, "entry"))
	}
	if c.Untried > 0 {
		t.linef("  no time to run %s from the tests: with more of -fuzztime they are", report.Plural(c.Untried, "sample"))
	}
	for _, u := range c.Unstable {
		t.linef("  differs from run to run, not compared where it does: %s", u)
	}
	if c.Bounded != "" {
		t.linef("  not all causes were separated: %s", c.Bounded)
	}
	if c.Cut {
		t.linef("  ended before all differences were confirmed: there may be more")
	}
	if c.Dropped > 0 {
		t.linef("  %s not confirmed in other processes: not shown", report.Plural(c.Dropped, "difference"))
	}
}

// reach writes how far to trust that nothing else differs.
func (t *text) reach(r *behavior.Reach, found bool) {
	t.linef("")
	if r.Blocks.All > 0 {
		t.linef("%s: %d of %s reached", r.Package, r.Blocks.Some, report.Plural(r.Blocks.All, "changed block"))
		t.blocks(r.NotReach)
	}
	if r.Mutants.All > 0 {
		t.linef("a change of one operator in the changed functions would have been seen in %d of %s", r.Mutants.Some, report.Plural(r.Mutants.All, "case"))
		if t.o.Verbose || !found {
			t.unseen(r.NotSeen)
		}
	}
	if r.Unmeasured {
		t.linef("%s", behavior.UnmeasuredText)
	}
	t.linef("")
}

// blocks lists those that no input has reached, the lines of a file beside each other.
func (t *text) blocks(list []behavior.Place) {
	if len(list) == 0 || t.o.Short {
		return
	}
	var b strings.Builder
	file := ""
	for i, p := range list {
		if i == placesShown && !t.o.Verbose {
			fmt.Fprintf(&b, ", and %d more; -v lists them", len(list)-i)
			break
		}
		if p.File == file {
			fmt.Fprintf(&b, ", %d", p.Line)
			continue
		}
		if file = p.File; i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "%s:%d", t.file(p.File), p.Line)
	}
	t.linef("  not reached: %s", b.String())
}

// unseen lists changes of one operator that no input shows.
func (t *text) unseen(list []behavior.Place) {
	if t.o.Short {
		return
	}
	lines := report.Lines(list)
	for i, p := range list {
		if i == placesShown && !t.o.Verbose {
			t.linef("    %d more; -v shows them", len(list)-i)
			return
		}
		t.linef("    not seen: %s:%s %s", t.file(p.File), lines[i], p.Text)
	}
}

// A step is how far inputs came at places of the change.
type step struct {
	is   func(h *behavior.Hunk) bool
	says string
}

// steps are from the highest on: a place stands at the first that holds.
var steps = []step{
	{func(h *behavior.Hunk) bool { return h.Seen }, "the cause of a difference"},
	{func(h *behavior.Hunk) bool { return h.Inside }, "in a function that returned something else, and not known as a cause"},
	{func(h *behavior.Hunk) bool { return h.Reached && h.OnlyIn == behavior.New }, "ran, in a function that only the new code has"},
	{func(h *behavior.Hunk) bool { return h.Reached && h.OnlyIn == behavior.Old }, "ran, in a function that only the old code has"},
	{func(h *behavior.Hunk) bool { return h.Reached && h.Compared }, "ran, and its function returned the same on all inputs that were compared"},
	{func(h *behavior.Hunk) bool { return h.Reached }, "ran, in code that has no results to compare"},
	{func(h *behavior.Hunk) bool { return strings.HasPrefix(h.In, "func ") }, "never ran"},
	{func(*behavior.Hunk) bool { return true }, "outside functions"},
}

// ladder says how far inputs came at the places of the change.
func (t *text) ladder(r *behavior.Report) {
	at := make([][]*behavior.Hunk, len(steps))
	all := 0
	for i := range r.Changes {
		for k := range r.Changes[i].Hunks {
			h := &r.Changes[i].Hunks[k]
			n := slices.IndexFunc(steps, func(s step) bool { return s.is(h) })
			at[n] = append(at[n], h)
			all++
		}
	}
	if all == 0 || len(r.Reach) == 0 {
		return
	}
	t.linef("")
	t.linef("%s:", report.Plural(all, "changed place"))
	for n, list := range at {
		if len(list) == 0 {
			continue
		}
		t.linef("  %d %s", len(list), steps[n].says)
		for _, h := range list {
			if t.o.Verbose {
				t.linef("    %s", t.placeOf(h))
			}
		}
	}
}

// placeOf is where a part of the change is, with the declaration that it is in.
func (t *text) placeOf(h *behavior.Hunk) string {
	shown := *h
	shown.File = t.file(h.File)
	if h.In == "" {
		return shown.Place()
	}
	return shown.Place() + ", in " + h.In
}

// notCompared lists code that was not looked at.
func (t *text) notCompared(r *behavior.Report) {
	if len(r.NotCompared) == 0 || t.o.Short {
		return
	}
	named := placesShown
	if t.o.Verbose {
		named = 0
	}
	notes := behavior.ByReason(r.NotCompared, named)
	for i, n := range notes {
		if i == placesShown && !t.o.Verbose {
			t.linef("not compared for %s; -v shows them", report.Plural(len(notes)-i, "other reason"))
			break
		}
		t.linef("not compared: %s: %s", n.What, n.Reason)
	}
	t.linef("")
}

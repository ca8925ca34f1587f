package text

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/difference"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
)

// Bounds on what is shown of changed values, in a text that is not verbose.
const (
	causesShown      = 5  // of a fuzz test
	differencesShown = 3  // of a cause
	entriesListed    = 3  // of a difference
	linesShown       = 12 // of a difference
)

// A cause is changes at one place in the code: of the same value, in the same way.
type cause struct {
	first       *report.ValueChange
	what        string // the value, and what became of it
	differences []*valueDifference
	changes     int
	entries     map[string]bool
}

// A valueDifference is the same change on one or several entries.
type valueDifference struct {
	lines   []string
	entries []string
}

// callNumber is the part of a value's name that says which of several calls it is of.
var callNumber = regexp.MustCompile(` #\d+`)

// causesOf groups changes: those on most entries come first, else they are in order.
func causesOf(changes []report.ValueChange) []*cause {
	var list []*cause
	byKey := make(map[string]*cause)
	for i := range changes {
		c := &changes[i]
		what, lines := differenceOf(c)
		key := fmt.Sprintf("%s:%d %s", c.File, c.Line, what)
		g := byKey[key]
		if g == nil {
			g = &cause{first: c, what: what, entries: make(map[string]bool)}
			byKey[key] = g
			list = append(list, g)
		}
		g.add(c.Entry, lines)
	}
	slices.SortStableFunc(list, func(a, b *cause) int { return cmp.Compare(len(b.entries), len(a.entries)) })
	return list
}

// differenceOf says what has changed, without what is different from entry to entry, and in
// which lines that shows.
func differenceOf(c *report.ValueChange) (what string, lines []string) {
	name := callNumber.ReplaceAllString(c.Value, "")
	switch {
	case c.Failure != "":
		return "the fuzz target fails", []string{c.Failure}
	case c.Want == "":
		return name + " was not observed before", difference.All("+", c.Got)
	case c.Got == "":
		return name + " is no longer observed", difference.All("-", c.Want)
	}
	return name, difference.Lines(c.Want, c.Got)
}

func (g *cause) add(entry string, lines []string) {
	g.changes++
	g.entries[entry] = true
	for _, d := range g.differences {
		if slices.Equal(d.lines, lines) {
			if !slices.Contains(d.entries, entry) {
				d.entries = append(d.entries, entry)
			}
			return
		}
	}
	g.differences = append(g.differences, &valueDifference{lines, []string{entry}})
}

// changes writes changed values, by their causes.
func (t *text) changes(changes []report.ValueChange) {
	causes := causesOf(changes)
	for i, g := range causes {
		if i == causesShown && !t.o.Verbose {
			left := 0
			for _, g := range causes[i:] {
				left += g.changes
			}
			t.linef("  %s at %s; -v shows them", more(left, "changed value"), report.Plural(len(causes)-i, "other place"))
			break
		}
		t.cause(g)
	}
}

// more is "1 more thing", or "2 more things".
func more(n int, thing string) string {
	return strings.Replace(report.Plural(n, thing), " ", " more ", 1)
}

func (t *text) cause(g *cause) {
	on := "on " + g.first.Entry
	if len(g.entries) > 1 {
		on = "on " + report.Plural(len(g.entries), "entry")
	}
	if g.changes > len(g.entries) {
		on = report.Plural(g.changes, "value") + " " + on
	}
	t.linef("  %s:%d: %s, %s:", g.first.File, g.first.Line, g.what, on)
	for i, d := range g.differences {
		if i == differencesShown && !t.o.Verbose {
			t.linef("      %s of this value; -v shows them", more(len(g.differences)-i, "difference"))
			break
		}
		lines := d.lines
		if n := len(lines) - linesShown; n > 1 && !t.o.Verbose {
			lines = append(slices.Clone(lines[:linesShown]), fmt.Sprintf("  ... %d more lines; -v shows them", n))
		}
		for _, line := range lines {
			t.linef("      %s", line)
		}
		if len(g.entries) > 1 {
			t.linef("        on %s", t.someEntries(d.entries))
		}
	}
}

// someEntries lists a few entries.
func (t *text) someEntries(names []string) string {
	shown := names
	if !t.o.Verbose && len(names) > entriesListed+1 {
		shown = names[:entriesListed]
	}
	s := strings.Join(shown, ", ")
	if n := len(names) - len(shown); n > 0 {
		s += fmt.Sprintf(" and %d more", n)
	}
	return s
}

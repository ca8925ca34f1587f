package text

import (
	"fmt"
	"strings"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/behavior"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/difference"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
)

// Bounds on what is shown of changed values, in a text that is not verbose.
const (
	causesShown   = 5 // of a fuzz test
	entriesListed = 3 // of a cause
)

// causes writes what became of golden values, by what differs, and every value that has
// changed if the text is verbose.
func (t *text) causes(f *report.VerifiedTest) {
	for i := range f.Causes {
		if i == causesShown && !t.o.Verbose {
			left := 0
			for _, c := range f.Causes[i:] {
				left += len(c.Entries)
			}
			t.linef("%s in %s; -v shows them", more(left, "entry")+" "+report.Verb(left, "differs", "differ"), report.Plural(len(f.Causes)-i, "other way"))
			break
		}
		t.causeOf(i+1, &f.Causes[i])
	}
	if !t.o.Verbose {
		return
	}
	for i := range f.Changes {
		c := &f.Changes[i]
		what, lines := changeOf(c)
		t.linef("  %s:%d: %s, on %s:", t.file(c.File), c.Line, what, c.Entry)
		t.indented(listIndent, lines, 0, 0)
	}
}

// changeOf says what became of a value, and in which lines that shows.
func changeOf(c *report.ValueChange) (what string, lines []string) {
	v := behavior.Value{Name: c.Value, Old: c.Want, New: c.Got}
	switch {
	case c.Failure != "":
		return "the fuzz target fails", []string{c.Failure}
	case c.Want == "":
		what = " was not observed before"
	case c.Got == "":
		what = " is no longer observed"
	}
	return v.Of() + what, v.Lines(difference.Lines)
}

// more is "1 more thing", or "2 more things".
func more(n int, thing string) string {
	return strings.Replace(report.Plural(n, thing), " ", " more ", 1)
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

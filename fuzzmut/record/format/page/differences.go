package page

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/behavior"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/difference"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
)

// A cause is one reason for differences in behavior.
type cause struct {
	ID          string
	Kind, Class string
	Title       string
	Quiet       bool // accepted
	Facts       []string
	Blocks      []block
	Inputs      []input
}

// A block is a diff with a name.
type block struct {
	Name string
	Diff []change
}

// addCause numbers a cause.
func (v *view) addCause(c cause) {
	v.Causes = append(v.Causes, c)
	v.Causes[len(v.Causes)-1].ID = "d" + strconv.Itoa(len(v.Causes))
}

// compared enters what a change does.
func (v *view) compared(r *behavior.Report) {
	v.Title = r.New + " against " + r.Old
	v.Subtitle = report.Plural(len(r.Tests), "fuzz test")
	if r.Nothing != "" {
		v.Verdict = []string{"Nothing to compare: " + r.Nothing + "."}
		return
	}
	ending := report.Ending(r, false)
	v.Verdict = []string{strings.ToUpper(ending[:1]) + ending[1:] + "."}
	v.tile("s", r.Differences(), "difference", "differences", "differences")
	v.tile("i", r.Accepted(), "accepted difference", "accepted differences", "differences")
	for i := range r.Causes {
		v.difference(&r.Causes[i])
	}
	t := table{Caption: "What was compared", Head: []string{"Fuzz test", "Inputs", "First difference", "Seconds", "Ended", "Package"}}
	for i := range r.Tests {
		c := &r.Tests[i]
		first := ""
		if c.First > 0 {
			first = "input " + report.Group(c.First)
		}
		t.Rows = append(t.Rows, []string{c.Name, report.Group(c.Execs), first, seconds(c.Seconds), c.Ended, c.Package})
		v.comparedNotes(c)
	}
	v.Tables = append(v.Tables, t)
	if len(r.Reach) > 0 {
		t := table{Caption: "How far inputs came", Head: []string{"Package", "Changed blocks reached", "Mutants of changed functions that would be seen"}}
		for i := range r.Reach {
			p := &r.Reach[i]
			seen := ofAll(p.Mutants)
			if p.Unmeasured {
				seen = "not measured"
			}
			t.Rows = append(t.Rows, []string{p.Package, ofAll(p.Blocks), seen})
		}
		v.Tables = append(v.Tables, t)
	}
	v.reached(r)
	for _, w := range r.Warnings {
		v.Notes = append(v.Notes, "warning: "+w)
	}
	for _, n := range behavior.ByReason(r.NotCompared, 0) {
		v.Notes = append(v.Notes, "not compared: "+n.What+": "+n.Reason)
	}
	for _, path := range r.Written {
		v.Notes = append(v.Notes, "written: "+path)
	}
	v.Again = r.Command
}

func ofAll(s behavior.Share) string { return fmt.Sprintf("%s of %s", number(s.Some), number(s.All)) }

// comparedNotes enters what has to be known of the search of one fuzz test.
func (v *view) comparedNotes(t *behavior.Test) {
	note := func(format string, args ...any) {
		v.Notes = append(v.Notes, t.Name+": "+fmt.Sprintf(format, args...))
	}
	if t.Derived != "" {
		note("derived for %s", t.Derived)
	}
	if t.Lost > 0 {
		note("%s too large to be compared", report.Plural(int(t.Lost), "input"))
	}
	if t.Bounded != "" {
		note("not all causes were separated: %s", t.Bounded)
	}
	if t.Cut {
		note("ended before all differences were confirmed: there may be more")
	}
	if t.Dropped > 0 {
		note("%s not confirmed, and not shown", report.Plural(t.Dropped, "difference"))
	}
	for _, u := range t.Unstable {
		note("differs from run to run: %s", u)
	}
}

// reached enters the places of the change, by how far inputs came.
func (v *view) reached(r *behavior.Report) {
	t := table{Caption: "Changed places", Head: []string{"Place", "How far inputs came"}}
	for i := range r.Changes {
		for k := range r.Changes[i].Hunks {
			h := &r.Changes[i].Hunks[k]
			far := "not reached"
			switch {
			case h.Seen:
				far = "a difference was seen"
			case h.Inside:
				far = "its function returned something else"
			case h.Reached:
				far = "reached"
			}
			t.Rows = append(t.Rows, []string{h.Place(), far})
		}
	}
	if len(t.Rows) > 0 {
		v.Tables = append(v.Tables, t)
	}
}

// difference enters a cause.
func (v *view) difference(c *behavior.Cause) {
	shown := cause{Kind: c.Kind, Class: "s", Title: c.Call + ": " + c.Says(), Quiet: c.Accepted}
	fact := func(format string, args ...any) { shown.Facts = append(shown.Facts, fmt.Sprintf(format, args...)) }
	seen := report.Plural(int(c.Inputs), "input") + " of " + c.Fuzz
	if n := len(c.Also); n > 0 {
		seen += " and " + report.Plural(n, "other fuzz test")
	}
	fact("%s %s it", seen, report.Verb(int(c.Inputs), "shows", "show"))
	if c.Accepted {
		shown.Kind, shown.Class = "accepted", "i"
	}
	if origin := c.Origin(); origin != "" {
		fact("%s", origin)
	}
	if why := c.Unplaced(); why != "" {
		fact("%s", why)
	}
	for _, line := range report.Growth(c) {
		fact("%s", line)
	}
	if len(c.Entries) > 0 {
		fact("entries: %s", strings.Join(c.Entries, ", "))
	}
	for i := range c.Hunks {
		shown.Blocks = append(shown.Blocks, block{Name: c.Hunks[i].Place(), Diff: fromSigned(c.Hunks[i].Lines())})
	}
	for i := range c.Values {
		value := &c.Values[i]
		name := value.Of()
		if value.Place != "" {
			name += " (" + value.Place + ")"
		}
		shown.Blocks = append(shown.Blocks, block{Name: name, Diff: fromSigned(value.Lines(difference.Signed))})
	}
	if c.Input != "" {
		shown.Inputs = append(shown.Inputs, input{Name: "The smallest input", Text: cut(c.Input)})
	}
	if c.Value != "" {
		shown.Inputs = append(shown.Inputs, input{Name: "That is", Text: cut(c.Value)})
	}
	if c.Reproduce != "" {
		shown.Inputs = append(shown.Inputs, input{Name: "Reproduce", Text: c.Reproduce})
	}
	v.addCause(shown)
}

// fromSigned reads lines that begin with their sign. What follows the sign may be of several
// lines.
func fromSigned(list []string) (out []change) {
	for _, text := range list {
		sign := " "
		if text != "" && strings.ContainsRune("+- ", rune(text[0])) {
			sign, text = text[:1], text[1:]
		}
		out = append(out, signed(sign, strings.Split(text, "\n"), 0)...)
	}
	return out
}

// verified enters what became of golden values.
func (v *view) verified(r *report.Verification) {
	v.Title = packages(len(r.Tests), func(i int) string { return r.Tests[i].Package })
	v.Subtitle = "Golden values of " + report.Plural(len(r.Tests), "fuzz test")
	n := r.Differences()
	t := table{Caption: "Golden values", Head: []string{"Fuzz test", "Entries", "Unchanged", "Unstable", "Changed", "Failing", "Known failures", "Note", "Package"}}
	values := 0
	for i := range r.Tests {
		f := &r.Tests[i]
		values += f.Values
		note := f.Nothing
		if f.None {
			note = cmp.Or(note, "no golden values")
		}
		if f.Updated {
			note = strings.TrimPrefix(note+fmt.Sprintf(", %s written, %s removed", number(len(f.Written)), number(len(f.Removed))), ", ")
		}
		t.Rows = append(t.Rows, []string{
			f.Name, number(f.Entries), number(f.Values), number(f.Unstable), number(f.Changed), number(f.Failing), number(len(f.Known)), note, f.Package,
		})
		for k := range f.Causes {
			c := f.Causes[k]
			c.Fuzz = cmp.Or(c.Fuzz, f.Name)
			v.difference(&c)
		}
		for _, p := range f.Files {
			where := p.Path
			if p.Line > 0 {
				where += ":" + strconv.Itoa(p.Line)
			}
			v.addCause(cause{Kind: p.Kind, Class: "n", Title: f.Name + ": " + where + ": " + p.Text, Quiet: f.Updated})
		}
	}
	v.Verdict = []string{"Golden values verified: " + report.Plural(values, "value") + " unchanged."}
	if n > 0 {
		v.Verdict = []string{r.Unlike() + ": " + report.Plural(len(v.Causes), "cause") + "."}
	}
	v.tile("s", n, "difference", "differences", "differences")
	v.Tiles = append(v.Tiles, tile{Class: "k", Value: number(values), Label: "unchanged " + report.Verb(values, "value", "values")})
	v.Tables = append(v.Tables, t)
	for _, path := range r.Generated {
		v.Notes = append(v.Notes, "written: "+path)
	}
}

package page

import (
	"fmt"
	"strings"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
)

// A finding is what survivors say of the tests.
type finding struct {
	ID, Mutant string // of the elements
	Place      string
	Title      string
	Text       string
	Reached    link   // the input that reaches it
	Input      string // what that is
	Diff       []change
	Open       bool
	MoreText   string
	More       []link
	Rest       int
}

const (
	opened    = 10 // findings whose change is shown without a click
	moreShown = 12 // places that are named in a finding
)

// survivors enters the findings among mutants of one kind of result.
func (v *view) survivors(list []verdict) {
	ms := make([]report.Mutant, len(list))
	ids := make(map[[2]string]string)
	at := make(map[string]*verdict)
	for i := range list {
		ms[i] = *list[i].Mutant
		ids[[2]string{ms[i].Package, ms[i].ID}] = list[i].id
		at[list[i].id] = &list[i]
	}
	for _, f := range report.Findings(ms) {
		id := ids[[2]string{f.Package, f.ID}]
		shown := finding{
			ID: "s" + id[1:], Mutant: id, Place: place(f.Mutant), Title: described(f.Mutant), Text: said(f.Mutant),
			Diff: unified(f.Diff), Open: len(v.Findings) < opened,
		}
		shown.Reached, shown.Input = v.reachedBy(at[id])
		others := f.More
		for _, same := range f.Same {
			others = append(append(others[:len(others):len(others)], same.Mutant), same.More...)
		}
		switch {
		case f.Whole:
			shown.Title = fmt.Sprintf("no test seems to check %s: %d of its mutants were run, and all survive; one of them: %s", f.Function, len(f.More)+1, shown.Title)
			shown.MoreText = "The others:"
		case len(f.Same) > 0:
			shown.MoreText = fmt.Sprintf("The same code is in %s; survivors there and here:", report.Plural(len(f.Same), "more place"))
		default:
			shown.MoreText = "More survivors here:"
		}
		for i, m := range others {
			if i == moreShown {
				shown.Rest = len(others) - i
				break
			}
			text := described(m)
			if m.File != f.File || m.Line != f.Line {
				text = place(m) + " " + text
			}
			shown.More = append(shown.More, link{ID: ids[[2]string{m.Package, m.ID}], Place: text})
		}
		v.Findings = append(v.Findings, shown)
	}
}

func place(m *report.Mutant) string { return fmt.Sprintf("%s:%d", m.File, m.Line) }

// said says where a survivor is, and what is known of it.
func said(m *report.Mutant) string {
	name := m.Function
	if name == "" {
		name = "package level"
	}
	parts := []string{"In " + name + " (" + m.Operator + ")"}
	if m.Baseline == report.Accepted {
		parts = append(parts, "accepted")
	}
	switch {
	case m.Seen != nil:
		parts = append(parts, m.Seen.Says())
	case m.Infected > 0:
		parts = append(parts, "a different value was computed, and nothing noticed")
	case m.Reason != "":
		parts = append(parts, m.Reason)
	case m.Reached > 0:
		parts = append(parts, "it was reached, and no different value was computed")
	}
	if m.OtherTests.Status == report.Killed {
		text := "another test notices it"
		if m.OtherTests.KilledBy != "" {
			text += ": " + m.OtherTests.KilledBy
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, "; ") + "."
}

// unified shows a unified diff without its names.
func unified(diff string) []change {
	var out []change
	for text := range strings.Lines(diff) {
		text = strings.TrimSuffix(text, "\n")
		if strings.HasPrefix(text, "--- ") || strings.HasPrefix(text, "+++ ") || text == "" || strings.HasPrefix(text, "@@") {
			continue
		}
		c := change{Sign: text[:1], Text: text[1:]}
		if c.Sign == "+" && strings.TrimSpace(c.Text) == "" {
			continue // nothing is left of what was removed
		}
		out = append(out, c)
	}
	return out
}

package report

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/behavior"
)

// Times says how often something happened: once, or 1,000 times.
func Times(n int64) string {
	if n == 1 {
		return "once"
	}
	return Group(n) + " times"
}

// Plural returns n with noun, in the form that fits n.
func Plural(n int, noun string) string {
	s := Group(int64(n)) + " "
	if n == 1 || noun == "more" {
		return s + noun
	}
	if stem, ok := strings.CutSuffix(noun, "y"); ok && (strings.HasSuffix(stem, "r") || strings.HasSuffix(stem, "t")) {
		return s + stem + "ies"
	}
	if strings.HasSuffix(noun, "ss") {
		return s + noun + "es"
	}
	return s + noun + "s"
}

// Group formats n with commas between the thousands.
func Group(n int64) string {
	digits := strconv.FormatInt(n, 10)
	sign := ""
	if n < 0 {
		sign, digits = "-", digits[1:]
	}
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return sign + digits
}

// Verb returns the form that fits n.
func Verb(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// Growth says how much more work is done than was, in units of fuel or in bytes, one line
// for each that has grown much.
func Growth(c *behavior.Cause) (lines []string) {
	if c.Work != (behavior.Work{}) {
		lines = append(lines, grown(c.Work, "unit", "of work"))
	}
	if c.Memory != (behavior.Work{}) {
		lines = append(lines, grown(c.Memory, "byte", "allocated"))
	}
	return lines
}

func grown(w behavior.Work, unit, what string) string {
	times := fmt.Sprintf("%.1f times", float64(w.New)/float64(max(w.Old, 1)))
	if n := w.New / max(w.Old, 1); n >= 10 {
		times = Plural(int(n), "time")
	}
	return fmt.Sprintf("%s → %s %s (%s)", Group(w.Old), Plural(int(w.New), unit), what, times)
}

// Ending is the answer of a comparison in one line. If names is set, it has the names of the first
// values that differ from run to run: those are of the user's code, and not every format may have
// them there.
func Ending(r *behavior.Report, names bool) string {
	n, accepted := r.Differences(), r.Accepted()
	switch {
	case n == 0 && accepted > 0:
		return fmt.Sprintf("no difference in behavior that is not accepted (%d accepted)", accepted)
	case n == 0 && slices.ContainsFunc(r.Tests, func(t behavior.Test) bool { return t.Cut }):
		return "differences seen, none confirmed before the end"
	case n == 0:
		return same(r) + unsteady(unstable(r), names)
	}
	text := Plural(n, "difference") + " in behavior"
	if accepted > 0 {
		text += fmt.Sprintf(", and %d accepted", accepted)
	}
	return text
}

// same says that nothing differs, as far as the changed code was reached: what was not run was not
// compared.
func same(r *behavior.Report) string {
	reached, all := 0, 0
	for i := range r.Reach {
		reached += r.Reach[i].Blocks.Some
		all += r.Reach[i].Blocks.All
	}
	switch {
	case reached == all:
		return "no difference seen"
	case reached == 0:
		return "the changed code was not compared: no input reached it"
	}
	return fmt.Sprintf("no difference seen in %d of %s; no input reached the others", reached, Plural(all, "changed block"))
}

// unsteadyShown is how many values that differ from run to run the answer names.
const unsteadyShown = 3

// unsteady counts values that differ from run to run: what the change does to them may not show.
func unsteady(values []string, names bool) string {
	n := len(values)
	if n == 0 {
		return ""
	}
	text := "; " + Plural(n, "value") + Verb(n, " differs", " differ") + " from run to run"
	if !names {
		return text
	}
	text += ": " + strings.Join(values[:min(n, unsteadyShown)], ", ")
	if more := n - unsteadyShown; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// unstable lists the values that differ from run to run, in whichever fuzz test.
func unstable(r *behavior.Report) (names []string) {
	for i := range r.Tests {
		names = append(names, r.Tests[i].Unstable...)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// LeftLate says what a fuzz test leaves for another run, and why; "" if nothing.
func (f *FuzzTest) LeftLate() string {
	late, why := f.Late.String(), "the time or budget was over"
	switch {
	case late == "":
		return ""
	case f.Interrupted:
		why = "this one was interrupted"
	}
	return "left for another run, since " + why + ": " + late
}

// KilledElsewhere counts the mutants that only inputs kill for which -corpus-size leaves no room, and says how to get
// these into the corpus; "" if there are none.
func (f *FuzzTest) KilledElsewhere() string {
	n := 0
	for i := range f.Mutants {
		if f.Mutants[i].KilledByLeftOut != "" {
			n++
		}
	}
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("killed only by inputs that the corpus has no room for: %s; another run with -corpus-size %d adds them",
		Plural(n, "mutant"), f.Corpus.Own+f.Corpus.LeftOut)
}

// String lists what there was no time for; "" if there was time for all.
func (l *Late) String() string {
	var list []string
	add := func(n int, what, more string) {
		if n > 0 {
			list = append(list, Plural(n, what)+more)
		}
	}
	add(l.Cached, "input", " in Go's fuzz cache")
	add(l.Entries, "new entry", " that may not be needed")
	add(l.Unconfirmed, "kill", " to be confirmed")
	add(l.Mutants, "mutant", " to be run on all entries")
	acts := " that act before the first input"
	if l.Static == 1 {
		acts = " that acts before the first input"
	}
	add(l.Static, "mutant", acts)
	add(l.Golden, "entry", " to get golden values, or to be compared with them")
	return strings.Join(list, ", ")
}

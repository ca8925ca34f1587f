// Package markdown writes what a change does for the page of a pull request.
//
// Values, inputs, names and code are somebody else's text. They stand in fences, in code
// spans and in elements <code>, and can't end them: a fence is longer than any run of its sign
// within, and what would be markup is escaped.
package markdown

import (
	"fmt"
	"io"
	"strings"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/behavior"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/difference"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
)

// Bounds, in bytes unless said otherwise.
const (
	// most is what a page of GitHub takes as one comment.
	most = 1 << 16
	// mostOfEnd is what is left for what was compared.
	mostOfEnd = 10 << 10
	// mostOfBlock, and linesOfBlock, bound one fence. Blocks, hunks and values are so few
	// that the first cause always fits.
	mostOfBlock   = 5 << 10
	linesOfBlock  = 120
	hunksShown    = 3
	valuesShown   = 3
	mostOfCommand = 4 << 10
	// lineMost is where a line is cut.
	lineMost = 1 << 10
	// unfolded is how many lines are shown before the reader asks for them.
	unfolded = 16
	// lineWidth is how long a call in one line may be.
	lineWidth = 100
)

// Format writes results of diff as Markdown, in 64 kB at most.
type Format struct{}

// Write writes a result of diff.
func (Format) Write(w io.Writer, r report.Result) error {
	b, ok := r.(*behavior.Report)
	if !ok {
		return fmt.Errorf("write Markdown: there is none for a %T", r)
	}
	_, err := io.WriteString(w, page(b))
	return err
}

// page puts sections together: causes in their order as long as they fit, whole.
func page(r *behavior.Report) string {
	if r.Nothing != "" {
		return "## Nothing to compare\n\n" + span(r.Nothing) + "\n"
	}
	head, end := heading(r), compared(r)
	room := most - len(head) - len(end) - len(leftOut(len(r.Causes), r.Command))
	var b strings.Builder
	b.WriteString(head)
	shown := 0
	for i := range r.Causes {
		if r.Causes[i].Accepted {
			continue
		}
		s := cause(shown+1, &r.Causes[i])
		if len(s) > room {
			b.WriteString(leftOut(r.Differences()-shown, r.Command))
			break
		}
		shown++
		room -= len(s)
		b.WriteString(s)
	}
	b.WriteString(end)
	return b.String()
}

// heading is the answer.
func heading(r *behavior.Report) string {
	answer := report.Ending(r, false)
	return fmt.Sprintf("## %s%s\n\n%s against %s\n\n", strings.ToUpper(answer[:1]), answer[1:], span(r.New), span(r.Old))
}

// leftOut says how many causes there is no room for.
func leftOut(n int, command string) string {
	return report.Plural(n, "more difference") + " did not fit on this page. To see all:\n\n" + shell(command)
}

// shell is a command in a fence, if it is short enough to be copied.
func shell(command string) string {
	if len(command) > mostOfCommand {
		return "The command is too long for this page; the result of `-json` has it.\n\n"
	}
	return fence("sh", []string{command})
}

// cause is the section of one cause.
func cause(n int, c *behavior.Cause) string {
	var b strings.Builder
	fmt.Fprintf(&b, "### %d. %s: %s\n\n", n, span(c.Call), c.Says())
	if c.Dependency != "" {
		b.WriteString("Caused by " + span(c.Dependency) + "\n\n")
	}
	for i := range c.Hunks {
		if i == hunksShown {
			fmt.Fprintf(&b, "and %s\n\n", report.Plural(len(c.Hunks)-i, "more place"))
			break
		}
		h := &c.Hunks[i]
		b.WriteString(block("diff", h.Place(), h.Lines()))
	}
	if why := c.Unplaced(); why != "" {
		b.WriteString("I" + why[1:] + ".\n\n")
	}
	fmt.Fprintf(&b, "%s\n\n", shownBy(c))
	kept, more := fit(call(c), linesOfBlock, mostOfBlock)
	b.WriteString(fence("go", withMore(kept, more)))
	for i := range c.Values {
		if i == valuesShown {
			fmt.Fprintf(&b, "and %s\n\n", report.Plural(len(c.Values)-i, "more value"))
			break
		}
		v := &c.Values[i]
		b.WriteString(block("diff", v.Of(), v.Lines(difference.Signed)))
	}
	for _, line := range report.Growth(c) {
		b.WriteString(line + "\n\n")
	}
	b.WriteString("To see it on both sides:\n\n" + shell(c.Reproduce))
	return b.String()
}

// shownBy says which fuzz tests have seen a cause, and how often.
func shownBy(c *behavior.Cause) string {
	s := report.Plural(int(c.Inputs), "input") + " of " + span(c.Fuzz)
	if n := len(c.Also); n > 0 {
		s += " and " + report.Plural(n, "other fuzz test")
	}
	return s + " " + report.Verb(int(c.Inputs), "shows", "show") + " it. The smallest:"
}

// call is an input as Go source.
func call(c *behavior.Cause) (lines []string) {
	if c.Value != "" {
		for line := range strings.SplitSeq(c.Value, "\n") {
			lines = append(lines, "// "+line)
		}
	}
	args := strings.Split(c.Input, "\n")
	if one := c.Call + "(" + strings.Join(args, ", ") + ")"; len(one) <= lineWidth {
		return append(lines, one)
	}
	lines = append(lines, c.Call+"(")
	for _, arg := range args {
		lines = append(lines, "\t"+arg+",")
	}
	return append(lines, ")")
}

// compared says what was looked at, and how far to trust that nothing else differs.
func compared(r *behavior.Report) string {
	b := strings.Builder{}
	b.WriteString("### What was compared\n\n")
	more := 0
	for i := range r.Tests {
		if s := searched(&r.Tests[i]); more == 0 && b.Len()+len(s) < mostOfEnd/2 {
			b.WriteString(s)
		} else {
			more++
		}
	}
	for _, w := range r.Warnings {
		if s := "- warning: " + span(w) + "\n"; more == 0 && b.Len()+len(s) < mostOfEnd/2 {
			b.WriteString(s)
		} else {
			more++
		}
	}
	for i := range r.Reach {
		if s := reach(&r.Reach[i]); more == 0 && b.Len()+len(s) < mostOfEnd/2 {
			b.WriteString(s)
		} else {
			more++
		}
	}
	if more > 0 {
		fmt.Fprintf(&b, "- %s\n", report.Plural(more, "more line"))
	}
	b.WriteString("\n")
	if lines := unseen(r); len(lines) > 0 {
		kept, more := fit(lines, linesOfBlock, mostOfEnd/4)
		b.WriteString(folded(report.Plural(len(lines), "place")+" accepted, not looked at, or not seen", fence("text", withMore(kept, more))))
	}
	return b.String()
}

// places are where the lines that are a cause stand, or the values that differ.
func places(c *behavior.Cause) (list []string) {
	for i := range c.Hunks {
		list = append(list, c.Hunks[i].Place())
	}
	for i := range c.Values {
		if len(c.Hunks) == 0 {
			list = append(list, c.Values[i].Of())
		}
	}
	return list
}

// searched is the search of one fuzz test.
func searched(t *behavior.Test) string {
	s := "- " + span(t.Name)
	if t.Derived != "" {
		s += ", derived for " + span(t.Derived)
	}
	s += fmt.Sprintf(", in %s: %s compared in %.0f s", span(t.Package), report.Plural(int(t.Execs), "input"), t.Seconds)
	if t.Ended != "" {
		s += "; ended early: " + span(t.Ended)
	}
	if t.Lost > 0 {
		s += fmt.Sprintf("; %s too large to be compared", report.Plural(int(t.Lost), "input"))
	}
	if t.Bounded != "" {
		s += "; not all causes were separated: " + span(t.Bounded)
	}
	if t.Cut {
		s += "; ended before all differences were confirmed: there may be more"
	}
	if t.Dropped > 0 {
		s += fmt.Sprintf("; %s not confirmed, and not shown", report.Plural(t.Dropped, "difference"))
	}
	return s + "\n"
}

// reach is how far the fuzz tests of a package came.
func reach(r *behavior.Reach) (s string) {
	if r.Blocks.All > 0 {
		s = fmt.Sprintf("- %s: %d of %s reached\n", span(r.Package), r.Blocks.Some, report.Plural(r.Blocks.All, "changed block"))
	}
	if r.Mutants.All > 0 {
		s += fmt.Sprintf("- %s: a change of one operator in the changed functions would have been seen in %d of %s\n",
			span(r.Package), r.Mutants.Some, report.Plural(r.Mutants.All, "case"))
	}
	if r.Unmeasured {
		s += fmt.Sprintf("- %s: %s\n", span(r.Package), behavior.UnmeasuredText)
	}
	return s
}

// unseen lists what nobody can say anything about.
func unseen(r *behavior.Report) (lines []string) {
	for i := range r.Causes {
		if c := &r.Causes[i]; c.Accepted {
			lines = append(lines, "accepted: "+c.Call+": "+c.Says()+" at "+strings.Join(places(c), ", "))
		}
	}
	for _, n := range behavior.ByReason(r.NotCompared, 0) {
		lines = append(lines, "not compared: "+n.What+": "+n.Reason)
	}
	for i := range r.Tests {
		for _, u := range r.Tests[i].Unstable {
			lines = append(lines, "differs from run to run: "+u)
		}
	}
	for i := range r.Reach {
		for _, p := range r.Reach[i].NotReach {
			lines = append(lines, fmt.Sprintf("not reached: %s:%d", p.File, p.Line))
		}
	}
	for i := range r.Reach {
		at := report.Lines(r.Reach[i].NotSeen)
		for k, p := range r.Reach[i].NotSeen {
			lines = append(lines, fmt.Sprintf("not seen: %s:%s %s", p.File, at[k], p.Text))
		}
	}
	return lines
}

package report

import (
	"bufio"
	"fmt"
	"io"
)

// WriteText writes a line for each mutant: its ID, position, operator, what it
// changes, and, if it can't be run, its status and the reason. After them
// stands the number of mutants, alone if quiet; if verbose, what was left out is
// listed before it.
func (l *Listing) WriteText(w io.Writer, quiet, verbose bool) error {
	out := bufio.NewWriter(w)
	counts := make(map[string]int)
	for i := range l.Mutants {
		m := &l.Mutants[i]
		counts[m.Status]++
		if quiet {
			continue
		}
		fmt.Fprintf(out, "%s %s:%d:%d %s %s", m.ID, m.File, m.Line, m.Column, m.Operator, Change(m))
		if m.Status != Pending {
			fmt.Fprintf(out, " [%s", m.Status)
			if m.Reason != "" {
				fmt.Fprintf(out, ": %s", m.Reason)
			}
			fmt.Fprint(out, "]")
		}
		fmt.Fprintln(out)
	}
	if verbose {
		for _, s := range l.Skips {
			fmt.Fprintf(out, "left out: %s:%d %s: %s\n", s.File, s.Line, s.What, s.Reason)
		}
	}
	for _, pkg := range l.Untested {
		if !quiet {
			fmt.Fprintf(out, "%s has no tests\n", pkg)
		}
	}
	fmt.Fprintf(out, "%s, %d static, %d skipped\n",
		Plural(len(l.Mutants), "mutant"), counts[Static], counts[Skipped])
	return out.Flush()
}

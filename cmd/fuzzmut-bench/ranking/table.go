package ranking

import (
	"fmt"
	"io"
	"strings"
)

const row = "%-58s %9v %12v %6v %20v\n"

// write prints the tables of one set of labels.
func write(w io.Writer, set string, all []Module) {
	fmt.Fprintf(w, "set %s\n\n", set)
	fmt.Fprintf(w, row, "module", "survivors", "worth, drawn", "AUC", fmt.Sprintf("worth, first %d shown", First))
	var drawn []Placed
	var sum float64
	var defined, worth, labelled, top int
	for _, m := range all {
		auc := "-"
		if a, ok := AUC(m.Drawn); ok {
			auc = fmt.Sprintf("%.2f", a)
			sum += a
			defined++
		}
		fmt.Fprintf(w, row, m.Name, m.Survivors, ratio(countWorth(m.Drawn), len(m.Drawn)), auc, shown(m.Worth, m.Labelled, m.Top))
		drawn = append(drawn, m.Drawn...)
		worth, labelled, top = worth+m.Worth, labelled+m.Labelled, top+m.Top
	}
	mean := "-"
	if defined > 0 {
		mean = fmt.Sprintf("%.2f", sum/float64(defined))
	}
	fmt.Fprintf(w, row, "in all; mean", "", ratio(countWorth(drawn), len(drawn)), mean, shown(worth, labelled, top))
	n := min(First, len(drawn))
	fmt.Fprintf(w, "\nof the %d drawn, the first %d by rank divided by survivors of the module: %d worth a test\n", len(drawn), n, Pooled(drawn, First))
	for _, m := range all {
		if len(m.Absent) > 0 {
			fmt.Fprintf(w, "%s: no survivors now, placed last: %s\n", m.Name, strings.Join(m.Absent, ", "))
		}
	}
	fmt.Fprintln(w)
}

func ratio(a, b int) string { return fmt.Sprintf("%d of %d", a, b) }

// shown is a precision, and says how many of those shown have no label.
func shown(worth, labelled, top int) string {
	s := ratio(worth, labelled)
	if labelled < top {
		s += fmt.Sprintf(", %d unlabelled", top-labelled)
	}
	return s
}

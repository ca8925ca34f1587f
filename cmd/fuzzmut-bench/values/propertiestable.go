package values

import (
	"fmt"
	"io"
	"text/tabwriter"
)

// printProperties prints, for each fault of a workload, what each strategy took to find
// it.
func printProperties(w io.Writer, workload string, runs []huntRun) {
	strategies, faults, cells := byStrategy(runs)
	fmt.Fprintf(w, "Faults of %s: mean tests to failure, mean seconds of processor time, and the share of runs that found it where\n"+
		"that is not all. Runs that found nothing count with the tests and seconds they made.\n\n", workload)
	tw := tabwriter.NewWriter(w, 2, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(tw, "fault\t")
	for _, s := range strategies {
		fmt.Fprintf(tw, "%s\t", s)
	}
	fmt.Fprintln(tw)
	for _, f := range faults {
		fmt.Fprintf(tw, "%d\t", f)
		for _, s := range strategies {
			fmt.Fprintf(tw, "%s\t", cells[s][f])
		}
		fmt.Fprintln(tw)
	}
	tw.Flush()
	fmt.Fprintln(w)
	for _, s := range strategies {
		fmt.Fprintf(w, "%s: %s\n", s, propertiesSummary(cells, s, faults))
	}
	fmt.Fprintln(w)
}

// propertiesSummary says how a strategy does on all faults of a workload.
func propertiesSummary(cells map[string]map[int]*cell, strategy string, faults []int) string {
	var runs, found, all, best int
	var tests, seconds float64
	for _, f := range faults {
		c := cells[strategy][f]
		if c == nil {
			continue
		}
		runs, found = runs+c.runs, found+c.found
		tests, seconds = tests+c.tests, seconds+c.seconds
		if c.found == c.runs {
			all++
		}
		if isBest(cells, c, f) {
			best++
		}
	}
	return fmt.Sprintf("%d of %d runs found their fault, %d of %d faults in every run, %d with the fewest tests; %.0f tests a second of processor time",
		found, runs, all, len(faults), best, tests/seconds)
}

// isBest says whether no other strategy found a fault more often, or as often in fewer
// tests.
func isBest(cells map[string]map[int]*cell, c *cell, fault int) bool {
	share := func(c *cell) float64 { return float64(c.found) / float64(c.runs) }
	mean := func(c *cell) float64 { return c.tests / float64(c.runs) }
	for _, other := range cells {
		if o := other[fault]; o != nil && (share(o) > share(c) || share(o) == share(c) && mean(o) < mean(c)) {
			return false
		}
	}
	return c.found > 0
}

package fuzzing

import (
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/fuzzmut/fuzzmut/instrument/rt/oracle"
)

// reliability is how many of the repetitions kill each of the nontrivial mutants
// that any of them kills (Mu2 §4.3).
type reliability struct {
	runs           int
	any, all, once int     // mutants killed by any run, by all, by one alone
	mean           float64 // share of the runs that kill such a mutant
}

func reliabilityOf(runs []record, trivial map[string]bool) reliability {
	r := reliability{runs: len(runs)}
	times := make(map[string]int)
	sum := 0
	for i := range runs {
		for _, id := range nontrivial(&runs[i], trivial) {
			times[id]++
			sum++
		}
	}
	for _, n := range times {
		r.any++
		switch n {
		case len(runs):
			r.all++
		case 1:
			r.once++
		}
	}
	if r.any > 0 {
		r.mean = float64(sum) / float64(r.any*r.runs)
	}
	return r
}

// printReliability prints how far the nontrivial mutants that a contender kills
// depend on chance.
func (rs *records) printReliability(w io.Writer, targets, contenders []string) error {
	fmt.Fprint(w, "\nReliability: nontrivial mutants by how many of the runs of a contender kill them\n")
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(tw, "target\tcontender\truns\tby any\tby all\tby some\tof these by one\tall/any\tmean share of runs\t")
	for _, t := range targets {
		trivial := rs.trivial(t)
		for _, c := range contenders {
			runs := rs.of(t, c)
			if len(runs) < 2 {
				continue
			}
			r := reliabilityOf(runs, trivial)
			fmt.Fprintf(tw, "%s\t%s\t%d\t%d\t%d\t%d\t%d\t%.0f %%\t%.0f %%\t\n", t, c, r.runs,
				r.any, r.all, r.any-r.all, r.once, 100*float64(r.all)/float64(max(r.any, 1)), 100*r.mean)
		}
	}
	return tw.Flush()
}

// implicit counts the kills that need no comparison of results: the fuzz test
// fails, panics, does not end, or the process does.
func implicit(r *record) float64 {
	n := 0
	for kind, ids := range r.Kills {
		if k, _ := oracle.Parse(kind); !k.ByValue() {
			n += len(ids)
		}
	}
	return float64(n)
}

// printOracles prints the kills of the implicit oracle beside those that the
// differential one adds (Mu2 §4.4).
func (rs *records) printOracles(w io.Writer, targets, contenders []string) error {
	fmt.Fprint(w, "\nOracles: mutants killed by the implicit oracle (assertion, panic, fuel, exit), and by the differential one, which adds\nthose that only a different result gives away; means over the runs\n")
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(tw, "target\tcontender\timplicit\tdifference only\tdifferential\tmore than implicit\t")
	for _, t := range targets {
		for _, c := range contenders {
			runs := rs.of(t, c)
			if len(runs) == 0 {
				continue
			}
			i, all := mean(runs, implicit), mean(runs, kills)
			more := "-"
			if i > 0 {
				more = fmt.Sprintf("%+.0f %%", 100*(all/i-1))
			}
			fmt.Fprintf(tw, "%s\t%s\t%.1f\t%.1f\t%.1f\t%s\t\n", t, c, i, all-i, all, more)
		}
	}
	return tw.Flush()
}

package fuzzing

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/fuzzmut/fuzzmut/cmd/fuzzmut-bench/stats"
	"github.com/fuzzmut/fuzzmut/instrument/rt/oracle"
)

// explained tells what the columns of the tables are.
const explained = `Figures are means over the repetitions. Judged are the seeds and all that a run has left
in Go's fuzz cache, which is where every contender begins its next run: by fuzzmut score over
the same mutants, and by coverage profiles of the mutated packages that go test makes. Entries
that fail count nowhere. "nontrivial" are the kills of mutants that the seeds alone don't kill.
p is that of the two-sided test of Mann and Whitney, A12 the effect size of Vargha and Delaney:
above 0.5 is more than stock. Stock is the better, by kills, of two ways to run go test -fuzz:
"stock" has the default -fuzzminimizetime, "stock-0s" has none.

"fuzz s" is the time given to fuzzing. "CPU s" is the processor time without any build, until
fuzzing ended, when all that is judged was there; for fuzzmut with running the seeds against
the mutants before. "after" is what it takes then to choose the entries to be written and to run
these against all mutants. "replay s" is the processor time
of plain go test over seeds and entries. "written" is the small corpus that fuzzmut chooses
from what it has found, to keep the kills and the coverage, with the score that it reports;
with the filter none it knows of no kills to keep.`

// killKinds are the columns of kills by kind.
var killKinds = kindsByInput()

func kindsByInput() (names []string) {
	for _, kind := range oracle.All() {
		if kind.ByInput() != "" {
			names = append(names, kind.String())
		}
	}
	return names
}

// printFuzz prints the tables of a comparison.
func printFuzz(w io.Writer, rs *records) error {
	targets, contenders := rs.names()
	most := 0
	for _, r := range rs.list {
		most = max(most, r.Rep+1)
	}
	fmt.Fprintf(w, "%s a run (stock: %s), up to %d repetitions, one worker on one processor\n%s\n%s\n\n%s\n",
		rs.settings.Time, rs.settings.StockTime, most, rs.settings.Machine, strings.Join(targets, " "), explained)
	for _, r := range rs.list {
		if r.Error != "" {
			first, _, _ := strings.Cut(r.Error, "\n")
			fmt.Fprintf(w, "no result of %s: %s\n", r.id(), first)
		}
	}
	for _, t := range targets {
		if err := rs.printTarget(w, t, contenders); err != nil {
			return err
		}
	}
	if err := rs.printReliability(w, targets, contenders); err != nil {
		return err
	}
	if err := rs.printOracles(w, targets, contenders); err != nil {
		return err
	}
	return rs.printSummary(w, targets, contenders)
}

// column returns one figure of each run.
func column(runs []record, get func(*record) float64) []float64 {
	var v []float64
	for i := range runs {
		v = append(v, get(&runs[i]))
	}
	return v
}

func mean(runs []record, get func(*record) float64) float64 { return stats.Mean(column(runs, get)) }

func kills(r *record) float64   { return float64(r.Killed()) }
func covered(r *record) float64 { return float64(r.Covered) }

// better returns the way of stock fuzzing with more kills on a target.
func (rs *records) better(target string) string {
	if stats.Mean(column(rs.of(target, stockQuick), kills)) > stats.Mean(column(rs.of(target, stock), kills)) {
		return stockQuick
	}
	return stock
}

// trivial lists the mutants that the seeds alone kill.
func (rs *records) trivial(target string) map[string]bool {
	set := make(map[string]bool)
	for _, r := range rs.of(target, seedsAlone) {
		for _, ids := range r.Kills {
			for _, id := range ids {
				set[id] = true
			}
		}
	}
	return set
}

// nontrivial lists the mutants that a run killed and the seeds don't, sorted.
func nontrivial(r *record, trivial map[string]bool) []string {
	var list []string
	for _, ids := range r.Kills {
		for _, id := range ids {
			if !trivial[id] {
				list = append(list, id)
			}
		}
	}
	slices.Sort(list)
	return list
}

func (rs *records) printTarget(w io.Writer, target string, contenders []string) error {
	base := rs.of(target, rs.better(target))
	trivial := rs.trivial(target)
	some := rs.of(target, seedsAlone)
	if len(base) > 0 {
		some = base
	}
	if len(some) == 0 {
		return nil
	}
	fmt.Fprintf(w, "\n%s: %d mutants, %d blocks\n", target, some[0].Mutants, some[0].Blocks)
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(tw, "contender\truns\tkills\t")
	for _, k := range killKinds {
		fmt.Fprintf(tw, "%s\t", k)
	}
	fmt.Fprintln(tw, "nontrivial\tp\tA12\tblocks\tp\tA12\t")
	for _, c := range contenders {
		runs := rs.of(target, c)
		if len(runs) == 0 {
			continue
		}
		fmt.Fprintf(tw, "%s\t%d\t%.1f\t", c, len(runs), mean(runs, kills))
		for _, k := range killKinds {
			fmt.Fprintf(tw, "%.1f\t", mean(runs, func(r *record) float64 { return float64(len(r.Kills[k])) }))
		}
		fmt.Fprintf(tw, "%.1f\t%s\t", mean(runs, func(r *record) float64 { return float64(len(nontrivial(r, trivial))) }), against(runs, base, kills))
		fmt.Fprintf(tw, "%.1f\t%s\t\n", mean(runs, covered), against(runs, base, covered))
	}
	if err := tw.Flush(); err != nil {
		return err
	}
	return rs.printCosts(w, target, contenders)
}

// printCosts prints what the runs on a target cost, and the size of what they
// leave.
func (rs *records) printCosts(w io.Writer, target string, contenders []string) error {
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(tw, "contender\texecutions\tfuzz s\tCPU s\tafter\tfailing\tentries\treplay s\twritten: entries\treplay s\tkills\tblocks\t")
	for _, c := range contenders {
		runs := rs.of(target, c)
		if len(runs) == 0 {
			continue
		}
		fmt.Fprintf(tw, "%s\t%.0f\t%.1f\t%.1f\t%.1f\t%.1f\t%.0f\t%.2f\t", c,
			mean(runs, func(r *record) float64 { return float64(r.Executions) }),
			mean(runs, func(r *record) float64 { return r.Fuzzed }),
			mean(runs, func(r *record) float64 { return r.FuzzCPU }),
			mean(runs, func(r *record) float64 { return r.CPU - r.FuzzCPU }),
			mean(runs, func(r *record) float64 { return float64(r.Failing) }),
			mean(runs, func(r *record) float64 { return float64(r.Entries) }),
			mean(runs, func(r *record) float64 { return r.Replay }))
		if runs[0].Written == nil {
			fmt.Fprintln(tw, "-\t-\t-\t-\t")
			continue
		}
		fmt.Fprintf(tw, "%.0f\t%.2f\t%.1f\t%.1f\t\n",
			mean(runs, func(r *record) float64 { return float64(r.Written.Entries) }),
			mean(runs, func(r *record) float64 { return r.Written.Replay }),
			mean(runs, func(r *record) float64 { return float64(r.Written.Killed) }),
			mean(runs, func(r *record) float64 { return float64(r.Written.Covered) }))
	}
	return tw.Flush()
}

// against compares runs with those of stock: two cells. Stock is not compared with
// itself, nor are the seeds, which always do the same.
func against(runs, base []record, get func(*record) float64) string {
	if len(base) == 0 || runs[0].Contender == base[0].Contender || runs[0].Contender == seedsAlone {
		return "\t"
	}
	x, y := column(runs, get), column(base, get)
	_, p := stats.MannWhitney(x, y)
	return fmt.Sprintf("%.3f\t%.2f", p, stats.A12(x, y))
}

// printSummary prints how the filters do against stock over all targets, and
// which filter is best on each.
func (rs *records) printSummary(w io.Writer, targets, contenders []string) error {
	filters := slices.DeleteFunc(slices.Clone(contenders), func(c string) bool {
		return c == seedsAlone || c == stock || c == stockQuick
	})
	fmt.Fprint(w, "\nKilled mutants against the better of stock, over all targets that have both\n")
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(tw, "contender\ttargets\tmean gain\tleast\tkills at least equal\tmore\tnontrivial gain\tblocks at least equal\t")
	for _, c := range filters {
		s := rs.summary(targets, c)
		fmt.Fprintf(tw, "%s\t%d\t%+.1f %%\t%+.1f %%\t%d\t%d\t%+.1f %%\t%d\t\n",
			c, s.targets, 100*s.gain, 100*s.least, s.kills, s.more, 100*s.nontrivial, s.blocks)
	}
	if err := tw.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(w, "\nThe mean gain is that of the ratios of mean kills, target by target; \"more\" counts the targets\nwhere the kills are more with p < 0.05; the nontrivial gain leaves out what the seeds kill.")
	return rs.printBest(w, targets, filters)
}

// summary is how a contender does against stock over all targets.
type summary struct {
	targets     int
	gain, least float64 // of kills, as a part of stock's
	nontrivial  float64 // the same of nontrivial kills, over targets where stock has any
	kills, more int     // targets with at least as many; with more, significantly
	blocks      int
}

func (rs *records) summary(targets []string, contender string) summary {
	var s summary
	var gains, hard []float64
	for _, t := range targets {
		runs, base := rs.of(t, contender), rs.of(t, rs.better(t))
		if len(runs) == 0 || len(base) == 0 {
			continue
		}
		s.targets++
		x, y := column(runs, kills), column(base, kills)
		gains = append(gains, stats.Mean(x)/stats.Mean(y)-1)
		if stats.Mean(x) >= stats.Mean(y) {
			s.kills++
		}
		if _, p := stats.MannWhitney(x, y); p < 0.05 && stats.A12(x, y) > 0.5 {
			s.more++
		}
		if stats.Mean(column(runs, covered)) >= stats.Mean(column(base, covered)) {
			s.blocks++
		}
		trivial := rs.trivial(t)
		count := func(r *record) float64 { return float64(len(nontrivial(r, trivial))) }
		if n := stats.Mean(column(base, count)); n > 0 {
			hard = append(hard, stats.Mean(column(runs, count))/n-1)
		}
	}
	if len(gains) > 0 {
		s.gain, s.least = stats.Mean(gains), slices.Min(gains)
	}
	s.nontrivial = stats.Mean(hard)
	return s
}

// printBest prints the best of the other filters on each target beside adaptive.
func (rs *records) printBest(w io.Writer, targets, filters []string) error {
	const adaptive = "adaptive"
	if !slices.Contains(filters, adaptive) || len(filters) < 2 {
		return nil
	}
	fmt.Fprint(w, "\nThe best other filter on each target against adaptive, by kills\n")
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(tw, "target\tbest other\tkills\tadaptive\tadaptive/best\tp\tA12\t")
	for _, t := range targets {
		runs := rs.of(t, adaptive)
		best, name := []record(nil), ""
		for _, f := range filters {
			if f == adaptive {
				continue
			}
			if r := rs.of(t, f); len(r) > 0 && (best == nil || stats.Mean(column(r, kills)) > stats.Mean(column(best, kills))) {
				best, name = r, f
			}
		}
		if len(runs) == 0 || best == nil {
			continue
		}
		x, y := stats.Mean(column(runs, kills)), stats.Mean(column(best, kills))
		fmt.Fprintf(tw, "%s\t%s\t%.1f\t%.1f\t%.3f\t%s\t\n", t, name, y, x, x/y, against(runs, best, kills))
	}
	return tw.Flush()
}

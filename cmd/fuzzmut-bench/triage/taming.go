package triage

import (
	"flag"
	"fmt"
	"io"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"text/tabwriter"

	"github.com/fuzzmut/fuzzmut/cmd/fuzzmut-bench/stats"
	"github.com/fuzzmut/fuzzmut/corpus/bitset"
	"github.com/fuzzmut/fuzzmut/fuzzmut/triage"
)

// rankedPlaces is how many places of a ranking the figures look at.
const rankedPlaces = 50

// RunTaming prints the figures of Holmes and Groce from their data.
func RunTaming(args []string) error {
	fs := flag.NewFlagSet("taming", flag.ContinueOnError)
	data := fs.String("data", "../shared/triage-data", "directory of the published data")
	if err := fs.Parse(args); err != nil {
		return err
	}
	t, err := newTaming(*data)
	if err != nil {
		return err
	}
	return t.print(os.Stdout)
}

// taming is the data, and what is expected of them.
type taming struct {
	expected     expectedFigures
	goat         *fuzzgoat
	spiderMonkey *repairs
	spiderLines  *lineCoverage
	gccLines     *lineCoverage
}

func newTaming(dir string) (*taming, error) {
	t := &taming{}
	err := readJSON(dir, "expected.json", &t.expected)
	if err == nil {
		t.goat, err = readFuzzgoat(dir)
	}
	if err == nil {
		t.spiderMonkey, err = readSpiderMonkey(dir)
	}
	if err == nil {
		t.spiderLines, err = readLineCoverage(dir, "spidermonkey16_linecov.json.gz")
	}
	if err == nil {
		t.gccLines, err = readLineCoverage(dir, "gcc430_linecov.json.gz")
	}
	return t, err
}

// notUniversal holds for mutants that do not repair every test.
func (t *taming) notUniversal(m *repairingMutant) bool {
	return len(m.Repairs) < len(t.spiderMonkey.tests)
}

func (t *taming) notUniversalDeletion(m *repairingMutant) bool {
	return m.Op == "del_stmt" && t.notUniversal(m)
}

func (t *taming) print(out io.Writer) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "Table IV: fuzzgoat, all %d tests as starts: runs that show all %d faults in K places, and the mean number shown\n\n",
		len(t.goat.tests), t.goat.count)
	t.printTable(w, "repairs", "repair_paperlike", "repair", t.goat.repairs)
	t.printTable(w, "line coverage", "linecov", "linecov", t.goat.lines)
	fmt.Fprintf(w, "\nSpiderMonkey 1.6: %d tests, %d faults\n\n", len(t.spiderMonkey.tests), t.spiderMonkey.count)
	t.printRepairs(w)
	fmt.Fprintf(w, "\nRankings, the first %d places: from the start that is expected, and the mean over all starts\n\n", rankedPlaces)
	t.printRankings(w)
	fmt.Fprintf(w, "\nRandom slices of SpiderMonkey, ranked to the end: APFD\n\n")
	t.printSlices(w)
	return w.Flush()
}

// tableIV computes a row of Table IV.
func (g *fuzzgoat) tableIV(vectors []bitset.Set, k int) tableRow {
	m := triage.Among(vectors)
	row := tableRow{}
	sum := 0
	for start := range vectors {
		curve := triage.Discovery(itemsOf(triage.FurthestFirst(len(vectors), start, k, m)), g.faults)
		seen := curve[len(curve)-1]
		sum += seen
		if seen == g.count {
			row.Perfect++
		}
	}
	row.Mean = float64(sum) / float64(len(vectors))
	return row
}

func (t *taming) printTable(w io.Writer, title, key, paperKey string, vectors []bitset.Set) {
	fmt.Fprintf(w, "%s\tK\tours\texpected\tpublished\n", title)
	for _, k := range slices.Sorted(maps.Keys(intKeys(t.expected.Fuzzgoat.Ours[key]))) {
		row, ours := t.goat.tableIV(vectors, k), strconv.Itoa(k)
		want := t.expected.Fuzzgoat.Ours[key][ours]
		paper := t.expected.Fuzzgoat.Paper[ours][paperKey]
		fmt.Fprintf(w, "\t%d\t%d %.3f\t%d %.3f\t%.0f %.3f\n", k, row.Perfect, row.Mean, want.Perfect, want.Mean, paper["perfect"], paper["mean_bugs"])
	}
}

func intKeys(m map[string]tableRow) map[int]bool {
	keys := make(map[int]bool)
	for k := range m {
		if n, err := strconv.Atoi(k); err == nil {
			keys[n] = true
		}
	}
	return keys
}

// figures computes what repairs tell about faults.
func (r *repairs) figures() repairFigures {
	f := repairFigures{Mutants: len(r.mutants)}
	var counts, homogeneity []float64
	var pairs pairCounts
	for _, m := range r.mutants {
		counts = append(counts, float64(len(m.Repairs)))
		homogeneity = append(homogeneity, r.homogeneity(m.Repairs))
		pairs.add(r.byFault(m.Repairs), r.byFault(nil), len(m.Repairs), len(r.tests))
	}
	f.TestsMean, f.TestsMedian = stats.Mean(counts), stats.Median(counts)
	f.HomogeneityMean, f.HomogeneityMedian = stats.Mean(homogeneity), stats.Median(homogeneity)
	f.Both, f.Disagree, f.Neither = pairs.shares()
	f.Baseline = r.sameFault()
	vectors := r.vectors()
	keys := make(map[string]bool)
	for _, v := range vectors {
		keys[v.Key()] = true
	}
	f.Distinct = len(keys)
	f.Nearest.AnyTied, f.Nearest.AllTied, f.Nearest.MeanTied = r.nearest(triage.Among(vectors))
	return f
}

// byFault counts tests by fault; nil stands for all tests.
func (s *suite) byFault(tests []int) map[string]int {
	counts := make(map[string]int)
	if tests == nil {
		for i := range s.tests {
			counts[s.faults[i][0]]++
		}
	}
	for _, t := range tests {
		counts[s.faults[t][0]]++
	}
	return counts
}

// homogeneity is the share of the tests with the commonest fault.
func (s *suite) homogeneity(tests []int) float64 {
	most := 0
	for _, n := range s.byFault(tests) {
		most = max(most, n)
	}
	return float64(most) / float64(len(tests))
}

// sameFault is the share of the pairs of tests that have the same fault.
func (s *suite) sameFault() float64 {
	same := 0
	for _, n := range s.byFault(nil) {
		same += n * (n - 1) / 2
	}
	n := len(s.tests)
	return float64(same) / float64(n*(n-1)/2)
}

// pairCounts counts, over mutants, the pairs of tests where a mutant repairs
// both, one, or neither, and those among them with the same fault.
type pairCounts struct {
	both, bothSame, one, oneSame, none, noneSame int
}

func (p *pairCounts) add(repaired, all map[string]int, n, tests int) {
	p.both += n * (n - 1) / 2
	p.one += n * (tests - n)
	p.none += (tests - n) * (tests - n - 1) / 2
	for fault, total := range all {
		k := repaired[fault]
		p.bothSame += k * (k - 1) / 2
		p.oneSame += k * (total - k)
		p.noneSame += (total - k) * (total - k - 1) / 2
	}
}

func (p *pairCounts) shares() (both, one, none float64) {
	return float64(p.bothSame) / float64(p.both), float64(p.oneSame) / float64(p.one), float64(p.noneSame) / float64(p.none)
}

// nearest says how often the nearest other test has the same fault, over the tests
// whose fault has others: any of those that are as near, all of them, and the mean
// share of them.
func (s *suite) nearest(m triage.Metric) (anyTied, allTied, meanTied float64) {
	counts := s.byFault(nil)
	n := 0
	for i := range s.tests {
		fault := s.faults[i][0]
		if counts[fault] < 2 {
			continue
		}
		n++
		best, tied, same := math.Inf(1), 0, 0
		for j := range s.tests {
			if j == i {
				continue
			}
			d := m(i, j)
			if d < best {
				best, tied, same = d, 0, 0
			}
			if d == best {
				tied++
				if s.faults[j][0] == fault {
					same++
				}
			}
		}
		if same > 0 {
			anyTied++
		}
		if same == tied {
			allTied++
		}
		meanTied += float64(same) / float64(tied)
	}
	return anyTied / float64(n), allTied / float64(n), meanTied / float64(n)
}

func (t *taming) printRepairs(w io.Writer) {
	all, not := t.spiderMonkey.figures(), t.spiderMonkey.only(t.notUniversal).figures()
	del := t.spiderMonkey.only(t.notUniversalDeletion).figures()
	e := &t.expected
	fmt.Fprintf(w, "\tours\texpected\tpublished\twithout universal repairs\texpected\tdeletions only\texpected\n")
	row := func(name, format, published string, value func(f *repairFigures) any) {
		fmt.Fprintf(w, "%s\t"+format+"\t"+format+"\t%s\t"+format+"\t"+format+"\t"+format+"\t"+format+"\n", name,
			value(&all), value(&e.All), published, value(&not), value(&e.NotUniversal), value(&del), value(&e.Deletions))
	}
	row("repairing mutants", "%d", "", func(f *repairFigures) any { return f.Mutants })
	row("tests per mutant, mean", "%.1f", "120.6", func(f *repairFigures) any { return f.TestsMean })
	row("tests per mutant, median", "%.0f", "4", func(f *repairFigures) any { return f.TestsMedian })
	row("homogeneity, mean %", "%.2f", "77.96", func(f *repairFigures) any { return 100 * f.HomogeneityMean })
	row("homogeneity, median %", "%.2f", "86.36", func(f *repairFigures) any { return 100 * f.HomogeneityMedian })
	row("P(same fault) %", "%.2f", "33.64", func(f *repairFigures) any { return 100 * f.Baseline })
	row("P(same | both repaired) %", "%.2f", "42.77", func(f *repairFigures) any { return 100 * f.Both })
	row("P(same | disagree) %", "%.2f", "20.33", func(f *repairFigures) any { return 100 * f.Disagree })
	row("P(same | neither) %", "%.2f", "34.14", func(f *repairFigures) any { return 100 * f.Neither })
	row("nearest has the fault %", "%.2f", "96.3", func(f *repairFigures) any { return 100 * f.Nearest.AnyTied })
	row("distinct vectors", "%d", "", func(f *repairFigures) any { return f.Distinct })
}

// rank ranks a suite from one start and says how that does.
func (s *suite) rank(m triage.Metric, start int) rankingFigures {
	order := itemsOf(triage.FurthestFirst(len(s.tests), start, rankedPlaces, m))
	f := rankingFigures{Start: s.tests[start], Curve: triage.Discovery(order, s.faults)}
	for _, i := range order {
		f.First = append(f.First, s.tests[i])
	}
	ideal := idealCurve(len(order), s.count)
	f.APFD = triage.APFD(f.Curve, s.count)
	f.Area = areaOver(f.Curve, ideal)
	f.OfIdeal = f.APFD / triage.APFD(ideal, s.count)
	f.Plateau = plateauOf(f.Curve)
	return f
}

// overStarts returns the means over all tests as starts.
func (s *suite) overStarts(m triage.Metric) (seen, apfd float64) {
	var seens, apfds []float64
	for start := range s.tests {
		f := s.rank(m, start)
		seens, apfds = append(seens, float64(f.Curve[len(f.Curve)-1])), append(apfds, f.APFD)
	}
	return stats.Mean(seens), stats.Mean(apfds)
}

func (t *taming) printRankings(w io.Writer) {
	fmt.Fprintln(w, "\t\tfaults in 50\tAPFD\tover the ideal\tarea\tlongest plateau\tall starts: faults in 50\tAPFD")
	t.printRanking(w, "SpiderMonkey, repairs", &t.spiderMonkey.suite, t.spiderMonkey.vectors(), t.expected.All.rankingFigures)
	not := t.spiderMonkey.only(t.notUniversal)
	t.printRanking(w, "... without universal repairs", &not.suite, not.vectors(), t.expected.NotUniversal.rankingFigures)
	del := t.spiderMonkey.only(t.notUniversalDeletion)
	t.printRanking(w, "... deletions only", &del.suite, del.vectors(), t.expected.Deletions.rankingFigures)
	t.printRanking(w, "SpiderMonkey, line coverage", &t.spiderLines.suite, t.spiderLines.vectors, t.expected.SpiderMonkeyLines)
	t.printRanking(w, "GCC 4.3.0, line coverage", &t.gccLines.suite, t.gccLines.vectors, t.expected.GCCLines)
}

func (t *taming) printRanking(w io.Writer, title string, s *suite, vectors []bitset.Set, want rankingFigures) {
	m := triage.Among(vectors).Tabulated(len(vectors))
	ours := s.rank(m, 0)
	seen, apfd := s.overStarts(m)
	row := func(title, side string, f *rankingFigures) {
		fmt.Fprintf(w, "%s\t%s\t%d\t%.4f\t%.4f\t%.4f\t%d", title, side, f.Curve[len(f.Curve)-1], f.APFD, f.OfIdeal, f.Area, f.Plateau)
	}
	row(title, "ours", &ours)
	fmt.Fprintf(w, "\t%.2f\t%.4f\n", seen, apfd)
	row("", "expected", &want)
	fmt.Fprintln(w)
}

// The slices. Neither the paper nor the data say how many tests one has; with 100 ours come near both.
const (
	sliceCount = 20
	sliceSeeds = 6
)

var sliceSizes = []int{50, 75, 100, 200}

// slices ranks random slices to the end, and returns their APFDs.
func (s *suite) slices(m triage.Metric, size int, seed uint64) []float64 {
	r := rand.New(rand.NewPCG(seed, 0))
	var list []float64
	for range sliceCount {
		part := r.Perm(len(s.tests))[:size]
		slices.Sort(part)
		order := triage.FurthestFirst(size, 0, 0, func(i, j int) float64 { return m(part[i], part[j]) })
		var faults [][]string
		for _, i := range part {
			faults = append(faults, s.faults[i])
		}
		curve := triage.Discovery(itemsOf(order), faults)
		list = append(list, triage.APFD(curve, curve[size-1]))
	}
	return list
}

func (t *taming) printSlices(w io.Writer) {
	not := t.spiderMonkey.only(t.notUniversal)
	metrics := []struct {
		name string
		m    triage.Metric
	}{
		{"repairs", triage.Among(t.spiderMonkey.vectors())},
		{"without universal repairs", triage.Among(not.vectors())},
		{"line coverage", triage.Among(t.spiderLines.vectors)},
	}
	fmt.Fprintf(w, "\ttests\tmean of %d × %d\tmedian\n", sliceCount, sliceSeeds)
	for _, metric := range metrics {
		m := metric.m.Tabulated(len(t.spiderMonkey.tests))
		for _, size := range sliceSizes {
			var all []float64
			for seed := range uint64(sliceSeeds) {
				all = append(all, t.spiderMonkey.slices(m, size, seed+1)...)
			}
			fmt.Fprintf(w, "%s\t%d\t%.4f\t%.4f\n", metric.name, size, stats.Mean(all), stats.Median(all))
		}
	}
	fmt.Fprintln(w, "expected, repairs\tnot told\t0.8876\t0.8989")
	fmt.Fprintln(w, "published, repairs\tnot told\t0.8923\t0.9005")
}

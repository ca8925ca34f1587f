package values

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
)

// huntRun is what became of a run, as testdata/hunt prints it.
type huntRun struct {
	Machine  string  `json:"machine"`
	Strategy string  `json:"strategy"`
	Fault    int     `json:"fault"`
	Seed     uint64  `json:"seed"`
	Found    bool    `json:"found"`
	Tests    int     `json:"tests"`
	Passed   int     `json:"passed"`
	Seconds  float64 `json:"seconds"`
}

func parseHunt(text []byte) ([]huntRun, error) {
	var runs []huntRun
	dec := json.NewDecoder(bytes.NewReader(text))
	for dec.More() {
		var r huntRun
		if err := dec.Decode(&r); err != nil {
			return nil, err
		}
		runs = append(runs, r)
	}
	return runs, nil
}

// huntFigures are figures of others, of each fault: mean tests to failure and seconds
// of MUTAGEN (its authors' draft data, 2022), tests and share of FuzzChick in the same
// data, and the seconds of the FuzzChick paper, -1 where it found nothing in eight
// hours.
type huntFigures struct {
	title          string // what the faults are of
	names          []string
	mutagen        []float64
	mutagenSeconds []float64
	chick          []float64
	chickShare     []int // of 30 runs
	chickSeconds   []float64
}

var publishedHunts = map[string]huntFigures{
	"stack": {
		title: "the stack machine",
		mutagen: []float64{
			3633, 7122, 4634, 16831, 2327, 2313, 333, 299, 26342, 25044,
			2537, 14483, 13455, 3928, 43678, 27602, 52345, 123401, 30682, 15842,
		},
		chick: []float64{
			13975, 23963, 19679, 20398, 17348, 10727, 5071, 5596, 16402, 11553,
			11304, 18507, 17962, 10622, 23866, 25322, 28516, 24219, 18639, 18883,
		},
		chickShare: []int{30, 21, 20, 19, 28, 22, 30, 30, 11, 4, 21, 8, 16, 28, 26, 30, 30, 8, 15, 26},
		chickSeconds: []float64{
			2.5, 3.0, 3.0, 149.9, 3.8, 2.0, 0.7, 0.5, 2283, -1,
			153.4, 388.5, 414.3, 1.34, 382.8, 2.9, 3.2, 1055.6, 19.2, 2.5,
		},
	},
	"register": {
		title: "the register machine",
		chickSeconds: []float64{
			36.8, 351.6, 5969.6, -1, 17361.6, 407.7, 939.1, 653.1, -1, 2320.2, 137.6,
			112.9, 482.4, 9.5, 30.8, 1174.4, 115.3, 31.1, 141.1, 46.5, 84.7, 40.4,
			41.5, 29.0, 29.3, 50.3, 61.6, 9976.1, 53.1, -1, -1, 8497.9, 30749.3,
		},
	},
	"wasm": {
		title: "wazero's validator and interpreter",
		names: []string{"V1", "V2", "V3", "V4", "V5", "V6", "V7", "V8", "V9", "V10", "I11", "I12", "I13", "I14", "I15"},
		mutagen: []float64{
			17219, 1526, 111, 155, 18, 2534, 6076, 2393, 2342, 6360,
			740658, 415818, 300105, 697409, 448705,
		},
		mutagenSeconds: []float64{6.69, 1.16, 0.10, 0.12, 0.01, 1.54, 2.53, 1.31, 1.19, 2.61, 392, 228, 211, 359, 243},
	},
}

// cell is what the runs of a strategy at a fault say.
type cell struct {
	runs, found   int
	tests, passed float64
	seconds       float64
}

// byStrategy sums up runs by strategy, in the order in which they come, and fault.
func byStrategy(runs []huntRun) (strategies []string, faults []int, cells map[string]map[int]*cell) {
	cells = make(map[string]map[int]*cell)
	for _, r := range runs {
		if cells[r.Strategy] == nil {
			cells[r.Strategy] = make(map[int]*cell)
			strategies = append(strategies, r.Strategy)
		}
		c := cells[r.Strategy][r.Fault]
		if c == nil {
			c = &cell{}
			cells[r.Strategy][r.Fault] = c
		}
		if !slices.Contains(faults, r.Fault) {
			faults = append(faults, r.Fault)
		}
		c.runs++
		c.tests += float64(r.Tests)
		c.passed += float64(r.Passed)
		c.seconds += r.Seconds
		if r.Found {
			c.found++
		}
	}
	slices.Sort(faults)
	return strategies, faults, cells
}

// printHunt prints, for each fault, what each strategy took to find it.
func printHunt(w io.Writer, machine string, runs []huntRun) {
	strategies, faults, cells := byStrategy(runs)
	p := publishedHunts[machine]
	fmt.Fprintf(w, "Faults of %s: mean tests to failure, mean seconds of processor time, and the\n"+
		"share of runs that found it where that is not all. Runs that found nothing count with the tests and\n"+
		"seconds they made. MUTAGEN: its authors' draft data, 2022.", p.title)
	if p.chickSeconds != nil {
		fmt.Fprint(w, " FuzzChick: tests of the runs that found\nit in the same data, and the seconds of its paper.")
	}
	fmt.Fprint(w, "\n\n")
	tw := tabwriter.NewWriter(w, 2, 0, 2, ' ', tabwriter.AlignRight)
	others := p.columns()
	fmt.Fprint(tw, "fault\t", strings.Join(strategies, "\t"), "\t")
	for _, c := range others {
		fmt.Fprint(tw, c.head, "\t")
	}
	fmt.Fprintln(tw)
	for _, f := range faults {
		fmt.Fprint(tw, p.name(f), "\t")
		for _, s := range strategies {
			fmt.Fprint(tw, cells[s][f], "\t")
		}
		for _, c := range others {
			fmt.Fprint(tw, c.text(f), "\t")
		}
		fmt.Fprintln(tw)
	}
	tw.Flush()
	fmt.Fprintln(w)
	for _, s := range strategies {
		fmt.Fprintf(w, "%s: %s\n", s, huntSummary(cells[s], &p))
	}
}

// name is what a fault is called.
func (p *huntFigures) name(fault int) string {
	if fault < 1 || fault > len(p.names) {
		return fmt.Sprint(fault)
	}
	return p.names[fault-1]
}

// figures is a column of others' figures.
type figures struct {
	head string
	text func(fault int) string
}

// columns are those for which there are figures.
func (p *huntFigures) columns() (list []figures) {
	add := func(there []float64, head string, text func(fault int) string) {
		if there != nil {
			list = append(list, figures{head, text})
		}
	}
	add(p.mutagen, "MUTAGEN", func(f int) string { return at(p.mutagen, f, "%.0f") + at(p.mutagenSeconds, f, " %gs") })
	add(p.chick, "FuzzChick", p.chickText)
	add(p.chickSeconds, "its paper", func(f int) string { return at(p.chickSeconds, f, "%.1fs") })
	return list
}

func at(list []float64, fault int, format string) string {
	switch {
	case fault < 1 || fault > len(list):
		return ""
	case list[fault-1] < 0:
		return "never"
	}
	return fmt.Sprintf(format, list[fault-1])
}

func (p *huntFigures) chickText(fault int) string {
	if fault < 1 || fault > len(p.chick) {
		return ""
	}
	s := fmt.Sprintf("%.0f", p.chick[fault-1])
	if n := p.chickShare[fault-1]; n < 30 {
		s += fmt.Sprintf(" %d%%", n*100/30)
	}
	return s
}

func (c *cell) String() string {
	if c == nil {
		return ""
	}
	n := float64(c.runs)
	s := fmt.Sprintf("%.0f %.2gs", c.tests/n, c.seconds/n)
	if c.found < c.runs {
		s += fmt.Sprintf(" %d%%", 100*c.found/c.runs)
	}
	return s
}

// huntSummary says how a strategy does on all faults together.
func huntSummary(cells map[int]*cell, p *huntFigures) string {
	var runs, found, below int
	var tests, passed, seconds float64
	for f, c := range cells {
		runs, found = runs+c.runs, found+c.found
		tests, passed, seconds = tests+c.tests, passed+c.passed, seconds+c.seconds
		if f >= 1 && f <= len(p.mutagen) && c.found == c.runs && c.tests/float64(c.runs) < p.mutagen[f-1] {
			below++
		}
	}
	s := fmt.Sprintf("%d of %d runs found their fault, %.0f tests a second of processor time, %.1f %% of them not discarded", found, runs, tests/seconds, 100*passed/tests)
	if p.mutagen != nil {
		s += fmt.Sprintf("; fewer tests than MUTAGEN on %d faults", below)
	}
	return s
}

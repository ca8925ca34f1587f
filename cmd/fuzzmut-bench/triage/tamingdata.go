package triage

import (
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/fuzzmut/fuzzmut/corpus/bitset"
)

// The data of "Using mutants to help developers distinguish and debug (compiler)
// faults", as the README beside them describes them.

// readJSON reads a file of JSON, which may be compressed.
func readJSON(dir, name string, v any) error {
	path := filepath.Join(dir, name)
	f, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("%w; DATA names the directory of the published data", err)
	}
	defer f.Close()
	d := json.NewDecoder(f)
	if filepath.Ext(name) == ".gz" {
		z, err := gzip.NewReader(f)
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		d = json.NewDecoder(z)
	}
	if err := d.Decode(v); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// suite is a set of failing tests with their faults.
type suite struct {
	tests  []string
	faults [][]string // of each test
	count  int        // faults in all
}

func newSuite(tests []string, faults [][]string) suite {
	seen := make(map[string]bool)
	for _, list := range faults {
		for _, f := range list {
			seen[f] = true
		}
	}
	return suite{tests: tests, faults: faults, count: len(seen)}
}

// oneFault returns a suite whose tests have one fault each.
func oneFault(tests, faults []string) suite {
	lists := make([][]string, len(faults))
	for i, f := range faults {
		lists[i] = []string{f}
	}
	return newSuite(tests, lists)
}

// lineCoverage is the statement coverage of a suite.
type lineCoverage struct {
	suite
	vectors []bitset.Set
}

func readLineCoverage(dir, name string) (*lineCoverage, error) {
	var raw struct {
		Tests, Faults []string
		Always        int
		Weights       []int
		Rows          []string `json:"rows_b64"`
	}
	if err := readJSON(dir, name, &raw); err != nil {
		return nil, err
	}
	c := &lineCoverage{suite: oneFault(raw.Tests, raw.Faults)}
	for i, row := range raw.Rows {
		bits, err := base64.StdEncoding.DecodeString(row)
		if err != nil {
			return nil, fmt.Errorf("%s: row %d: %w", name, i, err)
		}
		c.vectors = append(c.vectors, lines(bits, raw.Weights, raw.Always))
	}
	return c, nil
}

// lines spells a row out: a column stands for several lines that the same tests
// cover, and some lines are covered by all.
func lines(row []byte, weights []int, always int) bitset.Set {
	var v bitset.Set
	for i := range always {
		v.Add(i)
	}
	at := always
	for j, w := range weights {
		for k := range w {
			if row[j/8]>>(j%8)&1 != 0 {
				v.Add(at + k)
			}
		}
		at += w
	}
	return v
}

// repairs are the repair vectors of a suite, and the mutants they are made of.
type repairs struct {
	suite
	mutants []repairingMutant
}

type repairingMutant struct {
	Op      string
	Repairs []int
}

func readSpiderMonkey(dir string) (*repairs, error) {
	var raw struct {
		Tests []struct {
			ID    string
			Fault string
		}
		Mutants []repairingMutant
	}
	if err := readJSON(dir, "spidermonkey16_repairs.json.gz", &raw); err != nil {
		return nil, err
	}
	var tests, faults []string
	for _, t := range raw.Tests {
		tests, faults = append(tests, t.ID), append(faults, t.Fault)
	}
	return &repairs{suite: oneFault(tests, faults), mutants: raw.Mutants}, nil
}

// only returns the same suite with some of the mutants.
func (r *repairs) only(want func(m *repairingMutant) bool) *repairs {
	s := &repairs{suite: r.suite}
	for i := range r.mutants {
		if want(&r.mutants[i]) {
			s.mutants = append(s.mutants, r.mutants[i])
		}
	}
	return s
}

// vectors returns the repair vector of each test.
func (r *repairs) vectors() []bitset.Set {
	list := make([]bitset.Set, len(r.tests))
	for m, mutant := range r.mutants {
		for _, t := range mutant.Repairs {
			list[t].Add(m)
		}
	}
	return list
}

// fuzzgoat is the data of Table IV, with the tests in the order of the authors.
type fuzzgoat struct {
	suite
	repairs, lines []bitset.Set
}

func readFuzzgoat(dir string) (*fuzzgoat, error) {
	var raw struct {
		Tests []struct {
			ID      string
			Faults  []string
			LineCov string
			Repairs []int `json:"repairs_paperlike"`
		}
		Order []string `json:"paper_order"`
	}
	if err := readJSON(dir, "fuzzgoat.json.gz", &raw); err != nil {
		return nil, err
	}
	g := &fuzzgoat{}
	var tests []string
	var faults [][]string
	for _, id := range raw.Order {
		for _, t := range raw.Tests {
			if t.ID != id {
				continue
			}
			tests, faults = append(tests, id), append(faults, t.Faults)
			g.repairs = append(g.repairs, bitset.Of(t.Repairs...))
			var covered bitset.Set
			for i, c := range t.LineCov {
				if c == '1' {
					covered.Add(i)
				}
			}
			g.lines = append(g.lines, covered)
		}
	}
	if !slices.Equal(tests, raw.Order) {
		return nil, fmt.Errorf("%s: fuzzgoat.json.gz: the order names tests that are not there", dir)
	}
	g.suite = newSuite(tests, faults)
	return g, nil
}

// tableRow is one row of Table IV for one distance: over all tests as starts, how
// often all faults are among the first tests of the ranking, and how many are on
// average.
type tableRow struct {
	Perfect int     `json:"perfect"`
	Mean    float64 `json:"mean_bugs"`
}

// rankingFigures say how a ranking does in its first 50 places.
type rankingFigures struct {
	Start    string
	First    []string `json:"fpf50"`
	Curve    []int    `json:"curve"`
	APFD     float64  `json:"apfd50"`
	Area     float64  `json:"area_over_ideal50"`
	OfIdeal  float64  `json:"apfd_over_ideal50"`
	Plateau  int      `json:"max_plateau"`
	Baseline float64  `json:"baseline_same_fault"`
}

// repairFigures say what repairs tell about faults.
type repairFigures struct {
	rankingFigures
	Mutants           int
	TestsMean         float64 `json:"tests_per_mutant_mean"`
	TestsMedian       float64 `json:"tests_per_mutant_median"`
	HomogeneityMean   float64 `json:"homogeneity_mean"`
	HomogeneityMedian float64 `json:"homogeneity_median"`
	Both              float64 `json:"p_same_given_both_repaired"`
	Disagree          float64 `json:"p_same_given_disagree"`
	Neither           float64 `json:"p_same_given_both_not"`
	Baseline          float64 `json:"baseline"`
	Nearest           struct {
		AnyTied  float64 `json:"any_tied_match"`
		AllTied  float64 `json:"all_tied_match"`
		MeanTied float64 `json:"mean_tied_fraction"`
	} `json:"nn"`
	Distinct int `json:"distinct_vectors"`
}

// expectedFigures are the figures of expected.json that are compared with.
type expectedFigures struct {
	Fuzzgoat struct {
		Ours  map[string]map[string]tableRow           `json:"order=paper_order"`
		Paper map[string]map[string]map[string]float64 `json:"paper_rankingresults"`
	}
	SpiderMonkeyLines rankingFigures `json:"spidermonkey16_linecov"`
	GCCLines          rankingFigures `json:"gcc430_linecov"`
	All               repairFigures  `json:"spidermonkey16_repairs/del+neg"`
	NotUniversal      repairFigures  `json:"spidermonkey16_repairs/del+neg without mutants repairing every test"`
	Deletions         repairFigures  `json:"spidermonkey16_repairs/del_stmt only without mutants repairing every test"`
}

package triage

import (
	"cmp"
	"math"
	"os"
	"slices"
	"strconv"
	"testing"

	"github.com/fuzzmut/fuzzmut/cmd/fuzzmut-bench/stats"
	"github.com/fuzzmut/fuzzmut/corpus/bitset"
	"github.com/fuzzmut/fuzzmut/fuzzmut/triage"
)

// publishedData returns the data of the paper, which are not part of the project.
func publishedData(t *testing.T) *taming {
	dir := cmp.Or(os.Getenv("TRIAGE_DATA"), "../../../../shared/triage-data")
	if _, err := os.Stat(dir); err != nil {
		t.Skipf("%s is not there: the published data are not part of the project; set TRIAGE_DATA to where they are", dir)
	}
	data, err := newTaming(dir)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func near(a, b float64) bool { return math.Abs(a-b) < 1e-9 }

func TestPublishedFiguresAreReproduced(t *testing.T) {
	data := publishedData(t)
	t.Run("TableIV", func(t *testing.T) {
		for key, vectors := range map[string][]bitset.Set{"repair_paperlike": data.goat.repairs, "linecov": data.goat.lines} {
			for k, want := range data.expected.Fuzzgoat.Ours[key] {
				places, _ := strconv.Atoi(k)
				if got := data.goat.tableIV(vectors, places); got.Perfect != want.Perfect || !near(got.Mean, want.Mean) {
					t.Errorf("%s, %s places: %+v, expected %+v", key, k, got, want)
				}
				if paper := data.expected.Fuzzgoat.Paper[k]["linecov"]; key == "linecov" && math.Abs(want.Mean-paper["mean_bugs"]) > 1e-8 {
					t.Errorf("%s, %s places: %v, published %v", key, k, want.Mean, paper["mean_bugs"])
				}
			}
		}
	})
	t.Run("Repairs", func(t *testing.T) {
		compareRepairs(t, data.spiderMonkey, data.expected.All)
		compareRepairs(t, data.spiderMonkey.only(data.notUniversal), data.expected.NotUniversal)
		compareRepairs(t, data.spiderMonkey.only(data.notUniversalDeletion), data.expected.Deletions)
	})
	t.Run("LineCoverage", func(t *testing.T) {
		for _, c := range []struct {
			lines *lineCoverage
			want  rankingFigures
		}{{data.spiderLines, data.expected.SpiderMonkeyLines}, {data.gccLines, data.expected.GCCLines}} {
			if got := c.lines.sameFault(); !near(got, c.want.Baseline) {
				t.Errorf("pairs of one fault: %v, expected %v", got, c.want.Baseline)
			}
			compareRanking(t, c.lines.rank(triage.Among(c.lines.vectors), 0), c.want)
		}
	})
	t.Run("Slices", func(t *testing.T) {
		var all []float64
		m := triage.Among(data.spiderMonkey.vectors())
		for seed := range uint64(sliceSeeds) {
			all = append(all, data.spiderMonkey.slices(m, 100, seed+1)...)
		}
		// They are drawn at random: 0.892 is published.
		if mean := stats.Mean(all); math.Abs(mean-0.892) > 0.01 {
			t.Errorf("APFD of slices: %.4f, published 0.892", mean)
		}
	})
}

func compareRepairs(t *testing.T, r *repairs, want repairFigures) {
	t.Helper()
	got := r.figures()
	for _, f := range []struct {
		name      string
		got, want float64
	}{
		{"mutants", float64(got.Mutants), float64(want.Mutants)},
		{"tests per mutant", got.TestsMean, want.TestsMean},
		{"median of these", got.TestsMedian, want.TestsMedian},
		{"homogeneity", got.HomogeneityMean, want.HomogeneityMean},
		{"median of it", got.HomogeneityMedian, want.HomogeneityMedian},
		{"P(same)", got.Baseline, want.Baseline},
		{"P(same | both)", got.Both, want.Both},
		{"P(same | disagree)", got.Disagree, want.Disagree},
		{"P(same | neither)", got.Neither, want.Neither},
		{"nearest, any", got.Nearest.AnyTied, want.Nearest.AnyTied},
		{"nearest, all", got.Nearest.AllTied, want.Nearest.AllTied},
		{"nearest, mean", got.Nearest.MeanTied, want.Nearest.MeanTied},
		{"distinct vectors", float64(got.Distinct), float64(want.Distinct)},
	} {
		if !near(f.got, f.want) {
			t.Errorf("%d mutants: %s is %v, expected %v", got.Mutants, f.name, f.got, f.want)
		}
	}
	compareRanking(t, r.rank(triage.Among(r.vectors()), 0), want.rankingFigures)
}

func compareRanking(t *testing.T, got, want rankingFigures) {
	t.Helper()
	if !slices.Equal(got.First, want.First) || !slices.Equal(got.Curve, want.Curve) {
		t.Errorf("ranking %v with curve %v,\nexpected %v, %v", got.First, got.Curve, want.First, want.Curve)
	}
	if !near(got.APFD, want.APFD) || !near(got.Area, want.Area) || !near(got.OfIdeal, want.OfIdeal) || got.Plateau != want.Plateau {
		t.Errorf("figures %+v, expected %+v", got, want)
	}
}

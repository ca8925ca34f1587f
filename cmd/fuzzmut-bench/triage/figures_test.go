package triage

import (
	"compress/gzip"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fuzzmut/fuzzmut/corpus/bitset"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/triage"
)

// sixTests are tests of three faults, A, B and C, with mutants that repair some.
func sixTests(mutants ...repairingMutant) *repairs {
	return &repairs{
		suite:   oneFault([]string{"t0", "t1", "t2", "t3", "t4", "t5"}, []string{"A", "A", "A", "B", "B", "C"}),
		mutants: mutants,
	}
}

func TestFiguresOfRepairs(t *testing.T) {
	r := sixTests(
		repairingMutant{"del_stmt", []int{0, 1, 2}},    // of one fault
		repairingMutant{"del_stmt", []int{3, 4, 5}},    // of two
		repairingMutant{"negate", []int{0, 1, 2, 3}},   // of two
		repairingMutant{"negate", []int{0, 1, 2, 3}},   // the same again
		repairingMutant{"del_stmt", []int{0, 1, 2, 3}}, // and again
	)
	f := r.figures()
	want := repairFigures{
		Mutants: 5, TestsMean: 18.0 / 5, TestsMedian: 4,
		HomogeneityMean: (1 + 2.0/3 + 3*0.75) / 5, HomogeneityMedian: 0.75,
		// Pairs that a mutant repairs both of: 3, 3, 6, 6, 6, of one fault 3, 1, 3, 3, 3.
		Both: 13.0 / 24,
		// One of: 9, 9, 8, 8, 8, of one fault 0, 0, 1, 1, 1.
		Disagree: 3.0 / 42,
		// Neither of: 3, 3, 1, 1, 1, of one fault 1, 3, 0, 0, 0.
		Neither: 4.0 / 9, Baseline: 4.0 / 15,
		Distinct: 3, // tests 0 to 2, 3, and 4 and 5
	}
	// The nearest to 0, 1 and 2 are each other; to 3 all of them; to 4 that is 5.
	want.Nearest.AnyTied, want.Nearest.AllTied, want.Nearest.MeanTied = 3.0/5, 3.0/5, 3.0/5
	near := cmp.Comparer(func(a, b float64) bool { return math.Abs(a-b) < 1e-12 })
	if diff := cmp.Diff(want, f, near, cmp.AllowUnexported(repairFigures{})); diff != "" {
		t.Error(diff)
	}
}

func TestSomeOfTheMutants(t *testing.T) {
	r := sixTests(
		repairingMutant{"del_stmt", []int{0, 1, 2, 3, 4, 5}}, repairingMutant{"del_stmt", []int{1}}, repairingMutant{"negate", []int{2, 3}},
	)
	data := &taming{spiderMonkey: r}
	if n := len(r.only(data.notUniversal).mutants); n != 2 {
		t.Errorf("%d mutants do not repair all, want 2", n)
	}
	del := r.only(data.notUniversalDeletion)
	if len(del.mutants) != 1 || len(del.tests) != 6 {
		t.Errorf("deletions: %+v", del)
	}
	var members [][]int
	for _, v := range r.vectors() {
		members = append(members, v.Members())
	}
	if diff := cmp.Diff([][]int{{0}, {0, 1}, {0, 2}, {0, 2}, {0}, {0}}, members); diff != "" {
		t.Error(diff)
	}
}

// In a space of two clusters and a point apart, the ranking from a start shows a fault
// with each of its first places.
func TestRankingOfASuite(t *testing.T) {
	r := sixTests(repairingMutant{"a", []int{0, 1, 2}}, repairingMutant{"b", []int{3, 4}}, repairingMutant{"c", []int{5}})
	m := triage.Among(r.vectors())
	f := r.rank(m, 0)
	if f.Start != "t0" || f.First[0] != "t0" || len(f.First) != 6 || !slices.Equal(f.Curve, []int{1, 2, 3, 3, 3, 3}) {
		t.Errorf("got %+v", f)
	}
	if f.Area != 1 || f.OfIdeal != 1 || f.Plateau != 3 {
		t.Errorf("it is as good as can be: %+v", f)
	}
	seen, apfd := r.overStarts(m)
	if seen != 3 || math.Abs(apfd-f.APFD) > 1e-12 {
		t.Errorf("over all starts %v faults, APFD %v, want 3, %v", seen, apfd, f.APFD)
	}
	list := r.slices(m, 4, 1)
	if len(list) != sliceCount || !slices.Equal(list, r.slices(m, 4, 1)) || slices.Equal(list, r.slices(m, 4, 2)) {
		t.Errorf("slices of one seed and another: %v", list)
	}
}

func TestTableIV(t *testing.T) {
	g := &fuzzgoat{suite: newSuite([]string{"t0", "t1", "t2"}, [][]string{{"A"}, {"A", "B"}, {"C"}})}
	if g.count != 3 {
		t.Fatalf("%d faults, want 3", g.count)
	}
	vectors := []bitset.Set{bitset.Of(0), bitset.Of(1), bitset.Of(2)}
	// In one place 1, 2 or 1 faults; in three all.
	if got := g.tableIV(vectors, 1); got != (tableRow{Mean: 4.0 / 3}) {
		t.Errorf("one place: %+v", got)
	}
	if got := g.tableIV(vectors, 3); got != (tableRow{Perfect: 3, Mean: 3}) {
		t.Errorf("three places: %+v", got)
	}
}

func TestLinesAreSpelledOut(t *testing.T) {
	// Two lines that all cover, then columns of 1, 3 and 2 lines.
	for row, want := range map[byte][]int{0: {0, 1}, 1: {0, 1, 2}, 2: {0, 1, 3, 4, 5}, 5: {0, 1, 2, 6, 7}} {
		if got := lines([]byte{row}, []int{1, 3, 2}, 2); !slices.Equal(got.Members(), want) {
			t.Errorf("row %b: %v, want %v", row, got.Members(), want)
		}
	}
	weights := make([]int, 10)
	weights[9] = 1
	if got := lines([]byte{0, 2}, weights, 0); !slices.Equal(got.Members(), []int{0}) {
		t.Errorf("of the second byte: %v", got.Members())
	}
}

// publish writes a file as it is published.
func publish(t *testing.T, dir, name, text string) {
	t.Helper()
	f, err := os.Create(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if filepath.Ext(name) != ".gz" {
		f.WriteString(text)
		return
	}
	z := gzip.NewWriter(f)
	z.Write([]byte(text))
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestPublishedDataAreRead(t *testing.T) {
	dir := t.TempDir()
	publish(t, dir, "spidermonkey16_repairs.json.gz", `{"tests": [{"id": "x", "fault": "A"}, {"id": "y", "fault": "B"}], "mutants": [{"op": "del_stmt", "repairs": [1]}]}`)
	r, err := readSpiderMonkey(dir)
	if err != nil || !slices.Equal(r.tests, []string{"x", "y"}) || r.count != 2 || len(r.mutants) != 1 || r.mutants[0].Op != "del_stmt" {
		t.Errorf("%+v, %v", r, err)
	}
	publish(t, dir, "lines.json.gz", `{"tests": ["x"], "faults": ["A"], "always": 1, "weights": [2], "rows_b64": ["AQ=="]}`)
	c, err := readLineCoverage(dir, "lines.json.gz")
	if err != nil || len(c.vectors) != 1 || !slices.Equal(c.vectors[0].Members(), []int{0, 1, 2}) {
		t.Errorf("%+v, %v", c, err)
	}
	const goat = `{"tests": [{"id": "b", "faults": ["B"], "linecov": "010", "repairs_paperlike": [3]}, {"id": "a", "faults": ["A", "B"], "linecov": "101"}], "paper_order": `
	publish(t, dir, "fuzzgoat.json.gz", goat+`["a", "b"]}`)
	g, err := readFuzzgoat(dir)
	if err != nil || !slices.Equal(g.tests, []string{"a", "b"}) || !slices.Equal(g.lines[0].Members(), []int{0, 2}) || !slices.Equal(g.repairs[1].Members(), []int{3}) {
		t.Errorf("%+v, %v", g, err)
	}
	for name, read := range map[string]func() error{
		"an order with more tests": func() error {
			publish(t, dir, "fuzzgoat.json.gz", goat+`["a", "c"]}`)
			_, err := readFuzzgoat(dir)
			return err
		},
		"rows that are no base64": func() error {
			publish(t, dir, "bad.json.gz", `{"rows_b64": ["!"]}`)
			_, err := readLineCoverage(dir, "bad.json.gz")
			return err
		},
		"no JSON": func() error {
			publish(t, dir, "bad.json", `{`)
			return readJSON(dir, "bad.json", new(int))
		},
		"not compressed": func() error {
			if err := os.WriteFile(filepath.Join(dir, "plain.gz"), []byte("{}"), 0o666); err != nil {
				t.Fatal(err)
			}
			return readJSON(dir, "plain.gz", new(int))
		},
		"no file": func() error { return readJSON(dir, "nosuch", new(int)) },
	} {
		if read() == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// The repairs that count are numbered separately. Inputs without a label, or that can't
// be sorted, are counted by status.
func TestTriagedInputsAreTakenFromTheReport(t *testing.T) {
	r := &report.Triage{
		Mutants: 40, PackageTests: 3, MutantExecutions: 99,
		Repairs: []report.Repair{{Operator: "math"}, {Operator: "nil-guard", Counts: true}, {Operator: "logic", Counts: true}},
		Inputs: []report.FailingInput{
			{Name: "b", Label: "B", Kind: "panic", Message: "no", Size: 5, Bucket: 1, Rank: 2, Repairs: []int{0, 2}, Changes: []int{1}},
			{Name: "a", Label: "A", Size: 3, Bucket: 2, Rank: 1, Repairs: []int{1, 2}},
			{Name: "passes", Label: "A", Status: report.Passes},
			{Name: "nameless", Bucket: 1, Rank: 3},
		},
	}
	got := newTriaged("m", r)
	if !slices.Equal(got.Operators, []string{"nil-guard", "logic"}) || got.Repairing != 3 || got.Mutants != 40 || got.Tests != 3 || got.Tried != 99 {
		t.Errorf("got %+v", got)
	}
	if len(got.Inputs) != 2 || got.Inputs[0].Name != "a" || !slices.Equal(got.Inputs[0].Repaired, []int{0, 1}) || !slices.Equal(got.Inputs[1].Repaired, []int{1}) {
		t.Errorf("inputs %+v", got.Inputs)
	}
	if in := got.Inputs[1]; in.Kind != "panic: no" || !slices.Equal(in.Changed, []int{0}) {
		t.Errorf("input %+v", in)
	}
	if diff := cmp.Diff(map[string]int{report.Passes: 1, "": 1}, got.Left); diff != "" {
		t.Error(diff)
	}
	dir := filepath.Join(t.TempDir(), "kept")
	if err := got.save(dir); err != nil {
		t.Fatal(err)
	}
	again, err := loadTriaged(dir, "m")
	if diff := cmp.Diff(got, again); diff != "" || err != nil {
		t.Errorf("%v: %s", err, diff)
	}
	if _, err := loadTriaged(dir, "other"); err == nil {
		t.Error("no error for a module that is not kept")
	}
}

func TestTheThresholdIsTheMiddleOfTheBestOfTheOthers(t *testing.T) {
	flat := func(best ...int) []float64 {
		list := make([]float64, len(mergeThresholds))
		for _, k := range best {
			list[k] = 1
		}
		return list
	}
	for _, c := range []struct {
		agreements [][]float64
		left       int
		want       float64
	}{
		{[][]float64{flat(3), flat(7)}, 0, mergeThresholds[7]},
		{[][]float64{flat(3), flat(7)}, 1, mergeThresholds[3]},
		{[][]float64{flat(0), flat(2, 3, 4)}, 0, mergeThresholds[3]},
		{[][]float64{flat(0), flat(2, 3)}, 0, mergeThresholds[2]},
		{[][]float64{flat(0), flat(2, 3), flat(3, 4)}, 0, mergeThresholds[3]},
	} {
		if got := chosenWithout(c.agreements, c.left); got != c.want {
			t.Errorf("without %d: %v, want %v", c.left, got, c.want)
		}
	}
}

func TestTablesOfTriage(t *testing.T) {
	one, two := twoBugs(), twoBugs()
	one.Module, two.Module = "first", "second"
	one.CPU, one.Wall, one.Mutants = 1.5, 9, 70
	for i := range one.Inputs {
		one.Inputs[i].Bucket, one.Inputs[i].Rank = 1+i/3, i+1
	}
	var out strings.Builder
	if err := printTriaged(&out, []*triaged{one, two}); err != nil {
		t.Fatal(err)
	}
	text := strings.Join(strings.Fields(out.String()), " ")
	for _, want := range []string{
		// bugs, inputs, mutants, repairs, that break nothing, without, tests, times, buckets, ranks
		"first 3 5 70 0 2 0 0 1.5 9.0 2 [1 4 5]", "first, 3 bugs in 3 in 5",
		"hybrid: fuzzmut triage 3.00 3.00 3.00 100 % 3.0 3 1.00 1.00 1.00", "leaving a module out", "random",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, &out)
		}
	}
}

func TestLikenesses(t *testing.T) {
	if alike("", "") != 1 || alike("ab", "ab") != 1 || alike("ab", "cd") != 0.5 {
		t.Error("likeness is not the distance over the length of both")
	}
	for _, c := range []struct {
		u, v []string
		want int
	}{{nil, nil, 0}, {[]string{"a", "b", "c"}, []string{"x", "a", "c"}, 2}, {[]string{"a", "b"}, []string{"b", "a"}, 1}} {
		if got := longestCommon(c.u, c.v); got != c.want {
			t.Errorf("%q and %q have %d in common, want %d", c.u, c.v, got, c.want)
		}
	}
}

package fuzzing

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fuzzmut/fuzzmut/cmd/fuzzmut-bench/worth"
)

// runsOf makes a record for each number of kills.
func runsOf(target, contender string, kills ...int) (list []record) {
	for rep, n := range kills {
		r := record{Target: target, Contender: contender, Rep: rep}
		r.Mutants, r.Blocks, r.Covered = 100, 50, n/2
		r.Kills = map[string][]string{"difference": nil}
		for i := range n {
			r.Kills["difference"] = append(r.Kills["difference"], fmt.Sprintf("m%02d", i))
		}
		list = append(list, r)
	}
	return list
}

func recordsOf(lists ...[]record) *records {
	rs := &records{settings: settings{Time: "3s", StockTime: "3s", Machine: "test"}, done: make(map[string]bool)}
	for _, list := range lists {
		for _, r := range list {
			rs.add(r) //nolint:errcheck // there is no file
		}
	}
	return rs
}

func TestSummaryComparesWithTheBetterWayOfStock(t *testing.T) {
	rs := recordsOf(
		runsOf("a", seedsAlone, 8),
		runsOf("a", stock, 10, 10, 10, 10, 10), runsOf("a", stockQuick, 18, 20, 20, 20, 22),
		runsOf("a", "adaptive", 30, 30, 30, 30, 30),
		runsOf("b", stock, 10, 10), runsOf("b", stockQuick, 6, 6), runsOf("b", "adaptive", 9, 9),
		runsOf("c", "adaptive", 9), // without stock
	)
	targets, _ := rs.names()
	got := rs.summary(targets, "adaptive")
	want := summary{
		targets: 2, gain: (0.5 - 0.1) / 2, least: -0.1, kills: 1, more: 1, blocks: 1,
		nontrivial: (22.0/12 - 1 - 0.1) / 2, // of target b the seeds' kills are not known
	}
	near := cmp.Comparer(func(a, b float64) bool { return a-b < 1e-9 && b-a < 1e-9 })
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(summary{}), near); diff != "" {
		t.Error(diff)
	}
}

func TestTablesNameWhatTheyWereMadeWith(t *testing.T) {
	rs := recordsOf(
		runsOf("a", seedsAlone, 8), runsOf("a", stock, 10, 12), runsOf("a", "all", 15, 15), runsOf("a", "adaptive", 12, 14),
		[]record{{Target: "a", Contender: "split", Error: "it broke\nbadly"}},
	)
	var out strings.Builder
	if err := printFuzz(&out, rs); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"3s a run (stock: 3s), up to 2 repetitions", "no result of a split 0: it broke\n",
		"a: 100 mutants, 50 blocks", "all   15.0      13.0          0.867",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is missing in\n%s", want, &out)
		}
	}
}

func TestRecordsGoOnWhereTheyStopped(t *testing.T) {
	path := filepath.Join(t.TempDir(), "runs")
	s := settings{Time: "1s"}
	rs, err := openRecords(path, s, true)
	if err != nil {
		t.Fatal(err)
	}
	whole := runsOf("a", stock, 1, 2)
	for _, r := range append(whole, record{Target: "a", Contender: "all", Error: "no"}) {
		if err := rs.add(r); err != nil {
			t.Fatal(err)
		}
	}
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprint(f, `{"Target": "b", "Conte`)
	f.Close()

	again, err := openRecords(path, s, true)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(whole, again.list, cmp.AllowUnexported(record{}, worth.Worth{}, worth.Replayed{})); diff != "" {
		t.Errorf("after the second start: %s", diff)
	}
	third := runsOf("a", stock, 1, 2, 3)[2]
	if again.has(third) || !again.has(whole[1]) || again.has(record{Target: "a", Contender: "all"}) {
		t.Error("what has been run is mistaken")
	}
	if err := again.add(third); err != nil {
		t.Fatal(err)
	}
	last, err := readRecords(path)
	if err != nil || len(last.list) != 3 {
		t.Errorf("%d runs in the file, want 3: %v", len(last.list), err)
	}
	if _, err := openRecords(path, settings{Time: "2s"}, true); err == nil {
		t.Error("runs with other settings are mixed")
	}
}

package fuzzing

import (
	"strings"
	"testing"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/runlog"
)

func TestReachedAfterIsTheMedian(t *testing.T) {
	reached := func(p runlog.Point) bool { return p.Buckets > 0 }
	run := func(at int64) runlog.Series {
		s := runlog.Series{Points: []runlog.Point{{Executions: 1}, {Executions: 10}}}
		if at > 0 {
			s.Points = append(s.Points, runlog.Point{Executions: at, Buckets: 1}, runlog.Point{Executions: 2 * at, Buckets: 2})
		}
		return s
	}
	for _, c := range []struct {
		runs []runlog.Series
		want string
	}{
		{[]runlog.Series{run(300), run(100), run(200)}, "200\t3 of 3"},
		{[]runlog.Series{run(300), run(0), run(200)}, "300\t2 of 3"},
		{[]runlog.Series{run(300), run(0), run(0)}, "-\t1 of 3"},
		{[]runlog.Series{run(0)}, "-\t0 of 1"},
	} {
		if got := reachedAfter(c.runs, reached); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}

func TestTheBestOtherFilterIsComparedWithAdaptive(t *testing.T) {
	rs := recordsOf(
		runsOf("a", "adaptive", 30, 30), runsOf("a", "all", 20, 20), runsOf("a", "split", 24, 26),
		runsOf("b", "adaptive", 10, 10), runsOf("b", "all", 20, 20),
		runsOf("c", "adaptive", 10),
	)
	var out strings.Builder
	if err := rs.printBest(&out, []string{"a", "b", "c"}, []string{"adaptive", "all", "split"}); err != nil {
		t.Fatal(err)
	}
	text := strings.Join(strings.Fields(out.String()), " ")
	for _, want := range []string{"a split 25.0 30.0 1.200", "b all 20.0 10.0 0.500"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, &out)
		}
	}
	if strings.Contains(text, "c all") || strings.Contains(text, "c split") {
		t.Errorf("a target without another filter has a line:\n%s", &out)
	}
	out.Reset()
	if err := rs.printBest(&out, []string{"a"}, []string{"adaptive"}); err != nil || out.Len() > 0 {
		t.Errorf("without another filter: %q, %v", &out, err)
	}
}

func TestReliabilityTable(t *testing.T) {
	rs := recordsOf(runsOf("a", seedsAlone, 4), runsOf("a", "all", 8, 6), runsOf("a", "adaptive", 9))
	var out strings.Builder
	if err := rs.printReliability(&out, []string{"a"}, []string{"all", "adaptive"}); err != nil {
		t.Fatal(err)
	}
	// Of 4 mutants two are killed by both runs: 6 of 8.
	if text := strings.Join(strings.Fields(out.String()), " "); !strings.HasSuffix(text, "a all 2 4 2 2 2 50 % 75 %") {
		t.Errorf("got\n%s", &out)
	}
}

func TestKillsByKindAreThoseThatAnInputMakes(t *testing.T) {
	if len(killKinds) < 3 {
		t.Fatalf("kinds %q", killKinds)
	}
	r := record{}
	r.Kills = map[string][]string{"difference": {"a", "b"}, "panic": {"c"}, "fuel": {"d", "e"}}
	if implicit(&r) != 3 || kills(&r) != 5 {
		t.Errorf("%v implicit of %v", implicit(&r), kills(&r))
	}
	if list := nontrivial(&r, map[string]bool{"d": true, "a": true}); strings.Join(list, "") != "bce" {
		t.Errorf("nontrivial %q", list)
	}
}

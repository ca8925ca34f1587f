package fuzzing

import (
	"strings"
	"testing"
)

func TestReliability(t *testing.T) {
	// The seeds kill 8 mutants; runs kill 10, 12 and 12: 2 by all, 2 by two, and one
	// more by one alone.
	runs := runsOf("a", "all", 10, 12, 12)
	runs[0].Kills["panic"] = []string{"other"}
	rs := recordsOf(runsOf("a", seedsAlone, 8), runs)
	got := reliabilityOf(runs, rs.trivial("a"))
	want := reliability{runs: 3, any: 5, all: 2, once: 1, mean: float64(2*3+2*2+1) / 15}
	if got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	if none := reliabilityOf(runsOf("a", "all", 8, 8), rs.trivial("a")); none != (reliability{runs: 2}) {
		t.Errorf("trivial mutants are counted: %+v", none)
	}
}

func TestOracles(t *testing.T) {
	runs := runsOf("a", "all", 10)
	runs[0].Kills["panic"] = []string{"x", "y"}
	runs[0].Kills["exit"] = []string{"z", "u", "v"}
	var out strings.Builder
	if err := recordsOf(runs).printOracles(&out, []string{"a"}, []string{"all"}); err != nil {
		t.Fatal(err)
	}
	if want := "5.0             10.0          15.0              +200 %"; !strings.Contains(out.String(), want) {
		t.Errorf("%q is missing in\n%s", want, &out)
	}
}

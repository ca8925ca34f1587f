package text

import (
	"io"
	"strconv"
	"strings"
	"testing"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report/reporttest"
)

// What acts once in a process, and is reached by no input, is not ranked with what
// inputs reach.
func TestMutantsThatActAtTheStartStandApart(t *testing.T) {
	alone := reporttest.Mutant("start1", "init", 5, report.Survived, 0, 0)
	alone.Start, alone.Executed = report.Start{Reached: true, Infected: true, Processes: 1}, 11
	same := reporttest.Mutant("start2", "init", 6, report.Survived, 0, 0)
	same.Start = report.Start{Reached: true}
	dead := reporttest.Killed("start3", 7, "panic")
	dead.Reached, dead.Start = 0, report.Start{Reached: true, Infected: true, Processes: 1, Killed: 1}
	both := reporttest.Mutant("both", "sub", 8, report.Survived, 4, 2)
	both.Start = report.Start{Reached: true, Infected: true, Processes: 1}
	ms := []report.Mutant{alone, same, dead, both}
	report.Classify(ms)
	if ms[0].Class != report.NotSeen || ms[1].Class != report.NotInfected {
		t.Errorf("classes %q, %q", ms[0].Class, ms[1].Class)
	}
	r := report.Report{Tests: []report.FuzzTest{{Name: "FuzzX", Mutants: ms, Score: report.Summarise(ms)}}}
	for verbose, want := range map[bool][]string{
		false: {
			"\n  surviving mutants: 1\n", "in sub; changed a value 2 times but ", "mutation score 25.0 %: 1 of 4 mutants killed, 3 survived",
			"\n  mutants that act only before the first input: 3, killed in 1 of 2 processes started for them\n" +
				"    2 survived, 1 of them with a changed value, in 1 function: init (2); -v shows them\n",
		},
		true: {
			"in init; changed a value before the first input; undetected by 11 executions in 1 process  [start1]\n",
			"in init; reached before the first input, no effect  [start2]\n",
		},
	} {
		var b strings.Builder
		if err := (Format{Verbose: verbose}).Write(&b, &r); err != nil {
			t.Fatal(err)
		}
		for _, w := range want {
			if !strings.Contains(b.String(), w) {
				t.Errorf("verbose %v: lacks %q:\n%s", verbose, w, b.String())
			}
		}
		if !verbose && strings.Contains(b.String(), "start1") {
			t.Errorf("a mutant that acts at the start is among the first survivors:\n%s", b.String())
		}
	}
}

// A package may have a hundred thousand mutants: while they are sorted out, a user waits.
func TestMutantsAreNotCopiedTwice(t *testing.T) {
	ms := make([]report.Mutant, 10_000)
	every := func(*report.Mutant) bool { return true }
	if n := testing.AllocsPerRun(5, func() { apart(ms, every) }); n > 1 {
		t.Errorf("%v allocations where all mutants are shown, at most 1 is necessary", n)
	}
	ms[7].Start.Reached = true
	var byInputs, atStart []report.Mutant
	if n := testing.AllocsPerRun(5, func() { byInputs, atStart = apart(ms, every) }); n > 2 {
		t.Errorf("%v allocations for two lists, at most 2 are necessary", n)
	}
	if len(byInputs) != len(ms)-1 || len(atStart) != 1 {
		t.Errorf("%d and %d of %d mutants", len(byInputs), len(atStart), len(ms))
	}
}

func BenchmarkManyMutants(b *testing.B) {
	ms := make([]report.Mutant, 157_898)
	for i := range ms {
		ms[i] = report.Mutant{ID: strconv.Itoa(i), Package: "p", Function: "f" + strconv.Itoa(i/30), Status: report.NotCovered}
		if i%100 == 0 {
			ms[i].Status, ms[i].KillKind = report.Killed, "panic"
		}
		ms[i].Start.Reached = i%90 == 1
	}
	r := &report.Report{Tests: []report.FuzzTest{{Name: "FuzzX", Mutants: ms}}}
	for b.Loop() {
		if err := (Format{}).Write(io.Discard, r); err != nil {
			b.Fatal(err)
		}
	}
}

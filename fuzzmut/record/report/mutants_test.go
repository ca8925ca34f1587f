package report

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fuzzmut/fuzzmut/instrument"
)

func TestSurvivorsAreRankedByInfectionAndTakeTurns(t *testing.T) {
	ms := []Mutant{
		mutant("reached-much", "f", 1, Survived, 900, 0),
		mutant("f1", "f", 2, Survived, 10, 9),
		mutant("f2", "f", 3, Survived, 10, 8),
		mutant("f3", "f", 4, Survived, 10, 7),
		mutant("g1", "g", 5, Survived, 10, 1),
		mutant("dead", "g", 6, Killed, 10, 10),
		mutant("nowhere", "g", 7, NotCovered, 0, 0),
		mutant("reached-little", "g", 8, Survived, 1, 0),
	}
	var got []string
	for _, m := range rankSurvivors(ms) {
		got = append(got, m.ID)
	}
	want := []string{"f1", "g1", "f2", "f3", "reached-much", "reached-little"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("order (-want +got):\n%s", diff)
	}
}

func TestMutantsThatLiveAreClassed(t *testing.T) {
	ms := []Mutant{
		mutant("seen", "f", 1, Killed, 9, 9),
		mutant("f0", "f", 2, NotCovered, 0, 0),
		mutant("f1", "f", 3, Survived, 3, 0),
		mutant("f2", "f", 4, Survived, 3, 1),
		mutant("g0", "g", 5, NotCovered, 0, 0),
		mutant("g1", "g", 6, Survived, 3, 0),
		mutant("g2", "g", 7, Survived, 3, 1),
		mutant("unknown", "g", 8, Survived, 0, 0),
		mutant("static", "", 9, Static, 0, 0),
		mutant("start1", "", 10, Killed, 1, 1),
		mutant("start2", "", 10, Survived, 1, 1),
		mutant("start3", "", 11, Survived, 1, 1),
	}
	elsewhere := mutant("h", "f", 3, Survived, 3, 0)
	elsewhere.Package = "example.com/other"
	ms = append(ms, elsewhere)
	ms[1].Class = "stale"
	Classify(ms)
	var got []string
	for i := range ms {
		got = append(got, fmt.Sprintf("%s %s %v", ms[i].ID, ms[i].Class, ms[i].Observed))
	}
	want := []string{
		"seen  false",
		"f0 not-reached true", "f1 not-infected true", "f2 not-seen true",
		"g0 not-reached false", "g1 not-infected false", "g2 not-seen false", "unknown  false",
		"static  false",
		"start1  false", "start2 not-seen true", "start3 not-seen false",
		"h not-infected false",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("classes (-want +got):\n%s", diff)
	}
}

func TestSurvivorsInObservedCodeComeFirst(t *testing.T) {
	ms := []Mutant{
		mutant("f-infected", "f", 1, Survived, 900, 900),
		mutant("f-reached", "f", 2, Survived, 900, 0),
		mutant("g-infected", "g", 3, Survived, 1, 1),
		mutant("g-reached", "g", 4, Survived, 1, 0),
		mutant("dead", "g", 5, Killed, 1, 1),
	}
	Classify(ms)
	var got []string
	for _, m := range rankSurvivors(ms) {
		got = append(got, m.ID)
	}
	want := []string{"g-infected", "f-infected", "g-reached", "f-reached"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("order (-want +got):\n%s", diff)
	}
}

func TestRankDoesNotDependOnTheOrderGiven(t *testing.T) {
	var ms, reversed []Mutant
	for i := range 20 {
		ms = append(ms, mutant(string(rune('a'+i)), "f", i%3, Survived, 5, int64(i%2)))
	}
	for i := range ms {
		reversed = append(reversed, ms[len(ms)-1-i])
	}
	a, b := rankSurvivors(ms), rankSurvivors(reversed)
	if diff := cmp.Diff(a, b); diff != "" {
		t.Errorf("ranks differ:\n%s", diff)
	}
}

func TestTotalCountsAKillByAnyTest(t *testing.T) {
	first := FuzzTest{Mutants: []Mutant{
		killed("both", 1, "panic"),
		mutant("second", "f", 2, NotCovered, 0, 0),
		mutant("survives", "f", 3, NotCovered, 0, 0),
		mutant("static", "", 4, Static, 0, 0),
	}}
	second := FuzzTest{Mutants: []Mutant{
		killed("both", 1, "difference"),
		killed("second", 2, "difference"),
		mutant("survives", "f", 3, Survived, 3, 0),
		mutant("static", "", 4, Static, 0, 0),
	}}
	want := Score{
		Mutants: 3, Killed: 2, Survived: 1, Static: 1, Score: 2.0 / 3,
		KillKinds: map[string]int{"panic": 1, "difference": 1},
	}
	if diff := cmp.Diff(want, Total([]FuzzTest{first, second})); diff != "" {
		t.Errorf("total (-want +got):\n%s", diff)
	}
}

func TestSummariseOfNothing(t *testing.T) {
	if s := Summarise(nil); s.Score != 0 || s.Mutants != 0 || s.KillKinds == nil {
		t.Errorf("got %+v", s)
	}
}

// program writes src as a file of a module and returns a program with the one
// mutant that replaces original.
func program(t *testing.T, src, original, replacement string) *instrument.Program {
	t.Helper()
	dir := t.TempDir()
	file := filepath.Join(dir, "sub", "a.go")
	if err := os.Mkdir(filepath.Dir(file), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(src), 0o666); err != nil {
		t.Fatal(err)
	}
	offset := strings.Index(src, original)
	return &instrument.Program{
		Test: instrument.TestPackage{ModuleDir: dir},
		Mutants: []instrument.Mutant{{
			Index: 1, ID: "m1", File: file, Line: 2, Column: 3, Func: "F",
			Offset: offset, End: offset + len(original), Original: original, Replacement: replacement,
		}},
	}
}

func TestFromProgram(t *testing.T) {
	p := program(t, "package a\n\nfunc F() int { return 1 }\n", "1", "0")
	p.Mutants = append(p.Mutants, instrument.Mutant{ID: "m2", File: "/elsewhere/b.go", Status: instrument.StatusStatic, Reason: "why"})
	got := FromProgram(p)
	want := []Mutant{
		{ID: "m1", Function: "F", File: "sub/a.go", Line: 2, Column: 3, Original: "1", Replacement: "0", Status: Pending},
		{ID: "m2", File: "/elsewhere/b.go", Status: Static, Reason: "why"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("mutants (-want +got):\n%s", diff)
	}
}

func TestMutantDiff(t *testing.T) {
	p := program(t, "package a\n\nfunc F() int { return 1 }\n", "1", "0")
	got, err := MutantDiff(p, &p.Mutants[0])
	if err != nil {
		t.Fatal(err)
	}
	want := "--- a/sub/a.go\n+++ b/sub/a.go\n@@ -1,3 +1,3 @@\n package a\n \n-func F() int { return 1 }\n+func F() int { return 0 }\n"
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestMutantDiffOfAChangedFileIsRefused(t *testing.T) {
	p := program(t, "package a\n\nfunc F() int { return 1 }\n", "1", "0")
	if err := os.WriteFile(p.Mutants[0].File, []byte("package a\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	_, err := MutantDiff(p, &p.Mutants[0])
	if err == nil || !strings.Contains(err.Error(), "has changed since it was loaded") {
		t.Errorf("got error %v", err)
	}
}

// What acts once in a process, and is reached by no input, is not ranked with what
// inputs reach.
func TestMutantsThatActAtTheStartStandApart(t *testing.T) {
	alone := mutant("start1", "init", 5, Survived, 0, 0)
	alone.Start, alone.Executed = Start{Reached: true, Infected: true, Processes: 1}, 11
	same := mutant("start2", "init", 6, Survived, 0, 0)
	same.Start = Start{Reached: true}
	dead := killed("start3", 7, "panic")
	dead.Reached, dead.Start = 0, Start{Reached: true, Infected: true, Processes: 1, Killed: 1}
	both := mutant("both", "sub", 8, Survived, 4, 2)
	both.Start = Start{Reached: true, Infected: true, Processes: 1}
	ms := []Mutant{alone, same, dead, both}
	Classify(ms)
	if ms[0].Class != NotSeen || ms[1].Class != NotInfected {
		t.Errorf("classes %q, %q", ms[0].Class, ms[1].Class)
	}
	r := Report{Tests: []FuzzTest{{Name: "FuzzX", Mutants: ms, Score: Summarise(ms)}}}
	for verbose, want := range map[bool][]string{
		false: {
			"\n  surviving mutants: 1\n", "in sub; changed a value 2 times but ", "mutation score 25.0 %: 1 of 4 mutants killed, 3 survived",
			"\n  mutants in package initialization: 3, killed in 1 of 2 processes started for them\n" +
				"    2 survived, 1 of them with a changed value, in 1 function: init (2); -v shows them\n",
		},
		true: {
			"in init; changed a value before the first input; undetected by 11 executions in 1 process  [start1]\n",
			"in init; reached before the first input, no effect  [start2]\n",
		},
	} {
		var b strings.Builder
		if err := r.WriteText(&b, TextOptions{Verbose: verbose}); err != nil {
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

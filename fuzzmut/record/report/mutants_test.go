package report_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report/reporttest"
	"github.com/fuzzmut/fuzzmut/instrument"
)

func TestMutantsThatLiveAreClassed(t *testing.T) {
	ms := []report.Mutant{
		reporttest.Mutant("seen", "f", 1, report.Killed, 9, 9),
		reporttest.Mutant("f0", "f", 2, report.NotCovered, 0, 0),
		reporttest.Mutant("f1", "f", 3, report.Survived, 3, 0),
		reporttest.Mutant("f2", "f", 4, report.Survived, 3, 1),
		reporttest.Mutant("g0", "g", 5, report.NotCovered, 0, 0),
		reporttest.Mutant("g1", "g", 6, report.Survived, 3, 0),
		reporttest.Mutant("g2", "g", 7, report.Survived, 3, 1),
		reporttest.Mutant("unknown", "g", 8, report.Survived, 0, 0),
		reporttest.Mutant("static", "", 9, report.Static, 0, 0),
		reporttest.Mutant("start1", "", 10, report.Killed, 1, 1),
		reporttest.Mutant("start2", "", 10, report.Survived, 1, 1),
		reporttest.Mutant("start3", "", 11, report.Survived, 1, 1),
	}
	elsewhere := reporttest.Mutant("h", "f", 3, report.Survived, 3, 0)
	elsewhere.Package = "example.com/other"
	ms = append(ms, elsewhere)
	ms[1].Class = "stale"
	report.Classify(ms)
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

func TestSurvivorsThatNoTestNoticesComeFirst(t *testing.T) {
	left := reporttest.Mutant("left", "f", 8, report.Survived, 900, 900)
	left.KilledByLeftOut = "0a" // nobody has to be asked
	tests := []report.FuzzTest{
		{Package: "p", Name: "FuzzA", Mutants: []report.Mutant{
			reporttest.Mutant("by-b", "f", 1, report.Survived, 900, 900),
			reporttest.Mutant("by-unit", "f", 2, report.Survived, 900, 800),
			reporttest.Mutant("by-q", "f", 3, report.Survived, 900, 700),
			reporttest.Mutant("unknown", "f", 4, report.Survived, 900, 600),
			reporttest.Mutant("nobody", "f", 5, report.Survived, 900, 0),
			reporttest.Mutant("no-test", "f", 6, report.Survived, 900, 1),
			reporttest.Mutant("dead", "f", 7, report.Killed, 1, 1),
			left,
		}},
		{Package: "q", Name: "FuzzB", Mutants: []report.Mutant{
			reporttest.Mutant("by-b", "f", 1, report.Killed, 1, 1),
			reporttest.Mutant("by-q", "f", 3, report.NotCovered, 0, 0),
		}},
	}
	asked := 0
	report.AskOthers(tests, func(f *report.FuzzTest, m *report.Mutant) report.Others {
		asked++
		switch m.ID {
		case "by-unit":
			return f.KilledByTest("p", "TestX")
		case "by-q":
			return f.KilledByTest("q", "TestY")
		case "unknown":
			return report.Others{Status: report.Pending, Reason: "no time"}
		case "no-test":
			return report.Others{Status: report.NotCovered}
		}
		return report.Others{Status: report.Survived}
	})
	var got []string
	for _, m := range report.RankSurvivors(tests[0].Mutants) {
		got = append(got, strings.TrimSpace(m.ID+" "+m.OtherTests.KilledBy))
	}
	want := []string{"no-test", "nobody", "unknown", "by-b q.FuzzB", "by-unit TestX", "by-q q.TestY"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("order (-want +got):\n%s", diff)
	}
	if asked != 5 || tests[0].OtherTests != (report.OtherTests{Unnoticed: 2, Noticed: 3, NotTried: 1}) || tests[1].OtherTests != (report.OtherTests{}) {
		t.Errorf("%d asked, %+v, %+v", asked, tests[0].OtherTests, tests[1].OtherTests)
	}
}

func TestRankDoesNotDependOnTheOrderGiven(t *testing.T) {
	var ms, reversed []report.Mutant
	for i := range 20 {
		ms = append(ms, reporttest.Mutant(string(rune('a'+i)), "f", i%3, report.Survived, 5, int64(i%2)))
	}
	for i := range ms {
		reversed = append(reversed, ms[len(ms)-1-i])
	}
	a, b := report.RankSurvivors(ms), report.RankSurvivors(reversed)
	if diff := cmp.Diff(a, b); diff != "" {
		t.Errorf("ranks differ:\n%s", diff)
	}
}

func TestTotalCountsAKillByAnyTest(t *testing.T) {
	first := report.FuzzTest{Mutants: []report.Mutant{
		reporttest.Killed("both", 1, "panic"),
		reporttest.Mutant("second", "f", 2, report.NotCovered, 0, 0),
		reporttest.Mutant("survives", "f", 3, report.NotCovered, 0, 0),
		reporttest.Mutant("static", "", 4, report.Static, 0, 0),
	}}
	second := report.FuzzTest{Mutants: []report.Mutant{
		reporttest.Killed("both", 1, "difference"),
		reporttest.Killed("second", 2, "difference"),
		reporttest.Mutant("survives", "f", 3, report.Survived, 3, 0),
		reporttest.Mutant("static", "", 4, report.Static, 0, 0),
	}}
	want := report.Score{
		Mutants: 3, Killed: 2, Survived: 1, Static: 1, Score: 2.0 / 3,
		KillKinds: map[string]int{"panic": 1, "difference": 1},
	}
	if diff := cmp.Diff(want, report.Total([]report.FuzzTest{first, second})); diff != "" {
		t.Errorf("total (-want +got):\n%s", diff)
	}
}

func TestSummariseOfNothing(t *testing.T) {
	if s := report.Summarise(nil); s.Score != 0 || s.Mutants != 0 || s.KillKinds == nil {
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
	got := report.FromProgram(p)
	want := []report.Mutant{
		{ID: "m1", Function: "F", File: "sub/a.go", Root: p.Test.ModuleDir, Line: 2, Column: 3, Original: "1", Replacement: "0", Status: report.Pending},
		{ID: "m2", File: "/elsewhere/b.go", Root: p.Test.ModuleDir, Status: report.Static, Reason: "why"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("mutants (-want +got):\n%s", diff)
	}
}

func TestMutantDiff(t *testing.T) {
	p := program(t, "package a\n\nfunc F() int { return 1 }\n", "1", "0")
	got, err := report.MutantDiff(p, &p.Mutants[0])
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
	_, err := report.MutantDiff(p, &p.Mutants[0])
	if err == nil || !strings.Contains(err.Error(), "has changed since it was loaded") {
		t.Errorf("got error %v", err)
	}
}

// The IDs of one fuzz test differ: a hundred thousand mutants need no table.
func TestTotalOfOneFuzzTestIsItsScore(t *testing.T) {
	one := report.FuzzTest{Mutants: make([]report.Mutant, 10_000)}
	for i := range one.Mutants {
		m := &one.Mutants[i]
		m.ID, m.Status = strconv.Itoa(i), []string{report.Killed, report.Survived, report.NotCovered, report.Pending, report.Skipped}[i%5]
		if m.Status == report.Killed {
			m.KillKind = "panic"
		}
	}
	tests := []report.FuzzTest{one}
	if diff := cmp.Diff(report.Summarise(one.Mutants), report.Total(tests)); diff != "" {
		t.Errorf("(-score of the fuzz test +total):\n%s", diff)
	}
	if n := testing.AllocsPerRun(5, func() { report.Total(tests) }); n > 10 {
		t.Errorf("%v allocations", n)
	}
}

// A kill is confirmed if it is in one of the fuzz tests.
func TestUnconfirmedKills(t *testing.T) {
	seen := func(id string, confirmed bool) report.Mutant {
		m := reporttest.Killed(id, 1, "difference")
		m.Unconfirmed = !confirmed
		return m
	}
	first := report.FuzzTest{Mutants: []report.Mutant{seen("a", false), seen("b", false), seen("c", true), reporttest.Mutant("d", "f", 2, report.Survived, 1, 0)}}
	second := report.FuzzTest{Mutants: []report.Mutant{seen("a", false), seen("b", true), seen("c", false)}}
	if one, both := report.Unconfirmed([]report.FuzzTest{first}), report.Unconfirmed([]report.FuzzTest{first, second}); one != 2 || both != 1 {
		t.Errorf("%d of one, %d of both", one, both)
	}
}

// Results have short names where no code in the same place has them.
func TestNamesOfResults(t *testing.T) {
	for _, c := range []struct{ replacement, want string }{
		{"{ fuzzmutR_0, _ := two(); return fuzzmutR_0, nil }", "{ r0, _ := two(); return r0, nil }"},
		{"{ _, fuzzmutR2_1 := two(); return 0, fuzzmutR2_1 }", "{ _, r1 := two(); return 0, r1 }"},
		{"func() float64 { fuzzmutR_0 := x; _ = call(r0); return fuzzmutR_0 }()", "func() float64 { fuzzmutR_0 := x; _ = call(r0); return fuzzmutR_0 }()"},
		{"func(fuzzmutR_ *T) *T { if fuzzmutR_ == nil { fuzzmutR_ = new(T) }; return fuzzmutR_ }(get())", "func(r *T) *T { if r == nil { r = new(T) }; return r }(get())"},
		{"fuzzmutR_turns", "fuzzmutR_turns"},
	} {
		p := &instrument.Program{Mutants: []instrument.Mutant{{Replacement: c.replacement}}}
		if got := report.FromProgram(p)[0].Replacement; got != c.want {
			t.Errorf("%s: %s, want %s", c.replacement, got, c.want)
		}
	}
}

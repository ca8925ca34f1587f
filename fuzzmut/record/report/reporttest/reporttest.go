// Package reporttest has results with everything that can occur, for tests of formats.
package reporttest

import (
	"fmt"
	"strings"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/behavior"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
)

// Minimized is a result of minimizing a corpus, with more files than are shown.
func Minimized() *report.Minimization {
	return &report.Minimization{
		By: "kills,coverage",
		Tests: []report.Shrunk{{
			Package: "example.com/m", Name: "FuzzA", Dir: "/m/testdata/fuzz/FuzzA", Seeds: 1, Mutants: 90, Blocks: 40, Own: 2,
			Before: report.CorpusSize{Files: 1200, Bytes: 34567, Killed: 80, Covered: 39}, After: report.CorpusSize{Files: 12, Bytes: 345, Killed: 80, Covered: 39},
			Failing: []string{"/m/testdata/fuzz/FuzzA/f"}, Warnings: []string{"w"}, WallSeconds: 1.26,
			Removed: strings.Fields("a b c d e f g h i j k l"),
		}},
		Stale: []report.StaleEntry{
			{Path: "/m/x", Reason: "has no use", Fix: "-prune removes it", Managed: true},
			{Path: "/m/y", Reason: "has no use", Removed: true},
		},
	}
}

// Tested is a result of tests with everything that can occur.
func Tested() *report.TestReport {
	survivor := func(id, fn string, tests []string, infected int64, reason string) report.Mutant {
		m := Mutant(id, fn, 30, report.Survived, int64(len(tests)), infected)
		m.Tests, m.Reason = tests, reason
		return m
	}
	seen := func(m report.Mutant, s report.Seen) report.Mutant {
		m.Seen = &s
		return m
	}
	timeout := Killed("k2", 11, "timeout")
	timeout.Reused = true
	lone := Mutant("p1", "zero", 3, report.Pending, 0, 0)
	lone.Package, lone.Reason = "example.com/calc/zero", "processes were killed from outside"
	r := &report.TestReport{
		Version: report.FormatVersion, Diff: "main...", Interrupted: true,
		Packages: []report.TestRun{
			{
				Package: "example.com/calc", Source: "abc", Executions: 20, MutantRuns: 1234, Processes: 3,
				Tests:  []report.TestResult{{Name: "TestA", Seconds: 0.5, Kills: 1}, {Name: "TestB", Left: 3}},
				Judged: 9, Reused: 1, Resumed: 2, NotRunAgain: 2, LongTestsLeftOut: 1, Unobserved: 4, BuildSeconds: 1.25, WallSeconds: 2.5, CPUSeconds: 4, Shared: true,
				Sites: report.Sites{Sites: 12, Mutated: 12, LeftOut: map[string]int{}, Suppressed: map[string]int{}},
			},
			{
				Package: "example.com/calc/zero", Source: "def", Judged: 1, Reused: 1, Processes: 1,
				SetAside: []report.SetAside{
					{Name: "TestRed", Failed: 2, Output: "red_test.go:7: got 1,\nwant 2"},
					{Name: "TestFlaky", Passed: 2, Failed: 1, Output: "flaky_test.go:9: too late"},
				},
				Tests: []report.TestResult{{Name: "TestZ"}}, Reason: "do not pass again in a process in which the tests have run: TestZ", Interrupted: true,
			},
		},
		Mutants: []report.Mutant{
			Killed("k1", 10, "assertion"), timeout,
			survivor("s1", "sub", []string{"TestA", "TestB", "example.com/calc/zero.TestZ"}, 3, ""),
			survivor("s2", "sub", []string{"TestA"}, 0, ""),
			survivor("s3", "", []string{"TestA"}, 1, ""),
			survivor("s4", "mul", []string{"TestA", "TestB"}, 0, "no test computes a different value"),
			Mutant("n1", "pow", 90, report.NotCovered, 0, 0),
			Mutant("x2", "String", 4, report.Skipped, 0, 0),
			lone,
			seen(survivor("s5", "sub", []string{"TestA"}, 1, ""), report.Seen{
				Test: "TestA", Call: "calc.Sub", File: "calc_test.go", Line: 12, Value: "result 0 (calc.Sum)", Text: ".n: 1 vs 2", Inside: true,
			}),
			seen(survivor("s6", "mul", []string{"TestB"}, 1, ""), report.Seen{
				Test: "TestB", Call: "calc.Mul", File: "calc_test.go", Line: 20, Value: "result 1 (error)", Text: `error "a" vs error "b"`, Weak: "message",
			}),
			seen(survivor("s7", "add", []string{"TestC"}, 1, ""), report.Seen{Test: "TestC", Call: "(*calc.Sum).Next", File: "calc_test.go", Line: 31}),
		},
		Warnings: []string{"verdicts can't be kept"},
	}
	r.Mutants[6].Reason = report.OnlySetAside + "TestFlaky"
	r.Mutants[3].Reached = 5
	r.Mutants[4].Reached, r.Mutants[4].Infected, r.Mutants[4].Tests = 0, 0, nil
	r.Mutants[4].Start = report.Start{Reached: true, Infected: true}
	r.Score = report.Summarise(r.Mutants)
	return r
}

// Shard returns a result of one package for a shard.
func Shard(name string, source string, kills int, ms ...report.Mutant) *report.TestReport {
	return &report.TestReport{
		Version: report.FormatVersion, Shard: name, Mutants: ms, Score: report.Summarise(ms),
		Packages: []report.TestRun{{
			Package: "example.com/calc", Source: source, Judged: len(ms), MutantRuns: 5, CPUSeconds: 1,
			Tests: []report.TestResult{{Name: "TestA", Kills: kills}},
		}},
	}
}

// Diff is the diff of each survivor that Mutant makes.
const Diff = `--- a/eval.go
+++ b/eval.go
@@ -5,7 +5,7 @@
 
 func add(x, y int64) (int64, error) {
 	sum := x + y
-	if (sum > x) != (y > 0) {
+	if (sum >= x) != (y > 0) {
 		return 0, ErrOverflow
 	}
 	return sum, nil
`

// Mutant makes a mutant in function fn with a fate.
func Mutant(id, fn string, line int, status string, reached, infected int64) report.Mutant {
	m := report.Mutant{
		ID: id, Operator: "conditional-boundary", Package: "example.com/calc", Function: fn,
		File: "eval.go", Line: line, Column: 9, Original: "sum > x", Replacement: "sum >= x",
		Description: "changed > to >=", Status: status, Reached: reached, Infected: infected,
	}
	switch status {
	case report.Survived:
		m.Diff = Diff
	case report.Skipped:
		m.Reason = "directive: debugging aid"
	case report.Static:
		m.Reason = "package-level initializer"
	}
	return m
}

// Killed makes a killed mutant.
func Killed(id string, line int, kind string) report.Mutant {
	m := Mutant(id, "add", line, report.Killed, 10, 5)
	m.KillKind, m.KilledBy = kind, "seed#0"
	return m
}

func inside(id string, line int, detail string) report.Mutant {
	m := Killed(id, line, "only-inside")
	m.Detail = detail
	return m
}

// leftOut makes a mutant that an input kills for which the corpus has no room.
func leftOut(id string, line int) report.Mutant {
	m := Mutant(id, "add", line, report.Survived, 7, 2)
	m.KilledByLeftOut = "811e73f41885be1b"
	return m
}

// Fuzzed is a report with everything that can occur.
func Fuzzed() *report.Report {
	mutants := []report.Mutant{
		Killed("k1", 10, "assertion"),
		Killed("k2", 11, "panic"),
		Killed("k3", 12, "difference"),
		Killed("k4", 13, "difference"),
		inside("k5", 14, ".memo: 1 vs 2"),
		Mutant("n1", "pow", 90, report.NotCovered, 0, 0),
		Mutant("n2", "pow", 91, report.NotCovered, 0, 0),
		Mutant("n3", "mod", 80, report.NotCovered, 0, 0),
		Mutant("x1", "", 3, report.Static, 0, 0),
		Mutant("x2", "String", 4, report.Skipped, 0, 0),
	}
	for i := range 12 {
		mutants = append(mutants, Mutant("s"+string(rune('a'+i)), "sub", 30+i, report.Survived, 100, int64(i)))
	}
	mutants = append(mutants, Mutant("sm", "add", 60, report.Survived, 7, 0), Mutant("sn", "add", 61, report.Survived, 7, 2), leftOut("so", 62))
	report.Classify(mutants)
	eval := report.FuzzTest{
		Package: "example.com/calc", Name: "FuzzEval", File: "calc_test.go", Line: 21, Engine: "guided", Filter: "adaptive", Seed: 1,
		Executions: 1234567, MutantExecutions: 45678, WallSeconds: 71.25, CPUSeconds: 120, FuzzSeconds: 60, ExecsPerSecond: 20576.1,
		Corpus:   report.Corpus{Before: 13, Added: 2, After: 15, Found: 40, Dir: "/calc/testdata/fuzz/FuzzEval", Files: []string{"fuzzmut-1", "fuzzmut-2"}, Own: 12, LeftOut: 3, LeftOutKills: 1},
		Coverage: report.Coverage{Blocks: 90, Covered: 89},
		Mutants:  mutants, Score: report.Summarise(mutants),
		Sites: report.Sites{
			Sites: 1200, Mutated: 1100, LeftOut: map[string]int{"cgo file": 7, "a": 3, "b": 3},
			Suppressed: map[string]int{"table of a package-level variable": 80, "logging call": 7},
		},
		Shared: report.Shared{
			Place: "/nfs/fuzz", Binary: "0a0b", Taken: report.SharedAmount{Inputs: 28, Failing: 2, Kills: 104}, Left: report.SharedAmount{Inputs: 1, Kills: 3},
			Refused: []report.SharedRefusal{{What: "input", Number: 2, Reason: "not taken: the file is damaged"}},
		},
		Unstable:          []string{"result 0 of calc.Now (calc_test.go:9) differs from run to run"},
		UnstableFunctions: []string{"result 0 of calc.Now (calc_test.go:9) differs from run to run"},
		Warnings:          []string{"new inputs can't be kept in Go's fuzz cache: read-only file system"},
		Costs: []report.Cost{{
			Grows: "work", Exponent: 2, TimeExponent: 1.9, Function: "example.com/calc.sub", Frames: []string{"example.com/calc.sub eval.go:33", "example.com/calc.Eval eval.go:9"},
			Pump: `"(" + strings.Repeat(";", n)`, Others: []string{`string("")`, "int64(3)"}, MegabyteSeconds: 70, Extrapolated: true, FoundSeconds: 2.5, Count: 3,
			Curve: []report.CostPoint{{Times: 4095, Length: 4096, Work: 16e6, Allocated: 500, Seconds: 0.016}, {Times: 8191, Length: 8192, Work: 64e6, Allocated: 900, Seconds: 0.064}},
		}},
	}
	run := report.FuzzTest{
		Package: "example.com/calc", Name: "FuzzRun", File: "calc_test.go", Line: 40, Engine: "guided", Filter: "none", Seed: 1, Interrupted: true,
		Executions: 5, WallSeconds: 0.5, FuzzSeconds: 0.5, ExecsPerSecond: 10,
		Crashes: []report.Crash{
			{
				Kind: "panic", Message: "index out of range [2] with length 2\nmore", Count: 1,
				Frames: []string{
					"example.com/calc.(*S).nth calc.go:151", "example.com/calc.look calc.go:160",
					"calc.Exec calc.go:30", "calc.Run calc.go:10",
				},
				Entries: []string{"/calc/testdata/fuzz/FuzzRun/a1"}, Input: "string(\"look 1\")\nint(3)",
				Repro: "go test -run='^FuzzRun$/^a1$' .",
			},
			{Kind: "hang", Message: "it does not end", Count: 1500, Entries: []string{"1", "2", "3", "4", "5"}},
		},
	}
	return &report.Report{Version: report.FormatVersion, Tests: []report.FuzzTest{eval, run}, Next: []string{run.Crashes[0].Repro, "git add testdata/fuzz"}}
}

// Triaged is a result of sorting failing inputs, with a bucket of each sort.
func Triaged() *report.TriageReport {
	return &report.TriageReport{Tests: []report.Triage{{
		Package: "example.com/x", Name: "FuzzX", File: "x_test.go", Line: 5, Operators: "guards", Passing: 3, PackageTests: 2, MutantExecutions: 1234,
		Inputs: []report.FailingInput{
			{Name: "a", Status: report.Repaired, Rank: 1, Bucket: 1, Repairs: []int{0}},
			{Name: "b", Status: report.Unrepaired, Rank: 2, Bucket: 2},
			{Name: "c", Status: report.Flaky, Reason: "it depends"},
			{Name: "d", Status: report.Passes},
		},
		Repairs: []report.Repair{
			{ID: "id1", File: "x.go", Line: 7, Function: "Parse", Description: "returned early if p == nil", Inputs: 1, Counts: true, Diff: "--- a/x.go\n+++ b/x.go\n@@ -7 +7 @@\n-\tuse(p)\n+\tif p == nil { return }; use(p)\n"},
			{ID: "id2", File: "x.go", Line: 9, Description: "negated the condition", Inputs: 1, Breaks: 1, Reason: "breaks an input that passes"},
		},
		Buckets: []report.Bucket{
			{
				Number: 1, Kind: "panic", Message: "boom", Frames: []string{"x.Parse x.go:7"}, Inputs: []string{"a"}, Representative: `string("(")`,
				Repro: "go test -run='^FuzzX$/^a$' .", Repairs: []report.RankedRepair{{Repair: 0, Score: 1, Here: 1}}, Guards: []report.RankedRepair{{Repair: 0, Score: 1, Here: 1}},
				Revision: "v1", AtRevision: report.PassesThere, FirstFailing: "abc a change", Rings: []report.Ring{{Distance: 0.5, Buckets: []int{2, 3}}},
				Places: []report.Place{{Localiser: "muse", File: "x.go", Line: 7, EndLine: 7, Score: 0.5}, {Localiser: "ochiai", File: "x.go", Line: 7, EndLine: 9, Score: 0.25}},
			},
			{Number: 2, Kind: "hang", Message: "does not end", Inputs: []string{"b"}, ByStack: true, Representative: "[]byte(\"b\")\nint(3)", Path: "in/b", Noisy: []report.RankedRepair{{Repair: 1, Score: 1, Here: 1}}, Revision: "v1", AtRevision: report.FailsThere},
		},
	}}}
}

// TriagedCostly is Triaged with a bucket of costly inputs more.
func TriagedCostly() *report.TriageReport {
	r := Triaged()
	t := &r.Tests[0]
	cost := Fuzzed().Tests[0].Costs[0]
	t.Inputs = append([]report.FailingInput{{Name: "long", Kind: report.CostKind, Message: cost.Growth(), Status: report.Unrepaired, Rank: 3, Bucket: 3}}, t.Inputs...)
	t.Repairs = append(t.Repairs, report.Repair{ID: "id3", File: "eval.go", Line: 30, Function: "Eval", Description: "left early", Inputs: 1, Counts: true})
	t.Buckets = append(t.Buckets, report.Bucket{
		Number: 3, Kind: report.CostKind, Message: cost.Growth(), Frames: cost.Frames, Inputs: []string{"long"}, Representative: `string(";;;;")`, Cost: &cost,
		Path: "in/long", Repro: "go test -run='^FuzzX$/^long$' .", Repairs: []report.RankedRepair{{Repair: 2, Score: 1, Here: 1}}, Revision: "v1", AtRevision: report.NotBuilt + ": it passes",
	})
	return r
}

// Verified has a change of each sort, and more of them than are shown.
func Verified() *report.Verification {
	test := report.VerifiedTest{
		Package: "example.com/p", Name: "FuzzParse", Entries: 9, Values: 40, Unstable: 2, Changed: 6, Failing: 1, Known: []string{"p/testdata/fuzz/FuzzParse/z"},
		Files: []report.FileProblem{{Path: "p/testdata/fuzz-golden/FuzzParse/x", Kind: report.FileDamaged, Text: "line 3: a git conflict marker"}},
		Changes: []report.ValueChange{
			{Entry: "seed#0", Value: "p.Parse #1 result 0", File: "p/p_test.go", Line: 9, Want: "int 1", Got: "int 2"},
			{Entry: "seed#1", Value: "p.Parse #1 result 1", File: "p/p_test.go", Line: 9, Want: "nil"},
			{Entry: "seed#1", Value: "p.New #1 result 0", File: "p/p_test.go", Line: 8, Got: "*p.T &{\n\ta: 1\n}"},
			{Entry: "p/testdata/fuzz/FuzzParse/y", Value: "fuzz target", File: "p/p_test.go", Line: 5, Failure: "boom"},
		},
	}
	for i := range 3 {
		test.Changes = append(test.Changes, report.ValueChange{
			Entry: fmt.Sprint("seed#", i), Value: "p.Late #1 result 0", File: "p/p_test.go", Line: 10, Want: "bool true", Got: "bool false",
		})
	}
	cause := func(kind, input string, v behavior.Value, entries ...string) {
		test.Causes = append(test.Causes, behavior.Cause{
			Kind: kind, Package: test.Package, Fuzz: test.Name, Call: test.Name, Input: input, Inputs: int64(len(entries)), Values: []behavior.Value{v}, Entries: entries,
		})
	}
	cause(behavior.KindValue, `string("a")`, behavior.Value{Name: "p.Late #1 result 0", Old: "bool true", New: "bool false", Place: "p/p_test.go:10"}, "seed#0", "seed#1", "seed#2")
	cause(behavior.KindValue, `string("a")`, behavior.Value{Name: "p.Parse #1 result 0", Old: "int 1", New: "int 2"}, "seed#0")
	cause(behavior.KindValue, `string("b")`, behavior.Value{Name: "p.Parse #1 result 1", Old: "nil"}, "seed#1")
	cause(behavior.KindPanic, `string("c")`, behavior.Value{Name: "fuzz target", Old: "passes", New: "boom"}, "p/testdata/fuzz/FuzzParse/y")
	return &report.Verification{Tests: []report.VerifiedTest{test, {Package: "example.com/p", Name: "FuzzNone", None: true}}}
}

// Compared is a comparison with everything that can occur.
func Compared() *behavior.Report {
	return &behavior.Report{
		Old: "main (1a2b3c4)", New: "the work tree", Command: "fuzzmut diff main .",
		Changes: []behavior.File{{Name: "p.go", Hunks: []behavior.Hunk{{File: "p.go", Line: 3, End: 4, Was: "a", Is: "b\nc", Seen: true}, {File: "p.go", Line: 9, End: 8, Was: "d"}}}},
		Tests:   []behavior.Test{{Package: "example.com/p", Name: "FuzzP", Derived: "P", Execs: 1234, First: 7, Lost: 1, Dropped: 2, Bounded: "the time to revert parts was over", Cut: true, Ended: "interrupted", Unstable: []string{"p.Now"}}},
		Reach:   []behavior.Reach{{Package: "example.com/p", Blocks: behavior.Share{Some: 1, All: 2}, Mutants: behavior.Share{Some: 3, All: 5}}},
		Causes: []behavior.Cause{
			{
				Kind: behavior.KindValue, Package: "example.com/p", Fuzz: "FuzzP", Also: []string{"FuzzQ"}, Call: "P", Input: "string(\"x\")", Inputs: 12,
				Hunks:  []behavior.Hunk{{File: "p.go", Line: 3, End: 4, Was: "a", Is: "b\nc"}},
				Values: []behavior.Value{{Name: "p.P #1 result 0", Old: "int 1", New: "int 2"}}, Reproduce: "fuzzmut diff -input x",
				Work: behavior.Work{Old: 10, New: 1000}, Dependency: "example.com/dep v1.1.0 in place of v1.0.0",
			},
			{Kind: behavior.KindPanic, Package: "example.com/p", Fuzz: "FuzzQ", Call: "P", Accepted: true, Attributed: behavior.ByValue},
		},
		NotCompared: []behavior.Note{{What: "Q", Reason: "unexported"}}, Warnings: []string{"slow"}, Written: []string{"p_test.go"},
	}
}

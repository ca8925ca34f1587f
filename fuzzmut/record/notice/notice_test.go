package notice_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/behavior"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/notice"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report/reporttest"
)

// show is a notice in one line, without its ID.
func show(n notice.Notice) string {
	return fmt.Sprintf("%s %s %s-%d: %s", n.Level, n.Rule.ID, n.Place(), n.EndLine, strings.ReplaceAll(n.Text, "\n", " | "))
}

func shown(r report.Result) (list []string) {
	for _, n := range notice.Of(r) {
		list = append(list, show(n))
	}
	return list
}

func TestNoticesOfUnitTests(t *testing.T) {
	block := reporttest.Mutant("b", "add", 50, report.Survived, 3, 1)
	block.Operator, block.Original, block.Description = "statement-deletion", "{\n\tx++\n}", "removed x++"
	plain := reporttest.Mutant("p", "add", 51, report.Survived, 3, 1)
	plain.Description = ""
	seen := reporttest.Mutant("s", "sub", 10, report.Survived, 3, 1)
	seen.Seen = &report.Seen{Test: "TestSub", Call: "calc.Sub", File: "calc_test.go", Line: 7, Value: "result 0 (int)", Text: "1 vs 2"}
	accepted := reporttest.Mutant("a", "mul", 20, report.Survived, 3, 1)
	accepted.Baseline = report.Accepted
	noticed := reporttest.Mutant("n", "mul", 21, report.Survived, 3, 1)
	noticed.OtherTests.Status = report.Killed
	other := reporttest.Mutant("o", "div", 90, report.Survived, 3, 1)
	list := []report.Mutant{
		reporttest.Killed("k", 1, "assertion"), other, block, plain, seen, accepted, noticed,
		reporttest.Mutant("u", "pow", 4, report.NotCovered, 0, 0),
	}
	for i := range 4 {
		list = append(list, reporttest.Mutant(fmt.Sprint("w", i), "whole", 30+i, report.Survived, 2, 1))
	}
	want := []string{
		"note surviving-mutant eval.go:10-10: No test notices this mutant: changed > to >=. | calc_test.go:7 (TestSub) does not check result 0 (int) of calc.Sub: 1 vs 2.",
		"note surviving-mutant eval.go:30-30: No test seems to check whole: the 4 of its mutants that were run survive.",
		"note surviving-mutant eval.go:50-52: No test notices this mutant: removed x++. 1 more mutant here survives.",
		"note surviving-mutant eval.go:90-90: No test notices this mutant: changed > to >=.",
	}
	if diff := cmp.Diff(want, shown(&report.TestReport{Mutants: list})); diff != "" {
		t.Errorf("notices (-want +got):\n%s", diff)
	}
	ids := []string{}
	for _, n := range notice.Of(&report.TestReport{Mutants: list}) {
		ids = append(ids, n.ID)
	}
	if want := []string{"s", "w0", "b", "o"}; !slices.Equal(ids, want) {
		t.Errorf("IDs %q, want those of the mutants %q", ids, want)
	}
}

func TestNoticesOfFuzzTests(t *testing.T) {
	r := reporttest.Fuzzed()
	known := report.Crash{Kind: "panic", Message: "known", Known: true}
	r.Tests[1].Crashes = append(r.Tests[1].Crashes, known)
	r.Tests[1].Mutants = []report.Mutant{{File: "lib/calc.go"}, {File: "lib/calc.go"}, {File: "a/two.go"}, {File: "b/two.go"}}
	list := shown(r)
	want := []string{
		"error failing-input lib/calc.go:151-151: FuzzRun fails (panic): index out of range [2] with length 2 | more" +
			" |   at example.com/calc.(*S).nth calc.go:151 |   at example.com/calc.look calc.go:160 |   at calc.Exec calc.go:30 |   at calc.Run calc.go:10" +
			" | reproduce: go test -run='^FuzzRun$/^a1$' .",
		"error failing-input calc_test.go:40-40: FuzzRun fails (hang): it does not end",
	}
	if diff := cmp.Diff(want, list[:2]); diff != "" {
		t.Errorf("failing inputs (-want +got):\n%s", diff)
	}
	if want := "note oracle-gap calc_test.go:21-21: No assertion of FuzzEval notices 3 of 5 mutants that it kills: only what calls return tells them, as at eval.go:12 (changed > to >=)."; list[len(list)-1] != want {
		t.Errorf("gaps: %s, want %s", list[len(list)-1], want)
	}
	if want := "warning costly-input eval.go:33-33: FuzzEval: an input costs too much: work grows as length^2.0, processor time as length^1.9" +
		` |   at example.com/calc.sub eval.go:33 |   at example.com/calc.Eval eval.go:9 | "(" + strings.Repeat(";", n) | argument 1 is int64(3)` +
		" | 4,096 bytes 16 ms, 8,192 bytes 64 ms | 1 MiB takes 70.0 s (extrapolated)"; list[2] != want {
		t.Errorf("%s, want %s", list[2], want)
	}
	r.CostFails = true
	if n := notice.Of(r)[0]; n.Rule != notice.CostlyInput || n.Level != notice.Error {
		t.Errorf("with -cost-fails: %+v", n)
	}
	r.CostFails = false
	if !slices.ContainsFunc(list[2:], func(s string) bool { return strings.HasPrefix(s, "note surviving-mutant eval.go:") }) {
		t.Errorf("no survivors: %q", list[2:])
	}
	// What two fuzz tests reach is one notice.
	r.Tests = append(r.Tests, r.Tests[0])
	if again := shown(r); !slices.Equal(again, list) {
		t.Errorf("with a fuzz test twice, %d notices, want %d", len(again), len(list))
	}
	// What one of them kills is none, and its function is checked.
	whole := func(status string) report.FuzzTest {
		f := report.FuzzTest{Name: "FuzzSub", Mutants: []report.Mutant{reporttest.Mutant("sa", "sub", 30, status, 3, 1)}}
		for i := range 12 {
			f.Mutants = append(f.Mutants, reporttest.Mutant("s"+string(rune('b'+i)), "sub", 31+i, report.Survived, 3, 1))
		}
		return f
	}
	for status, want := range map[string]bool{report.Survived: true, report.Killed: false} {
		got := shown(&report.Report{Tests: []report.FuzzTest{whole(report.Survived), whole(status)}})
		if strings.Contains(strings.Join(got, "\n"), "No test seems to check sub") != want || len(got) == 0 {
			t.Errorf("a mutant of a function that the other fuzz test has %s: %q", status, got)
		}
	}
	// A file that is there twice is not guessed.
	r.Tests[1].Crashes[0].Frames = []string{"x.F two.go:3", "no place", "x.G two.go:x", "x.H calc.go:9"}
	if got := notice.Of(r)[0]; got.Place() != "lib/calc.go:9" {
		t.Errorf("a frame in one of two files is placed at %q", got.Place())
	}
	// A call in turn that fails is where its message says.
	r.Tests[1].Crashes[0] = report.Crash{Kind: "failure", Message: "calc.go:7: Pop returned 1, and the model 2"}
	if got := notice.Of(r)[0]; got.Place() != "lib/calc.go:7" {
		t.Errorf("a message is placed at %q", got.Place())
	}
}

// Services take one notice of a fingerprint.
func TestFingerprintsAreUnique(t *testing.T) {
	verified := reporttest.Verified()
	verified.Tests[0].Causes = append(verified.Tests[0].Causes, verified.Tests[0].Causes...)
	for _, r := range []report.Result{verified, reporttest.Fuzzed(), reporttest.Tested(), reporttest.Triaged(), reporttest.Compared()} {
		seen := make(map[string]string)
		for _, n := range notice.Of(r) {
			if other, ok := seen[n.ID]; ok {
				t.Errorf("%T: one fingerprint for %q and %q", r, other, n.Text)
			}
			seen[n.ID] = n.Text
		}
	}
}

func TestNoticesOfDifferences(t *testing.T) {
	cause := behavior.Cause{
		Kind: behavior.KindValue, Call: "FuzzParse", Input: "string(\"a\")\nint(1)", Reproduce: "go test x",
		Hunks:  []behavior.Hunk{{File: "p/p.go", Line: 7, End: 9, Was: "a", Is: "b"}, {File: "p/q.go", Line: 1}},
		Values: []behavior.Value{{Name: "p.Parse result 0", Old: "int 1", New: ""}},
	}
	gone := cause
	gone.Hunks = []behavior.Hunk{{File: "p/p.go", Line: 0, End: -1, Was: "a"}}
	unknown := cause
	unknown.Dependency = "a.b/c v1.1.0 in place of v1.0.0"
	unknown.Hunks, unknown.Values = nil, []behavior.Value{{Name: "x", Place: "p/p_test.go:4"}, {Name: "y", Place: "p/p_test.go:5", New: strings.Repeat("é", 200)}}
	accepted := cause
	accepted.Accepted = true
	got := shown(&behavior.Report{Causes: []behavior.Cause{cause, gone, unknown, accepted}})
	want := []string{
		`warning behavior-difference p/p.go:7-9: FuzzParse: a different value on string("a") int(1) | p.Parse result 0: nothing, before int 1 | reproduce: go test x`,
		`warning behavior-difference p/p.go:1-1: FuzzParse: a different value on string("a") int(1) | p.Parse result 0: nothing, before int 1 | reproduce: go test x`,
		`warning behavior-difference p/p_test.go:4-4: FuzzParse: a different value on string("a") int(1) | x: nothing, before nothing | y: ` +
			strings.Repeat("é", 120) + `…, before nothing | caused by a.b/c v1.1.0 in place of v1.0.0 | reproduce: go test x`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("notices (-want +got):\n%s", diff)
	}
}

// An ID stays when lines move, and differs where the code does.
func TestIdentities(t *testing.T) {
	cause := func(line int, is string) *behavior.Report {
		return &behavior.Report{Causes: []behavior.Cause{{Call: "F", Kind: behavior.KindValue, Hunks: []behavior.Hunk{{File: "p.go", Line: line, End: line, Was: "a", Is: is}}}}}
	}
	crash := func(message string, frames ...string) *report.Report {
		return &report.Report{Tests: []report.FuzzTest{{Name: "FuzzF", Crashes: []report.Crash{{Kind: "panic", Message: message, Frames: frames}}}}}
	}
	for _, c := range []struct {
		name string
		a, b report.Result
		same bool
	}{
		{"a line moves", cause(3, "b"), cause(8, "b"), true},
		{"another change", cause(3, "b"), cause(3, "c"), false},
		{"a panic with another value", crash("index 3", "p.F p.go:1"), crash("index 4", "p.F p.go:9"), true},
		{"in another function", crash("index 3", "p.F p.go:1"), crash("index 3", "p.G p.go:1"), false},
		{"without a stack", crash("a\nb"), crash("a\nc"), true},
		{"another message without a stack", crash("a"), crash("b"), false},
	} {
		a, b := notice.Of(c.a), notice.Of(c.b)
		if len(a) != 1 || len(b) != 1 || (a[0].ID == b[0].ID) != c.same {
			t.Errorf("%s: %+v and %+v", c.name, a, b)
		}
	}
}

func TestNoticesOfSortedInputsAndGoldenValues(t *testing.T) {
	want := []string{
		"error failing-input x.go:7-0: FuzzX fails (panic): boom |   at x.Parse x.go:7 | reproduce: go test -run='^FuzzX$/^a$' . | It passes with a mutant: x.go:7 returned early if p == nil.",
		"error failing-input x_test.go:5-5: FuzzX fails (hang): does not end",
	}
	if diff := cmp.Diff(want, shown(reporttest.Triaged())); diff != "" {
		t.Errorf("sorted inputs (-want +got):\n%s", diff)
	}
	costly := notice.Of(reporttest.TriagedCostly())
	if n := costly[len(costly)-1]; n.Rule != notice.CostlyInput || n.Level != notice.Warning || n.Place() != "eval.go:30" ||
		!strings.HasPrefix(n.Text, "FuzzX: an input costs too much: work grows as length^2.0") || !strings.HasSuffix(n.Text, "\nIt is cheap with a mutant: eval.go:30 left early.") {
		t.Errorf("of a costly input: %+v", n)
	}
	v := reporttest.Verified()
	got := shown(v)
	if !slices.Contains(got, "warning golden-value p/testdata/fuzz-golden/FuzzParse/x:1-1: FuzzParse: line 3: a git conflict marker") {
		t.Errorf("no damaged file among %q", got)
	}
	for i := range v.Tests {
		v.Tests[i].Updated = true
	}
	if got := shown(v); got != nil {
		t.Errorf("of accepted changes: %q", got)
	}
	if got := notice.Of(reporttest.Minimized()); got != nil {
		t.Errorf("of a job without places: %v", got)
	}
}

func TestNoticesOfMistakes(t *testing.T) {
	r := &report.Vetting{Findings: []report.VetFinding{
		{Check: "ignore", File: "a.go", Line: 3, Column: 1, Text: "there is no reason"},
		{Check: "ignore", File: "a.go", Line: 9, Column: 1, Text: "there is no reason"},
	}}
	want := []string{"warning mistake a.go:3-3: there is no reason", "warning mistake a.go:9-9: there is no reason"}
	if diff := cmp.Diff(want, shown(r)); diff != "" {
		t.Errorf("notices (-want +got):\n%s", diff)
	}
	if list := notice.Of(r); list[0].ID == list[1].ID {
		t.Error("two mistakes have one ID")
	}
}

// A bucket that no mutant repairs is where it fails, in a file that its mutants tell: a frame may
// name a file with its directories or without.
func TestABucketWithoutRepairsIsWhereItFails(t *testing.T) {
	for _, c := range []struct{ frame, other, want string }{
		{"x.go:8", "sub/x.go", "sub/x.go:8"},
		{"sub/x.go:8", "sub/x.go", "sub/x.go:8"},
		{"x.go:8", "other/x.go", "x_test.go:5"}, // two files of that name
		{"sub/x.go:8", "other/x.go", "sub/x.go:8"},
		{"z.go:8", "sub/x.go", "x_test.go:5"},
	} {
		r := reporttest.Triaged()
		test := &r.Tests[0]
		test.Repairs[0].File, test.Repairs[1].File = c.other, "sub/x.go"
		test.Buckets[0].Places = nil
		test.Buckets[1].Frames = []string{"y.Help y.go:3", "x.Parse " + c.frame, "x.FuzzX.func1 x_test.go:6"}
		if got := notice.Of(r)[1].Place(); got != c.want {
			t.Errorf("%v: it is at %s", c, got)
		}
	}
}

func TestANoticeHasTheLinesOfItsMutant(t *testing.T) {
	for _, c := range []struct{ name, description, diff, want string }{
		{"a line", "changed > to >=", reporttest.Diff, "changed > to >=.\n- if (sum > x) != (y > 0) {\n+ if (sum >= x) != (y > 0) {"},
		{
			"lines with indents, a cut description", "removed x = f(…", "--- a/x.go\n+++ b/x.go\n@@ -1,4 +1,3 @@\n a\n-\t\tx = f(\n-\t\t\ty)\n+\t\t\n b\n",
			"removed x = f(…\n- x = f(\n- \ty)",
		},
		{"too many lines", "removed all", "--- a/x.go\n+++ b/x.go\n@@ -1,7 +1,0 @@\n-a\n-b\n-c\n-d\n-e\n-f\n-g\n", "removed all."},
		{"no diff", "changed > to >=", "", "changed > to >=."},
	} {
		m := reporttest.Mutant("m", "add", 5, report.Survived, 3, 1)
		m.Description, m.Diff = c.description, c.diff
		m.Seen = &report.Seen{Test: "TestAdd", Call: "calc.Add", File: "calc_test.go", Line: 7, Value: "result 0 (int)", Text: "1 vs 2"}
		n := notice.Of(&report.TestReport{Mutants: []report.Mutant{m}})[0]
		want := "No test notices this mutant: " + c.want + "\ncalc_test.go:7 (TestAdd) does not check result 0 (int) of calc.Add: 1 vs 2."
		if diff := cmp.Diff(want, n.Whole()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

// Buckets whose inputs fail in the same way have a notice each, with an ID each: a service takes one
// of an ID.
func TestFailingInputsOfOneStackAreToldApart(t *testing.T) {
	fuzzed := reporttest.Fuzzed()
	run := &fuzzed.Tests[1]
	first := run.Crashes[0]
	first.Message = "another"
	run.Crashes = append(run.Crashes, first, first)
	sorted := reporttest.Triaged()
	bucket := sorted.Tests[0].Buckets[0]
	sorted.Tests[0].Buckets = append(sorted.Tests[0].Buckets, bucket)
	for _, c := range []struct {
		r           report.Result
		want, again int
	}{{fuzzed, len(run.Crashes), 2}, {sorted, 3, 1}} {
		ids := make(map[string]bool)
		again := 0
		for _, n := range notice.Of(c.r) {
			if n.Rule.ID == notice.FailingInput.ID {
				ids[n.ID] = true
				if n.Again {
					again++
				}
			}
		}
		if len(ids) != c.want || again != c.again {
			t.Errorf("%d IDs, want %d; %d fail as another does, want %d", len(ids), c.want, again, c.again)
		}
	}
}

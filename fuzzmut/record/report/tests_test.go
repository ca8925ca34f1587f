package report

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// testSample is a result of tests with everything that can occur.
func testSample() *TestReport {
	survivor := func(id, fn string, tests []string, infected int64, reason string) Mutant {
		m := mutant(id, fn, 30, Survived, int64(len(tests)), infected)
		m.Tests, m.Reason = tests, reason
		return m
	}
	timeout := killed("k2", 11, "timeout")
	timeout.Reused = true
	lone := mutant("p1", "zero", 3, Pending, 0, 0)
	lone.Package = "example.com/calc/zero"
	r := &TestReport{
		Version: FormatVersion, Diff: "main...", Interrupted: true,
		Packages: []TestRun{
			{
				Package: "example.com/calc", Source: "abc", Executions: 20, MutantRuns: 1234, Processes: 3,
				Tests:  []TestResult{{Name: "TestA", Seconds: 0.5, Kills: 1}, {Name: "TestB"}},
				Judged: 9, Reused: 1, Resumed: 2, BuildSeconds: 1.25, WallSeconds: 2.5, CPUSeconds: 4, Shared: true,
				Sites: Sites{Sites: 12, Mutated: 12, LeftOut: map[string]int{}, Suppressed: map[string]int{}},
			},
			{
				Package: "example.com/calc/zero", Source: "def", Judged: 1, Reused: 1, Processes: 1,
				SetAside: []SetAside{
					{Name: "TestRed", Failed: 2, Output: "red_test.go:7: got 1,\nwant 2"},
					{Name: "TestFlaky", Passed: 2, Failed: 1, Output: "flaky_test.go:9: too late"},
				},
				Tests: []TestResult{{Name: "TestZ"}}, Reason: "pass only once in a process: TestZ", Interrupted: true,
			},
		},
		Mutants: []Mutant{
			killed("k1", 10, "assertion"), timeout,
			survivor("s1", "sub", []string{"TestA", "TestB", "example.com/calc/zero.TestZ"}, 3, ""),
			survivor("s2", "sub", []string{"TestA"}, 0, ""),
			survivor("s3", "", []string{"TestA"}, 1, ""),
			survivor("s4", "mul", []string{"TestA", "TestB"}, 0, "no test computes a different value"),
			mutant("n1", "pow", 90, NotCovered, 0, 0),
			mutant("x2", "String", 4, Skipped, 0, 0),
			lone,
		},
		Warnings: []string{"verdicts can't be kept"},
	}
	r.Mutants[6].Reason = OnlySetAside + "TestFlaky"
	r.Mutants[3].Reached = 5
	r.Mutants[4].Reached, r.Mutants[4].Infected, r.Mutants[4].Tests = 0, 0, nil
	r.Mutants[4].Start = Start{Reached: true, Infected: true}
	r.Score = Summarise(r.Mutants)
	return r
}

func TestTestReportText(t *testing.T) {
	for name, opts := range map[string]TextOptions{
		"tests.golden":         {},
		"tests-verbose.golden": {Verbose: true},
		"tests-quiet.golden":   {Quiet: true},
	} {
		var buf bytes.Buffer
		if err := testSample().WriteText(&buf, opts); err != nil {
			t.Fatal(err)
		}
		golden(t, name, buf.Bytes())
	}
	var buf bytes.Buffer
	if err := new(TestReport).WriteText(&buf, TextOptions{}); err != nil {
		t.Fatal(err)
	}
	if got := buf.String(); got != "no mutants to judge\n" {
		t.Errorf("got %q", got)
	}
}

func TestTestReportJSONComesBack(t *testing.T) {
	for name, r := range map[string]*TestReport{"full": testSample(), "empty": {Version: FormatVersion}} {
		var buf, again bytes.Buffer
		if err := r.WriteJSON(&buf); err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(buf.Bytes(), []byte("null")) {
			t.Errorf("%s: a list is null", name)
		}
		back, err := ReadTests(buf.Bytes())
		if err != nil {
			t.Fatal(err)
		}
		if err := back.WriteJSON(&again); err != nil {
			t.Fatal(err)
		}
		var first bytes.Buffer
		if err := r.WriteJSON(&first); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(first.String(), again.String()); diff != "" {
			t.Errorf("%s:\n%s", name, diff)
		}
	}
}

func TestOnlyResultsOfTestsAreRead(t *testing.T) {
	var fuzz bytes.Buffer
	if err := sample().WriteJSON(&fuzz); err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		"":            "not a result of fuzzmut test",
		"[]":          "not a result of fuzzmut test",
		fuzz.String(): "no packages or no mutants",
		`{"version": 9, "packages": [], "mutants": []}`: "version 9",
	} {
		if _, err := ReadTests([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.20q: got %v, want %q", text, err, want)
		}
	}
}

// A result that was changed, by hand or by chance, would be merged into a score that is
// nobody's.
func TestChangedResultsAreRefused(t *testing.T) {
	var buf bytes.Buffer
	if err := testSample().WriteJSON(&buf); err != nil {
		t.Fatal(err)
	}
	text := buf.String()
	line := func(part string) string {
		before, _, ok := strings.Cut(text, part)
		if !ok {
			t.Fatalf("the sample has no %s", part)
		}
		return fmt.Sprintf("line %d: ", 1+strings.Count(before, "\n"))
	}
	for _, c := range []struct{ old, new, want string }{
		{`"status": "not-covered"`, `"status": "not-seen"`, line(`"status": "not-covered"`) + `mutant "n1" has the unknown status "not-seen"`},
		{`"status": "killed"`, `"status": ""`, line(`"status": "killed"`) + `mutant "k1" has the unknown status ""`},
		{`"kill_kind": "timeout"`, `"kill_kind": "luck"`, `has the unknown kind of kill "luck"`},
		{`"status": "survived"`, `"status": "not-covered"`, "the score does not match the mutants"},
		{`"mutant_runs": 1234`, `"mutant_runs": -1234`, "package example.com/calc has a negative count or time"},
		{`"mutant_runs": 1234`, `"mutant_runs": 1e99`, line(`"mutant_runs": 1234`) + "json: cannot unmarshal number 1e99"},
		{`"executions": 20`, `"executoins": 20`, line(`"executions": 20`) + `json: unknown field "executoins"`},
		{`"diff": "main..."`, `"shard": "1/2000000000"`, `"1/2000000000" is not a shard`},
		{`"diff": "main..."`, `"shard": "0/4"`, `"0/4" is not a shard`},
		{`"diff": "main..."`, `"shard": "1/2,"`, `"" is not a shard`},
	} {
		_, err := ReadTests([]byte(strings.Replace(text, c.old, c.new, 1)))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s for %s: got %v, want %q", c.new, c.old, err, c.want)
		}
	}
	if _, err := ReadTests([]byte(text + "{}")); err == nil || !strings.Contains(err.Error(), "data after the result") {
		t.Errorf("two results: %v", err)
	}
}

// Listing what is missing must end, whatever divisions the results are of.
func TestShardsOfManyDivisionsAreRefused(t *testing.T) {
	var many []string
	for n := 2; n < 1000; n++ {
		many = append(many, fmt.Sprintf("1/%d", n))
	}
	for _, name := range []string{strings.Join(many, ","), "1/2000000000"} {
		if _, err := MergeTests([]*TestReport{shard(name, "s", 0)}); err == nil {
			t.Errorf("%.20s: no error", name)
		}
	}
}

// FuzzReadTests checks that what is read can be written, read again, and merged.
func FuzzReadTests(f *testing.F) {
	for _, r := range []*TestReport{testSample(), {}, shard("1/4,2/4", "s", 1, killed("k1", 10, "panic"))} {
		var buf bytes.Buffer
		if err := r.WriteJSON(&buf); err != nil {
			f.Fatal(err)
		}
		f.Add(buf.Bytes())
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := ReadTests(data)
		if err != nil {
			return
		}
		var first, second bytes.Buffer
		if err := r.WriteJSON(&first); err != nil {
			t.Fatal(err)
		}
		again, err := ReadTests(first.Bytes())
		if err != nil {
			t.Fatal(err)
		}
		if err := again.WriteJSON(&second); err != nil || first.String() != second.String() {
			t.Errorf("%v (-read +again):\n%s", err, cmp.Diff(first.String(), second.String()))
		}
		if m, err := MergeTests([]*TestReport{r, r}); err == nil {
			m.WriteText(io.Discard, TextOptions{Verbose: true})
		}
	})
}

// shard returns a result of one package for a shard.
func shard(name string, source string, kills int, ms ...Mutant) *TestReport {
	return &TestReport{
		Version: FormatVersion, Shard: name, Mutants: ms, Score: Summarise(ms),
		Packages: []TestRun{{
			Package: "example.com/calc", Source: source, Judged: len(ms), MutantRuns: 5, CPUSeconds: 1,
			Tests: []TestResult{{Name: "TestA", Kills: kills}},
		}},
	}
}

func TestMergingAddsUp(t *testing.T) {
	m, err := MergeTests([]*TestReport{
		shard("1/2", "s", 1, killed("k1", 10, "panic"), mutant("b", "f", 2, NotCovered, 0, 0)),
		shard("2/2", "s", 2, mutant("a", "f", 1, Survived, 1, 1), killed("b", 2, "assertion"), killed("k1", 10, "fuel")),
	})
	if err != nil {
		t.Fatal(err)
	}
	want := Score{Mutants: 3, Killed: 2, Survived: 1, Score: 2.0 / 3, KillKinds: map[string]int{"panic": 1, "assertion": 1}}
	if diff := cmp.Diff(want, m.Score); diff != "" {
		t.Error(diff)
	}
	if run := m.Packages[0]; len(m.Packages) != 1 || run.Judged != 5 || run.MutantRuns != 10 || run.CPUSeconds != 2 || run.Tests[0].Kills != 3 {
		t.Errorf("%+v", m.Packages)
	}
	if m.Shard != "" || len(m.Warnings) != 0 {
		t.Errorf("shard %q, warnings %q", m.Shard, m.Warnings)
	}
}

// What one shard sets aside is set aside in the merged result.
func TestMergingKeepsWhatWasSetAside(t *testing.T) {
	first, second := shard("1/2", "s", 1), shard("2/2", "s", 1)
	first.Packages[0].SetAside = []SetAside{{Name: "TestB", Passed: 1, Failed: 1, Output: "late"}}
	second.Packages[0].SetAside = []SetAside{{Name: "TestC", Failed: 2}, {Name: "TestB", Passed: 3, Failed: 1, Output: "later"}}
	m, err := MergeTests([]*TestReport{first, second})
	if err != nil {
		t.Fatal(err)
	}
	want := []SetAside{{Name: "TestB", Passed: 4, Failed: 2, Output: "late"}, {Name: "TestC", Failed: 2}}
	if diff := cmp.Diff(want, m.Packages[0].SetAside); diff != "" {
		t.Error(diff)
	}
	if first.Packages[0].SetAside[0].Passed != 1 {
		t.Error("merging changes what it merges")
	}
	first.Packages[0].SetAside[0].Passed = -1
	if !first.Packages[0].negative() {
		t.Error("a count below 0 is not refused")
	}
}

func TestMergingNamesMissingShards(t *testing.T) {
	m, err := MergeTests([]*TestReport{shard("3/4", "s", 0), shard("1/4", "s", 0), shard("3/4", "s", 0)})
	if err != nil {
		t.Fatal(err)
	}
	if m.Shard != "1/4,3/4" || len(m.Warnings) != 1 || !strings.HasSuffix(m.Warnings[0], "no result of shard 2/4, 4/4") {
		t.Errorf("shard %q, warnings %q", m.Shard, m.Warnings)
	}
	if diff := cmp.Diff([]string{"2/4", "4/4"}, m.Missing); diff != "" {
		t.Errorf("missing (-want +got):\n%s", diff)
	}
	if m, err = MergeTests([]*TestReport{m, shard("2/4", "s", 0), shard("4/4", "s", 0)}); err != nil || m.Shard != "" || len(m.Warnings)+len(m.Missing) > 0 {
		t.Errorf("shard %q, %v, warnings %q", m.Shard, err, m.Warnings)
	}
}

func TestResultsOfDifferentCodeAreNotMerged(t *testing.T) {
	_, err := MergeTests([]*TestReport{shard("1/2", "s", 0), shard("2/2", "other", 0)})
	if err == nil || !strings.Contains(err.Error(), "different versions of package example.com/calc") {
		t.Errorf("got %v", err)
	}
}

package text

import (
	"bytes"
	"strings"
	"testing"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report/reporttest"
)

func TestTriageAsText(t *testing.T) {
	for _, c := range []struct {
		o              Format
		want, unwanted []string
	}{
		{Format{}, []string{
			"  2 failing inputs in 2 buckets; 2 mutants make some of them pass, 1 without breaking anything\n",
			"  a repair must not break: 3 passing inputs and 2 tests of the package; 1,234 mutant executions",
			"  1 input that no longer fails\n",
			"      this change makes 1 of 1 input in this bucket pass, and 1 of 2 overall  (score 1.00)\n",
			"          +\tif p == nil { return }; use(p)\n",
			"      shares repairs with bucket 2, 3, distance 0.50\n",
			"      passes at v1; fails since abc a change\n",
			"      fails at v1, too\n",
			"      go test -run='^FuzzX$/^a$' .\n",
			"  bucket 2: 1 input; no repair found that breaks nothing else\n",
			"pass, but it breaks an input that passes:\n",
			"      input []byte(\"b\") int(3)\n",
			"      -write writes it where go test runs it\n",
			"    c  flaky: it depends\n",
			"\n2 failing inputs in 2 buckets, and 1 not sorted\n",
		}, []string{"guard:", "muse"}},
		{Format{Verbose: true}, []string{"      muse suspects x.go:7  (0.500)\n", "      ochiai suspects x.go:7-9  (0.250)\n"}, nil},
		{Format{Quiet: true}, []string{"2 failing inputs in 2 buckets, and 1 not sorted\n"}, []string{"bucket 1"}},
	} {
		var b bytes.Buffer
		if err := c.o.Write(&b, reporttest.Triaged()); err != nil {
			t.Fatal(err)
		}
		for _, want := range c.want {
			if !strings.Contains(b.String(), want) {
				t.Errorf("%+v: %q is missing in\n%s", c.o, want, &b)
			}
		}
		for _, no := range c.unwanted {
			if strings.Contains(b.String(), no) {
				t.Errorf("%+v: %q stands in\n%s", c.o, no, &b)
			}
		}
	}
	var b bytes.Buffer
	if err := (Format{}).Write(&b, new(report.TriageReport)); err != nil || b.String() != "no failing inputs were sorted\n" {
		t.Errorf("%q, %v", &b, err)
	}
}

// A repair that nothing that was run and passes reaches is not said to break nothing.
func TestTriageOfRepairsThatNothingReaches(t *testing.T) {
	for _, c := range []struct {
		unreached []bool
		want      string
	}{
		{[]bool{true}, "; 1 mutant makes some of them pass; what it breaks is not known, since nothing that was run and passes reaches it\n"},
		{[]bool{true, true, false}, "; 3 mutants make some of them pass, 1 without breaking anything; what 2 of them break is not known, since nothing that was run and passes reaches them\n"},
		{[]bool{false}, "; 1 mutant makes some of them pass, 1 without breaking anything\n"},
	} {
		r := reporttest.Triaged()
		f := &r.Tests[0]
		f.Repairs = nil
		for _, u := range c.unreached {
			f.Repairs = append(f.Repairs, report.Repair{Counts: true, Unreached: u})
		}
		f.Buckets[1].Noisy = nil
		var b bytes.Buffer
		if err := (Format{}).Write(&b, r); err != nil {
			t.Fatal(err)
		}
		remark := strings.Contains(b.String(), "          nothing that was run and passes reaches the change, so what it breaks is not known\n")
		if !strings.Contains(b.String(), c.want) || remark != c.unreached[0] {
			t.Errorf("%v:\n%s", c.unreached, &b)
		}
	}
}

// The tests that fail now and pass with a repair are named, and those that still fail, of failing inputs and of costly ones, of
// a run as well.
func TestRepairsWithTestsThatFail(t *testing.T) {
	for _, c := range []struct {
		nowPass, stillFail []string
		want               string
	}{
		{nowPass: []string{"TestA"}, want: "TestA, which fails now, passes with it"},
		{nowPass: []string{"TestA", "TestB"}, want: "TestA and TestB, which fail now, pass with it"},
		{stillFail: []string{"TestA"}, want: "TestA fails now, and still does with it"},
		{[]string{"TestA"}, []string{"TestB", "TestC", "TestD", "TestE"}, "TestB, TestC, TestD and TestE fail now, and still do with it"},
		{stillFail: []string{"TestA", "TestB", "TestC", "TestD", "TestE"}, want: "TestA, TestB, TestC and 2 more fail now, and still do with it"},
	} {
		r := reporttest.Triaged()
		f := &r.Tests[0]
		f.Repairs[0].NowPass, f.Repairs[0].StillFail = c.nowPass, c.stillFail
		fails := &report.Report{Tests: []report.FuzzTest{{Crashes: []report.Crash{{Repairs: f.Repairs[:1]}}}}}
		costs := &report.Report{Tests: []report.FuzzTest{{Costs: []report.Cost{{Repairs: f.Repairs[:1]}}}}}
		for _, result := range []report.Result{r, fails, costs} {
			var b bytes.Buffer
			if err := (Format{}).Write(&b, result); err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(b.String(), "\n          "+c.want+"\n") {
				t.Errorf("%q is missing in\n%s", c.want, &b)
			}
		}
	}
}

// An input on which no race shows may show it in another run: it is not said to pass for good.
func TestTriageOfRacesThatDoNotShow(t *testing.T) {
	for runs, want := range map[int]string{
		3: "  1 input that passes: no race showed in 3 runs under the race detector, and one may show in another\n",
		0: "  1 input that passes, not run under the race detector: out of time; raise -triagetime\n",
	} {
		r := &report.TriageReport{Tests: []report.Triage{{Raced: true, RaceRuns: runs, Inputs: []report.FailingInput{{Name: "a", Status: report.Passes, Reason: "why"}}}}}
		var b bytes.Buffer
		if err := (Format{}).Write(&b, r); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(b.String(), want) || strings.Contains(b.String(), "no longer") {
			t.Errorf("%q is missing in\n%s", want, &b)
		}
	}
}

// What an oracle has found that was asked for is not said to be tried with mutants, nor to fail with
// go test.
func TestTriageOfWhatAnOracleFound(t *testing.T) {
	r := &report.TriageReport{Tests: []report.Triage{{
		Inputs: []report.FailingInput{
			{Name: "a", Status: report.Unfinished, Reason: "no number is watched", Kind: "overflow", Rank: 1, Bucket: 1},
			{Name: "b", Status: report.Unfinished, Kind: "panic", Rank: 2, Bucket: 2},
		},
		Buckets: []report.Bucket{
			{Number: 1, Kind: "overflow", ByStack: true, Inputs: []string{"a"}, Path: "cache/a"},
			{Number: 2, Kind: "panic", ByStack: true, Inputs: []string{"b"}, Path: "cache/b"},
		},
	}}}
	var b bytes.Buffer
	if err := (Format{}).Write(&b, r); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"  1 input not run with all mutants, sorted by what is known so far\n",
		"  1 input found by -oracle, sorted by place: no mutants are tried on it\n",
		"      -write writes it where fuzzmut -oracle=overflow runs it; go test passes with it\n",
		"      -write writes it where go test runs it\n",
	} {
		if strings.Count(b.String(), want) != 1 {
			t.Errorf("no %q in\n%s", want, &b)
		}
	}
}

// What breaks something is shown beside repairs if all is asked for.
func TestNoisyRepairsOfABucket(t *testing.T) {
	r := reporttest.Triaged()
	noisy := []report.RankedRepair{{Repair: 1, Here: 1}, {Repair: 1, Here: 1}, {Repair: 1, Here: 1}}
	elsewhere := []report.RankedRepair{{Repair: 1, Here: 1}, {Repair: 1, Here: 1, Elsewhere: true}}
	for _, c := range []struct {
		verbose        bool
		repairs, noisy []report.RankedRepair
		want           int
	}{
		{false, nil, noisy, 2},
		{true, nil, noisy, 3},
		{false, []report.RankedRepair{{}}, noisy, 0},
		{true, []report.RankedRepair{{}}, noisy, 3},
		{false, nil, elsewhere, 1},
		{true, nil, elsewhere, 2},
	} {
		r.Tests[0].Buckets = []report.Bucket{{Number: 1, Inputs: []string{"a"}, Repairs: c.repairs, Guards: c.repairs, Noisy: c.noisy}}
		var b bytes.Buffer
		if err := (Format{Verbose: c.verbose}).Write(&b, r); err != nil {
			t.Fatal(err)
		}
		if got := strings.Count(b.String(), "but it breaks an input"); got != c.want || strings.Contains(b.String(), "decides") {
			t.Errorf("%+v: %d are shown\n%s", c, got, &b)
		}
	}
}

// The change of what decides whether the failing line is reached is shown as such.
func TestWhatDecidesIsNamed(t *testing.T) {
	r := reporttest.Triaged()
	r.Tests[0].Buckets = []report.Bucket{{Number: 1, Inputs: []string{"a"}, Noisy: []report.RankedRepair{{Repair: 1, Here: 1, Decides: true}}}}
	var b bytes.Buffer
	if err := (Format{Verbose: true}).Write(&b, r); err != nil || !strings.Contains(b.String(), "this change of what decides whether the failing line is reached makes 1 of 1 input pass, but it breaks") {
		t.Errorf("%v:\n%s", err, &b)
	}
}

// What the report says of the inputs at another revision agrees with the representative, and
// says what was not run.
func TestInputsAtARevision(t *testing.T) {
	for _, tt := range []struct {
		at           string
		run, failing int
		want         string
	}{
		{report.FailsThere, 14, 12, "      12 of 14 inputs also fail at v1\n"},
		{report.PassesThere, 14, 1, "      1 of 14 inputs fails at v1\n"},
		{report.FailsThere, 11, 11, "      11 of 11 inputs also fail at v1; 3 were not run there\n"},
		{report.FailsThere, 0, 0, ""},
	} {
		r := reporttest.Triaged()
		b := &r.Tests[0].Buckets[0]
		b.Inputs, b.AtRevision, b.InputsRun, b.InputsFailing = make([]string, 14), tt.at, tt.run, tt.failing
		var out bytes.Buffer
		if err := (Format{}).Write(&out, r); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(out.String(), tt.want) || tt.want == "" && strings.Contains(out.String(), "inputs fail") {
			t.Errorf("%+v: no %q in\n%s", tt, tt.want, &out)
		}
	}
}

// What there was no time for is no result.
func TestTriageOutOfTime(t *testing.T) {
	given := report.FailingInput{Name: "a", Status: report.NotRun, Reason: "out of time to run it"}
	for _, c := range []struct {
		r        report.Triage
		want     []string
		unwanted string
	}{
		{report.Triage{NotRun: 5, Inputs: []report.FailingInput{given, given}}, []string{
			"  2 inputs given as failing but not run: out of time; raise -triagetime\n",
			"  3 inputs of the corpus not run: out of time; raise -triagetime\n",
			"    a  not-run: out of time to run it\n", "\n2 failing inputs not sorted\n",
		}, "in 0 buckets"},
		{report.Triage{NotRun: 3}, []string{"\nno failing inputs in those that were run; 3 inputs were not\n"}, "given as failing"},
		{report.Triage{Inputs: []report.FailingInput{{Name: "a", Status: report.Flaky}}}, []string{"\n1 failing input not sorted\n"}, "in 0 buckets"},
		{report.Triage{Inputs: []report.FailingInput{{Name: "a", Status: report.Passes}}}, []string{"\nno failing inputs\n"}, "not sorted"},
	} {
		var b bytes.Buffer
		if err := (Format{}).Write(&b, &report.TriageReport{Tests: []report.Triage{c.r}}); err != nil {
			t.Fatal(err)
		}
		for _, want := range c.want {
			if !strings.Contains(b.String(), want) {
				t.Errorf("lacks %q", want)
			}
		}
		if strings.Contains(b.String(), c.unwanted) {
			t.Errorf("has %q", c.unwanted)
		}
		if t.Failed() {
			t.Fatal(b.String())
		}
	}
}

// Costly inputs are counted apart from those that fail.
func TestCostlyInputsAsText(t *testing.T) {
	r := reporttest.TriagedCostly()
	var b bytes.Buffer
	if err := (Format{}).Write(&b, r); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"  2 failing inputs in 2 buckets; ", "  1 costly input in 1 bucket, one for each loop: ", "  1 input that no mutant repairs, ",
		"  bucket 3: 1 input\n    cost: work grows as length^2.0, processor time as length^1.9\n", "      \"(\" + strings.Repeat(\";\", n)\n",
		"      this change makes 1 of 1 input in this bucket cheap, and 1 of 3 overall  (score 1.00)\n", "      at v1: not run: it passes\n",
		"\n2 failing inputs in 2 buckets, and 1 not sorted\n1 costly input in 1 bucket\n",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, &b)
		}
	}
	if strings.Contains(b.String(), "input string(\";;;;\")") {
		t.Error("the input is shown in full")
	}
	test := &r.Tests[0]
	test.Buckets, test.Inputs = test.Buckets[2:], test.Inputs[:1]
	b.Reset()
	if err := (Format{}).Write(&b, r); err != nil || strings.Contains(b.String(), "0 failing inputs in") || !strings.HasSuffix(b.String(), "\nno failing inputs\n1 costly input in 1 bucket\n") {
		t.Errorf("%v\n%s", err, &b)
	}
}

// Where no repair is known the bucket says what to do.
func TestWhatToDoWithoutARepair(t *testing.T) {
	noisy := func(m *report.Repair) *report.Triage {
		r := reporttest.Triaged()
		f := &r.Tests[0]
		f.Repairs = append(f.Repairs, *m)
		f.Buckets[1].Noisy = []report.RankedRepair{{Repair: 2, Here: 1}}
		return f
	}
	failsAt := func(f *report.Triage, changes int, frames ...string) *report.Triage {
		f.Buckets[1].Frames = frames
		for len(f.Buckets[1].Noisy) < changes {
			f.Buckets[1].Noisy = append(f.Buckets[1].Noisy, f.Buckets[1].Noisy[0])
		}
		return f
	}
	breaking := report.Repair{ID: "id3", File: "x.go", Reason: "breaks an input that passes"}
	left := func(reason string, runs int64) *report.Triage {
		r := reporttest.Triaged()
		f := &r.Tests[0]
		f.Inputs[1].Status, f.Inputs[1].Reason, f.Inputs[1].Runs = report.Unfinished, reason, runs
		f.Buckets[1].Noisy = nil
		return f
	}
	alone := left("", 0)
	alone.Inputs[1].Status = report.Unrepaired
	placed := left("", 0)
	placed.Inputs[1].Status, placed.Buckets[1].Places = report.Unrepaired, []report.Place{{Localiser: "muse", File: "y.go", Line: 1}, {Localiser: "ochiai", File: "x.go", Line: 7, EndLine: 9}}
	for _, c := range []struct {
		f    *report.Triage
		want string
	}{
		{noisy(&report.Repair{ID: "id3", File: "x.go", Reason: "breaks a test of the package", Test: "TestX"}), "but it breaks TestX:\n"},
		{noisy(&report.Repair{ID: "id3", File: "x.go", Reason: "breaks a test of the package", Test: "TestX"}), "      next: read TestX; if it wants what is wrong, -tests=false leaves the tests out\n"},
		{failsAt(noisy(&breaking), 1, "x.Parse x.go:7", "x.Do x.go:3"), "      next: read x.go:7, where it fails: this change avoids the failure and breaks what passes, so it is no fix\n"},
		{failsAt(noisy(&breaking), 2, "x.Parse x.go:7"), "      next: read x.go:7, where it fails: these changes avoid the failure and break what passes, so none is a fix\n"},
		{failsAt(noisy(&breaking), 1), "      next: -since REVISION finds the commit with which it began\n"},
		{left("out of time to try all mutants", 5), "; no repair found so far, and not all mutants tried\n"},
		{left("out of time to try all mutants", 5), "      next: raise -triagetime"},
		{left("not tried: out of time; raise -triagetime", 0), "      next: raise -triagetime"},
		{left("it ends the process, and would with each mutant: fatal error", 0), "; not tried with mutants\n"},
		{left("it ends the process, and would with each mutant: fatal error", 0), "      no mutant was tried: it ends the process, and would with each mutant: fatal error\n      next: -since REVISION finds"},
		{left("too many mutants end the process", 9), "      mutants were not tried to the end: too many mutants end the process\n      next: -since"},
		{alone, "      next: -since REVISION finds the commit with which it began\n"},
		{placed, "      next: read x.go:7-9, where inputs that fail go more than others; -v lists more"},
	} {
		var b bytes.Buffer
		if err := (Format{}).Write(&b, &report.TriageReport{Tests: []report.Triage{*c.f}}); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(b.String(), c.want) {
			t.Errorf("no %q in\n%s", c.want, &b)
		}
	}
}

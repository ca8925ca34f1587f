package report

import (
	"bytes"
	"strings"
	"testing"
)

func sampleTriage() *TriageReport {
	return &TriageReport{Tests: []Triage{{
		Package: "example.com/x", Name: "FuzzX", Operators: "guards", Passing: 3, PackageTests: 2, MutantExecutions: 1234,
		Inputs: []FailingInput{
			{Name: "a", Status: Repaired, Rank: 1, Bucket: 1, Repairs: []int{0}},
			{Name: "b", Status: Unrepaired, Rank: 2, Bucket: 2},
			{Name: "c", Status: Flaky, Reason: "it depends"},
			{Name: "d", Status: Passes},
		},
		Repairs: []Repair{
			{ID: "id1", File: "x.go", Line: 7, Function: "Parse", Description: "returned early if p == nil", Inputs: 1, Counts: true, Diff: "--- a/x.go\n+++ b/x.go\n@@ -7 +7 @@\n-\tuse(p)\n+\tif p == nil { return }; use(p)\n"},
			{ID: "id2", File: "x.go", Line: 9, Description: "negated the condition", Inputs: 1, Breaks: 1, Reason: "breaks an input that passes"},
		},
		Buckets: []Bucket{
			{
				Number: 1, Kind: "panic", Message: "boom", Frames: []string{"x.Parse x.go:7"}, Inputs: []string{"a"}, Representative: `string("(")`,
				Repro: "go test -run='^FuzzX$/^a$' .", Repairs: []RankedRepair{{Repair: 0, Score: 1, Here: 1}}, Guards: []RankedRepair{{Repair: 0, Score: 1, Here: 1}},
				Revision: "v1", AtRevision: PassesThere, FirstFailing: "abc a change", Rings: []Ring{{0.5, []int{2, 3}}},
				Places: []Place{{Localiser: "muse", File: "x.go", Line: 7, EndLine: 7, Score: 0.5}, {Localiser: "ochiai", File: "x.go", Line: 7, EndLine: 9, Score: 0.25}},
			},
			{Number: 2, Kind: "hang", Message: "does not end", Inputs: []string{"b"}, ByStack: true, Representative: "[]byte(\"b\")\nint(3)", Path: "in/b", Noisy: []RankedRepair{{Repair: 1, Score: 1, Here: 1}}, Revision: "v1", AtRevision: FailsThere},
		},
	}}}
}

func TestTriageAsText(t *testing.T) {
	for _, c := range []struct {
		o              TextOptions
		want, unwanted []string
	}{
		{TextOptions{}, []string{
			"  2 failing inputs in 2 buckets; 2 mutants make some of them pass, 1 without breaking anything\n",
			"  a repair must not break: 3 passing inputs and 2 tests of the package; 1,234 mutant executions",
			"  1 input that no longer fails\n",
			"      this change makes 1 of 1 input in this bucket pass, and 1 of 2 overall  (1.00)\n",
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
		{TextOptions{Verbose: true}, []string{"      muse suspects x.go:7  (0.500)\n", "      ochiai suspects x.go:7-9  (0.250)\n"}, nil},
		{TextOptions{Quiet: true}, []string{"2 failing inputs in 2 buckets, and 1 not sorted\n"}, []string{"bucket 1"}},
	} {
		var b bytes.Buffer
		if err := sampleTriage().WriteText(&b, c.o); err != nil {
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
	if err := (&TriageReport{}).WriteText(&b, TextOptions{}); err != nil || b.String() != "no failing inputs were sorted\n" {
		t.Errorf("%q, %v", &b, err)
	}
}

func TestTriageAsJSONHasNoNull(t *testing.T) {
	r := sampleTriage()
	r.Tests = append(r.Tests, Triage{Name: "FuzzEmpty"})
	var b bytes.Buffer
	if err := r.WriteJSON(&b); err != nil || strings.Contains(b.String(), "null") || !strings.Contains(b.String(), `"version": 1`) {
		t.Errorf("%v\n%s", err, &b)
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
		{FailsThere, 14, 12, "      12 of 14 inputs also fail at v1\n"},
		{PassesThere, 14, 1, "      1 of 14 inputs fails at v1\n"},
		{FailsThere, 11, 11, "      11 of 11 inputs also fail at v1; 3 were not run there\n"},
		{FailsThere, 0, 0, ""},
	} {
		r := sampleTriage()
		b := &r.Tests[0].Buckets[0]
		b.Inputs, b.AtRevision, b.InputsRun, b.InputsFailing = make([]string, 14), tt.at, tt.run, tt.failing
		var out bytes.Buffer
		if err := r.WriteText(&out, TextOptions{}); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(out.String(), tt.want) || tt.want == "" && strings.Contains(out.String(), "inputs fail") {
			t.Errorf("%+v: no %q in\n%s", tt, tt.want, &out)
		}
	}
}

// What there was no time for is no result.
func TestTriageOutOfTime(t *testing.T) {
	given := FailingInput{Name: "a", Status: NotRun, Reason: "out of time to run it"}
	for _, c := range []struct {
		r        Triage
		want     []string
		unwanted string
	}{
		{Triage{NotRun: 5, Inputs: []FailingInput{given, given}}, []string{
			"  2 inputs given as failing but not run: out of time; raise -triagetime\n",
			"  3 inputs of the corpus not run: out of time; raise -triagetime\n",
			"    a  not-run: out of time to run it\n", "\n2 failing inputs not sorted\n",
		}, "in 0 buckets"},
		{Triage{NotRun: 3}, []string{"\nno failing inputs in those that were run; 3 inputs were not\n"}, "given as failing"},
		{Triage{Inputs: []FailingInput{{Name: "a", Status: Flaky}}}, []string{"\n1 failing input not sorted\n"}, "in 0 buckets"},
		{Triage{Inputs: []FailingInput{{Name: "a", Status: Passes}}}, []string{"\nno failing inputs\n"}, "not sorted"},
	} {
		var b bytes.Buffer
		if err := (&TriageReport{Tests: []Triage{c.r}}).WriteText(&b, TextOptions{}); err != nil {
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

package format

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report/reporttest"
)

func TestReportJSON(t *testing.T) {
	var buf bytes.Buffer
	if err := JSON.Write(&buf, reporttest.Fuzzed()); err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(buf.Bytes(), []byte("null")) {
		t.Error("a list is null")
	}
	if !bytes.Contains(buf.Bytes(), []byte(`"changed > to >="`)) {
		t.Error("operators are escaped for HTML")
	}
	var back report.Report
	if err := json.Unmarshal(buf.Bytes(), &back); err != nil {
		t.Fatal(err)
	}
	var again bytes.Buffer
	if err := JSON.Write(&again, &back); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(buf.String(), again.String()); diff != "" {
		t.Errorf("JSON does not come back:\n%s", diff)
	}
}

func TestJSONOrdersMutantsWithoutTouchingTheReport(t *testing.T) {
	r := &report.Report{Tests: []report.FuzzTest{{Mutants: []report.Mutant{
		reporttest.Mutant("b", "f", 9, report.Survived, 1, 0), reporttest.Mutant("a", "f", 2, report.Survived, 1, 0),
	}, Crashes: []report.Crash{{Kind: "panic"}}}}}
	var buf bytes.Buffer
	if err := JSON.Write(&buf, r); err != nil {
		t.Fatal(err)
	}
	if s := buf.String(); strings.Index(s, `"id": "a"`) > strings.Index(s, `"id": "b"`) {
		t.Error("mutants are not in the order of the source")
	}
	if r.Tests[0].Mutants[0].ID != "b" || r.Tests[0].Crashes[0].Frames != nil {
		t.Error("the report was changed")
	}
}

func TestMinimizationJSONHasNoNull(t *testing.T) {
	var buf bytes.Buffer
	for _, m := range []*report.Minimization{{}, {Tests: []report.Shrunk{{}}}, reporttest.Minimized()} {
		if err := JSON.Write(&buf, m); err != nil {
			t.Fatal(err)
		}
	}
	if strings.Contains(buf.String(), "null") || strings.Count(buf.String(), `"version": 1`) != 3 {
		t.Errorf("%s", buf.String())
	}
}

func TestTriageAsJSONHasNoNull(t *testing.T) {
	r := reporttest.Triaged()
	r.Tests = append(r.Tests, report.Triage{Name: "FuzzEmpty"})
	var b bytes.Buffer
	if err := JSON.Write(&b, r); err != nil || strings.Contains(b.String(), "null") || !strings.Contains(b.String(), `"version": 1`) {
		t.Errorf("%v\n%s", err, &b)
	}
}

func TestVerificationJSONHasNoNull(t *testing.T) {
	var b bytes.Buffer
	if err := JSON.Write(&b, reporttest.Verified()); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(b.String(), "null") {
		t.Errorf("null in %s", b.String())
	}
	var back report.Verification
	if err := json.Unmarshal(b.Bytes(), &back); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(reporttest.Verified().Tests[0].Changes, back.Tests[0].Changes); diff != "" {
		t.Errorf("(-written +read):\n%s", diff)
	}
}

package junit

import (
	"bytes"
	"encoding/xml"
	"slices"
	"strings"
	"testing"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/behavior"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report/reporttest"
	"github.com/fuzzmut/fuzzmut/instrument/goldenfile"
)

// known are attributes that readers know, by the element: those of junit-10.xsd of the plugin
// xunit of Jenkins, which refuses files with others.
var known = map[string][]string{
	"testsuites": {"name", "time", "tests", "failures", "errors"},
	"testsuite":  {"name", "tests", "failures", "errors", "skipped", "time"},
	"testcase":   {"name", "time", "classname"},
	"failure":    {"message", "type"},
	"skipped":    {"message", "type"},
	"system-out": {},
}

// checkAttributes reports what readers do not know.
func checkAttributes(t testing.TB, document []byte) {
	t.Helper()
	d := xml.NewDecoder(bytes.NewReader(document))
	for {
		token, err := d.Token()
		if err != nil {
			return // the end: the document has been read before
		}
		start, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		names, ok := known[start.Name.Local]
		if !ok {
			t.Errorf("there is an element %s", start.Name.Local)
		}
		for _, a := range start.Attr {
			if !slices.Contains(names, a.Name.Local) {
				t.Errorf("element %s has %s", start.Name.Local, a.Name.Local)
			}
		}
	}
}

// written returns a result as a document, and checks what the document counts.
func written(t testing.TB, r report.Result) (*document, []byte) {
	t.Helper()
	var b bytes.Buffer
	if err := (Format{}).Write(&b, r); err != nil {
		t.Fatal(err)
	}
	var doc document
	if err := xml.Unmarshal(b.Bytes(), &doc); err != nil {
		t.Fatalf("%v\n%s", err, &b)
	}
	var tests, failures int
	for _, s := range doc.Suites {
		names := make(map[plain]bool)
		var failed, left int
		for _, c := range s.Cases {
			if names[c.Name] {
				t.Errorf("%s has two tests %s", s.Name, c.Name)
			}
			names[c.Name] = true
			if c.Failure != nil {
				failed++
			}
			if c.Skipped != nil {
				left++
			}
		}
		if s.Tests != len(s.Cases) || s.Failures != failed || s.Skipped != left {
			t.Errorf("%s: %d tests, %d failures, %d skipped, want %d, %d, %d", s.Name, s.Tests, s.Failures, s.Skipped, len(s.Cases), failed, left)
		}
		tests, failures = tests+s.Tests, failures+failed
	}
	if doc.Tests != tests || doc.Failures != failures {
		t.Errorf("%d tests, %d failures, want %d, %d", doc.Tests, doc.Failures, tests, failures)
	}
	checkAttributes(t, b.Bytes())
	return &doc, b.Bytes()
}

func fuzzed() *report.Report {
	r := reporttest.Fuzzed()
	t := &r.Tests[1]
	again := t.Crashes[0]
	again.Frames = []string{again.Frames[0] + "0"} // another line of the same function
	t.Crashes = append(t.Crashes, again, report.Crash{Kind: "failure", Message: "want 1\ngot 2", Known: true})
	t.Flaky = []report.Flake{
		{Kind: "panic", Message: "boom", Frames: []string{"calc.Now calc.go:7"}, Sure: true, Seen: 3, Of: 9, Repro: "go test -count=99"},
		{Kind: "hang", Message: "late", Seen: 1, Of: 9},
	}
	return r
}

func TestGoldenFiles(t *testing.T) {
	below := reporttest.Tested()
	below.MinScore = 0.9
	for name, r := range map[string]report.Result{
		"fuzzed.xml": fuzzed(), "tested.xml": below, "verified.xml": reporttest.Verified(),
		"compared.xml": reporttest.Compared(), "triaged.xml": reporttest.Triaged(),
	} {
		_, got := written(t, r)
		goldenfile.Compare(t, name, got)
	}
}

// A survivor that another fuzz test kills is counted, and not listed.
func TestSurvivorsThatAnotherFuzzTestKills(t *testing.T) {
	survivor := func(id, status string) report.Mutant { return reporttest.Mutant(id, "sub", 30+len(id), status, 3, 1) }
	_, got := written(t, &report.Report{Tests: []report.FuzzTest{
		{Name: "FuzzA", Mutants: []report.Mutant{survivor("both", report.Survived), survivor("one", report.Survived)}},
		{Name: "FuzzB", Mutants: []report.Mutant{survivor("both", report.Survived), survivor("one", report.Killed)}},
	}})
	if text := string(got); strings.Count(text, "boundary both]") != 2 || strings.Contains(text, "boundary one]") || !strings.Contains(text, "0 of 2 mutants killed, 2 survived") {
		t.Errorf("got\n%s", text)
	}
}

// compared is a comparison of a fuzz test that was interrupted, with a cause of another one.
func compared(accepted bool) *behavior.Report {
	r := reporttest.Compared()
	r.Causes[1].Accepted = accepted
	r.Causes[0].Accepted = accepted
	return r
}

func TestOnlyWhatFailsTheCommandIsAFailure(t *testing.T) {
	few := reporttest.Tested()
	few.Mutants = few.Mutants[:4] // two are killed, two survive
	few.Score = report.Summarise(few.Mutants)
	at := func(least float64) *report.TestReport {
		r := *few
		r.MinScore = least
		return &r
	}
	updated := reporttest.Verified()
	updated.Tests[0].Updated = true
	costly := fuzzed()
	costly.CostFails = true
	pending := reporttest.Tested()
	pending.MinScore = 0.01
	for name, c := range map[string]struct {
		r               report.Result
		failures, skips int
	}{
		"buckets and a flaky failure": {fuzzed(), 4, 4},
		"costly inputs that fail":     {costly, 5, 3},
		"survivors":                   {at(0), 0, 3},
		"score reached":               {at(0.5), 0, 3},
		"score not reached":           {at(0.51), 1, 3},
		"mutants not judged":          {pending, 0, 4},
		"no new survivors":            {&report.Report{Baseline: report.Baseline{NewOnly: true}}, 0, 0},
		"new survivors":               {&report.Report{Baseline: report.Baseline{NewOnly: true, New: 2}}, 1, 0},
		"golden values":               {reporttest.Verified(), 1, 1},
		"accepted but for a failure":  {updated, 1, 1},
		"no fuzz test":                {&report.Report{}, 0, 0},
		"differences":                 {compared(false), 2, 1},
		"accepted differences":        {compared(true), 0, 3},
		"nothing to compare":          {&behavior.Report{Nothing: "no Go file differs"}, 0, 1},
		"buckets and a flaky input":   {reporttest.Triaged(), 3, 0},
		"and costly inputs":           {reporttest.TriagedCostly(), 3, 1},
		"sorted":                      {&report.TriageReport{Tests: []report.Triage{{Name: "FuzzX"}}}, 0, 0},
		"not all sorted":              {&report.TriageReport{Interrupted: true, Tests: []report.Triage{{Name: "FuzzX", Inputs: []report.FailingInput{{Status: report.NotRun}}}}}, 1, 1},
	} {
		doc, got := written(t, c.r)
		skips := 0
		for _, s := range doc.Suites {
			skips += s.Skipped
		}
		if doc.Failures != c.failures || skips != c.skips {
			t.Errorf("%s: %d failures, %d skipped, want %d and %d\n%s", name, doc.Failures, skips, c.failures, c.skips, got)
		}
	}
}

func TestOtherResultsAreAnError(t *testing.T) {
	if err := (Format{}).Write(new(bytes.Buffer), &report.Vetting{}); err == nil {
		t.Error("no error")
	}
}

func TestVisible(t *testing.T) {
	for text, want := range map[string]string{
		"a\tb\nc": "a\tb\nc", "\x00\x1b[31m": `\x00\x1b[31m`, "\xff\u00e9": "\\xff\u00e9", "\ufffe\uffff": `\ufffe\uffff`, "\ufffd<&]]>": "\ufffd<&]]>", "\xed\xa0\x80": `\xed\xa0\x80`,
	} {
		if got := visible(text); got != want {
			t.Errorf("visible(%q) = %q, want %q", text, got, want)
		}
	}
}

func FuzzEscaping(f *testing.F) {
	f.Add("]]></failure><testcase name=\"x\"/>\x00\x1b\xff\ufffe")
	f.Add("a\r\nb")
	f.Fuzz(func(t *testing.T, s string) {
		crash := report.Crash{Kind: s, Message: s, Frames: []string{s}, Entries: []string{s}, Repro: s}
		doc, _ := written(t, &report.Report{Tests: []report.FuzzTest{{
			Package: s, Name: s, Warnings: []string{s}, NotMeasured: s, Crashes: []report.Crash{crash, crash},
		}}})
		suite := doc.Suites[0]
		if len(doc.Suites) != 1 || len(suite.Cases) != 3 || suite.Failures != 2 {
			t.Fatalf("%d suites, %d tests, %d failures", len(doc.Suites), len(suite.Cases), suite.Failures)
		}
		if want := visible(s); string(suite.Cases[0].Name) != want || string(suite.Cases[1].Failure.Type) != want {
			t.Errorf("%q is read as %q and %q", s, suite.Cases[0].Name, suite.Cases[1].Failure.Type)
		}
		if body := string(suite.Cases[1].Failure.Text); !strings.Contains(body, visible(s)) {
			t.Errorf("%q is not in %q", s, body)
		}
	})
}

package text

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
)

// written is what a report writes for people.
func written(t *testing.T, r report.Result, o Format) string {
	t.Helper()
	var b bytes.Buffer
	if err := o.Write(&b, r); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestExportedCorpora(t *testing.T) {
	e := &report.Export{Tests: []report.Exported{
		{Package: "example.com/p", Name: "FuzzA", Dir: "out/a", Files: 1, Dictionary: "out/a.dict", Tokens: 12},
		{Package: "example.com/p", Name: "FuzzB", Reason: "its inputs are no bytes"},
		{Package: "example.com/q", Name: "FuzzC", Dir: "out/c", Files: 2000, Dictionary: "out/c.dict"},
	}}
	want := "FuzzA  example.com/p: 1 file in out/a, 12 tokens in out/a.dict\n" +
		"FuzzB  example.com/p: left out: its inputs are no bytes\n" +
		"FuzzC  example.com/q: 2,000 files in out/c, 0 tokens in out/c.dict\n2,001 files exported\n"
	if diff := cmp.Diff(want, written(t, e, Format{})); diff != "" {
		t.Error(diff)
	}
	if got := written(t, e, Format{Quiet: true}); got != "2,001 files exported\n" {
		t.Errorf("quiet: %q", got)
	}
	var b bytes.Buffer
	if err := json.NewEncoder(&b).Encode(e.Canonical()); err != nil {
		t.Fatal(err)
	}
	var back report.Export
	if err := json.Unmarshal(b.Bytes(), &back); err != nil || back.Version != report.FormatVersion {
		t.Errorf("version %d, %v", back.Version, err)
	}
	if diff := cmp.Diff(e.Tests, back.Tests); diff != "" {
		t.Error(diff)
	}
	b.Reset()
	if err := json.NewEncoder(&b).Encode(new(report.Export).Canonical()); err != nil || !strings.Contains(b.String(), `"tests":[]`) {
		t.Errorf("of nothing: %s, %v", &b, err)
	}
}

func TestWrittenFuzzTests(t *testing.T) {
	r := &report.Written{Tests: []report.WrittenTest{
		{Package: "example.com/p", Name: "FuzzParse", Function: "Parse", Path: "p/parse_test.go", Entries: 3, Golden: 2},
		{Package: "example.com/p", Name: "FuzzShape", Function: "Shape", Path: "p/shape_test.go", GoGet: "example.com/lib@v1.0.0"},
	}}
	want := "FuzzParse  example.com/p: p/parse_test.go, for Parse, with 3 entries of its corpus and golden values of 2\n" +
		"FuzzShape  example.com/p: p/shape_test.go, for Shape\n" +
		"go get -t example.com/lib@v1.0.0 is needed so that go test can compile its imports\n2 fuzz tests written\n"
	if diff := cmp.Diff(want, written(t, r, Format{})); diff != "" {
		t.Error(diff)
	}
	if got := written(t, r, Format{Quiet: true}); !strings.HasPrefix(got, "go get -t ") || strings.Contains(got, "FuzzParse") {
		t.Errorf("quiet: %q", got)
	}
	if got := written(t, &report.Written{Tests: r.Tests[:1]}, Format{Quiet: true}); got != "1 fuzz test written\n" {
		t.Errorf("of one: %q", got)
	}
	var b bytes.Buffer
	if err := json.NewEncoder(&b).Encode(r.Canonical()); err != nil {
		t.Fatal(err)
	}
	var back report.Written
	if err := json.Unmarshal(b.Bytes(), &back); err != nil || back.Version != report.FormatVersion || !cmp.Equal(r.Tests, back.Tests) {
		t.Errorf("%+v, %v", back, err)
	}
}

// Only failures that are sure count as found; the others are not shown here.
func TestOnlySureFlakesAreShown(t *testing.T) {
	f := report.FuzzTest{Name: "FuzzA", Flaky: []report.Flake{
		{Kind: "panic", Message: "unsure"},
		{Kind: "panic", Message: "index out of range\nmore", Frames: []string{"p.F p.go:3"}, Sure: true, Seen: 3, Of: 100, Entry: "testdata/x", Repro: "go test -count 100"},
		{Kind: "assertion", Message: "differs", Sure: true, Seen: 2, Of: 50},
	}}
	if n := report.SureFlakes(&f); n != 2 {
		t.Errorf("%d are sure", n)
	}
	text := written(t, &report.Report{Tests: []report.FuzzTest{f}}, Format{})
	for want, is := range map[string]bool{
		"  flaky failures: 2 buckets\n    panic: index out of range\n": true, "at   p.F  p.go:3": true, "input testdata/x": true,
		"go test -count 100": true, "    assertion: differs\n      failed 2 times in 50 executions\n": true,
		"no failing inputs, flaky failures in 2 buckets": true, "unsure": false, "more": false,
	} {
		if strings.Contains(text, want) != is {
			t.Errorf("%q is shown: %v\n%s", want, !is, text)
		}
	}
	f.Flaky = f.Flaky[:1]
	if text := written(t, &report.Report{Tests: []report.FuzzTest{f}}, Format{}); strings.Contains(text, "flaky") {
		t.Errorf("shown although nothing is sure:\n%s", text)
	}
}

func TestSitesWithoutMutantsAreShownWithReasons(t *testing.T) {
	s := report.Sites{Sites: 2000, Mutated: 1954, LeftOut: map[string]int{"label": 7, "constant": 7, "a": 1, "b": 1}, Suppressed: map[string]int{"log": 30}}
	shown := func(s report.Sites, verbose bool) string {
		return written(t, &report.Report{Tests: []report.FuzzTest{{Sites: s}}}, Format{Verbose: verbose})
	}
	text := shown(s, false)
	for _, line := range []string{
		"  sites: 2,000; 1,954 with mutants, 16 left out, 30 suppressed as noise\n", "    without mutants: log 30; constant 7; label 7; 2 more (-v)\n",
	} {
		if !strings.Contains(text, line) {
			t.Errorf("no %q in\n%s", line, text)
		}
	}
	if text := shown(s, true); !strings.Contains(text, "       30  log\n        7  constant\n        7  label\n        1  a\n        1  b\n") {
		t.Errorf("verbose:\n%s", text)
	}
	if text := shown(report.Sites{Sites: 4, Mutated: 4}, false); !strings.Contains(text, "  sites: 4, all with mutants\n") {
		t.Errorf("of all:\n%s", text)
	}
}

func TestRegenerationsAreToldOf(t *testing.T) {
	f := report.FuzzTest{Engine: "merge", Corpus: report.Corpus{Before: 1, Added: 2, After: 3, Found: 9, Dir: "testdata/fuzz/FuzzA", Files: []string{"new1"}, Removed: []string{"old1"}, Unwritten: 1, Golden: 2, GoldenValues: 17}}
	text := written(t, &report.Report{Tests: []report.FuzzTest{f}}, Format{Verbose: true})
	for _, want := range []string{
		"  corpus: 1 entry before, 2 added, 1 removed, 3 after; 9 inputs given to merge\n    added to testdata/fuzz/FuzzA\n      new1\n",
		"    1 new entry could not be written; the figures exclude them\n", "    17 golden values of 2 entries written", "      old1\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if strings.Contains(text, "changed: ") {
		t.Errorf("nothing has changed:\n%s", text)
	}
	f.Regenerated = report.Regenerated{Functions: 1, Mutants: 20, Gained: 4, Lost: []string{"4jhg", "cxsx"}}
	text = written(t, &report.Report{Tests: []report.FuzzTest{f}}, Format{})
	for _, want := range []string{
		"  changed: 1 function with 20 mutants; 4 newly killed\n",
		"    2 mutants that the corpus killed after the last run now live: 4jhg, cxsx\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if strings.Contains(text, "new1") || strings.Contains(text, "old1") {
		t.Errorf("names are shown although nothing asks for them:\n%s", text)
	}
}

func TestFailingInputsAlone(t *testing.T) {
	r := &report.Report{Tests: []report.FuzzTest{
		{Name: "FuzzA", Package: "example.com/p", Crashes: []report.Crash{{Kind: "panic", Message: "no"}}},
		{Name: "FuzzB", Package: "example.com/p"},
	}}
	var b bytes.Buffer
	if err := Failing(&b, r); err != nil {
		t.Fatal(err)
	}
	if text := b.String(); !strings.HasPrefix(text, "FuzzA  example.com/p\n") || !strings.Contains(text, "panic: no") || strings.Contains(text, "FuzzB") || strings.Contains(text, "score") {
		t.Errorf("got\n%s", text)
	}
}

func TestChangesFitIntoALine(t *testing.T) {
	long := strings.Repeat("ä", 60)
	for want, m := range map[string]report.Mutant{
		"changed + to -":  {Description: "changed + to -", Original: "a + b"},
		"a + b → a - b":   {Original: "a +\n\t\tb", Replacement: "a - b"},
		"x++ → (nothing)": {Original: "x++", Replacement: " \n"},
		strings.Repeat("ä", 47) + "… → " + long[:96]: {Original: long, Replacement: long[:96]},
	} {
		if got := describe(&m); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

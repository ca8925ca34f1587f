package report

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fuzzmut/fuzzmut/instrument"
)

// written is what a report writes for people.
func written(t *testing.T, r interface {
	WriteText(io.Writer, TextOptions) error
}, o TextOptions,
) string {
	t.Helper()
	var b bytes.Buffer
	if err := r.WriteText(&b, o); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestExportedCorpora(t *testing.T) {
	e := &Export{Tests: []Exported{
		{Package: "example.com/p", Name: "FuzzA", Dir: "out/a", Files: 1, Dictionary: "out/a.dict", Tokens: 12},
		{Package: "example.com/p", Name: "FuzzB", Reason: "its inputs are no bytes"},
		{Package: "example.com/q", Name: "FuzzC", Dir: "out/c", Files: 2000, Dictionary: "out/c.dict"},
	}}
	want := "FuzzA  example.com/p: 1 file in out/a, 12 tokens in out/a.dict\n" +
		"FuzzB  example.com/p: left out: its inputs are no bytes\n" +
		"FuzzC  example.com/q: 2,000 files in out/c, 0 tokens in out/c.dict\n2,001 files exported\n"
	if diff := cmp.Diff(want, written(t, e, TextOptions{})); diff != "" {
		t.Error(diff)
	}
	if got := written(t, e, TextOptions{Quiet: true}); got != "2,001 files exported\n" {
		t.Errorf("quiet: %q", got)
	}
	var b bytes.Buffer
	if err := e.WriteJSON(&b); err != nil {
		t.Fatal(err)
	}
	var back Export
	if err := json.Unmarshal(b.Bytes(), &back); err != nil || back.Version != FormatVersion {
		t.Errorf("version %d, %v", back.Version, err)
	}
	if diff := cmp.Diff(e.Tests, back.Tests); diff != "" {
		t.Error(diff)
	}
	b.Reset()
	if err := new(Export).WriteJSON(&b); err != nil || !strings.Contains(b.String(), `"tests": []`) {
		t.Errorf("of nothing: %s, %v", &b, err)
	}
}

func TestWrittenFuzzTests(t *testing.T) {
	r := &Written{Tests: []WrittenTest{
		{Package: "example.com/p", Name: "FuzzParse", Function: "Parse", Path: "p/parse_test.go", Entries: 3, Golden: 2},
		{Package: "example.com/p", Name: "FuzzShape", Function: "Shape", Path: "p/shape_test.go", GoGet: "example.com/lib@v1.0.0"},
	}}
	want := "FuzzParse  example.com/p: p/parse_test.go, for Parse, with 3 entries of its corpus and golden values of 2\n" +
		"FuzzShape  example.com/p: p/shape_test.go, for Shape, with 0 entries of its corpus and golden values of 0\n" +
		"go get -t example.com/lib@v1.0.0 is needed so that go test can compile its imports\n2 fuzz tests written\n"
	if diff := cmp.Diff(want, written(t, r, TextOptions{})); diff != "" {
		t.Error(diff)
	}
	if got := written(t, r, TextOptions{Quiet: true}); !strings.HasPrefix(got, "go get -t ") || strings.Contains(got, "FuzzParse") {
		t.Errorf("quiet: %q", got)
	}
	if got := written(t, &Written{Tests: r.Tests[:1]}, TextOptions{Quiet: true}); got != "1 fuzz test written\n" {
		t.Errorf("of one: %q", got)
	}
	var b bytes.Buffer
	if err := r.WriteJSON(&b); err != nil {
		t.Fatal(err)
	}
	var back Written
	if err := json.Unmarshal(b.Bytes(), &back); err != nil || back.Version != FormatVersion || !cmp.Equal(r.Tests, back.Tests) {
		t.Errorf("%+v, %v", back, err)
	}
}

func TestFlakesSayHowOftenTheyFail(t *testing.T) {
	for want, f := range map[string]Flake{
		"failed once in 1 execution": {Seen: 1, Of: 1},
		"failed 2 times in 30,000 executions; the same input passed 4 of 5 times":                                  {Seen: 2, Of: 30_000, Passed: 4, Runs: 5},
		"failed once in 9 executions; the same input passed 0 of once; without mutants it failed 1 of 1,000 times": {Seen: 1, Of: 9, Runs: 1, Failures: 1, Repeats: 1000},
	} {
		if got := f.String(); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}

// Only failures that are sure count as found; the others are not shown here.
func TestOnlySureFlakesAreShown(t *testing.T) {
	f := FuzzTest{Name: "FuzzA", Flaky: []Flake{
		{Kind: "panic", Message: "unsure"},
		{Kind: "panic", Message: "index out of range\nmore", Frames: []string{"p.F p.go:3"}, Sure: true, Seen: 3, Of: 100, Entry: "testdata/x", Repro: "go test -count 100"},
		{Kind: "assertion", Message: "differs", Sure: true, Seen: 2, Of: 50},
	}}
	if n := SureFlakes(&f); n != 2 {
		t.Errorf("%d are sure", n)
	}
	text := written(t, &Report{Tests: []FuzzTest{f}}, TextOptions{})
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
	if text := written(t, &Report{Tests: []FuzzTest{f}}, TextOptions{}); strings.Contains(text, "flaky") {
		t.Errorf("shown although nothing is sure:\n%s", text)
	}
}

func TestSitesAreThoseOfTheCensus(t *testing.T) {
	p := &instrument.Program{Census: instrument.Census{Sites: 2000, Left: map[string]int{"label": 7, "constant": 7, "a": 1, "b": 1}, Noise: map[string]int{"log": 30}}}
	s := SitesOf(p)
	want := Sites{Sites: 2000, Mutated: 1954, LeftOut: map[string]int{"label": 7, "constant": 7, "a": 1, "b": 1}, Suppressed: map[string]int{"log": 30}}
	if diff := cmp.Diff(want, s); diff != "" {
		t.Error(diff)
	}
	s.LeftOut["label"] = 0
	if p.Census.Left["label"] != 7 {
		t.Error("the census is changed")
	}
	if diff := cmp.Diff(Sites{}, SitesOf(&instrument.Program{})); diff != "" {
		t.Error(diff)
	}
	shown := func(s Sites, verbose bool) string {
		return written(t, &Report{Tests: []FuzzTest{{Sites: s}}}, TextOptions{Verbose: verbose})
	}
	text := shown(want, false)
	for _, line := range []string{
		"  sites: 2,000; 1,954 with mutants, 16 left out, 30 suppressed as noise\n", "    without mutants: log 30; constant 7; label 7; 2 more (-v)\n",
	} {
		if !strings.Contains(text, line) {
			t.Errorf("no %q in\n%s", line, text)
		}
	}
	if text := shown(want, true); !strings.Contains(text, "       30  log\n        7  constant\n        7  label\n        1  a\n        1  b\n") {
		t.Errorf("verbose:\n%s", text)
	}
	if text := shown(Sites{Sites: 4, Mutated: 4}, false); !strings.Contains(text, "  sites: 4, all with mutants\n") {
		t.Errorf("of all:\n%s", text)
	}
}

func TestSkipsHavePathsBelowTheModule(t *testing.T) {
	p := &instrument.Program{}
	p.Test.ModuleDir = "/m"
	p.Skips = []instrument.Skip{
		{Package: "example.com/p", File: "/m/p/a.go", Line: 3, What: "init", Reason: "why"}, {Package: "fmt", File: "/go/src/fmt/print.go", Line: 9},
	}
	want := []Skip{{Package: "example.com/p", File: "p/a.go", Line: 3, What: "init", Reason: "why"}, {Package: "fmt", File: "/go/src/fmt/print.go", Line: 9}}
	if diff := cmp.Diff(want, SkipsOf(p)); diff != "" {
		t.Error(diff)
	}
}

func TestRegenerationsAreToldOf(t *testing.T) {
	f := FuzzTest{Engine: "merge", Corpus: Corpus{Before: 1, Added: 2, After: 3, Found: 9, Dir: "testdata/fuzz/FuzzA", Files: []string{"new1"}, Removed: []string{"old1"}, Unwritten: 1, Golden: 2, GoldenValues: 17}}
	text := written(t, &Report{Tests: []FuzzTest{f}}, TextOptions{Verbose: true})
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
	f.Regenerated = Regenerated{Functions: 1, Mutants: 20, Gained: 4, Lost: []string{"4jhg", "cxsx"}}
	text = written(t, &Report{Tests: []FuzzTest{f}}, TextOptions{})
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
	r := &Report{Tests: []FuzzTest{
		{Name: "FuzzA", Package: "example.com/p", Crashes: []Crash{{Kind: "panic", Message: "no"}}},
		{Name: "FuzzB", Package: "example.com/p"},
	}}
	var b bytes.Buffer
	if err := r.WriteFailing(&b); err != nil {
		t.Fatal(err)
	}
	if text := b.String(); !strings.HasPrefix(text, "FuzzA  example.com/p\n") || !strings.Contains(text, "panic: no") || strings.Contains(text, "FuzzB") || strings.Contains(text, "score") {
		t.Errorf("got\n%s", text)
	}
}

func TestPlurals(t *testing.T) {
	for want, got := range map[string]string{
		"0 mutants": Plural(0, "mutant"), "1 entry": Plural(1, "entry"), "1,000 entries": Plural(1000, "entry"), "2 processes": Plural(2, "process"),
		"3 more": Plural(3, "more"), "-12,345": group(-12345), "999": group(999), "1,234,567": group(1234567),
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestChangesFitIntoALine(t *testing.T) {
	long := strings.Repeat("ä", 60)
	for want, m := range map[string]Mutant{
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

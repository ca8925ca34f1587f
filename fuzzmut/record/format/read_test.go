package format

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/format/text"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report/reporttest"
)

func TestTestReportJSONComesBack(t *testing.T) {
	for name, r := range map[string]*report.TestReport{"full": reporttest.Tested(), "empty": {Version: report.FormatVersion}} {
		var buf, again bytes.Buffer
		if err := JSON.Write(&buf, r); err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(buf.Bytes(), []byte("null")) {
			t.Errorf("%s: a list is null", name)
		}
		back, err := ReadTests(buf.Bytes())
		if err != nil {
			t.Fatal(err)
		}
		if err := JSON.Write(&again, back); err != nil {
			t.Fatal(err)
		}
		var first bytes.Buffer
		if err := JSON.Write(&first, r); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(first.String(), again.String()); diff != "" {
			t.Errorf("%s:\n%s", name, diff)
		}
	}
}

func TestOnlyResultsOfTestsAreRead(t *testing.T) {
	var fuzz bytes.Buffer
	if err := JSON.Write(&fuzz, reporttest.Fuzzed()); err != nil {
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
	if err := JSON.Write(&buf, reporttest.Tested()); err != nil {
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
		{`"passed": 2`, `"passed": -2`, "package example.com/calc/zero has a negative count or time"},
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

// FuzzReadTests checks that what is read can be written, read again, and merged.
func FuzzReadTests(f *testing.F) {
	for _, r := range []*report.TestReport{reporttest.Tested(), {}, reporttest.Shard("1/4,2/4", "s", 1, reporttest.Killed("k1", 10, "panic"))} {
		var buf bytes.Buffer
		if err := JSON.Write(&buf, r); err != nil {
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
		if err := JSON.Write(&first, r); err != nil {
			t.Fatal(err)
		}
		again, err := ReadTests(first.Bytes())
		if err != nil {
			t.Fatal(err)
		}
		if err := JSON.Write(&second, again); err != nil || first.String() != second.String() {
			t.Errorf("%v (-read +again):\n%s", err, cmp.Diff(first.String(), second.String()))
		}
		if m, err := report.MergeTests([]*report.TestReport{r, r}); err == nil {
			text.Format{Verbose: true}.Write(io.Discard, m)
		}
	})
}

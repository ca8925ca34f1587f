package annotations_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/behavior"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/format/annotations"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report/reporttest"
	"github.com/fuzzmut/fuzzmut/instrument/goldenfile"
)

func commands(t *testing.T, f annotations.Format, r report.Result) string {
	t.Helper()
	var b bytes.Buffer
	if err := f.Write(&b, r); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestAnnotations(t *testing.T) {
	goldenfile.Compare(t, "fuzz.golden", []byte(commands(t, annotations.Format{Root: "go"}, reporttest.Fuzzed())))
}

// Ten are shown of a step, and one at a line.
func TestTheMostImportantOfEachLine(t *testing.T) {
	r := &behavior.Report{}
	for i := range 20 {
		for range 2 {
			r.Causes = append(r.Causes, behavior.Cause{Call: fmt.Sprint("F", i), Hunks: []behavior.Hunk{{File: "a.go", Line: 1 + i, End: 1 + i}}})
		}
	}
	lines := strings.Split(strings.TrimSpace(commands(t, annotations.Format{}, r)), "\n")
	if len(lines) != 10 || !strings.Contains(lines[9], "line=10,") {
		t.Errorf("%d lines:\n%s", len(lines), strings.Join(lines, "\n"))
	}
}

// Where a bug is not known, its place is the fuzz test: two of them are two annotations.
func TestBugsAtOneLineAreAllShown(t *testing.T) {
	r := &report.Report{Tests: []report.FuzzTest{{Name: "FuzzX", File: "x_test.go", Line: 3, Crashes: []report.Crash{{Kind: "hang", Message: "a"}, {Kind: "memory", Message: "b"}}}}}
	if got := commands(t, annotations.Format{}, r); strings.Count(got, "::error file=x_test.go,line=3,") != 2 {
		t.Errorf("annotations:\n%s", got)
	}
}

// One bug may fail on many inputs that are not in one bucket: the ten are not all of them.
func TestInputsThatFailInTheSameWayMakeRoom(t *testing.T) {
	test := report.FuzzTest{Name: "FuzzX", File: "x_test.go", Line: 3}
	for range 12 {
		test.Crashes = append(test.Crashes, report.Crash{Kind: "panic", Message: "a", Frames: []string{"x.A x.go:1"}})
	}
	test.Crashes = append(test.Crashes, report.Crash{Kind: "panic", Message: "b", Frames: []string{"x.B x.go:2"}})
	test.Mutants = []report.Mutant{reporttest.Mutant("m", "f", 9, report.Survived, 3, 1)}
	got := commands(t, annotations.Format{}, &report.Report{Tests: []report.FuzzTest{test}})
	if strings.Count(got, "\n") != 10 || strings.Count(got, "x.A x.go:1") != 8 || !strings.Contains(got, "x.B x.go:2") || !strings.Contains(got, "surviving-mutant") {
		t.Errorf("annotations:\n%s", got)
	}
}

func TestALongTextIsCut(t *testing.T) {
	r := &behavior.Report{Causes: []behavior.Cause{{Call: strings.Repeat("ä", 100_000)}}}
	got := commands(t, annotations.Format{}, r)
	if len(got) > 5000 || !strings.HasSuffix(got, "ä...\n") || !utf8.ValidString(got) {
		t.Errorf("%d bytes: %q", len(got), got[len(got)-20:])
	}
}

// No text of others ends a command, begins another, or adds a property.
func FuzzCommands(f *testing.F) {
	f.Add("a.go", "panic: x\n::error::y")
	f.Add("a,line=1::x.go", "100%\r\n")
	f.Add("\n::set-output", "")
	f.Fuzz(func(t *testing.T, file, text string) {
		r := &behavior.Report{Causes: []behavior.Cause{{Call: text, Input: text, Hunks: []behavior.Hunk{{File: file, Line: 3, End: 3}}}}}
		got := commands(t, annotations.Format{}, r)
		head, message, ok := strings.Cut(strings.TrimPrefix(got, "::warning "), "::")
		if !ok || strings.Count(got, "\n") != 1 || !strings.HasSuffix(got, "\n") || strings.Contains(got, "\r") {
			t.Fatalf("%q", got)
		}
		properties := strings.Split(head, ",")
		if want := 4; file != "" && len(properties) != want || file == "" && len(properties) != 1 {
			t.Errorf("properties %q", properties)
		}
		if strings.Count(message, "%") < strings.Count(text, "%") && len(text) < 100 {
			t.Errorf("a %% is lost in %q", message)
		}
	})
}

func TestQuotedText(t *testing.T) {
	var b bytes.Buffer
	failed := errors.New("no space")
	err := annotations.Quote(&b, "T", func(w io.Writer) error {
		io.WriteString(w, "  ::error::x\n")
		return failed
	})
	if want := "::stop-commands::T\n  ::error::x\n::T::\n"; b.String() != want || !errors.Is(err, failed) {
		t.Errorf("%q, %v; want %q", b.String(), err, want)
	}
}

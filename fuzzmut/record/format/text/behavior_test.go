package text

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/behavior"
	"github.com/fuzzmut/fuzzmut/instrument/goldenfile"
)

func changed() *behavior.Report {
	hunk := behavior.Hunk{File: "price.go", In: "func Of", Seen: true, Inside: true, Reached: true, Line: 20, End: 20, Was: "\tif n > 100 {", Is: "\tif n >= 100 {"}
	return &behavior.Report{
		Old: "main (1a2b3c4)", New: "the work tree",
		Tests: []behavior.Test{
			{Package: "example.com/price", Name: "FuzzPrice", Execs: 6120, Lost: 2, Seconds: 4.2, Ended: "a third of the budget brought no new kind of difference", Unstable: []string{"price.Now result 0"}, Dropped: 1},
			{Package: "example.com/price", Name: "FuzzOf", Derived: "(*price).Of", Bounded: "the time to revert parts of the change, 45s, was over", Execs: 1, Seconds: 60},
		},
		Changes: []behavior.File{{Name: "price.go", Hunks: []behavior.Hunk{
			hunk,
			{File: "price.go", In: "type Price", Line: 3, End: 3},
			{File: "price.go", In: "func New", Line: 34, End: 34},
			{File: "price.go", In: "func Of", Inside: true, Reached: true, Line: 22, End: 24},
			{File: "price.go", In: "func Old", Reached: true, OnlyIn: behavior.Old, Line: 40, End: 39},
			{File: "price.go", In: "func Fresh", Reached: true, Compared: true, OnlyIn: behavior.New, Line: 44, End: 46},
			{File: "price.go", In: "func Same", Reached: true, Compared: true, Line: 50, End: 50},
			{File: "price.go", In: "func Run", Reached: true, Line: 60, End: 60},
		}}},
		Reach: []behavior.Reach{{
			Package: "example.com/price", Blocks: behavior.Share{Some: 4, All: 5}, Mutants: behavior.Share{Some: 53, All: 60},
			NotReach: []behavior.Place{{File: "price.go", Line: 34}}, NotSeen: []behavior.Place{{File: "price.go", Line: 20, Text: "changed 100 to 99"}, {File: "price.go", Line: 21, Column: 8, Text: "changed || to &&"}, {File: "price.go", Line: 21, Column: 30, Text: "changed || to &&"}},
		}},
		Causes: []behavior.Cause{
			{
				Kind: behavior.KindValue, Hunks: []behavior.Hunk{hunk}, Fuzz: "FuzzPrice", Call: "FuzzPrice", Input: "int(100)\nstring(\"\")", Inputs: 806,
				Values:     []behavior.Value{{Name: "price.Of #1 result 0", Old: "*price.Price &{Cents: 300}", New: "*price.Price &{Cents: 200}"}},
				Attributed: behavior.ByRepair, Reproduce: "fuzzmut diff main .",
			},
			{
				Kind: behavior.KindPanic, Fuzz: "FuzzOf", Call: "FuzzOf", Input: "[]byte(\"\\x01\")", Value: "{\n\tN: -1,\n}", Inputs: 1,
				Values:     []behavior.Value{{Name: "fuzz target", Old: "passes", New: "index out of range"}},
				Attributed: behavior.ByValue, Late: true, Dependency: "example.com/dep v1.1.0 in place of v1.0.0", Reproduce: "fuzzmut diff main .",
			},
			{
				Kind: behavior.KindWork, Hunks: []behavior.Hunk{hunk}, Fuzz: "FuzzPrice", Call: "FuzzPrice", Input: "int(100)\nstring(\"\")", Inputs: 3,
				Work: behavior.Work{Old: 412, New: 52_000}, Attributed: behavior.ByRepair, Reproduce: "fuzzmut diff main .",
			},
		},
		NotCompared: []behavior.Note{{What: "price.Serve", Reason: "it listens"}},
		Warnings:    []string{"the old tests are used"},
	}
}

// What was left out is sorted by the reason, and bounded unless all is asked for.
func TestWhatWasNotComparedIsShownByReason(t *testing.T) {
	r := new(behavior.Report)
	for i := range 3 * placesShown {
		for _, what := range []string{"p.F", "p.G"} {
			r.NotCompared = append(r.NotCompared, behavior.Note{What: fmt.Sprint(what, i), Reason: fmt.Sprint("reason ", i/(2*placesShown)*i)})
		}
	}
	for verbose, want := range map[bool]string{
		false: "not compared: p.F0, p.G0, p.F1, p.G1, p.F2, 15 more: reason 0\nnot compared: p.F10, p.G10: reason 10\nnot compared: p.F11, p.G11: reason 11\n" +
			"not compared: p.F12, p.G12: reason 12\nnot compared: p.F13, p.G13: reason 13\nnot compared for 1 other reason; -v shows them\n\n",
		true: "not compared: p.F0, p.G0, p.F1, p.G1, p.F2, p.G2, p.F3, p.G3, p.F4, p.G4, p.F5, p.G5, p.F6, p.G6, p.F7, p.G7, p.F8, p.G8, p.F9, p.G9: reason 0\n" +
			"not compared: p.F10, p.G10: reason 10\nnot compared: p.F11, p.G11: reason 11\nnot compared: p.F12, p.G12: reason 12\nnot compared: p.F13, p.G13: reason 13\nnot compared: p.F14, p.G14: reason 14\n\n",
	} {
		var b bytes.Buffer
		if err := (Format{Verbose: verbose}).Write(&b, r); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(b.String(), want) {
			t.Errorf("verbose %v:\n%s\nwant\n%s", verbose, &b, want)
		}
	}
}

// In a place with few lines, what was not looked at is left out.
func TestShortBehaviorText(t *testing.T) {
	r := changed()
	r.Causes = nil
	var b bytes.Buffer
	if err := (Format{Short: true}).Write(&b, r); err != nil {
		t.Fatal(err)
	}
	for _, word := range []string{"not seen", "not reached", "not compared: price.Serve", "-v"} {
		if strings.Contains(b.String(), word) {
			t.Errorf("%q is in\n%s", word, &b)
		}
	}
	if !strings.Contains(b.String(), "4 of 5 changed blocks reached\n") || !strings.Contains(b.String(), "in 53 of 60 cases\n") {
		t.Errorf("\n%s", &b)
	}
}

// Blocks that were not reached stand by their files, the first ones only unless all are asked for.
func TestBlocksStandByTheirFiles(t *testing.T) {
	r := new(behavior.Report)
	r.Reach = []behavior.Reach{{Package: "p", Blocks: behavior.Share{All: 7}}}
	for i := range 7 {
		r.Reach[0].NotReach = append(r.Reach[0].NotReach, behavior.Place{File: []string{"a.go", "b.go"}[i/3%2], Line: i + 1})
	}
	for verbose, want := range map[bool]string{
		false: "\n  not reached: a.go:1, 2, 3, b.go:4, 5, and 2 more; -v lists them\n",
		true:  "\n  not reached: a.go:1, 2, 3, b.go:4, 5, 6, a.go:7\n",
	} {
		var b bytes.Buffer
		if err := (Format{Verbose: verbose}).Write(&b, r); err != nil || !strings.Contains(b.String(), want) {
			t.Errorf("%v, no %q in\n%s", err, want, &b)
		}
	}
}

func TestBehaviorText(t *testing.T) {
	for _, c := range []struct {
		name string
		o    Format
	}{{"behavior.golden", Format{}}, {"behavior-verbose.golden", Format{Verbose: true}}, {"behavior-quiet.golden", Format{Quiet: true}}} {
		var b bytes.Buffer
		if err := c.o.Write(&b, changed()); err != nil {
			t.Fatal(err)
		}
		goldenfile.Compare(t, c.name, b.Bytes())
	}
	same := changed()
	same.Causes = nil
	var b bytes.Buffer
	if err := (Format{}).Write(&b, same); err != nil {
		t.Fatal(err)
	}
	text := b.String()
	if !strings.HasSuffix(text, "the work tree against main (1a2b3c4): no difference seen in 4 of 5 changed blocks; no input reached the others; 1 value differs from run to run: price.Now result 0\n") || !strings.Contains(text, "not seen: price.go:20 changed 100 to 99\n") {
		t.Errorf("\n%s", text)
	}
}

func TestNothingToCompareText(t *testing.T) {
	var b bytes.Buffer
	if err := (Format{}).Write(&b, &behavior.Report{Nothing: "comments"}); err != nil || b.String() != "nothing to compare: comments\n" {
		t.Errorf("%q, %v", &b, err)
	}
}

func TestLongHunksAreCut(t *testing.T) {
	r := changed()
	r.Causes[0].Hunks[0].Was = strings.Repeat("line\n", 30)
	var short, long bytes.Buffer
	if err := (Format{}).Write(&short, r); err != nil {
		t.Fatal(err)
	}
	if err := (Format{Verbose: true}).Write(&long, r); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(short.String(), "| - line"); n != hunkLines || !strings.Contains(short.String(), "| ... 24 lines more") {
		t.Errorf("%d lines:\n%s", n, &short)
	}
	r.Causes[0].Hunks = append(r.Causes[0].Hunks, r.Causes[0].Hunks[0], r.Causes[0].Hunks[0])
	short.Reset()
	if err := (Format{}).Write(&short, r); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(short.String(), "   and 2 more places; -v shows all\n") {
		t.Errorf("\n%s", &short)
	}
	if n := strings.Count(long.String(), "| - line"); n != 30 {
		t.Errorf("verbose: %d lines", n)
	}
}

func TestAcceptedDifferencesAreCounted(t *testing.T) {
	r := changed()
	r.Causes = r.Causes[:2]
	r.Causes[0].Accepted = true
	for _, c := range []struct {
		o          Format
		want, none string
	}{
		{Format{}, "\n1 accepted difference; -v shows it\n", "FuzzPrice: a different value"},
		{Format{Verbose: true}, "FuzzPrice: a different value", "-v shows it"},
	} {
		var b bytes.Buffer
		if err := c.o.Write(&b, r); err != nil {
			t.Fatal(err)
		}
		text := b.String()
		if !strings.Contains(text, c.want) || strings.Contains(text, c.none) || !strings.HasSuffix(text, ": 1 difference in behavior, and 1 accepted\n") {
			t.Errorf("\n%s", text)
		}
	}
	r.Causes[1].Accepted, r.Causes[1].Recorded, r.Written = true, true, []string{"testdata/fuzz-accepted.txt"}
	var b bytes.Buffer
	if err := (Format{}).Write(&b, r); err != nil {
		t.Fatal(err)
	}
	text := b.String()
	for _, want := range []string{"1. FuzzOf: fails, and did not", "   accepted now\n", "written: testdata/fuzz-accepted.txt\n", ": no difference in behavior that is not accepted (2 accepted)\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}

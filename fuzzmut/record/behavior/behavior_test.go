package behavior

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/difference"
)

func TestNoListIsNull(t *testing.T) {
	r := &Report{Causes: []Cause{{Kind: KindValue}}}
	data, err := json.Marshal(r.Canonical())
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	for _, want := range []string{`"version":1`, `"changes":[]`, `"fuzz_tests":[]`, `"reach":[]`, `"hunks":[]`, `"values":[]`} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s in %s", want, text)
		}
	}
	if strings.Contains(text, "null") {
		t.Error(text)
	}
	if r.Version != 0 || r.Causes[0].Hunks != nil {
		t.Error("the report itself has changed")
	}
	if r.Differences() != 1 {
		t.Errorf("%d differences", r.Differences())
	}
}

// A list within any element of any list is there, too: programs index it.
func TestNoListWithinAListIsNull(t *testing.T) {
	r := new(Report)
	v := reflect.ValueOf(r).Elem()
	for i := range v.NumField() {
		if f := v.Field(i); f.Kind() == reflect.Slice {
			f.Set(reflect.MakeSlice(f.Type(), 1, 1))
		}
	}
	data, err := json.Marshal(r.Canonical())
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(data), "null") {
		t.Errorf("%s", data)
	}
	if r.Changes[0].Hunks != nil || r.Causes[0].Values != nil {
		t.Error("the report itself has changed")
	}
}

func TestAcceptedCausesAreNoDifferences(t *testing.T) {
	r := &Report{Causes: []Cause{{Accepted: true}, {}, {Accepted: true, Recorded: true}}}
	if r.Accepted() != 2 || r.Differences() != 1 {
		t.Errorf("%d accepted, %d differences", r.Accepted(), r.Differences())
	}
}

func TestEachKindSaysSomethingElse(t *testing.T) {
	seen := make(map[string]string)
	for _, kind := range []string{
		KindValue, KindToError, KindToSuccess, KindPanic, KindNoPanic, KindOutcome, KindOrder, KindWork, KindFails,
	} {
		text := (&Cause{Kind: kind}).Says()
		if other, ok := seen[text]; ok || text == "" {
			t.Errorf("%q says %q, as %q does", kind, text, other)
		}
		seen[text] = kind
	}
	if len(seen) != len(says) {
		t.Errorf("%d kinds are known, %d have words", len(seen), len(says))
	}
}

func TestWhatIsSaidOfADependency(t *testing.T) {
	c := Cause{Attributed: ByValue, Dependency: "a.b/c v1.1.0 in place of v1.0.0"}
	if got := c.Origin(); got != "caused by a.b/c v1.1.0 in place of v1.0.0" {
		t.Error(got)
	}
	if got := c.Unplaced(); !strings.Contains(got, "no smaller part of it") {
		t.Error(got)
	}
	if got := new(Cause).Origin(); got != "" {
		t.Error(got)
	}
}

func TestPlaceOfHunk(t *testing.T) {
	for _, c := range []struct {
		line, end int
		want      string
	}{{5, 5, "a.go:5"}, {5, 7, "a.go:5-7"}, {5, 4, "a.go:5, taken out"}} {
		if got := (&Hunk{File: "a.go", Line: c.line, End: c.end}).Place(); got != c.want {
			t.Errorf("lines %d to %d: %q, want %q", c.line, c.end, got, c.want)
		}
	}
}

func TestLinesOfHunk(t *testing.T) {
	for _, c := range []struct{ was, is, want string }{
		{"a\nb", "c", "- a|- b|+ c"},
		{"", "c\n\nd", "+ c|+ |+ d"},
		{"a", "", "- a"},
		{"", "", ""},
	} {
		if got := strings.Join((&Hunk{Was: c.was, Is: c.is}).Lines(), "|"); got != c.want {
			t.Errorf("%q to %q: %q, want %q", c.was, c.is, got, c.want)
		}
	}
}

func TestValuesAreNamedWithoutTheNumberOfTheCall(t *testing.T) {
	for name, want := range map[string]string{
		"p.Parse result 0":             "p.Parse result 0",
		"p.Parse #2 result 0":          "p.Parse result 0",
		"p.Parse #12 result 0 (p.T)":   "p.Parse result 0 (p.T)",
		"p.Parse #2":                   "p.Parse",
		"p.F #1 result 1 of p.G #3 #x": "p.F result 1 of p.G #x",
		"p.Parse#2 result 0":           "p.Parse#2 result 0",
	} {
		if got := (&Value{Name: name}).Of(); got != want {
			t.Errorf("%q is of %q, want %q", name, got, want)
		}
	}
}

func TestLinesOfValue(t *testing.T) {
	for _, c := range []struct {
		name     string
		old, now string
		compare  func(was, is string) []string
		want     []string
	}{
		{"in one line", "p.T {A: 1}", "p.T {A: 2}", difference.Lines, []string{".A: 1 -> 2"}},
		{"with signs", "p.T {A: 1}", "p.T {A: 2}", difference.Signed, []string{"- .A: 1", "+ .A: 2"}},
		{"new", "", "int 1\nx", difference.Lines, []string{"+ int 1", "+ x"}},
		{"gone", "int 1", "", difference.Signed, []string{"- int 1"}},
	} {
		if diff := cmp.Diff(c.want, (&Value{Old: c.old, New: c.now}).Lines(c.compare)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

// Hunks that only a side has and that follow each other are shown as one.
func TestAppendHunk(t *testing.T) {
	fresh := func(line, end, number int) Hunk {
		return Hunk{File: "a.go", Line: line, End: end, Is: "x", Number: number}
	}
	gone := func(line, number int) Hunk {
		return Hunk{File: "a.go", Line: line, End: line - 1, Was: "x", Number: number}
	}
	both := Hunk{File: "a.go", Line: 4, End: 4, Was: "x", Is: "y", Number: 2}
	other := fresh(4, 4, 2)
	other.File = "b.go"
	for _, c := range []struct {
		name string
		list []Hunk
		want int
	}{
		{"new lines", []Hunk{fresh(2, 3, 1), fresh(4, 4, 2), fresh(5, 9, 3)}, 1},
		{"lines between", []Hunk{fresh(2, 3, 1), fresh(5, 5, 2)}, 2},
		{"another file", []Hunk{fresh(2, 3, 1), other}, 2},
		{"lines that are gone", []Hunk{gone(4, 1), gone(4, 2), gone(4, 3)}, 1},
		{"gone, not all of them", []Hunk{gone(4, 1), gone(4, 3)}, 2},
		{"gone elsewhere", []Hunk{gone(4, 1), gone(5, 2)}, 2},
		{"lines that have changed", []Hunk{fresh(2, 3, 1), both}, 2},
	} {
		var got []Hunk
		lines := 0
		for _, h := range c.list {
			got = AppendHunk(got, h)
			lines += len(h.Was) + len(h.Is)
		}
		for _, h := range got {
			lines -= len(strings.ReplaceAll(h.Was+h.Is, "\n", ""))
		}
		if len(got) != c.want || lines != 0 {
			t.Errorf("%s: %+v", c.name, got)
		}
	}
}

// What was left out for one reason is one line.
func TestNotesByReason(t *testing.T) {
	notes := []Note{{"a", "x"}, {"b", "y"}, {"c", "x"}, {"d", "x"}, {"e", "x"}}
	for most, want := range map[int][]Note{
		0: {{"a, c, d, e", "x"}, {"b", "y"}},
		2: {{"a, c, 2 more", "x"}, {"b", "y"}},
		4: {{"a, c, d, e", "x"}, {"b", "y"}},
	} {
		if diff := cmp.Diff(want, ByReason(notes, most)); diff != "" {
			t.Errorf("at most %d (-want +got):\n%s", most, diff)
		}
	}
	if notes[0].What != "a" || ByReason(nil, 1) != nil {
		t.Errorf("%v", notes)
	}
}

func TestInternal(t *testing.T) {
	for derived, want := range map[string]bool{"": false, "Of": false, "T.Of": false, "(*T).Of": false, "of": true, "t.Of": true, "(*t).Of": true, "T.of": true} {
		if got := (&Test{Derived: derived}).Internal(); got != want {
			t.Errorf("%q: %v", derived, got)
		}
	}
}

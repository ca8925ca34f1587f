package report_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/behavior"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
)

// results are one of each kind, empty.
func results() []report.Result {
	return []report.Result{
		new(report.Report), new(report.Listing), new(report.TestReport), new(report.Minimization), new(report.Written), new(report.EntryList),
		new(report.Verification), new(report.TriageReport), new(report.Export), new(behavior.Report),
	}
}

// fill gives each list in a value one element, down to a depth in lists. Below it they are nil.
func fill(v reflect.Value, depth int) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				fill(v.Field(i), depth)
			}
		}
	case reflect.Slice:
		if depth > 0 {
			v.Set(reflect.MakeSlice(v.Type(), 1, 1))
			fill(v.Index(0), depth-1)
		}
	case reflect.Pointer:
		if v.IsNil() && v.Type().Elem().Kind() == reflect.Struct && depth > 0 {
			v.Set(reflect.New(v.Type().Elem()))
		}
		if !v.IsNil() {
			fill(v.Elem(), depth)
		}
	}
}

// nulls lists the members that are null.
func nulls(path string, v any) (list []string) {
	switch v := v.(type) {
	case nil:
		return []string{path}
	case map[string]any:
		for name, member := range v {
			list = append(list, nulls(path+"."+name, member)...)
		}
	case []any:
		for _, member := range v {
			list = append(list, nulls(path+"[]", member)...)
		}
	}
	return list
}

// A program that reads a result need not tell an empty list from none: it is never null,
// however deep it lies. The result itself stays as it is.
func TestListsInResultsAreNeverNull(t *testing.T) {
	for depth := range 5 {
		for _, r := range results() {
			fill(reflect.ValueOf(r), depth)
			before := fmt.Sprintf("%#v", reflect.ValueOf(r).Elem())
			text, err := json.Marshal(r.Canonical())
			if err != nil {
				t.Fatal(err)
			}
			var got any
			if err := json.Unmarshal(text, &got); err != nil {
				t.Fatal(err)
			}
			list := nulls("", got)
			slices.Sort(list)
			for _, path := range slices.Compact(list) {
				t.Errorf("%T with lists down to %d: %s is null", r, depth, path)
			}
			if version := got.(map[string]any)["version"]; version != 1.0 {
				t.Errorf("%T: version %v", r, version)
			}
			if after := fmt.Sprintf("%#v", reflect.ValueOf(r).Elem()); after != before {
				t.Errorf("%T with lists down to %d is altered:\n%s\n%s", r, depth, before, after)
			}
		}
	}
}

// Mutants are in the order of the source, whatever that of a run was; those of one place by
// operator and text, so that two runs give the same bytes.
func TestMutantsAreInTheOrderOfTheSource(t *testing.T) {
	at := func(pkg, file string, line, column int, operator, id string) report.Mutant {
		return report.Mutant{Package: pkg, File: file, Line: line, Column: column, Operator: operator, ID: id}
	}
	want := []report.Mutant{
		at("p", "a.go", 2, 9, "x", "1"), at("p", "a.go", 10, 1, "x", "2"), at("p", "a.go", 10, 3, "x", "3"), at("p", "b.go", 1, 1, "x", "4"), at("q", "a.go", 1, 1, "x", "5"),
	}
	for i := range want {
		list := slices.Concat(want[i:], want[:i])
		slices.Reverse(list)
		before := slices.Clone(list)
		got := report.Ordered(list)
		for k := range want {
			if got[k].ID != want[k].ID {
				t.Errorf("turned by %d: %s is number %d", i, got[k].ID, k)
			}
			if list[k].ID != before[k].ID {
				t.Errorf("turned by %d: the list itself is sorted", i)
			}
		}
	}
}

func TestAnswersOfComparisonsInOneLine(t *testing.T) {
	cause := func(accepted bool) behavior.Cause { return behavior.Cause{Accepted: accepted} }
	for _, c := range []struct {
		accepted, open int
		cut            bool
		want           string
	}{
		{0, 0, false, "no difference seen"},
		{0, 0, true, "differences seen, none confirmed before the end"},
		{2, 0, false, "no difference in behavior that is not accepted (2 accepted)"},
		{2, 0, true, "no difference in behavior that is not accepted (2 accepted)"},
		{0, 1, true, "1 difference in behavior"},
		{1, 3, false, "3 differences in behavior, and 1 accepted"},
	} {
		r := &behavior.Report{Tests: []behavior.Test{{}, {Cut: c.cut}}}
		for range c.accepted {
			r.Causes = append(r.Causes, cause(true))
		}
		for range c.open {
			r.Causes = append(r.Causes, cause(false))
		}
		if got := report.Ending(r, false); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

// The change may show in values that differ from run to run, and nobody would see it.
func TestAnswersNameValuesThatDifferFromRunToRun(t *testing.T) {
	for _, c := range []struct {
		unstable [2][]string // of two fuzz tests
		want     string
	}{
		{[2][]string{{"p.A"}, {"p.A"}}, "no difference seen; 1 value differs from run to run: p.A"},
		{[2][]string{{"p.C"}, {"p.B", "p.A"}}, "no difference seen; 3 values differ from run to run: p.A, p.B, p.C"},
		{[2][]string{{"p.E", "p.C"}, {"p.D", "p.B", "p.A"}}, "no difference seen; 5 values differ from run to run: p.A, p.B, p.C and 2 more"},
	} {
		r := &behavior.Report{Tests: []behavior.Test{{Unstable: c.unstable[0]}, {Unstable: c.unstable[1]}}}
		if got := report.Ending(r, true); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
		if short, _, _ := strings.Cut(c.want, ":"); report.Ending(r, false) != short {
			t.Errorf("%q, want %q", report.Ending(r, false), short)
		}
	}
}

// What was not run was not compared: the answer names it.
func TestAnswersNameChangedCodeThatWasNotReached(t *testing.T) {
	for _, c := range []struct {
		some, all int // of the second package; of the first, one of one
		want      string
	}{
		{0, 0, "no difference seen"},
		{3, 3, "no difference seen"},
		{2, 3, "no difference seen in 3 of 4 changed blocks; no input reached the others"},
	} {
		r := &behavior.Report{Reach: []behavior.Reach{{Blocks: behavior.Share{Some: 1, All: 1}}, {Blocks: behavior.Share{Some: c.some, All: c.all}}}}
		if got := report.Ending(r, false); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
	r := &behavior.Report{Reach: []behavior.Reach{{Blocks: behavior.Share{All: 7}}}}
	if got, want := report.Ending(r, false), "the changed code was not compared: no input reached it"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	r.Causes = []behavior.Cause{{}}
	if got, want := report.Ending(r, false), "1 difference in behavior"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// Source in a line is one line, and is cut between letters.
func TestChangesInOneLine(t *testing.T) {
	long := ""
	for range 60 {
		long += "é"
	}
	for _, c := range []struct{ original, replacement, want string }{
		{"a + b", "a - b", "a + b → a - b"},
		{"if x {\n\ty()\n}", "", "if x { y() } → (nothing)"},
		{long, "b", long[:47*len("é")] + "… → b"},
	} {
		if got := report.Change(&report.Mutant{Original: c.original, Replacement: c.replacement}); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

// Shards that fuzzmut test does not make are an error before anything is read of them.
func TestShardsOfResults(t *testing.T) {
	for text, ok := range map[string]bool{
		"": true, "1/1": true, "2/4": true, "1/4,4/4,2/3": true, "65535/65535": true,
		"0/4": false, "5/4": false, "1/65536": false, "1": false, "1/4,": false, "a/b": false, "-1/4": false,
	} {
		if err := report.CheckShards(text); (err == nil) != ok {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// TestRanks: survivors have the places in which text shows them, and others none.
func TestRanks(t *testing.T) {
	ms := []report.Mutant{
		{ID: "unseen", Line: 1, Status: report.Survived, Function: "F"},
		{ID: "killed", Line: 2, Status: report.Killed, Function: "F"},
		{ID: "infected", Line: 3, Status: report.Survived, Function: "F", Infected: 4},
		{ID: "elsewhere", Line: 4, Status: report.NotCovered, Function: "G"},
		{ID: "beside", Line: 3, Column: 9, Status: report.Survived, Function: "F"},
	}
	want := map[string]int{"infected": 1, "unseen": 2, "beside": 3}
	shownBy := map[string]string{"beside": "infected"}
	results := map[string][]report.Mutant{
		"of a fuzz test": (&report.Report{Tests: []report.FuzzTest{{Mutants: ms}}}).Canonical().(*report.Report).Tests[0].Mutants,
		"of unit tests":  (&report.TestReport{Mutants: ms}).Canonical().(*report.TestReport).Mutants,
	}
	for name, list := range results {
		for _, m := range list {
			if m.Rank != want[m.ID] {
				t.Errorf("%s: %s has rank %d, want %d", name, m.ID, m.Rank, want[m.ID])
			}
			if m.ShownBy != shownBy[m.ID] {
				t.Errorf("%s: %s is shown by %q, want %q", name, m.ID, m.ShownBy, shownBy[m.ID])
			}
		}
	}
	for _, m := range ms {
		if m.Rank != 0 {
			t.Errorf("the result itself was changed: %s has rank %d", m.ID, m.Rank)
		}
	}
}

package diff

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/behavior"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/lockstep"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/observed"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/revert"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/trial/trialtest"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/versions"
	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/load"
	"github.com/fuzzmut/fuzzmut/instrument/rt/golden"
)

func TestSpansTouchLines(t *testing.T) {
	for _, c := range []struct {
		span        span
		first, last int
		want        bool
	}{
		{span{5, 2}, 1, 4, false},
		{span{5, 2}, 1, 5, true},
		{span{5, 2}, 6, 9, true},
		{span{5, 2}, 7, 9, false},
		{span{5, 0}, 1, 4, false}, // before line 5, which is outside
		{span{5, 0}, 5, 9, false},
		{span{5, 0}, 4, 5, true},
	} {
		if got := c.span.touches(c.first, c.last); got != c.want {
			t.Errorf("%v touches %d to %d: %v", c.span, c.first, c.last, got)
		}
	}
}

const oldCode = `const limit = 3

type T struct{ n int }

func Same() int { return 1 }

func Uses() int { return limit }

func (t *T) Changed() int { return t.n }

func Gone() {}
`

const newCode = `const limit = 4

type T struct{ n int }

func Same() int { return 1 }

func Uses() int { return limit }

func (t *T) Changed() int { return t.n + 1 }

func Fresh() {}
`

const testCode = `func FuzzSame(f *testing.F) { f.Fuzz(func(t *testing.T, n int) { Same() }) }
`

func loadText(t *testing.T, code string) (*load.Result, string) {
	t.Helper()
	dir := trialtest.Module(t, code, testCode)
	r, err := load.Load(t.Context(), load.Config{Dir: dir, Pattern: "."})
	if err != nil {
		t.Fatal(err)
	}
	return r, r.Packages[0].Files[0].Path
}

func TestFunctionsThatAreChanged(t *testing.T) {
	before, oldPath := loadText(t, oldCode)
	after, newPath := loadText(t, newCode)
	pair := &versions.Pair{Files: []versions.File{{
		Path: newPath, OldPath: oldPath, Old: []byte(oldCode), New: []byte(newCode),
		Hunks: []versions.Hunk{{OldLine: 3, OldCount: 1, NewLine: 3, NewCount: 1}, {OldLine: 11, OldCount: 1, NewLine: 11, NewCount: 1}, {OldLine: 13, OldCount: 1, NewLine: 13, NewCount: 1}},
	}}}
	c := newChanged(pair, [2]*load.Result{before, after})
	want := map[string]bool{"example.com/p.Uses": true, "example.com/p.T.Changed": true, "example.com/p.Fresh": true, "example.com/p.Gone": true}
	if diff := cmp.Diff(want, c.names); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if holds := c.holds(1); holds(newPath, 7, 7) || !holds(newPath, 9, 9) || !holds(newPath, 11, 11) {
		t.Error("in the new code it holds for others")
	}
}

func TestMembersOfOneSideAreHidden(t *testing.T) {
	const was = "type T struct{ A, B, c int }\n\nfunc (t *T) String() string { return \"\" }\n\nfunc Same() int { return 1 }\n"
	const is = "type T struct{ A, D, e int }\n\nfunc (t *T) Len() int { return 1 }\n\nfunc Same() int { return 1 }\n\ntype U struct{ X int }\n"
	before, _ := loadText(t, was)
	after, _ := loadText(t, is)
	hideMembers([2]*load.Result{before, after})
	path := before.Test.ImportPath + ".T."
	want := map[string]golden.View{path + "B": golden.ViewNone, path + "D": golden.ViewNone, path + "String": golden.ViewNone, path + "Len": golden.ViewNone}
	for _, l := range []*load.Result{before, after} {
		if diff := cmp.Diff(want, l.Views.Types); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
}

// observation is what one side has seen: a failure, or values "name text".
func observation(values ...string) observed.Observation {
	o := observed.Observation{Sites: make(map[string]*instrument.Site)}
	site := &instrument.Site{Name: "p.F", Values: []string{"result 0 (int)", "result 1 (error)"}}
	for _, v := range values {
		name, text, _ := strings.Cut(v, "=")
		if name == "fails" {
			o.Failure = text
			continue
		}
		o.Values = append(o.Values, golden.Value{Name: name, Text: text})
		o.Sites[name] = site
	}
	return o
}

func TestKindsOfDifferences(t *testing.T) {
	const value, failure = "p.F #1 result 0=", "p.F #1 result 1="
	for _, c := range []struct {
		was, is []string
		want    string // "" is no difference
	}{
		{[]string{value + "1"}, []string{value + "1"}, ""},
		{[]string{value + "1"}, []string{value + "2"}, behavior.KindValue},
		{[]string{value + golden.Unstable}, []string{value + "2"}, ""},
		{[]string{value + "1"}, []string{value + golden.Unstable}, ""},
		{[]string{value + "1", failure + "nil"}, []string{value + "0", failure + `error "x"`}, behavior.KindToError},
		{[]string{failure + `error "x"`}, []string{failure + "nil"}, behavior.KindToSuccess},
		{[]string{failure + `error "x"`}, []string{failure + `error "y"`}, behavior.KindValue},
		{[]string{value + "[1, 2]"}, []string{value + "[2, 1]"}, behavior.KindOrder},
		{[]string{value + "[1, 2]"}, []string{value + "[2, 2]"}, behavior.KindValue},
		{[]string{value + "1"}, []string{"fails=boom"}, behavior.KindPanic},
		{[]string{"fails=boom"}, []string{value + "1"}, behavior.KindNoPanic},
		{[]string{"fails=boom"}, []string{"fails=bang"}, ""},
		{nil, []string{value + "1"}, behavior.KindValue},
	} {
		d := &difference{sides: [2]observed.Observation{observation(c.was...), observation(c.is...)}}
		got := ""
		if len(changes(d)) > 0 {
			got = kindOf(d)
		}
		if got != c.want {
			t.Errorf("%q to %q: %q, want %q", c.was, c.is, got, c.want)
		}
	}
}

// repairedBy is a difference that parts repair.
func repairedBy(value string, parts ...int) *difference {
	return &difference{
		Result: lockstep.Result{Input: corpus.Of("x"), Differ: []string{value}}, repaired: parts,
		sides: [2]observed.Observation{observation(value + "=1"), observation(value + "=2")},
	}
}

func TestDifferencesAreSortedByWhatRepairsThem(t *testing.T) {
	list := []*difference{
		repairedBy("a", 2), repairedBy("b", 1, 2), repairedBy("c", 1), repairedBy("d", 1, 3),
		repairedBy("e"), repairedBy("e"), repairedBy("f"), repairedBy("g", 4), repairedBy("h", 1, 4),
	}
	parts := []revert.Part{{{}}, {{}}, {{}}, {{}}, {{}, {}}}
	var got []string
	for _, b := range sortByRepair(list, parts) {
		var names []string
		for _, d := range b.list {
			names = append(names, d.Differ...)
		}
		got = append(got, strings.Join(names, "")+" "+string(rune('0'+max(b.part, 0))))
	}
	// Part 1 repairs most; a has another cause; the rest goes by its values.
	if want := []string{"bcdh 1", "a 2", "g 4", "ee 0", "f 0"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestInputsThatShowSeveralCausesAreNone(t *testing.T) {
	parts := []revert.Part{{{Hunk: 0}}, {{Hunk: 1}}, {{Hunk: 0}, {Hunk: 1}}, {{Hunk: 0}, {Hunk: 2}}, {{File: 1}}}
	for _, c := range []struct {
		causes string // their parts
		want   string // those that stay, with their inputs
	}{
		{"0 1 2", "0:2 1:2"},
		{"2 1 0", "1:2 0:2"},
		{"0 2", "0:1 2:1"}, // nobody knows whether the other part is a cause
		{"0 1 3", "0:1 1:1 3:1"},
		{"4 -1 2", "4:1 -1:1 2:1"},
		{"", ""},
	} {
		var all []explained
		for word := range strings.FieldsSeq(c.causes) {
			part, err := strconv.Atoi(word)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, explained{cause: &behavior.Cause{Inputs: 1}, part: part})
		}
		var got []string
		for _, e := range withoutJoint(all, parts) {
			got = append(got, fmt.Sprintf("%d:%d", e.part, e.cause.Inputs))
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: %s, want %s", c.causes, got, c.want)
		}
	}
}

func TestErrorsAreSortedByTheirCall(t *testing.T) {
	failing := func(was, is string, more ...string) *difference {
		return &difference{
			Result: lockstep.Result{Differ: append(more, "p.F result 1")},
			sides:  [2]observed.Observation{observation(append(more, "p.F #1 result 1="+was)...), observation("p.F #1 result 1=" + is)},
		}
	}
	a, b := failing("nil", `error "x"`), failing("nil", `error "y"`, "p.F #1 result 0=1")
	if valueKey(a) != valueKey(b) {
		t.Errorf("%q and %q", valueKey(a), valueKey(b))
	}
	if c := failing(`error "x"`, "nil"); valueKey(c) == valueKey(a) {
		t.Errorf("%q both ways", valueKey(c))
	}
}

func TestCausesOfSeveralFuzzTests(t *testing.T) {
	one := []behavior.Hunk{{File: "a.go", Line: 3, End: 3}}
	two := []behavior.Hunk{{File: "a.go", Line: 7, End: 9}}
	repair := func(fuzz, kind string, hunks []behavior.Hunk, inputs int64) behavior.Cause {
		return behavior.Cause{Kind: kind, Fuzz: fuzz, Hunks: hunks, Inputs: inputs, Attributed: behavior.ByRepair}
	}
	unknown := behavior.Cause{Kind: behavior.KindValue, Fuzz: "FuzzA", Attributed: behavior.ByValue}
	got := merge([]behavior.Cause{
		repair("FuzzA", behavior.KindValue, one, 5), repair("FuzzA", behavior.KindValue, two, 1), unknown,
		repair("FuzzB", behavior.KindValue, one, 2), repair("FuzzB", behavior.KindPanic, one, 9), unknown,
	})
	if len(got) != 5 || got[0].Inputs != 7 || !slices.Equal(got[0].Also, []string{"FuzzB"}) || got[1].Also != nil {
		t.Errorf("%+v", got)
	}
}

func TestWhyThereIsNothingToCompare(t *testing.T) {
	side := func(name string) versions.Side { return versions.Side{Name: name} }
	for _, c := range []struct {
		pair versions.Pair
		want string
	}{
		{versions.Pair{TestFiles: []string{"a_test.go"}}, "main and the work tree differ in tests only (a_test.go)"},
		{versions.Pair{Other: []string{"a", "b", "c", "d"}}, "main and the work tree have the same Go code; a, b, c, 1 more differ"},
		{versions.Pair{}, "main and the work tree have the same Go code, but for comments"},
	} {
		c.pair.Old, c.pair.New = side("main"), side("the work tree")
		if got := nothing(&c.pair); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

func TestFailuresComeFirstAndWorkLast(t *testing.T) {
	r := &behavior.Report{Causes: []behavior.Cause{{Kind: behavior.KindValue, Inputs: 9}, {Kind: behavior.KindWork, Inputs: 50}, {Kind: behavior.KindOrder, Inputs: 30}, {Kind: behavior.KindPanic, Inputs: 1}}}
	(&job{report: r}).finish()
	var kinds []string
	for _, c := range r.Causes {
		kinds = append(kinds, c.Kind)
	}
	if want := []string{behavior.KindPanic, behavior.KindOrder, behavior.KindValue, behavior.KindWork}; !slices.Equal(kinds, want) {
		t.Errorf("%q", kinds)
	}
	if err := verdict(r); exit.CodeOf(err) != exit.Failing || err.Error() != "behavior has changed: check that this is intended, and record it with -accept" {
		t.Errorf("%v", err)
	}
	if err := verdict(&behavior.Report{}); err != nil {
		t.Error(err)
	}
}

func TestWhatACauseIsAcceptedBy(t *testing.T) {
	values := []behavior.Value{{Name: "p.F #1 result 0"}, {Name: "p.F #2 result 0"}, {Name: "p.F #1 result 1"}}
	hunk := behavior.Hunk{Was: "\ta()\n\n\tb()", Is: "\tc()"}
	for _, c := range []struct {
		hunks     []behavior.Hunk
		lines, of []string
	}{
		{[]behavior.Hunk{hunk, {Is: "\td()"}}, []string{"- \ta()", "- ", "- \tb()", "+ \tc()", "+ \td()"}, nil},
		{[]behavior.Hunk{{Was: "\n"}}, nil, []string{"p.F result 0", "p.F result 1", "work"}},
		{nil, nil, []string{"p.F result 0", "p.F result 1", "work"}},
	} {
		d := asDifference(&behavior.Cause{Kind: behavior.KindWork, Package: "p", Fuzz: "FuzzF", Also: []string{"FuzzG"}, Input: "int(1)\nint(2)", Hunks: c.hunks, Values: values})
		if !slices.Equal(d.Lines, c.lines) || !slices.Equal(d.Of, c.of) || d.Input != "int(1), int(2)" || !slices.Equal(d.Tests, []string{"FuzzF", "FuzzG"}) {
			t.Errorf("%+v: %+v", c.hunks, d)
		}
	}
}

func TestAcceptedDifferencesNeedAWorkTree(t *testing.T) {
	accept := &Options{Accept: true}
	if err := accept.checkTree("/tmp/x/tree/p", "HEAD~1", "/tmp/x"); exit.CodeOf(err) != exit.Usage || !strings.Contains(err.Error(), "HEAD~1") {
		t.Error(err)
	}
	if err := errors.Join(accept.checkTree("/home/p", "the work tree", "/tmp/x"), new(Options).checkTree("/tmp/x/tree", "HEAD~1", "/tmp/x")); err != nil {
		t.Error(err)
	}
}

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
		{[]string{value + `"a {}"`}, []string{value + `"a{}"`}, behavior.KindValue},
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

// What needs more than another cause is none, and those that need the same hunk are one.
func TestSeparateCauses(t *testing.T) {
	hunks := func(numbers ...int) (p revert.Part) {
		for _, n := range numbers {
			p = append(p, versions.Ref{Hunk: n})
		}
		return p
	}
	parts := []revert.Part{hunks(0), hunks(1), hunks(0, 1), hunks(0, 2), {{File: 1}}, hunks(3, 4), hunks(4, 5), hunks(6, 7), hunks(5, 6), hunks(3, 4, 5)}
	for _, c := range []struct {
		causes string // their parts
		want   string // those that stay, with their inputs and what they stand for
	}{
		{"0 1 2", "0:2[2] 1:2[2]"},
		{"2 1 0", "1:2[2] 0:2[2]"},
		{"0 2", "0:2[2]"}, // the other hunk is needed only beside the first
		{"0 1 3", "0:2[3] 1:1[]"},
		{"4 -1 2 -1", "4:1[] -1:1[] 2:1[] -1:1[]"},
		{"2 3", "2:2[3]"},
		{"5 6 4", "5:2[6] 4:1[]"},
		{"5 7 6", "5:2[6] 7:1[]"},
		{"5 7 6 8", "5:4[6 8 7]"},
		{"5 7 8 6", "5:4[6 7 8]"},
		{"5 9 6", "5:4[9 6 9]"},
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
		for _, e := range separate(all, parts) {
			got = append(got, fmt.Sprintf("%d:%d%v", e.part, e.cause.Inputs, e.with))
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: %s, want %s", c.causes, got, c.want)
		}
	}
}

// The input for which a part is minimized is the smallest of those whose cause may be less.
// The causes that are known are those of one hunk, and those that need all of their hunks. At
// the end nothing is said of what was not looked at, where it may have a separate cause.
func TestPartsThatAreMadeSmaller(t *testing.T) {
	input := func(text string, parts ...int) *difference {
		return &difference{Result: lockstep.Result{Input: corpus.Of(text)}, repaired: parts}
	}
	hunks := func(numbers ...int) (p revert.Part) {
		for _, n := range numbers {
			p = append(p, versions.Ref{Hunk: n})
		}
		return p
	}
	list := []*difference{
		input("xxx", 1), input("xx", 1), input("x", 0, 3), input("x", 2), input("xxxx", 3), input("y"), input("xxxxx", 4), input("xxxxxx", 5),
	}
	pair := &versions.Pair{Files: []versions.File{{Hunks: make([]versions.Hunk, 9)}}}
	r := &attempts{
		comparison: &comparison{repairs: &revert.Builder{Pair: pair, Takes: func(*versions.File) bool { return true }}},
		tried:      []revert.Part{hunks(0), hunks(1, 2), hunks(3, 4), hunks(0, 1, 5), hunks(0, 3), hunks(0, 1, 2, 3, 4, 5, 6, 7, 8)},
		list:       list, least: map[int]bool{2: true}, depends: make(map[*difference]int),
	}
	var got []string
	for range 10 {
		d, number, known := r.large()
		if d == nil {
			break
		}
		got = append(got, fmt.Sprintf("%s of %d beside %d", d.Input.Values()[0], number, len(known)))
		if number == 1 {
			r.least[number] = true
		} else {
			r.depends[d] = number
		}
	}
	if want := []string{"xx of 1 beside 3", "xxxx of 3 beside 5", "xxxxx of 4 beside 5", "xxxxxx of 5 beside 5"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	r.least, r.depends = map[int]bool{2: true}, map[*difference]int{list[4]: 2}
	r.forget()
	var left []string
	for _, d := range list {
		left = append(left, fmt.Sprint(d.repaired))
	}
	// A run is a cause as it is; a part beside one that is known may be one without it; both
	// are known; the whole.
	if want := []string{"[1]", "[1]", "[0 3]", "[2]", "[]", "[]", "[4]", "[]"}; !slices.Equal(left, want) {
		t.Errorf("%q, want %q", left, want)
	}
}

func TestInputsOfWhatDependsOnKnownCauses(t *testing.T) {
	hunk := func(n int) versions.Ref { return versions.Ref{Hunk: n} }
	r := &attempts{tried: []revert.Part{{hunk(0)}, {hunk(1)}, {hunk(0), hunk(1)}, {hunk(0), hunk(2)}, {hunk(0), hunk(1), hunk(2)}}}
	group := &lockstep.Group{Count: 5}
	for _, c := range []struct {
		part   int
		within []int
		want   string
	}{
		{2, []int{0, 1}, "[6 6]"}, // both are shown
		{3, []int{0}, "[6 1]"},
		{4, []int{0, 1}, "[1 1]"}, // one of them is needed, or both
	} {
		all := []explained{{cause: &behavior.Cause{Inputs: 1}, part: 0}, {cause: &behavior.Cause{Inputs: 1}, part: 1}}
		r.count(all, c.within, &bucket{part: c.part, list: []*difference{{group: group}, {group: group}}})
		if got := fmt.Sprint([]int64{all[0].cause.Inputs, all[1].cause.Inputs}); got != c.want || !slices.Contains(all[0].with, c.part) {
			t.Errorf("part %d: %s, want %s", c.part, got, c.want)
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
	one := []behavior.Hunk{{File: "a.go", Line: 3, End: 3, Number: 1}}
	two := []behavior.Hunk{{File: "a.go", Line: 3, End: 3, Number: 2}} // of the same line
	repair := func(fuzz, kind string, hunks []behavior.Hunk, inputs int64) behavior.Cause {
		return behavior.Cause{Kind: kind, Fuzz: fuzz, Hunks: hunks, Inputs: inputs, Attributed: behavior.ByRepair}
	}
	unknown := behavior.Cause{Kind: behavior.KindValue, Fuzz: "FuzzA", Attributed: behavior.ByValue}
	got := merge([]behavior.Cause{
		repair("FuzzA", behavior.KindValue, one, 5), repair("FuzzA", behavior.KindValue, two, 1), unknown,
		repair("FuzzB", behavior.KindValue, one, 2), repair("FuzzB", behavior.KindPanic, one, 9), unknown,
		repair("FuzzC", behavior.KindToError, one, 1), repair("FuzzC", behavior.KindWork, one, 1),
	})
	if len(got) != 6 || got[0].Inputs != 8 || !slices.Equal(got[0].Also, []string{"FuzzA", "FuzzB"}) || got[1].Also != nil {
		t.Errorf("%+v", got)
	}
}

// Whichever fuzz test came first, the gravest effect of a cause stands for all.
func TestTheGravestEffectOfACauseIsShown(t *testing.T) {
	hunks := []behavior.Hunk{{File: "a.go", Line: 3, End: 3, Number: 1}}
	text := behavior.Cause{
		Kind: behavior.KindValue, Fuzz: "FuzzText", Input: "t", Inputs: 9, Hunks: hunks, Attributed: behavior.ByRepair,
		Values: []behavior.Value{{Name: "p.F result 1", Old: `error "x"`, New: `*p.Err error "y"`}},
	}
	value, toError := text, text
	value.Fuzz, value.Input, value.Values = "FuzzValue", "v", []behavior.Value{{Name: "p.F result 0", Old: "1", New: "2"}}
	toError.Fuzz, toError.Input, toError.Kind = "FuzzError", "e", behavior.KindToError
	for _, c := range []struct {
		causes []behavior.Cause
		want   string
		also   []string
	}{
		{[]behavior.Cause{text, value, toError}, "FuzzError e 27", []string{"FuzzValue", "FuzzText"}},
		{[]behavior.Cause{toError, text, value}, "FuzzError e 27", []string{"FuzzText", "FuzzValue"}},
		{[]behavior.Cause{text, value}, "FuzzValue v 18", []string{"FuzzText"}},
		{[]behavior.Cause{value, text}, "FuzzValue v 18", []string{"FuzzText"}},
		{[]behavior.Cause{text, text}, "FuzzText t 18", nil},
	} {
		got := merge(c.causes)
		if len(got) != 1 || fmt.Sprintln(got[0].Fuzz, got[0].Input, got[0].Inputs) != c.want+"\n" || !slices.Equal(got[0].Also, c.also) {
			t.Errorf("%+v, want %s and %s", got, c.want, c.also)
		}
	}
}

// Of the inputs that show one cause within a fuzz test, too.
func TestTheGravestInputOfABucketComesFirst(t *testing.T) {
	input := func(text string, was, is string) *difference {
		return &difference{
			Result: lockstep.Result{Input: corpus.Of(text)},
			sides:  [2]observed.Observation{observation("p.F #1 result 1=" + was), observation("p.F #1 result 1=" + is)},
		}
	}
	list := []*difference{
		input("a", `error "x"`, `error "y"`), input("bbb", "nil", `error "x"`), input("cc", "nil", `error "z"`),
		input("d", `error "x"`, "nil"), input("ee", "1", "2"),
	}
	byWeightAndSize(list)
	var got []string
	for _, d := range list {
		got = append(got, d.Input.Values()[0].(string))
	}
	if want := []string{"cc", "bbb", "d", "ee", "a"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
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
		hunks []behavior.Hunk
		lines []string
	}{
		{[]behavior.Hunk{hunk, {Is: "\td()"}}, []string{"- \ta()", "- ", "- \tb()", "+ \tc()", "+ \td()"}},
		{[]behavior.Hunk{{Was: "\n"}}, nil},
		{nil, nil},
	} {
		d := asDifference(&behavior.Cause{Kind: behavior.KindWork, Package: "p", Fuzz: "FuzzF", Also: []string{"FuzzG"}, Input: "int(1)\nint(2)", Hunks: c.hunks, Values: values})
		if !slices.Equal(d.Lines, c.lines) || !slices.Equal(d.Of, []string{"p.F result 0", "p.F result 1", "work"}) || d.Input != "int(1), int(2)" || !slices.Equal(d.Tests, []string{"FuzzF", "FuzzG"}) {
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

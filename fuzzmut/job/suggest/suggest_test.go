package suggest

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/unittest"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/accepted"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/suggestion"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/callers"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/project"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/trial"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/witness"
	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/goldentest"
	"github.com/fuzzmut/fuzzmut/instrument/load"
	"github.com/fuzzmut/fuzzmut/instrument/sequence"
	"github.com/fuzzmut/fuzzmut/instrument/target"
)

// newSession is a session whose unit tests were run with six mutants, m1 to m6. The last is
// one that acts before the first test.
func newSession() (*session, *instrument.Program) {
	p := &instrument.Program{}
	for i := range 6 {
		status := instrument.StatusLive
		if i == 5 {
			status = instrument.StatusStatic
		}
		p.Mutants = append(p.Mutants, instrument.Mutant{Index: i + 1, ID: "m" + string(rune('1'+i)), Package: "p", File: "/m/p.go", Line: 10 * (i + 1), Column: 2, Description: "changed > to >=", Status: status})
	}
	s := &session{
		job:    &job{project: &project.Project{Accepted: map[accepted.ID]bool{{Package: "p", Mutant: "m5"}: true}}, report: &suggestion.Report{}},
		report: &suggestion.Package{},
		loaded: &load.Result{Test: instrument.TestPackage{ModuleDir: "/m"}},
	}
	return s, p
}

func TestSurvivors(t *testing.T) {
	s, p := newSession()
	s.read(p, &unittest.Result{Tests: []unittest.Test{{Name: "TestA"}}, Verdicts: []unittest.Verdict{
		{Mutant: 1, Status: unittest.StatusKilled}, {Mutant: 2, Status: unittest.StatusSurvived}, {Mutant: 3, Status: unittest.StatusNotCovered},
	}})
	want := suggestion.Package{Mutants: 4, Killed: 1, NotJudged: 1, Survivors: 2, NotCovered: 1, Static: 1}
	if diff := cmp.Diff(want, *s.report); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if len(s.survivors) != 2 || !s.survivors[key{"p", "m2"}].reached || s.survivors[key{"p", "m3"}].reached {
		t.Errorf("survivors: %v", s.survivors)
	}
	for line, want := range map[int]bool{19: false, 20: true, 31: false} {
		if got := s.holdsSurvivors("/m/p.go", line, line); got != want || s.holdsSurvivors("/m/q.go", line, line) {
			t.Errorf("line %d holds a survivor: %v", line, got)
		}
	}

	// Without any test, all survive.
	s, p = newSession()
	s.read(p, &unittest.Result{})
	if want := (suggestion.Package{Mutants: 4, Survivors: 4, NotCovered: 4, Static: 1}); !cmp.Equal(want, *s.report) {
		t.Errorf("untested: %+v", *s.report)
	}
}

// What a search does not use is left for those after it.
func TestShares(t *testing.T) {
	s := newShare(project.FuzzTime{Duration: 8 * time.Second})
	s.weights = 3
	if got := s.of(1).Duration; got != 2*time.Second {
		t.Errorf("a quarter is %v", got)
	}
	s.used(time.Second, 0)
	s.weights = 1
	if got := s.of(6).Duration; got != 6*time.Second {
		t.Errorf("six parts of seven are %v", got)
	}
	s.used(time.Hour, 0)
	s.weights = 0
	if got := s.of(1).Duration; got != 0 {
		t.Errorf("of nothing: %v", got)
	}
	s = newShare(project.FuzzTime{Duration: leastTime * 3 / 2})
	s.weights = 9
	if got := s.of(1).Duration; got != leastTime {
		t.Errorf("less than the least: %v", got)
	}
	s.used(leastTime, 0)
	if got := s.of(1).Duration; got != 0 {
		t.Errorf("of too little: %v", got)
	}
	s = newShare(project.FuzzTime{Execs: 1000})
	s.weights = 1
	if got := s.of(1); got != (project.FuzzTime{Execs: 500}) {
		t.Errorf("executions: %+v", got)
	}
}

func TestSeen(t *testing.T) {
	for detail, want := range map[string]string{
		"x_test.go:12: F(1) = 2, want 3":                                            "F(1) = 2",
		"    fuzzmut_suggest_test.go:9: F(\"a, want b\") = \"a\", want \"b\"\nmore": `F("a, want b") = "a"`,
		"panic: index out of range [recovered]":                                     "panic: index out of range [recovered]",
		"x_test.go:7: no version":                                                   "no version",
		// A value of several lines, and one that holds an address, which is another in each run.
		"x_test.go:9: Parse(\"a\") = Node {\n          Leaf {\n          }\n        }\n        , <nil>, want nil": `Parse("a") = Node { Leaf { } } , <nil>`,
		"x_test.go:9: F(1) = 2\n    x_test.go:10: G(1) = 3, want 4":                                               "F(1) = 2",
		"x_test.go:9: New() = &{0x24428b887400 map[a:[0xc000012345]] 0xffff}, want nil":                           "New() = &{0x... map[a:[0x...]] 0xffff}",
		// An error whose text is empty.
		"x_test.go:12: F(1) = , want <nil>":      `F(1) = ""`,
		"x_test.go:12: F(1) = 0, , want 0, no":   `F(1) = 0, ""`,
		"x_test.go:12: F(1): part 0 is , want a": `F(1): part 0 is ""`,
		"x_test.go:12: F(1) = bad, want":         "F(1) = bad",
		"x_test.go:12: Read of \"x\": ":          `Read of "x": ""`,
		"x_test.go:12: these are not equal:":     "these are not equal:",
		"":                                       "",
	} {
		if got := seen(&unittest.Verdict{Detail: detail}); got != want {
			t.Errorf("%q: %q, want %q", detail, got, want)
		}
	}
}

// What a failing test says of a call is shown with the call as the case has it.
func TestCallsAreRestated(t *testing.T) {
	one := goldentest.Written{Calls: []string{"F('/', Third)"}, Printed: []string{`^F\('/', .*?\)`}}
	for seen, want := range map[string]string{
		"F('/', 3) = true":                    "F('/', Third) = true",
		"F('/', level 3): part 0 is 1":        "F('/', Third): part 0 is 1",
		"F('a', 3) = true":                    "F('a', 3) = true",
		"panic: index out of range":           "panic: index out of range",
		"F('/', 3) = \"F('/', 3) = 2\", \"\"": "F('/', Third) = \"F('/', 3) = 2\", \"\"",
	} {
		if got := restating(one)(seen); got != want {
			t.Errorf("%s: %s, want %s", seen, got, want)
		}
	}
	one.Parts = []map[string][]string{{"": {"len(got.All)", "Error()"}, "buf": {"Len()"}}}
	for seen, want := range map[string]string{
		`F('/', 3): part 1 is ""`:       `F('/', Third): Error() is ""`,
		"F('/', 3): part 0 of buf is 1": "F('/', Third): Len() of buf is 1",
		"F('/', 3): part 2 is 1":        "F('/', Third): part 2 is 1",
	} {
		if got := restating(one)(seen); got != want {
			t.Errorf("%s: %s, want %s", seen, got, want)
		}
	}
	if got := restating(goldentest.Written{Calls: []string{"F(Third)"}})("F(3) = 1"); got != "F(3) = 1" {
		t.Errorf("of calls in turn: %s", got)
	}
}

// Cases without a kill are dropped, and those that kill most come first; errors come last.
func TestChosenCases(t *testing.T) {
	s, p := newSession()
	s.read(p, &unittest.Result{})
	s.searched = &project.Package{Loaded: &load.Result{Test: instrument.TestPackage{Fuzz: []instrument.FuzzTest{{Name: "FuzzF", Target: "F"}}}}}
	s.tests = []goldentest.Test{{Name: "FuzzF", Cases: make([]goldentest.Case, 4)}}
	s.claims = [][][]key{{{{"p", "m1"}}, {{"p", "m2"}}, {{"p", "m3"}, {"p", "m4"}}, nil}}
	written := &goldentest.PlainTests{Tests: []goldentest.Written{
		{Name: "TestF_1", Fuzz: "FuzzF", Cases: []int{0}, Calls: []string{"F(1)"}, Results: []string{"1"}, Errors: []bool{false}},
		{Name: "TestF_2", Fuzz: "FuzzF", Cases: []int{1}, Calls: []string{"F(2)"}, Results: []string{"2"}, Errors: []bool{false}},
		{Name: "TestF_3", Fuzz: "FuzzF", Cases: []int{2}, Calls: []string{"F(3)"}, Results: []string{"3"}, Errors: []bool{false}},
	}}
	killed := map[key]*unittest.Verdict{
		{"p", "m1"}: {Test: "TestF_3", Detail: "a_test.go:1: F(3) = 0, want 3"}, {"p", "m2"}: {Test: "TestF_2"}, {"p", "m4"}: {Test: "TestF_3"},
	}
	s.count(written, killed, nil)
	if s.report.Closed != 3 || len(s.report.Left) != 1 || s.report.Left[0].Mutants != 1 || s.report.Left[0].What != "F" {
		t.Errorf("closed %d, left %+v", s.report.Closed, s.report.Left)
	}
	s.count(written, killed, map[string]bool{"TestF_3": true})
	if left := s.report.Left; len(left) != 2 || left[1].Reason != failsAlone || left[1].Mutants != 1 {
		t.Errorf("of a test that fails: %+v", left)
	}
	got := s.chosen(written, killed)
	if len(got) != 2 || got[0].place != 2 || got[1].place != 1 {
		t.Fatalf("%+v", got)
	}
	want := []suggestion.Mutant{
		{ID: "m1", File: "p.go", Line: 10, Column: 2, Description: "changed > to >=", Seen: "F(3) = 0", Got: "0", Want: "3"},
		{ID: "m4", File: "p.go", Line: 40, Column: 2, Description: "changed > to >="},
	}
	if diff := cmp.Diff(want, got[0].mutants()); diff != "" || got[0].call != "F(3)" || got[0].result != "3" || got[0].test != "FuzzF" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	got[0].err = true
	if left := kills(got, killed); len(left) != 2 || left[0].place != 1 {
		t.Errorf("an error does not come last: %+v", left)
	}
	got[0].err = false
	// In a table they may kill less.
	delete(killed, key{"p", "m1"})
	if left := kills(got, killed); len(left) != 2 || len(left[0].closes) != 1 || left[0].mutants()[0].ID != "m4" {
		t.Errorf("left %+v", left)
	}
	delete(killed, key{"p", "m2"})
	if left := kills(got, killed); len(left) != 1 || len(left[0].closes) != 1 || left[0].mutants()[0].ID != "m4" {
		t.Errorf("left %+v", left)
	}
}

func TestComments(t *testing.T) {
	var list []suggestion.Mutant
	for i := range 7 {
		list = append(list, suggestion.Mutant{File: "a/p.go", Line: i + 1, Description: "negated the condition"})
	}
	if got := comment(list, list); len(got) != commentMost+1 || got[0] != "p.go:1: negated the condition" || got[commentMost] != "and 3 more" {
		t.Errorf("%q", got)
	}
	// The name of one takes no more room than its number.
	if got := comment(list[:commentMost+1], list); len(got) != commentMost+1 || slices.Contains(got, "and 1 more") {
		t.Errorf("%q", got)
	}
}

// An input is not minimized to one that makes no case, or one on which the code fails.
func TestRestore(t *testing.T) {
	large := []*corpus.Input{corpus.Of("a fits"), corpus.Of("b fits"), corpus.Of("c fits fails"), corpus.Of("d fits")}
	small := []*corpus.Input{corpus.Of("a fits"), corpus.Of("b"), corpus.Of("c fits fails"), corpus.Of("d fits fails")}
	var chosen []witness.Witness
	for _, in := range small {
		chosen = append(chosen, witness.Witness{Input: in})
	}
	has := func(word string) func(*corpus.Input) bool {
		return func(in *corpus.Input) bool { return strings.Contains(in.Values()[0].(string), word) }
	}
	restore(large, chosen, has("fits"), has("fails"))
	for i, want := range []*corpus.Input{small[0], large[1], small[2], large[3]} {
		if chosen[i].Input != want {
			t.Errorf("%q in place of %q", chosen[i].Input.Values(), want.Values())
		}
	}
}

// A fuzz test whose turn did not come searches in the next round: it may reach any survivor.
func TestWeightsOfLaterRounds(t *testing.T) {
	s, p := newSession()
	s.read(p, &unittest.Result{})
	s.survivors[key{"p", "m1"}].found = true
	begun := &searching{trial: &trial.Trial{}, reach: []key{{"p", "m1"}, {"p", "m2"}}}
	none := &searching{trial: &trial.Trial{}}
	waits, refused := &searching{}, &searching{refused: true}
	deadly, hung := &searching{trial: &trial.Trial{}, reach: begun.reach, deadly: true}, &searching{trial: &trial.Trial{}, reach: begun.reach, deadly: true, fresh: 1}
	got := s.laterWeights([]*searching{begun, none, waits, refused, deadly, hung})
	if want := map[*searching]int{begun: 1, waits: 1, hung: 1}; !maps.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	for i := range 2 * reachersMost {
		s.survivors[key{"q", strconv.Itoa(i)}] = &survivor{}
	}
	if got := s.laterWeights([]*searching{begun, waits})[waits]; got != 2 {
		t.Errorf("with more survivors: %d", got)
	}
}

// Cases are chosen among all inputs that a search has left, each once, those that it has chosen first.
func TestInputsThatAreChosenFrom(t *testing.T) {
	a, b, c := corpus.Of("a"), corpus.Of("b"), corpus.Of("c")
	s := &searching{kill: []*corpus.Input{b}, more: []*corpus.Input{a, b, corpus.Of("a"), c}}
	s.addMore()
	if want := []*corpus.Input{b, a, c}; !slices.Equal(s.kill, want) {
		t.Errorf("%v, want %v", s.kill, want)
	}
}

// Fuzz tests over sequences of calls come last, and first where a round is too short for all.
func TestOrderOfSearches(t *testing.T) {
	one, two := &searching{test: instrument.FuzzTest{Name: "FuzzOne"}}, &searching{test: instrument.FuzzTest{Name: "FuzzTwo"}}
	inTurn := &searching{test: instrument.FuzzTest{Name: "FuzzInTurn"}}
	s := &session{searched: &project.Package{Loaded: &load.Result{Derived: []load.Derived{{Test: &target.Test{Name: "FuzzInTurn"}, Sequence: new(sequence.Sequence)}}}}}
	for _, c := range []struct {
		round time.Duration
		want  []*searching
	}{
		{0, []*searching{one, two, inTurn}}, // executions are counted
		{(2 + sequenceWeight) * leastTime, []*searching{one, two, inTurn}},
		{(2+sequenceWeight)*leastTime - 1, []*searching{inTurn, one, two}},
	} {
		if got := s.inOrder([]*searching{one, two, inTurn}, c.round); !slices.Equal(got, c.want) {
			t.Errorf("%v: %s first", c.round, got[0].test.Name)
		}
	}
}

// Short tests run often before they are written, and long ones once.
func TestOften(t *testing.T) {
	for took, want := range map[time.Duration]int{
		0: 1, time.Millisecond: 20, 100 * time.Millisecond: 5, time.Minute: 1,
	} {
		if got := often(took, 1); got != want {
			t.Errorf("%v: %d times, want %d", took, got, want)
		}
	}
}

// What no search reaches because there are too many types, or since a method has an argument that calls in turn do not
// make, says that, and not why it can't be called alone.
func TestLeftOut(t *testing.T) {
	left := []callers.Note{{What: "m.Either.Left", Reason: "its receiver is of Either"}, {What: "m.Run", Reason: "it takes a function"}, {What: "m.URI.Big", Reason: "its receiver is of URI"}}
	got := leftOut(left, &callers.Sequenced{
		Beyond: map[string]bool{"m.Either.Left": true, "m.Either.Right": true}, Left: map[string]string{"m.URI.Big": "its argument is of *big.Int", "m.URI.Far": "it"},
	})
	want := []suggestion.Note{{What: "m.Either.Left", Reason: callers.BeyondReason}, {What: "m.Run", Reason: "it takes a function"}, {What: "m.URI.Big", Reason: "its argument is of *big.Int"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// The time of the unit tests is one for runs without a mutant and with one. Where executions bound the search, no test
// is left out by the clock.
func TestJudgeTimes(t *testing.T) {
	s, _ := newSession()
	baseline, mutants := s.judgeTimes()
	if got := mutants(); baseline != judgeLimit/2 || got > judgeLimit || got < judgeLimit-10*time.Second {
		t.Errorf("by time: %v and %v", baseline, got)
	}
	s.project.Options.FuzzTime = project.FuzzTime{Execs: 100}
	if baseline, mutants := s.judgeTimes(); baseline != 0 || mutants() != judgeLimit {
		t.Errorf("by executions: %v and %v", baseline, mutants())
	}
}

// Tests that are left out are said with their number, and the first by name.
func TestTestsThatAreLeftOut(t *testing.T) {
	s, _ := newSession()
	s.pkg = "example.com/p"
	s.leftOut([]string{"TestA", "TestB", "TestC", "TestD", "TestE", "TestF", "TestG"}, 31)
	want := "example.com/p: 7 of 31 unit tests left out, since without a mutant there was no time for them in 1m0s: TestA, TestB, TestC, TestD, TestE and 2 more; "
	if w := s.job.report.Warnings; len(w) != 1 || !strings.HasPrefix(w[0], want) || s.report.Tests != 31 || len(s.report.LeftOut) != 7 {
		t.Errorf("%q, %+v", w, s.report)
	}
}

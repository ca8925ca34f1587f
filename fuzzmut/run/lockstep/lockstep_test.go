//go:build unix

package lockstep

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/evaluate"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/fake"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/project"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/trial"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/trial/trialtest"
	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

func TestMain(m *testing.M) {
	fake.Play()
	os.Exit(m.Run())
}

// two returns fake trials of old and new code, with a changed function.
func two(t *testing.T, hooks trial.Hooks, entries ...string) (sides [2]*trial.Trial) {
	t.Helper()
	for i, name := range []string{"old", "new"} {
		t.Setenv(fake.Side, name) // the trial takes the environment over
		x := trialtest.Fake(t, hooks, entries...)
		p := x.Package.Program
		p.Funcs[0] = instrument.Func{File: "fake.go", Line: 20}
		p.Sites = append(p.Sites, instrument.Site{Name: "fake.changed", File: "fake.go", Line: 20, Values: []string{"result 0 (int)"}, Target: true, Inner: true})
		sides[i] = trial.New(x.Project, x.Package, x.Test, nil, hooks)
	}
	return sides
}

func step(t *testing.T) *Lockstep {
	t.Helper()
	s := two(t, trial.Hooks{})
	l := New(s[0].Engine.Processes, s[1].Engine.Processes, 1)
	t.Cleanup(l.Close)
	return l
}

func TestWhatDiffersBetweenTheSides(t *testing.T) {
	l := step(t)
	for _, c := range []struct{ input, want string }{
		{"v1 s1", ""},
		{"v1 old:v2 new:v3", "fake.Other result 0"},
		{"old:v1 new:v2 v9", "fake.Target result 0"},
		{"v1 old:v2", "fake.Other result 0"},
		{"new:v2", "fake.Target result 0"},
		{"new:fail", "outcome pass to panic"},
		{"old:fail", "outcome panic to pass"},
		{"fail old:v1 new:v2", ""},
		{"new:end", "outcome pass to death"},
		{"old:s1 new:s2", " inside fake.changed"},
		{"old:s1 v1", " inside fake.changed"},
		{"old:s1 new:s2 old:v1 new:v2", "fake.Target result 0 inside fake.changed"},
	} {
		rs, err := l.Run(t.Context(), fake.Inputs("v7", c.input, "v7"))
		if err != nil {
			t.Fatal(err)
		}
		if rs[0].Signature()+rs[2].Signature() != "" {
			t.Errorf("%q: its neighbors differ", c.input)
		}
		got := rs[1].Signature()
		if len(rs[1].Inside) > 0 {
			got += " inside " + strings.Join(rs[1].Inside, ",")
		}
		if got != c.want {
			t.Errorf("%q: %q, want %q", c.input, got, c.want)
		}
	}
}

func TestFunctionsOfOneSideAreNotCompared(t *testing.T) {
	before, now := []string{"p.F", "", "p.Old", "p.G"}, []string{"p.New", "p.G", "", "", "p.F"}
	common(before, now)
	if got, want := fmt.Sprintf("%q %q", before, now), `["p.F" "" "" "p.G"] ["" "p.G" "" "" "p.F"]`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestMoreWork(t *testing.T) {
	for _, c := range []struct {
		before, now int64
		size        int
		want        bool
	}{
		{100, 5000, 10, true},
		{100, 4000, 10, false}, // too little
		{2000, 8000, 10, false},
		{2000, 8001, 10, true},
		{0, 5000, 10, true},
		{100, 10_000, 500, false}, // it reads its input a few times more
		{100, 20_000, 500, true},
		{9000, 100, 10, false}, // less
	} {
		before, now := Work{Fuel: c.before}, Work{Fuel: c.now}
		if got := (Measure{Factor: 4}).More(before, now, c.size); got != c.want {
			t.Errorf("from %d to %d on %d bytes: %v", c.before, c.now, c.size, got)
		}
		if (Measure{}).More(before, now, c.size) {
			t.Errorf("from %d to %d, and work is not compared", c.before, c.now)
		}
	}
	for _, c := range []struct {
		before, now int64
		size        int
		want        bool
	}{
		{100, 80_000, 10, true},
		{100, 60_000, 10, false}, // too little
		{30_000, 120_000, 10, false},
		{0, 80_000, 10, false}, // not measured
		{80_000, 0, 10, false},
		{100, 200_000, 4000, false}, // copies of the input
	} {
		before, now := Work{Fuel: 10, Bytes: c.before}, Work{Fuel: 10, Bytes: c.now}
		if got := (Measure{Factor: 4}).More(before, now, c.size); got != c.want {
			t.Errorf("from %d to %d allocated bytes on an input of %d: %v", c.before, c.now, c.size, got)
		}
	}
}

// weighed is an input whose allocated bytes are measured while searching, or not.
func weighed(words string, yes bool) string {
	for i := 0; ; i++ {
		text := fmt.Sprint(words, " v", i)
		if wire.WeighSome.Takes(corpus.Of(text).Wire()) == yes {
			return text
		}
	}
}

func TestWorkThatDiffers(t *testing.T) {
	l := step(t)
	l.Work = Measure{Factor: 4}
	for _, c := range []struct {
		input, want string
		more        bool
	}{
		{"old:w50 new:w9000", MoreWork, true},
		{"old:w9000 new:w50", "", false},
		{"w9000", "", false},
		{"old:w50 new:w9000 old:v1 new:v2", "fake.Target result 0", true},
		{"old:w50 new:w9000 fail", "", false},
		{weighed("old:m50 new:m90000", true), MoreWork, true},
		{weighed("old:m50 new:m90000", false), "", false},
		{"old:w50 new:w9000 new:fail", "outcome pass to panic", false},
	} {
		rs, err := l.Run(t.Context(), fake.Inputs(c.input))
		if err != nil {
			t.Fatal(err)
		}
		if got := rs[0].Signature(); got != c.want || rs[0].More != c.more {
			t.Errorf("%q: %q, want %q; more work: %v, want %v", c.input, got, c.want, rs[0].More, c.more)
		}
	}
	rs, err := l.Run(t.Context(), fake.Inputs("v3 v4 f1 old:w50 new:w9000 f3 i3"))
	if err != nil {
		t.Fatal(err)
	}
	short, err := l.Shrink(t.Context(), rs[0], 0, func(seen [2]evaluate.Observed) bool { return seen[1].Cost > 5000 })
	if err != nil || short.Signature() != MoreWork || short.Input.Len() >= rs[0].Input.Len() {
		t.Errorf("%v: %q, %v", short.Input, short.Signature(), err)
	}
	// An input is measured each time while it is shrunk.
	rs, err = l.run(t.Context(), fake.Inputs("v3 v4 f1 old:m50 new:m90000 f3 i3"), wire.WeighAll, 0)
	if err != nil {
		t.Fatal(err)
	}
	short, err = l.Shrink(t.Context(), rs[0], 0, func(seen [2]evaluate.Observed) bool { return seen[1].Bytes > 50_000 })
	if err != nil || short.Signature() != MoreWork || short.Input.Len() >= rs[0].Input.Len() {
		t.Errorf("%v: %q, %v", short.Input, short.Signature(), err)
	}
}

// An input on which both sides burn much is not compared. If one does, it is run again, and the
// sides are what they are.
func TestInputsThatTakeLong(t *testing.T) {
	l := step(t)
	l.Work, l.Fuel = Measure{Factor: 4}, 10_000
	for _, c := range []struct {
		input, want string
		slow        bool
	}{
		{"w9000 old:v1 new:v2", "fake.Target result 0", false},
		{"w90000 old:v1 new:v2", "", true},
		{"hang", "", true},
		{"old:w90000 old:v1 new:v2", "fake.Target result 0", false},
		{"old:w50 new:w90000", MoreWork, false},
		{"w5000 new:w90000", MoreWork, false}, // 18 times as much, and it does end
		{"w9000 new:w90000000", "outcome pass to fuel", false},
		{"w9000 old:w20000000 new:w60000000", "", true}, // it may be three times as much
		{"new:hang", "outcome pass to fuel", false},
		{"old:hang", "outcome fuel to pass", false},
	} {
		rs, err := l.Run(t.Context(), fake.Inputs("v7", c.input, "v7"))
		if err != nil {
			t.Fatal(err)
		}
		if got := rs[1].Signature(); got != c.want || rs[1].Slow() != c.slow || rs[0].Slow() || rs[2].Signature() != "" {
			t.Errorf("%q: %q, want %q; slow: %v", c.input, got, c.want, rs[1].Slow())
		}
	}
}

// Where it is known that one side does not end on some inputs, the others burn a part of the
// fuel only.
func TestManyEndlessInputsAreCheap(t *testing.T) {
	l := step(t)
	l.Fuel = 1_000_000
	var burned []int64
	for range endlessKnown + 2 {
		rs, err := l.Run(t.Context(), fake.Inputs("new:hang"))
		if err != nil || rs[0].Signature() != "outcome pass to fuel" {
			t.Fatalf("%+v, %v", rs, err)
		}
		burned = append(burned, rs[0].Runs[1].Fuel)
	}
	for i, n := range burned {
		want := l.Fuel
		switch {
		case i < endlessSure:
			want = HangFuel
		case i >= endlessKnown:
			want = l.Fuel / endlessPart
		}
		if n < want || n > want+want/endlessPart {
			t.Errorf("input %d has burned %d, want %d", i, n, want)
		}
	}
}

// Inputs that burn much are not shrunk for minutes.
func TestShrinkIsBoundedByFuel(t *testing.T) {
	l := step(t)
	l.Work = Measure{Factor: 4}
	rs, err := l.Run(t.Context(), fake.Inputs("v3 v4 f1 old:w50 new:w39000000 "+strings.Repeat("f3 ", 200)))
	if err != nil {
		t.Fatal(err)
	}
	tried := 0
	short, err := l.Shrink(t.Context(), rs[0], 0, func([2]evaluate.Observed) bool {
		tried++
		return true
	})
	if err != nil || short.Signature() != MoreWork || tried < 8 || tried > 60 {
		t.Errorf("%d inputs were tried: %v, %v", tried, short.Input, err)
	}
}

func TestHeavyGroupsLeaveRoomForOthers(t *testing.T) {
	s := search(t, 10)
	note := func(r *Result) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.note(r)
	}
	for path := range uint64(100) {
		r := &Result{Input: corpus.Of("x"), More: true}
		r.Runs[1].Path = path + 1
		note(r)
	}
	note(&Result{Input: corpus.Of("y"), Differ: []string{"p.F result 0"}})
	if list := signatures(s.Found()); len(list) != heavyMost+1 || list[heavyMost] != "p.F result 0" {
		t.Errorf("%q", list)
	}
}

func TestCoverageAloneTakesNoEntries(t *testing.T) {
	for _, only := range []bool{false, true} {
		s := search(t, 10)
		s.CoverageOnly = only
		s.mu.Lock()
		have := len(s.share[1])
		s.note(&Result{Input: corpus.Of("y"), Differ: []string{"p.F result 0"}, Inside: []string{"p.f"}})
		taken := len(s.share[1]) > have
		s.mu.Unlock()
		if groups := signatures(s.Found()); taken == only || !slices.Contains(groups, "p.F result 0") {
			t.Errorf("coverage only %v: taken %v, groups %q", only, taken, groups)
		}
	}
}

func TestUnstableValuesAreNotCompared(t *testing.T) {
	l := step(t)
	l.Ignore("fake.Target result 0")
	rs, err := l.Run(t.Context(), fake.Inputs("old:v1 new:v2", "v1 old:v1 new:v2"))
	if err != nil || rs[0].Signature() != "" || rs[1].Signature() != "fake.Other result 0" {
		t.Errorf("%q, %q, %v", rs[0].Signature(), rs[1].Signature(), err)
	}
	if got := l.Unstable(); !slices.Equal(got, []string{"fake.Target result 0"}) {
		t.Errorf("%q", got)
	}
	s := two(t, trial.Hooks{})
	s[0].Engine.Processes.Exclude(wire.Unstable{Value: wire.Value{Site: 1}})
	if got := New(s[0].Engine.Processes, s[1].Engine.Processes, 1).Unstable(); !slices.Equal(got, []string{"fake.Other result 0"}) {
		t.Errorf("of a side: %q", got)
	}
}

func TestShrinkKeepsTheDifference(t *testing.T) {
	l := step(t)
	rs, err := l.Run(t.Context(), fake.Inputs("v3 v4 f1 old:v1 new:v2 f3 i3"))
	if err != nil {
		t.Fatal(err)
	}
	short, err := l.Shrink(t.Context(), rs[0], 0, func(seen [2]evaluate.Observed) bool { return len(seen[0].Events) > 0 && len(seen[1].Events) > 0 })
	if err != nil || short.Signature() != rs[0].Signature() || short.Input.Len() >= rs[0].Input.Len() {
		t.Errorf("%v: %q of %q, %v", short.Input, short.Signature(), rs[0].Signature(), err)
	}
	// What the caller does not take is no result.
	if same, err := l.Shrink(t.Context(), rs[0], 0, func([2]evaluate.Observed) bool { return false }); err != nil || !same.Input.Equal(rs[0].Input) {
		t.Errorf("%v, %v", same.Input, err)
	}
}

func TestTextsOfADeath(t *testing.T) {
	l := step(t)
	seen, err := l.Texts(t.Context(), fake.Input("v1 new:end"))
	if err != nil || seen[0].Kind != wire.Pass || seen[0].Events[0].Text != "1" || seen[1].Kind != wire.Death || seen[1].Cause == "" {
		t.Errorf("%+v, %v", seen, err)
	}
}

// A search that ends while an input blocks leaves no dead process to those that explain.
func TestAfterTheEndOfASearchThereAreOtherProcesses(t *testing.T) {
	l := step(t)
	for _, blocks := range []func(context.Context) error{
		func(ctx context.Context) error { _, err := l.Run(ctx, fake.Inputs("block")); return err },
		func(ctx context.Context) error { _, err := l.Texts(ctx, fake.Input("block")); return err },
	} {
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		err := blocks(ctx)
		cancel()
		if !errors.Is(err, context.DeadlineExceeded) && !errors.Is(err, context.Canceled) {
			t.Errorf("an input that blocks: %v", err)
		}
		if seen, err := l.Texts(t.Context(), fake.Input("v1")); err != nil || seen[0].Kind != wire.Pass || seen[1].Kind != wire.Pass {
			t.Errorf("afterwards: %+v, %v", seen, err)
		}
		if rs, err := l.Run(t.Context(), fake.Inputs("old:v1 new:v2")); err != nil || rs[0].Signature() == "" {
			t.Errorf("afterwards: %+v, %v", rs, err)
		}
	}
}

func search(t *testing.T, budget int64, entries ...string) *Search {
	t.Helper()
	return searchFor(t, project.FuzzTime{Execs: budget}, entries...)
}

func searchFor(t *testing.T, budget project.FuzzTime, entries ...string) *Search {
	t.Helper()
	s := new(Search)
	x := two(t, s.Hooks(), entries...)
	for _, x := range x {
		if err := x.Greet(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := Baseline(t.Context(), x, budget); err != nil {
			t.Fatal(err)
		}
	}
	s.Begin(x[0], x[1], 1)
	t.Cleanup(s.Close)
	if err := s.Run(t.Context(), budget); err != nil {
		t.Fatal(err)
	}
	return s
}

func signatures(f Found) (list []string) {
	for _, g := range f.Groups {
		list = append(list, g.Signature)
	}
	slices.Sort(list)
	return list
}

func TestTheCorpusIsComparedFirst(t *testing.T) {
	f := search(t, 10, "v1", "old:v1 new:v2 f1", "new:fail").Found()
	want := []string{"fake.Target result 0", "outcome pass to panic"}
	if diff := cmp.Diff(want, signatures(f)); diff != "" || f.Compared < 3 || f.First == 0 {
		t.Errorf("%+v (-want +got):\n%s", f, diff)
	}
}

// What fails on one side alone is seen, however little time there is.
func TestWhatFailsIsComparedWithoutTime(t *testing.T) {
	f := searchFor(t, project.FuzzTime{Duration: 1}, "v1", "old:v1 new:v2 f1", "new:fail").Found()
	if diff := cmp.Diff([]string{"outcome pass to panic"}, signatures(f)); diff != "" || f.Compared != 1 || f.Left != 2 {
		t.Errorf("%+v (-want +got):\n%s", f, diff)
	}
}

// What takes long is counted, and neither compared nor made an entry. Samples end when their time
// is over.
func TestSlowInputsLeaveTheTimeToOthers(t *testing.T) {
	s := search(t, 10, "v1")
	before := s.Found()
	s.Samples = fake.Inputs("w30000000 f1 old:v1 new:v2", "f2 v3", "f3 v4")
	if err := s.samples(t.Context(), 0); err != nil {
		t.Fatal(err)
	}
	f := s.Found()
	if f.Tried != 3 || f.Slow-before.Slow != 1 || f.Compared-before.Compared != 2 || len(f.Groups) != len(before.Groups) {
		t.Errorf("%d tried, %d slow, %d compared, %d groups", f.Tried, f.Slow, f.Compared, len(f.Groups))
	}
	for _, x := range s.trials {
		if list := entries(x); slices.ContainsFunc(list, func(e string) bool { return strings.Contains(e, "w30000000") }) {
			t.Errorf("entries: %q", list)
		}
	}
	if err := s.samples(t.Context(), 1); err != nil || s.Found().Tried != 3 {
		t.Errorf("%d tried when their time is over, %v", s.Found().Tried-3, err)
	}
}

func TestASearchEndsWhereNothingIsReached(t *testing.T) {
	if f := search(t, 100_000, "v1").Found(); f.Ended != Unreached || f.Compared >= 100_000 {
		t.Errorf("%q after %d", f.Ended, f.Compared)
	}
}

func TestGroupsKeepTheSmallestInputs(t *testing.T) {
	var g Group
	for _, n := range []int{9, 3, 12, 1, 7, 5, 3, 11, 2} {
		g.add(&Result{Input: corpus.Of(strings.Repeat("x", n))})
	}
	var lengths []int
	for _, r := range g.Results {
		lengths = append(lengths, len(r.Input.Values()[0].(string)))
	}
	if want := []int{1, 2, 3, 5, 7, 9}; !slices.Equal(lengths, want) || g.Count != 9 {
		t.Errorf("%v, want %v; %d", lengths, want, g.Count)
	}
}

func TestNamesOfSites(t *testing.T) {
	values, inner := namesOf(&instrument.Program{Sites: []instrument.Site{
		{Name: "p.F", Values: []string{"result 0 (int)", "result 1 (error)"}},
		{Name: "p.T.M", Values: []string{"receiver t", "result 0 (int)"}},
		{Name: "p.Target", Target: true, Values: []string{"result 0 (int)"}},
		{Name: "p.changed", Target: true, Inner: true, Values: []string{"result 0 (int)"}},
	}})
	if diff := cmp.Diff([][]string{{"p.F result 0", "p.F result 1"}, {"", "p.T.M result 0"}, {""}, nil}, values); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if !slices.Equal(inner, []string{"", "", "", "p.changed"}) {
		t.Errorf("%q", inner)
	}
}

func TestSidesMustTakeTheSameArguments(t *testing.T) {
	a, b := &trial.Trial{Types: []string{"int"}}, &trial.Trial{Types: []string{"string"}}
	if err := CheckAlike(a, b); err == nil || !strings.Contains(err.Error(), "int before, string now") {
		t.Errorf("%v", err)
	}
	if err := CheckAlike(a, a); err != nil {
		t.Error(err)
	}
}

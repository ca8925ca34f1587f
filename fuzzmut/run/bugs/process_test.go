//go:build unix

package bugs

import (
	"context"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/failures"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/fake"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/repair"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/project"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/trial"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/trial/trialtest"
	"github.com/fuzzmut/fuzzmut/instrument/rt/failure"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

func TestMain(m *testing.M) {
	fake.Play()
	os.Exit(m.Run())
}

// boom is how inputs with the word "fail" fail.
var boom = wire.Outcome{Kind: wire.Panic, Message: "boom", Frames: []string{"fake.Target fake.go:1"}}

func entry(words string) corpus.Entry { return corpus.Of(words).Found() }

// sortingOf makes a sorting of inputs that were given as failing, and of others.
func sortingOf(t *testing.T, opts Options, asked []string, others ...string) *Sorting {
	t.Helper()
	x := trialtest.Fake(t, trial.Hooks{})
	if opts.Time == 0 {
		opts.Time = time.Hour
	}
	opts.NoTests = true
	s := New(x, opts)
	for _, words := range others {
		s.Add(entry(words), false)
	}
	for _, words := range asked {
		s.Add(entry(words), true)
	}
	return s
}

// buckets lists the buckets that inputs were sorted into, each by its inputs.
func buckets(s *Sorting) []string {
	var list []string
	for _, items := range s.Sorted.Buckets {
		var words []string
		for _, item := range items {
			words = append(words, fake.Words(s.Inputs[s.Cases[item]].Entry.Input))
		}
		slices.Sort(words)
		list = append(list, strings.Join(words, ", "))
	}
	slices.Sort(list)
	return list
}

func TestFailingInputsAreSortedByTheirRepairs(t *testing.T) {
	for _, c := range []struct {
		name   string
		asked  []string
		others []string
		want   []string
	}{
		{"one repair, one bug", []string{"fail r1", "fail r1 i5"}, nil, []string{"fail r1, fail r1 i5"}},
		{"other repairs, other bugs", []string{"fail r1", "fail r2"}, nil, []string{"fail r1", "fail r2"}},
		{"a repair that breaks what passes says nothing", []string{"fail r1 r3", "fail r2 r3"}, []string{"k3"}, []string{"fail r1 r3", "fail r2 r3"}},
		{"what passes is in no bucket", []string{"i1"}, []string{"i2"}, nil},
		{"without repairs the stack decides", []string{"fail", "fail i1"}, nil, []string{"fail, fail i1"}},
	} {
		s := sortingOf(t, Options{}, c.asked, c.others...)
		if err := s.Analyse(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := buckets(s); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestASortingSaysWhatBecameOfEachInput(t *testing.T) {
	s := sortingOf(t, Options{}, []string{"fail r1", "i1", "fail r1 "}, "i1", "k2")
	s.Inputs = append(s.Inputs, Input{Entry: corpus.Entry{Name: "broken"}, Asked: true, Status: report.Undecodable})
	if err := s.Analyse(t.Context()); err != nil {
		t.Fatal(err)
	}
	var got []string
	for i := range s.Inputs {
		f := &s.Inputs[i]
		got = append(got, fmt.Sprintf("%q %v: %s", fake.Words(f.Entry.Input), f.Asked, f.Status))
	}
	want := []string{
		`"i1" false: ` + report.Duplicate, // of the one that was given as failing
		`"k2" false: ` + report.Passes,
		`"fail r1" true: `,
		`"i1" true: ` + report.Passes,
		`"fail r1 " true: `,
		fmt.Sprintf("%q true: %s", fake.Words(nil), report.Undecodable),
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if s.Inputs[0].Reason != "of "+s.Inputs[3].Entry.Name {
		t.Errorf("the duplicate is %q", s.Inputs[0].Reason)
	}
	if len(s.Passing) != 2 || len(s.Cases) != 2 {
		t.Errorf("%d pass, %d are sorted", len(s.Passing), len(s.Cases))
	}
}

// What burns the fuel of a hang, and ends with more, passes.
func TestWhatEndsAfterAllPasses(t *testing.T) {
	s := sortingOf(t, Options{}, []string{"slow i1", "hang i1"}, "k1")
	if err := s.Analyse(t.Context()); err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{report.Passes, report.Passes, ""} {
		if f := &s.Inputs[i]; f.Status != want || (i == 1) != strings.HasPrefix(f.Reason, "takes ") {
			t.Errorf("%q: %s, %s", fake.Words(f.Entry.Input), f.Status, f.Reason)
		}
	}
	if len(s.Passing) != 1 {
		t.Errorf("repairs must not break %d inputs", len(s.Passing))
	}
}

// What was known to fail is not run again without mutants, so that it is found out with
// them that it passes now.
func TestAFailureThatIsNotSeenAgainIsFlaky(t *testing.T) {
	s := sortingOf(t, Options{}, []string{"i1", "fail r1"})
	s.Inputs[0].Result.Outcome = boom
	if err := s.Analyse(t.Context()); err != nil {
		t.Fatal(err)
	}
	if f := &s.Inputs[0]; f.Status != report.Flaky || f.Reason != "passes when run again" {
		t.Errorf("%s: %s", f.Status, f.Reason)
	}
	if got := buckets(s); !slices.Equal(got, []string{"fail r1"}) {
		t.Errorf("%q", got)
	}
}

func TestTheRankingBeginsWithTheChosenInput(t *testing.T) {
	words := []string{"fail r1", "fail r2 i7", "fail r3 i7 i8"}
	for _, first := range words {
		s := sortingOf(t, Options{First: entry(first).Name}, words)
		if err := s.Analyse(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := fake.Words(s.Inputs[s.Cases[s.Sorted.Order[0].Item]].Entry.Input); got != first {
			t.Errorf("the ranking begins with %q, not %q", got, first)
		}
	}
	s := sortingOf(t, Options{First: "absent"}, words)
	if err := s.Analyse(t.Context()); err != nil {
		t.Fatal(err)
	}
	if w := s.trial.Warnings(); len(w) != 1 || !strings.HasPrefix(w[0], "-first absent is not a failing input") {
		t.Errorf("%q", w)
	}
}

func TestMutantsThatAreLeftOutAreNotTried(t *testing.T) {
	s := sortingOf(t, Options{exclude: func(m uint32) bool { return m == 2 }}, []string{"fail r1 r2"})
	if err := s.Analyse(t.Context()); err != nil {
		t.Fatal(err)
	}
	if r := s.Inputs[0].Repairs.Repaired; !slices.Equal(r, []uint32{1}) {
		t.Errorf("repaired by %v", r)
	}
}

// The mutants that break something are counted by the inputs that they break.
func TestBrokenInputsAreCounted(t *testing.T) {
	s := sortingOf(t, Options{}, []string{"fail r1 r2 r3 o4"}, "k1 i2", "k1 k4", "d1 i3")
	if err := s.Analyse(t.Context()); err != nil {
		t.Fatal(err)
	}
	for m, want := range map[uint32]effect{
		1: {repairs: true, breaks: 3, reason: breaksInput},
		2: {repairs: true},
		3: {repairs: true},
		4: {breaks: 1},
	} {
		if got := s.mutants[m]; !reflect.DeepEqual(got, &want) {
			t.Errorf("mutant %d: %+v, want %+v", m, got, want)
		}
	}
}

// An input that was minimized must be repaired as it was.
func TestSmallerInputsShowTheSameBug(t *testing.T) {
	for words, want := range map[string]string{
		"fail i1":    "fail", // nothing repairs either
		"fail r1 i2": "fail r1 i2",
		"fail":       "fail",
	} {
		s := sortingOf(t, Options{}, []string{words})
		if err := s.Analyse(t.Context()); err != nil {
			t.Fatal(err)
		}
		got, err := s.Smaller(t.Context(), &s.Inputs[0])
		if err != nil || fake.Words(got) != want {
			t.Errorf("%q: %q, %v", words, fake.Words(got), err)
		}
	}
	// The deadline of a sorting that was not begun is over.
	s := sortingOf(t, Options{}, []string{"fail i1"})
	f := &s.Inputs[0]
	if got, err := s.Smaller(t.Context(), f); err != nil || !got.Equal(f.Entry.Input) {
		t.Errorf("after the deadline: %q, %v", fake.Words(got), err)
	}
}

// intakeOf makes an intake that assigns with the run's own program, as if it was built for
// triage, on a run with the corpus.
func intakeOf(t *testing.T, given ...string) *Intake {
	t.Helper()
	x := trialtest.Fake(t, trial.Hooks{}, given...)
	if err := x.Greet(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := x.Baseline(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	in := NewIntake(t.Context(), x)
	own := trial.New(x.Project, x.Package, x.Test, nil, trial.Hooks{})
	own.Types, own.Zero = x.Types, x.Zero
	in.sort = New(own, Options{Time: time.Hour, NoTests: true})
	in.repairer = repair.New(own.Engine.Processes, nil)
	t.Cleanup(func() {
		in.repairer.Close()
		in.Stop()
	})
	return in
}

func failed(words, key string, o wire.Outcome, known int) *queued {
	return &queued{Failure: failures.Failure{Input: fake.Input(words), Key: key, Outcome: o, Known: known, Cost: 10}}
}

// placedIn lists the buckets of an intake, each by its inputs in the order in which they
// were assigned. A star marks those about which all is known.
func placedIn(in *Intake) []string {
	var list []string
	for _, b := range in.buckets {
		var words []string
		for _, p := range b.inputs {
			w := fake.Words(p.input)
			if p.known != nil {
				w += "*"
			}
			words = append(words, w)
		}
		list = append(list, strings.Join(words, ", "))
	}
	return list
}

func TestInputsArePlaced(t *testing.T) {
	death := wire.Outcome{Kind: wire.Death, Message: "exit status 3"}
	other := wire.Outcome{Kind: wire.Fail, Message: "wrong", Frames: []string{"fake.Other fake.go:9"}}
	for _, c := range []struct {
		name   string
		given  []string
		inputs []*queued
		want   []string
		shown  int
	}{
		{
			"the first opens a bucket, what the same mutants repair goes there", nil,
			[]*queued{failed("fail r1", "a", boom, 0), failed("fail r1 i2", "a", boom, 0), failed("fail r1 i3", "b", boom, 0)},
			[]string{"fail r1*, fail r1 i2, fail r1 i3"},
			1,
		},
		{
			"other repairs open another", nil,
			[]*queued{failed("fail r1", "a", boom, 0), failed("fail r2", "a", boom, 0), failed("fail r2 i3", "a", boom, 0)},
			[]string{"fail r1*", "fail r2*, fail r2 i3"},
			2,
		},
		{
			"what a repair breaks does not count",
			[]string{"k1 i2 i3"},
			[]*queued{failed("fail r1 r2", "a", boom, 1), failed("fail r1 r3", "a", boom, 1)},
			[]string{"fail r1 r2*", "fail r1 r3*"},
			2,
		},
		{
			"unless it was not known when the input was found",
			[]string{"k1 i2 i3"},
			[]*queued{failed("fail r1", "a", boom, 0), failed("fail r1 i3", "a", boom, 0)},
			[]string{"fail r1*, fail r1 i3"},
			1,
		},
		{
			"deaths go by their identity", nil,
			[]*queued{failed("end", "a", death, 0), failed("end i1", "b", death, 0), failed("fail r1", "c", boom, 0)},
			[]string{"end*, end i1", "fail r1*"},
			2,
		},
		{
			"what does not fail again goes to those that fail alike", nil,
			[]*queued{failed("fail r1", "a", boom, 0), failed("i1", "a", boom, 0)},
			[]string{"fail r1*, i1"},
			1,
		},
		{
			"after four of a stack the others go with them unseen", nil,
			[]*queued{
				failed("fail r1", "a", boom, 0), failed("fail r1 i2", "a", boom, 0), failed("fail r1 i3", "a", boom, 0),
				failed("fail r1 i4", "a", boom, 0), failed("fail r2", "a", boom, 0), failed("fail r2", "b", boom, 0),
			},
			[]string{"fail r1*, fail r1 i2, fail r1 i3, fail r1 i4, fail r2", "fail r2*"},
			2,
		},
		{
			"a bucket that nothing repairs takes what fails alike", nil,
			[]*queued{failed("fail i1", "a", boom, 0), failed("fail r1", "a", boom, 0), failed("fail i2", "b", boom, 0)},
			[]string{"fail i1*, fail r1*, fail i2*"},
			1,
		},
		{
			"what is known to have failed otherwise is another", nil,
			[]*queued{failed("fail i1", "a", boom, 0), failed("fail i1 i2", "b", other, 0)},
			[]string{"fail i1*", "fail i1 i2*"},
			2,
		},
	} {
		in := intakeOf(t, c.given...)
		for _, f := range c.inputs {
			if done, err := in.assign(f); !done || err != nil {
				t.Fatalf("%s: %q: %v, %v", c.name, fake.Words(f.Input), done, err)
			}
		}
		if got := placedIn(in); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
		shown := 0
		for _, f := range c.inputs {
			if f.shown {
				shown++
			}
		}
		if shown != c.shown || in.Known(9) != len(c.want) {
			t.Errorf("%s: %d are shown, %d buckets known", c.name, shown, in.Known(9))
		}
	}
}

// When time is up while an input is minimized, it stays as it is.
func TestNoTimeToMakeAnInputSmaller(t *testing.T) {
	s := sortingOf(t, Options{}, nil)
	s.time = newSpending(s.trial.Engine.Processes, time.Hour)
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	f := &Input{Entry: entry("block"), Result: wire.Result{Outcome: boom}}
	if got, err := s.Smaller(ctx, f); err != nil || !got.Equal(f.Entry.Input) {
		t.Errorf("%v (%v)", got, err)
	}
}

func TestAnOpenerIsMadeSmallerIfNothingRepairsIt(t *testing.T) {
	in := intakeOf(t)
	other := wire.Outcome{Kind: wire.Fail, Message: "other"}
	for i, c := range []struct {
		f    *queued
		want string
	}{
		{failed("fail i1", "a", boom, 0), "fail"},
		{failed("fail r1", "b", other, 0), "fail r1"}, // no mutant repairs "fail"
		{failed("end", "c", wire.Outcome{Kind: wire.Death, Message: "exit status 3"}, 0), "end"},
	} {
		if _, err := in.assign(c.f); err != nil {
			t.Fatal(err)
		}
		if got := fake.Words(in.buckets[i].small); got != c.want {
			t.Errorf("%q is made %q, want %q", fake.Words(c.f.Input), got, c.want)
		}
	}
}

// An intake whose time is over leaves the input at the head of the queue.
func TestAnInterruptedInputWaits(t *testing.T) {
	in := intakeOf(t)
	in.cancel()
	f := failed("fail r1", "a", boom, 0)
	if done, err := in.assign(f); done || err != nil {
		t.Errorf("assigned %v, %v", done, err)
	}
	if len(in.buckets) != 0 || f.shown {
		t.Error("it opened a bucket")
	}
}

func TestTheRestGoesWithItsStack(t *testing.T) {
	in := intakeOf(t)
	if _, err := in.assign(failed("fail r1", "a", boom, 0)); err != nil {
		t.Fatal(err)
	}
	in.queue = []*queued{failed("fail r2", "a", boom, 0), failed("fail r3", "b", boom, 0)}
	in.placeRest()
	if got := placedIn(in); len(in.queue) != 0 || !slices.Equal(got, []string{"fail r1*, fail r2"}) {
		t.Errorf("%q", got)
	}
}

// Without its binary an intake shows what waits of each stack, and has the run's own
// mutants sort.
func TestAnIntakeThatGivesUp(t *testing.T) {
	in := intakeOf(t)
	shown := 0
	in.trial.Project.Options.Events = func(e project.Event) {
		if e.Crash != nil {
			shown++
		}
	}
	a, b, c := failed("fail r1", "a", boom, 0), failed("fail r2", "b", boom, 0), failed("fail r3", "b", boom, 0)
	a.First, a.shown, b.First = true, true, true
	in.queue = []*queued{a, b, c}
	in.giveUp(fmt.Errorf("it can't be built\n\tdetails"))
	if shown != 1 || !b.shown || c.shown {
		t.Errorf("%d are shown", shown)
	}
	if w := in.trial.Warnings(); len(w) != 1 || w[0] != "failing inputs are sorted with the mutants of this run: it can't be built" {
		t.Errorf("%q", w)
	}
	if in.Known(7) != 7 || in.sort != nil {
		t.Error("buckets are still known")
	}
	if !in.Add(failures.Failure{First: true}) || in.Add(failures.Failure{}) {
		t.Error("what comes later is not shown by its stack")
	}
}

// bugsOf lists bugs by their inputs, the representative first.
func bugsOf(list []Bug) []string {
	var texts []string
	for _, b := range list {
		var words []string
		for _, in := range b.Inputs {
			words = append(words, fake.Words(in))
		}
		slices.Sort(words[1:])
		texts = append(texts, fmt.Sprintf("%s (%d)", strings.Join(words, ", "), b.Count))
	}
	return texts
}

func TestTheMutantsOfTheRunSortInTheEnd(t *testing.T) {
	x := trialtest.Fake(t, trial.Hooks{}, "k4 k3")
	if err := x.Greet(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := x.Baseline(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	x.Package.Program.Mutants[4].Operator = "arithmetic" // 5 is no mutant of triage
	add := func(words, key string, o wire.Outcome) {
		x.Engine.Failures.Add(failures.Failure{Input: fake.Input(words), Key: key, Outcome: o}, 1)
	}
	add("fail r1 r5", "a", boom)
	add("fail r2 r5", "b", boom)
	add("fail r1 r5 i6", "c", boom)
	add("end", "d", wire.Outcome{Kind: wire.Death, Message: "exit status 3"})
	in := NewIntake(t.Context(), x)
	list, err := in.Bugs(t.Context(), x.Given, false)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"fail r1 r5, fail r1 r5 i6 (2)", "fail r2 r5 (1)", "end (1)"}
	if got := bugsOf(list); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if r := list[0].Repairs; len(r) != 1 || r[0].ID != "m1" || r[0].Inputs != 2 || !r[0].Counts {
		t.Errorf("repairs %+v", r)
	}
	// Without time what fails alike is a bug.
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if list, err = in.Bugs(ctx, x.Given, false); err != nil || len(list) != 2 || len(list[0].Inputs) != 3 {
		t.Errorf("%d bugs, %v", len(list), err)
	}
}

func TestPlacedInputsAreSortedInTheEnd(t *testing.T) {
	in := intakeOf(t)
	var inputs []*corpus.Input
	// What repairs the first two breaks an input that is found later.
	for _, words := range []string{"fail r1 r2", "fail r1 r3", "fail r2 i7"} {
		o := boom
		key := failure.Key(o) + words[len(words)-2:]
		in.trial.Engine.Failures.Add(failures.Failure{Input: fake.Input(words), Key: key, Outcome: o}, 2)
		if _, err := in.assign(failed(words, key, o, 0)); err != nil {
			t.Fatal(err)
		}
		inputs = append(inputs, fake.Input(words))
	}
	list, err := in.Bugs(t.Context(), []corpus.Entry{entry("k1")}, true)
	if err != nil {
		t.Fatal(err)
	}
	count := int64(0)
	for _, b := range list {
		count += b.Count
	}
	if count != int64(2*len(inputs)) {
		t.Errorf("%d executions of %q", count, bugsOf(list))
	}
	if got := bugsOf(list); len(got) != 2 || !strings.Contains(got[1], "fail r1 r3") || strings.Contains(got[0], "fail r1 r3") {
		t.Errorf("%q", got)
	}
}

func TestNothingIsSortedByDefault(t *testing.T) {
	x := trialtest.Fake(t, trial.Hooks{})
	in := NewIntake(t.Context(), x)
	if in.Finish() {
		t.Error("what never began is finished")
	}
	if list, err := in.Bugs(t.Context(), nil, false); err != nil || len(list) != 0 {
		t.Errorf("%v, %v", list, err)
	}
	x.Project.Unmutated = true
	if NewIntake(t.Context(), x) != nil {
		t.Error("there is an intake without mutants")
	}
}

// Six hangs, each longer than the time, do not keep the other failures
// from being seen, nor the hangs themselves.
func TestEachFailingInputIsRunBeforeAnyIsWaitedFor(t *testing.T) {
	asked := []string{"block i1", "block i2", "block i3", "block i4", "block i5", "block i6", "fail r1", "fail r2"}
	s := sortingOf(t, Options{Time: 6 * time.Second}, asked, "i1")
	if err := s.Analyse(t.Context()); err != nil {
		t.Fatal(err)
	}
	if len(s.Cases) != len(asked) || len(s.Passing) != 1 {
		t.Errorf("%d of %d failing inputs are sorted, %d pass", len(s.Cases), len(asked), len(s.Passing))
	}
	got := buckets(s)
	if want := []string{"block i1, block i2, block i3, block i4, block i5, block i6", "fail r1", "fail r2"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// What parts of the mutants make of failing inputs is together what all make of them, and inputs
// that end their process are not divided.
func TestCellsAreTheWholeMatrix(t *testing.T) {
	asked := []string{"fail r1 r2 o3 r4 i5", "fail r5", "end"}
	whole := sortingOf(t, Options{}, asked, "k2")
	if err := whole.Analyse(t.Context()); err != nil {
		t.Fatal(err)
	}
	want := make(map[string]string)
	for _, at := range whole.Cases {
		f := &whole.Inputs[at]
		want[fake.Words(f.Entry.Input)] = fmt.Sprint(f.Repairs.Repaired, f.Repairs.Changed)
	}
	repaired, changed := make(map[string][]uint32), make(map[string][]uint32)
	for part := 1; part <= 3; part++ {
		s := sortingOf(t, Options{}, asked, "k2")
		found, of, err := s.FindCells(t.Context(), Cells{Part: part, Parts: 3}, func(in *corpus.Input, fuel int64, r *repair.Result) {
			words := fake.Words(in)
			repaired[words], changed[words] = append(repaired[words], r.Repaired...), append(changed[words], r.Changed...)
			for _, m := range r.Tried {
				if int(m)%3 != part-1 {
					t.Errorf("mutant %d is not of part %d", m, part)
				}
			}
			if fuel < 1 {
				t.Errorf("fuel %d", fuel)
			}
		})
		if err != nil || found != 2 || of != 2 {
			t.Fatal(found, of, err)
		}
	}
	for _, words := range asked[:2] {
		slices.Sort(repaired[words])
		if got := fmt.Sprint(repaired[words], changed[words]); got != want[words] {
			t.Errorf("%s: %s, want %s", words, got, want[words])
		}
	}
	// What is known is not run again.
	s := sortingOf(t, Options{}, asked[:1])
	s.Know(func(*corpus.Input, int64) (repair.Result, bool) {
		return repair.Result{Done: true, Repaired: []uint32{5}}, true
	})
	if err := s.Analyse(t.Context()); err != nil {
		t.Fatal(err)
	}
	if r := s.Inputs[s.Cases[0]].Repairs; !slices.Equal(r.Repaired, []uint32{5}) {
		t.Errorf("%+v", r)
	}
}

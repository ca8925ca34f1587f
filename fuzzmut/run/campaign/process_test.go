//go:build unix

package campaign

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/corpus/matrix"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/evaluate"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/failures"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/fake"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/pool"
	"github.com/fuzzmut/fuzzmut/fuzzmut/panics"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/accepted"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/runlog"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/bugs"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/project"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/selection"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/trial"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/trial/trialtest"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

func TestMain(m *testing.M) {
	fake.Play()
	os.Exit(m.Run())
}

// campaignOf makes a campaign of a fake fuzz test with a corpus.
func campaignOf(t *testing.T, opts Options, given ...string) *Campaign {
	t.Helper()
	x := trialtest.Fake(t, trial.Hooks{}, given...)
	return New(x.Project, x.Package, x.Test, nil, opts)
}

// finding returns a search that has new inputs, and ends the run.
func finding(words ...string) func(context.Context, *Campaign) error {
	return func(ctx context.Context, s *Campaign) error {
		if err := find(ctx, s.Trial, words...); err != nil {
			return err
		}
		return s.Settle(ctx)
	}
}

func find(ctx context.Context, t *trial.Trial, words ...string) error {
	inputs := fake.Inputs(words...)
	ev, err := t.Engine.Exact.Evaluate(ctx, evaluate.Query{Inputs: inputs, Select: wire.SelectNone})
	if err == nil {
		t.Engine.Found(inputs, ev)
	}
	return err
}

// lying lists the inputs in a directory of entries, in the words of package fake.
func lying(t *testing.T, dir string) []string {
	t.Helper()
	entries, bad, err := corpus.ReadDir(dir, nil, 0)
	if err != nil || len(bad) > 0 {
		t.Fatal(err, bad)
	}
	list := []string{}
	for _, e := range entries {
		list = append(list, e.Input.Values()[0].(string))
	}
	slices.Sort(list)
	return list
}

// budgets are how a campaign may be bounded: by executions, or by the clock, which has what
// follows the search go on as long as there is time.
var budgets = []project.FuzzTime{{Execs: 100}, {Duration: time.Minute}}

func TestACampaignKeepsWhatIsNeeded(t *testing.T) {
	for _, budget := range budgets {
		testKeeping(t, budget)
	}
}

func testKeeping(t *testing.T, budget project.FuzzTime) {
	for _, c := range []struct {
		name         string
		given, found []string
		by           matrix.Features
		want         []string // in the directory in the end
		killed       int
		removed      int
	}{
		{"nothing was found", []string{"k1"}, nil, 0, []string{"k1"}, 1, 0},
		{"kills and blocks", []string{"k1"}, []string{"k2", "f8", "k1 i2"}, 0, []string{"f8", "k1", "k2"}, 2, 0},
		{"one input for several", []string{"k1"}, []string{"k2", "k2 k3 f8", "f8"}, 0, []string{"k1", "k2 k3 f8"}, 3, 0},
		{"how often a block is run does not matter", []string{"f8"}, []string{"f9"}, 0, []string{"f8"}, 0, 0},
		{"kills alone", []string{"k1"}, []string{"k2", "f8"}, matrix.Kills, []string{"k1", "k2"}, 2, 0},
		{"coverage alone", []string{"k1"}, []string{"k2", "f8"}, matrix.Coverage, []string{"f8"}, 0, 1},
		{"what is given falls out", []string{"k1", "k1 k2"}, []string{"k3"}, 0, []string{"k1 k2", "k3"}, 3, 1},
	} {
		s := campaignOf(t, Options{By: c.by, Search: finding(c.found...)}, c.given...)
		s.Trial.Project.Options.FuzzTime = budget
		if err := s.Run(t.Context()); err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		r := s.Result()
		if got := lying(t, s.Trial.Testdata()); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
		if r.Score.Killed != c.killed || len(r.Corpus.Removed) != c.removed || r.Corpus.Found != len(c.found) || r.Corpus.After != len(c.want) {
			t.Errorf("%s: killed %d, corpus %+v", c.name, r.Score.Killed, r.Corpus)
		}
		for _, m := range r.Mutants {
			if m.Status == report.Killed && !slices.ContainsFunc(lying(t, s.Trial.Testdata()), func(words string) bool {
				return m.KilledBy == corpus.Of(words).Found().Name
			}) {
				t.Errorf("%s: %s is killed by %q, which is not there", c.name, m.ID, m.KilledBy)
			}
		}
	}
}

// The best entries stay, and nothing is lost.
func TestNoMoreEntriesAreKeptThanAllowed(t *testing.T) {
	for _, budget := range budgets {
		testMost(t, budget)
	}
}

func testMost(t *testing.T, budget project.FuzzTime) {
	for _, c := range []struct {
		name         string
		size         int
		given, found []string
		mine         []string // entries of the user's
		change       func(*Campaign)
		want         []string // in the directory in the end
		left, kills  int
		removed      int
	}{
		{name: "as many as there are", size: 3, given: []string{"k1"}, found: []string{"k2", "k3 k4"}, want: []string{"k1", "k2", "k3 k4"}},
		{name: "no bound", size: 0, given: []string{"k1"}, found: []string{"k2", "k3 k4"}, want: []string{"k1", "k2", "k3 k4"}},
		{name: "one less", size: 2, given: []string{"k1"}, found: []string{"k2 f8", "k3 k4"}, want: []string{"k2 f8", "k3 k4"}, left: 1, kills: 1, removed: 1},
		{name: "coverage comes last", size: 2, given: []string{"k1"}, found: []string{"f8 f16 f24", "k3 k4"}, want: []string{"k1", "k3 k4"}, left: 1},
		{name: "the user's stay", size: 1, given: []string{"k1"}, mine: []string{"k5"}, found: []string{"k2 k5", "k3 k4"}, want: []string{"k3 k4", "k5"}, left: 2, kills: 2, removed: 1},
		{
			name: "what earlier runs wrote stays without mutants", size: 1, given: []string{"f8"}, found: []string{"f16 f24"},
			change: func(s *Campaign) { s.Trial.Project.Filter.Name = "none" }, want: []string{"f8"}, left: 1,
		},
		{
			name: "another job", size: 1, given: []string{"k1"}, found: []string{"k2"},
			change: func(s *Campaign) { s.opts.Job = "merge" }, want: []string{"k1", "k2"},
		},
	} {
		s := campaignOf(t, Options{Search: finding(c.found...)}, c.given...)
		s.Trial.Project.Options.CorpusSize, s.Trial.Project.Options.FuzzTime = c.size, budget
		for _, words := range c.mine {
			data := corpus.Marshal([]any{words})
			if _, err := corpus.WriteFile(s.Trial.Testdata(), "mine", data); err != nil {
				t.Fatal(err)
			}
		}
		if c.change != nil {
			c.change(s)
		}
		if err := s.Run(t.Context()); err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		r := s.Result().Corpus
		if got := lying(t, s.Trial.Testdata()); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
		if r.LeftOut != c.left || r.LeftOutKills != c.kills || len(r.Removed) != c.removed || r.After != len(c.want) || len(r.Files) != r.Added {
			t.Errorf("%s: %+v", c.name, r)
		}
		// They are noted in the mutants that live, with an input that is out.
		out := make(map[string]bool)
		for _, words := range slices.Concat(c.given, c.found) {
			out[corpus.Of(words).Hash()] = !slices.Contains(c.want, words)
		}
		noted := 0
		for _, m := range s.Result().Mutants {
			if m.KilledByLeftOut == "" {
				continue
			}
			noted++
			if m.Status != report.Survived && m.Status != report.NotCovered || !out[m.KilledByLeftOut] {
				t.Errorf("%s: %s is %s, and killed by %s", c.name, m.ID, m.Status, m.KilledByLeftOut)
			}
		}
		if noted != c.kills {
			t.Errorf("%s: %d are said to be killed by what is left out, of %d", c.name, noted, c.kills)
		}
		if c.left > 0 && r.Own != len(c.want)-len(c.mine) {
			t.Errorf("%s: %d are fuzzmut's, of %q", c.name, r.Own, c.want)
		}
		dir, _ := s.Trial.CacheDir()
		all := lying(t, dir)
		for _, words := range slices.Concat(c.given, c.found) {
			if !slices.Contains(c.want, words) && !slices.Contains(all, words) {
				t.Errorf("%s: %s is lost", c.name, words)
			}
		}
	}
}

// What is removed can be found again.
func TestWhatIsRemovedGoesToTheCache(t *testing.T) {
	s := campaignOf(t, Options{Search: finding()}, "k1", "k1 k2")
	if err := s.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	dir, _ := s.Trial.CacheDir()
	if got := lying(t, dir); !slices.Equal(got, []string{"k1"}) {
		t.Errorf("%q", got)
	}
}

func TestADryRunWritesNothing(t *testing.T) {
	s := campaignOf(t, Options{Search: finding("k3", "fail")}, "k1", "k1 k2")
	s.Trial.Project.Options.DryRun = true
	s.Trial.Project.Unmutated = true // and so nothing sorts failing inputs
	if err := s.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := lying(t, s.Trial.Testdata()); !slices.Equal(got, []string{"k1", "k1 k2"}) {
		t.Errorf("%q", got)
	}
	for _, dir := range []func() (string, error){s.Trial.CacheDir, s.Trial.CrashersDir} {
		path, _ := dir()
		if _, err := os.Stat(path); err == nil {
			t.Errorf("%s was made", path)
		}
	}
	if c := s.Result().Crashes; len(c) != 1 || len(c[0].Entries) != 0 || c[0].Kind != "panic" {
		t.Errorf("crashes %+v", c)
	}
}

// A failing input that was minimized has what it says itself beside it.
func TestAFailingInputIsQuoted(t *testing.T) {
	s := campaignOf(t, Options{Search: finding("cites f4 f5")}, "k1")
	s.Trial.Project.Unmutated = true // and so nothing sorts failing inputs
	if err := s.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if c := s.Result().Crashes; len(c) != 1 || c[0].Input != `string("cites")` || c[0].Message != `no use for "cites"` {
		t.Errorf("%+v", c)
	}
}

func TestTheGuidedEngineSearches(t *testing.T) {
	s := campaignOf(t, Options{}, "k3 >k1+f8 >k2")
	var log bytes.Buffer
	s.Trial.Project.Options.RunLog = &log
	if err := s.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	want := []string{"k1 f8", "k2", "k3 >k1+f8 >k2"}
	if got := lying(t, s.Trial.Testdata()); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	r := s.Result()
	if r.Score.Killed != 3 || r.Engine != project.EngineGuided || r.Seed != 1 || r.Executions < 100 || r.Interrupted || r.NotMeasured != "" {
		t.Errorf("%+v", r)
	}
	cache, _ := s.Trial.CacheDir()
	if got := lying(t, cache); !slices.Equal(got, []string{"k1 f8", "k2"}) {
		t.Errorf("in the cache: %q", got)
	}
	runs, err := runlog.Read(log.Bytes())
	if err != nil || len(runs) != 1 || runs[0].Run.FuzzTime != "100x" {
		t.Fatalf("log: %+v, %v", runs, err)
	}
	points := runs[0].Points
	if first, last := points[0], points[len(points)-1]; first.Killed != 1 || last.Killed != 3 || last.Covered != 1 || last.Executions < 100 {
		t.Errorf("log: from %+v to %+v", first, last)
	}
}

// An entry that fails is a failing input, once it is known one that does not count, and
// lies where it lay.
func TestAnEntryThatFailsIsLeftOut(t *testing.T) {
	for _, known := range []bool{false, true} {
		s := campaignOf(t, Options{Search: finding("k1", "fail i1")}, "fail")
		s.Trial.Project.Unmutated = true // and so nothing sorts failing inputs
		s.Trial.Project.Options.WriteKnown = known
		if err := s.Run(t.Context()); err != nil {
			t.Fatal(err)
		}
		r := s.Result()
		if len(r.Crashes) != 1 || r.Corpus.Before != 0 {
			t.Fatalf("%+v", r)
		}
		c := r.Crashes[0]
		if c.Known != known || !c.Before || filepath.Dir(c.Entries[0]) != s.Trial.Testdata() || !strings.Contains(c.Repro, filepath.Base(c.Entries[0])) {
			t.Errorf("%+v", c)
		}
		if got := lying(t, s.Trial.Testdata()); slices.Contains(got, "fail i1") {
			t.Errorf("a second input of the same failure is written: %q", got)
		}
		_, err := os.Stat(filepath.Join(s.Trial.Package.Program.Test.Dir, "testdata", "fuzz-known.txt"))
		if (err == nil) != known {
			t.Errorf("the list: %v", err)
		}
	}
}

// What burns the fuel of a hang and ends with more is no failing input, and neither is a leak that a fresh process does
// not have. The first input that shows a bug stands for it.
func TestWhatIsNotConfirmedIsNoFailure(t *testing.T) {
	var list, kept []bugs.Bug
	for _, b := range []struct {
		kind    wire.OutcomeKind
		message string
		words   []string
	}{
		{wire.Panic, "boom", []string{"i1"}},
		{wire.Fuel, "ends: out of fuel", []string{"slow i1"}},
		{wire.Fuel, "one ends: out of fuel", []string{"slow i1", "hang i2"}},
		{wire.Fuel, "not finished within 10s", []string{"i2"}}, // once
		{wire.Fuel, "not finished within 11s", []string{"hang i3"}},
		{wire.Leak, "gone", []string{"i1"}},
		{wire.Leak, "stays", []string{"leak"}},
	} {
		list = append(list, bugs.Bug{Outcome: wire.Outcome{Kind: b.kind, Message: b.message, Frames: []string{"p.F p.go:1"}}, Inputs: fake.Inputs(b.words...)})
	}
	c := campaignOf(t, Options{Search: func(ctx context.Context, c *Campaign) (err error) {
		kept, err = c.confirm(ctx, list)
		return err
	}}, "k1")
	if err := c.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, b := range kept {
		got = append(got, b.Outcome.Message+": "+fake.Words(b.Inputs[0]))
	}
	if want := []string{"boom: i1", "one ends: out of fuel: hang i2", "not finished within 11s: hang i3", "stays: leak"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	dir, _ := c.Trial.CrashersDir()
	if got := lying(t, dir); !slices.Equal(got, []string{"i2", "slow i1"}) {
		t.Errorf("kept: %q", got)
	}
	for _, want := range []string{
		"s of processor time at p.F p.go:1, and ends: it is no failing input; it is kept as ",
		"was not finished within 10s at p.F p.go:1, and passes in a fresh process: it is no failing input; it is kept as ",
	} {
		if w := strings.Join(c.Trial.Warnings(), "\n"); !strings.Contains(w, want) {
			t.Errorf("no %q in %q", want, w)
		}
	}
}

// What was found before a panic is written, as after an interrupt.
func TestAPanicLeavesWhatWasFound(t *testing.T) {
	s := campaignOf(t, Options{Search: func(ctx context.Context, s *Campaign) error {
		if err := find(ctx, s.Trial, "k2", "f8"); err != nil {
			return err
		}
		panic("a mistake")
	}}, "k1")
	err := s.Run(t.Context())
	if !panics.Is(err) {
		t.Errorf("%v", err)
	}
	if got := lying(t, s.Trial.Testdata()); !slices.Contains(got, "f8") {
		t.Errorf("%q", got)
	}
	if r := s.Result(); r == nil || !r.Interrupted {
		t.Errorf("result %+v", r)
	}
	// Without finds there is nothing to save.
	s = campaignOf(t, Options{Search: func(context.Context, *Campaign) error { panic("a mistake") }}, "k1")
	if err := s.Run(t.Context()); !panics.Is(err) || s.Result() != nil {
		t.Errorf("%v, %+v", err, s.Result())
	}
}

// An interrupt leaves time to end the work, unless there is to be none.
func TestAnInterruptedSearchIsSettled(t *testing.T) {
	for _, abandon := range []bool{false, true} {
		ctx, cancel := context.WithCancel(t.Context())
		s := campaignOf(t, Options{Abandon: abandon, Search: func(ctx context.Context, s *Campaign) error {
			if err := find(ctx, s.Trial, "k2", "k2 f8"); err != nil {
				return err
			}
			cancel()
			return s.Settle(ctx)
		}}, "k1", "k1 k3")
		if err := s.Run(ctx); err != nil {
			t.Fatal(err)
		}
		r := s.Result()
		if r == nil || !r.Interrupted || len(r.Corpus.Removed) > 0 {
			t.Fatalf("abandon %v: %+v", abandon, r)
		}
		if whole := r.NotMeasured == "" && r.Score.Killed == 3; whole == abandon {
			t.Errorf("abandon %v: %d killed, %q", abandon, r.Score.Killed, r.NotMeasured)
		}
		if got := lying(t, s.Trial.Testdata()); !slices.Contains(got, "k2 f8") {
			t.Errorf("abandon %v: %q", abandon, got)
		}
	}
}

func TestFindingsAreTheNewEntriesCheapestFirst(t *testing.T) {
	x := trialtest.Fake(t, trial.Hooks{}, "i1")
	if err := x.Greet(t.Context()); err != nil {
		t.Fatal(err)
	}
	for words, cost := range map[string]int64{"f8 i2": 30, "f16": 10, "i1": 1, "f24": 20} {
		x.Engine.Pool.Add(pool.Entry{Input: fake.Input(words), Cost: cost, Given: words == "i1"}, false)
	}
	var got []string
	for _, f := range findings(x) {
		got = append(got, f.Input.Values()[0].(string))
	}
	if want := []string{"f16", "f24", "f8 i2"}; !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

func TestWhatWasSeenDecidesWithoutTime(t *testing.T) {
	x := trialtest.Fake(t, trial.Hooks{})
	x.Engine.Pool.Add(pool.Entry{Input: fake.Input("given"), Given: true, Features: wire.Features{wire.FeatureOf(1, 0)}}, false)
	candidate := func(words string, kills int, blocks ...uint32) found {
		f := found{Entry: corpus.Of(words).Found(), engine: pool.Entry{Kills: kills}}
		for _, b := range blocks {
			f.engine.Features = append(f.engine.Features, wire.FeatureOf(b, 3))
		}
		return f
	}
	var got []string
	for _, e := range unchecked(x, []found{
		candidate("covers what is covered", 0, 1), candidate("kills", 1), candidate("covers more", 0, 1, 2),
		candidate("covers the same", 0, 2), candidate("covers and kills", 2, 3), candidate("comes after", 0, 3),
	}) {
		got = append(got, e.Input.Values()[0].(string))
	}
	if want := []string{"kills", "covers more", "covers and kills"}; !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

func TestOnlyAWholeRunWithMutantsReplaces(t *testing.T) {
	replaced := func(filter project.Filter, interrupted bool, given ...string) int {
		x := trialtest.Fake(t, trial.Hooks{}, given...)
		x.Project.Filter = filter
		if err := x.Greet(t.Context()); err != nil {
			t.Fatal(err)
		}
		now, err := trial.NewReplay(t.Context(), x, x.Given)
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		if interrupted {
			cancel()
		}
		least, removed, err := replace(ctx, &selection.Selector{Trial: x}, now, x.FirstKills())
		if err != nil || len(least.Entries)+len(removed) != len(given) {
			t.Errorf("%d stand, %d are removed, %v", len(least.Entries), len(removed), err)
		}
		return len(removed)
	}
	all := project.Filter{Name: "all"}
	if n := replaced(all, false, "k1", "k1 k2", "k2"); n != 2 {
		t.Errorf("%d are replaced", n)
	}
	if n := replaced(all, true, "k1", "k1 k2", "k2"); n != 0 {
		t.Errorf("after an interrupt, %d", n)
	}
	if n := replaced(project.Filter{Name: project.FilterNone}, false, "k1", "k1 k2", "k2"); n != 0 {
		t.Errorf("without mutants, %d", n)
	}
}

func TestAFailingInputIsKeptAndShown(t *testing.T) {
	x := trialtest.Fake(t, trial.Hooks{})
	x.Project.Unmutated = true // each stack is shown
	shown := 0
	x.Project.Options.Events = func(e project.Event) {
		if e.Crash != nil {
			shown++
		}
	}
	s := New(x.Project, x.Package, x.Test, nil, Options{})
	for i, words := range []string{"fail", "fail i1"} {
		s.onFailure(failures.Failure{Input: fake.Input(words), Key: "a", Outcome: wire.Outcome{Kind: wire.Panic, Message: "boom"}, First: i == 0})
	}
	dir, _ := s.Trial.CrashersDir()
	if got := lying(t, dir); !slices.Equal(got, []string{"fail", "fail i1"}) || shown != 1 {
		t.Errorf("kept %q, %d shown", got, shown)
	}
}

// What may have ended a process, and was not run again, is kept for triage, and that is said.
func TestSuspectsAreKeptAndReported(t *testing.T) {
	for _, dry := range []bool{false, true} {
		s := campaignOf(t, Options{})
		s.Trial.Project.Options.DryRun = dry
		if err := s.explain(t.Context()); err != nil || len(s.Trial.Warnings()) != 0 {
			t.Errorf("there was no search: %v, %q", err, s.Trial.Warnings())
		}
		s.keepSuspects(nil)
		s.keepSuspects(fake.Inputs("end", "end i1"))
		want := "2 inputs were run when a process ended, and there was no time to run them again"
		if !dry {
			want += "; fuzzmut triage runs them"
		}
		if got := s.Trial.Warnings(); !slices.Equal(got, []string{want}) {
			t.Errorf("dry run %v: %q", dry, got)
		}
		dir, _ := s.Trial.CrashersDir()
		if _, err := os.Stat(dir); (err == nil) == dry {
			t.Errorf("dry run %v: %v", dry, err)
		}
	}
}

func TestFindsAreKeptAtOnceUnlessTheyAreKnown(t *testing.T) {
	for _, known := range []bool{false, true} {
		s := campaignOf(t, Options{Known: known})
		s.keepFound(fake.Input("k1"))
		dir, _ := s.Trial.CacheDir()
		if _, err := os.Stat(filepath.Join(dir, corpus.Of("k1").Found().Input.Hash())); (err == nil) == known {
			t.Errorf("known %v: %v", known, err)
		}
	}
}

func TestAFailingInputIsWrittenWhereThereIsRoom(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	in := corpus.Of("a")
	for _, c := range []struct {
		dirs   []string
		want   string
		failed bool
	}{
		{[]string{dir, "other"}, filepath.Join(dir, in.Hash()), false},
		{[]string{filepath.Join(file, "no"), dir}, filepath.Join(dir, in.Hash()), true},
		{[]string{filepath.Join(file, "no")}, "", true},
	} {
		path, err := writeCrash(c.dirs, in)
		if path != c.want || (err != nil) != c.failed {
			t.Errorf("%q: %q, %v", c.dirs, path, err)
		}
	}
}

// brokenLog takes some lines.
type brokenLog struct{ left int }

func (l *brokenLog) Write(p []byte) (int, error) {
	if l.left--; l.left < 0 {
		return 0, errors.New("the disk is full")
	}
	return len(p), nil
}

func TestTheLogHasAPointWhereSomethingChanged(t *testing.T) {
	var log bytes.Buffer
	x := trialtest.Fake(t, trial.Hooks{})
	x.Project.Options.RunLog, x.Project.Options.FuzzTime.Execs = &log, 2000
	r := newRecorder(x, false)
	more := func(words string, feature uint32, inputs int64) {
		x.Engine.Pool.Add(pool.Entry{Input: fake.Input(words), Features: wire.Features{wire.FeatureOf(feature, 0)}}, false)
		x.Engine.Note(inputs)
		r.round()
	}
	more("a", 1, 10)
	more("b", 1, 10) // covers nothing new
	more("c", 2, 1)  // enough since the last
	more("d", 3, 1)  // too early: 1 of 2000
	x.Engine.Note(1)
	r.end()
	r.end()
	runs, err := runlog.Read(log.Bytes())
	if err != nil || len(runs) != 1 {
		t.Fatal(runs, err)
	}
	var got []int64
	for _, p := range runs[0].Points {
		got = append(got, p.Executions, int64(p.Covered))
	}
	if want := []int64{0, 0, 10, 1, 21, 2, 23, 3}; !slices.Equal(got, want) {
		t.Errorf("executions and blocks: %v, want %v", got, want)
	}
	if !slices.Equal(r.growth(), runs[0].Points) {
		t.Errorf("kept %v, logged %v", r.growth(), runs[0].Points)
	}
}

func TestTheResultHasPointsOfTheWholeRun(t *testing.T) {
	var none *recorder
	if none.growth() != nil {
		t.Error("points of a run that has not begun")
	}
	for _, n := range []int{0, 1, growthPoints - 1, growthPoints, 1000, 5000} {
		x := trialtest.Fake(t, trial.Hooks{})
		x.Project.Options.FuzzTime.Execs = 1000
		r := newRecorder(x, false)
		for i := range n {
			r.add(runlog.Point{Executions: int64(i + 1)})
		}
		list := r.growth()
		if len(list) > growthPoints+1 || len(list) < min(n, growthPoints/2) || list[0].Executions != 0 || list[len(list)-1].Executions != int64(n) {
			t.Fatalf("of %d points %d are kept, from %v to %v", n+1, len(list), list[0], list[len(list)-1])
		}
		for i := range list[:len(list)-1] {
			if step := list[i+1].Executions - list[i].Executions; step <= 0 || step > 4*int64(n)/growthPoints+1 {
				t.Fatalf("of %d points: from %d to %d", n+1, list[i].Executions, list[i+1].Executions)
			}
		}
	}
}

func TestALogThatCannotBeWrittenIsOneWarning(t *testing.T) {
	for left := range 2 {
		x := trialtest.Fake(t, trial.Hooks{})
		x.Project.Options.RunLog = &brokenLog{left}
		r := newRecorder(x, false)
		x.Engine.Note(10)
		r.end()
		if w := x.Warnings(); len(w) != 1 || !strings.HasPrefix(w[0], "the log can't be written: ") {
			t.Errorf("after %d lines: %q", left, w)
		}
	}
}

// If nobody has asked for a time, fuzzing ends once all mutants are killed, and the
// result gives that as the reason.
func TestFuzzingEndsOnceAllIsKilled(t *testing.T) {
	for _, until := range []bool{false, true} {
		s := campaignOf(t, Options{}, "k1 k2 k3 k4 k5 k6 k7 k8")
		s.Trial.Project.UntilKilled = until
		s.Trial.Project.Options.FuzzTime = project.FuzzTime{Duration: time.Hour}
		if !until {
			s.Trial.Project.Options.FuzzTime.Duration = time.Millisecond
		}
		if err := s.Run(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := s.Result().Ended; strings.HasPrefix(got, "every mutant is killed: ended after 0.") != until {
			t.Errorf("until killed %v: %q", until, got)
		}
	}
	s := campaignOf(t, Options{}, "k1 k2 k3 k4 k5 k7 k8")
	m := s.Trial.Package.Program.Mutants[5]
	s.Trial.Project.Accepted = map[accepted.ID]bool{{Package: m.Package, Mutant: m.ID}: true}
	s.Trial.Project.UntilKilled = true
	s.Trial.Project.Options.FuzzTime = project.FuzzTime{Duration: time.Hour}
	if err := s.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := s.Result().Ended; !strings.HasPrefix(got, "every mutant is killed but 1 accepted one: ended after 0.") {
		t.Errorf("an accepted mutant lives: %q", got)
	}
}

//go:build unix

package trial_test

import (
	"context"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/evaluate"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/fake"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/change"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/project"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/trial"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/trial/trialtest"
	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/load"
	"github.com/fuzzmut/fuzzmut/instrument/rt/oracle"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

func TestMain(m *testing.M) {
	fake.Play()
	os.Exit(m.Run())
}

// greeted returns the trial of a fake fuzz test that has read its corpus.
func greeted(t *testing.T, hooks trial.Hooks, inputs ...string) *trial.Trial {
	t.Helper()
	x := trialtest.Fake(t, hooks, inputs...)
	if err := x.Greet(t.Context()); err != nil {
		t.Fatal(err)
	}
	return x
}

func wordsOf(entries []corpus.Entry) []string {
	var list []string
	for _, e := range entries {
		list = append(list, e.Input.Values()[0].(string))
	}
	slices.Sort(list)
	return list
}

// Where there is no time for all of Go's fuzz cache, the rest waits, and the given entries
// are run in any case.
func TestTheCacheWaitsWithoutTime(t *testing.T) {
	for _, c := range []struct {
		within  time.Duration
		waiting []string
		entries int
	}{
		{time.Hour, nil, 3},
		{time.Nanosecond, []string{"k3"}, 2},
	} {
		x := greeted(t, trial.Hooks{}, "k1 f8", "k2 f16")
		x.Cached = []corpus.Entry{corpus.Of("k3").Found()}
		if err := x.BaselineWithin(t.Context(), c.within, nil); err != nil {
			t.Fatal(err)
		}
		if got := wordsOf(x.Waiting); !slices.Equal(got, c.waiting) || len(x.Given) != 2 {
			t.Errorf("within %v %q wait, %d are given", c.within, got, len(x.Given))
		}
		if st := x.Engine.Status(); st.Corpus != c.entries || st.Covered != 2 {
			t.Errorf("within %v: %+v", c.within, st)
		}
	}
}

// A fuzz test is refused if every value differs from run to run. Where the time did not suffice
// to look at the values of all inputs, nobody knows that.
func TestOnlyWhatWasLookedAtIsUnstable(t *testing.T) {
	for within, refused := range map[time.Duration]bool{time.Hour: true, time.Nanosecond: false} {
		x := greeted(t, trial.Hooks{}, "k1", "k2")
		x.Engine.Processes.Exclude(wire.Unstable{Value: wire.Value{Site: 99}, Text: "the time"})
		err := x.BaselineWithin(t.Context(), within, nil)
		if exit.CodeOf(err) == exit.Baseline != refused || !refused && err != nil {
			t.Errorf("within %v: %v", within, err)
		}
	}
}

// A hint is followed first, and does no harm where it is wrong.
func TestHintsComeFirst(t *testing.T) {
	x := greeted(t, trial.Hooks{}, "k1 k3", "k1 i2 k4", "k2")
	names := make(map[string]string)
	for _, e := range x.Given {
		names[e.Input.Values()[0].(string)] = e.Name
	}
	hints := map[uint32]string{1: names["k1 i2 k4"], 2: names["k1 i2 k4"], 3: "gone"}
	if err := x.BaselineWithin(t.Context(), time.Hour, hints); err != nil {
		t.Fatal(err)
	}
	for m, want := range map[uint32]string{1: "k1 i2 k4", 2: "k2", 3: "k1 k3", 4: "k1 i2 k4"} {
		if k, ok := x.Engine.Kills.First(m); !ok || fake.Words(k.Input) != want {
			t.Errorf("mutant %d is killed by %s, want %s", m, fake.Words(k.Input), want)
		}
	}
}

func TestTheCorpusIsThatOfBothDirectories(t *testing.T) {
	x := trialtest.Fake(t, trial.Hooks{}, "k1")
	x.Project.Options.CorpusDir = "other"
	trialtest.AddEntry(t, x.CorpusDir(), "k2")
	bad := filepath.Join(x.CorpusDir(), "bad")
	if err := os.WriteFile(bad, []byte("go test fuzz v1\nint(1)\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	unusable, err := x.Meet(t.Context())
	if err != nil || len(unusable) != 1 || unusable[0].Path != bad {
		t.Fatal(unusable, err)
	}
	if got := wordsOf(x.Given); !slices.Equal(got, []string{"k1", "k2"}) || !slices.Equal(x.Types, []string{"string"}) || !x.Zero.Equal(fake.Input("")) {
		t.Errorf("given %q, types %q", got, x.Types)
	}
	if err := trialtest.Fake(t, trial.Hooks{}).Greet(t.Context()); err != nil {
		t.Errorf("without a corpus: %v", err)
	}
}

// Entries of a derived fuzz test that hold other arguments are nobody's mistake: its function has changed, or it was derived
// in another way.
func TestStaleEntriesOfDerivedFuzzTests(t *testing.T) {
	for _, c := range []struct {
		name, target string
		anew         bool
		warned       int
		code         exit.Code
	}{
		{"of the user", "", false, 0, exit.Baseline},
		{"derived", "F", false, 1, exit.OK},
		{"derived for this run", "F", true, 0, exit.OK},
	} {
		x := trialtest.Fake(t, trial.Hooks{Anew: c.anew})
		x.Test.Target = c.target
		trialtest.AddEntry(t, x.CorpusDir(), "k1")
		if err := os.WriteFile(filepath.Join(x.CorpusDir(), "other"), []byte("go test fuzz v1\nint(1)\n"), 0o666); err != nil {
			t.Fatal(err)
		}
		err := x.Greet(t.Context())
		warned := 0
		for _, w := range x.Warnings() {
			if strings.Contains(w, "1 entry of its corpus holds other arguments than it takes, and is left out") {
				warned++
			}
		}
		if exit.CodeOf(err) != c.code || warned != c.warned || err == nil && !slices.Equal(wordsOf(x.Given), []string{"k1"}) {
			t.Errorf("%s: %v, %d warnings, given %q", c.name, err, warned, wordsOf(x.Given))
		}
	}
}

func TestTheCacheAddsWhatIsNotGiven(t *testing.T) {
	x := greeted(t, trial.Hooks{}, "k1")
	dir, _ := x.CacheDir()
	x.ReadCache() // there is none
	trialtest.AddEntry(t, dir, "k1")
	trialtest.AddEntry(t, dir, "k2")
	if err := os.WriteFile(filepath.Join(dir, "bad"), []byte("nothing"), 0o666); err != nil {
		t.Fatal(err)
	}
	x.ReadCache()
	if got := wordsOf(x.Cached); !slices.Equal(got, []string{"k2"}) {
		t.Errorf("%q", got)
	}
	if w := x.Warnings(); len(w) != 1 || !strings.HasPrefix(w[0], "1 entries of Go's fuzz cache are skipped") {
		t.Errorf("%q", w)
	}
}

func TestABaselineIsWhatFuzzingBeginsWith(t *testing.T) {
	for _, c := range []struct {
		name            string
		given, cached   []string
		filter          string
		focused         bool
		code            exit.Code
		entries, killed int
		buckets         int
	}{
		{name: "entries and cache", given: []string{"k1", "k2 f8"}, cached: []string{"k3"}, filter: "all", entries: 3, killed: 3},
		{name: "without mutants", given: []string{"k1"}, filter: "none", entries: 1},
		{name: "the zero values, if there is nothing", filter: "all", entries: 1},
		{name: "a given entry that fails", given: []string{"k1", "fail"}, filter: "all", entries: 1, killed: 1, buckets: 1},
		{name: "the zero values, if all fail", given: []string{"fail"}, filter: "all", entries: 1, buckets: 1},
		{name: "a cached one is a finding", given: []string{"k1"}, cached: []string{"fail"}, filter: "all", entries: 1, killed: 1, buckets: 1},
		{name: "a focus on nothing", given: []string{"k1 k2"}, filter: "all", focused: true, entries: 1},
	} {
		x := greeted(t, trial.Hooks{}, c.given...)
		if c.focused {
			x.Focus = change.FocusOn(x.Package.Program, change.NewSources(&load.Result{Fset: token.NewFileSet()}), nil)
		}
		x.Project.Filter.Name = c.filter
		for _, words := range c.cached {
			x.Cached = append(x.Cached, corpus.Of(words).Found())
		}
		err := x.Baseline(t.Context(), nil)
		st := x.Engine.Status()
		if exit.CodeOf(err) != c.code || err == nil && (st.Corpus != c.entries || st.Killed != c.killed || st.Stacks != c.buckets) {
			t.Errorf("%s: %v; %d entries, %d killed, %d buckets", c.name, err, st.Corpus, st.Killed, st.Stacks)
		}
		failing := slices.Contains(c.given, "fail")
		if slices.ContainsFunc(x.Given, func(e corpus.Entry) bool { return e.Input.Values()[0] == "fail" }) || (len(x.Failing) > 0) != failing {
			t.Errorf("%s: given %v, failing %v", c.name, x.Given, x.Failing)
		}
	}
}

func TestTheFateOfMutants(t *testing.T) {
	x := greeted(t, trial.Hooks{}, "k1 i2 f8", "d3 f8 f16")
	x.Package.Program.Mutants[6].Status = instrument.StatusSkipped
	x.Package.Program.Mutants[7].Status = instrument.StatusStatic
	p, err := trial.NewReplay(t.Context(), x, x.Given)
	if err != nil {
		t.Fatal(err)
	}
	p.Start = &evaluate.Starting{
		Kills: []evaluate.Kill{{Kill: wire.Kill{Mutant: 4, Kind: oracle.Exit}, Input: evaluate.NoInput}, {Kill: wire.Kill{Mutant: 1}, Input: 0}},
		Left:  map[uint32]string{5: "no process"}, Reached: map[uint32]bool{6: true}, Judged: map[uint32]bool{8: true},
	}
	byWords := make(map[string]string)
	for _, e := range x.Given {
		byWords[e.Name] = e.Input.Values()[0].(string)
	}
	r := p.Result(trial.Summary{Engine: "score", NoChance: true, Before: 2, Files: []string{"new"}})
	want := []string{
		"killed panic k1 i2 f8", "survived k1 i2 f8", "killed difference d3 f8 f16", "killed exit", "pending", "survived", "skipped", "not-covered",
	}
	for i, m := range r.Mutants {
		got := strings.Join(strings.Fields(m.Status+" "+m.KillKind+" "+byWords[m.KilledBy]+byWords[m.ReachedBy]), " ")
		if got != want[i] {
			t.Errorf("%s: %s, want %s", m.ID, got, want[i])
		}
	}
	if c := r.Coverage; c.Covered != 2 || c.Blocks != 8 {
		t.Errorf("%+v", c)
	}
	if r.Executions != 2 || r.Seed != 0 || r.Filter != "" || r.Corpus.After != 3 || r.Score.Killed != 3 {
		t.Errorf("%+v", r)
	}
	if m := r.Mutants[0]; m.Start.Killed != 1 || m.Executed != 1 {
		t.Errorf("%+v", m)
	}
}

func TestAReplayThatIsInterruptedIsPartial(t *testing.T) {
	x := greeted(t, trial.Hooks{}, "k1")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	p, err := trial.NewReplay(ctx, x, x.Given)
	if err != nil || !p.Partial || len(p.Kills()) != 0 {
		t.Errorf("%+v, %v", p, err)
	}
	few, err := p.Narrow(t.Context(), []bool{true}, nil, nil)
	if err != nil || !few.Partial {
		t.Errorf("of some entries: %+v, %v", few, err)
	}
	if w := few.Result(trial.Summary{}).Warnings; len(w) > 0 {
		t.Errorf("what was not run is warned of: %q", w)
	}
	if p, err = trial.NewReplay(t.Context(), x, x.Given); err != nil || p.Partial || len(p.Kills()) != 1 {
		t.Errorf("%+v, %v", p, err)
	}
	x.Project.Unmutated = true
	if p, err = trial.NewReplay(t.Context(), x, x.Given); err != nil || len(p.Kills()) != 0 {
		t.Errorf("without mutants: %+v, %v", p, err)
	}
}

// What fails by chance is kept beside Go's fuzz cache, and is in the result.
func TestAFailureByChanceIsReported(t *testing.T) {
	x := greeted(t, trial.Hooks{})
	var entries []corpus.Entry
	for _, words := range []string{"k1", "crowd k2", "k3"} {
		entries = append(entries, corpus.Of(words).Found())
	}
	p, err := trial.NewReplay(t.Context(), x, entries)
	if err != nil {
		t.Fatal(err)
	}
	r := p.Result(trial.Summary{})
	if len(r.Flaky) != 1 || r.Flaky[0].Kind != "death" {
		t.Fatalf("%+v", r.Flaky)
	}
	f := &r.Flaky[0]
	dir, _ := corpus.FlakyDir(x.Project.GoCache, x.Package.Program.Test.ImportPath, x.Test.Name)
	if kept, _, err := corpus.ReadDir(dir, nil, 0); err != nil || len(kept) != 1 || kept[0].Path != f.Entry || kept[0].Input.Values()[0] != "crowd k2" {
		t.Errorf("%v, %v; the entry is %s", kept, err, f.Entry)
	}
	if said := strings.Contains(strings.Join(r.Warnings, "\n"), "a failure was not reproduced"); said == f.Sure {
		t.Errorf("sure %v: %q", f.Sure, r.Warnings)
	}
}

// The error about a seed that fails names the place, which nothing else shows if the process ends for its memory.
func TestTheErrorAboutASeedNamesThePlace(t *testing.T) {
	x := greeted(t, trial.Hooks{}, "k1")
	x.Given[0].Source = corpus.Seed
	for place, frames := range map[string][]string{
		" at p.eat p.go:14": {"example.com/p.eat " + filepath.Join(x.Package.Program.Test.ModuleDir, "p.go") + ":14", "example.com/p.F /p.go:2"}, "": nil,
	} {
		o := wire.Outcome{Kind: wire.Death, Message: "uses more than 64 MiB of memory", Frames: frames}
		err := x.CheckBaseline(t.Context(), x.Given, &evaluate.Evaluation{Results: []wire.Result{{Outcome: o}}})
		if exit.CodeOf(err) != exit.Baseline || !strings.Contains(err.Error(), "uses more than 64 MiB of memory"+place+"; fix the code") {
			t.Errorf("%v", err)
		}
	}
}

// A seed that burns the fuel of a hang and ends with more does not fail: it is left out, and so is nothing else.
func TestASlowSeedIsLeftOut(t *testing.T) {
	x := greeted(t, trial.Hooks{}, "slow k1", "k2")
	x.Given[0].Source = corpus.Seed
	if err := x.Baseline(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	if len(x.Given) != 1 || len(x.Failing) > 0 || x.Engine.Failures.Len() > 0 || x.Engine.Pool.Size().Entries != 1 {
		t.Errorf("%d entries, %d fail", len(x.Given), len(x.Failing))
	}
	if w := x.Warnings(); len(w) != 1 || !strings.Contains(w[0], "s of processor time: it is left out") {
		t.Errorf("%q", w)
	}
	x = greeted(t, trial.Hooks{}, "hang k1", "k2")
	x.Given[0].Source = corpus.Seed
	if err := x.Baseline(t.Context(), nil); exit.CodeOf(err) != exit.Baseline || !strings.Contains(err.Error(), "it does not end") {
		t.Errorf("%v", err)
	}
}

// Once hangs are confirmed the others are believed.
func TestFewHangsAreConfirmed(t *testing.T) {
	for words, want := range map[string]wire.OutcomeKind{"hang i1": wire.Fuel, "slow i1": wire.Slow} {
		x := greeted(t, trial.Hooks{}, "k1")
		inputs := []*corpus.Input{fake.Input(words), fake.Input(words + " i2"), fake.Input(words + " i3"), fake.Input("slow k4"), fake.Input("k5")}
		results := make([]wire.Result, len(inputs))
		for i := range results[:4] {
			results[i].Outcome = wire.Outcome{Kind: wire.Fuel, Message: "does not end: out of fuel"}
		}
		if err := x.Slow(t.Context(), inputs, results); err != nil {
			t.Fatal(err)
		}
		if got := results[3].Outcome.Kind; got != want || results[4].Outcome.Kind != wire.Pass {
			t.Errorf("after %s: %v", words, got)
		}
	}
}

// A fuzz target that passes or fails by chance is refused; one with a value that changes is not.
func TestAnUnstableTargetIsRefused(t *testing.T) {
	x := greeted(t, trial.Hooks{}, "k1")
	x.Engine.Processes.Exclude(wire.Unstable{Value: wire.Value{Site: 1}, Text: "1 and 2"})
	if err := x.CheckStable(); err != nil {
		t.Errorf("a value that changes: %v", err)
	}
	x.Engine.Processes.Exclude(wire.Unstable{Outcome: true, Text: "it passes and fails"})
	if err := x.CheckStable(); exit.CodeOf(err) != exit.Baseline || !strings.HasPrefix(err.Error(), "example.com/fake.FuzzFake is unstable: it passes and fails on the same input") {
		t.Errorf("%v", err)
	}
}

// A warning names workers that something outside has killed, with the input that was in progress.
func TestWorkersKilledFromOutsideAreTold(t *testing.T) {
	for shots, want := range map[int]string{0: "", 3: ` killed from outside (signal: killed), the first while it ran "shot k2", which passes when run again`} {
		x := greeted(t, trial.Hooks{}, "k1", "shot k2", "k3")
		fake.Load(t, shots)
		x.Project.Options.Env = append(slices.Clone(x.Project.Options.Env), fake.Shots+"="+os.Getenv(fake.Shots))
		x = trial.New(x.Project, x.Package, x.Test, nil, trial.Hooks{})
		if err := x.Greet(t.Context()); err != nil {
			t.Fatal(err)
		}
		r, err := trial.NewReplay(t.Context(), x, x.Given)
		if err != nil {
			t.Fatal(err)
		}
		result := r.Result(trial.Summary{})
		told := ""
		for _, w := range result.Warnings {
			if strings.Contains(w, "from outside") {
				told = w
			}
		}
		if !strings.HasSuffix(told, want) || (told == "") != (want == "") {
			t.Errorf("%d shots: %q, want %q", shots, told, want)
		}
		if result.Score.Killed != 3 {
			t.Errorf("%d shots: %d are killed", shots, result.Score.Killed)
		}
	}
}

func TestTheStatusComesAtTheEnd(t *testing.T) {
	x := greeted(t, trial.Hooks{NoMutants: true, Buckets: func(stacks int) int { return stacks + 7 }}, "k1")
	var last *project.Status
	x.Project.Options.Events = func(e project.Event) {
		if e.Status != nil {
			last = e.Status
		}
	}
	stop := x.Watch()
	ev, err := x.Engine.Exact.Evaluate(t.Context(), evaluate.Query{Inputs: trial.Inputs(x.Given), Select: wire.SelectAlive})
	if err != nil {
		t.Fatal(err)
	}
	x.Engine.Begin(trial.Inputs(x.Given), ev)
	stop()
	if last == nil || last.Corpus != 1 || last.Killed != 1 || last.Buckets != 7 || last.Fuzz != "FuzzFake" || last.Mutants != 8 || !last.NoMutants {
		t.Errorf("%+v", last)
	}
}

func TestFilesAreEntriesOrGoldenValues(t *testing.T) {
	x := greeted(t, trial.Hooks{})
	if trial.HasFiles(x) {
		t.Error("there are files")
	}
	if err := os.MkdirAll(filepath.Dir(x.GoldenFile()), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(x.GoldenFile(), []byte("damaged"), 0o666); err != nil {
		t.Fatal(err)
	}
	if !trial.HasFiles(x) {
		t.Error("there are no golden values")
	}
	if !trial.HasFiles(greeted(t, trial.Hooks{}, "k1")) {
		t.Error("there is no entry")
	}
}

func TestAFailureIsShown(t *testing.T) {
	x := trialtest.Fake(t, trial.Hooks{})
	var crash *report.Crash
	x.Project.Options.Events = func(e project.Event) { crash = &e.Crash.Crash }
	trial.ShowFailure(x, wire.Outcome{Kind: wire.Fail, Message: "wrong\nmore", Frames: []string{"p.F " + x.Package.Program.Test.ModuleDir + "/f.go:1"}})
	if crash.Kind != "failure" || crash.Message != "wrong" || !slices.Equal(crash.Frames, []string{"p.F f.go:1"}) || crash.Count != 1 {
		t.Errorf("%+v", crash)
	}
}

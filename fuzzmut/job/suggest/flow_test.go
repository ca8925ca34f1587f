//go:build unix

package suggest

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/unittest"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/accepted"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/suggestion"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/project"
	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/load"
	"github.com/fuzzmut/fuzzmut/instrument/load/loadtest"
	"github.com/fuzzmut/fuzzmut/instrument/problem"
	"github.com/fuzzmut/fuzzmut/instrument/sequence"
	"github.com/fuzzmut/fuzzmut/instrument/target"
)

// plainCode is a function that the world's fuzz test calls.
const plainCode = "func F(words string) string { return words }\n"

// survive has the unit tests miss some mutants, and kill the others.
func (w *world) survive(ids ...string) {
	for _, id := range []string{"m1", "m2", "m3", "m4", "m5", "m6", "m7", "m8"} {
		w.unit[id] = unittest.StatusKilled
	}
	for _, id := range ids {
		w.unit[id] = unittest.StatusSurvived
	}
}

// suggested has the job suggest tests for the package.
func (w *world) suggested() (suggestion.Package, error) {
	err := w.suggest(w.t.Context(), loadtest.Path)
	if n := len(w.job.report.Packages); n != 1 {
		w.t.Fatalf("%d packages in the report: %v", n, err)
	}
	return w.job.report.Packages[0], err
}

// closedBy lists the cases as "CALL = RESULT: MUTANTS".
func closedBy(p suggestion.Package) (list []string) {
	for _, c := range p.Cases {
		text := c.Test + ": " + c.Call + " = " + c.Result + ":"
		for _, m := range c.Closes {
			text += " " + m.ID
			if !m.Reached {
				text += " (not reached)"
			}
		}
		list = append(list, text)
	}
	return list
}

// A search shows its own part of the budget, and that it runs what it begins with.
func TestASearchShowsItsPartOfTheBudget(t *testing.T) {
	w := newWorld(t, plainCode)
	w.survive("m2")
	w.seed("FuzzF", "d3", "fail")
	shown := make(map[int64]bool)
	var doing []string
	w.project.Options.Events = func(e project.Event) {
		if e.Status != nil && e.Status.Buckets >= 0 {
			t.Errorf("the status has %d buckets of failing inputs, which no result has", e.Status.Buckets)
		}
		if st := e.Status; st != nil && st.Doing == "" {
			shown[st.Budget.Execs] = true
		} else if st != nil {
			doing = append(doing, st.Doing)
		}
	}
	if _, err := w.suggested(); err != nil {
		t.Fatal(err)
	}
	for n := range shown {
		if n == 0 || n >= w.project.Options.FuzzTime.Execs {
			t.Errorf("a search of a third of %v shows a budget of %d", w.project.Options.FuzzTime, n)
		}
	}
	if want := "running 2 inputs to begin with"; len(shown) == 0 || !slices.Contains(doing, want) {
		t.Errorf("%d budgets, %q lacks %q", len(shown), doing, want)
	}
}

// A round that has as much as the one before it, and finds nothing, is the last one, unless all of them were short.
func TestARoundThatFindsNothingIsTheLast(t *testing.T) {
	execs := make(map[int64]int64)
	for _, idle := range []int64{150, 1000} {
		w := newWorld(t, plainCode)
		w.survive("m2", "m3")
		w.seed("FuzzF", "d2", "i3")
		w.idle = idle
		got, err := w.suggested()
		if err != nil || got.Closed != 1 || len(got.Searches) != 1 {
			t.Fatalf("%d closed by %+v: %v", got.Closed, got.Searches, err)
		}
		execs[idle] = got.Searches[0].Execs
	}
	if execs[150] < 190 || execs[150] > 210 || execs[1000] < 290 {
		t.Errorf("executions of 300: %v", execs)
	}
}

// From unit tests that miss mutants to a test file with cases that kill them.
func TestCasesForSurvivors(t *testing.T) {
	w := newWorld(t, plainCode)
	w.survive("m2", "m3", "m5", "m6", "m8")
	delete(w.unit, "m4") // not covered
	w.unit["m7"] = unittest.StatusSkipped
	w.project.Accepted[accepted.ID{Package: loadtest.Path, Mutant: "m8"}] = true
	w.lost["m6"] = true
	w.opts.WriteTest = true
	w.seed("FuzzF", "d2", "f3 >d3+d4", "d5 vnil", "d6", "d7", "d8", "fail")
	got, err := w.suggested()
	if err != nil {
		t.Fatal(err)
	}
	want := suggestion.Package{
		Package: loadtest.Path, Mutants: 7, Killed: 1, NotJudged: 1, Survivors: 5, NotCovered: 1, Closed: 3,
		Written:  []string{"fuzzmut_suggest_test.go"},
		Searches: []suggestion.Search{{Fuzz: "FuzzF", Function: "F", Found: 4}},
		Left: []suggestion.Note{
			{What: "F", Reason: "no result that a test compares without fuzzmut shows it", Mutants: 1},
			{What: "F", Reason: "result 0, of type string, has no literal", Mutants: 1},
		},
		Open: []suggestion.Open{
			{ID: "m5", File: loadtest.File, Line: 2, Description: "change 5", Reached: true, Why: suggestion.NotCompared},
			{ID: "m6", File: loadtest.File, Line: 2, Description: "change 6", Reached: true, Why: suggestion.NotKept},
		},
	}
	if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(suggestion.Package{}, "Cases", "Seconds"), cmpopts.IgnoreFields(suggestion.Search{}, "Execs", "Seconds")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{`TestF: F("d3 d4") = "d3 d4": m3 m4 (not reached)`, `TestF: F("d2") = "d2": m2`}, closedBy(got)); diff != "" {
		t.Errorf("cases (-want +got):\n%s", diff)
	}
	if got.Searches[0].Execs == 0 || got.Searches[0].Execs > 300 {
		t.Errorf("%d executions of 300", got.Searches[0].Execs)
	}
	if diff := cmp.Diff([]string{loadtest.Path + ".F"}, w.targets); diff != "" {
		t.Errorf("targets (-want +got):\n%s", diff)
	}
	// Only what was found is tried, first case by case, and then as it is written.
	if diff := cmp.Diff([]string{"m1 m2 m3 m4 m5 m6 m7 m8", "^(TestF_1|TestF_2|TestF_3)$ m2 m3 m4 m6", "^(TestF)$ m2 m3 m4"}, w.asked); diff != "" {
		t.Errorf("tests that were run (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"test", "-count=1", "-run=^(TestF)$", loadtest.Path}, w.goRan()); diff != "" {
		t.Errorf("the go command (-want +got):\n%s", diff)
	}
	text, err := os.ReadFile(filepath.Join(w.dir, plain.Name))
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{plain.Mark, "package m\n", "func TestF(t *testing.T) {", `"d3 d4"`, "// m.go:2: change 3\n", "// m.go:2: change 4\n"} {
		if !strings.Contains(string(text), part) {
			t.Errorf("the test file has no %q:\n%s", part, text)
		}
	}
	if strings.Contains(string(text), "d6") {
		t.Errorf("the test file has a case that kills nothing:\n%s", text)
	}
}

// Of a survivor that is seen in a result which no test can hold it is said what that is, and not that every result was
// the same.
func TestSurvivorsThatNoCaseCanCompare(t *testing.T) {
	w := newWorld(t, plainCode)
	w.survive("m2", "m3", "m4")
	w.seed("FuzzF", "d2 tick", "f3 i3", "d4 vnil")
	got, err := w.suggested()
	if err != nil {
		t.Fatal(err)
	}
	var open []string
	for _, o := range got.Open {
		open = append(open, o.ID+" "+string(o.Why))
	}
	if diff := cmp.Diff([]string{"m2 not compared", "m3 not seen", "m4 not compared"}, open); diff != "" {
		t.Errorf("open (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]suggestion.Note{{What: "F", Reason: "result 0, of type string, has no literal", Mutants: 2}}, got.Left); diff != "" {
		t.Errorf("left (-want +got):\n%s", diff)
	}
}

// Without -write-test nothing is written, and what go test does not pass is an error.
func TestCasesAreChecked(t *testing.T) {
	w := newWorld(t, plainCode)
	w.survive("m2", "m3")
	w.seed("FuzzF", "d2")
	got, err := w.suggested()
	if len(got.Open) != 1 || got.Open[0].ID != "m3" || got.Open[0].Why != suggestion.NotReached {
		t.Errorf("open: %+v", got.Open)
	}
	if err != nil || len(got.Cases) != 1 || got.Written != nil {
		t.Errorf("%v, %d cases, written %v", err, len(got.Cases), got.Written)
	}
	if _, err := os.Lstat(filepath.Join(w.dir, plain.Name)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a file is there: %v", err)
	}

	w = newWorld(t, plainCode)
	w.survive("m2")
	w.seed("FuzzF", "d2")
	w.opts.WriteTest = true
	w.project.Options.Env = append(w.project.Options.Env, fakeGo+"="+filepath.Join(w.dir, "fails"))
	got, err = w.suggested()
	if exit.CodeOf(err) != exit.Failing || !strings.Contains(err.Error(), "--- FAIL: TestX") {
		t.Errorf("go test fails: %v", err)
	}
	if _, err := os.Lstat(filepath.Join(w.dir, plain.Name)); !errors.Is(err, os.ErrNotExist) || got.Written != nil {
		t.Errorf("written although go test fails: %v, %v", got.Written, err)
	}

	w = newWorld(t, plainCode)
	w.survive("m2", "m3")
	w.seed("FuzzF", "d2")
	w.seed("FuzzF", "d3")
	w.opts.WriteTest = true
	w.project.Options.Env = append(w.project.Options.Env, fakeGo+"="+filepath.Join(w.dir, "unsteady"))
	got, err = w.suggested()
	if err != nil || len(got.Cases) != 1 || got.Closed != 1 || len(got.Open) != 1 || len(got.Written) != 1 {
		t.Errorf("a case does not pass each time: %v, %+v", err, got)
	}
	if len(got.Left) != 1 || got.Left[0].Mutants != 1 || !strings.Contains(got.Left[0].Reason, "each time") {
		t.Errorf("a case does not pass each time: left %+v", got.Left)
	}

	w = newWorld(t, plainCode)
	w.survive("m2", "m3")
	w.seed("FuzzF", "d2")
	w.seed("FuzzF", "d3")
	w.opts.WriteTest = true
	w.project.Options.Env = append(w.project.Options.Env, fakeGo+"="+filepath.Join(w.dir, "refuses"))
	got, err = w.suggested()
	if err != nil || len(got.Cases) != 1 || got.Closed != 1 || len(got.Written) != 1 || len(got.Left) != 1 {
		t.Errorf("go vet refuses a case: %v, %+v", err, got)
	}

	w = newWorld(t, plainCode)
	w.survive("m2")
	w.seed("FuzzF", "d2")
	w.opts.WriteTest = true
	w.project.Options.Env = append(w.project.Options.Env, fakeGo+"="+filepath.Join(w.dir, "vets"))
	got, err = w.suggested()
	if err != nil || len(got.Written) != 1 {
		t.Errorf("go vet refuses another file: %v, written %v", err, got.Written)
	}
	if warned := strings.Join(w.job.report.Warnings, "; "); !strings.Contains(warned, "own_test.go:3:1: a mistake") || !strings.Contains(warned, "-vet=off") {
		t.Errorf("warnings: %s", warned)
	}
}

// A kill by fuel counts if go test would wait for it, too: where the mutant goes on for a hang's fuel.
func TestKillsByFuelAreHangs(t *testing.T) {
	w := newWorld(t, plainCode)
	w.survive("m2", "m3", "m4")
	w.burns = map[string]int64{"m3": 1_000_000, "m4": 0}
	w.seed("FuzzF", "d2", "d3", "d4")
	got, err := w.suggested()
	if err != nil || got.Closed != 2 {
		t.Fatalf("%d closed: %v", got.Closed, err)
	}
	for _, c := range got.Cases {
		for _, m := range c.Closes {
			if m.ID == "m3" {
				t.Errorf("%s closes a mutant that only takes longer", c.Call)
			}
		}
	}
	if len(got.Open) != 1 || got.Open[0].ID != "m3" || got.Open[0].Why != suggestion.NotKept {
		t.Errorf("open: %+v", got.Open)
	}
	if want := []suggestion.Note{{What: "F", Reason: onlySlow, Mutants: 1}}; !cmp.Equal(got.Left, want) {
		t.Errorf("left: %s", cmp.Diff(want, got.Left))
	}
}

func TestNothingToSuggest(t *testing.T) {
	for _, c := range []struct {
		name    string
		change  func(w *world)
		want    suggestion.Package
		targets int
	}{
		{"no survivor", func(w *world) {}, suggestion.Package{Mutants: 8, Killed: 8}, 0},
		{"no input shows it", func(w *world) {
			w.survive("m2")
			w.seed("FuzzF", "i2", "n2")
		}, suggestion.Package{Mutants: 8, Killed: 7, Survivors: 1, Searches: []suggestion.Search{{Fuzz: "FuzzF", Function: "F"}}}, 1},
		{"no call can be derived", func(w *world) {
			w.code = "func F(words chan string) string { return <-words }\n"
			w.survive("m2")
		}, suggestion.Package{Mutants: 8, Killed: 7, Survivors: 1, NotSearched: []suggestion.Note{{
			What:   "m.F",
			Reason: "no fuzz test can be derived for F: its argument words is of type chan string, which bytes can't represent; mark a function that creates one and calls this one, or write the fuzz test yourself",
		}}}, 0},
		{"its results have no literals", func(w *world) {
			w.code = "func F(words string) chan int { return nil }\n"
			w.survive("m2")
			w.seed("FuzzF", "d2")
		}, suggestion.Package{Mutants: 8, Killed: 7, Survivors: 1, NotSearched: []suggestion.Note{{What: "F", Reason: "its result is a channel, which can't be compared"}}}, 1},
		{"it has no results", func(w *world) {
			w.code = "func F(words string) {}\n"
			w.survive("m2")
			w.seed("FuzzF", "d2")
		}, suggestion.Package{Mutants: 8, Killed: 7, Survivors: 1, NotSearched: []suggestion.Note{{What: "F", Reason: "it has no results"}}}, 1},
		{"the time is over before it begins", func(w *world) {
			w.survive("m2")
			w.project.Options.FuzzTime.Execs = 0
			w.seed("FuzzF", "d2")
		}, suggestion.Package{Mutants: 8, Killed: 7, Survivors: 1, NotSearched: []suggestion.Note{
			{What: "F", Reason: "no time was left, and -fuzztime gives more"},
		}}, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t, plainCode)
			w.survive()
			c.change(w)
			got, err := w.suggested()
			if err != nil {
				t.Fatal(err)
			}
			c.want.Package = loadtest.Path
			if diff := cmp.Diff(c.want, got, cmpopts.IgnoreFields(suggestion.Package{}, "Seconds", "Open"), cmpopts.IgnoreFields(suggestion.Search{}, "Execs", "Seconds")); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if len(w.targets) != c.targets || w.goRan() != nil {
				t.Errorf("targets %v; the go command: %v", w.targets, w.goRan())
			}
		})
	}
}

// What calls in turn have reached is no code that no search could reach.
func TestNotesAreAboutWhatNoSearchReaches(t *testing.T) {
	var got []string
	notes := []suggestion.Note{{What: "m.(*Box).drop"}, {What: "(*Box).Put"}, {What: "m.lost"}, {What: "Lost"}}
	for _, n := range notReached(notes, "m", func(what string) bool { return strings.HasPrefix(what, "m.(*Box).") }) {
		got = append(got, n.What)
	}
	if diff := cmp.Diff([]string{"m.lost", "Lost"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// All mutants of a package without tests survive.
func TestPackageWithoutTests(t *testing.T) {
	w := newWorld(t, plainCode)
	w.unit = nil
	if err := w.judge(t.Context()); err != nil {
		t.Fatal(err)
	}
	if w.session.report.Survivors != 8 || w.session.report.Killed != 0 || w.survivors[key{loadtest.Path, "m3"}].reached {
		t.Errorf("%+v", w.session.report)
	}
}

// The user may choose the tests that judge. Where none matches, the package is left out.
func TestChosenTestsJudge(t *testing.T) {
	for _, found := range []bool{true, false} {
		w := newWorld(t, plainCode)
		w.survive()
		w.opts.Run, w.opts.Skip, w.opts.Short = "Short", "Long", true
		judging := w.runTests
		w.session.runTests = func(ctx context.Context, o unittest.Options) (*unittest.Result, error) {
			if o.Run != "Short" || o.Skip != "Long" || !o.Short {
				t.Errorf("-run %q -skip %q, short: %v", o.Run, o.Skip, o.Short)
			}
			res, err := judging(ctx, o)
			if res.Tests = nil; found {
				res.Tests = make([]unittest.Test, 1)
			}
			return res, err
		}
		err := w.judge(t.Context())
		var none unmatchedError
		if errors.As(err, &none) == found || found != (err == nil) || err != nil && exit.CodeOf(err) != exit.Usage {
			t.Errorf("found: %v: %v", found, err)
		}
		if warned := strings.Contains(strings.Join(w.job.report.Warnings, "; "), `-run "Short" with -skip "Long" leaves out`); warned != found {
			t.Errorf("found: %v: warnings %q", found, w.job.report.Warnings)
		}
	}
}

// A file that is there is neither overwritten nor read, whatever it holds; before the tests run.
func TestFilesThatAreThereStay(t *testing.T) {
	for _, c := range []struct {
		file           string
		write, oracles bool
		refused        bool
	}{
		{plain.Name, true, false, true},
		{plain.ExternalName, true, false, true},
		{plain.Name, false, false, false},
		{plain.Name, true, true, false},
		{oraclesFile, true, true, true},
		{oraclesFile, true, false, false},
	} {
		w := newWorld(t, plainCode)
		w.survive()
		w.opts.WriteTest, w.opts.Oracles = c.write, c.oracles
		path := filepath.Join(w.dir, c.file)
		if err := os.WriteFile(path, []byte("package m // mine\n"), 0o666); err != nil {
			t.Fatal(err)
		}
		err := w.judge(t.Context())
		if got := err != nil; got != c.refused || got && (exit.CodeOf(err) != exit.Usage || !strings.Contains(err.Error(), path)) {
			t.Errorf("%+v: %v", c, err)
		}
		if c.refused != (w.asked == nil) {
			t.Errorf("%+v: tests that were run: %v", c, w.asked)
		}
	}
}

// oracleCode is a function for which two properties are proposed.
const oracleCode = "func Clean(words string) string { return words }\n"

// From survivors to properties that kill them: one that holds and kills, and one that does not
// hold.
func TestPropertiesForSurvivors(t *testing.T) {
	w := newWorld(t, oracleCode)
	w.survive("m2", "m3", "m4", "m5")
	w.opts.Oracles, w.opts.WriteTest = true, true
	w.own = []instrument.FuzzTest{w.fuzzTest("FuzzOwn", "")}
	w.seed("FuzzCleanTwice", "FuzzCleanTwice:a2 FuzzCleanTwice:a3", "FuzzCleanTwice:d4", "FuzzCleanTwice:a5")
	w.seed("FuzzOwn", "FuzzOwn:a5")
	w.seed("FuzzCleanRepeated", "FuzzCleanRepeated:wrong", "FuzzCleanRepeated:a2")
	got, err := w.suggested()
	if err != nil {
		t.Fatal(err)
	}
	o := got.Oracles
	if o == nil || len(o.Properties) != 1 || len(o.Failing) != 1 {
		t.Fatalf("%+v", o)
	}
	if o.Proposed != 3 || o.Held != 2 || o.Idle != 1 || o.Asserted != 2 {
		t.Errorf("%d proposed, %d held, %d of them idle, %d asserted", o.Proposed, o.Held, o.Idle, o.Asserted)
	}
	p := o.Properties[0]
	if p.Test != "FuzzCleanTwice" || p.Kind != "idempotence" || p.All != 3 || len(p.Kills) != 2 || p.Kills[0].ID != "m2" || p.Kills[1].ID != "m3" || p.Kills[0].Seen != "m2 is seen, want another" {
		t.Errorf("%+v", p)
	}
	f := o.Failing[0]
	if f.Kind != "same result twice" || f.Failure != "wrong" || f.Panic || !f.Guess || f.Input != `"FuzzCleanRepeated:wrong"` || !strings.Contains(f.Source, "f.Add("+f.Input+")") {
		t.Errorf("%+v", f)
	}
	if diff := cmp.Diff([]string{"m1 m2 m3 m4 m5 m6 m7 m8", "^FuzzCleanTwice$ m2 m3"}, w.asked); diff != "" {
		t.Errorf("tests that were run (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"test", "-count=1", "-run=^(FuzzCleanTwice)$", loadtest.Path}, w.goRan()); diff != "" {
		t.Errorf("the go command (-want +got):\n%s", diff)
	}
	text, err := os.ReadFile(filepath.Join(w.dir, oraclesFile))
	if err != nil || !strings.HasPrefix(string(text), oraclesMark+"\npackage m\n") || !strings.Contains(string(text), p.Source) || strings.Contains(string(text), "Repeated") {
		t.Errorf("%v:\n%s", err, text)
	}
	if diff := cmp.Diff([]string{oraclesFile}, got.Written); diff != "" {
		t.Errorf("written (-want +got):\n%s", diff)
	}
}

// What held in all calls that probes have shown is proposed as well.
func TestRelationsForSurvivors(t *testing.T) {
	w := newWorld(t, oracleCode)
	w.project.Options.Env = append(w.project.Options.Env, fakeGo+"="+filepath.Join(w.dir, "rows"))
	w.survive("m7", "m8")
	w.opts.Oracles = true
	w.showing(`"a", 1, "a", 1`)
	w.seed("FuzzCleanRelated", "FuzzCleanRelated:a7")
	got, err := w.suggested()
	if err != nil {
		t.Fatal(err)
	}
	o := got.Oracles
	if o == nil || o.Proposed != 4 || len(o.Properties) != 1 {
		t.Fatalf("%+v", o)
	}
	p := o.Properties[0]
	if p.Test != "FuzzCleanRelated" || p.Kind != "relation" || len(p.Kills) != 1 || p.Kills[0].ID != "m7" || p.Sentence != "In each call of Clean, got == words. That is what the code does today." || !strings.Contains(p.Source, "if got != words {") {
		t.Errorf("%+v", p)
	}
}

// A property that fails on an input of the tests, or on most inputs, is a wrong guess. One that fails on an
// input that a search has found, and on few others, may be a bug. Where no input of the sample gets as far as the
// function, nothing says that the guess is wrong.
func TestWrongGuesses(t *testing.T) {
	const wrong = "FuzzCleanRepeated:wrong"
	for _, c := range []struct {
		own, others string // seeds; inputs of other properties are tried as well
		within      string
		want        bool
	}{
		{own: "f1|f2|f3 >wrong", want: false},
		{own: "f1|f2 wrong|f3", want: true},
		{others: "f1|f2 " + wrong + "|f3|f4", want: false},
		{others: "f1 " + strings.Repeat(wrong+" ", 9) + wrong, want: true},
		{own: "f1|f2 >wrong", within: "Clean", want: false},
	} {
		w := newWorld(t, oracleCode)
		w.within = c.within
		w.survive("m2")
		w.opts.Oracles = true
		w.seed("FuzzCleanRepeated", strings.FieldsFunc(c.own, func(r rune) bool { return r == '|' })...)
		w.seed("FuzzCleanTwice", strings.FieldsFunc(c.others, func(r rune) bool { return r == '|' })...)
		got, err := w.suggested()
		if err != nil {
			t.Fatal(err)
		}
		if o := got.Oracles; len(o.Failing) != 1 || o.Failing[0].Guess != c.want {
			t.Errorf("%+v: %+v", c, o)
		}
	}
}

// What one property of a family fails on is tried on the next, too.
func TestInputsThatFailAreTriedOnWeakerProperties(t *testing.T) {
	w := newWorld(t, "type T string\nfunc (t T) String() string { return string(t) }\nfunc ParseT(words string) (T, error) { return T(words), nil }\n")
	w.survive("m2")
	w.opts.Oracles = true
	w.seed("FuzzParseTRoundTrip", "FuzzParseTRoundTrip:wrong FuzzParseTRoundTrip_2:wrong")
	w.seed("FuzzParseTRoundTrip_2", "FuzzParseTRoundTrip_2:a2")
	w.seed("FuzzParseTRoundTrip_3", "FuzzParseTRoundTrip_3:a2")
	got, err := w.suggested()
	if err != nil {
		t.Fatal(err)
	}
	if p := got.Oracles.Properties; len(p) != 1 || !strings.Contains(p[0].Source, "FuzzParseTRoundTrip_3:a2") {
		t.Errorf("%+v", p)
	}
}

// Where the code panics the input is reported once, and no property of the function is kept.
func TestPropertiesOfCodeThatPanics(t *testing.T) {
	w := newWorld(t, oracleCode)
	w.survive("m2")
	w.opts.Oracles = true
	w.seed("FuzzCleanTwice", "fail", "FuzzCleanTwice:a2")
	w.seed("FuzzCleanRepeated", "fail")
	got, err := w.suggested()
	if err != nil {
		t.Fatal(err)
	}
	o := got.Oracles
	if o.Proposed != 3 || o.Held != 1 || len(o.Properties) != 0 || len(o.Failing) != 1 || !o.Failing[0].Panic || o.Failing[0].Input != `"fail"` {
		t.Errorf("%+v", o)
	}
	if w.goRan() != nil {
		t.Errorf("the go command: %v", w.goRan())
	}
}

// What a panic says is shown with the input that makes it say that: the smallest, also if the search has found it last.
func TestPanicsSayWhatTheirInputsDo(t *testing.T) {
	w := newWorld(t, oracleCode)
	w.survive("m2")
	w.opts.Oracles = true
	w.seed("FuzzCleanTwice", "cites f2 f3", "f1 >cites")
	got, err := w.suggested()
	if err != nil {
		t.Fatal(err)
	}
	if f := got.Oracles.Failing; len(f) != 1 || f[0].Input != `"cites"` || f[0].Failure != `panic: no use for "cites"` {
		t.Errorf("%+v", f)
	}
}

// A panic is no guess where only the stricter properties of a family are.
func TestPanicsOfFamiliesWithGuesses(t *testing.T) {
	w := newWorld(t, "type T string\nfunc (t T) String() string { return string(t) }\nfunc ParseT(words string) (T, error) { return T(words), nil }\n")
	w.survive("m2")
	w.opts.Oracles = true
	w.seed("FuzzParseTRoundTrip", "fail")
	got, err := w.suggested()
	if err != nil {
		t.Fatal(err)
	}
	if f := got.Oracles.Failing; len(f) != 1 || !f[0].Panic || f[0].Guess {
		t.Errorf("%+v", f)
	}
}

// An input on which the code does not end is reported, and the property stays if it holds on all
// others.
func TestPropertiesOfCodeThatDoesNotEnd(t *testing.T) {
	w := newWorld(t, oracleCode)
	w.survive("m2")
	w.opts.Oracles = true
	w.seed("FuzzCleanTwice", "hang", "FuzzCleanTwice:a2")
	got, err := w.suggested()
	if err != nil {
		t.Fatal(err)
	}
	o := got.Oracles
	if len(o.Properties) != 1 || o.Properties[0].Test != "FuzzCleanTwice" || len(o.Failing) != 1 || !o.Failing[0].Panic || o.Failing[0].Input != `"hang"` {
		t.Errorf("%+v", o)
	}
}

// One that takes long and ends is not: properties meet large sizes.
func TestPropertiesOfCodeThatTakesLong(t *testing.T) {
	w := newWorld(t, oracleCode)
	w.survive("m2")
	w.opts.Oracles = true
	w.seed("FuzzCleanTwice", "slow", "FuzzCleanTwice:a2")
	got, err := w.suggested()
	if err != nil {
		t.Fatal(err)
	}
	if o := got.Oracles; len(o.Properties) != 1 || len(o.Failing) != 0 {
		t.Errorf("%+v", o)
	}
}

// A property whose written fuzz test kills nothing is none that is reported.
func TestPropertiesAreJudgedAsWritten(t *testing.T) {
	w := newWorld(t, oracleCode)
	w.survive("m2", "m3")
	w.opts.Oracles = true
	w.lost["m2"] = true
	w.seed("FuzzCleanTwice", "FuzzCleanTwice:a2")
	w.seed("FuzzCleanRepeated", "FuzzCleanRepeated:a3")
	got, err := w.suggested()
	if err != nil {
		t.Fatal(err)
	}
	o := got.Oracles
	if o.Held != 3 || o.Idle != 2 || len(o.Properties) != 1 || o.Asserted != 1 || o.Properties[0].Test != "FuzzCleanRepeated" {
		t.Fatalf("%+v", o)
	}
	if len(w.asked) != 3 {
		t.Errorf("tests that were run: %v", w.asked)
	}
}

// What the first property has killed, and does not kill as it is written, counts for another that does.
func TestPropertiesTakeOverWhatOthersDoNotKill(t *testing.T) {
	w := newWorld(t, oracleCode)
	w.survive("m2", "m3", "m4")
	w.opts.Oracles = true
	w.lost["FuzzCleanTwice"] = true
	w.seed("FuzzCleanTwice", "FuzzCleanTwice:a2 FuzzCleanTwice:a3")
	w.seed("FuzzCleanRepeated", "FuzzCleanRepeated:a2")
	got, err := w.suggested()
	if err != nil {
		t.Fatal(err)
	}
	o := got.Oracles
	if o.Held != 3 || o.Idle != 2 || len(o.Properties) != 1 || o.Asserted != 1 || o.Properties[0].Test != "FuzzCleanRepeated" {
		t.Fatalf("%+v", o)
	}
	if p := o.Properties[0]; len(p.Kills) != 1 || p.Kills[0].ID != "m2" {
		t.Errorf("%+v", p)
	}
}

// A property whose fuzz test does not pass each time is left out, and the others are reported: with mutants
// in the process, and with go test.
func TestPropertiesThatDoNotPassEachTimeAreLeftOut(t *testing.T) {
	for _, red := range []string{"", "^FuzzCleanTwice$"} {
		w := newWorld(t, oracleCode)
		w.survive("m2", "m3", "m4")
		w.opts.Oracles, w.opts.WriteTest, w.red = true, true, red
		w.seed("FuzzCleanTwice", "FuzzCleanTwice:a2 FuzzCleanTwice:a3")
		w.seed("FuzzCleanRepeated", "FuzzCleanRepeated:a4")
		if red == "" {
			w.project.Options.Env = append(w.project.Options.Env, fakeGo+"="+filepath.Join(w.dir, "unsteady"))
		}
		got, err := w.suggested()
		if err != nil {
			t.Fatal(err)
		}
		o := got.Oracles
		if len(o.Properties) != 1 || o.Asserted != 1 || o.Properties[0].Test != "FuzzCleanRepeated" || len(got.Written) != 1 {
			t.Errorf("red %q: %+v", red, o)
		}
		if text, err := os.ReadFile(filepath.Join(w.dir, oraclesFile)); err != nil || strings.Contains(string(text), "CleanTwice") {
			t.Errorf("red %q: %v\n%s", red, err, text)
		}
		if (red == "") != (len(got.Left) == 1 && got.Left[0].Mutants == 2) {
			t.Errorf("red %q: left %+v", red, got.Left)
		}
	}
}

// A property that is written again, since it has less to kill, keeps its inputs as they were minimized.
func TestInputsOfPropertiesAreMinimizedOnce(t *testing.T) {
	w := newWorld(t, oracleCode)
	w.survive("m2", "m3")
	w.opts.Oracles = true
	w.lost["m2"] = true
	w.seed("FuzzCleanTwice", "FuzzCleanTwice:a2 x", "FuzzCleanTwice:a3 y")
	w.seed("FuzzCleanRepeated", "FuzzCleanRepeated:a2 z")
	var minimized []string
	w.project.Options.Events = func(e project.Event) {
		if e.Phase != nil && strings.Contains(e.Phase.Text, "minimizing") {
			minimized = append(minimized, e.Phase.Text)
		}
	}
	got, err := w.suggested()
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"FuzzCleanTwice: minimizing 2 inputs", "FuzzCleanRepeated: minimizing 1 input"}
	if diff := cmp.Diff(want, minimized); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if p := got.Oracles.Properties; len(p) != 1 || !strings.Contains(p[0].Source, `f.Add("FuzzCleanTwice:a3")`) {
		t.Errorf("%+v", p)
	}
}

// Fuzz tests that do not compile are left out, and no others: by their lines, or where there is none one after
// the other.
func TestFuzzTestsThatDoNotCompileAreLeftOut(t *testing.T) {
	const undefined, unknown = "fuzz_test.go:3: undefined: y", "internal compiler error"
	for _, c := range []struct {
		name      string
		targets   []string
		sequences string // the fuzz tests, as "good bad"
		line      bool   // errors have one
		left      string // of them in the end, after F and G
		out       string
		fails     string
	}{
		{"one of three", []string{"F"}, "good bad fine", true, "F good fine", "bad", ""},
		{"without a line", []string{"F"}, "good bad fine", false, "F good fine", "bad", ""},
		{"the last, without a line", []string{"F"}, "good bad", false, "F good", "bad", ""},
		{"without others", nil, "bad", true, "", "bad", ""},
		{"without others and without a line", nil, "bad", false, "", "bad", ""},
		{"all, without a line", []string{"F"}, "bad worse", false, "F", "bad worse", ""},
		{"a function", []string{"F", "broken"}, "good", true, "F good", "broken", ""},
		{"a function, without a line", []string{"F", "broken"}, "good", false, "", "", unknown},
		{"something else", []string{"F"}, "good", true, "F good", "", ""},
	} {
		w := newWorld(t, plainCode)
		warned := 0
		w.job.project.Options.Events = func(e project.Event) {
			if e.Warning != nil {
				warned++
			}
		}
		isBad := func(name string) bool { return name == "bad" || name == "worse" || name == "broken" }
		built := ""
		w.tools.load = func(ctx context.Context, cfg load.Config) (*load.Result, error) {
			var names []string
			faults := &load.BrokenDerived{Err: problem.Errorf(problem.KindBroken, unknown)}
			see := func(name string, d load.Derived) {
				names = append(names, name)
				if isBad(name) {
					d.Test = &target.Test{Function: name}
					faults.Tests, faults.Why = append(faults.Tests, d), append(faults.Why, undefined)
				}
			}
			for _, target := range cfg.Targets {
				see(target.Function, load.Derived{Of: target.Function})
			}
			for _, q := range cfg.Sequences {
				see(q.About, load.Derived{Sequence: q})
			}
			if built = strings.Join(names, " "); len(faults.Tests) == 0 {
				return w.load(ctx, load.Config{Targets: []load.Target{{Function: "F"}}})
			}
			if c.line {
				return nil, faults
			}
			return nil, faults.Err
		}
		var what searchable
		for _, name := range c.targets {
			what.targets = append(what.targets, load.Target{Function: name})
		}
		for _, name := range strings.Fields(c.sequences) {
			what.sequences = append(what.sequences, &sequence.Sequence{About: name})
		}
		err := w.buildSearched(t.Context(), what)
		if c.fails != "" {
			if err == nil || !strings.Contains(err.Error(), c.fails) {
				t.Errorf("%s: %v", c.name, err)
			}
			continue
		}
		if err != nil || (w.searched != nil) != (c.left != "") || c.left != "" && built != c.left {
			t.Errorf("%s: %v, built %q, searched %t", c.name, err, built, w.searched != nil)
		}
		var out []string
		for _, warning := range w.job.report.Warnings {
			reason := map[bool]string{true: undefined, false: unknown}[c.line]
			_, name, _ := strings.Cut(warning, "the fuzz test for ")
			name, why, _ := strings.Cut(name, " ")
			out = append(out, name)
			if !strings.HasPrefix(why, "does not compile and is left out, please report it: "+reason) {
				t.Errorf("%s: warning %q", c.name, warning)
			}
		}
		if list := w.session.report.NotSearched; len(list)+warned > 0 {
			t.Errorf("%s: it is said more than once: %+v, and %d times at once", c.name, list, warned)
		}
		if strings.Join(out, " ") != c.out {
			t.Errorf("%s: left out %q", c.name, out)
		}
	}
}

// Where inputs end the process the search ends, and the result tells.
func TestASearchThatEndsProcessesEnds(t *testing.T) {
	w := newWorld(t, plainCode)
	w.survive("m1", "m2")
	w.seed("FuzzF", "f1 >end", "f2 >end+f2", "f3 >d2")
	w.deaths = 1
	got, err := w.suggested()
	if err != nil || len(got.Searches) != 1 || got.Searches[0].Ended == "" {
		t.Errorf("%+v, %v", got.Searches, err)
	}
}

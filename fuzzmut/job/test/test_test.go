package test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/unittest"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/memory"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/project"
	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/rt/oracle"
)

func TestParseShard(t *testing.T) {
	for _, s := range []string{"1/1", "1/4", "4/4"} {
		if got, err := ParseShard(s); err != nil || got.String() != s {
			t.Errorf("%q: %v, %v", s, got, err)
		}
	}
	for _, s := range []string{"", "1", "0/4", "5/4", "-1/4", "1/0", "a/b", "1/2/3", "99999/99999"} {
		if got, err := ParseShard(s); err == nil {
			t.Errorf("%q: %v", s, got)
		}
	}
}

func TestEveryMutantIsInOneShard(t *testing.T) {
	counts := make([]int, 4)
	for i := range 1000 {
		m := &instrument.Mutant{Package: "p", ID: strings.Repeat("x", i%7) + string(rune('a'+i))}
		in := 0
		for k := range 4 {
			if (Shard{K: k + 1, N: 4}).Has(m) {
				counts[k]++
				in++
			}
		}
		if in != 1 || !(Shard{}).Has(m) {
			t.Fatalf("%s is in %d shards", m.ID, in)
		}
	}
	if slices.Min(counts) < 200 {
		t.Errorf("shards of %v", counts)
	}
}

// ledger is a copy of the tree of that name, with a separate cache of verdicts.
type ledger struct {
	dir  string
	opts Options
	fake *fakeJudge
}

func newLedger(t *testing.T) *ledger {
	t.Helper()
	if testing.Short() {
		t.Skip("builds packages")
	}
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(filepath.Join("..", "..", "..", "testdata", "trees", "ledger"))); err != nil {
		t.Fatal(err)
	}
	return &ledger{
		dir: dir, fake: &fakeJudge{fates: make(map[string]unittest.Verdict)},
		opts: Options{Options: project.Options{Dir: dir, Packages: []string{"./..."}}},
	}
}

func (l *ledger) test(t *testing.T) *report.TestReport {
	t.Helper()
	r, err := l.run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func (l *ledger) run(ctx context.Context) (*report.TestReport, error) {
	l.fake.ran = make(map[string][]string)
	return run(ctx, l.opts, l.fake.run)
}

// edit replaces text in a file.
func (l *ledger) edit(t *testing.T, name, old, changed string) {
	t.Helper()
	path := filepath.Join(l.dir, name)
	data, err := os.ReadFile(path)
	if err != nil || !strings.Contains(string(data), old) {
		t.Fatalf("%s holds no %q: %v", name, old, err)
	}
	if err := os.WriteFile(path, []byte(strings.Replace(string(data), old, changed, 1)), 0o666); err != nil {
		t.Fatal(err)
	}
}

// fakeJudge stands for package mutation. A mutant gets the verdict on its
// function in the package of the tests, as "money Parse"; without one it is
// killed by TestX.
type fakeJudge struct {
	fates map[string]unittest.Verdict
	// aside are tests that are set aside at the end, when what they have killed survives.
	aside  map[string]bool
	cancel context.CancelFunc // if set, called when after mutants were run
	after  int

	mu  sync.Mutex
	ran map[string][]string // by package: the functions of mutants that were run, and not known
}

func (f *fakeJudge) run(ctx context.Context, o unittest.Options) (*unittest.Result, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	pkg := filepath.Base(o.Program.Test.ImportPath)
	res := &unittest.Result{Shared: true, Tests: []unittest.Test{{Name: "TestX", Kills: 1}}}
	for _, index := range o.Mutants {
		if ctx.Err() != nil {
			res.Interrupted = true
			break
		}
		m := &o.Program.Mutants[index-1]
		v, ok := f.fates[pkg+" "+m.Func]
		if !ok {
			v = unittest.Verdict{Status: unittest.StatusKilled, Kind: oracle.Assertion, Test: "TestX", Tests: []string{"TestX"}}
		}
		v.Mutant = index
		if known, ok := o.Known(m, v.Tests); ok {
			v = known
		} else if f.ran[pkg] = append(f.ran[pkg], m.Func); f.cancel != nil && len(f.ran[pkg]) == f.after {
			f.cancel()
		}
		o.Verdicts(v)
		res.Verdicts = append(res.Verdicts, v)
	}
	for name := range f.aside {
		a := unittest.SetAside{Test: name, Passed: 3, Failed: 1, Output: "late"}
		res.SetAside = append(res.SetAside, a)
		o.SetAside(res.SetAside)
		for i, v := range res.Verdicts {
			if v.Test == name {
				o.Withdrawn([]uint32{v.Mutant})
				v = unittest.Verdict{Mutant: v.Mutant, Status: unittest.StatusNotCovered, Aside: []string{name}}
				o.Known(&o.Program.Mutants[v.Mutant-1], nil)
				o.Verdicts(v)
				res.Verdicts[i] = v
			}
		}
	}
	return res, nil
}

// functions returns the names of the functions whose mutants were run.
func (f *fakeJudge) functions(pkg string) []string {
	return slices.Compact(slices.Sorted(slices.Values(f.ran[pkg])))
}

func status(r *report.TestReport, function string) []string {
	var all []string
	for _, m := range r.Mutants {
		if m.Function == function {
			all = append(all, m.Status)
		}
	}
	return slices.Compact(slices.Sorted(slices.Values(all)))
}

// What comes next is about the same mutants.
func TestTheNextCommandHasTheScopeOfTheRun(t *testing.T) {
	for want, r := range map[string]report.TestReport{
		"": {}, "-diff HEAD": {Diff: "HEAD", DiffBy: "line"}, "-diff main... -diff-by function": {Diff: "main...", DiffBy: "function"},
	} {
		if got := strings.Join((&tester{report: &r}).scope(), " "); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestEachPackageIsMutatedForItsOwnTests(t *testing.T) {
	l := newLedger(t)
	l.fake.fates["money Amount.Unit"] = unittest.Verdict{
		Status: unittest.StatusSurvived, Tests: []string{"TestA", "TestB"}, Infected: []string{"TestB"},
	}
	l.fake.fates["ledger (*Ledger).Statement"] = unittest.Verdict{Status: unittest.StatusNotCovered}
	r := l.test(t)
	if len(r.Next) != 1 || !strings.HasPrefix(r.Next[0], "fuzzmut suggest ") {
		t.Errorf("after survivors comes %q", r.Next)
	}
	if got := l.fake.functions("money"); !cmp.Equal(got, []string{"", "Amount.Abs", "Amount.Unit", "Parse"}) {
		t.Errorf("of money: %q", got)
	}
	if slices.Contains(l.fake.functions("ledger"), "Parse") {
		t.Error("the tests of ledger are run against mutants of money")
	}
	for function, want := range map[string]string{
		"Parse": report.Killed, "Amount.Unit": report.Survived, "(*Ledger).Statement": report.NotCovered, "": report.Killed,
	} {
		if got := status(r, function); !cmp.Equal(got, []string{want}) {
			t.Errorf("%s: %v, want %s", function, got, want)
		}
	}
	for _, m := range r.Mutants {
		if m.Function == "Amount.Unit" && (!cmp.Equal(m.Tests, []string{"TestB", "TestA"}) || m.Reached != 2 || m.Infected != 1 || m.Diff == "") {
			t.Errorf("survivor %+v", m)
		}
		if m.Function == "Parse" && (m.KilledBy != "TestX" || m.KillKind != "assertion" || m.Diff != "") {
			t.Errorf("killed %+v", m)
		}
	}
	if s := r.Score; s.Mutants != len(r.Mutants) || s.Killed+s.Survived+s.NotCovered != s.Mutants || s.Survived == 0 {
		t.Errorf("score %+v of %d", s, len(r.Mutants))
	}
	l.opts.MinScore = 0.99
	if _, err := l.run(context.Background()); exit.CodeOf(err) != exit.Score {
		t.Errorf("-min-score: %v", err)
	}
}

// What has no tests is not covered, unless the tests of others kill it.
func TestUntestedCodeIsNotCovered(t *testing.T) {
	l := newLedger(t)
	if err := os.Remove(filepath.Join(l.dir, "money", "money_test.go")); err != nil {
		t.Fatal(err)
	}
	r := l.test(t)
	if got := status(r, "Parse"); !cmp.Equal(got, []string{report.NotCovered}) || len(l.fake.ran["money"]) > 0 {
		t.Errorf("%v, and %q were run", got, l.fake.ran["money"])
	}
	if p := r.Packages; len(p) != 2 || !p[0].Untested || p[0].Judged == 0 || p[0].Sites.Sites == 0 || p[0].Source == "" || p[1].Untested {
		t.Errorf("%+v", p)
	}
	if len(r.Next) != 0 {
		t.Errorf("one of them has tests, and next comes %q", r.Next)
	}
	l.opts.Packages = []string{"./money"}
	where := "fuzzmut %s -C " + l.dir + " %s ./money"
	if r = l.test(t); !cmp.Equal(r.Next, []string{fmt.Sprintf(where, "test", "-mutate") + " .", fmt.Sprintf(where, "suggest", "-write-test")}) {
		t.Errorf("without any tests, next comes %q", r.Next)
	}
	l.opts.Packages = []string{"./..."}
	l.opts.Mutate = []string{"./..."}
	r = l.test(t)
	if got := status(r, "Parse"); !cmp.Equal(got, []string{report.Killed}) {
		t.Errorf("with the tests of ledger: %v", got)
	}
	l.opts.Run, l.opts.Packages = "TestX", []string{"./money"}
	if _, err := l.run(t.Context()); exit.CodeOf(err) != exit.Usage || !strings.Contains(err.Error(), "money has no tests") {
		t.Errorf("with -run: %v", err)
	}
}

func TestTheTestsOfAnyPackageKill(t *testing.T) {
	l := newLedger(t)
	l.opts.Mutate = []string{"./..."}
	l.fake.fates["money Parse"] = unittest.Verdict{Status: unittest.StatusSurvived, Tests: []string{"TestA"}}
	l.fake.fates["money Amount.Unit"] = unittest.Verdict{Status: unittest.StatusSurvived, Tests: []string{"TestA"}}
	l.fake.fates["money Amount.Abs"] = unittest.Verdict{Status: unittest.StatusNotCovered}
	l.fake.fates["ledger Amount.Unit"] = unittest.Verdict{Status: unittest.StatusNotCovered}
	l.fake.fates["ledger Amount.Abs"] = unittest.Verdict{Status: unittest.StatusSurvived, Tests: []string{"TestB"}}
	r := l.test(t)
	for function, want := range map[string]string{
		"Parse": report.Killed, "Amount.Unit": report.Survived, "Amount.Abs": report.Survived, "(*Ledger).Post": report.Killed,
	} {
		if got := status(r, function); !cmp.Equal(got, []string{want}) {
			t.Errorf("%s: %v, want %s", function, got, want)
		}
	}
	if slices.Contains(l.fake.functions("ledger"), "") {
		t.Error("a mutant that is killed was run again")
	}
	for _, m := range r.Mutants {
		if m.Function == "Parse" && m.KilledBy != "example.com/ledger.TestX" || m.Function == "Amount.Abs" && m.Tests[0] != "example.com/ledger.TestB" {
			t.Errorf("%+v", m)
		}
	}
}

func TestVerdictsAreReusedWhereNothingChanged(t *testing.T) {
	l := newLedger(t)
	l.opts.Packages = []string{"./money"}
	l.fake.fates["money Amount.Unit"] = unittest.Verdict{Status: unittest.StatusSurvived, Tests: []string{"TestA"}}
	first := l.test(t)
	again := l.test(t)
	if len(l.fake.ran) > 0 {
		t.Errorf("run again: %v", l.fake.ran)
	}
	if diff := cmp.Diff(first.Score, again.Score); diff != "" {
		t.Error(diff)
	}
	if n := again.Packages[0].Reused; n == 0 || n != again.Packages[0].Judged || !again.Mutants[0].Reused {
		t.Errorf("%d reused", n)
	}
	for i := range again.Mutants {
		again.Mutants[i].Reused = false
	}
	if diff := cmp.Diff(first.Mutants, again.Mutants); diff != "" {
		t.Error(diff)
	}

	l.edit(t, "money/money.go", "a < 0", "0 > a")
	l.test(t)
	if got := l.fake.functions("money"); !cmp.Equal(got, []string{"Amount.Abs"}) {
		t.Errorf("a function changed: %q", got)
	}
	l.edit(t, "money/money_test.go", `"x"`, `"y"`)
	l.test(t)
	if got := l.fake.functions("money"); len(got) != 4 {
		t.Errorf("the tests changed: %q", got)
	}
	l.edit(t, "money/money.go", "Amount(100)", "Amount(1e2)")
	l.test(t)
	if got := l.fake.functions("money"); len(got) != 4 {
		t.Errorf("a variable changed: %q", got)
	}
	l.fake.fates["money Parse"] = unittest.Verdict{Status: unittest.StatusSurvived, Tests: []string{"TestA", "TestB"}}
	l.test(t)
	if got := l.fake.functions("money"); !cmp.Equal(got, []string{"Parse"}) {
		t.Errorf("other tests reach a function: %q", got)
	}
	l.opts.Fresh = true
	l.test(t)
	if got := l.fake.functions("money"); len(got) != 4 {
		t.Errorf("fresh: %q", got)
	}
}

func TestAnInterruptedRunGoesOn(t *testing.T) {
	l := newLedger(t)
	l.opts.Packages = []string{"./money"}
	ctx, cancel := context.WithCancel(context.Background())
	l.fake.cancel, l.fake.after = cancel, 5
	r, err := l.run(ctx)
	if exit.CodeOf(err) != exit.Interrupted || r == nil || !r.Interrupted || r.Next != nil {
		t.Fatalf("%v, %v", r, err)
	}
	judged, total := r.Score.Mutants, r.Score.Mutants+r.Score.Pending
	if judged != 5 || total <= judged {
		t.Errorf("%d of %d judged", judged, total)
	}
	l.fake.cancel = nil
	l.opts.Resume, l.opts.Fresh = true, true
	r = l.test(t)
	if got := len(l.fake.ran["money"]); got != total-judged {
		t.Errorf("%d run, want %d", got, total-judged)
	}
	if run := r.Packages[0]; run.Resumed != judged || run.Reused != 0 || r.Score.Mutants != total || r.Mutants[0].Reused {
		t.Errorf("%+v, %+v", run, r.Score)
	}
	var said []string
	l.opts.Events = func(ev project.Event) {
		if ev.Phase != nil {
			said = append(said, ev.Phase.Text)
		}
	}
	l.edit(t, "money/money.go", "a < 0", "0 > a")
	l.test(t)
	if got := len(l.fake.ran["money"]); got != total {
		t.Errorf("of other code %d run, want %d", got, total)
	}
	if !slices.ContainsFunc(said, func(s string) bool { return strings.Contains(s, "no earlier run of this code") }) {
		t.Errorf("said %q", said)
	}
}

func TestShardsAreMergedIntoTheWhole(t *testing.T) {
	l := newLedger(t)
	l.opts.Packages = []string{"./money"}
	l.fake.fates["money Amount.Unit"] = unittest.Verdict{Status: unittest.StatusSurvived, Tests: []string{"TestA"}}
	l.opts.Fresh = true
	whole := l.test(t)
	var parts []*report.TestReport
	for k := range 2 {
		l.opts.Shard = Shard{K: k + 1, N: 2}
		parts = append(parts, l.test(t))
	}
	merged, err := report.MergeTests(parts)
	if err != nil {
		t.Fatal(err)
	}
	slices.SortFunc(whole.Mutants, func(a, b report.Mutant) int { return strings.Compare(a.Package+a.ID, b.Package+b.ID) })
	slices.SortFunc(merged.Mutants, func(a, b report.Mutant) int { return strings.Compare(a.Package+a.ID, b.Package+b.ID) })
	if diff := cmp.Diff(whole.Mutants, merged.Mutants); diff != "" || merged.Shard != "" || len(merged.Warnings) > 0 {
		t.Errorf("shard %q, %q:\n%s", merged.Shard, merged.Warnings, diff)
	}
	if diff := cmp.Diff(whole.Score, merged.Score); diff != "" {
		t.Error(diff)
	}
	l.edit(t, "money/money.go", "a < 0", "0 > a")
	other := l.test(t)
	if _, err := report.MergeTests([]*report.TestReport{parts[0], other}); err == nil {
		t.Error("results of different code were merged")
	}
}

func TestAPatchRestrictsToChangedFunctions(t *testing.T) {
	l := newLedger(t)
	l.edit(t, "money/money.go", "return -a", "return 0 - a")
	text := "--- a/money/money.go\n+++ b/money/money.go\n@@ -35 +35 @@\n-\t\treturn -a\n+\t\treturn 0 - a\n"
	l.opts.Patch = strings.NewReader(text)
	r := l.test(t)
	if got := l.fake.functions("money"); !cmp.Equal(got, []string{"Amount.Abs"}) || len(l.fake.ran) != 1 {
		t.Errorf("run: %v", l.fake.ran)
	}
	if r.Diff != "-" || len(r.Mutants) != len(l.fake.ran["money"]) {
		t.Errorf("diff %q, %d mutants", r.Diff, len(r.Mutants))
	}
	for text, want := range map[string]string{
		text[:len(text)-4]:                "differs from the patch",
		"--- a/x\n+++ b/x\n@@ -1 +1 @@\n": "-diff -: line 3 of the patch: the patch ends within a hunk",
	} {
		l.opts.Patch = strings.NewReader(text)
		if _, err := l.run(context.Background()); exit.CodeOf(err) != exit.Usage || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
	l.opts.Patch = strings.NewReader("")
	if r := l.test(t); len(r.Mutants) != 0 {
		t.Errorf("nothing changed: %d mutants", len(r.Mutants))
	}
}

func TestFailingTestsAreTheBaselinesFault(t *testing.T) {
	red := unittest.SetAside{Test: "TestA", Failed: 2, Output: "a_test.go:3: one\nand more"}
	for _, c := range []struct {
		err    unittest.BaselineError
		strict bool
		want   string
	}{
		{unittest.BaselineError{Tests: []unittest.SetAside{red, {Test: "TestB", Failed: 2}}}, false, "example.com/x: no test passes: without a mutant TestA fails (a_test.go:3: one), TestB fails; fix that, or choose other tests with -run"},
		{unittest.BaselineError{Tests: []unittest.SetAside{{Test: "TestC", Passed: 2, Failed: 1}}}, true, "example.com/x: without a mutant TestC failed once and passed 2 times; fix that, or run without -strict"},
		{unittest.BaselineError{Tests: slices.Repeat([]unittest.SetAside{red}, 7)}, false, ", 2 more do the like; "},
		{unittest.BaselineError{Start: "exit status 3\nno port"}, false, "the tests end before the first of them: exit status 3; "},
	} {
		s := &testSession{lane: &lane{tester: &tester{opts: Options{Strict: c.strict}}}}
		s.run.Package = "example.com/x"
		err := s.baselineError(&c.err)
		if exit.CodeOf(err) != exit.Baseline || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%v", err)
		}
	}
}

// A test that is set aside has no part in a result, nor in the ones of later runs.
func TestWhatASetAsideTestKilledIsNotReused(t *testing.T) {
	l := newLedger(t)
	l.opts.Packages = []string{"./money"}
	var warnings []string
	l.opts.Events = func(ev project.Event) {
		if ev.Warning != nil {
			warnings = append(warnings, ev.Warning.Text)
		}
	}
	l.fake.fates["money Parse"] = unittest.Verdict{Status: unittest.StatusKilled, Kind: oracle.Panic, Test: "TestLate", Tests: []string{"TestLate"}}
	l.test(t)
	l.fake.aside = map[string]bool{"TestLate": true}
	for i := range 2 { // after a run that has the kill, and after one that has taken it back
		warnings = nil
		r := l.test(t)
		if got := slices.Compact(status(r, "Parse")); !slices.Equal(got, []string{report.NotCovered}) {
			t.Errorf("status %q", got)
		}
		for _, m := range r.Mutants {
			if m.Function == "Parse" && (m.Reason != report.OnlySetAside+"TestLate" || m.Reused && i == 0 || m.KilledBy != "") {
				t.Fatalf("%+v", m)
			}
		}
		if got := r.Packages[0].SetAside; len(got) != 1 || got[0] != (report.SetAside{Name: "TestLate", Passed: 3, Failed: 1, Output: "late"}) {
			t.Errorf("set aside: %+v", got)
		}
		if len(warnings) != 1 || !strings.Contains(warnings[0], "1 test is set aside, since without a mutant TestLate failed once and passed 3 times (late); -strict ") {
			t.Errorf("warnings %q", warnings)
		}
	}
}

// What a run without a restriction says counts as said of all mutants.
func TestTheWholeHasItsPart(t *testing.T) {
	if got := (&Options{}).part(&report.TestReport{}); got != memory.Whole {
		t.Errorf("%q, want %q", got, memory.Whole)
	}
}

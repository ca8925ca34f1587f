//go:build unix

package suggest

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/unittest"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/suggestion"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/project"
	"github.com/fuzzmut/fuzzmut/instrument/load/loadtest"
)

// found is a world whose search has found inputs for two mutants.
func found(t *testing.T) *world {
	t.Helper()
	w := newWorld(t, plainCode)
	w.survive("m2", "m3")
	w.opts.WriteTest = true
	w.seed("FuzzF", "f9 d2", "d3 f8")
	return w
}

// interruptedAt has the job suggest tests until it begins to do something.
func (w *world) interruptedAt(what string) (suggestion.Package, error) {
	ctx, cancel := context.WithCancel(w.t.Context())
	defer cancel()
	w.project.Options.Events = func(e project.Event) {
		if e.Phase != nil && strings.Contains(e.Phase.Text, what) {
			cancel()
		}
	}
	err := w.suggest(ctx, loadtest.Path)
	if n := len(w.job.report.Packages); n != 1 {
		w.t.Fatalf("%d packages in the report: %v", n, err)
	}
	return w.job.report.Packages[0], err
}

// Whatever an interrupt comes in, what is known by then becomes cases.
func TestAnInterruptLeavesCases(t *testing.T) {
	for _, what := range []string{"looking for inputs", "choosing inputs", "choosing among", "minimizing", "building 2 written tests", "running the written tests"} {
		w := found(t)
		w.opts.Grace = time.Hour
		got, err := w.interruptedAt(what)
		if err != nil || got.Closed != 2 || len(got.Cases) != 2 || len(got.Written) != 1 || !got.Interrupted {
			t.Errorf("in %q: %v, %d closed, cases %q, written %v", what, err, got.Closed, closedBy(got), got.Written)
		}
	}
}

// An interrupt while the unit tests run says what they have judged, and what was not done.
func TestAnInterruptOfTheUnitTestsSaysHowFarTheyCame(t *testing.T) {
	for judged, want := range map[int]string{
		3: "example.com/m: interrupted while its unit tests ran: 3 of 8 mutants judged, which the next run does not judge again; no inputs were looked for, and none of its files was changed",
		0: "example.com/m: interrupted while its unit tests ran: 0 of 8 mutants judged; -short, or -skip with the names of long tests, makes that shorter; no inputs were looked for, and none of its files was changed",
	} {
		w := newWorld(t, plainCode)
		w.survive("m2")
		ctx, cancel := context.WithCancel(t.Context())
		w.tools.runTests = func(within context.Context, opts unittest.Options) (*unittest.Result, error) {
			res, err := w.test(within, opts)
			for i := judged; i < len(res.Verdicts); i++ {
				res.Verdicts[i].Status = unittest.StatusNotRun
			}
			cancel()
			return res, err
		}
		err := w.suggest(ctx, loadtest.Path)
		if err = w.asInterrupted(ctx, loadtest.Path, err); err.Error() != want || exit.CodeOf(err) != exit.Interrupted {
			t.Errorf("%v", err)
		}
	}
}

// What an interrupt leaves undone of a package is no matter of those before it.
func TestAnInterruptAfterOtherPackages(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	j := &job{report: &suggestion.Report{}}
	for _, c := range []struct{ done, want string }{
		{"", "interrupted before anything was run; no file was changed"},
		{"a", "m: interrupted before its unit tests ran; the result of the packages before it is shown"},
		{"m", "interrupted; the result so far is shown"},
	} {
		if c.done != "" {
			j.report.Packages = append(j.report.Packages, suggestion.Package{Package: c.done})
		}
		if err := j.asInterrupted(ctx, "m", ctx.Err()); err.Error() != c.want || exit.CodeOf(err) != exit.Interrupted {
			t.Errorf("after %q: %v", c.done, err)
		}
	}
}

// A case that is left out after an interrupt, since its test fails alone, has the reason in the result.
func TestAnInterruptLeavesReasons(t *testing.T) {
	w := found(t)
	w.opts.Grace = time.Hour
	w.project.Options.Env = append(w.project.Options.Env, fakeGo+"="+filepath.Join(w.dir, "unsteady"))
	got, err := w.interruptedAt("minimizing")
	if err != nil || got.Closed != 1 || len(got.Cases) != 1 || len(got.Open) != 1 || got.Open[0].Why != suggestion.NotKept {
		t.Errorf("%v, %d closed, cases %q, open %+v", err, got.Closed, closedBy(got), got.Open)
	}
	if len(got.Left) != 1 || got.Left[0].Reason != failsAlone || got.Left[0].Mutants != 1 {
		t.Errorf("left %+v", got.Left)
	}
}

// Where no time is left to choose, the cases are those that the searches have confirmed.
func TestChoiceWithoutTime(t *testing.T) {
	w := found(t)
	if err := w.judge(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := w.search(t.Context()); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	w.opts.Grace = 1
	if err := w.choose(ctx); err != nil || len(w.tests) != 1 || len(w.tests[0].Cases) != 2 || w.hasty != 2 {
		t.Fatalf("%v, tests %+v, %d as they were found", err, w.tests, w.hasty)
	}
	if err := w.concludeSoon(t.Context()); err != nil || w.session.report.Closed != 2 || len(w.session.report.Cases) != 2 {
		t.Errorf("%v, closed %d, cases %q", err, w.session.report.Closed, closedBy(*w.session.report))
	}
	if warned := strings.Join(w.job.report.Warnings, "; "); !strings.Contains(warned, "the inputs of 2 cases are not minimized") {
		t.Errorf("warnings: %s", warned)
	}
}

// Where the time is over while the written tests run with the mutants, the cases stay, and the result tells
// with how many survivors they were not run.
func TestWrittenTestsThatAreCutOff(t *testing.T) {
	w := found(t)
	ctx, cancel := context.WithCancel(t.Context())
	w.tools.runTests = func(within context.Context, opts unittest.Options) (*unittest.Result, error) {
		res, err := w.test(within, opts)
		if w.overlay != nil {
			cancel()
			res.Verdicts = res.Verdicts[:1]
		}
		return res, err
	}
	if err := w.judge(ctx); err != nil {
		t.Fatal(err)
	}
	if err := w.search(ctx); err != nil {
		t.Fatal(err)
	}
	if err := w.choose(ctx); err != nil {
		t.Fatal(err)
	}
	if err := w.concludeSoon(ctx); err != nil {
		t.Fatal(err)
	}
	w.addOpen()
	got := w.session.report
	if got.Closed != 1 || len(got.Cases) != 2 || len(got.Open) != 1 || got.Open[0].Why != suggestion.NotRun {
		t.Errorf("closed %d, cases %q, open %+v", got.Closed, closedBy(*got), got.Open)
	}
	if text, err := os.ReadFile(filepath.Join(w.dir, plain.Name)); err != nil || !strings.Contains(string(text), "change 2") || !strings.Contains(string(text), "change 3") {
		t.Errorf("%v, written:\n%s", err, text)
	}
	if warned := strings.Join(w.job.report.Warnings, "; "); !strings.Contains(warned, "not run with 1 survivor ") {
		t.Errorf("warnings: %s", warned)
	}
}

// Before a search had its turn, nobody knows what inputs reach.
func TestAnInterruptBeforeASearchSaysNothingOfInputs(t *testing.T) {
	for _, what := range []string{"building fuzz tests", "looking for inputs"} {
		w := newWorld(t, plainCode)
		w.survive("m2", "m3")
		got, err := w.interruptedAt(what)
		if err != nil || len(got.Open) != 2 {
			t.Fatalf("in %q: %v, open %+v", what, err, got.Open)
		}
		for _, o := range got.Open {
			if o.Why != suggestion.NotSearched {
				t.Errorf("in %q: %s: %s", what, o.ID, o.Why)
			}
		}
	}
}

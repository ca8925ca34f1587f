package minimise

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/evaluate"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/selection"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/trial"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// standPassing replays the entries on which the fuzz test does not fail, and names
// the files on which it does.
func standPassing(ctx context.Context, t *trial.Trial, entries []corpus.Entry) (st *trial.Replay, failing []string, err error) {
	t.Phase("running %s", trial.DescribeCorpus(len(t.Given), len(t.Cached)))
	ev, err := t.Engine.Exact.Evaluate(ctx, evaluate.Query{Inputs: trial.Inputs(entries), Select: wire.SelectNone, Check: true})
	if err != nil {
		return nil, nil, t.EngineError(err)
	}
	var passing []corpus.Entry
	for i, e := range entries {
		switch {
		case !ev.Results[i].Outcome.Kind.Failed():
			passing = append(passing, e)
		case e.Path != "":
			failing = append(failing, e.Path)
		default:
			t.Warn(fmt.Sprintf("the fuzz test fails on %s: %s", e.Name, trial.DescribeOutcome(ev.Results[i].Outcome)))
		}
	}
	if err := t.CheckStable(); err != nil {
		return nil, nil, err
	}
	if !t.Project.Unmutated {
		t.Phase("running %s against %s",
			report.Plural(len(passing), "entry"), report.Plural(t.Package.Live, "mutant"))
	}
	st, err = trial.NewReplay(ctx, t, passing)
	if err == nil && ctx.Err() != nil {
		err = exit.Errorf(exit.Interrupted, "interrupted; nothing was changed in %s", t.Name())
	}
	return st, failing, err
}

// ofCache returns the paths of the entries of Go's fuzz cache that go test -fuzz or
// fuzzmut put there.
func ofCache(t *trial.Trial) map[string]bool {
	ours := make(map[string]bool)
	for _, e := range t.Cached {
		if e.Name == e.Input.Hash() && selection.IsRegular(e.Path) {
			ours[e.Path] = true
		}
	}
	return ours
}

// removeCached removes entries from Go's fuzz cache and returns their names.
func removeCached(entries []corpus.Entry) (names []string, err error) {
	for _, e := range entries {
		if err := corpus.Remove(filepath.Dir(e.Path), e.Name); err != nil {
			return names, exit.Errorf(exit.Usage, "%w", err)
		}
		names = append(names, e.Name)
	}
	return names, nil
}

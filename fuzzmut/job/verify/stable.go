package verify

import (
	"context"
	"slices"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/observed"
)

// once runs the entries, and shows how far it is: one that does not end takes as long as an
// input may.
func (t *verifiedTest) once(ctx context.Context, entries []corpus.Entry) ([]observed.Observation, error) {
	stop := t.trial.WatchSteps("running the entries", "entry", func() (done, of int) {
		return int(t.trial.Engine.Exact.Observed()), len(entries)
	})
	defer stop()
	return observed.Once(ctx, t.trial, entries)
}

// stable runs entries that differ often enough to tell which values differ from run to run.
// One that did not end the first time is not run again.
func (t *verifiedTest) stable(ctx context.Context, entries []corpus.Entry, first []observed.Observation) ([]observed.Observation, error) {
	var again []corpus.Entry
	for i := range entries {
		if !first[i].Hangs {
			again = append(again, entries[i])
		}
	}
	more, err := observed.Stable(ctx, t.trial, again)
	if err != nil {
		return nil, err
	}
	for i := range first {
		if !first[i].Hangs {
			first[i], more = more[0], more[1:]
		}
	}
	return first, nil
}

// allMissing says that all differences are entries without golden values, as a run leaves them
// whose time was over.
func allMissing(r *report.Verification) bool {
	return !slices.ContainsFunc(r.Tests, func(t report.VerifiedTest) bool {
		return len(t.Changes) > 0 || slices.ContainsFunc(t.Files, func(p report.FileProblem) bool { return p.Kind != report.FileMissing })
	})
}

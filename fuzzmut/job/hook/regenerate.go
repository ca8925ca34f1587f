package hook

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"time"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/format/text"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/change"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/project"
)

// fuzzShare divides the time that is left into what a run fuzzes and the rest, in
// which it builds, replays, and chooses.
const fuzzShare = 4

// leastFuzz is the shortest time for a fuzz test that is worth a build.
const leastFuzz = 200 * time.Millisecond

// regenerate regenerates the corpora of the targets in the checkout, and returns
// the results of those fuzz tests that there was time for.
func (j *job) regenerate(ctx context.Context, targets []target) ([]report.FuzzTest, error) {
	changed, err := change.Staged(ctx, j.repo, j.tree.root)
	if err != nil {
		return nil, exit.Errorf(exit.Usage, "the staged changes can't be determined: %w", err)
	}
	if changed.Empty() {
		return nil, nil
	}
	limited, cancel := context.WithDeadline(ctx, j.begin.Add(j.opts.Budget))
	defer cancel()
	tests := 0
	for _, t := range targets {
		tests += len(t.tests)
	}
	var result []report.FuzzTest
	for i, t := range targets {
		left := j.opts.Budget - time.Since(j.begin)
		each := left / fuzzShare / time.Duration(tests)
		tests -= len(t.tests)
		if why := j.unfit(t); why != "" {
			j.linef("fuzzmut: %s %s: its corpus is not changed", j.userPackage(t), why)
			continue
		}
		done, err := j.regenerateOne(ctx, limited, t, changed, each)
		if err != nil {
			return nil, err
		}
		result = append(result, done...)
		late := each < leastFuzz || limited.Err() != nil
		// Else what came before it is to blame.
		j.noteSlow(t, late && (i == 0 || left > j.opts.Budget/2))
		if late {
			j.linef("fuzzmut: %v were not enough to regenerate all affected corpora: the rest is not changed; run fuzzmut corpus regen -diff HEAD, or set another -budget with hook install", j.opts.Budget)
			break
		}
	}
	return result, nil
}

// unfit says why a target is not regenerated; "" if it is.
func (j *job) unfit(t target) string {
	if j.wasSlow(t) {
		return fmt.Sprintf("did not finish in %v last time; run %s, or set another -budget with hook install", j.opts.Budget, t.command("regen", "-diff HEAD"))
	}
	if !j.encloses(t) {
		return "has entries in a directory outside the repository, through a symbolic link"
	}
	return ""
}

// encloses says whether all that a run may write for a target is in the checkout.
func (j *job) encloses(t target) bool {
	root, err := filepath.EvalSymlinks(j.tree.root)
	if err != nil {
		return false
	}
	dirs := []string{filepath.Join(j.tree.root, t.dir, "testdata")}
	for _, name := range kept {
		dir := filepath.Join(dirs[0], name)
		dirs = append(dirs, dir)
		for _, test := range t.tests {
			dirs = append(dirs, filepath.Join(dir, test))
		}
	}
	for _, dir := range dirs {
		real, err := filepath.EvalSymlinks(dir)
		if err == nil && !within(real, root) || err != nil && !errors.Is(err, fs.ErrNotExist) {
			return false
		}
	}
	return true
}

// regenerateOne regenerates the corpora of a target, with so much time for fuzzing
// each.
func (j *job) regenerateOne(ctx, limited context.Context, t target, changed *change.Set, each time.Duration) ([]report.FuzzTest, error) {
	if each < leastFuzz {
		return nil, nil
	}
	opts := j.options(t)
	if opts.FuzzTime == (project.FuzzTime{}) {
		opts.FuzzTime.Duration = each
	}
	rep, err := j.opts.Regen(limited, opts, changed)
	return j.judge(ctx, limited, t, rep, err)
}

// judge returns the fuzz tests of a target that were regenerated as a whole, or
// why the commit is not to be made.
func (j *job) judge(ctx, limited context.Context, t target, rep *report.Report, err error) ([]report.FuzzTest, error) {
	code := exit.CodeOf(err)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case code == exit.Failing || rep != nil && hasFailing(rep):
		return nil, j.failing(t, rep)
	case code == exit.Baseline:
		return nil, j.translate(t, err)
	case err != nil && limited.Err() == nil:
		// The corpus is as good as it was: no reason to hold a commit up.
		j.linef("fuzzmut: %s is not regenerated: %s", j.userPackage(t), j.tree.userText(err.Error()))
	}
	if rep == nil {
		return nil, nil
	}
	return slices.DeleteFunc(rep.Tests, func(f report.FuzzTest) bool { return f.Interrupted }), nil
}

func hasFailing(rep *report.Report) bool {
	return slices.ContainsFunc(rep.Tests, func(f report.FuzzTest) bool { return len(f.Crashes) > 0 })
}

// failing tells of failing inputs that the search has found: a mistake in what is
// staged, or one that was there before.
func (j *job) failing(t target, rep *report.Report) error {
	if rep != nil {
		j.show(func(w io.Writer) error { return text.Failing(w, rep) })
	}
	if err := j.keepFailing(t, rep); err != nil {
		return err
	}
	return exit.Errorf(exit.Failing, "%s: the staged code fails on new inputs, as shown above; they are in testdata/fuzz, not staged. Fix the code, and commit again; git commit --no-verify commits without this check", j.userPackage(t))
}

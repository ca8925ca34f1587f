package suggest

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/fuzzmut/fuzzmut/instrument/load"
	"github.com/fuzzmut/fuzzmut/instrument/problem"
	"github.com/fuzzmut/fuzzmut/instrument/sequence"
)

// searchable is what fuzz tests are derived for.
type searchable struct {
	targets   []load.Target
	sequences []*sequence.Sequence
}

// empty says that nothing is left.
func (w searchable) empty() bool { return len(w.targets)+len(w.sequences) == 0 }

// without is the same but for fuzz tests that do not compile.
func (w searchable) without(broken []load.Derived) searchable {
	is := func(d func(load.Derived) bool) bool { return slices.ContainsFunc(broken, d) }
	return searchable{
		slices.DeleteFunc(slices.Clone(w.targets), func(t load.Target) bool {
			return is(func(d load.Derived) bool { return d.Of == t.Function })
		}),
		slices.DeleteFunc(slices.Clone(w.sequences), func(s *sequence.Sequence) bool {
			return is(func(d load.Derived) bool { return d.Sequence == s })
		}),
	}
}

// buildSearched is build. A fuzz test that does not compile is no reason to go without the others.
func (s *session) buildSearched(ctx context.Context, what searchable) error {
	for {
		err := s.build(ctx, what.targets, what.sequences)
		if brokenOf(err) == nil {
			return err
		}
		var at *load.BrokenDerived
		if !errors.As(err, &at) {
			return s.buildByTurns(ctx, what, err)
		}
		for i, d := range at.Tests {
			s.leaveOut(d.Function, at.Why[i])
		}
		left := what.without(at.Tests)
		if left.empty() {
			return nil
		}
		if len(left.targets)+len(left.sequences) == len(what.targets)+len(what.sequences) {
			return err // what is broken was not asked for
		}
		what = left
	}
}

// buildByTurns builds the package where no line says which fuzz test does not compile. Those that make several
// calls hold most of the source, so these are added one after the other.
func (s *session) buildByTurns(ctx context.Context, what searchable, broken error) error {
	if len(what.sequences) == 0 {
		return broken
	}
	good := searchable{targets: what.targets}
	stale := false // the last build is not that of what is good
	if !good.empty() {
		if err := s.build(ctx, good.targets, nil); err != nil {
			return err
		}
	}
	for _, q := range what.sequences {
		more := searchable{good.targets, append(slices.Clip(good.sequences), q)}
		err := s.build(ctx, more.targets, more.sequences)
		if err == nil {
			good, stale = more, false
			continue
		}
		bad := brokenOf(err)
		if bad == nil {
			return err
		}
		s.leaveOut(q.About, bad.Msg)
		stale = true
	}
	if !stale {
		return nil
	}
	if s.searched = nil; good.empty() {
		return nil
	}
	return s.build(ctx, good.targets, good.sequences)
}

// brokenOf is what says that something does not compile; nil: err is another one.
func brokenOf(err error) *problem.Error {
	var bad *problem.Error
	if errors.As(err, &bad) && bad.Kind == problem.KindBroken {
		return bad
	}
	return nil
}

// leaveOut warns of a fuzz test that does not compile. It is said in the end and nowhere else: nobody can do anything
// about it while the search runs.
func (s *session) leaveOut(function, why string) {
	s.job.report.Warnings = append(s.job.report.Warnings, fmt.Sprintf("%s: the fuzz test for %s does not compile and is left out, please report it: %s", s.pkg, function, why))
}

package diff

import (
	"context"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/behavior"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/callers"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/project"
	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/load"
)

// derive looks for functions to derive fuzz tests for, where no fuzz test of a package
// reaches changed code, and has them derived when the package is loaded again. It returns
// false if there are none.
func (j *job) derive(pkg string, loaded [2]*load.Result, c *changed) (bool, error) {
	found, err := callers.Find(loaded[before], loaded[after], j.ownChanges(loaded[after], c))
	if err != nil {
		return false, err
	}
	notes := found.Left
	if loaded[after].Packages[0].Mutated {
		notes = slices.Concat(callers.Gone(loaded[before], loaded[after]), notes)
	}
	for _, n := range notes {
		j.leaveOut(n.What, n.Reason)
		j.unfit = j.unfit || !n.OneSided
		if n.OneSided {
			j.noteFresh(loaded[after], n.What)
		}
	}
	if j.targets == nil {
		j.targets = make(map[string][]load.Target)
	}
	j.targets[pkg] = found.Targets
	return len(found.Targets) > 0, nil
}

// noteFresh notes a function that only new code has.
func (j *job) noteFresh(l *load.Result, what string) {
	if j.fresh == nil {
		j.fresh = make(map[string]bool)
	}
	for _, p := range l.Packages {
		if name, ok := strings.CutPrefix(what, p.Types.Name()+"."); ok {
			j.fresh[p.ImportPath+"."+name] = true
		}
	}
}

// isFresh says whether only new code has a function of it.
func (j *job) isFresh(fn *instrument.Func) bool { return j.fresh[fn.Package+"."+fn.Name] }

// deriveMore has fuzz tests derived for changed functions that the fuzz tests have missed, see
// missed, and returns sides with these; nil: there are none.
func (j *job) deriveMore(ctx context.Context, pkg string, s *sides) (*sides, error) {
	if !j.derives() || ctx.Err() != nil {
		return nil, nil
	}
	loaded := [2]*load.Result{s.pkgs[before].Loaded, s.pkgs[after].Loaded}
	missed, partly, blind := j.missed(s)
	if len(missed)+len(partly) == 0 {
		return nil, nil
	}
	loaded, more, err := j.loadMissed(ctx, pkg, loaded, s.changed, missed.holds, partly.holds, blind.holds)
	if err != nil || !more {
		return nil, err
	}
	known := s.pkgs[after].Program.Test.Fuzz
	isKnown := func(t instrument.FuzzTest) bool {
		return slices.ContainsFunc(known, func(o instrument.FuzzTest) bool { return o.Name == t.Name })
	}
	if !slices.ContainsFunc(loaded[after].Test.Fuzz, func(t instrument.FuzzTest) bool { return !isKnown(t) }) {
		return nil, nil // they do not compile
	}
	with, err := j.sidesOf(loaded)
	if err != nil {
		return nil, err
	}
	if err := j.build(ctx, with); err != nil {
		return nil, err
	}
	with.fresh = slices.DeleteFunc(slices.Clone(with.pkgs[after].Program.Test.Fuzz), isKnown)
	j.takeBack(loaded[after].Packages[0].Types.Name(), with.fresh)
	return with, nil
}

// takeBack takes back that functions were left out for which there are fuzz tests by now.
func (j *job) takeBack(pkg string, tests []instrument.FuzzTest) {
	j.report.NotCompared = slices.DeleteFunc(j.report.NotCompared, func(n behavior.Note) bool {
		return slices.ContainsFunc(tests, func(t instrument.FuzzTest) bool { return n.What == pkg+"."+t.Target })
	})
}

// loadMissed loads both sides of a package again, with fuzz tests derived for functions that
// no input reaches, and for others with changed code that shows nothing, if sequences of calls
// may do so. Where nothing else is left to try, it is the function itself: one that no input
// reaches, and one that the fuzz tests are blind to. It returns false if there are none that are new.
func (j *job) loadMissed(ctx context.Context, pkg string, loaded [2]*load.Result, c *changed, missed, partly, blind func(file string, first, last int) bool) (_ [2]*load.Result, more bool, err error) {
	own, had, direct := j.ownChanges(loaded[after], c), j.targets[pkg], callers.Direct(loaded[after])
	all := slices.Clone(had)
	again := func(t load.Target) bool {
		return slices.ContainsFunc(all, func(o load.Target) bool {
			return o.Function == t.Function && (o.Among == nil) == (t.Among == nil)
		})
	}
	for _, ask := range []struct {
		wanted, alone func(file string, first, last int) bool
		calls         bool // single calls are tried, not sequences alone
	}{{missed, missed, true}, {partly, blind, false}} {
		tried := func(t load.Target) bool {
			return again(t) || t.Among == nil && (!ask.calls || direct[t.Function])
		}
		found, err := callers.FindMissed(loaded[before], loaded[after], func(file string, first, last int) bool {
			return own(file, first, last) && ask.wanted(file, first, last)
		}, ask.alone, tried)
		if err != nil {
			return loaded, false, exit.Errorf(exit.Internal, "%w", err)
		}
		for _, t := range found.Targets {
			if !tried(t) || found.Alone[t.Function] && !again(t) {
				all = append(all, t)
			}
		}
	}
	if len(all) == len(had) {
		return loaded, false, nil
	}
	j.targets[pkg] = all
	loaded, err = j.loadDerived(ctx, pkg, loaded)
	return loaded, err == nil, err
}

// place is where a function begins.
type place struct {
	file string
	line int
}

// places are functions.
type places map[place]bool

func (p places) holds(file string, first, _ int) bool { return p[place{file, first}] }

// missed are the changed functions of new code that no input has reached, but for those that a
// difference comes from: an input that does not end is no entry. And those that others can call,
// and that returned something else in no way that the fuzz tests show: a caller may see it.
// partly are others that show no difference, and blind are those of them with mutants, where none of these is seen.
func (j *job) missed(s *sides) (missed, partly, blind places) {
	p := s.pkgs[after].Program
	reached := make([]bool, len(p.Funcs))
	for i := range p.Blocks {
		if f := p.Blocks[i].Func; f >= 0 && s.covered[after][i] {
			reached[f] = true
		}
	}
	holds := s.changed.holds(after)
	missed, partly, blind = make(places), make(places), make(places)
	mutants, killed := make([]int, len(p.Funcs)), make([]int, len(p.Funcs))
	for i := range p.Mutants {
		if m := &p.Mutants[i]; m.Status == instrument.StatusLive && m.FuncIndex >= 0 {
			if mutants[m.FuncIndex]++; s.killed[m.Index] {
				killed[m.FuncIndex]++
			}
		}
	}
	for i := range p.Funcs {
		fn := &p.Funcs[i]
		if !holds(fn.File, fn.Line, fn.EndLine) {
			continue
		}
		at := place{fn.File, fn.Line}
		inside, seen := j.shows(fn)
		switch {
		case seen:
		case !reached[i] || inside && isExported(fn):
			missed[at] = true
		default:
			partly[at] = true
			blind[at] = inside && !s.unmeasured && mutants[i] > 0 && killed[i] == 0
		}
	}
	return missed, partly, blind
}

// isExported says whether other packages can call a function.
func isExported(fn *instrument.Func) bool {
	for name := range strings.SplitSeq(fn.Name, ".") {
		if !token.IsExported(strings.Trim(name, "(*)")) {
			return false
		}
	}
	return true
}

// shows says whether a change of a function had it return something else, and whether a
// difference comes from that.
func (j *job) shows(fn *instrument.Func) (inside, seen bool) {
	for i := range j.pair.Files {
		for k, h := range j.pair.Files[i].Hunks {
			if j.pair.Files[i].Path == fn.File && (span{h.NewLine, h.NewCount}).touches(fn.Line, fn.EndLine) {
				shown := &j.report.Changes[i].Hunks[k]
				inside, seen = inside || shown.Inside, seen || shown.Seen
			}
		}
	}
	return inside, seen
}

// ownChanges is the set of changed functions that a package has to reach: not those of
// other packages that are compared by their own fuzz tests.
func (j *job) ownChanges(l *load.Result, c *changed) func(file string, first, last int) bool {
	holds := c.holds(after)
	others := make(map[string]bool)
	for _, p := range l.Packages[1:] {
		others[p.Dir] = slices.Contains(j.project.Packages, p.ImportPath)
	}
	return func(file string, first, last int) bool {
		return !others[filepath.Dir(file)] && holds(file, first, last)
	}
}

// tellDerived names the fuzz tests that are derived.
func (j *job) tellDerived(l *load.Result) {
	for _, d := range l.Derived {
		if slices.ContainsFunc(l.Test.Fuzz, func(t instrument.FuzzTest) bool { return t.Name == d.Name }) {
			j.project.Note(l.Test.ImportPath, "%s is derived for %s (%s)", d.Name, d.Function, l.Short(d.At))
		}
	}
}

// budget is what a fuzz test has. Unless somebody asked for a time, derived ones share
// that of one: so a package without fuzz tests has its answer as soon as others. Of the
// time for all, each fuzz test has the same part of what is left, and each package that
// follows as much as one of them. An eighth is for those that are derived later.
func (c *comparison) budget() project.FuzzTime {
	b := c.alone()
	if all := c.opts.Total.Duration; all > 0 {
		left := all - c.spent
		if c.derives() && len(c.sides.fresh) == 0 {
			left = max(left-all/8, 0)
		}
		b = b.Part(left, c.follow)
	}
	return b
}

// derives says whether fuzz tests are derived for what others have missed.
func (j *job) derives() bool { return !j.opts.NoDerive && j.opts.Input == nil && j.opts.Fuzz == "" }

// alone is the budget as far as nothing bounds the time for all.
func (c *comparison) alone() project.FuzzTime {
	b := c.project.Options.FuzzTime
	if c.test.Target == "" || !c.project.UntilKilled {
		return b
	}
	derived := 0
	for _, t := range c.sides.pkgs[after].Program.Test.Fuzz {
		if t.Target != "" {
			derived++
		}
	}
	b.Duration /= time.Duration(max(derived, 1))
	return b
}

package diff

import (
	"path/filepath"
	"slices"
	"time"

	"github.com/fuzzmut/fuzzmut/fuzzmut/run/callers"
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
	}
	if j.targets == nil {
		j.targets = make(map[string][]load.Target)
	}
	j.targets[pkg] = found.Targets
	return len(found.Targets) > 0, nil
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
			j.project.Note(l.Test.ImportPath, "%s is derived for %s (%s)", d.Name, d.Function, d.Place)
		}
	}
}

// budget is what a fuzz test has. Unless somebody asked for a time, derived ones share
// that of one: so a package without fuzz tests has its answer as soon as others. Of the
// time for all, each fuzz test has the same part of what is left, and each package that
// follows as much as one of them.
func (c *comparison) budget() project.FuzzTime {
	b := c.alone()
	if all := c.opts.Total.Duration; all > 0 {
		b = b.Part(all-c.spent, c.follow)
	}
	return b
}

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

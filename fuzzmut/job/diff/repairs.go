package diff

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/observed"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/project"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/revert"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/trial"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/versions"
	"github.com/fuzzmut/fuzzmut/instrument"
)

const (
	// explainLeast is the time for reverting parts of the change, if half of the time to
	// search is less. All fuzz tests share it, but each has explainEach: what one has built
	// serves the others.
	explainLeast = 45 * time.Second
	explainEach  = 10 * time.Second
	// revertedMost bounds the parts that are built where the budget is a number of executions,
	// and no clock decides. On an idle machine it is about a second for each.
	revertedMost = 240
	// minimizedMost bounds the inputs for which a part of several hunks is minimized.
	minimizedMost = 64
)

// reverts builds new code of a package with parts of the change as they were before.
func (j *job) reverts(s *sides, pkg string) *revert.Builder {
	return &revert.Builder{
		Project: j.project, Pair: j.pair, Whole: s.pkgs[after], Load: j.loadConfig(after, pkg), Warn: j.warn,
		Takes: s.changed.file, Functions: func(p revert.Part) []string { return j.touched(s, p) },
		Reached: func(h versions.Ref) bool { return j.mayMatter(s, h) },
	}
}

// idle says that the change makes none of the differences, and that no part of it need be tried: no input has reached it, and
// none does what it did before if all of it is reverted. What runs while packages are initialized
// shows in that alone.
func (r *attempts) idle(ctx context.Context) (bool, error) {
	all := r.repairs.Everything()
	if len(all) == 0 || !r.open() || slices.ContainsFunc(all, func(h versions.Ref) bool { return r.mayMatter(r.sides, h) }) {
		return false, nil
	}
	without, err := r.repairs.Build(ctx, all)
	if without == nil || err != nil {
		return false, unlessOver(ctx, err)
	}
	left := r.list
	for range 2 { // what differs by chance may be as before by chance
		repaired, err := r.repairedIn(ctx, left, without)
		if err != nil {
			return false, unlessOver(ctx, err)
		}
		var again []*difference
		for i, yes := range repaired {
			if yes {
				again = append(again, left[i])
			}
		}
		if left = again; len(left) == 0 {
			return true, nil
		}
	}
	return false, nil
}

// unlessOver is an error, unless the time of ctx is over.
func unlessOver(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return nil
	}
	return err
}

// mayMatter says whether a hunk may make a difference: an input has reached it, or may have, or it is in no function.
func (j *job) mayMatter(s *sides, h versions.Ref) bool {
	return s.untraced || j.report.Changes[h.File].Hunks[h.Hunk].Reached || !j.within(s, h)
}

// within says whether a hunk is in a function.
func (j *job) within(s *sides, ref versions.Ref) bool {
	f := &j.pair.Files[ref.File]
	h := f.Hunks[ref.Hunk]
	lines, paths := [2]span{{h.OldLine, h.OldCount}, {h.NewLine, h.NewCount}}, [2]string{f.OldPath, f.Path}
	for side, b := range s.pkgs {
		if slices.ContainsFunc(b.Program.Funcs, func(fn instrument.Func) bool {
			return fn.File == paths[side] && lines[side].touches(fn.Line, fn.EndLine)
		}) {
			return true
		}
	}
	return false
}

// touched lists the functions of the new code that a part touches, as inner sites call
// them.
func (j *job) touched(s *sides, p revert.Part) (names []string) {
	prog := s.pkgs[after].Program
	inner := prog.Inner()
	for i := range prog.Funcs {
		fn := &prog.Funcs[i]
		for _, ref := range p {
			f := &j.pair.Files[ref.File]
			h := f.Hunks[ref.Hunk]
			if fn.File == f.Path && (span{h.NewLine, h.NewCount}).touches(fn.Line, fn.EndLine) {
				names = append(names, inner[i])
			}
		}
	}
	return names
}

// attempts are the parts of the change that were reverted, and the differences that they
// make go away.
type attempts struct {
	*comparison
	list  []*difference
	alike []*corpus.Input // on which the sides do the same
	tried []revert.Part

	least   map[int]bool        // parts of several hunks that need each of these
	bounded string              // why not all was tried; "" if it was
	built   int                 // parts that were built before, for other fuzz tests
	most    int                 // parts that may be built where no clock decides; 0: revertedMost
	depends map[*difference]int // by part, what needs hunks of causes that are known to be repaired

	dependencies []dependency
	own          revert.Part // what of the change is in no dependency

	unconfirmed int // differences in a row that were not confirmed
}

// find tries which parts of the change, reverted alone, make the differences go away: those
// that are accepted, and then others as long as there is time.
func (r *attempts) find(ctx context.Context) error {
	r.repairs.Metered = slices.ContainsFunc(r.list, (*difference).workOnly)
	r.least, r.depends, r.built = make(map[int]bool), make(map[*difference]int), r.repairs.Made()
	if err := r.accepted(ctx); err != nil {
		if ctx.Err() != nil {
			return nil //nolint:nilerr // as in others
		}
		return err
	}
	limit, within := r.revertTime(), ctx
	if limit > 0 {
		var cancel context.CancelFunc
		within, cancel = context.WithTimeout(ctx, limit)
		defer cancel()
	}
	begin := time.Now()
	idle, err := r.idle(within)
	if !idle && err == nil {
		err = r.others(within)
	}
	r.reverted += time.Since(begin)
	switch {
	case idle:
		r.bounded = "no input reached the changed code, and without all of it the differences stay"
	case r.usedUp():
		r.bounded = fmt.Sprintf("%d parts of the change were reverted, which is the bound where the budget is a number of executions", cmp.Or(r.most, revertedMost))
	case ctx.Err() == nil && within.Err() != nil:
		r.bounded = fmt.Sprintf("the time to revert parts of the change, %v, was over", limit.Round(time.Second/10))
	}
	return err
}

// usedUp says whether as many parts were built as may be, where no clock decides.
func (r *attempts) usedUp() bool {
	return r.project.Options.FuzzTime.Execs > 0 && r.repairs.Made()-r.built >= cmp.Or(r.most, revertedMost)
}

// others tries what was written together first, and then the smallest part of what was.
func (r *attempts) others(ctx context.Context) error {
	var inside []string
	for _, d := range r.list {
		inside = append(inside, d.Inside...)
	}
	defer r.forget()
	wanted := func() bool { return r.open() && !r.usedUp() }
	attempt := &revert.Attempt{Builder: r.repairs, Open: wanted, Try: func(p revert.Part, without *project.Package) error {
		return r.try(ctx, p, without)
	}}
	if err := r.buildDependencies(ctx); err != nil && ctx.Err() == nil {
		return err
	}
	queue, err := r.sifted(ctx, inside)
	if err != nil {
		return err
	}
	broken, err := attempt.Alone(ctx, queue)
	around := func(ctx context.Context) error { return attempt.Around(ctx, broken) }
	for _, step := range []func(context.Context) error{r.together, around, r.whole, r.minimize} {
		if err == nil && ctx.Err() == nil && !r.usedUp() {
			err = step(ctx)
		}
	}
	if ctx.Err() != nil {
		return nil //nolint:nilerr // the time is over: what is not explained is sorted by what differs
	}
	return err
}

// sifted is the order in which to try parts, those of some functions first. At most half of
// the time goes into that.
func (r *attempts) sifted(ctx context.Context, inside []string) ([]revert.Part, error) {
	half, cancel := ctx, func() {}
	if end, limited := ctx.Deadline(); limited {
		half, cancel = context.WithTimeout(ctx, time.Until(end)/2)
	}
	defer cancel()
	return r.repairs.Sift(half, r.repairs.Parts(inside), inside, func(without *project.Package) ([]bool, error) {
		return r.repairedIn(half, r.list, without)
	})
}

// open reports whether no part repairs some difference.
func (r *attempts) open() bool {
	return slices.ContainsFunc(r.list, func(d *difference) bool { return len(d.repaired) == 0 })
}

// try notes what new code without a part repairs, once.
func (r *attempts) try(ctx context.Context, p revert.Part, without *project.Package) error {
	if r.number(p) >= 0 {
		return nil
	}
	if err := r.tryRepair(ctx, r.list, without, len(r.tried)); err != nil {
		return err
	}
	r.tried = append(r.tried, p)
	return nil
}

// revert tries a part, unless it was tried. It returns false if it does not compile.
func (r *attempts) revert(ctx context.Context, p revert.Part) (bool, error) {
	if len(p) == 0 || r.number(p) >= 0 {
		return true, nil
	}
	without, err := r.repairs.Build(ctx, p)
	if err != nil || without == nil {
		return false, err
	}
	return true, r.try(ctx, p, without)
}

// number is that of a part that was tried, -1 if it was not.
func (r *attempts) number(p revert.Part) int {
	return slices.IndexFunc(r.tried, p.Equal)
}

// together tries all parts together that are causes: what only they repair shows several of
// them.
func (r *attempts) together(ctx context.Context) error {
	if !r.open() {
		return nil
	}
	causes, _ := revert.Assign(repairsOf(r.list), r.tried)
	var parts []revert.Part
	for _, cause := range causes {
		parts = append(parts, r.tried[cause])
	}
	_, err := r.revert(ctx, revert.Join(parts...))
	return err
}

// whole tries whole dependencies, and then the whole change, where nothing less repairs what is
// open: it may need hunks of several functions.
func (r *attempts) whole(ctx context.Context) error {
	var parts []revert.Part
	for _, d := range r.dependencies {
		parts = append(parts, d.part)
	}
	for _, p := range append(parts, r.repairs.AllParts()...) {
		if !r.open() {
			return nil
		}
		if _, err := r.revert(ctx, p); err != nil {
			return err
		}
	}
	return nil
}

// minimize looks for the smallest parts that repair what parts of several hunks do. Where
// that needs what causes that are known need as well, it is not a separate cause (see
// separate), and nothing is looked for.
func (r *attempts) minimize(ctx context.Context) error {
	for range minimizedMost {
		d, number, known := r.large()
		if d == nil || r.usedUp() {
			return nil
		}
		p := r.tried[number]
		if known.Shares(p) {
			rest := slices.DeleteFunc(slices.Clone(p), func(h versions.Ref) bool { return known.Has(h) })
			compiles, err := r.revert(ctx, rest)
			if err != nil {
				return err
			}
			if compiles {
				for _, o := range r.list {
					if slices.Contains(o.repaired, number) && !slices.Contains(o.repaired, r.number(rest)) {
						r.depends[o] = number
					}
				}
				continue
			}
		}
		p, err := r.repairs.Minimal(ctx, p, func(p revert.Part, without *project.Package) (bool, error) {
			if n := r.number(p); n >= 0 {
				return slices.Contains(d.repaired, n), nil
			}
			return r.isRepairedBy(ctx, d, without)
		})
		if err != nil {
			return err
		}
		if _, err := r.revert(ctx, p); err != nil {
			return err
		}
		r.least[r.number(p)] = true
	}
	return nil
}

// isRepairedBy says whether new code without a part does on one input what old code did.
func (c *comparison) isRepairedBy(ctx context.Context, d *difference, without *project.Package) (bool, error) {
	repaired, err := c.repairedIn(ctx, []*difference{d}, without)
	return err == nil && repaired[0], err
}

// large returns the smallest input whose cause is a part of several hunks that may become
// smaller, and the hunks of the causes that are known. nil: there is none.
func (r *attempts) large() (small *difference, number int, known revert.Part) {
	known, of := r.known()
	for i, d := range r.list {
		if r.isOpen(d, of[i]) && (small == nil || d.Input.Compare(small.Input) < 0) {
			small, number = d, of[i]
		}
	}
	return small, number, known
}

// known returns the hunks of the causes that are known, those of one hunk and least ones,
// and the part that is the cause of each difference, -1 if none repairs it.
func (r *attempts) known() (hunks revert.Part, of []int) {
	causes, of := revert.Assign(repairsOf(r.list), r.tried)
	for _, cause := range causes {
		if len(r.tried[cause]) == 1 || r.least[cause] {
			hunks = revert.Join(hunks, r.tried[cause])
		}
	}
	return hunks, of
}

// isOpen says whether less than a part may repair a difference, for all that is known.
func (r *attempts) isOpen(d *difference, number int) bool {
	if number < 0 || len(r.tried[number]) == 1 || r.least[number] {
		return false
	}
	at, ok := r.depends[d]
	return !ok || at != number
}

// forget leaves open the cause of what only a large part repairs, if it was not looked at
// what of that is needed: it may be a separate cause, and the whole change, or the whole of a
// dependency, repairs all. A part of nothing but causes that are known has none beside them.
func (r *attempts) forget() {
	hunks, of := r.known()
	for i, d := range r.list {
		if !r.isOpen(d, of[i]) {
			continue
		}
		p := r.tried[of[i]]
		if hunks.Has(p...) {
			continue
		}
		whole := r.isDependency(of[i]) || slices.ContainsFunc(r.repairs.AllParts(), p.Equal)
		if whole || hunks.Shares(p) {
			d.repaired = nil
		}
	}
}

// repairsOf lists the parts that repair each difference.
func repairsOf(list []*difference) (repaired [][]int) {
	for _, d := range list {
		repaired = append(repaired, d.repaired)
	}
	return repaired
}

// tryRepair runs the inputs on new code without a part, and notes those that are as they
// were before.
func (c *comparison) tryRepair(ctx context.Context, list []*difference, without *project.Package, number int) error {
	repaired, err := c.repairedIn(ctx, list, without)
	for i, yes := range repaired {
		if yes {
			list[i].repaired = append(list[i].repaired, number)
		}
	}
	return err
}

// repairedIn says which inputs new code without a part treats as old code does: none if it
// does not have the fuzz test.
func (c *comparison) repairedIn(ctx context.Context, list []*difference, without *project.Package) ([]bool, error) {
	seen, err := c.runOn(ctx, without, list)
	if err != nil {
		return nil, err
	}
	repaired := make([]bool, len(list))
	for i := range seen {
		repaired[i] = c.isRepaired(list[i], &seen[i])
	}
	return repaired, nil
}

// blockedTime is for one input on new code without a part, as long as that burns no fuel.
const blockedTime = 2 * time.Second

// runOn runs inputs on new code without a part; nil: it does not have the fuzz test. A part
// may be what ends a loop: without it, each input would take as long as the clock allows. So
// the code is built again with fuel as soon as one does.
func (c *comparison) runOn(ctx context.Context, without *project.Package, list []*difference) ([]observed.Observation, error) {
	limit := blockedTime
	if t := c.trials[after].Timeout(); t > 0 {
		limit = min(limit, t)
	}
	t := c.trialOf(without, trial.Hooks{Timeout: limit})
	if t == nil {
		return nil, nil
	}
	t.Engine.Exact.UntilBlocked = true
	seen, err := once(ctx, t, list)
	if !errors.Is(err, observed.ErrBlocked) {
		return seen, err
	}
	if without, err = c.repairs.Burning(ctx, without); without == nil || err != nil {
		return nil, err
	}
	return c.untilHangs(ctx, c.trialOf(without, trial.Hooks{}), list)
}

// hangsMost bounds the inputs that new code without a part may hang on: each burns all of its
// fuel, which takes a second and more.
const hangsMost = 3

// untilHangs runs inputs until a few hang that did not before. Then all others that did not
// fail before count as hanging: the part is the cause of little.
func (c *comparison) untilHangs(ctx context.Context, t *trial.Trial, list []*difference) ([]observed.Observation, error) {
	seen := slices.Repeat([]observed.Observation{{Failure: "not run, since others hang", Hangs: true}}, len(list))
	hangs := 0
	for at := 0; at < len(list); at += hangsMost {
		var some []*difference
		var places []int
		for i := at; i < min(at+hangsMost, len(list)); i++ {
			if hangs < hangsMost || list[i].sides[before].Failure != "" {
				some, places = append(some, list[i]), append(places, i)
			}
		}
		if len(some) == 0 {
			continue
		}
		more, err := once(ctx, t, some)
		if err != nil {
			return nil, err
		}
		for k, i := range places {
			seen[i] = more[k]
			if more[k].Hangs && list[i].sides[before].Failure == "" {
				hangs++
			}
		}
	}
	return seen, nil
}

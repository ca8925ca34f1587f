package diff

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/evaluate"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/behavior"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/lockstep"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/observed"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/project"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/revert"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/shell"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/trial"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/versions"
	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/load"
	"github.com/fuzzmut/fuzzmut/instrument/rt/golden"
)

const (
	// casesMost bounds the inputs that are sorted by their causes.
	casesMost = 240
	// shrinkMost is the time for making one input smaller.
	shrinkMost = 5 * time.Second
	// triesMost bounds the inputs of a cause that are tried until one is confirmed.
	triesMost = 4
	// patienceMost and patienceLeast: see patience.
	patienceMost  = 8
	patienceLeast = 2
)

// graceTime is how long differences are still explained after an interrupt.
const graceTime = 20 * time.Second

// A difference is an input on which the sides differ, with what repairs it.
type difference struct {
	lockstep.Result
	group    *lockstep.Group
	sides    [2]observed.Observation
	repaired []int // parts, by their number
	// recorded is the accepted difference, from 1, whose recorded parts repair it; 0: none.
	recorded int
}

// explain finds the causes of what was found.
func (c *comparison) explain(ctx context.Context, found *lockstep.Found) error {
	t := c.trials[after]
	t.Phase("finding the causes of %s", report.Plural(len(found.Groups), "difference"))
	defer t.Watch()()
	list := pick(found)
	defer c.reportUnstable()
	if err := c.observe(ctx, list); err != nil {
		return err
	}
	if err := c.observeAgain(ctx, list); err != nil {
		return err
	}
	for _, d := range list {
		if d.Endless() && len(changes(d)) == 0 {
			d.More = true // it does end, with more fuel
			c.weigh(d)
		}
	}
	list = slices.DeleteFunc(list, func(d *difference) bool { return len(changes(d)) == 0 && !d.More })
	r := &attempts{comparison: c, list: list, alike: found.Alike}
	if err := r.find(ctx); err != nil {
		return err
	}
	c.report.Bounded = r.bounded
	if err := r.recorded(ctx); err != nil && ctx.Err() == nil {
		return err
	}
	var all []explained
	for _, some := range byKind(list) {
		causes, err := r.causesOf(ctx, some)
		if err != nil {
			return err
		}
		all = append(all, causes...)
	}
	all, err := r.entangled(ctx, all)
	if err != nil && ctx.Err() == nil {
		return err
	}
	if err := r.nameDependencies(ctx, all); err != nil && ctx.Err() == nil {
		return err
	}
	if err := r.among(ctx, all); err != nil && ctx.Err() == nil {
		return err
	}
	for _, e := range all {
		c.job.report.Causes = append(c.job.report.Causes, *e.cause)
	}
	c.asCases(all)
	return c.keep(ctx, all, r.tried)
}

// causesOf finds the causes of differences of one kind.
func (r *attempts) causesOf(ctx context.Context, list []*difference) (all []explained, err error) {
	buckets := sortByRepair(list, r.tried)
	for len(buckets) > 0 {
		b := buckets[0]
		buckets = buckets[1:]
		if b.part < 0 && r.onlyUnstable(b.list) {
			continue
		}
		// A cause that was confirmed has its place count as reached.
		if most := r.patience(); b.part < 0 && !b.rest && r.unconfirmed >= most {
			r.report.Cut = r.report.Cut || most == patienceMost // else the report says that nothing reached the change
			continue
		}
		small, rest, err := r.shown(ctx, &b, all)
		if ctx.Err() != nil {
			break // the report tells it
		}
		if err != nil {
			return nil, err
		}
		if len(rest) > 0 {
			buckets = append(buckets, bucket{part: -1, list: rest, rest: true})
		}
		known := within(all, b.part, r.tried)
		if small == nil && len(known) > 0 {
			r.count(all, known, &b)
			continue
		}
		if small == nil && r.onlyUnstable(b.list) {
			continue
		}
		if small == nil {
			r.report.Dropped++
			r.unconfirmed++
			continue
		}
		r.unconfirmed = 0
		if len(known) == 0 && r.isDependency(b.part) {
			b.part = -1 // see nameDependencies
		}
		e := explained{cause: r.describeCause(small, b, r.tried), seen: small, part: b.part}
		at := slices.IndexFunc(all, func(o explained) bool { return o.part >= 0 && o.part == e.part })
		if at >= 0 && weighsAs(e.cause) >= weighsAs(all[at].cause) {
			all[at].cause.Inputs += e.cause.Inputs
			continue
		}
		e.cause.Value = r.value(ctx, small)
		if at >= 0 {
			e.cause.Inputs += all[at].cause.Inputs
			e.with = all[at].with
			all[at] = e
			continue
		}
		all = append(all, e)
	}
	return separate(all, r.tried), nil
}

// patience is how many differences in a row, which no part of the change repairs, are not confirmed until others of
// their kind are left out: those are of the clock or of chance, and each takes seconds. Code that no input reached
// changes nothing.
func (c *comparison) patience() int {
	most := patienceMost
	for i := range c.job.report.Changes {
		for k := range c.job.report.Changes[i].Hunks {
			if c.mayMatter(c.sides, versions.Ref{File: i, Hunk: k}) {
				return patienceMost
			}
			most = patienceLeast
		}
	}
	return most
}

// shown finds the input that a bucket is shown by, and what of the bucket shows something else;
// nil: no input is confirmed, or shows anything beside the causes that are known.
func (r *attempts) shown(ctx context.Context, b *bucket, all []explained) (small *difference, rest []*difference, err error) {
	switch {
	case b.rest:
		small, err = r.apart(ctx, b, all)
		return small, nil, err
	case len(within(all, b.part, r.tried)) > 0:
		small, err = r.beside(ctx, b, all)
		return small, nil, err
	}
	was := b.part
	small, err = r.smallest(ctx, b, r.tried)
	if err == nil && was < 0 && b.part >= 0 {
		rest, err = r.unaffected(ctx, b)
	}
	return small, rest, err
}

// pick chooses inputs, of each group in turn, the smallest first.
func pick(found *lockstep.Found) (list []*difference) {
	for n := 0; len(list) < casesMost; n++ {
		any := false
		for i := range found.Groups {
			g := &found.Groups[i]
			if n < len(g.Results) && len(list) < casesMost {
				list, any = append(list, &difference{Result: g.Results[n], group: g}), true
			}
		}
		if !any {
			break
		}
	}
	return list
}

func entriesOf(list []*difference) (entries []corpus.Entry) {
	for _, d := range list {
		entries = append(entries, d.Input.Found())
	}
	return entries
}

// observe runs the inputs once on each side, in fresh processes.
func (c *comparison) observe(ctx context.Context, list []*difference) error {
	for side, t := range c.trials {
		seen, err := observed.Once(ctx, t, entriesOf(list))
		if err != nil {
			return err
		}
		for i, d := range list {
			d.sides[side] = seen[i]
		}
	}
	return nil
}

// valuesOf are changes as a report has them.
func valuesOf(changes []golden.Change) (values []behavior.Value) {
	for _, ch := range changes {
		values = append(values, behavior.Value{Name: ch.Name, Old: ch.Want, New: ch.Got})
	}
	return values
}

// changes lists what differs between the sides, but for what is unstable.
func changes(d *difference) []golden.Change {
	return observed.Compare(&d.sides[before], &d.sides[after])
}

// unlessCounted is a limit by the clock. There is none where the budget is a number of
// executions: the clock must not decide about the result.
func (c *comparison) unlessCounted(limit time.Duration) time.Duration {
	if c.project.Options.FuzzTime.Execs > 0 {
		return 0
	}
	return limit
}

// timed is a context that ends after a limit by the clock, where there is one.
func (c *comparison) timed(ctx context.Context, limit time.Duration) (context.Context, context.CancelFunc) {
	if limit = c.unlessCounted(limit); limit > 0 {
		return context.WithTimeout(ctx, limit)
	}
	return ctx, func() {}
}

// revertTime bounds how long parts of the change are reverted. Where all has to end at a time,
// it is half of what this fuzz test has of the rest: what was found has to be confirmed, too.
func (c *comparison) revertTime() time.Duration {
	limit := max(explainLeast-c.reverted, explainEach, c.alone().Duration/2)
	if !c.end.IsZero() {
		limit = min(limit, max(time.Until(c.end)/time.Duration(2*(1+c.follow)), time.Millisecond))
	}
	return c.unlessCounted(limit)
}

// shrinkTime bounds how long one input is minimized: likewise, an eighth of the rest.
func (c *comparison) shrinkTime() time.Duration {
	limit := shrinkMost
	if !c.end.IsZero() {
		limit = min(limit, max(time.Until(c.end)/time.Duration(8*(1+c.follow)), time.Millisecond))
	}
	return c.unlessCounted(limit)
}

// trialOf is the fuzz test in a binary; nil: it is not there.
func (c *comparison) trialOf(b *project.Package, h trial.Hooks) *trial.Trial {
	at := slices.IndexFunc(b.Program.Test.Fuzz, func(f instrument.FuzzTest) bool { return f.Name == c.test.Name })
	if at < 0 {
		return nil
	}
	h.HangFuel = lockstep.HangFuel
	t := trial.New(c.project, b, b.Program.Test.Fuzz[at], nil, h)
	t.Engine.Exact.Weigh = c.sides.work.Factor > 0
	return t
}

// smallest returns the gravest input of a bucket that is confirmed, the smallest of those that
// weigh the same; nil: none is. An
// input that no part, or only a large one, repairs may have several causes: shrunk, it has
// one of them, and the bucket has the part of that.
func (c *comparison) smallest(ctx context.Context, b *bucket, parts []revert.Part) (*difference, error) {
	byWeightAndSize(b.list)
	tries := make(map[int]int) // by weight: what is grave on chance alone must not hide the rest
	for _, d := range b.list {
		weighs := d.weighs()
		if tries[weighs]++; tries[weighs] > triesMost {
			continue
		}
		small, err := c.smaller(ctx, d, b.part, parts)
		if err != nil {
			return nil, err
		}
		if small == nil {
			continue
		}
		err = c.settle(ctx, b, small, parts)
		return small, err
	}
	return nil, nil
}

// settle gives a bucket the smallest part that repairs its input.
func (c *comparison) settle(ctx context.Context, b *bucket, small *difference, parts []revert.Part) error {
	for number, p := range parts {
		if b.part >= 0 && len(p) >= len(parts[b.part]) {
			continue
		}
		without, err := c.repairs.Build(ctx, p)
		if err != nil {
			return err
		}
		if without == nil {
			continue
		}
		small.repaired = nil
		if err := c.tryRepair(ctx, []*difference{small}, without, number); err != nil {
			return err
		}
		if len(small.repaired) > 0 {
			b.part = number
		}
	}
	return nil
}

// smaller minimizes an input. It confirms in separate processes that the input differs
// each time, and that the part repairs it; nil: it does not.
func (c *comparison) smaller(ctx context.Context, d *difference, number int, parts []revert.Part) (*difference, error) {
	short := d.Result
	if c.opts.Input == nil {
		var err error
		if short, err = c.shrink(ctx, d); err != nil {
			return nil, err
		}
	}
	for _, r := range []lockstep.Result{short, d.Result} {
		cand := &difference{Result: r, group: d.group}
		ok, err := c.confirm(ctx, cand, number, parts)
		if err != nil {
			return nil, err
		}
		if ok {
			return cand, nil
		}
	}
	return nil, nil
}

// shrink makes an input smaller that goes on to differ in the same kind of way.
func (c *comparison) shrink(ctx context.Context, d *difference) (lockstep.Result, error) {
	kind, weighs, least := kindOf(d), d.weighs(), growth(d.Runs[before].Work, d.Runs[after].Work)/2
	return c.search.Lockstep().Shrink(ctx, d.Result, c.shrinkTime(), func(seen [2]evaluate.Observed) bool {
		var cand difference
		for side, t := range c.trials {
			cand.sides[side] = observed.Named(t, &seen[side])
		}
		cand.More = kind == behavior.KindWork && growth(workOf(&cand.sides[before]), workOf(&cand.sides[after])) >= least
		return (cand.More || len(changes(&cand)) > 0) && kindOf(&cand) == kind && cand.weighs() <= weighs
	})
}

// confirm runs an input often enough to tell what differs from run to run.
func (c *comparison) confirm(ctx context.Context, d *difference, number int, parts []revert.Part) (bool, error) {
	entries := entriesOf([]*difference{d})
	for side, t := range c.trials {
		seen, err := observed.Stable(ctx, t, entries)
		if err != nil {
			return false, err
		}
		d.sides[side] = seen[0]
	}
	c.weigh(d)
	if len(changes(d)) == 0 && !d.More {
		c.noteUnstableOf(d)
		return false, nil
	}
	if number < 0 {
		return true, nil
	}
	b, err := c.repairs.Build(ctx, parts[number])
	if b == nil || err != nil {
		return false, err
	}
	if err := c.tryRepair(ctx, []*difference{d}, b, number); err != nil {
		return false, err
	}
	return slices.Contains(d.repaired, number), nil
}

// describeCause is a bucket as the report has it.
func (c *comparison) describeCause(d *difference, b bucket, parts []revert.Part) *behavior.Cause {
	cause := &behavior.Cause{
		Kind: kindOf(d), Package: c.importPath(), Fuzz: c.test.Name,
		Call: c.call(), Input: d.Input.String(), Entry: string(d.Input.Encode()),
		Inside: d.Inside, Attributed: behavior.ByValue,
	}
	cause.Inputs = max(b.inputs(), 1)
	cause.Values = valuesOf(changes(d))
	if d.More {
		a, b := d.Runs[before].Work, d.Runs[after].Work
		if c.sides.work.MoreFuel(a, b, d.Input.Len()) {
			cause.Work = behavior.Work{Old: a.Fuel, New: b.Fuel}
		}
		if c.sides.work.MoreBytes(a, b, d.Input.Len()) {
			cause.Memory = behavior.Work{Old: a.Bytes, New: b.Bytes}
		}
	}
	if b.part >= 0 {
		cause.Attributed = behavior.ByRepair
		cause.Hunks = c.hunksOf(parts[b.part], cause.Kind)
	}
	cause.Reproduce = c.reproduce(d)
	return cause
}

// hunksOf notes that a part is the cause of a difference, and returns its hunks.
func (c *comparison) hunksOf(p revert.Part, kind string) (hunks []behavior.Hunk) {
	for _, ref := range revert.Join(p) {
		h := &c.job.report.Changes[ref.File].Hunks[ref.Hunk]
		h.Seen, h.Inside, h.Reached = true, h.Inside || kind != behavior.KindWork, true
		hunks = behavior.AppendHunk(hunks, *h)
	}
	return hunks
}

// call is what an input is the arguments of: the function that the fuzz test was derived for, or
// the fuzz test, if bytes, or the arguments of a constructor, stand for those of that function.
func (c *comparison) call() string {
	made := func(d load.Derived) bool { return d.Name == c.test.Name && d.Stands }
	if c.test.Target == "" || slices.ContainsFunc(c.sides.pkgs[after].Loaded.Derived, made) {
		return c.test.Name
	}
	return c.test.Target
}

// reproduce is the command that shows one input on both sides.
func (c *comparison) reproduce(d *difference) string {
	var b strings.Builder
	fmt.Fprintf(&b, "fuzzmut diff -fuzz '^%s$'", c.test.Name)
	for line := range strings.Lines(d.Input.String()) {
		fmt.Fprintf(&b, " -input %s", shell.Quote(strings.TrimSpace(line)))
	}
	if c.opts.Work != WorkFactor {
		fmt.Fprintf(&b, " -work %g", c.opts.Work)
	}
	for _, flag := range c.buildFlags {
		b.WriteString(" " + shell.Quote(flag))
	}
	fmt.Fprintf(&b, " %s %s", c.opts.question(), c.importPath())
	return b.String()
}

// kindOf classes a difference.
func kindOf(d *difference) string {
	if kind := observed.Kind(&d.sides[before], &d.sides[after]); kind != "" || !d.More {
		return kind
	}
	return behavior.KindWork
}

package diff

import (
	"cmp"
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
	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/rt/golden"
)

const (
	// casesMost bounds the inputs that are sorted by their causes.
	casesMost = 240
	// explainLeast is the time for reverting parts of the change, if half of the time to
	// search is less.
	explainLeast = 45 * time.Second
	// shrinkTime is the time for making one input smaller.
	shrinkTime = 5 * time.Second
	// triesMost bounds the inputs of a cause that are tried until one is confirmed.
	triesMost = 4
)

// graceTime is how long differences are still explained after an interrupt.
const graceTime = 20 * time.Second

// A difference is an input on which the sides differ, with what repairs it.
type difference struct {
	lockstep.Result
	group    *lockstep.Group
	sides    [2]observed.Observation
	repaired []int // parts, by their number
}

// explain finds the causes of what was found.
func (c *comparison) explain(ctx context.Context, found *lockstep.Found) error {
	c.trials[after].Phase("finding the causes of %s", report.Plural(len(found.Groups), "kind of difference"))
	list := pick(found)
	if err := c.observe(ctx, list); err != nil {
		return err
	}
	list = slices.DeleteFunc(list, func(d *difference) bool { return len(changes(d)) == 0 && !d.More })
	var parts []revert.Part
	if c.attributes() {
		var err error
		if parts, err = c.repair(ctx, list); err != nil {
			return err
		}
	}
	var all []explained
	values, work := byKind(list)
	for _, some := range [][]*difference{values, work} {
		causes, err := c.causesOf(ctx, some, parts)
		if err != nil {
			return err
		}
		all = append(all, causes...)
	}
	for _, e := range all {
		c.job.report.Causes = append(c.job.report.Causes, *e.cause)
	}
	c.asCases(all)
	return c.keep(ctx, all, parts)
}

// causesOf finds the causes of differences of one kind.
func (c *comparison) causesOf(ctx context.Context, list []*difference, parts []revert.Part) (all []explained, err error) {
	causes := make(map[int]*behavior.Cause) // by part
	for _, b := range sortByRepair(list, parts) {
		small, err := c.smallest(ctx, &b, parts)
		if ctx.Err() != nil {
			break // the report tells it
		}
		if err != nil {
			return nil, err
		}
		if small == nil {
			c.report.Dropped++
			continue
		}
		cause := c.describeCause(small, b, parts)
		if known := causes[b.part]; known != nil && b.part >= 0 {
			known.Inputs += cause.Inputs
			continue
		}
		if b.part >= 0 {
			causes[b.part] = cause
		}
		all = append(all, explained{cause, small, b.part})
	}
	return withoutJoint(all, parts), nil
}

// withoutJoint leaves out what is no separate cause: an input that differs until several
// parts are reverted shows several causes at once, if each of these parts is a cause.
func withoutJoint(all []explained, parts []revert.Part) (list []explained) {
	for _, e := range all {
		var within []explained
		if e.part >= 0 && len(parts[e.part]) > 1 {
			within = slices.DeleteFunc(slices.Clone(all), func(o explained) bool {
				return o.part < 0 || len(parts[o.part]) >= len(parts[e.part]) || !parts[e.part].Has(parts[o.part]...)
			})
		}
		var joint revert.Part
		for _, o := range within {
			joint = append(joint, parts[o.part]...)
		}
		if e.part < 0 || len(within) == 0 || !joint.Has(parts[e.part]...) {
			list = append(list, e)
			continue
		}
		for _, o := range within {
			o.cause.Inputs += e.cause.Inputs
		}
	}
	return list
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

// changes lists what differs between the sides, but for what is unstable.
func changes(d *difference) []golden.Change {
	return observed.Compare(&d.sides[before], &d.sides[after])
}

// repair finds out which parts of the change, reverted alone, make the differences go
// away. It returns the parts that were tried.
func (c *comparison) repair(ctx context.Context, list []*difference) (tried []revert.Part, err error) {
	if limit := c.unlessCounted(max(explainLeast, c.project.Options.FuzzTime.Duration/2)); limit > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, limit)
		defer cancel()
	}
	var inside []string
	for _, d := range list {
		inside = append(inside, d.Inside...)
	}
	c.repairs.Metered = slices.ContainsFunc(list, (*difference).workOnly)
	open := func() bool {
		return slices.ContainsFunc(list, func(d *difference) bool { return len(d.repaired) == 0 })
	}
	err = c.repairs.Each(ctx, c.repairs.Parts(inside), open, func(p revert.Part, without *project.Package) error {
		if err := c.tryRepair(ctx, list, without, len(tried)); err != nil {
			return err
		}
		tried = append(tried, p)
		return nil
	})
	if err != nil || !open() {
		return tried, err
	}
	return c.repairTogether(ctx, list, tried)
}

// repairTogether tries all parts together that are causes: what only they repair shows
// several of them.
func (c *comparison) repairTogether(ctx context.Context, list []*difference, tried []revert.Part) ([]revert.Part, error) {
	causes, _ := revert.Assign(repairsOf(list), tried)
	var joint revert.Part
	for _, cause := range causes {
		for _, ref := range tried[cause] {
			if !joint.Has(ref) {
				joint = append(joint, ref)
			}
		}
	}
	if len(causes) < 2 {
		return tried, nil
	}
	without, err := c.repairs.Build(ctx, joint)
	if err == nil && without != nil {
		err = c.tryRepair(ctx, list, without, len(tried))
		tried = append(tried, joint)
	}
	if ctx.Err() != nil {
		err = nil // the time is over: what is not explained is sorted by what differs
	}
	return tried, err
}

// repairsOf lists the parts that repair each difference.
func repairsOf(list []*difference) (repaired [][]int) {
	for _, d := range list {
		repaired = append(repaired, d.repaired)
	}
	return repaired
}

// unlessCounted is a limit by the clock. There is none where the budget is a number of
// executions: the clock must not decide about the result.
func (c *comparison) unlessCounted(limit time.Duration) time.Duration {
	if c.project.Options.FuzzTime.Execs > 0 {
		return 0
	}
	return limit
}

// tryRepair runs the inputs on new code without a part, and notes those that are as they
// were before.
func (c *comparison) tryRepair(ctx context.Context, list []*difference, without *project.Package, number int) error {
	t := c.trialOf(without, trial.Hooks{})
	if t == nil {
		return nil
	}
	seen, err := once(ctx, t, list)
	if err != nil {
		return err
	}
	for i, d := range list {
		if c.isRepaired(d, &seen[i]) {
			d.repaired = append(d.repaired, number)
		}
	}
	return nil
}

// trialOf is the fuzz test in a binary; nil: it is not there.
func (c *comparison) trialOf(b *project.Package, h trial.Hooks) *trial.Trial {
	at := slices.IndexFunc(b.Program.Test.Fuzz, func(f instrument.FuzzTest) bool { return f.Name == c.test.Name })
	if at < 0 {
		return nil
	}
	t := trial.New(c.project, b, b.Program.Test.Fuzz[at], nil, h)
	t.Engine.Exact.Weigh = c.sides.work.Factor > 0
	return t
}

// A bucket is the differences that have one cause.
type bucket struct {
	part int // that repairs them; -1: none is known
	list []*difference
}

// sortByRepair sorts differences by their causes, see revert.Assign. What no part repairs is
// sorted by what differs.
func sortByRepair(list []*difference, parts []revert.Part) (buckets []bucket) {
	causes, of := revert.Assign(repairsOf(list), parts)
	for _, cause := range causes {
		b := bucket{part: cause}
		for i, d := range list {
			if of[i] == cause {
				b.list = append(b.list, d)
			}
		}
		buckets = append(buckets, b)
	}
	byValue := make(map[string]int)
	for i, d := range list {
		if of[i] >= 0 {
			continue
		}
		key := valueKey(d)
		at, ok := byValue[key]
		if !ok {
			at = len(buckets)
			byValue[key] = at
			buckets = append(buckets, bucket{part: -1})
		}
		buckets[at].list = append(buckets[at].list, d)
	}
	return buckets
}

// valueKey sorts a difference by its kind, and by what differs.
func valueKey(d *difference) string {
	if d.workOnly() {
		return behavior.KindWork
	}
	return observed.Key(&d.sides[before], &d.sides[after])
}

// smallest returns the smallest input of a bucket that is confirmed; nil: none is. An
// input that no part, or only a large one, repairs may have several causes: shrunk, it has
// one of them, and the bucket has the part of that.
func (c *comparison) smallest(ctx context.Context, b *bucket, parts []revert.Part) (*difference, error) {
	slices.SortStableFunc(b.list, func(x, y *difference) int { return x.Input.Compare(y.Input) })
	for n, d := range b.list {
		if n == triesMost {
			break
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
	kind, least := kindOf(d), growth(d.Runs[before].Work, d.Runs[after].Work)/2
	return c.search.Lockstep().Shrink(ctx, d.Result, c.unlessCounted(shrinkTime), func(seen [2]evaluate.Observed) bool {
		var cand difference
		for side, t := range c.trials {
			cand.sides[side] = observed.Named(t, &seen[side])
		}
		cand.More = kind == behavior.KindWork && growth(workOf(&cand.sides[before]), workOf(&cand.sides[after])) >= least
		return (cand.More || len(changes(&cand)) > 0) && kindOf(&cand) == kind
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
		Kind: kindOf(d), Package: c.trials[after].Package.Program.Test.ImportPath, Fuzz: c.test.Name,
		Call: cmp.Or(c.test.Target, c.test.Name), Input: d.Input.String(), Entry: string(d.Input.Encode()),
		Inside: d.Inside, Attributed: behavior.ByValue,
	}
	if !c.attributes() {
		cause.Attributed = behavior.NotTried
	}
	groups := make(map[*lockstep.Group]bool)
	for _, x := range b.list {
		if !groups[x.group] {
			groups[x.group] = true
			cause.Inputs += x.group.Count
		}
	}
	for _, ch := range changes(d) {
		cause.Values = append(cause.Values, behavior.Value{Name: ch.Name, Old: ch.Want, New: ch.Got})
	}
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
		for _, ref := range parts[b.part] {
			h := &c.job.report.Changes[ref.File].Hunks[ref.Hunk]
			h.Seen, h.Inside, h.Reached = true, h.Inside || cause.Kind != behavior.KindWork, true
			cause.Hunks = append(cause.Hunks, *h)
		}
	}
	cause.Reproduce = c.reproduce(d)
	return cause
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
	fmt.Fprintf(&b, " %s %s", c.opts.question(), c.trials[after].Package.Program.Test.ImportPath)
	return b.String()
}

// kindOf classes a difference.
func kindOf(d *difference) string {
	if kind := observed.Kind(&d.sides[before], &d.sides[after]); kind != "" || !d.More {
		return kind
	}
	return behavior.KindWork
}

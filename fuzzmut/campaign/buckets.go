package campaign

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
	"github.com/fuzzmut/fuzzmut/fuzzmut/triage"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// shown is how many repairs and places of a bucket are worth reading (§6).
const shown = 5

// shown is how many of them are told.
func (t *triager) shown() int { return cmp.Or(t.opts.Shown, shown) }

// describe makes the result.
func (t *triager) describe(ctx context.Context) error {
	p := t.trial.b.program
	r := &report.Triage{
		Package: p.Test.ImportPath, Name: t.trial.test.Name, Operators: t.trial.runner.opts.Operators,
		Mutants: t.trial.b.live, Passing: len(t.sort.passing), PackageTests: t.sort.tests,
	}
	t.result = r
	l := newLocaliser(t.sort)
	r.Repairs = l.listed
	t.describeInputs(l)
	for i, items := range t.sort.sorted.Buckets {
		b, err := t.describeBucket(ctx, l, items)
		if err != nil {
			return err
		}
		b.Number = i + 1
		r.Buckets = append(r.Buckets, *b)
	}
	for i := range r.Buckets {
		r.Buckets[i].Rings = t.rings(i)
	}
	t.discover()
	st := t.trial.eng.Status()
	r.MutantExecutions = st.MutantExecs
	r.WallSeconds, r.CPUSeconds, r.MatrixCPUSeconds = time.Since(t.trial.start).Seconds(), t.trial.cpu().Seconds(), t.sort.matrix.Seconds()
	r.Warnings = t.trial.allWarnings()
	return nil
}

// describeInputs lists the inputs that were given as failing, and those that fail.
func (t *triager) describeInputs(l *localiser) {
	rank, bucket, distance := make(map[int]int), make(map[int]int), make(map[int]float64)
	for i, o := range t.sort.sorted.Order {
		rank[t.sort.cases[o.Item]], distance[t.sort.cases[o.Item]] = i+1, o.Distance
	}
	for i, items := range t.sort.sorted.Buckets {
		for _, item := range items {
			bucket[t.sort.cases[item]] = i + 1
		}
	}
	for i := range t.sort.inputs {
		f := &t.sort.inputs[i]
		if f.status == report.NotRun {
			t.result.NotRun++
		}
		if !f.asked && (f.status == report.Passes || f.status == report.Duplicate || f.status == report.NotRun) {
			continue
		}
		in := report.FailingInput{
			Name: f.entry.Name, Path: f.entry.Path, Size: f.entry.Size, Status: f.status, Reason: f.reason,
			Rank: rank[i], Bucket: bucket[i], Distance: distance[i], Label: t.opts.Labels[f.entry.Name],
		}
		if o := f.result.Outcome; o.Kind.Failed() {
			in.Kind, in.Message, in.Frames = crashKind(o), firstLine(o.Message), relFrames(t.trial.b.program.Test.ModuleDir, o.Frames)
			c := t.sort.caseOf(f)
			in.Token, in.Stack, in.Covered = c.Token, c.Stack.Frames, c.Covered.Members()
		}
		if in.Sorted() {
			in.Repairs, in.Changes = l.indices(f.repairs.Repaired), l.indices(f.repairs.Changed)
			in.Status, in.Reason = t.sortedStatus(f)
		}
		t.result.Inputs = append(t.result.Inputs, in)
	}
	slices.SortStableFunc(t.result.Inputs, func(a, b report.FailingInput) int {
		switch {
		case a.Sorted() && b.Sorted():
			return cmp.Compare(a.Rank, b.Rank)
		case a.Sorted():
			return -1
		case b.Sorted():
			return 1
		}
		return cmp.Or(strings.Compare(a.Name, b.Name), strings.Compare(a.Path, b.Path))
	})
}

func (t *triager) sortedStatus(f *failing) (status, reason string) {
	c := t.sort.caseOf(f)
	switch {
	case c.Repairable():
		return report.Repaired, f.repairs.Reason
	case !f.repairs.Done:
		return report.Unfinished, cmp.Or(f.repairs.Reason, "there was no time to try all mutants")
	}
	return report.Unrepaired, ""
}

// describeBucket describes the failing inputs of one bucket.
func (t *triager) describeBucket(ctx context.Context, l *localiser, items []int) (*report.Bucket, error) {
	first := &t.sort.inputs[t.sort.cases[items[0]]]
	c := t.sort.caseOf(first)
	b := &report.Bucket{ByStack: !c.Repairable()}
	for _, item := range items {
		b.Inputs = append(b.Inputs, t.sort.inputs[t.sort.cases[item]].entry.Name)
	}
	ranked := l.repairs(items)
	for _, r := range ranked {
		if len(b.Guards) == 0 && l.guards[r.Repair] {
			b.Guards = append(b.Guards, r)
			l.showDiff(r.Repair)
		}
	}
	b.Repairs = ranked[:min(t.shown(), len(ranked))]
	for _, r := range b.Repairs[:min(shown, len(b.Repairs))] {
		l.showDiff(r.Repair)
	}
	if len(ranked) == 0 {
		b.Noisy = l.noisy(items)
	}
	b.Places = l.suspects(items, t.shown())
	return b, t.represent(ctx, b, items)
}

// represent chooses the smallest input of a bucket, makes it smaller, and says how
// it fails. What is smaller has to be repaired by the same mutants as before: else
// it may show another bug.
func (t *triager) represent(ctx context.Context, b *report.Bucket, items []int) error {
	best := &t.sort.inputs[t.sort.cases[slices.Min(items)]] // cases are sorted by size
	o := best.result.Outcome
	b.Kind, b.Message, b.Frames = crashKind(o), firstLine(o.Message), relFrames(t.trial.b.program.Test.ModuleDir, o.Frames)
	input, err := t.sort.smaller(ctx, best)
	if err != nil {
		return err
	}
	vals, err := wire.Decode(input)
	if err != nil {
		return exit.Errorf(exit.Internal, "%s: a failing input can't be decoded: %w", t.trial.name(), err)
	}
	data := corpus.Marshal(vals)
	b.Representative = valuesOf(data)
	return t.keepRepresentative(b, best, data)
}

// keepRepresentative writes the representative if that is wanted, and says where it
// is and how to reproduce it if go test finds it.
func (t *triager) keepRepresentative(b *report.Bucket, best *failing, data []byte) error {
	dir := t.trial.testdata()
	name := corpus.FileName(data)
	switch {
	case t.opts.Write:
		if _, err := corpus.WriteFile(dir, name, data); err != nil {
			return exit.Errorf(exit.Usage, "a failing input could not be written: %w", err)
		}
		b.Path = dir + "/" + name
	case best.entry.Path != "" && strings.HasPrefix(best.entry.Path, dir):
		b.Path, name = best.entry.Path, best.entry.Name
	case best.entry.Source == corpus.Seed:
		name = best.entry.Name
	default:
		b.Path = best.entry.Path
		return nil
	}
	b.Repro = t.trial.repro(name)
	return nil
}

// valuesOf returns the values of an entry as Go source, without the heading of the
// file.
func valuesOf(data []byte) string {
	_, rest, _ := strings.Cut(string(data), "\n")
	return strings.TrimSpace(rest)
}

// rings lists the other buckets that share repairs with one, by the distance of
// their first inputs.
func (t *triager) rings(bucket int) []report.Ring {
	firsts := make([]int, len(t.sort.sorted.Buckets))
	for i, items := range t.sort.sorted.Buckets {
		firsts[i] = items[0]
	}
	var list []report.Ring
	m := func(i, j int) float64 {
		if t.result.Buckets[i].ByStack || t.result.Buckets[j].ByStack {
			return 1
		}
		return t.sort.sorted.Causal(firsts[i], firsts[j])
	}
	for _, r := range triage.Rings(len(firsts), bucket, m) {
		ring := report.Ring{Distance: r.Distance}
		for _, i := range r.Items {
			ring.Buckets = append(ring.Buckets, i+1)
		}
		list = append(list, ring)
	}
	return list
}

// discover says how soon each label appears.
func (t *triager) discover() {
	if t.opts.Labels == nil {
		return
	}
	var order []int
	var labels [][]string
	seen := make(map[string]bool)
	for _, in := range t.result.Inputs {
		if in.Sorted() && in.Label != "" {
			order, labels = append(order, len(order)), append(labels, []string{in.Label})
			seen[in.Label] = true
		}
	}
	curve := triage.Discovery(order, labels)
	t.result.Labels, t.result.Discovery, t.result.APFD = len(seen), curve, triage.APFD(curve, len(seen))
}

package verify

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/behavior"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/observed"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/revert"
	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/rt/golden"
)

// A difference is an entry whose values are not the golden ones, or that fails.
type difference struct {
	entry     *corpus.Entry
	want, got observed.Observation
	none      bool  // there are no golden values
	repaired  []int // parts of the change, by their number
	part      int   // the one that is the cause; -1: none is known
}

// note keeps an entry that differs. Its golden values are nil if there are none.
func (t *verifiedTest) note(e *corpus.Entry, want *golden.Entry, got *observed.Observation) {
	d := difference{entry: e, got: *got, none: want == nil}
	if want != nil {
		d.want.Values = want.Values
	}
	if len(observed.Compare(&d.want, &d.got)) > 0 {
		t.differ = append(t.differ, d)
	}
}

// key is the same of differences of the same values, in the same way, as "fuzzmut diff"
// sorts them where it knows no cause.
func (d *difference) key() string {
	if d.none {
		return behavior.KindFails
	}
	return observed.Key(&d.want, &d.got)
}

// causes sorts the entries that differ, those first that a part of the change repairs, by
// the part, and others by what differs. In both, what most of them show comes first.
func (t *verifiedTest) causes(ctx context.Context) {
	slices.SortStableFunc(t.differ, func(a, b difference) int { return a.entry.Input.Compare(b.entry.Input) })
	parts := t.suspect.find(ctx, t.report.Name, t.differ)
	var repaired [][]int
	for i := range t.differ {
		repaired = append(repaired, t.differ[i].repaired)
	}
	_, of := revert.Assign(repaired, parts)
	var groups [][]*difference
	at := make(map[string]int)
	for i := range t.differ {
		d := &t.differ[i]
		key := d.key()
		if d.part = of[i]; d.part >= 0 {
			key = fmt.Sprint("part ", d.part)
		}
		n, ok := at[key]
		if !ok {
			n = len(groups)
			at[key], groups = n, append(groups, nil)
		}
		groups[n] = append(groups[n], d)
	}
	slices.SortStableFunc(groups, func(a, b []*difference) int {
		if x, y := a[0].part >= 0, b[0].part >= 0; x != y {
			if x {
				return -1
			}
			return 1
		}
		return cmp.Compare(len(b), len(a))
	})
	for _, g := range groups {
		c := t.cause(g)
		if part := g[0].part; part >= 0 {
			c.Attributed = behavior.ByRepair
			for _, ref := range parts[part] {
				f := &t.suspect.pair.Files[ref.File]
				h := revert.Describe(f)[ref.Hunk]
				h.Reached, h.Seen = true, true
				c.Hunks = behavior.AppendHunk(c.Hunks, h)
			}
		}
		t.report.Causes = append(t.report.Causes, c)
	}
}

// cause describes entries that differ in the same way, by the first of them, the smallest.
func (t *verifiedTest) cause(group []*difference) behavior.Cause {
	small := group[0]
	c := behavior.Cause{
		Kind: observed.Kind(&small.want, &small.got), Package: t.report.Package, Fuzz: t.report.Name, Call: t.report.Name,
		Input: small.entry.Input.String(), Entry: string(small.entry.Input.Encode()), Inputs: int64(len(group)),
	}
	for _, d := range group {
		c.Entries = append(c.Entries, t.entryName(d.entry))
	}
	if small.none {
		c.Kind, c.Values = behavior.KindFails, []behavior.Value{{Name: behavior.Outcome, New: small.got.Failure, Place: t.place(nil)}}
		return c
	}
	for _, ch := range observed.Compare(&small.want, &small.got) {
		c.Values = append(c.Values, behavior.Value{Name: ch.Name, Old: ch.Want, New: ch.Got, Place: t.place(t.siteOf(&small.got, ch.Name))})
	}
	return c
}

// place is where a value is observed, or else the fuzz test.
func (t *verifiedTest) place(site *instrument.Site) string {
	if site == nil {
		file, line := t.trial.Place()
		return fmt.Sprintf("%s:%d", file, line)
	}
	return fmt.Sprintf("%s:%d", t.relative(site.File), site.Line)
}

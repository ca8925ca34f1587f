package verify

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/behavior"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/observed"
	"github.com/fuzzmut/fuzzmut/instrument/rt/golden"
)

// A difference is an entry whose values are not the golden ones, or that fails.
type difference struct {
	entry     *corpus.Entry
	want, got observed.Observation
	none      bool // there are no golden values
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

// causes sorts the entries that differ: what most of them show comes first.
func (t *verifiedTest) causes() {
	var groups [][]*difference
	at := make(map[string]int)
	for i := range t.differ {
		d := &t.differ[i]
		n, ok := at[d.key()]
		if !ok {
			n = len(groups)
			at[d.key()], groups = n, append(groups, nil)
		}
		groups[n] = append(groups[n], d)
	}
	slices.SortStableFunc(groups, func(a, b []*difference) int { return cmp.Compare(len(b), len(a)) })
	for _, g := range groups {
		t.report.Causes = append(t.report.Causes, t.cause(g))
	}
}

// cause describes entries that differ in the same way, by the smallest of them.
func (t *verifiedTest) cause(group []*difference) behavior.Cause {
	small := slices.MinFunc(group, func(a, b *difference) int { return a.entry.Input.Compare(b.entry.Input) })
	c := behavior.Cause{
		Kind: observed.Kind(&small.want, &small.got), Package: t.report.Package, Fuzz: t.report.Name, Call: t.report.Name,
		Input: small.entry.Input.String(), Entry: string(small.entry.Input.Encode()), Inputs: int64(len(group)),
		Entries: []string{t.entryName(small.entry)},
	}
	for _, d := range group {
		if d != small {
			c.Entries = append(c.Entries, t.entryName(d.entry))
		}
	}
	if small.none {
		c.Kind, c.Values = behavior.KindFails, []behavior.Value{{Name: "fuzz target", New: small.got.Failure}}
		return c
	}
	for _, ch := range observed.Compare(&small.want, &small.got) {
		v := behavior.Value{Name: ch.Name, Old: ch.Want, New: ch.Got}
		if site := t.siteOf(&small.got, ch.Name); site != nil {
			v.Place = fmt.Sprintf("%s:%d", t.relative(site.File), site.Line)
		}
		c.Values = append(c.Values, v)
	}
	return c
}

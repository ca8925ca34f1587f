package report

import "slices"

// Canonical returns a copy of r for programs, with mutants in the order of the source.
// Lists without elements are written as [], never as null.
func (r *Report) Canonical() any {
	out := Report{Version: FormatVersion, Diff: r.Diff, DiffBy: r.DiffBy, Tests: make([]FuzzTest, len(r.Tests)), Baseline: r.Baseline}
	if r.Baseline.File != "" {
		out.Baseline.Stale = present(r.Baseline.Stale)
	}
	for i, t := range r.Tests {
		t.Mutants = ranked(t.Mutants)
		t.Crashes = present(t.Crashes)
		for j := range t.Crashes {
			t.Crashes[j].Frames = present(t.Crashes[j].Frames)
			t.Crashes[j].Entries = present(t.Crashes[j].Entries)
		}
		t.Flaky = slices.Clone(t.Flaky)
		for j := range t.Flaky {
			t.Flaky[j].Frames = present(t.Flaky[j].Frames)
		}
		t.Costs = slices.Clone(t.Costs)
		for j := range t.Costs {
			c := &t.Costs[j]
			c.Frames, c.Others, c.Curve = present(c.Frames), present(c.Others), present(c.Curve)
		}
		t.Corpus.Files = present(t.Corpus.Files)
		t.Corpus.Removed = present(t.Corpus.Removed)
		if t.Score.KillKinds == nil {
			t.Score.KillKinds = map[string]int{}
		}
		t.Score.Absent = t.NotMeasured != ""
		t.Coverage.Absent = t.Score.Absent
		out.Tests[i] = t
	}
	return &out
}

// Canonical returns a copy of l for programs, with mutants in the order of the source.
func (l *Listing) Canonical() any {
	return &Listing{Version: FormatVersion, Mutants: Ordered(l.Mutants), Skips: present(l.Skips), Untested: l.Untested}
}

// ranked returns a copy of ms in the order of the source, with the ranks of survivors and those
// that they are shown by.
func ranked(ms []Mutant) []Mutant {
	ms = Ordered(ms)
	findings := Findings(ms)
	for i, m := range InOrder(findings) {
		m.Rank, m.ShownBy, m.Unchecked = i+1, "", false
	}
	for _, f := range findings {
		f.Unchecked = f.Whole
		for _, m := range f.others() {
			m.ShownBy = f.ID
		}
	}
	return ms
}

// Ordered returns a copy of ms in the order of the source.
func Ordered(ms []Mutant) []Mutant {
	ms = present(ms)
	slices.SortFunc(ms, func(a, b Mutant) int { return ByPosition(&a, &b) })
	return ms
}

// present returns a copy of s that is not nil.
func present[T any](s []T) []T { return append([]T{}, s...) }

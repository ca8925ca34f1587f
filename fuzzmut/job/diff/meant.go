package diff

import (
	"context"
	"slices"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/accepted"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/project"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/revert"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/versions"
)

// placesMost bounds the parts of a change that have the same lines.
const placesMost = 4

// A lined hunk is one by its lines, as lists of accepted differences have them.
type lined struct {
	ref   versions.Ref
	in    string // the declaration
	lines []string
}

// parts finds parts of the change by their lines.
type parts []lined

// parts are those of the change that the report has.
func (j *job) parts() (all parts) {
	for i := range j.report.Changes {
		f := &j.report.Changes[i]
		for k := range f.Hunks {
			if lines := accepted.ChangedLines(linesOf(&f.Hunks[k])); len(lines) > 0 {
				all = append(all, lined{versions.Ref{File: i, Hunk: k}, f.Hunks[k].In, lines})
			}
		}
	}
	return all
}

// in returns the hunks in some declarations; no names stand for any.
func (all parts) in(names []string) parts {
	if len(names) == 0 {
		return all
	}
	return slices.DeleteFunc(slices.Clone(all), func(l lined) bool { return !slices.Contains(names, l.in) })
}

// with returns the parts whose hunks have the lines given, in their order.
func (all parts) with(lines []string) (list []revert.Part) {
	dead := make(map[[2]int]bool) // hunks and lines from which on nothing was found
	var from func(at int, rest []string, p revert.Part)
	from = func(at int, rest []string, p revert.Part) {
		if len(rest) == 0 {
			list = append(list, slices.Clone(p))
			return
		}
		state, had := [2]int{at, len(rest)}, len(list)
		if dead[state] {
			return
		}
		for i := at; i < len(all) && len(list) < placesMost; i++ {
			if n := len(all[i].lines); n <= len(rest) && slices.Equal(all[i].lines, rest[:n]) {
				from(i+1, rest[n:], append(p, all[i].ref))
			}
		}
		dead[state] = len(list) == had
	}
	if len(lines) > 0 {
		from(0, lines, nil)
	}
	return list
}

// holds says whether the part with some lines is within the one with others.
func (all parts) holds(part, within []string) bool {
	whole := all.with(within)
	return slices.ContainsFunc(all.with(part), func(p revert.Part) bool {
		return slices.ContainsFunc(whole, func(w revert.Part) bool { return w.Has(p...) })
	})
}

// accepted tries the parts that are causes of accepted differences, and all of them
// together. No clock limits that: else an accepted difference would be a new one whenever
// the time is over before its part is tried.
func (r *attempts) accepted(ctx context.Context) error {
	all := r.parts()
	var known []revert.Part
	for _, e := range r.meant[r.importPath()].list.Entries {
		if !slices.Contains(e.Tests, r.test.Name) {
			continue
		}
		for _, p := range all.in(e.In).with(e.ChangedLines()) {
			compiles, err := r.revert(ctx, p)
			if err != nil {
				return err
			}
			if compiles {
				r.least[r.number(p)] = true
				known = append(known, p)
			}
		}
	}
	if !r.open() {
		return nil
	}
	_, err := r.revert(ctx, revert.Join(known...))
	return err
}

// partIDs are what lists of accepted differences know the hunks of a part by.
func (j *job) partIDs(p revert.Part) (list []string) {
	for _, ref := range p {
		h := &j.report.Changes[ref.File].Hunks[ref.Hunk]
		list = append(list, accepted.Part(h.In, linesOf(h)))
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// recorded finds out which of the differences that no part repairs are among what the change
// was when a difference without lines was accepted: the recorded parts together repair them.
// They are no one cause with others of the same values.
func (r *attempts) recorded(ctx context.Context) error {
	var open []*difference
	for _, d := range r.list {
		if len(d.repaired) == 0 {
			open = append(open, d)
		}
	}
	for i, e := range r.meant[r.importPath()].list.Entries {
		if len(open) == 0 {
			return nil
		}
		if len(e.ChangedLines()) > 0 || !slices.Contains(e.Tests, r.test.Name) {
			continue
		}
		without, err := r.without(ctx, e.Parts)
		if err != nil {
			return err
		}
		if without == nil {
			continue
		}
		seen, err := r.runOn(ctx, without, open)
		if err != nil {
			return err
		}
		for k, d := range open {
			if seen != nil && d.recorded == 0 && r.isRepaired(d, &seen[k]) {
				d.recorded = i + 1
			}
		}
	}
	return nil
}

// among gives causes the parts of the change that they are among. A cause without a known line
// has those that were recorded for such a difference, if these repair the input that is shown,
// or else all.
func (r *attempts) among(ctx context.Context, all []explained) error {
	for _, e := range all {
		if e.part >= 0 {
			e.cause.Parts = r.partIDs(r.tried[e.part])
			continue
		}
		e.cause.Parts, e.cause.Late = r.partIDs(r.repairs.Everything()), r.bounded != ""
		for i := range r.meant[r.importPath()].list.Entries {
			entry := &r.meant[r.importPath()].list.Entries[i]
			if !entry.Alters(asDifference(e.cause)) {
				continue
			}
			without, err := r.without(ctx, entry.Parts)
			if err != nil {
				return err
			}
			if without == nil {
				continue
			}
			ok, err := r.isRepairedBy(ctx, e.seen, without)
			if err != nil {
				return err
			}
			if ok {
				e.cause.Parts = entry.Parts
			}
		}
	}
	return nil
}

// without is new code without the parts of the change that a list of accepted differences
// names; nil if they are none or all of it, or if that does not compile.
func (r *attempts) without(ctx context.Context, ids []string) (*project.Package, error) {
	whole := r.repairs.Everything()
	p := slices.DeleteFunc(slices.Clone(whole), func(ref versions.Ref) bool {
		return !slices.Contains(ids, r.partIDs(revert.Part{ref})[0])
	})
	if len(p) == 0 || len(p) == len(whole) {
		return nil, nil
	}
	return r.repairs.Build(ctx, p)
}

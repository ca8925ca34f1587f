package diff

import (
	"context"
	"slices"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/accepted"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/revert"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/versions"
)

// placesMost bounds the parts of a change that have the same lines.
const placesMost = 4

// A lined hunk is one by its lines, as lists of accepted differences have them.
type lined struct {
	ref   versions.Ref
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
				all = append(all, lined{versions.Ref{File: i, Hunk: k}, lines})
			}
		}
	}
	return all
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
		for _, p := range all.with(e.ChangedLines()) {
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

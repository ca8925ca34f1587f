package revert

import (
	"context"
	"slices"

	"github.com/fuzzmut/fuzzmut/fuzzmut/run/project"
)

// minimalMost bounds the parts that Minimal tries.
const minimalMost = 60

// Minimal returns a part of p that repairs, and none of whose units can be left out: it is
// ddmin of Zeller and Hildebrandt, "Simplifying and Isolating Failure-Inducing Input" (IEEE
// Transactions on Software Engineering 28(2), 2002), section 3. A part that does not compile
// repairs nothing, so hunks that need each other stay, though none of them is needed: in the
// end, groups of hunks are left out as well. If 60 parts are tried, or the time of ctx is
// over, it is the smallest that was found until then.
func (b *Builder) Minimal(ctx context.Context, p Part, repairs func(p Part, without *project.Package) (bool, error)) (Part, error) {
	p = p.sorted()
	units := b.units(p)
	left := bounds{built: minimalMost, checked: checksMost}
	for n := 2; len(units) > 1 && left.some(); {
		candidates := subsets(units, n)
		at, err := b.first(ctx, candidates, &left, repairs)
		if at < 0 && err == nil && n >= len(units) && left.some() {
			candidates = b.withoutGroups(p)
			at, err = b.first(ctx, candidates, &left, repairs)
			n = len(candidates) + 1 // found or not, it begins again, or ends
		}
		switch {
		case ctx.Err() != nil:
			return p, nil
		case err != nil:
			return nil, err
		case at < 0 && n >= len(units):
			return p, nil
		case at < 0:
			n = min(2*n, len(units))
			continue
		}
		p = candidates[at].sorted()
		units = b.units(p)
		if at < n {
			n = 2
		} else {
			n--
		}
		n = min(n, max(len(units), 2))
	}
	return p, nil
}

// withoutGroups returns a part without the hunks of each group in it, and these hunks alone.
func (b *Builder) withoutGroups(p Part) (list []Part) {
	seen := make(map[string]bool)
	for _, g := range b.allGroups() {
		var in, out Part
		for _, u := range b.units(p) {
			if u.Shares(g) {
				in = append(in, u...)
			} else {
				out = append(out, u...)
			}
		}
		if len(in) < 2 || len(out) == 0 {
			continue
		}
		for _, some := range []Part{in, out} {
			if !seen[some.key()] {
				seen[some.key()] = true
				list = append(list, some)
			}
		}
	}
	return list
}

// bounds are how many parts may still be built and checked.
type bounds struct{ built, checked int }

func (l *bounds) some() bool { return l.built > 0 && l.checked > 0 }

// subsets cuts a part, as its units, into n pieces of about as many, and returns these, and
// then what each of them leaves of the part. Of two pieces each is what the other leaves.
func subsets(units []Part, n int) (list []Part) {
	var rest []Part
	for i := range n {
		from, to := i*len(units)/n, (i+1)*len(units)/n
		list = append(list, slices.Concat(units[from:to]...))
		rest = append(rest, slices.Concat(slices.Concat(units[:from], units[to:])...))
	}
	if n == 2 {
		return list
	}
	return append(list, rest...)
}

// first returns the index of the first part that repairs, -1 if none does, or if the bounds
// are reached.
func (b *Builder) first(ctx context.Context, parts []Part, left *bounds, repairs func(p Part, without *project.Package) (bool, error)) (int, error) {
	for next := 0; next < len(parts) && left.some(); {
		var some []Part
		var at []int
		for ; next < len(parts) && left.some() && len(some) < max(b.Project.Options.Parallel, 1); next++ {
			if err := ctx.Err(); err != nil {
				return -1, err
			}
			left.checked--
			if b.fits(parts[next]) {
				left.built--
				some, at = append(some, parts[next]), append(at, next)
			}
		}
		built, err := b.all(ctx, some)
		if err != nil {
			return -1, err
		}
		for i, without := range built {
			if without != nil {
				if ok, err := repairs(some[i], without); ok || err != nil {
					return at[i], err
				}
			}
		}
	}
	return -1, nil
}

package revert

import (
	"context"
	"slices"

	"github.com/fuzzmut/fuzzmut/fuzzmut/run/project"
)

// minimalMost bounds the parts that Minimal tries.
const minimalMost = 60

// Minimal returns a part of p that repairs, and none of whose hunks can be left out: it is
// ddmin of Zeller and Hildebrandt, "Simplifying and Isolating Failure-Inducing Input" (IEEE
// Transactions on Software Engineering 28(2), 2002), section 3. A part that does not compile
// repairs nothing. If 60 parts are tried, or the time of ctx is over, it is the smallest that
// was found until then.
func (b *Builder) Minimal(ctx context.Context, p Part, repairs func(p Part, without *project.Package) (bool, error)) (Part, error) {
	p = p.sorted()
	for n, left := 2, minimalMost; len(p) > 1 && left > 0; {
		candidates := subsets(p, n)
		at, err := b.first(ctx, candidates[:min(len(candidates), left)], repairs)
		switch {
		case ctx.Err() != nil:
			return p, nil
		case err != nil:
			return nil, err
		case at < 0 && n >= len(p):
			return p, nil
		case at < 0:
			left -= len(candidates)
			n = min(2*n, len(p))
			continue
		}
		left -= at + 1
		p = candidates[at]
		if at < n {
			n = 2
		} else {
			n--
		}
		n = min(n, max(len(p), 2))
	}
	return p, nil
}

// subsets cuts a part into n pieces of about the same size, and returns these, and then what
// each of them leaves of the part. Of two pieces each is what the other leaves.
func subsets(p Part, n int) (list []Part) {
	var rest []Part
	for i := range n {
		from, to := i*len(p)/n, (i+1)*len(p)/n
		list = append(list, p[from:to])
		rest = append(rest, slices.Concat(p[:from], p[to:]))
	}
	if n == 2 {
		return list
	}
	return append(list, rest...)
}

// first returns the index of the first part that repairs, -1 if none does.
func (b *Builder) first(ctx context.Context, parts []Part, repairs func(p Part, without *project.Package) (bool, error)) (int, error) {
	at := 0
	for some := range slices.Chunk(parts, max(b.Project.Options.Parallel, 1)) {
		built, err := b.all(ctx, some)
		if err != nil {
			return -1, err
		}
		for i, without := range built {
			if without != nil {
				if ok, err := repairs(some[i], without); ok || err != nil {
					return at, err
				}
			}
			at++
		}
	}
	return -1, nil
}

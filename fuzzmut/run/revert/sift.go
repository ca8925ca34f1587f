package revert

import (
	"cmp"
	"context"
	"math/bits"
	"slices"

	"github.com/fuzzmut/fuzzmut/fuzzmut/run/project"
)

// piecesMost bounds the pieces that parts are cut into if they do not compile together.
const piecesMost = 4

// A union is parts that were reverted together, and the differences that this repairs.
type union struct {
	part     Part
	repaired []bool
}

// Sift returns parts in the order in which to try them: first those that alone would explain
// what many parts together repair. Each part is reverted with those that have one bit of their
// number in common, so that about 2 log2(n) builds find the single cause of each difference
// among n parts. That is group testing, after Dorfman, "The Detection of Defective Members of
// Large Populations" (Annals of Mathematical Statistics 14(4), 1943), not adaptive. Nothing
// is built if that would take more than half as many builds as there are such parts: those
// that some input may have reached, in the functions given, if there are any. These are the
// ones that return something else, and what Parts begins with.
//
// Sift decides about the order alone: differences with several causes, and parts that act on
// each other, leave the order as it was. If the time of ctx is over, it returns what it knows.
func (b *Builder) Sift(ctx context.Context, parts []Part, functions []string, repairs func(without *project.Package) ([]bool, error)) ([]Part, error) {
	unions := b.unions(b.alone(parts, functions))
	var known []union
	for len(unions) > 0 {
		some := unions[:min(len(unions), max(b.Project.Options.Parallel, 1))]
		unions = unions[len(some):]
		built, err := b.all(ctx, some)
		if ctx.Err() != nil {
			break
		}
		if err != nil {
			return nil, err
		}
		for i, without := range built {
			if without == nil {
				continue
			}
			repaired, err := repairs(without)
			if ctx.Err() != nil {
				break
			}
			if err != nil {
				return nil, err
			}
			known = append(known, union{some[i], repaired})
		}
	}
	return byUnions(parts, known), nil
}

// alone returns the parts that inputs may have reached, in some functions if any are given,
// and that may compile alone. Those that hold others are left out.
func (b *Builder) alone(parts []Part, functions []string) []Part {
	return slices.DeleteFunc(slices.Clone(parts), func(p Part) bool {
		return len(b.reached(p)) == 0 || len(functions) > 0 && !b.touches(p, functions...) ||
			slices.ContainsFunc(parts, p.Contains) || !b.fits(p)
	})
}

// unions returns what is reverted together to sift parts; nil: trying them takes no longer.
func (b *Builder) unions(parts []Part) (list []Part) {
	width := bits.Len(uint(max(len(parts)-1, 0)))
	if 4*width > len(parts) {
		return nil
	}
	for bit := range width {
		var sets [2][]Part
		for i, p := range parts {
			at := i >> bit & 1
			sets[at] = append(sets[at], p)
		}
		for _, set := range sets {
			list = append(list, b.pieces(set, piecesMost)...)
		}
	}
	if 2*len(list) > len(parts) {
		return nil
	}
	return list
}

// pieces returns parts joined into as few as may compile, at most some.
func (b *Builder) pieces(parts []Part, most int) []Part {
	if all := Join(parts...); b.fits(all) {
		return []Part{all}
	}
	if half := len(parts) / 2; half > 0 && most > 1 {
		return append(b.pieces(parts[:half], most/2), b.pieces(parts[half:], most/2)...)
	}
	return nil
}

// byUnions sorts parts by how many differences each explains, given what unions repair: as
// their only cause, and else as what all that repair them have in common.
func byUnions(parts []Part, unions []union) []Part {
	type rank struct {
		part         Part
		only, common int
	}
	var list []rank
	for _, p := range parts {
		r := rank{part: p}
		r.only, r.common = explains(p, unions)
		list = append(list, r)
	}
	slices.SortStableFunc(list, func(x, y rank) int {
		return cmp.Or(cmp.Compare(y.only, x.only), cmp.Compare(y.common, x.common))
	})
	sorted := make([]Part, 0, len(parts))
	for _, r := range list {
		sorted = append(sorted, r.part)
	}
	return sorted
}

// explains counts differences: those that exactly the unions with a part repair, and those
// that only unions with it do.
func explains(p Part, unions []union) (only, common int) {
	if len(unions) == 0 {
		return 0, 0
	}
	in := make([]bool, len(unions))
	for k, u := range unions {
		in[k] = u.part.Has(p...)
	}
	for d := range unions[0].repaired {
		repaired, exact, within := false, true, true
		for k, u := range unions {
			repaired = repaired || u.repaired[d]
			exact = exact && u.repaired[d] == in[k]
			within = within && (in[k] || !u.repaired[d])
		}
		if repaired && exact {
			only++
		}
		if repaired && within {
			common++
		}
	}
	return only, common
}

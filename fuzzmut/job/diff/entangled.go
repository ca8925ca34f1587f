package diff

import (
	"context"
	"slices"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/behavior"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/lockstep"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/revert"
)

const (
	// jointMost bounds the pairs of causes that are reverted together.
	jointMost = 12
	// brokenShare is one of how many inputs has to break, and brokenLeast how many of them. Two
	// causes may cancel each other out on few: taking one of them back is no worse a program for
	// that.
	brokenShare = 100
	brokenLeast = 2
)

// entangled makes one cause of those that can't be taken back alone. New code without the part of
// a cause is a third program. Where old and new code agree and that does something else, more
// of the change has to be reverted with the part. If the part of another cause is enough, the two
// need each other. Those of another kind stay apart, since one input shows one kind only, and so
// does what is accepted: that is a cause by itself.
func (r *attempts) entangled(ctx context.Context, all []explained) ([]explained, error) {
	stays := func(e explained) bool { return e.part < 0 || e.cause.Kind == behavior.KindWork || r.means(e.cause) }
	if len(slices.DeleteFunc(slices.Clone(all), stays)) < 2 {
		return all, nil
	}
	limited, cancel := r.timed(ctx, besideTime)
	defer cancel()
	alike, err := r.agreed(limited)
	tries := 0
	for i := 0; i < len(all) && err == nil; i++ {
		if stays(all[i]) {
			continue
		}
		var broken []*difference
		broken, err = r.breaks(limited, r.tried[all[i].part], alike)
		if len(broken) < brokenLeast || len(broken)*brokenShare <= len(alike) {
			continue
		}
		for k := 0; k < len(all) && err == nil && tries < jointMost && !r.usedUp(); k++ {
			if k == i || stays(all[k]) || all[k].cause.Kind != all[i].cause.Kind {
				continue
			}
			tries++
			var one bool
			if one, err = r.join(limited, &all[i], all[k], broken); one {
				all = slices.Delete(all, k, k+1)
				i = min(i, k) - 1 // what both are may need a third one
				break
			}
		}
	}
	if ctx.Err() == nil && limited.Err() != nil {
		return all, nil // the time is over: the causes stay apart
	}
	return all, err
}

// join makes one cause of two, if reverting both repairs what each is shown by, and breaks none of
// the inputs that reverting the first alone breaks. It returns false if they are two.
func (r *attempts) join(ctx context.Context, e *explained, o explained, broken []*difference) (bool, error) {
	joint := revert.Join(r.tried[e.part], r.tried[o.part])
	without, err := r.repairs.Build(ctx, joint)
	if err != nil || without == nil {
		return false, err
	}
	list := append([]*difference{e.seen, o.seen}, broken...)
	repaired, err := r.repairedIn(ctx, list, without)
	if err != nil || slices.Contains(repaired, false) {
		return false, err
	}
	if err := r.try(ctx, joint, without); err != nil {
		return false, err
	}
	e.take(o)
	e.part = r.number(joint)
	e.cause.Hunks = r.hunksOf(joint, e.cause.Kind)
	return true, nil
}

// agreed lists inputs of the search on which both sides do the same, as differences that are none.
func (r *attempts) agreed(ctx context.Context) (list []*difference, err error) {
	for _, in := range r.alike {
		list = append(list, &difference{Result: lockstep.Result{Input: in}})
	}
	if err := r.observe(ctx, list); err != nil {
		return nil, err
	}
	return slices.DeleteFunc(list, func(d *difference) bool { return len(changes(d)) > 0 }), nil
}

// breaks returns those inputs that old code and new code treat alike, and new code without a part
// does not.
func (r *attempts) breaks(ctx context.Context, p revert.Part, alike []*difference) (broken []*difference, err error) {
	without, err := r.repairs.Build(ctx, p)
	if err != nil || without == nil || len(alike) == 0 {
		return nil, err
	}
	repaired, err := r.repairedIn(ctx, alike, without)
	for i, same := range repaired {
		if !same {
			broken = append(broken, alike[i])
		}
	}
	return broken, err
}

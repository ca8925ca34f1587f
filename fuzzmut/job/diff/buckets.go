package diff

import (
	"fmt"
	"slices"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/behavior"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/lockstep"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/observed"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/revert"
)

// A bucket is the differences that have one cause.
type bucket struct {
	part int // that repairs them; -1: none is known
	list []*difference
	rest bool // what shows none of the causes that are known
}

// inputs is how many inputs differ as those of the bucket do.
func (b *bucket) inputs() (n int64) {
	groups := make(map[*lockstep.Group]bool)
	for _, d := range b.list {
		if !groups[d.group] {
			groups[d.group] = true
			n += d.group.Count
		}
	}
	return n
}

// sortByRepair sorts differences by their causes, see revert.Assign. What no part repairs is
// sorted by what differs.
func sortByRepair(list []*difference, parts []revert.Part) (buckets []bucket) {
	causes, of := revert.Assign(repairsOf(list), parts)
	for _, cause := range causes {
		b := bucket{part: cause}
		for i, d := range list {
			if of[i] == cause {
				b.list = append(b.list, d)
			}
		}
		buckets = append(buckets, b)
	}
	byValue := make(map[string]int)
	for i, d := range list {
		if of[i] >= 0 {
			continue
		}
		key := valueKey(d)
		at, ok := byValue[key]
		if !ok {
			at = len(buckets)
			byValue[key] = at
			buckets = append(buckets, bucket{part: -1})
		}
		buckets[at].list = append(buckets[at].list, d)
	}
	return buckets
}

// valueKey sorts a difference by its kind, by what differs, and by what was recorded of it.
func valueKey(d *difference) string {
	if d.workOnly() {
		return behavior.KindWork
	}
	return fmt.Sprintf("%s of %d", observed.Key(&d.sides[before], &d.sides[after]), d.recorded)
}

// separate leaves out what is not a separate cause. Where a part repairs, reverting more than
// that is needed only beside it: an input shows several causes, or the rest of the change
// there follows from the first. And parts that all need the same hunk are one cause: none can be
// taken back without what the other one needs.
func separate(all []explained, parts []revert.Part) (list []explained) {
	var least []explained
	for _, e := range all {
		if len(within(all, e.part, parts)) == 0 {
			least = append(least, e)
		}
	}
	for _, e := range all {
		for _, i := range within(least, e.part, parts) {
			least[i].take(e)
		}
	}
	var hunks []revert.Part // of all that is one with the causes in list
	for _, e := range least {
		into := -1
		for k := 0; k < len(list); k++ {
			switch {
			case e.part < 0 || !parts[e.part].Shares(hunks[k]):
			case into < 0:
				into = k
				list[k].take(e)
				hunks[k] = revert.Join(hunks[k], parts[e.part])
			default: // e connects two of them
				list[into].take(list[k])
				hunks[into] = revert.Join(hunks[into], hunks[k])
				list, hunks = slices.Delete(list, k, k+1), slices.Delete(hunks, k, k+1)
				k--
			}
		}
		if into < 0 {
			list, hunks = append(list, e), append(hunks, nil)
			if e.part >= 0 {
				hunks[len(hunks)-1] = parts[e.part]
			}
		}
	}
	return list
}

// within lists the causes whose parts are smaller parts of another one, by their index.
func within(all []explained, part int, parts []revert.Part) (list []int) {
	for i, o := range all {
		if part >= 0 && o.part >= 0 && parts[part].Contains(parts[o.part]) {
			list = append(list, i)
		}
	}
	return list
}

// count counts the inputs of a bucket for the causes within its part: for all of them if
// there is nothing else in it, else for a single one. Which of several it is was not looked at.
func (r *attempts) count(all []explained, within []int, b *bucket) {
	var hunks revert.Part
	for _, i := range within {
		hunks = revert.Join(hunks, r.tried[all[i].part])
	}
	joint := hunks.Has(r.tried[b.part]...)
	for _, i := range within {
		all[i].with = append(all[i].with, b.part)
		if joint || len(within) == 1 {
			all[i].cause.Inputs += b.inputs()
		}
	}
}

// take counts what another cause stands for as inputs of e.
func (e *explained) take(o explained) {
	e.cause.Inputs += o.cause.Inputs
	e.with = append(append(e.with, o.part), o.with...)
}

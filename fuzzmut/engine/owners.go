package engine

import "github.com/fuzzmut/fuzzmut/instrument/rt/wire"

// What an entry is kept for changes as the corpus grows: a feature, or a living
// mutant that is infected, belongs to the entry that shows it at the least price.
// An entry that owns nothing any more is redundant. The books are kept with every
// change, at a cost in proportion to the change and not to the corpus.

// rareUnit is the rarity of a feature that one entry has.
const rareUnit = 1 << 16

// feature is what the corpus knows about a feature.
type feature struct {
	entries int    // how many have it
	owner   *Entry // the cheapest of them
}

// rarity is divided by the entries that have the feature. It is a whole number,
// so that sums of it come out the same in any order.
func (f *feature) rarity() int64 { return rareUnit / int64(f.entries) }

// price is what entries with the same use are compared by.
func (en *Entry) price() int64 {
	return (en.Cost + inputFuel) * int64(len(en.Input)+inputBytes)
}

// redundant reports whether other entries show all that this one does.
func (en *Entry) redundant() bool {
	return en.owned == 0 && en.nearest == 0 && en.Kills == 0
}

// touch has the scheduler weigh an entry anew. The caller holds the lock, of this
// and all functions below.
func (e *Engine) touch(en *Entry) {
	if !en.touched {
		en.touched = true
		e.touched = append(e.touched, en)
	}
}

// has reports whether an entry has a feature.
func (e *Engine) has(number wire.Feature) bool {
	return int(number) < len(e.features) && e.features[number].entries > 0
}

// show notes that an entry has a feature.
func (e *Engine) show(en *Entry, number wire.Feature) {
	if n := int(number) + 1; n > len(e.features) {
		e.features = append(e.features, make([]feature, n-len(e.features))...)
	}
	f := &e.features[number]
	old := f.owner
	if old != nil {
		old.rare -= f.rarity()
		e.touch(old)
	}
	f.entries++
	if old == nil || en.price() < old.price() {
		if old != nil {
			old.owned--
		}
		f.owner = en
		en.owned++
	}
	f.owner.rare += f.rarity()
	e.touch(f.owner)
}

// infects notes that an entry infects mutants without killing them.
func (e *Engine) infects(en *Entry, mutants []uint32) {
	for _, m := range mutants {
		old := e.infector[m]
		if e.dead[m] || old != nil && old.price() <= en.price() {
			continue
		}
		if old != nil {
			old.nearest--
			e.touch(old)
		}
		e.infector[m] = en
		en.nearest++
	}
	e.touch(en)
}

// bury takes the living mutant from the entry nearest to its kill.
func (e *Engine) bury(m uint32) {
	if en := e.infector[m]; en != nil {
		en.nearest--
		e.touch(en)
		e.infector[m] = nil
	}
}

// disown gives what a dropped entry owns to others. It looks at the whole corpus;
// entries are dropped rarely.
func (e *Engine) disown(en *Entry) {
	clear(e.features)
	for m, owner := range e.infector {
		if owner == en {
			e.bury(uint32(m))
		}
	}
	for _, en := range e.entries {
		en.owned, en.rare = 0, 0
		e.touch(en)
	}
	for _, en := range e.entries {
		if en.dropped {
			continue
		}
		for _, f := range en.Features {
			e.show(en, f)
		}
	}
}

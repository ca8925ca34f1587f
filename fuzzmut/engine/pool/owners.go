package pool

import "github.com/fuzzmut/fuzzmut/instrument/rt/wire"

// What an entry is kept for changes as the corpus grows: a feature, or a living
// mutant that is infected, belongs to the entry that shows it at least price.
// An entry that no longer owns anything is redundant. The books are kept with every
// change, at a cost in proportion to the change and not to the corpus.
//
// The caller of each function in this file holds the pool's lock.

// rareUnit is the rarity of a feature that one entry has.
const rareUnit = 1 << 16

// feature is what the corpus knows about a feature.
type feature struct {
	entries int     // how many have it
	owner   *member // the cheapest of them
}

// rarity is divided by the entries that have the feature. It is a whole number,
// so that sums of it come out the same in any order.
func (f *feature) rarity() int64 { return rareUnit / int64(f.entries) }

// price is what entries with the same use are compared by.
func (m *member) price() int64 {
	return (m.Cost + inputFuel) * int64(m.Input.Len()+inputBytes)
}

// redundant reports whether other entries show all that this one does.
func (m *member) redundant() bool {
	return m.owned == 0 && m.nearest == 0 && m.Kills == 0
}

// touch has the schedule weigh an entry again.
func (p *Pool) touch(m *member) {
	if !m.touched {
		m.touched = true
		p.touched = append(p.touched, m)
	}
}

// has reports whether an entry has a feature.
func (p *Pool) has(number wire.Feature) bool {
	return int(number) < len(p.features) && p.features[number].entries > 0
}

// show notes that an entry has a feature.
func (p *Pool) show(m *member, number wire.Feature) {
	if n := int(number) + 1; n > len(p.features) {
		p.features = append(p.features, make([]feature, n-len(p.features))...)
	}
	f := &p.features[number]
	old := f.owner
	if old != nil {
		old.rare -= f.rarity()
		p.touch(old)
	}
	f.entries++
	if old == nil || m.price() < old.price() {
		if old != nil {
			old.owned--
		}
		f.owner = m
		m.owned++
	}
	f.owner.rare += f.rarity()
	p.touch(f.owner)
}

// infects notes that an entry infects mutants without killing them.
func (p *Pool) infects(m *member, mutants []uint32) {
	for _, id := range mutants {
		old := p.infector[id]
		if p.killed[id] || old != nil && old.price() <= m.price() {
			continue
		}
		if old != nil {
			old.nearest--
			p.touch(old)
		}
		p.infector[id] = m
		m.nearest++
	}
	p.touch(m)
}

// release takes a mutant from the entry nearest to its kill.
func (p *Pool) release(mutant uint32) {
	if m := p.infector[mutant]; m != nil {
		m.nearest--
		p.touch(m)
		p.infector[mutant] = nil
	}
}

// disown gives what a dropped entry owns to others. It looks at the whole corpus;
// entries are dropped rarely.
func (p *Pool) disown(m *member) {
	clear(p.features)
	for mutant, owner := range p.infector {
		if owner == m {
			p.release(uint32(mutant))
		}
	}
	for _, m := range p.members {
		m.owned, m.rare = 0, 0
		p.touch(m)
	}
	for _, m := range p.members {
		if m.dropped {
			continue
		}
		for _, f := range m.Features {
			p.show(m, f)
		}
	}
}

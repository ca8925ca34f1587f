package fuzzmutrt

import "github.com/fuzzmut/fuzzmut/instrument/rt/codes"

// Many is what Active is while several mutants are switched on at once: those of Group. Of
// two at one site the first is on.
const Many = 1<<32 - 1

// Group and Fired are bit sets over mutant indices. While Active is Many, Fired gets those
// of Group that have taken effect at their sites. SwitchOn sets them.
var Group, Fired []uint64

// near marks the mutants that stand in Group, or up to siteMost-1 before one that does, by their
// numbers as far as it has places. A site whose first mutant is not marked has none that is on: that
// is seen without a call, since a group has few mutants, and long tests evaluate sites often.
var near [1 << 16]bool

// siteMost is how many mutants a site has at most.
const siteMost = 64 / codes.Bits

// SwitchOn makes the mutants the Group, with room for at least n of them in Fired. Without
// mutants there is no Group.
func SwitchOn(mutants []uint32, n int) {
	Group, Fired, near = nil, nil, [len(near)]bool{}
	if len(mutants) == 0 {
		return
	}
	for _, m := range mutants {
		n = max(n, int(m)+1)
	}
	words := (n + 63) / 64
	Group, Fired = make([]uint64, words), make([]uint64, words)
	for _, m := range mutants {
		set(Group, m)
		for i := range uint32(siteMost) {
			near[uint16(m-i)] = true
		}
	}
}

// active says whether a mutant is switched on. It is inlined.
//
//go:norace
func active(id uint32) bool { return Active == id || near[uint16(id)] && fires(id) }

// fires says whether a mutant is in Group while that is on, and notes that it has taken effect.
//
//go:norace
//go:noinline
func fires(id uint32) bool {
	if Active != Many || !has(Group, id) {
		return false
	}
	set(Fired, id)
	count(id)
	return true
}

// chosenOf returns the code of the alternative that is active at a site: the first that is in
// Group, if that is on. It returns 0 if none is.
//
//go:norace
//go:noinline
func chosenOf(base uint32, alts uint64) uint64 {
	if i := Active - base; i < siteMost {
		return alts >> (codes.Bits * i) & codes.Mask
	}
	for ; alts != 0; base, alts = base+1, alts>>codes.Bits {
		if fires(base) {
			return alts & codes.Mask
		}
	}
	return 0
}

// groupFrom returns which of the 64 mutants from base on are in Group, the lowest bit for base.
//
//go:norace
func groupFrom(base uint32) (on uint64) {
	w, s := int(base>>6), base&63
	if w < len(Group) {
		on = Group[w] >> s
	}
	if w+1 < len(Group) {
		on |= Group[w+1] << (64 - s)
	}
	return on
}

package fuzzmutrt

import "github.com/fuzzmut/fuzzmut/instrument/rt/codes"

// Many is what Active is while several mutants are switched on at once: those of Group. Of
// two at one site the first is on.
const Many = 1<<32 - 1

// Group and Fired are bit sets over mutant indices. While Active is Many, Fired gets those
// of Group that have taken effect at their sites.
var Group, Fired []uint64

// active says whether a mutant is switched on.
//
//go:norace
func active(id uint32) bool { return Active == id || Active == Many && fires(id) }

// fires says whether a mutant is in Group, and notes that it has taken effect.
//
//go:norace
func fires(id uint32) bool { return has(Group, id) && fire(id) }

// fire notes that a mutant of Group has taken effect.
//
//go:norace
//go:noinline
func fire(id uint32) bool {
	set(Fired, id)
	return true
}

// chosenOf returns the code of the first alternative at a site that is in Group, 0 if none is.
// Most sites have none: a group has few mutants, and long tests evaluate sites often.
//
//go:norace
//go:noinline
func chosenOf(base uint32, alts uint64) uint64 {
	for on := groupFrom(base); on != 0 && alts != 0; base, alts, on = base+1, alts>>codes.Bits, on>>1 {
		if on&1 != 0 {
			fire(base)
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

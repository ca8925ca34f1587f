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
//go:noinline
func fires(id uint32) bool {
	if !has(Group, id) {
		return false
	}
	set(Fired, id)
	return true
}

// chosenOf returns the code of the first alternative at a site that is in Group, 0 if none is.
//
//go:norace
//go:noinline
func chosenOf(base uint32, alts uint64) uint64 {
	for ; alts != 0; base, alts = base+1, alts>>codes.Bits {
		if fires(base) {
			return alts & codes.Mask
		}
	}
	return 0
}

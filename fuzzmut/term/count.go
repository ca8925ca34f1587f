package term

import "sync/atomic"

// A Class is a set of terms by what they are, not by what they hold.
type Class uint

// The classes. A term may be in several.
const (
	Free    Class = iota // there are others of the type, apart from those that differ in their parts only
	Leaves               // free, and without parts
	Numbers              // of kind Int, Uint or Float
	classes
)

// in reports whether x is in a class.
func (x *Term) in(c Class) bool {
	switch t := x.Type; t.Kind {
	case Product:
		return false
	case Int, Uint, Float:
		return true
	case Sum:
		return c != Numbers && len(t.Alts) > 1 && (c == Free || len(x.Kids) == 0)
	case Text:
		return c != Numbers
	}
	return c == Free // List
}

// Bits of the packed counts.
const (
	countBits = 20 // more than MaxNodes needs
	counted   = 1 << 63
)

// Count counts the parts of x that are in a class, itself included. It counts once:
// terms never change.
func (x *Term) Count(c Class) int {
	packed := atomic.LoadUint64(&x.counts)
	if packed == 0 {
		packed = counted
		for c := range classes {
			n := uint64(0)
			if x.in(c) {
				n++
			}
			for _, k := range x.Kids {
				n += uint64(k.Count(c))
			}
			packed |= n << (countBits * c)
		}
		atomic.StoreUint64(&x.counts, packed)
	}
	return int(packed >> (countBits * c) & (1<<countBits - 1))
}

// Nth returns the path of the part that is in a class and comes after n others, in
// preorder; there must be one.
func (x *Term) Nth(c Class, n int) Path {
	p := make(Path, 0, 12)
	for {
		if x.in(c) {
			if n == 0 {
				return p
			}
			n--
		}
		for i, k := range x.Kids {
			m := k.Count(c)
			if n < m {
				x, p = k, append(p, i)
				break
			}
			n -= m
		}
	}
}

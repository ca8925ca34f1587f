package fuzzmutrt

import "github.com/fuzzmut/fuzzmut/instrument/rt/codes"

// The helpers of the mutable bodies. Each stands at one site, gets the number of
// the site's first mutant (its mutants have consecutive numbers), and returns the
// original's value, or that of the active mutant. While Tracing it records the
// mutants reached, and those infected: whose value differs, or can't be had
// without a panic. Where a difference can't be told cheaply, infected is assumed;
// it only costs a run of the mutant.
//
// None of them is inlined. The sites are many, and copies of the helpers there
// would take as long to compile as the program. For the same reason those that
// most sites need have separate versions for the usual types, in concrete.go: a
// call of a generic function costs the compiler more.

// reach records that a mutant's site was reached.
//
//go:norace
func reach(mutant uint32) {
	set(Reached, mutant)
	count(mutant)
}

// count counts a mutant in Times.
//
//go:norace
func count(mutant uint32) {
	if int(mutant) < len(Times) {
		Times[mutant]++
	}
}

// infect records that a mutant's value differs.
//
//go:norace
func infect(mutant uint32) { set(Infected, mutant) }

//go:norace
func set(bits []uint64, i uint32) {
	if w, bit := int(i>>6), uint64(1)<<(i&63); w < len(bits) && bits[w]&bit == 0 {
		bits[w] |= bit
	}
}

// trace records that a mutant was reached and, if differs, infected. What was
// pending is no more.
//
//go:norace
func trace(mutant uint32, differs bool) {
	reach(mutant)
	if differs {
		commit(mutant)
	} else {
		settle(mutant)
	}
}

// visit records that the alternatives of a site were reached, which are never pending, and returns which of them are not
// infected yet, the lowest bit for the first: the others are known. Only the first is
// counted, for all of them: see Counted.
//
//go:norace
func visit(base uint32, alts uint64) (open uint64) {
	all := uint64(0)
	for ; alts != 0; alts >>= codes.Bits {
		all = all<<1 | 1
	}
	count(base)
	w, s := int(base>>6), base&63
	cover(w, all<<s)
	if w < len(Infected) {
		open = ^Infected[w] >> s
	}
	if rest := all >> (64 - s); rest != 0 {
		cover(w+1, rest)
		if w+1 < len(Infected) {
			open |= ^Infected[w+1] << (64 - s)
		}
	}
	return open & all
}

// Counted returns how often the sites of some mutants were reached while Tracing, in the order of the mutants, which are
// those in Reached. One that was not counted has its site with the one before it.
func Counted(reached []uint32) (times []uint32) {
	for i, mutant := range reached {
		n := uint32(0)
		if int(mutant) < len(Times) {
			n = Times[mutant]
		}
		if n == 0 && i > 0 {
			n = times[i-1]
		}
		times = append(times, n)
	}
	return times
}

// cover sets bits of a word of Reached. Most often they are set: to write them again would have the next site wait
// for it.
//
//go:norace
func cover(w int, mask uint64) {
	if w < len(Reached) && Reached[w]&mask != mask {
		Reached[w] |= mask
	}
}

// chosen returns the code of the alternative that is active at a site, 0 if none. It is inlined.
//
//go:norace
func chosen(base uint32, alts uint64) uint64 {
	if Active-base < siteMost || near[uint16(base)] {
		return chosenOf(base, alts)
	}
	return 0
}

// Do says whether to execute a statement that mutant id removes.
//
//go:norace
//go:noinline
func Do(id uint32) bool {
	if Tracing {
		trace(id, true)
	}
	return !active(id)
}

// On says whether to execute the statement of mutant id rather than the
// original's.
//
//go:norace
//go:noinline
func On(id uint32) bool {
	if Tracing {
		trace(id, true)
	}
	return active(id)
}

// Lit1 is a constant, or another.
//
//go:norace
//go:noinline
func Lit1[T any](id uint32, v, a T) T {
	if active(id) {
		return a
	}
	if Tracing {
		trace(id, true)
	}
	return v
}

// Num is a constant, or another that is made of it. All of them differ.
//
//go:norace
//go:noinline
func Num[T Integers](base uint32, alts uint64, v T) T {
	if code := chosen(base, alts); code != 0 {
		return madeOf(code, v)
	}
	if Tracing {
		infectAll(base, visit(base, alts))
	}
	return v
}

// infectAll infects mutants from base on, those that open has.
//
//go:norace
func infectAll(base uint32, open uint64) {
	for ; open != 0; base, open = base+1, open>>1 {
		if open&1 != 0 {
			infect(base)
		}
	}
}

//go:norace
func madeOf[T Integers](code uint64, v T) T {
	switch code {
	case codes.Zero:
		return 0
	case codes.One:
		return 1
	case codes.MinusOne:
		return ^T(0)
	case codes.OneMore:
		return v + 1
	case codes.OneLess:
		return v - 1
	}
	return -v
}

// traceAll records n mutants as reached and infected.
//
//go:norace
func traceAll(base, n uint32) {
	if Tracing {
		for i := range n {
			trace(base+i, true)
		}
	}
}

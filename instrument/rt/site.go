package fuzzmutrt

// The helpers of the mutable bodies. Each stands at one site, gets the number of
// the site's first mutant (its mutants have consecutive numbers), and returns the
// original's value, or that of the active mutant. While Tracing it records the
// mutants reached, and those infected: whose value differs, or can't be had
// without a panic. Where a difference can't be told cheaply, infected is assumed;
// it only costs a run of the mutant.

// reach records that a mutant's site was reached.
//
//go:norace
func reach(mutant uint32) { set(Reached, mutant) }

// infect records that a mutant's value differs.
//
//go:norace
func infect(mutant uint32) { set(Infected, mutant) }

//go:norace
func set(bits []uint64, i uint32) {
	if w := int(i >> 6); w < len(bits) {
		bits[w] |= 1 << (i & 63)
	}
}

// trace records that mutant base+i was reached and, if differs, infected.
//
//go:norace
func trace(mutant uint32, differs bool) {
	reach(mutant)
	if differs {
		infect(mutant)
	}
}

// Alternatives are packed four bits each into alts, first lowest; 0 ends them.

// chosen returns the code of the alternative that is active at a site, 0 if none.
//
//go:norace
func chosen(base uint32, alts uint64) uint64 {
	if i := Active - base; i < 16 {
		return alts >> (4 * i) & 15
	}
	return 0
}

// Do says whether to execute a statement that mutant id removes.
//
//go:norace
func Do(id uint32) bool {
	if Tracing {
		trace(id, true)
	}
	return Active != id
}

// On says whether to execute the statement of mutant id rather than the
// original's.
//
//go:norace
func On(id uint32) bool {
	if Tracing {
		trace(id, true)
	}
	return Active == id
}

// Lit1 to Lit5, and LitN, return a constant or one of its alternatives.
//
//go:norace
func Lit1[T any](base uint32, v, a T) T {
	if Active == base {
		return a
	}
	traceAll(base, 1)
	return v
}

// Lit2: see Lit1.
//
//go:norace
func Lit2[T any](base uint32, v, a, b T) T {
	switch Active - base {
	case 0:
		return a
	case 1:
		return b
	}
	traceAll(base, 2)
	return v
}

// Lit3: see Lit1.
//
//go:norace
func Lit3[T any](base uint32, v, a, b, c T) T {
	switch Active - base {
	case 0:
		return a
	case 1:
		return b
	case 2:
		return c
	}
	traceAll(base, 3)
	return v
}

// Lit4: see Lit1.
//
//go:norace
func Lit4[T any](base uint32, v, a, b, c, d T) T {
	switch Active - base {
	case 0:
		return a
	case 1:
		return b
	case 2:
		return c
	case 3:
		return d
	}
	traceAll(base, 4)
	return v
}

// Lit5: see Lit1.
//
//go:norace
func Lit5[T any](base uint32, v, a, b, c, d, e T) T {
	switch Active - base {
	case 0:
		return a
	case 1:
		return b
	case 2:
		return c
	case 3:
		return d
	case 4:
		return e
	}
	traceAll(base, 5)
	return v
}

// LitN: see Lit1.
//
//go:norace
func LitN[T any](base uint32, v T, alts ...T) T {
	if i := Active - base; i < uint32(len(alts)) {
		return alts[i]
	}
	traceAll(base, uint32(len(alts)))
	return v
}

// traceAll records n mutants as reached and infected: constants always differ.
//
//go:norace
func traceAll(base, n uint32) {
	if Tracing {
		for i := range n {
			trace(base+i, true)
		}
	}
}

package exec

import fuzzmutrt "github.com/fuzzmut/fuzzmut/instrument/rt"

// Code that makes garbage in a loop without end takes many times as long for its fuel as
// other code does: a lexer that sends empty tokens for ever needs ten seconds and more to
// burn what is some tenths of a second elsewhere. So the original is out of fuel also where
// it has allocated far more than code does that ends.

const (
	// garbagePerFuel is what the original may allocate, in bytes, for each unit of the
	// fuel that it has: 6 GB for HangFuel, as a quarter is kept for the window.
	garbagePerFuel = 20
	// garbageLeast is what it may allocate in any case.
	garbageLeast = 256 << 20
	// garbagePart is the fuel after which the bytes allocated are read first, and
	// garbageMost that between later readings. It is less where at the rate of the last part
	// too much would be allocated until then, but no less than garbageShort. A reading takes
	// about a microsecond.
	garbagePart  = 16 << 10
	garbageMost  = 128 << 10
	garbageShort = 1 << 10
)

// garbage hands out the fuel of the original, a part at a time.
type garbage struct {
	allocs Allocs
	left   int64  // fuel that was not handed out
	used   int64  // fuel that was
	part   int64  // that was handed out last
	most   uint64 // bytes that may be allocated
	base   uint64 // bytes that the process had allocated at the first reading; 0: there was none
	last   uint64 // and at the last
	out    bool   // more than may be were allocated
	bound  uint64 // what most is at most, if it is not 0
}

// BoundGarbage bounds what a run of the original may allocate, in bytes; 0: its fuel alone does.
func (x *Executor) BoundGarbage(most uint64) { x.litter.bound = most }

// begin hands out the first part, and returns it. What was left of an earlier run is gone.
func (g *garbage) begin(fuel int64) int64 {
	if fuel >= NoFuelLimit || fuel <= garbagePart {
		return fuel
	}
	g.left, g.used, g.part, g.base = fuel-garbagePart, garbagePart, garbagePart, 0
	g.most = uint64(max(garbageLeast, garbagePerFuel*fuel))
	if g.bound > 0 {
		g.most = min(g.most, g.bound)
	}
	return garbagePart
}

// enter is called where the fuel is out. It reports whether there was more.
func (g *garbage) enter() bool {
	if g.left <= 0 {
		return false
	}
	bytes := g.allocs.Read()
	if g.base == 0 {
		g.base, g.last = bytes, bytes
	}
	if g.out = bytes-g.base > g.most; g.out {
		g.left = 0
		return false
	}
	next := min(2*g.part, garbageMost)
	if rate := float64(bytes-g.last) / float64(g.part); float64(next)*rate > float64(g.most-(bytes-g.base)) {
		next = max(int64(float64(g.most-(bytes-g.base))/rate), garbageShort)
	}
	g.part, g.last = next, bytes
	owed := max(0, -1-fuzzmutrt.Fuel) // a call may burn much at once
	part := min(g.left, g.part+owed)
	g.left, g.used = g.left-part, g.used+part
	return Give(part)
}

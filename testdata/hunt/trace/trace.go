// Package trace records which blocks of a program are run, and in which order. The
// calls are put into the program's source by fuzzmut-bench, through the go command's
// overlay.
package trace

// Blocks bounds the numbers of blocks.
const Blocks = 1 << 14

var (
	// Counts are the hits of each block since the last Clear, up to 255.
	Counts [Blocks]uint8
	// Path is the blocks in the order in which they ran, up to its capacity.
	Path = make([]uint16, 0, 1000)
	// Used is the number of blocks that have calls: 0 when none have been put in.
	Used int
	// Off is set while nothing is to be recorded.
	Off bool
)

// Hit is called at the start of a block.
func Hit(block uint16) {
	if Off {
		return
	}
	if Counts[block] < 255 {
		Counts[block]++
	}
	if len(Path) < cap(Path) {
		Path = append(Path, block)
	}
}

// Clear forgets what was recorded.
func Clear() {
	for _, b := range Path {
		Counts[b] = 0
	}
	if len(Path) == cap(Path) {
		clear(Counts[:Used])
	}
	Path = Path[:0]
}

// Package trace records which blocks of a program are run, and in which order. The
// calls are put into the program's source by fuzzmut-bench, through the go command's
// overlay.
package trace

// Blocks bounds the numbers of blocks.
const Blocks = 1 << 14

var (
	// Counts are the hits of each block and operand since the last Clear, up to 255.
	Counts [Blocks]uint8
	// Path is the blocks in the order in which they ran, up to its capacity.
	Path = make([]uint16, 0, 1000)
	// Used is the number of blocks and operands that have calls: 0 when none have been put in.
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

// Here counts an operand of && or ||, which it returns. It is no part of the path, which
// is that of the blocks, as in the experiments of the papers.
func Here[T ~bool](block uint16, operand T) T {
	if Off {
		return operand
	}
	switch Counts[block] {
	case 0:
		operands = append(operands, block)
	case 255:
		return operand
	}
	Counts[block]++
	return operand
}

// operands are those that were counted since the last Clear.
var operands []uint16

// Clear forgets what was recorded.
func Clear() {
	for _, b := range Path {
		Counts[b] = 0
	}
	for _, b := range operands {
		Counts[b] = 0
	}
	operands = operands[:0]
	if len(Path) == cap(Path) {
		clear(Counts[:Used])
	}
	Path = Path[:0]
}

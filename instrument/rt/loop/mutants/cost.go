package mutants

import (
	"fmt"

	"github.com/fuzzmut/fuzzmut/instrument/rt/loop/exec"
	"github.com/fuzzmut/fuzzmut/instrument/rt/oracle"
)

// Bounds on what a mutant may cost that differs in nothing else. Fuel is the same in each run.
// Allocated bytes are measured to some kilobytes, so that little of them does not count, and each
// side is measured several times.
const (
	costTimes, costExtra   = 2, 1000
	bytesTimes, bytesExtra = 4, 1 << 20
	bytesRuns              = 3
)

// allocated are the bytes that the process has allocated; 0 if they don't matter.
func (m *Mutants) allocated() int64 {
	if !m.costs {
		return 0
	}
	return m.x.Allocated()
}

// judgeCost tells a mutant from the original by what its run has cost, if nothing else does.
// allocated are bytes, those of what was observed as well.
func (m *Mutants) judgeCost(vals []any, id uint32, ex exec.Execution, allocated int64, ref *Reference) (kind oracle.Kind, detail string) {
	if ex.Burned > costTimes*ref.Ex.Burned+costExtra {
		return oracle.Cost, fmt.Sprintf("used %d units of fuel; the original used %d", ex.Burned, ref.Ex.Burned)
	}
	if allocated <= bytesExtra {
		return 0, ""
	}
	if ref.bytes == 0 {
		ref.bytes = max(m.bytes(vals, 0, ref.Fuel, false), 1)
	}
	most := bytesTimes*ref.bytes + bytesExtra
	if allocated <= most || m.bytes(vals, id, ref.Fuel*10, true) <= most {
		return 0, ""
	}
	return oracle.Cost, fmt.Sprintf("allocates more than %d times as much as the original", bytesTimes)
}

// bytes measures what the original allocates, 0, or a mutant: the least or the most of some runs.
func (m *Mutants) bytes(vals []any, id uint32, fuel int64, least bool) (bytes int64) {
	for i := range bytesRuns {
		if id == 0 {
			m.count.execs++
		} else {
			m.count.mutantExecs++
		}
		_, n := m.x.PricedWith(exec.Clone(vals), id, fuel)
		if i == 0 || (n < bytes) == least {
			bytes = n
		}
	}
	return bytes
}

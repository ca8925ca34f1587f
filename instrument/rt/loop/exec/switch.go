package exec

import (
	"fmt"

	fuzzmutrt "github.com/fuzzmut/fuzzmut/instrument/rt"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// Switches finds the switches of the functions' mutable bodies.
func Switches(init *wire.Init) ([]*bool, error) {
	slow := make([]*bool, init.Funcs)
	counters := 0
	for _, p := range fuzzmutrt.Packages {
		for i := range p.Slow {
			n := int(p.FirstFunc) + i
			if n >= len(slow) {
				return nil, fmt.Errorf("package %s has function %d of %d", p.Path, n, len(slow))
			}
			slow[n] = &p.Slow[i]
		}
		counters += len(p.Counters)
	}
	if counters > init.Counters {
		return nil, fmt.Errorf("binary has %d counters, the coordinator knows %d", counters, init.Counters)
	}
	return slow, nil
}

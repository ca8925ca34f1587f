package evaluate

import (
	"slices"

	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// A StartVerdict is what an earlier run of the same test binary has found of a mutant that acts
// before the first input.
type StartVerdict struct {
	Killed bool
	Kill   wire.Kill // its kind and detail
	By     string    // the entry that kills it; "": nothing has to be run
}

// Reuse takes the verdicts of an earlier run for mutants that there was no time to run. The
// corpus may have grown since: of these it is said that they are not of this run. entry returns the number
// of the input with a name, NoInput if there is none now.
func (s *Starting) Reuse(known map[uint32]StartVerdict, entry func(name string) int) {
	for m, why := range s.Left {
		v, ok := known[m]
		if !ok || why != NoTime {
			continue
		}
		k := Kill{Kill: v.Kill, Input: NoInput}
		if k.Mutant = m; v.Killed && v.By != "" {
			if k.Input = entry(v.By); k.Input == NoInput {
				continue
			}
		}
		delete(s.Left, m)
		s.Judged[m], s.Reused[m] = true, true
		if v.Killed {
			s.Kills = append(s.Kills, k)
		}
	}
	slices.SortFunc(s.Kills, func(a, b Kill) int { return int(a.Mutant) - int(b.Mutant) })
}

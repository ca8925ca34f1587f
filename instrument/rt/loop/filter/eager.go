package filter

import (
	"github.com/fuzzmut/fuzzmut/instrument/rt/havoc"
	"github.com/fuzzmut/fuzzmut/instrument/rt/loop/mutants"
)

// eagerRuns is how often a mutant runs on any path before paths count on which it was run.
const eagerRuns = 512

// eager has mutants run on each input: those that were not run on its path before, and of the
// others those that were run seldom. The more often one was run and not killed, the more rarely it is
// run on the same path.
type eager struct {
	tried pairs // of mutant and path
	m     *mutants.Mutants
	rng   *havoc.Rand
}

func (f *eager) Trace(int) (now, later bool) { return true, false }
func (f *eager) Spent(int64, int64, int)     {}

func (f *eager) Pick(ids []uint32, path uint64, _ int64) []uint32 {
	picked := ids[:0]
	for _, id := range ids {
		pair := pairOf(id, path)
		if n := int(f.m.Executed[id]); n > eagerRuns && f.tried.has(pair) && f.rng.Intn(n/eagerRuns+1) != 0 {
			continue
		}
		f.tried.add(pair)
		picked = append(picked, id)
	}
	return picked
}

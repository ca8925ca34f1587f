package latency

import (
	"context"
	"fmt"
	"time"

	"github.com/fuzzmut/fuzzmut/cmd/fuzzmut-bench/arena"
)

// startHead says what the second table shows.
const startHead = `
What comes before it: seconds from the end of the build until fuzzing begins, with inputs in Go's
fuzz cache: those that a run above has found, and others made of two of these. What was not run
before is run in between; how many the end of a run of 3 s has still left is said.

`

const startColumns = "target\tin the cache\tseconds\tafterwards not run"

// startTime is how long a run fuzzes that is about its start.
const startTime = 3 * time.Second

// before is what came before fuzzing in a run.
type before struct {
	seconds float64
	left    int // inputs of the cache that the run did not try
}

// String tells of a run for who watches.
func (s before) String() string { return fmt.Sprintf("%.1f s, %d left", s.seconds, s.left) }

// startRow is what the table shows of runs, after the target and the number of inputs.
func startRow(all []before) string {
	return spread(all, "%.1f", func(s *before) (float64, bool) { return s.seconds, true }) + "\t" +
		spread(all, "%.0f", func(s *before) (float64, bool) { return float64(s.left), true })
}

// start fuzzes a target with inputs in Go's fuzz cache.
func (b *bench) start(ctx context.Context, core int, t arena.Target, cached inputs, seed int) (s before, err error) {
	place, err := b.Workspace(t)
	defer b.Discard(place)
	if err != nil {
		return s, err
	}
	cache, err := b.cacheDir(place)
	if err == nil {
		err = cached.write(cache)
	}
	if err != nil {
		return s, err
	}
	r, err := b.fuzz(ctx, core, place, startTime.String(), seed)
	if err != nil {
		return s, err
	}
	return before{r.StartSeconds, r.Late.Cached}, nil
}

package lockstep

import (
	"context"
	"slices"
	"time"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/evaluate"
	"github.com/fuzzmut/fuzzmut/instrument/rt/loop/reduce"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// Bounds on what makes one input smaller.
const (
	shrinkRuns = 3000
	// shrinkFuel is burned by both sides together: some seconds. Inputs that show more
	// work burn much.
	shrinkFuel = 2_000_000_000
)

// Shrink returns a smaller and plainer input that differs in the same way, and at no
// other changed function. What both sides have seen of it has to satisfy same. It takes no
// longer than limit; 0: there is no limit but for the number of runs.
func (l *Lockstep) Shrink(ctx context.Context, r Result, limit time.Duration, same func(seen [2]evaluate.Observed) bool) (Result, error) {
	best, runs, fuel := r, 0, int64(0)
	weigh := wire.WeighNone
	if r.Signature() == MoreWork && l.Work.MoreBytes(r.Runs[0].Work, r.Runs[1].Work, r.Input.Len()) {
		weigh = wire.WeighAll
	}
	var failed error
	begin := time.Now()
	red := reduce.Reducer{
		Best: r.Input.Values(),
		Keep: func(vals []any) bool {
			runs++
			got, err := l.run(ctx, []*corpus.Input{corpus.Of(vals...)}, weigh, HangFuel)
			if err != nil {
				failed = err
				return false
			}
			fuel += got[0].Runs[0].Fuel + got[0].Runs[1].Fuel
			if got[0].Signature() != r.Signature() || !subset(got[0].Inside, r.Inside) {
				return false
			}
			var seen [2]evaluate.Observed
			if seen, failed = l.Texts(ctx, got[0].Input); failed != nil || !same(seen) {
				return false
			}
			best = got[0]
			return true
		},
		Spent: func() bool {
			return failed != nil || ctx.Err() != nil || runs >= shrinkRuns || fuel >= shrinkFuel || limit > 0 && time.Since(begin) > limit
		},
	}
	red.Digits()
	red.Reduce()
	red.Normalise()
	red.Reduce()
	return best, failed
}

func subset(some, all []string) bool {
	return !slices.ContainsFunc(some, func(s string) bool { return !slices.Contains(all, s) })
}

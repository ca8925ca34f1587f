package latency

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/fuzzmut/fuzzmut/cmd/fuzzmut-bench/arena"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
)

// endHead says what the first table shows.
const endHead = `One worker on one processor, as many runs at a time as there are processors. Medians of %d runs
with other seeds, in brackets the least and the most; %s

What follows fuzzing. wall and CPU: seconds from the end of fuzzing to the result, golden values
and all. outside: the part of the wall time, without the build, that is not fuzzing. killed:
mutants, by the entries that the run leaves, as the run says; unbounded: as a run says whose end
has no bound, with as many executions; lost: the part of the latter that the former lacks. by
score: of the entries of the former, as fuzzmut score says afterwards. Undone, as the run says:
kills that were not confirmed, mutants and static mutants not run, entries without golden values.

`

const endColumns = "target\tfuzzing\twall\tCPU\toutside\tkilled\tunbounded\tlost\tby score\tunconfirmed\tmutants\tstatic\tgolden"

// after is what followed fuzzing in a run, and what its entries are worth.
type after struct {
	wall, cpu, outside float64 // seconds; outside is a part in percent
	killed, scored     int
	unbounded          int // killed in a run without a bound; 0: none came to its end
	late               report.Late
	inputs             inputs // that the run has found
}

// String tells of a run for who watches.
func (a after) String() string {
	return fmt.Sprintf("%.1f s, CPU %.1f s; killed %d, unbounded %d, by score %d; late %+v", a.wall, a.cpu, a.killed, a.unbounded, a.scored, a.late)
}

// lost is the part of the kills of a run without a bound that the run does not say, in percent.
func (a *after) lost() (percent float64, ok bool) {
	return 100 * float64(a.unbounded-a.killed) / float64(max(a.unbounded, 1)), a.unbounded > 0
}

// endRow is what the table shows of runs, after the target and the time.
func endRow(all []after) string {
	of := func(format string, get func(a *after) float64) string {
		return spread(all, format, func(a *after) (float64, bool) { return get(a), true })
	}
	count := func(get func(a *after) int) string {
		return of("%.0f", func(a *after) float64 { return float64(get(a)) })
	}
	return strings.Join([]string{
		of("%.1f", func(a *after) float64 { return a.wall }), of("%.1f", func(a *after) float64 { return a.cpu }),
		of("%.0f %%", func(a *after) float64 { return a.outside }), count(func(a *after) int { return a.killed }),
		spread(all, "%.0f", func(a *after) (float64, bool) { return float64(a.unbounded), a.unbounded > 0 }),
		spread(all, "%.1f %%", (*after).lost), count(func(a *after) int { return a.scored }),
		count(func(a *after) int { return a.late.Unconfirmed }), count(func(a *after) int { return a.late.Mutants }),
		count(func(a *after) int { return a.late.Static }), count(func(a *after) int { return a.late.Golden }),
	}, "\t")
}

// end fuzzes a target, scores what comes of that, and makes as many executions without a bound.
func (b *bench) end(ctx context.Context, core int, t arena.Target, fuzzing time.Duration, seed int) (a after, err error) {
	place, err := b.Workspace(t)
	defer b.Discard(place)
	if err != nil {
		return a, err
	}
	r, err := b.fuzz(ctx, core, place, fuzzing.String(), seed)
	if err != nil {
		return a, err
	}
	a = after{
		wall: r.WallSeconds - r.StartSeconds - r.FuzzSeconds, cpu: r.CPUSeconds - r.FuzzCPUSeconds,
		outside: 100 * (1 - r.FuzzSeconds/r.WallSeconds), killed: r.Score.Killed, late: r.Late,
	}
	scored, err := arena.RunFuzzmut(ctx, core, b.Command, place, "score")
	if err != nil {
		return a, err
	}
	a.scored = scored.Score.Killed
	cache, err := b.cacheDir(place)
	if err == nil {
		a.inputs, err = readInputs(cache)
	}
	if err == nil && b.most > 0 {
		a.unbounded, err = b.unbounded(ctx, core, t, r.Executions, seed)
	}
	return a, err
}

// unbounded counts the mutants that a run kills whose end has no bound, after a number of
// executions; 0 if it takes too long.
func (b *bench) unbounded(ctx context.Context, core int, t arena.Target, executions int64, seed int) (killed int, err error) {
	place, err := b.Workspace(t)
	defer b.Discard(place)
	if err != nil {
		return 0, err
	}
	soon, cancel := context.WithTimeout(ctx, b.most)
	defer cancel()
	r, err := b.fuzz(soon, core, place, strconv.FormatInt(executions, 10)+"x", seed)
	if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	return r.Score.Killed, nil
}

// fuzz makes a run in a workspace. The time is as -fuzztime takes it.
func (b *bench) fuzz(ctx context.Context, core int, place arena.Target, fuzzTime string, seed int) (*report.FuzzTest, error) {
	return arena.RunFuzzmut(ctx, core, b.Command, place, "fuzz", "-fuzztime="+fuzzTime, "-seed="+strconv.Itoa(seed))
}

package bugs

import (
	"context"
	"time"

	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/processes"
)

// spending is the time that a sorting takes: the processor time of its workers, each of
// which works on its own, or half of the time on the clock if that is more. So other work
// on the machine costs nothing up to that, and what waits costs something, too.
type spending struct {
	start    time.Time
	begin    time.Duration // processor time
	limit    time.Duration
	parallel int
	cpu      func() time.Duration
}

// clockShare divides the time on the clock.
const clockShare = 2

func newSpending(p *processes.Set, limit time.Duration) *spending {
	return &spending{start: time.Now(), begin: p.CPU(), limit: limit, parallel: p.Parallel(), cpu: p.CPU}
}

// spent is how much has been spent.
func (s *spending) spent() time.Duration {
	return max((s.cpu()-s.begin)/time.Duration(s.parallel), time.Since(s.start)/clockShare)
}

// left is what is left up to a share of the limit, with a little in any case.
func (s *spending) left(share float64) time.Duration {
	const least = time.Second
	return max(least, time.Duration(share*float64(s.limit))-s.spent())
}

// over reports whether all is spent. What was not begun has nothing to spend.
func (s *spending) over() bool { return s == nil || s.spent() >= s.limit }

// until returns a context that ends when a share of the limit is spent, with a little left
// in any case.
func (s *spending) until(ctx context.Context, share float64) (context.Context, context.CancelFunc) {
	return processes.Until(ctx, s.spent()+s.left(share), s.spent)
}

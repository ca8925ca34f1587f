package processes

import (
	"context"
	"time"
)

// untilTick is how often Until looks.
const untilTick = 10 * time.Millisecond

// Until returns a context that ends once so much is spent. Call cancel in the end.
func Until(ctx context.Context, limit time.Duration, spent func() time.Duration) (until context.Context, cancel context.CancelFunc) {
	until, cancel = context.WithCancel(ctx)
	begin := make(chan *time.Timer, 1)
	begin <- time.AfterFunc(untilTick, func() {
		timer := <-begin
		begin <- timer
		switch {
		case until.Err() != nil:
		case spent() >= limit:
			cancel()
		default:
			timer.Reset(untilTick)
		}
	})
	return until, cancel
}

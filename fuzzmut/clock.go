//go:build !race

package fuzzmut

import "sync/atomic"

// clock numbers the beginnings and the ends of calls.
var clock atomic.Int64

// now is later than what was returned before, in any goroutine.
func now() int64 { return clock.Add(1) }

//go:build race

package fuzzmut

import "time"

var epoch = time.Now()

// now is not earlier than what was returned before, in any goroutine. It is no counter: to the race
// detector, one that all goroutines share would put what they do in an order.
func now() int64 { return int64(time.Since(epoch)) + 1 }

package fuzzmutrt

// SetOrder says in which order maps are ranged over from here on, of those that are
// made and of those that are there: what the runtime would draw at random is made of
// order. The low three bits are the slot at which the range over a map of up to eight
// entries begins, the same for each range; with the bit Varied, orders that have the others in
// common and all these three begin each range at each slot. 0 leaves all to the runtime. SetOrder is nil where
// the runtime is not one that can be told.
var SetOrder func(order uint64)

// Varied is the bit of an order in which ranges begin at different slots. What two ranges make of
// one map, as its text, is not equal then.
const Varied = 1 << 62

// NewPools empties every sync.Pool, and has them return from here on what was put
// last. It is nil where package sync is not one that fuzzmut knows.
var NewPools func()

// UnlockThread takes back every runtime.LockOSThread of the calling goroutine. It is nil
// where the runtime can't tell how many there were.
var UnlockThread func()

// EndGoexit is called by a deferred function that has called recover. If the function runs for
// a runtime.Goexit, that ends there, as a panic does that is recovered. It reports whether it
// does. It is nil where the runtime is not one that fuzzmut knows.
var EndGoexit func() bool

package operator

// The calls of one mutex go together: a Lock or Unlock missing by itself panics
// or blocks at once.
var lockRemoval = &Operator{
	Name: "lock-removal", Group: GroupNone, Extent: Removal,
	Doc:     "removes all calls in a function that lock and unlock one sync.Mutex or sync.RWMutex, for writing or for reading",
	Example: "mu.Lock(); defer mu.Unlock() →",
	Inspect: func(s *Site) []Change {
		if s.Kind != Locking {
			return nil
		}
		return []Change{{Do: Delete}}
	},
}

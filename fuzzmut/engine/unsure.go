package engine

import "sync"

// unsure are the stacks on which the original ran out of the short time that an execution has after the first input
// that blocks. An input of each is run once with all the time there is, as far as that is worth it.
type unsure struct {
	mu    sync.Mutex
	keys  map[string]bool
	block int // how many of these inputs block
}

const (
	// unsureMost bounds these inputs: each takes a process and some seconds.
	unsureMost = 8
	// unsureBlock is after how many of them that block there are no more: each takes all the time of an execution,
	// and a loop is stopped at ever other places.
	unsureBlock = 2
)

// first reports whether an input of the stack is to be run: none was before.
func (u *unsure) first(key string) bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.keys[key] || len(u.keys) == unsureMost || u.block == unsureBlock {
		return false
	}
	if u.keys == nil {
		u.keys = map[string]bool{}
	}
	u.keys[key] = true
	return true
}

// blocked takes in that such an input blocks.
func (u *unsure) blocked() {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.block++
}

package programs

//operators lock-removal

import (
	"fmt"
	"sync"
)

type vault struct {
	sync.Mutex
	rw sync.RWMutex
	n  int
}

// free says whether nobody holds a lock.
func free(l interface {
	TryLock() bool
	Unlock()
}) bool {
	if l.TryLock() {
		l.Unlock()
		return true
	}
	return false
}

func (v *vault) add(n int) (s string) {
	v.Lock()
	defer v.Unlock()
	s = fmt.Sprint(free(v), free(&v.rw))
	v.rw.RLock()
	if s += fmt.Sprint(free(&v.rw)); n > 3 {
		v.rw.RUnlock()
		return s + fmt.Sprint(free(&v.rw))
	}
	v.rw.RUnlock()
	v.rw.Lock()
	func() {
		defer func() { v.rw.Unlock() }()
		s += fmt.Sprint(free(&v.rw))
	}()
	v.n++
	return s
}

func sharded(n int) (s string) {
	var shards [3]sync.Mutex
	for i := range shards {
		shards[i].Lock()
		if s += fmt.Sprint(free(&shards[n%3])); i == n {
			shards[i].Unlock()
			break
		}
		shards[i].Unlock()
	}
	var mu sync.Mutex
	mu.Lock(); s += "alone"; mu.Unlock()
	return s
}

// CaseLocks: mutexes of all shapes without their locks.
func CaseLocks(in int) string {
	var v vault
	s := v.add(in) + v.add(in+1)
	return s + fmt.Sprint(v.n, free(&v), free(&v.rw)) + sharded(in)
}

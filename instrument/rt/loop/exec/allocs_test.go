package exec

import (
	"sync"
	"testing"
)

// A target may run several goroutines, and each may be out of fuel.
func TestAllocsAreReadSideBySide(t *testing.T) {
	for range 5000 {
		var a Allocs
		var group sync.WaitGroup
		for range 3 {
			group.Go(func() {
				if a.Read() == 0 {
					t.Error("nothing is allocated")
				}
			})
		}
		group.Wait()
	}
}

// Package deaths ends the process in many ways.
package deaths

import (
	"log"
	"os"
	"runtime"
	"sync"
)

// Die ends the process, or the goroutine, as the first byte of b says. It
// returns the length of b otherwise.
func Die(b []byte) int {
	if len(b) == 0 {
		return 0
	}
	switch b[0] {
	case 'e':
		os.Exit(3)
	case 'l':
		log.Fatal("deaths: log.Fatal")
	case 's':
		return overflow(b)
	case 'g':
		elsewhere()
	case 'm':
		mapRace()
	case 'd':
		<-make(chan int)
	case 'x':
		runtime.Goexit()
	case 'p':
		panic("deaths: ordinary panic")
	}
	return len(b)
}

// overflow recurses until the stack is full.
func overflow(b []byte) int {
	return 1 + overflow(append(b, 0)[:len(b)])
}

// elsewhere panics in a goroutine of its own.
func elsewhere() {
	done := make(chan bool)
	go func() {
		defer close(done)
		var p *int
		*p = 1
	}()
	<-done
}

// mapRace writes to one map from several goroutines until the runtime notices.
func mapRace() {
	m := map[int]int{}
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			for i := range 1 << 20 {
				m[i%16+g] = i
			}
		})
	}
	wg.Wait()
}

// Package deaths ends the process in many ways.
package deaths

import (
	"bytes"
	"log"
	"os"
	"runtime"
	"sync"
	"time"
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
	case 'a':
		eat()
	case 'b':
		select {}
	case 'c':
		twice()
	case 'h':
		time.Sleep(time.Hour)
	case 'w':
		exitElsewhere()
	case 'k':
		leave()
	}
	return len(b)
}

// Late starts a goroutine that ends the process later, if the first byte of b is o. It
// returns the length of b.
func Late(b []byte) int {
	if len(b) > 0 && b[0] == 'o' {
		outlive()
	}
	return len(b)
}

var eaten [][]byte

// eat takes memory and keeps it.
func eat() {
	for range 1 << 10 {
		eaten = append(eaten, bytes.Repeat([]byte{1}, 1<<20))
	}
}

// twice locks a mutex that it holds.
func twice() {
	var mu sync.Mutex
	mu.Lock()
	mu.Lock()
}

// exitElsewhere exits in a goroutine of its own.
func exitElsewhere() {
	done := make(chan bool)
	go func() { os.Exit(4) }()
	<-done
}

// outlive panics a little later.
func outlive() {
	go func() {
		time.Sleep(5 * time.Millisecond)
		panic("deaths: late")
	}()
}

// leave leaves goroutines behind that do no harm, and one that ends at once.
func leave() {
	for range 10 {
		go func() { select {} }()
	}
	go runtime.Goexit()
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

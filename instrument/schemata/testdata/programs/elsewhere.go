package programs

//operators defer-removal defer-in-place go-removal go-in-place

import (
	"errors"
	"fmt"
	"time"
)

type door struct {
	open bool
	log  []string
}

func (d *door) shut(by string) { d.open = false; d.log = append(d.log, by) }

func deferred(n int) (s string, err error) {
	d := &door{open: true}
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("recovered %v", r)
		}
	}()
	defer func(was string) { s += was + fmt.Sprint(d.open, d.log) }(fmt.Sprint(
		len(d.log), // now
		`raw
text`,
	))
	m := map[int]int{1: 1, 2: 2}
	defer func() { s += fmt.Sprint(len(m)) }()
	defer delete(m, n)
	defer d.shut("method")
	shut := d.shut
	defer shut("value")
	defer (*door).shut(d, "expression")
	for i := range n % 4 {
		defer func() { s += fmt.Sprint("i", i) }()
		if i == 2 {
			defer panic(errors.New("two"))
		}
	}
	if n == 4 {
		defer recover()
		panic("four")
	}
	s += "end"
	return s, nil
}

func started(n int) int {
	out := make(chan int, 9) //fuzzmut:ignore less blocks
	go func() { out <- n }()
	got := wait(out)
	if n > 4 {
		go func(x, y int) {
			x += y
			out <- x
		}(n, got)
		got += wait(out)
		go send(out, got)
		got += wait(out)
	}
	return got
}

func send(out chan<- int, n int) { out <- n }

func wait(out <-chan int) int {
	select {
	case n := <-out:
		return n
	case <-time.After(time.Second / 4): //fuzzmut:ignore depends on the clock
		return -1
	}
}

// CaseElsewhere: deferred calls and goroutines of all shapes, left out or made at
// once.
func CaseElsewhere(in int) (s string) {
	defer func() {
		if r := recover(); r != nil {
			s += fmt.Sprint("panicked ", r)
		}
	}()
	s, err := deferred(in)
	return s + fmt.Sprint(err, started(in))
}

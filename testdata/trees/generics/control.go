package generics

import "fmt"

// Index returns the first position of the pair a, b in the rows of size width,
// by labels; -1 if there is none.
func Index(data []byte, width int, a, b byte) int {
	at := -1
rows:
	for row := 0; row < len(data); row += width {
		for i := row; i+1 < row+width; i++ {
			if i+1 >= len(data) {
				break rows
			}
			if data[i] == '#' {
				continue rows
			}
			if data[i] == a && data[i+1] == b {
				at = i
				break rows
			}
		}
	}
	return at
}

// Skip returns the number of leading zeros, by goto.
func Skip(data []byte) int {
	i := 0
again:
	if i < len(data) && data[i] == 0 {
		i++
		goto again
	}
	return i
}

// Counter returns functions that share one count.
func Counter() (add func(int) int, get func() int) {
	n := 0
	add = func(d int) int {
		n += d
		return n
	}
	return add, func() int { return n }
}

// Guard calls f and turns a panic into an error.
func Guard(f func() int) (n int, err error) {
	defer func() {
		if r := recover(); r != nil {
			n, err = -1, fmt.Errorf("generics: recovered: %v", r)
		}
	}()
	return f(), nil
}

// At returns data[i]; it panics like data[i].
func At(data []byte, i int) func() int {
	return func() int { return int(data[i]) }
}

// Pipe sends data through a channel and adds it up.
func Pipe(data []byte) (sum int) {
	in, quit := make(chan byte), make(chan struct{})
	go func() {
		defer close(quit)
		for _, b := range data {
			in <- b
		}
	}()
	for {
		select {
		case b := <-in:
			sum += int(b)
		case <-quit:
			return sum
		}
	}
}

// Poll takes what is ready, without waiting.
func Poll(ready <-chan int) int {
	select {
	case n, ok := <-ready:
		if !ok {
			return -2
		}
		return n
	default:
		return -1
	}
}

// Turn rotates the point (x, y) by quarters.
func Turn(x, y float64, quarters int) (float64, float64) {
	z := complex(x, y)
	for range quarters & 3 {
		z *= 1i
	}
	return real(z), imag(z)
}

type acc struct {
	n   int
	err error
}

func (a *acc) add(n int, err error) {
	if a.err == nil {
		a.err = err
	}
	a.n = a.n*31 + n
}

// Fold runs data through everything in this package.
func Fold(data []byte) (int, error) {
	if len := len(data); len > limit { // shadows the builtin on purpose
		data = data[:limit]
	}
	a := new(acc)
	var tree Tree[byte, Kind]
	for _, b := range data {
		tree.Put(b, KindOf(b))
	}
	for b, kind := range tree.All() {
		if kind == Space {
			continue
		}
		if b > 0xf0 {
			break
		}
		a.add(Describe(kind))
	}
	put := a.add // a method value
	put(Sum(MapTo(data, func(b byte) int { return int(b) >> 1 })...), nil)
	put(Index(data, small, 'g', 'o'), nil)
	put(Skip(data), nil)
	add, get := Counter()
	for i := range len(data) {
		add(i ^ tree.size)
	}
	put(Describe(get))
	put(Guard(At(data, tree.size)))
	put(Pipe(data), nil)
	ready := make(chan int, 1)
	if len(data) > 2 {
		ready <- len(data)
	}
	put(Poll(ready), nil)
	x, y := Turn(1, 2, tree.size)
	put(int(x*10+y), nil)
	return a.n, a.err
}

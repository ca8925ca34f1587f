package programs

//operators loop-skip loop-once break-continue-swap break-continue-removal label-removal empty-then

import "fmt"

type rounds struct{ n int }

func (r *rounds) put(n int) { r.n = r.n*31 + n }

func (r *rounds) is(b bool) bool { r.put(1); return b }

type link struct {
	val  int
	next *link
}

func counted(n int, r *rounds) {
	for i := 0; i < n; i++ {
		r.put(i)
	}
	i := 0
	for ; i < n; i += 2 {
		r.put(2)
	}
	r.put(i)
	for i, j := 0, n; i < j; i, j = i+1, j-1 {
		if j == 3 {
			continue
		}
		r.put(i)
	}
	for i := 0; ; i++ {
		if r.put(3); i > n {
			break
		}
		r.put(4)
	}
	for n > 3 { n--; r.put(5) }
	for { r.put(6); if n++; n > 3 { break } }
}

func effects(n int, r *rounds) {
	for i := 0; r.is(i < n); i++ {
		r.put(2)
	}
	var fs []func() int
	for i := 0; i < n; i++ {
		fs = append(fs, func() int { i *= 2; return i })
	}
	for _, f := range fs {
		r.put(f())
	}
	var p *int
	for i := n; i < 3; i++ {
		p = &i
	}
	if p != nil {
		r.put(*p)
	}
	var l *link
	for i := range n {
		l = &link{i, l}
	}
	for e := l; e != nil; e = e.next {
		r.put(e.val)
	}
}

func over(n int, s *rounds) {
	for i, r := range "héllo"[:n] {
		if r == 'h' {
			continue
		}
		s.put(i)
	}
	var k int
	var arr [2]string
	for k, arr[k%2] = range []string{"a", "b", "c"}[:n%4] {
		s.put(k)
	}
	m := map[int]bool{n: true}
	for range m {
		s.put(1)
	}
	c := make(chan int, 3) //fuzzmut:ignore less blocks
	for i := range 3 {     //fuzzmut:ignore less blocks
		c <- i //fuzzmut:ignore less blocks
	}
	close(c) //fuzzmut:ignore less blocks
	for x := range c {
		if x == n {
			break
		}
		s.put(2)
	}
	for x := range upTo(n, s) {
		if x == 1 {
			continue
		}
		s.put(x)
	}
	for range &arr {
		s.put(3)
	}
	s.put(k)
	s.put(len(arr[0]))
	s.put(len(c))
}

func upTo(n int, s *rounds) func(yield func(int) bool) {
	return func(yield func(int) bool) {
		defer func() { s.put(4) }()
		for i := range n {
			if !yield(i) {
				s.put(5)
				return
			}
		}
	}
}

func nestedLoops(n int, s *rounds) {
outer:
	for i := range n {
		for j := 0; j < 3; j++ {
			switch {
			case i == 1 && j == 1:
				continue outer
			case j == 2:
				continue
			}
			s.put(j)
		}
		s.put(7)
	}
	for i := range n {
		select {
		default:
			if i == 2 {
				continue
			}
			s.put(8)
		}
	}
}

func restarts(n int, s *rounds) {
	rest := n
again:
	for i := range n {
		switch {
		case i == 2:
			continue again
		case i == 4:
			break again
		case i == 3:
			continue
		}
		s.put(i)
		if rest > 2 {
			rest--
			goto again
		}
	}
	if rest--; rest > 0 {
		goto again
	}
}

func of[S ~[]E, E fmt.Stringer](list S, s *rounds) {
	for _, e := range list {
		s.put(len(e.String()))
	}
}

type named string

func (n named) String() string { return string(n) }

func recursive(n int, s *rounds) {
	for i := 0; i < n && i < 2; i++ {
		s.put(i)
		recursive(n-2, s)
	}
}

// CaseLoops: loops that make no round, or one, over everything there is; the end
// of a round with and without effects.
func CaseLoops(in int) string {
	var s rounds
	counted(in, &s)
	effects(in, &s)
	over(in, &s)
	nestedLoops(in, &s)
	restarts(in, &s)
	of([]named{"a", "bb", "ccc"}[:in%3], &s)
	recursive(in, &s)
	return fmt.Sprint(s.n)
}

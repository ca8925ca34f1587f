package programs

//operators empty-then empty-else empty-case empty-default empty-select-case break-continue-swap break-continue-removal label-removal fallthrough-removal loop-skip loop-once

import (
	"errors"
	"fmt"
	"sort"
)

// branchSum is a cheap record of what was done, in order.
type branchSum int

func (s *branchSum) put(n int) { *s = *s*31 + branchSum(n) }

type branchFlag bool

func emptied(n int, s *branchSum) {
	if n > 2 {
		s.put(1)
		s.put(n)
	} else {
		s.put(2)
		*s *= 3
	}
	if m, err := n%3, errors.New("e"); m == 1 {
		s.put(len(err.Error()))
		s.put(4)
	} else if m == 2 {
		s.put(5)
		s.put(len(err.Error()))
	} else {
		s.put(6)
		if n == 3 {
			return
		}
		s.put(7)
	}
}

func cases(v any, n int, s *branchSum) {
	switch n % 4 {
	case 0:
		s.put(1)
		s.put(2)
		fallthrough
	case 1:
		s.put(3)
		s.put(4)
	default:
		s.put(5)
		s.put(6)
	case 3:
		s.put(7)
		fallthrough
	case 7:
	}
	switch x := v.(type) {
	case string:
		var list sort.StringSlice
		list = append(list, x, "b", "a")
		list.Sort()
		s.put(int(list[0][0]))
	case int:
		defer func() { s.put(x) }()
		s.put(9)
	default:
		s.put(10)
		s.put(11)
	}
}

func selected(n int, s *branchSum) {
	c, d := make(chan int, 2), make(chan string, 2) //fuzzmut:ignore less blocks
	switch n {
	case 1, 2:
		c <- n //fuzzmut:ignore less blocks
	case 4, 5:
		d <- "d"
		d <- "ee"
	}
loop:
	for i := range 3 {
		select {
		case x := <-c:
			s.put(x)
			s.put(1)
		case x, ok := <-d:
			s.put(len(fmt.Sprint(x, ok)))
			s.put(2)
			if i == 1 {
				break
			}
			s.put(3)
			if n == 5 {
				continue
			}
			s.put(4)
		default:
			s.put(5)
			if i == 1 {
				break loop
			}
			s.put(6)
		}
		s.put(7)
	}
}

func jumping(n int, s *branchSum) {
	for i := range n + 2 {
		if i == 3 {
			continue
		}
		if i == 5 {
			break
		}
		switch {
		case i == n%3:
			if n > 3 {
				continue
			}
			s.put(1)
		case i == 2:
			if n == 4 {
				break
			}
			s.put(2)
		}
		s.put(i)
	}
}

func rows(n int, s *branchSum) {
rows:
	for i := 0; i < 5; i++ {
		for j := range i {
			switch {
			case i*j == n:
				continue rows
			case i+j == n+2:
				s.put(1)
				break rows
			case j == 3:
				continue
			}
			s.put(i)
		}
		switch i {
		case n:
			if i > 1 {
				continue
			}
			s.put(2)
		}
		s.put(3)
	}
}

func generic[T ~bool](a, b T, s *branchSum) {
	for a {
		if b {
			s.put(1)
			break
		} else {
			s.put(2)
			b = !b
			continue
		}
	}
}

func branchAgain(n int, s *branchSum) {
	i := 0
branchAgain:
	for j := range 3 {
		if s.put(j); j > n {
			break branchAgain
		}
		if i == n {
			continue branchAgain
		}
		s.put(i)
	}
	if i++; i < 3 {
		goto branchAgain
	}
	if n > 3 {
		goto end
	}
	s.put(8)
	s.put(9)
end:
}

func tailed(n int, s *branchSum) int {
	func() {
		defer func() {
			if r := recover(); r != nil {
				s.put(len(fmt.Sprint(r)))
				s.put(1)
			}
		}()
		for i := 0; ; i++ {
			if i == n {
				panic("at n")
			}
			if i > 3 {
				return
			}
			s.put(i)
		}
	}()
	for {
		if n > 3 {
			n /= 2
			s.put(2)
			continue
		}
		if n++; n > 2 {
			return n
		}
	}
}

// CaseBranches: emptied branches, jumps that are swapped, left out, or lose their
// labels.
func CaseBranches(in int) string {
	var v any = in
	switch in {
	case 1:
		v = "str"
	case 2:
		v = nil
	}
	var s branchSum
	emptied(in, &s)
	cases(v, in, &s)
	selected(in, &s)
	jumping(in, &s)
	rows(in, &s)
	generic(branchFlag(in > 1), in == 2, &s)
	branchAgain(in, &s)
	tailed(in, &s)
	return fmt.Sprint(s)
}

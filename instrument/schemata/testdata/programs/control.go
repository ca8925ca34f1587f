package programs

import "fmt"

func gotos(n int) string {
	i := 0
	s := ""
loop:
	if i >= n {
		goto done
	}
	s += fmt.Sprint(i)
	i++
	goto loop
done:
	return s
}

func labelled(n int) (out string) {
outer:
	for i := 0; i < 4; i++ {
	inner:
		for j := 0; ; j++ {
			switch {
			case j > 3:
				break inner
			case i*j == n:
				continue outer
			case i+j > 5:
				break outer
			}
			out += fmt.Sprint(i, j, ";")
		}
	}
	return
}

func falls(n int) (s string) {
	switch x := n % 4; x {
	case 0:
		s = "zero"
		fallthrough
	case 1:
		s += "one"
	default:
		s += "many"
		fallthrough
	case 2:
		s += "two"
	}
	return s
}

func typed(v any) string {
	switch x := v.(type) {
	case int, int8:
		return fmt.Sprint("int", x)
	case string:
		if len(x) > 1 {
			return x[:1]
		}
		return x
	case nil:
		return "nil"
	case error:
		return x.Error()
	}
	return "other"
}

func channels(n int) string {
	a, b := make(chan int, 5), make(chan string, 5) //fuzzmut:ignore less blocks
	if n > 2 {
		a <- n  //fuzzmut:ignore nothing to receive blocks
		b = nil //fuzzmut:ignore both ready would leave the choice to chance
	}
	select {
	case x := <-a:
		return fmt.Sprint("a", x+1)
	case b <- "s":
		v, ok := <-b
		return fmt.Sprint(v, ok)
	}
}

func forever(n int) int {
	for {
		if n++; n > 10 {
			return n
		}
	}
}

func ranges(n int) (s string) {
	for i := range n {
		s += fmt.Sprint(i)
	}
	for range 2 {
		s += "."
	}
	for i, r := range "aé" {
		s += fmt.Sprint(i, r)
	}
	var arr [3]int
	for arr[n%3] = range 2 {
		s += fmt.Sprint(arr)
	}
	for x := range count(n) {
		if x > 2 {
			break
		}
		s += fmt.Sprint("c", x)
	}
	return s
}

func count(n int) func(yield func(int) bool) {
	return func(yield func(int) bool) {
		for i := range n {
			if !yield(i * 2) {
				return
			}
		}
	}
}

func dead(n int) int {
	if n > 0 {
		return n
		n++
	}
	return -n
}

// CaseControl: goto, labels, fallthrough, type switch, select, range over
// everything, dead code.
func CaseControl(in int) string {
	var v any = in
	switch in {
	case 1:
		v = "str"
	case 2:
		v = nil
	case 3:
		v = fmt.Errorf("e%d", in)
	}
	return gotos(in) + labelled(in) + falls(in) + typed(v) + channels(in) + fmt.Sprint(forever(in)) + ranges(in) + fmt.Sprint(dead(in))
}

package programs

import "fmt"

type counter struct {
	n    int
	next *counter
	log  []string
}

func (c *counter) add(s string) { c.log = append(c.log, s); c.n++ }

var calls int

func pick(xs []int, i int) *int { calls++; return &xs[i%len(xs)] }

func statements(in int) string {
	calls = 0 //fuzzmut:ignore state shared by executions
	c := &counter{}
	c.add("a")
	c.next = &counter{n: in}
	c.next.n += 2
	c.next.n--
	xs := []int{1, 2, 3}
	xs[in%3]++
	xs[2] -= in
	*pick(xs, in) += 10
	*pick(xs, 1)--
	m := map[string]int{}
	m["k"]++
	m["k"] <<= 2
	m[fmt.Sprint(
		in, // several lines
	)] -= 3
	xs[len(
		xs,
	)-1]++
	delete(m, "z")
	ch := make(chan int, 30) //fuzzmut:ignore less blocks
	ch <- in
	ch <- 7
	if in > 2 {
		<-ch
	}
	x, y := 1, 2
	x, y = y, x
	for i, j := 0, 5; i < j; i, j = i+1, j-1 {
		x += i
	}
	for i := 0; i < 3; i++ {
		y *= 2
	}
	clear(xs[:1])
	return fmt.Sprint(c.n, c.log, c.next.n, xs, m, len(ch), x, y, calls)
}

func last(in int) int {
	if in > 1 {
		return in
	} else if in == 0 {
		panic("zero")
	} else {
		{
			panic(fmt.Sprint("in ", in))
		}
	}
}

// CaseStatements: deletions, increments and assignments with operands that have
// effects, statements that end functions.
func CaseStatements(in int) string {
	return statements(in) + fmt.Sprint(last(in))
}

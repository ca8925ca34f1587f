package programs

//operators index-shift slice-bounds length-change

import "fmt"

var indexCalls int

type tiny uint8

type bytes []byte

func lines2(n int) [][]int { indexCalls++; return [][]int{{n, n + 1, n + 2}, {7, 8}} } //fuzzmut:ignore

func chars(n int) string { indexCalls++; return "abcdef"[n%3:] } //fuzzmut:ignore

func next2(n int) int { indexCalls++; return n % 2 } //fuzzmut:ignore

func indices(s []int, text string, grid [3][4]int, p *[5]int, i int, k uint8, b tiny) (out string) {
	i0 := s[i]
	s[i] = i0 + 1
	s[i]++
	s[i] *= 3
	grid[i][b] += s[k]
	p[k] = grid[i][i]
	q := &s[i]
	*q += 2
	copy(grid[i][:], p[i:])
	lines2(i)[0][i] = 4
	lines2(i)[next2(i)][b]++
	s[next2(i)]--
	for n := range s {
		s[n] ^= n
	}
	type pair struct{ a, b []int }
	ps := []pair{{s, s[1:]}, {p[:], nil}, {s[2:], s}}
	ps[i].a[i] = 9
	(ps[i].a)[i], s[0] = s[0], ps[i].a[i]
	out = fmt.Sprint(s, grid, *p, i0, text[i], chars(i)[i], "0123456789"[k], len(ps), lines2(i)[1][next2(i)], indexCalls)
	defer func() { out = fmt.Sprint(out, recover(), i) }()
	return out + fmt.Sprint(s[i*4], text[b*9])
}

func element[S ~[]string | ~[3]string](s S, i int) string { return s[i] }

func at[T ~string | ~[]byte, I ~int | ~uint8](t T, i I) byte { return t[i] }

type heap struct {
	vals []int
	top  int
}

func (s *heap) pop() int { s.top--; return s.vals[s.top] }

// late reads what a call behind it changes in the same statement.
func late(in int) string {
	s := &heap{vals: []int{5, 6, 7, 8}, top: 3}
	s.vals[s.top] = s.pop() + in
	n := s.top + s.pop()
	head := fmt.Sprint(s.vals[s.top:s.pop()])
	s.top = 2
	m := len(s.vals) - s.grow()
	return fmt.Sprint(s.vals, s.top, n, m, head)
}

func (s *heap) grow() int { s.vals = append(s.vals, 1); return s.top }

// CaseIndices: indices of elements that are read, written and pointed to.
func CaseIndices(in int) (out string) {
	indexCalls = 0                                //fuzzmut:ignore state shared by executions
	s := append(make([]int, 0, 9), 1, 2, 3, 4, 5) //fuzzmut:ignore
	try := func(f func() string) {
		defer func() {
			if r := recover(); r != nil { //fuzzmut:ignore
				out += fmt.Sprint(r) //fuzzmut:ignore
			}
		}()
		out += f() + "\n" //fuzzmut:ignore
	}
	try(func() string {
		return indices(s[:3:3], "text", [3][4]int{{1}, {2}}, &[5]int{3, 4, 5}, in, uint8(in), tiny(in))
	}) //fuzzmut:ignore
	try(func() string {
		return fmt.Sprint(element([]string{"x", "y", "z"}, in), element([3]string{"u"}, in), at("xyz", in), at(bytes("qrst"), uint8(in)))
	}) //fuzzmut:ignore
	try(func() string { return late(in) }) //fuzzmut:ignore
	return out                             //fuzzmut:ignore
}

package programs

//operators slice-bounds length-change

import "fmt"

type octets []byte

type small uint8

var sliceCalls int

func grids(n int) [][]int { sliceCalls++; return [][]int{{n, n + 1, n + 2}, {7, 8}} } //fuzzmut:ignore

func letters(n int) string { sliceCalls++; return "abcdef"[n%3:] } //fuzzmut:ignore

func step(n int) int { sliceCalls++; return n % 2 } //fuzzmut:ignore

func bounds(s []int, text string, arr *[6]int, i, j int, k uint, b small) string {
	fixed := *arr
	head := s[i:j]
	tail := s[i+1:]
	full := s[: j : j+1]
	out := fmt.Sprint(head, tail, len(full), cap(full), text[i:], text[:j], text[k:j])
	out += fmt.Sprint(arr[i:j], fixed[k:], fixed[:4], "constant"[i:j], s[b:], octets(text)[i:j:j])
	out += fmt.Sprint(grids(i)[0][:j], letters(i)[i:], s[step(i):step(j)+2])
	return out
}

func cut[S ~[]E, E any](s S, i, j int) S { return s[i:j] }

func middle[T ~string | ~[]byte](t T, i int) T { return t[i:] }

func lengths(s []int, text string, m map[int]bool, c chan int, n int) string {
	r := make([]int, len(s), cap(s)+len(text))
	out := fmt.Sprint(len(s), cap(s), len(text), len(m), len(c), cap(c), len(r), 2*len(s)-n, len(grids(n)), uint8(len(s)))
	for i := 0; i < len(s); i++ {
		out += "."
	}
	if len(s) > n || n >= len(text) || len(s) == len(text) {
		out += "longer"
	}
	return out + s2(len(s)-n, len(s)+len(text))
}

func s2(a, b int) string { return fmt.Sprint(a, b) }

// CaseSlices: bounds and lengths.
func CaseSlices(in int) (out string) {
	sliceCalls = 0                                //fuzzmut:ignore state shared by executions
	c := make(chan int, 3)                        //fuzzmut:ignore
	c <- in                                       //fuzzmut:ignore
	s := append(make([]int, 0, 9), 1, 2, 3, 4, 5) //fuzzmut:ignore
	try := func(f func() string) {
		defer func() {
			if r := recover(); r != nil { //fuzzmut:ignore
				out += fmt.Sprint(r) //fuzzmut:ignore
			}
		}()
		out += f() + "\n" //fuzzmut:ignore
	}
	try(func() string { return bounds(s, "héllo", &[6]int{9, 8, 7, 6, 5, 4}, in, in+2, uint(in), small(in)) }) //fuzzmut:ignore
	try(func() string { return fmt.Sprint(cut(s, in, in+1), middle("abc", in), middle(octets("ab"), in)) })    //fuzzmut:ignore
	try(func() string { return lengths(s[:in], "four", map[int]bool{in: true}, c, in) })                       //fuzzmut:ignore
	return out                                                                                                 //fuzzmut:ignore
}

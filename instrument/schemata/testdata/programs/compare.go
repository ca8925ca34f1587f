package programs

import "fmt"

type flag bool

type point struct{ x, y int }

func compareAll(a, b int, s string, f float64) int {
	n := 0
	if a < b {
		n |= 1
	}
	if s <= "m" {
		n |= 2
	}
	if f > 1.5 && a != b {
		n |= 4
	}
	if len(s) == 0 || uint(a) > 0 {
		n |= 8
	}
	return n
}

func mixedKinds(p, q point, i any, ptr *point) flag {
	var same flag = p == q
	if i == nil || ptr == nil {
		return !same
	}
	if i == p {
		return same && p.x > 0
	}
	return ptr.x >= 2 || same
}

func ok(b bool) bool { return b }

func conditions(a, b, c bool) string {
	s := ""
	if a && b || c {
		s += "1"
	}
	if !(a || b) && !c {
		s += "2"
	}
	for n := 0; ok(a) && n < 3; n++ {
		s += "3"
	}
	switch {
	case a == b, c && ok(b):
		s += "4"
	case ok(c):
		s += "5"
	default:
		s += "6"
	}
	return s
}

// CaseCompare: ordered and other comparisons, named booleans, short circuits.
func CaseCompare(in int) string {
	p := point{in, 2}
	var i any
	if in > 1 {
		i = p
	}
	var ptr *point
	if in != 3 {
		ptr = &p
	}
	return fmt.Sprint(compareAll(in, 3, string(rune('k'+in)), float64(in)/2), mixedKinds(p, point{2, 2}, i, ptr),
		conditions(in&1 == 1, in&2 == 2, in&4 == 4))
}

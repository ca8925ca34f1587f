package programs

import "fmt"

type celsius float32

type bits uint8

func sum(a, b int) int { return a + b*2 - a%3 }

func mixed(x int8, y uint16, f celsius, c complex128) string {
	x = x*3 - 7
	y <<= 3
	y |= 5
	y = y&^2 ^ uint16(x)
	f /= 2
	f = -f + 1.5
	c = c*2 - 1i
	return fmt.Sprint(x, y, f, c)
}

func shifts(n uint, m int) (uint64, int32, bits) {
	a := uint64(1<<n) | 1<<3
	var b int32 = -1 << n
	k := bits(200) >> (n % 4)
	k <<= m & 3
	return a, b >> 1, k
}

func precedence(a, b, c int) int {
	p := a - b - c
	p += a * (b + c) / (c*c + 1)
	p -= (a + b) * c & 7
	return p ^ a&b | -c
}

// CaseArith: operators of every numeric type, op-assignments, shifts of untyped
// constants, precedence.
func CaseArith(in int) string {
	u, i, k := shifts(uint(in), in+1)
	return fmt.Sprint(sum(in, 4), mixed(int8(in), uint16(in), celsius(in), complex(float64(in), 1)), u, i, k, precedence(in, 3, in-2))
}

package programs

import (
	b "bytes"
	"fmt"
	"math/big"
	"slices"
	"strings"
)

type wide struct{ *big.Int }

func power(base, n int64, m *big.Int) string {
	x, y := big.NewInt(base), big.NewInt(n)
	z := new(big.Int).Exp(x, y, m)
	if w := (wide{new(big.Int)}); n > 2 && w.Exp(z, big.NewInt(2), nil).Cmp(z) > 0 {
		return w.String()
	}
	return new(big.Int).Exp(new(big.Int).Add(z, x), big.NewInt(n%4+1), m).Text(16)
}

func repeated(n int) (s string) {
	defer func() {
		if r := recover(); r != nil {
			s = fmt.Sprint(s, r)
		}
	}()
	s = strings.Repeat("a"+"b", n+1) + string(b.Repeat([]byte{'x', byte(n)}, max(n-1, 0)))
	defer strings.Repeat("c", n)
	return s + strings.Repeat(s, n-2)
}

type elements uint32

func rooms[T ~[]E, E any](n int) (list T) {
	defer func() { recover() }() // what is out of range
	c := elements(n) * 30_000
	m := make(map[string]int, c/16+1)
	chans := make(chan int64, n*n*1_000)
	list = make(T, n, n*20_000)
	list = append(list, make(T, 1<<n*1_000)[:0]...)
	var text strings.Builder
	text.Grow(n * n * 9_000)
	list = slices.Grow(list, n*3_000)
	return list[:len(m)+len(chans)+len(make([]elements, 0, max(c-1, 0)))]
}

// CaseCostly: calls whose work one number decides, which burn fuel for it.
func CaseCostly(in int) string {
	n := int64(in)
	return power(n, n, nil) + power(n+3, 2*n, big.NewInt(1009)) + repeated(in) + fmt.Sprint(len(rooms[[]string](in)))
}

package programs

import "fmt"

type level string

const (
	debug level = "debug"
	info  level = "info"
	fatal level = "fatal"
)

const (
	readable = 1 << iota
	writable
	_
	deletable
)

type weekday uint8

const (
	monday  weekday = 1
	friday  weekday = 5
	sunday  weekday = 7
	weekend         = sunday
)

const (
	half, third = 1 / (iota + 2.0), 1 / (iota + 3.0)
	quarter, _
)

func levels(n int) (level, string) {
	l := debug
	if n > 1 {
		l = (info)
	}
	if n > 3 {
		debug := fatal // hides one
		return debug, string(info) + "!"
	}
	switch l {
	case info:
		return fatal, fmt.Sprint(debug + info)
	}
	return l, "-" + string(l[1:])
}

func modes(n int) (m int, x float32, c complex128) {
	const (
		on  = true
		off = false
	)
	m = n | writable
	if m&deletable != 0 == on {
		m ^= readable
	}
	x = float32(n) * third
	c = complex(float64(x), 0) * quarter
	return m &^ (readable | deletable), x - half, c
}

func days(d weekday) (weekday, [3]int) {
	days := [...]weekday{monday, weekend}
	days[d%2] += friday
	return days[0] - days[1]/friday, [3]int{5, -7, 1e2}
}

func asAny[T ~int | ~float64](x T) (T, any) { return x*2 + readable, sunday }

// CaseEnumerations: constants that are replaced by their neighbours, or negated.
func CaseEnumerations(in int) string {
	l, text := levels(in)
	m, x, c := modes(in)
	d, arr := days(weekday(in))
	n, any := asAny(float64(in))
	i, _ := asAny(in)
	return fmt.Sprint(l, text, m, x, c, d, arr, n, any, i)
}

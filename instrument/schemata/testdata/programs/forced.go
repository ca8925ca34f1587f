package programs

import "fmt"

type verdict bool

func told(log *string, s string, b bool) bool {
	*log += s
	return b
}

func forcedConditions(a, b, c bool, s []int, n uint) (log string) {
	if a || b && c {
		log += "1"
	}
	if !(a && (b || !c)) {
		log += "2"
	}
	if a && (told(&log, "g", b) || c) && s[n%3] == 1 {
		log += "3"
	}
	for i := 0; len(s) > i && n >= 0; i++ {
		log += "4"
	}
	switch {
	case n == 0, a && !told(&log, "h", c), (b || c) && !(a || told(&log, "i", b)):
		log += "5"
	}
	return log
}

func forcedResults(a, b verdict, s []int) (verdict, bool) {
	ok := a && (b || !a)
	return a || ok && !b, len(s) < 2 || len(s) > 4
}

func forcedElsewhere(a, b int, p *int, log *string) map[string]bool {
	x := a < b
	y := (p == nil) == x
	var v verdict = a == 3
	w := verdict(x) != v
	told(log, fmt.Sprint(v, w), "s" < fmt.Sprint(a))
	less := func(i, j float64) bool { return i < j }
	return map[string]bool{"x": told(log, "m", a != b) && y, "y": uint(a) > 0, "z": less(float64(a), 2.5)}
}

// CaseForced: conditions, terms and comparisons that are always true or false,
// before operands with effects and without.
func CaseForced(in int) string {
	s := []int{1, in, 2}[:in%4]
	log := forcedConditions(in&1 == 1, in&2 == 2, in&4 == 4, append(s, 1, 1, 1), uint(in))
	v, ok := forcedResults(in > 1, in < 4, s)
	var p *int
	if in == 2 {
		p = &in
	}
	return fmt.Sprint(forcedElsewhere(in, 3, p, &log), v, ok, log)
}

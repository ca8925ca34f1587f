package report

import (
	"strconv"
	"strings"
)

// Times says how often something happened: once, or 1,000 times.
func Times(n int64) string {
	if n == 1 {
		return "once"
	}
	return Group(n) + " times"
}

// Plural returns n with noun, in the form that fits n.
func Plural(n int, noun string) string {
	s := Group(int64(n)) + " "
	if n == 1 || noun == "more" {
		return s + noun
	}
	if stem, ok := strings.CutSuffix(noun, "ry"); ok {
		return s + stem + "ries"
	}
	if strings.HasSuffix(noun, "ss") {
		return s + noun + "es"
	}
	return s + noun + "s"
}

// Group formats n with commas between the thousands.
func Group(n int64) string {
	digits := strconv.FormatInt(n, 10)
	sign := ""
	if n < 0 {
		sign, digits = "-", digits[1:]
	}
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return sign + digits
}

// Verb returns the form that fits n.
func Verb(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

package programs

import (
	"fmt"
	"math"
	"strings"
	"time"
)

type color uint8

const (
	red color = iota
	green
	blue
)

const (
	size  = 4
	ratio = 2.5
	name  = "na" + "me"
)

type grid [size * 2]int

func constants(in int) string {
	var g grid
	g[3] = in + size
	x := ratio
	c := blue
	if in > 2 {
		c = green
	}
	d := 3 * time.Second
	r := 'a'
	var b byte = 'z' - 1
	m := map[string]int{"one": 1, "two": size}
	arr := [...]string{2: "x", 0: name}
	var u8 uint8 = 255
	var i64 int64 = math.MaxInt64
	sl := g[1:5]
	big := make([]int, 2, 6)
	return fmt.Sprint(g, x, c, d, r, b, m["two"], arr, u8, i64, len(sl), cap(big), sl[2], "ab"[1], 1<<uint(in)-1, float32(in)*1.5)
}

func labels(c color) string {
	switch c {
	case red:
		return "red"
	case green, blue:
		return strings.Repeat("g", 2)
	}
	return ""
}

// CaseConsts: constants in every place they can and can't be replaced.
func CaseConsts(in int) string {
	return constants(in) + labels(color(in))
}

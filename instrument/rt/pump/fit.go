package pump

import (
	"math"
	"slices"
)

// A Point is what a text of some bytes costs, in any unit.
type Point struct {
	Len  int
	Cost float64
}

// Exponent fits cost = a * length^e to points by least squares of the logarithms, and returns
// e. Points without a cost are left out; of fewer than two it is 0. The second result is the
// least of the exponents between two points that follow each other, among the last three: a
// cost that has stopped growing has a small one.
func Exponent(points []Point) (e, last float64) {
	points = slices.DeleteFunc(slices.Clone(points), func(p Point) bool { return p.Len <= 0 || p.Cost <= 0 })
	if len(points) < 2 {
		return 0, 0
	}
	var x, y, xx, xy float64
	for _, p := range points {
		lx, ly := math.Log(float64(p.Len)), math.Log(p.Cost)
		x, y, xx, xy = x+lx, y+ly, xx+lx*lx, xy+lx*ly
	}
	n := float64(len(points))
	if d := n*xx - x*x; d > 0 {
		e = (n*xy - x*y) / d
	}
	last = math.Inf(1)
	for i := max(len(points)-2, 1); i < len(points); i++ {
		last = min(last, Between(points[i-1], points[i]))
	}
	return e, last
}

// Between is the exponent between two points.
func Between(a, b Point) float64 {
	if a.Len <= 0 || b.Len <= a.Len || a.Cost <= 0 || b.Cost <= 0 {
		return 0
	}
	return math.Log(b.Cost/a.Cost) / math.Log(float64(b.Len)/float64(a.Len))
}

// slack is what the exponents between two points may lie below a bound that the fit reaches:
// memory grows in steps.
const slack = 0.2

// Above reports whether a cost grows faster than length^bound, up to the end of the points.
func Above(points []Point, bound float64) (e float64, ok bool) {
	e, last := Exponent(points)
	return e, e > bound && last > bound-slack
}

// At extrapolates what a text of length bytes costs: from the last point, with exponent e.
func At(points []Point, e float64, length int) float64 {
	if len(points) == 0 {
		return 0
	}
	p := points[len(points)-1]
	return p.Cost * math.Pow(float64(length)/float64(max(p.Len, 1)), e)
}

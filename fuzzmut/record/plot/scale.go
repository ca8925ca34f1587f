package plot

import (
	"math"
	"strconv"
)

// scale maps values [min, max] to the picture, [from, to].
type scale struct {
	min, max, from, to float64
}

func (s scale) at(v float64) float64 {
	return s.from + (v-s.min)/(s.max-s.min)*(s.to-s.from)
}

// widen moves the ends of the scale outwards to ticks.
func (s *scale) widen() {
	step := s.step(6)
	s.min, s.max = math.Floor(s.min/step)*step, math.Ceil(s.max/step)*step
	if s.max == s.min {
		s.max += step
	}
}

// step returns the distance of about n ticks: 1, 2 or 5 times a power of ten, and
// a whole number where the scale has room for one.
func (s scale) step(n int) float64 {
	rough := (s.max - s.min) / float64(n)
	if rough <= 0 {
		return 1
	}
	power := math.Pow(10, math.Floor(math.Log10(rough)))
	for _, f := range []float64{1, 2, 5} {
		if f*power >= rough*(1-1e-9) {
			return f * power
		}
	}
	return 10 * power
}

// ticks lists the round values on the scale, about n.
func (s scale) ticks(n int) []float64 {
	step := s.step(n)
	var list []float64
	for i := max(math.Ceil(s.min/step-1e-9), 0); i*step <= s.max*(1+1e-9); i++ {
		list = append(list, i*step)
	}
	return list
}

// tickLabel formats a value at an axis: 1500, 20k, 1.5M.
func tickLabel(v float64) string {
	unit := ""
	switch {
	case v >= 1e9:
		v, unit = v/1e9, "G"
	case v >= 1e6:
		v, unit = v/1e6, "M"
	case v >= 1e4:
		v, unit = v/1e3, "k"
	}
	// Six digits hide what the multiples of a fraction are off by.
	return strconv.FormatFloat(v, 'g', 6, 64) + unit
}

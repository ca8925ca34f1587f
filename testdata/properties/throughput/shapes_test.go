package throughput

import (
	"maps"
	"math/rand/v2"
	"slices"

	"github.com/fuzzmut/fuzzmut/testdata/hunt"
)

// color has parts of one type.
type color struct{ R, G, B, A uint8 }

var colors = workload[color]{
	draw: func(r *rand.Rand) color {
		return color{uint8(r.IntN(101)), uint8(r.IntN(101)), uint8(r.IntN(101)), uint8(r.IntN(101))}
	},
	holds: func(c color) hunt.Outcome {
		d := color{^c.R, ^c.G, ^c.B, c.A}
		return outcome(color{^d.R, ^d.G, ^d.B, d.A} == c)
	},
	parts: func(color) int { return 4 },
}

type point struct{ X, Y int }

// box has structs inside.
type box struct{ Min, Max point }

func (b box) move(x, y int) box {
	return box{point{b.Min.X + x, b.Min.Y + y}, point{b.Max.X + x, b.Max.Y + y}}
}

func drawPoint(r *rand.Rand) point { return point{r.IntN(201) - 100, r.IntN(201) - 100} }

var boxes = workload[box]{
	draw:  func(r *rand.Rand) box { return box{drawPoint(r), drawPoint(r)} },
	holds: func(b box) hunt.Outcome { return outcome(b.move(3, 4).move(-3, -4) == b) },
	parts: func(box) int { return 4 },
}

// shape has a slice of structs in it.
type shape struct {
	ID     int32
	Closed bool
	Points []point
}

var shapes = workload[[]shape]{
	draw: func(r *rand.Rand) []shape {
		list := make([]shape, r.IntN(22))
		for i := range list {
			list[i] = shape{int32(r.IntN(201) - 100), r.IntN(2) == 0, make([]point, r.IntN(22))}
			for j := range list[i].Points {
				list[i].Points[j] = drawPoint(r)
			}
		}
		return list
	},
	holds: func(list []shape) hunt.Outcome {
		c := slices.Clone(list)
		slices.Reverse(c)
		slices.Reverse(c)
		return outcome(slices.EqualFunc(c, list, func(a, b shape) bool {
			return a.ID == b.ID && a.Closed == b.Closed && slices.Equal(a.Points, b.Points)
		}))
	},
	parts: func(list []shape) int {
		n := 2 * len(list)
		for _, s := range list {
			n += 2 * len(s.Points)
		}
		return n
	},
}

// record has a name, a map and a pointer.
type record struct {
	Name  string
	Score float32
	Count map[string]int
	At    *point
}

var records = workload[record]{
	draw: func(r *rand.Rand) record {
		x := record{drawWord(r), float32(r.IntN(201)-100) / 4, make(map[string]int), nil}
		for range r.IntN(10) {
			x.Count[drawWord(r)] = r.IntN(201) - 100
		}
		if r.IntN(2) == 0 {
			p := drawPoint(r)
			x.At = &p
		}
		return x
	},
	holds: func(x record) hunt.Outcome {
		return outcome(maps.Equal(maps.Clone(x.Count), x.Count) && x.Name+x.Name != x.Name+x.Name+"x")
	},
	parts: func(x record) int {
		n := len(x.Name) + 1
		for k := range x.Count {
			n += len(k) + 1
		}
		if x.At != nil {
			n += 2
		}
		return n
	},
}

// vector has parts that are all floats.
type vector struct{ X, Y, Z float64 }

func (v vector) turn() vector { return vector{v.Y, v.Z, v.X} }

var vectors = workload[vector]{
	draw:  func(r *rand.Rand) vector { return vector{drawFloat(r), drawFloat(r), drawFloat(r)} },
	holds: func(v vector) hunt.Outcome { return outcome(v.turn().turn().turn() == v) },
	parts: func(vector) int { return 3 },
}

func drawFloat(r *rand.Rand) float64 { return float64(r.IntN(201)-100) / 4 }

// reading has floats of two sizes, and numbers.
type reading struct {
	At     int64
	Sensor uint16
	Value  float32
	Error  float32
	Valid  bool
}

var readings = workload[reading]{
	draw: func(r *rand.Rand) reading {
		return reading{int64(r.IntN(201) - 100), uint16(r.IntN(101)), float32(drawFloat(r)), float32(drawFloat(r)), r.IntN(2) == 0}
	},
	holds: func(x reading) hunt.Outcome {
		y := x
		y.At, y.Valid = ^y.At, !y.Valid
		return outcome(reading{^y.At, y.Sensor, y.Value, y.Error, !y.Valid} == x)
	},
	parts: func(reading) int { return 5 },
}

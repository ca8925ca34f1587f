package triage

import "slices"

// Ranked is an item and its place in an order.
type Ranked struct {
	Item     int
	Distance float64 // to the nearest item before it; 1 for the first
}

// FurthestFirst puts items 0 to n-1 in order, furthest point first (§2): it begins
// with start, and then always takes the item whose nearest one among those before
// it is furthest. If two are as far, the one that is further by the next metric,
// measured the same way, comes first, and if all metrics agree the one with the
// lower number. It stops after most items; 0 means none is left out.
func FurthestFirst(n, start, most int, metrics ...Metric) []Ranked {
	if n == 0 {
		return nil
	}
	if most == 0 || most > n {
		most = n
	}
	r := &ranking{metrics: metrics, near: make([][]float64, len(metrics)), taken: make([]bool, n)}
	for k := range r.near {
		r.near[k] = make([]float64, n)
		for i := range n {
			r.near[k][i] = 1
		}
	}
	order := make([]Ranked, 0, most)
	for next := start; ; next = r.furthest() {
		ranked := Ranked{Item: next, Distance: 1}
		if len(metrics) > 0 {
			ranked.Distance = r.near[0][next]
		}
		if order = append(order, ranked); len(order) == most {
			return order
		}
		r.take(next)
	}
}

// ranking is the state of FurthestFirst.
type ranking struct {
	metrics []Metric
	near    [][]float64 // by metric and item, the distance to the nearest one taken
	taken   []bool
}

func (r *ranking) take(item int) {
	r.taken[item] = true
	for k, m := range r.metrics {
		for i := range r.taken {
			if !r.taken[i] {
				r.near[k][i] = min(r.near[k][i], m(item, i))
			}
		}
	}
}

func (r *ranking) furthest() int {
	best := -1
	for i, taken := range r.taken {
		if !taken && (best < 0 || r.further(i, best)) {
			best = i
		}
	}
	return best
}

func (r *ranking) further(i, j int) bool {
	for _, near := range r.near {
		if near[i] != near[j] {
			return near[i] > near[j]
		}
	}
	return false
}

// Ring are the items that are at the same distance from another one.
type Ring struct {
	Distance float64
	Items    []int // ascending
}

// Rings returns the rings of an onion around an item: the other items nearer than
// 1, which share something with it, by distance from the inside out.
func Rings(n, center int, m Metric) []Ring {
	byDistance := make(map[float64][]int)
	var distances []float64
	for i := range n {
		d := m(center, i)
		if i == center || d >= 1 {
			continue
		}
		if byDistance[d] == nil {
			distances = append(distances, d)
		}
		byDistance[d] = append(byDistance[d], i)
	}
	slices.Sort(distances)
	rings := make([]Ring, len(distances))
	for i, d := range distances {
		rings[i] = Ring{Distance: d, Items: byDistance[d]}
	}
	return rings
}

// Package sorter sorts bytes with a small natural merge sort.
package sorter

// minRun is the length up to which a run is extended by insertion.
const minRun = 8

// Stats says how much work a sort did.
type Stats struct {
	Runs        int // natural or extended runs found
	Comparisons int // element comparisons
	Moves       int // elements moved by insertion
}

// Sort returns the elements of in in ascending order, and what it cost.
// The argument is not changed.
func Sort(in []byte) ([]byte, Stats) {
	s := &state{data: append([]byte(nil), in...)}
	for lo := 0; lo < len(s.data); {
		hi := s.extend(lo, s.run(lo))
		s.runs = append(s.runs, span{lo, hi})
		s.stats.Runs++
		lo = hi
	}
	for len(s.runs) > 1 {
		s.mergePairs()
	}
	return s.data, s.stats
}

// span is the half-open range of one sorted run.
type span struct{ lo, hi int }

type state struct {
	data  []byte
	runs  []span
	stats Stats
}

func (s *state) less(a, b byte) bool {
	s.stats.Comparisons++
	return a < b
}

// run returns the end of the natural run that begins at lo. A strictly
// descending run is reversed in place.
func (s *state) run(lo int) int {
	hi := lo + 1
	if hi == len(s.data) {
		return hi
	}
	if s.less(s.data[hi], s.data[lo]) {
		for hi < len(s.data) && s.less(s.data[hi], s.data[hi-1]) {
			hi++
		}
		reverse(s.data[lo:hi])
		return hi
	}
	for hi < len(s.data) && !s.less(s.data[hi], s.data[hi-1]) {
		hi++
	}
	return hi
}

func reverse(b []byte) {
	for i, j := 0, len(b)-1; i < j; i, j = i+1, j-1 {
		b[i], b[j] = b[j], b[i]
	}
}

// extend grows the run [lo, hi) to minRun elements by insertion, or to the end
// of the data, and returns its new end.
func (s *state) extend(lo, hi int) int {
	for hi < len(s.data) && hi-lo < minRun {
		v := s.data[hi]
		j := hi
		for j > lo && s.less(v, s.data[j-1]) {
			s.data[j] = s.data[j-1]
			s.stats.Moves++
			j--
		}
		s.data[j] = v
		hi++
	}
	return hi
}

// mergePairs merges neighbouring runs, halving their number.
func (s *state) mergePairs() {
	var out []span
	for i := 0; i < len(s.runs); i += 2 {
		if i+1 == len(s.runs) {
			out = append(out, s.runs[i])
			break
		}
		out = append(out, s.merge(s.runs[i], s.runs[i+1]))
	}
	s.runs = out
}

// merge joins two neighbouring runs stably.
func (s *state) merge(a, b span) span {
	left := append([]byte(nil), s.data[a.lo:a.hi]...)
	i, j, k := 0, b.lo, a.lo
	for i < len(left) && j < b.hi {
		if s.less(s.data[j], left[i]) {
			s.data[k] = s.data[j]
			j++
		} else {
			s.data[k] = left[i]
			i++
		}
		k++
	}
	copy(s.data[k:], left[i:])
	return span{a.lo, b.hi}
}

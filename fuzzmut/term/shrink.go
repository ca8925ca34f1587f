package term

import (
	"iter"
	"math"
	"slices"
	"strings"
)

// simpleBytes are the bytes of texts, the simplest first; all others come after.
const simpleBytes = "abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ "

// Shrink makes x smaller as long as fails holds for what comes out, and returns the
// smallest term found and whether it is locally minimal: fails holds for none of its
// [Smaller] terms. It calls fails at most limit times, 0 for no limit. fails must
// hold for x, and the result depends on nothing else.
//
// A number or text in several places is minimized in all of them, too: a key that is put in
// and looked up has to stay the same.
func Shrink(x *Term, limit int, fails func(*Term) bool) (least *Term, minimal bool) {
	s := &shrinking{x: x, limit: limit, fails: fails}
	for s.places() || s.all() {
	}
	return s.x, !s.over
}

// shrinking is what Shrink has found so far.
type shrinking struct {
	x            *Term
	calls, limit int
	over         bool // the limit is reached
	fails        func(*Term) bool
}

// first takes the first term for which fails holds, and reports whether there is one.
func (s *shrinking) first(terms iter.Seq[*Term]) bool {
	for y := range terms {
		if s.over = s.limit > 0 && s.calls >= s.limit; s.over {
			return false
		}
		s.calls++
		if s.fails(y) {
			s.x = y
			return true
		}
	}
	return false
}

// places makes the term smaller in one place after the other, and reports whether it did. Where one
// change was for the better, the next is tried at the same place.
func (s *shrinking) places() (progress bool) {
	for i := 0; !s.over; {
		paths := Paths(s.x)
		if i >= len(paths) {
			break
		}
		if s.first(smallerAt(s.x, paths[i])) {
			progress = true
		} else {
			i++
		}
	}
	return progress
}

// all makes numbers and texts smaller that are in several places, and reports whether it did.
func (s *shrinking) all() (progress bool) {
	for !s.over && s.first(smallerInAll(s.x)) {
		progress = true
	}
	return progress
}

// smallerAt yields the terms that differ from x in one place, in which they are simpler.
func smallerAt(x *Term, p Path) iter.Seq[*Term] {
	return func(yield func(*Term) bool) {
		for part := range simpler(x.At(p)) {
			if !yield(x.Put(p, part)) {
				return
			}
		}
	}
}

// smallerInAll yields the terms that have, for a number or text that x has in several places, one that
// is simpler in all of them.
func smallerInAll(x *Term) iter.Seq[*Term] {
	return func(yield func(*Term) bool) {
		for _, leaf := range repeated(x) {
			for part := range simpler(leaf) {
				if !yield(x.replaced(leaf, part)) {
					return
				}
			}
		}
	}
}

// repeated lists the numbers and texts that x has in several places, once each.
func repeated(x *Term) []*Term {
	var r repeats
	r.walk(x)
	return r.list
}

// repeats are the numbers and texts that were met.
type repeats struct {
	counts map[leaf]int
	list   []*Term // those that were met twice
}

type leaf struct {
	t    *Type
	bits uint64
	text string
}

func (r *repeats) walk(x *Term) {
	switch x.Type.Kind {
	case Int, Uint, Float, Text:
		if r.counts == nil {
			r.counts = make(map[leaf]int)
		}
		l := leaf{x.Type, x.Bits, x.Text}
		if r.counts[l]++; r.counts[l] == 2 {
			r.list = append(r.list, x)
		}
	}
	for _, k := range x.Kids {
		r.walk(k)
	}
}

// replaced returns x with another part wherever it has one.
func (x *Term) replaced(old, part *Term) *Term {
	if Equal(x, old) {
		return part
	}
	if len(x.Kids) == 0 {
		return x
	}
	kids := make([]*Term, len(x.Kids))
	for i, k := range x.Kids {
		kids[i] = k.replaced(old, part)
	}
	if x.Type.Set {
		return NewList(x.Type, kids) // of those of a set that are the same now, one stays
	}
	return x.With(kids)
}

// Smaller yields the terms that differ from x in one place, in which they are
// smaller or simpler. There is no endless sequence of ever smaller terms: each has
// fewer parts and bytes, or as many, and in the first place that differs a simpler
// one.
func Smaller(x *Term) iter.Seq[*Term] {
	return func(yield func(*Term) bool) {
		for _, p := range Paths(x) {
			for y := range smallerAt(x, p) {
				if !yield(y) {
					return
				}
			}
		}
	}
}

// simpler yields what can stand in place of a part, the boldest first.
func simpler(x *Term) iter.Seq[*Term] {
	return func(yield func(*Term) bool) {
		switch x.Type.Kind {
		case Int, Uint:
			simplerNumber(x, yield)
		case Float:
			simplerFloat(x, yield)
		case Text:
			simplerText(x, yield)
		case List:
			simplerList(x, yield)
		case Sum:
			simplerSum(x, yield)
		case Product:
			for _, k := range x.Inside() {
				if !yield(k) {
					return
				}
			}
		}
	}
}

// Inside lists the nearest parts of x that have the same type as x.
func (x *Term) Inside() []*Term {
	if !x.Type.recursive {
		return nil
	}
	var list []*Term
	var walk func(y *Term)
	walk = func(y *Term) {
		for _, k := range y.Kids {
			if k.Type == x.Type {
				list = append(list, k)
			} else {
				walk(k)
			}
		}
	}
	walk(x)
	return list
}

// simplerNumber goes towards the origin, by ever smaller steps, and from negative to
// positive.
func simplerNumber(x *Term, yield func(*Term) bool) bool {
	t := x.Type
	origin := t.origin()
	dist, negative := x.Bits-origin, t.Kind == Int && int64(x.Bits) < int64(origin)
	if negative {
		dist = origin - x.Bits
		if mirror := origin + dist; t.inRange(mirror) && int64(mirror) > int64(origin) && !yield(Number(t, mirror)) {
			return false
		}
	}
	for step := dist; step > 0; step /= 2 {
		next := x.Bits - step
		if negative {
			next = x.Bits + step
		}
		if !yield(Number(t, next)) {
			return false
		}
	}
	return true
}

// simplerFloat tries the least value, whole numbers, and fewer digits.
func simplerFloat(x *Term, yield func(*Term) bool) bool {
	f := x.Float()
	tries := []float64{0, 1, -f, math.Trunc(f), math.Trunc(f / 2), math.Trunc(f) - 1, math.Trunc(f) + 1, float64(float32(f)), math.MaxFloat32}
	for _, g := range tries {
		if g = x.Type.clamp(g); floatRank(g) < floatRank(f) && !yield(Number(x.Type, math.Float64bits(g))) {
			return false
		}
	}
	return true
}

// floatRank orders floats by how simple they are: whole numbers before others, then
// by magnitude, positive ones first. It has no endless descent among what is tried:
// whole magnitudes are counted, and others only become whole or lose digits once.
func floatRank(f float64) float64 {
	magnitude := math.Abs(f)
	switch {
	case math.IsNaN(f):
		return math.Inf(1)
	case math.IsInf(f, 0):
		magnitude = math.MaxFloat64
	case f != math.Trunc(f) && float64(float32(f)) == f:
		magnitude = 1e300
	case f != math.Trunc(f):
		magnitude = 2e300
	case magnitude > 1e299:
		magnitude = 1e299
	}
	if math.Signbit(f) {
		magnitude += max(0.5, magnitude/1e10)
	}
	return magnitude
}

func simplerText(x *Term, yield func(*Term) bool) bool {
	t, n := x.Type, len(x.Text)
	put := func(text string) bool {
		return yield(&Term{Type: t, Text: text, Bits: x.Bits})
	}
	if n == 0 && x.Bits != 0 && t.MinLen == 0 {
		return yield(&Term{Type: t})
	}
	for size := n - t.MinLen; size > 0; size /= 2 {
		for from := 0; from+size <= n; from += size {
			if !put(x.Text[:from] + x.Text[from+size:]) {
				return false
			}
		}
	}
	if all := strings.Repeat(t.simplestByte(), n); all != x.Text && !put(all) {
		return false
	}
	for i := range n {
		for _, simple := range t.simplerBytes(x.Text[i]) {
			if !put(x.Text[:i] + string([]byte{simple}) + x.Text[i+1:]) {
				return false
			}
		}
	}
	return true
}

// simplestByte is that of a text.
func (t *Type) simplestByte() string {
	if t.Numeric {
		return "\x00"
	}
	return simpleBytes[:1]
}

// simplerBytes are simpler ones than b, the simplest first. Those of numbers are smaller.
func (t *Type) simplerBytes(b byte) (list []byte) {
	if t.Numeric {
		for _, n := range []byte{0, b / 2, b - 1} {
			if n < b && !slices.Contains(list, n) {
				list = append(list, n)
			}
		}
		return list
	}
	for _, simple := range []byte("aA0 ") {
		if byteRank(simple) < byteRank(b) {
			list = append(list, simple)
		}
	}
	return list
}

// byteRank orders the bytes of texts by how simple they are.
func byteRank(b byte) int {
	if i := strings.IndexByte(simpleBytes, b); i >= 0 {
		return i
	}
	return len(simpleBytes) + int(b)
}

// simplerList leaves out runs of elements, the longest first.
func simplerList(x *Term, yield func(*Term) bool) bool {
	t, n := x.Type, len(x.Kids)
	if n == 0 && x.Bits != 0 {
		return yield(&Term{Type: t})
	}
	for size := n - t.MinLen; size > 0; size /= 2 {
		for from := 0; from+size <= n; from += size {
			if !yield(x.With(slices.Concat(x.Kids[:from], x.Kids[from+size:]))) {
				return false
			}
		}
	}
	return true
}

// simplerSum puts parts of the same type in place of the whole, and tries
// alternatives that come earlier and are no larger.
func simplerSum(x *Term, yield func(*Term) bool) bool {
	t := x.Type
	for _, k := range x.Inside() {
		if !yield(k) {
			return false
		}
	}
	size, n := x.Size(), len(t.Alts)
	for rank := range (x.Alt() + n - t.least) % n {
		alt := (rank + t.least) % n
		for _, y := range x.Recast(alt, 4) {
			if y.Size() <= size && !yield(y) {
				return false
			}
		}
	}
	return true
}

// Recast lists up to most ways of making x, a sum, one of another alternative: the
// fields of what it holds keep the order in which they come, and a field for which x
// has none is the default.
func (x *Term) Recast(alt, most int) []*Term {
	t := x.Type
	u := t.Alts[alt].Type
	if u == nil {
		return []*Term{Choice(t, alt, nil)}
	}
	want := []*Type{u}
	if u.Kind == Product {
		want = want[:0]
		for _, f := range u.Fields {
			want = append(want, f.Type)
		}
	}
	var list []*Term
	for _, kids := range fill(want, x.Args(), most) {
		if u.Kind == Product {
			list = append(list, Choice(t, alt, &Term{Type: u, Kids: kids}))
		} else {
			list = append(list, Choice(t, alt, kids[0]))
		}
	}
	return list
}

// Args are the fields of what a sum holds, or that itself if it is no product; and
// the fields of a product.
func (x *Term) Args() []*Term {
	if x.Type.Kind != Sum {
		return x.Kids
	}
	if len(x.Kids) == 1 && x.Kids[0].Type.Kind == Product {
		return x.Kids[0].Kids
	}
	return x.Kids
}

// fill lists up to most ways of filling fields of the wanted types with the arguments
// that fit, each used any number of times, and with defaults where none fits.
func fill(want []*Type, have []*Term, most int) [][]*Term {
	ways := [][]*Term{nil}
	for _, t := range want {
		var fit []*Term
		for _, h := range have {
			if h.Type == t {
				fit = append(fit, h)
			}
		}
		if len(fit) == 0 {
			fit = []*Term{t.Default()}
		}
		var longer [][]*Term
		for _, w := range ways {
			for _, f := range fit {
				if len(longer) < most {
					longer = append(longer, append(w[:len(w):len(w)], f))
				}
			}
		}
		ways = longer
	}
	return ways
}

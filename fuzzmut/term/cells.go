package term

import (
	"math"
	"unsafe"
)

// cell is what there is to know of a number to draw it.
type cell struct {
	start, below, above uint64 // of a whole one, as of its type
	usual               uint64 // bits of a chance that are all 0 where the number is one that is seldom; 0: each is
}

func cellOf(t *Type, s Store) cell {
	bounded := t.FloatMin != 0 || t.FloatMax != 0
	if t.Kind == Float && (bounded || t.Bits != 64 && s != StoredFloat32) {
		return cell{}
	}
	return cell{t.start, t.below, t.above, 7 << 28}
}

// isCell reports whether bits say all of a part, and it is drawn where it comes.
func (p *part) isCell() bool { return p.by <= byAlternative }

// withRuns notes where cells follow each other.
func withRuns(list []part) []part {
	for i := len(list) - 1; i >= 0; i-- {
		if !list[i].isCell() {
			continue
		}
		list[i].run = 1
		if i+1 < len(list) {
			list[i].run += list[i+1].run
		}
	}
	return list
}

// cells writes parts that bits say all of, of as many values as are left, which are stride bytes apart. It is one loop, in
// which all that is needed for most numbers is at hand: to call functions for them takes longer than
// to draw them. What is seldom is drawn as in terms, and the rest is the same as there.
func (w *Writer) cells(list []part, dst unsafe.Pointer, left int, stride uintptr) {
	r, reach, usual := w.d.Random, uint64(w.d.reach), uint64(7<<28)
	if reach >= 1<<15 {
		usual = 0
	}
	for ; ; dst = unsafe.Add(dst, stride) {
		for i := range list {
			p := &list[i]
			at := unsafe.Add(dst, p.offset)
			if p.by == byCoin && w.d.coins > 1 {
				p.store.put(at, uint64(w.d.coin()))
				continue
			}
			if p.by >= byCoin {
				w.d.Random = r
				p.store.put(at, w.d.side(p))
				r = w.d.Random
				continue
			}
			r += step
			c := chance(r.mixed())
			var n uint64
			if p.by == byFloat {
				n = c.float(reach)
			} else {
				n = c.whole(&p.cell, reach)
			}
			if p.habit == nil {
				if uint64(c)&p.usual&usual == 0 {
					n, r = w.d.seldom(p, c, r)
				}
				p.store.put(at, n)
				continue
			}
			h, again := p.habit, p.habit.again(c, w.d.repeat)
			if uint64(c)&p.usual&usual|again == 0 {
				n, r = w.d.seldom(p, c, r)
			}
			before, slot := h.slots(c)
			if old := h.numbers[before%mostLast]; again != 0 {
				slot, n = before, old
			}
			h.numbers[slot%mostLast] = n
			h.n = min(h.n+1-int(again), mostLast)
			p.store.put(at, n)
		}
		if left--; left <= 0 { // no pointer beyond the last one
			break
		}
	}
	w.d.Random = r
}

// seldom draws a number by a chance, and returns the random number that was the last.
func (d *drawing) seldom(p *part, c chance, r Random) (n uint64, last Random) {
	d.Random = r
	n = d.freshBits(p.t, c)
	return n, d.Random
}

// side draws an alternative of a sum.
func (d *drawing) side(p *part) uint64 {
	if p.by == byCoin {
		return uint64(d.coin())
	}
	return uint64(d.variedAlt(p.t, p.habit))
}

// whole is what freshWhole draws of most numbers.
func (c chance) whole(x *cell, reach uint64) uint64 {
	low := min(x.below, reach)
	return x.start - low + uint64(c)>>32*(low+min(x.above, reach)+1)>>32
}

// float is what freshFloat draws of most numbers.
func (c chance) float(reach uint64) uint64 {
	f := float64(int64(uint64(c)>>32*(2*reach+1)>>32) - int64(reach))
	return math.Float64bits(f / divisors[c>>24&15])
}

// divisors are what freshFloat divides by, for each value of four bits of a chance: half of them are 1.
var divisors = [16]float64{1, 1, 1, 2, 1, 3, 1, 4, 1, 5, 1, 6, 1, 7, 1, 8}

// again is 1 if a number that occurred before is to occur again, and 0 else.
func (h *habit) again(c chance, repeat int) uint64 {
	if h.n == 0 {
		repeat = 0
	}
	return uint64(c.below(0, 2, 4)-repeat) >> 63
}

// slots are those of a number that occurred before, and of one that did not.
func (h *habit) slots(c chance) (before, fresh int) {
	fresh = h.n
	if fresh == mostLast {
		fresh = c.below(8, 16, mostLast)
	}
	return c.below(8, 16, h.n), fresh
}

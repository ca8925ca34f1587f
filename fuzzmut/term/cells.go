package term

import (
	"math"
	"unsafe"
)

// cell is what there is to know of a number to draw it.
type cell struct {
	start, below, above uint64 // of a whole one, as of its type
	least, mask         uint64 // the least of the type, and the bits of what others have in excess of it; 0: bits do not bound it
	usual               uint64 // bits of a chance that are all 0 where the number is one that is seldom; 0: each is
}

func cellOf(t *Type, s Store) cell {
	bounded := t.FloatMin != 0 || t.FloatMax != 0
	if t.Kind == Float && (bounded || t.Bits != 64 && s != StoredFloat32) {
		return cell{}
	}
	c := cell{t.start, t.below, t.above, t.Min, t.Max - t.Min, 7 << 28}
	if c.mask&(c.mask+1) != 0 {
		c.mask = 0
	}
	return c
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

// withRows makes one part of those that lie at equal distances, and are drawn in the same way.
func withRows(list []part) []part {
	var rows []part
	for _, p := range list {
		if last := len(rows) - 1; last >= 0 && rows[last].goesOn(&p) {
			rows[last].distance = p.offset - rows[last].end()
			rows[last].count++
			continue
		}
		rows = append(rows, p)
	}
	return rows
}

// end is the offset of the last one of a row.
func (p *part) end() uintptr { return p.offset + uintptr(p.count-1)*p.distance }

// goesOn reports whether the row p goes on with q.
func (p *part) goesOn(q *part) bool {
	return p.by <= byFloat && p.habit != nil && p.t == q.t && p.layout == q.layout && (p.count == 1 || q.offset == p.end()+p.distance)
}

// bits writes parts that bits say all of, of n values, at least one, which are stride bytes apart.
func (w *Writer) bits(list []part, dst unsafe.Pointer, n int, stride uintptr) {
	if len(list) == 0 {
		return
	}
	p := &list[0]
	distance := p.distance
	if p.count == 1 {
		distance = stride
	}
	if len(list) > 1 || p.habit == nil || n > 1 && stride != uintptr(p.count)*distance {
		w.cells(list, dst, n, stride)
		return
	}
	w.d.row(p, unsafe.Add(dst, p.offset), n*p.count, distance) // all are one row
}

// cells does the same in one loop, in which all that is needed for most numbers is at hand: to call functions for them takes
// longer than to draw them. What is seldom is drawn as in terms, and the rest is the same as there.
func (w *Writer) cells(list []part, dst unsafe.Pointer, left int, stride uintptr) {
	r, reach, usual := w.d.Random, uint64(w.d.reach), uint64(7<<28)
	if reach > mostUsual {
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
			if p.by >= byCoin || p.habit != nil {
				w.d.Random = r
				w.d.row(p, at, p.count, p.distance)
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
			if uint64(c)&p.usual&usual == 0 {
				n, r = w.d.seldom(p, c, r)
			}
			p.store.put(at, n)
		}
		if left--; left <= 0 { // no pointer beyond the last one
			break
		}
	}
	w.d.Random = r
}

// mostUsual is the largest reach for which a chance has bits enough.
const mostUsual = 1<<15 - 1

// seldom draws a number by a chance, and returns the random number that was the last.
func (d *drawing) seldom(p *part, c chance, r Random) (n uint64, last Random) {
	d.Random = r
	n = d.freshBits(p.t, c)
	return n, d.Random
}

// whole is what freshWhole draws of most numbers.
func (c chance) whole(x *cell, reach uint64) uint64 {
	low := min(x.below, reach)
	return x.start - low + uint64(c)>>32*(low+min(x.above, reach)+1)>>32
}

// row writes n numbers or alternatives of one type.
func (d *drawing) row(p *part, at unsafe.Pointer, n int, distance uintptr) {
	switch usual := d.usual(p); {
	case usual && p.by == byWhole && p.mask != 0:
		d.wholes(p, at, n, distance)
		return
	case usual && p.by == byFloat:
		d.floats(p, at, n, distance)
		return
	}
	for ; ; at = unsafe.Add(at, distance) {
		p.store.put(at, d.side(p))
		if n--; n == 0 { // no pointer beyond the last one
			return
		}
	}
}

// usual reports whether what is drawn of most numbers is known.
func (d *drawing) usual(p *part) bool { return d.reach <= mostUsual && p.usual != 0 }

// side draws a number or an alternative as in terms.
func (d *drawing) side(p *part) uint64 {
	switch {
	case p.by == byCoin:
		return uint64(d.coin())
	case p.by == byAlternative:
		return uint64(d.variedAlt(p.t, p.habit))
	case p.habit == nil:
		return d.freshBits(p.t, chance(d.Uint64()))
	}
	return d.variedBits(p.t, p.habit)
}

// wholes writes n whole numbers of a type, at least one: the same as in terms. It calls nothing: around calls, what is at hand
// would have to be kept elsewhere, which takes longer than to draw a number.
func (d *drawing) wholes(p *part, at unsafe.Pointer, n int, distance uintptr) {
	r, h, repeat := d.Random, p.habit, d.repeat
	kept := h.n
	low := min(p.below, uint64(d.reach))
	start, span := p.start-low, low+min(p.above, uint64(d.reach))+1
	for {
		r += step
		c := chance(r.mixed())
		x, again := start+uint64(c)>>32*span>>32, again(c, kept, repeat)
		if uint64(c)&(7<<28)|again == 0 {
			if x = c.power(); c.anyOf() {
				r += step
				x = r.mixed() >> (64 - c.bits())
			}
			x = p.least + (c.signed(x)-p.least)&p.mask
		}
		if old := h.numbers[c.below(8, 16, min(kept, mostLast))%mostLast]; again != 0 {
			x = old
		}
		h.numbers[uint(kept)%mostLast] = x
		kept++
		p.store.put(at, x)
		if n--; n == 0 { // no pointer beyond the last one
			break
		}
		at = unsafe.Add(at, distance)
	}
	d.Random, h.n = r, kept
}

// floats does the same for floats.
func (d *drawing) floats(p *part, at unsafe.Pointer, n int, distance uintptr) {
	r, h, reach := d.Random, p.habit, uint64(d.reach)
	kept := h.n
	for {
		r += step
		c := chance(r.mixed())
		x, again := c.float(reach), again(c, kept, d.repeat)
		if uint64(c)&(7<<28)|again == 0 {
			r += step
			if n := r.mixed(); p.store == Stored64 {
				x = c.wideFloat64(n)
			} else {
				x = c.wideFloat32(n)
			}
		}
		if old := h.numbers[c.below(8, 16, min(kept, mostLast))%mostLast]; again != 0 {
			x = old
		}
		h.numbers[uint(kept)%mostLast] = x
		kept++
		p.store.put(at, x)
		if n--; n == 0 {
			break
		}
		at = unsafe.Add(at, distance)
	}
	d.Random, h.n = r, kept
}

// float is what freshFloat draws of most numbers.
func (c chance) float(reach uint64) uint64 {
	f := float64(int64(uint64(c)>>32*(2*reach+1)>>32) - int64(reach))
	return math.Float64bits(f / divisors[c>>24&15])
}

// divisors are what freshFloat divides by, for each value of four bits of a chance: half of them are 1.
var divisors = [16]float64{1, 1, 1, 2, 1, 3, 1, 4, 1, 5, 1, 6, 1, 7, 1, 8}

// again is 1 if one of the numbers that occurred before is to occur again, and 0 else.
func again(c chance, before, repeat int) uint64 {
	if before == 0 {
		repeat = 0
	}
	return uint64(c.below(0, 2, 4)-repeat) >> 63
}

package term

// A Drawer draws terms of a type that are used one after the other: each has the memory of the
// last one.
type Drawer struct {
	t *Type
	d drawing

	cells  []cell // nil: the type is not flat
	habits []habit
	bits   []uint64
}

// cell is a part of the terms of a flat type that has no parts.
type cell struct {
	t     *Type
	by    way
	habit int // of its type, where the way looks at one
}

// way is how a part is drawn. The first two take less, and most parts are drawn so.
type way uint8

const (
	byCoin     way = iota // one of two alternatives
	freshWhole            // a whole number: no other part has its type, so that none can occur again
	freshFloat            // the same of a float
	byHabit               // any
)

// Drawer returns one that draws terms of the type.
func (t *Type) Drawer() *Drawer {
	w := &Drawer{t: t, d: drawing{arena: arena{again: true}}}
	flat := t.Flat()
	parts := make(map[*Type]int)
	for _, u := range flat {
		parts[u]++
	}
	habits := make(map[*Type]int)
	for _, u := range flat {
		w.addCell(u, u.way(parts[u]), habits)
	}
	w.bits = make([]uint64, len(w.cells))
	return w
}

// addCell adds a part. The types whose habits there are have numbers.
func (w *Drawer) addCell(t *Type, by way, habits map[*Type]int) {
	i, ok := habits[t]
	if by == byHabit && !ok {
		i = len(w.habits)
		habits[t], w.habits = i, append(w.habits, habit{t: t})
	}
	w.cells = append(w.cells, cell{t, by, i})
}

// way is that of the parts of the type, if a term has this number of them.
func (t *Type) way(parts int) way {
	switch {
	case t.Kind == Sum && len(t.Alts) == 2:
		return byCoin
	case t.Kind == Float && parts == 1:
		return freshFloat
	case t.Kind != Sum && parts == 1:
		return freshWhole
	}
	return byHabit
}

// Flat returns the types of the parts that have no parts, in the order in which they are drawn, if
// all terms of the type have the same ones, and their Bits say all: they are numbers, and
// alternatives that hold nothing. It is nil for other types.
func (t *Type) Flat() []*Type {
	if !t.fixed {
		return nil
	}
	if list, ok := t.flat(nil); ok {
		return list
	}
	return nil
}

// flat appends the types of the parts to a list. It is not ok if the type is not flat.
func (t *Type) flat(list []*Type) (_ []*Type, ok bool) {
	if t.Kind != Product {
		return append(list, t), t.Generate == nil && (t.Kind != Sum || t.constant)
	}
	ok = t.Generate == nil
	for i := 0; ok && i < len(t.Fields); i++ {
		list, ok = t.Fields[i].Type.flat(list)
	}
	return list, ok
}

// Drawn returns the term that [Type.Drawn] does. It is valid until the next call.
func (w *Drawer) Drawn(seed uint64, size int) *Term {
	w.d.arena.reset()
	return w.d.whole(w.t, seed, size, true)
}

// Bits draws the same, for a type that is flat: the Bits of the parts that Flat returns. No term
// is made, which takes longer than to draw it.
func (w *Drawer) Bits(seed uint64, size int) []uint64 {
	d := &w.d
	d.beginFlat(seed, size)
	for i := range w.habits {
		w.habits[i].forget()
	}
	for i := range w.cells {
		switch c := &w.cells[i]; c.by {
		case byCoin:
			w.bits[i] = uint64(d.coin())
		case freshWhole:
			w.bits[i] = d.freshWhole(c.t, chance(d.Uint64()))
		case freshFloat:
			w.bits[i] = d.freshFloat(c.t, chance(d.Uint64()))
		default:
			w.bits[i] = d.cellBits(c.t, &w.habits[c.habit])
		}
	}
	return w.bits
}

// cellBits draws a number or alternative.
func (d *drawing) cellBits(t *Type, h *habit) uint64 {
	if t.Kind != Sum {
		return d.variedBits(t, h)
	}
	return uint64(d.variedAlt(t, h))
}

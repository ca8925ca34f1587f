package term

import "unsafe"

// A Writer draws values straight into memory: to make a term and then a value of that takes twice as long.
// What it draws is what [Type.Drawn] does.
type Writer struct {
	d      drawing
	whole  *Layout
	flat   bool
	parts  [][]part // of the whole, and of what lies elsewhere
	habits []habit
	gaps   []gap
	maps   []entries
}

// entries are those of a map that is still to be made, when all in them is there.
type entries struct {
	at, keys, elems unsafe.Pointer
	layout          *Layout
	n               int
}

// gap is where a part is missing.
type gap struct {
	at       unsafe.Pointer
	of, part int
	depth    int // see hole
}

// Writer returns one of values that lie so.
func (l *Layout) Writer() *Writer {
	w := &Writer{d: drawing{arena: arena{again: true}}, whole: l}
	flat := make(map[*Type]int)
	if w.flat = l.flat(flat); !w.flat {
		clear(flat)
	}
	c := compiler{w, flat, make(map[*Layout]int), make(map[*Type]int)}
	c.number(l)
	return w
}

// compiler finds out what there is to draw.
type compiler struct {
	*Writer
	flat    map[*Type]int   // see Layout.way
	numbers map[*Layout]int // of what was compiled, in parts
	known   map[*Type]int   // numbers of habits
}

// number is that of what has this layout, in parts.
func (c *compiler) number(l *Layout) int {
	n, ok := c.numbers[l]
	if !ok {
		n = len(c.parts)
		c.numbers[l], c.parts = n, append(c.parts, nil)
		list := c.list(nil, l, 0)
		c.parts[n] = list
	}
	return n
}

// list appends the parts of what has this layout, and lies from an offset on.
func (c *compiler) list(list []part, l *Layout, offset uintptr) []part {
	if l.Type.Kind == Product && l.Elem == nil {
		for _, f := range l.Inside {
			list = c.list(list, f.Layout, offset+f.Offset)
		}
		return list
	}
	p := part{t: l.Type, offset: offset, by: l.way(c.flat), store: l.Store, layout: l}
	p.later = !l.Type.fixed && l.Type.Kind != Product
	if l.Elem != nil {
		p.elem = c.number(l.Elem)
	}
	if l.Key != nil {
		p.key = c.number(l.Key)
	}
	if p.by == byHabit {
		p.habit = c.habit(l.Type)
	}
	return append(list, p)
}

func (c *compiler) habit(t *Type) int {
	i, ok := c.known[t]
	if !ok {
		i = len(c.habits)
		c.known[t], c.habits = i, append(c.habits, habit{t: t})
	}
	return i
}

// Draw writes a value to dst, where there is a zero value.
func (w *Writer) Draw(dst unsafe.Pointer, seed uint64, size int) {
	for i := range w.habits {
		w.habits[i].forget()
	}
	if w.flat {
		w.d.beginFlat(seed, size)
		w.all(0, dst, 0)
		return
	}
	w.d.begin(w.whole.Type, seed, size, true)
	w.d.arena.reset()
	w.d.kinds, w.gaps, w.maps = w.d.kinds[:0], w.gaps[:0], w.maps[:0]
	w.top(dst, max(size, 0))
	for i := 0; i < len(w.gaps); i++ {
		g := w.gaps[i]
		w.part(&w.parts[g.of][g.part], g.at, g.depth)
	}
	for i := len(w.maps) - 1; i >= 0; i-- { // what is inside comes first
		m := &w.maps[i]
		m.layout.SetMap(m.at, m.keys, m.elems, m.n)
	}
	if cap(w.gaps) > mostOpen {
		w.gaps = nil
	}
}

// top writes what is not later than the whole.
func (w *Writer) top(dst unsafe.Pointer, depth int) {
	if w.whole.Type.Kind == Sum {
		p := &w.parts[0][0]
		w.alternative(p, dst, w.d.topAlt(p.t), depth)
		return
	}
	w.all(0, dst, depth)
}

// all writes the parts of what has this number, which lies at dst.
func (w *Writer) all(number int, dst unsafe.Pointer, depth int) {
	list := w.parts[number]
	for i := range list {
		p := &list[i]
		at := unsafe.Add(dst, p.offset)
		switch p.by {
		case byCoin:
			p.store.put(at, uint64(w.d.coin()))
		case freshWhole:
			p.store.put(at, w.d.freshWhole(p.t, chance(w.d.Uint64())))
		case freshFloat:
			p.store.put(at, w.d.freshFloat(p.t, chance(w.d.Uint64())))
		case byHabit:
			p.store.put(at, w.d.cellBits(p.t, &w.habits[p.habit]))
		default:
			if p.later {
				w.gaps = append(w.gaps, gap{at, number, i, depth})
			} else {
				w.part(p, at, depth)
			}
		}
	}
}

// part writes one that is more than bits.
func (w *Writer) part(p *part, at unsafe.Pointer, depth int) {
	switch p.by {
	case byText:
		p.layout.Set(at, w.d.again(p.t))
	case bySlice:
		w.slice(p, at, depth)
	case byMap:
		w.entries(p, at, depth)
	case byPointer:
		w.alternative(p, at, w.d.alt(p.t, depth), depth)
	default:
		w.pointer(p, at, depth)
	}
}

func (w *Writer) slice(p *part, at unsafe.Pointer, depth int) {
	n, depth := w.d.elements(p.t, depth)
	if n == 0 && p.t.Nilable {
		return
	}
	l := p.layout
	data := l.New(n)
	*(*header)(at) = header{data, n, n}
	for i := range n {
		w.all(p.elem, unsafe.Add(data, uintptr(i)*l.Size), depth)
	}
}

func (w *Writer) entries(p *part, at unsafe.Pointer, depth int) {
	n, depth := w.d.elements(p.t, depth)
	if n == 0 && p.t.Nilable {
		return
	}
	l := p.layout
	keys, elems := l.NewKeys(n), l.New(n)
	for i := range n {
		w.all(p.key, unsafe.Add(keys, uintptr(i)*l.KeySize), depth)
		w.all(p.elem, unsafe.Add(elems, uintptr(i)*l.Size), depth)
	}
	w.maps = append(w.maps, entries{at, keys, elems, l, n})
}

// alternative writes one of a sum: nothing or a pointer, or one that holds nothing.
func (w *Writer) alternative(p *part, at unsafe.Pointer, alt, depth int) {
	switch {
	case p.store != 0:
		p.store.put(at, uint64(alt))
	case alt == 1:
		w.pointer(p, at, w.d.inside(p.t, depth))
	}
}

func (w *Writer) pointer(p *part, at unsafe.Pointer, depth int) {
	v := p.layout.New(1)
	*(*unsafe.Pointer)(at) = v
	w.all(p.elem, v, depth)
}

// cellBits draws a number or alternative.
func (d *drawing) cellBits(t *Type, h *habit) uint64 {
	if t.Kind != Sum {
		return d.variedBits(t, h)
	}
	return uint64(d.variedAlt(t, h))
}

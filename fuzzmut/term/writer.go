package term

import "unsafe"

// A Writer draws values straight into memory: to make a term and then a value of that takes twice as long.
// What it draws is what [Type.Drawn] does.
type Writer struct {
	d      drawing
	whole  *Layout
	flat   bool
	row    *part    // which is all of a flat one; nil: there are others, or there is no such row
	parts  [][]part // of the whole, and of what lies elsewhere
	habits []*habit
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
	c := compiler{w, flat, make(map[*Layout]int), make(map[*Type]*habit)}
	if c.number(l); w.flat && len(w.parts[0]) == 1 && w.parts[0][0].habit != nil {
		w.row = &w.parts[0][0]
	}
	return w
}

// compiler finds out what there is to draw.
type compiler struct {
	*Writer
	flat    map[*Type]int   // how many parts of a flat type there are; none of others
	numbers map[*Layout]int // of what was compiled, in parts
	known   map[*Type]*habit
}

// number is that of what has this layout, in parts.
func (c *compiler) number(l *Layout) int {
	n, ok := c.numbers[l]
	if !ok {
		n = len(c.parts)
		c.numbers[l], c.parts = n, append(c.parts, nil)
		c.parts[n] = withRuns(withRows(c.list(nil, l, 0)))
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
	p := part{t: l.Type, offset: offset, by: l.way(), store: l.Store, layout: l, count: 1}
	p.cell = cellOf(p.t, p.store)
	p.later = !l.Type.fixed && l.Type.Kind != Product
	if l.Elem != nil {
		p.elem = c.number(l.Elem)
	}
	if l.Key != nil {
		p.key = c.number(l.Key)
	}
	// Where no other part has the type of a number, none can occur again.
	if p.by == byAlternative || (p.by == byWhole || p.by == byFloat) && c.flat[l.Type] != 1 {
		p.habit = c.habit(l.Type)
	}
	return append(list, p)
}

func (c *compiler) habit(t *Type) *habit {
	h := c.known[t]
	if h == nil {
		h = &habit{t: t}
		c.known[t], c.habits = h, append(c.habits, h)
	}
	return h
}

// Draw writes a value to dst, where there is a zero value.
func (w *Writer) Draw(dst unsafe.Pointer, seed uint64, size int) {
	if p := w.row; p != nil {
		p.habit.forget()                          // there is no other
		w.d.Random, w.d.size = Random(seed), size // it has neither lengths nor levels
		w.d.varyLeaves(chance(w.d.Uint64()))
		if at := unsafe.Add(dst, p.offset); p.by == byFloat && w.d.usual(p) {
			w.d.floats(p, at, p.count, p.distance) // not by way of row, which takes longer
		} else {
			w.d.row(p, at, p.count, p.distance)
		}
		return
	}
	for _, h := range w.habits {
		h.forget()
	}
	if w.flat {
		w.d.Random, w.d.size = Random(seed), size // it has neither lengths nor levels
		w.d.varyLeaves(chance(w.d.Uint64()))
		w.cells(w.parts[0], dst, 1, 0)
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
	for i := 0; i < len(list); i++ {
		p := &list[i]
		if p.run > 0 {
			w.cells(list[i:i+p.run], dst, 1, 0)
			i += p.run - 1
			continue
		}
		at := unsafe.Add(dst, p.offset)
		if p.later {
			w.gaps = append(w.gaps, gap{at, number, i, depth})
		} else {
			w.part(p, at, depth)
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
	if list := w.parts[p.elem]; n > 0 && len(list) > 0 && list[0].run == len(list) {
		w.bits(list, data, n, l.Size)
		return
	}
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

package term

// A Drawer draws terms of a type that are used one after the other: each has the memory of the
// last one.
type Drawer struct {
	t *Type
	d drawing
}

// Drawer returns one that draws terms of the type.
func (t *Type) Drawer() *Drawer {
	return &Drawer{t: t, d: drawing{arena: arena{again: true}}}
}

// Drawn returns the term that [Type.Drawn] does. It is valid until the next call.
func (w *Drawer) Drawn(seed uint64, size int) *Term {
	w.d.arena.reset()
	return w.d.whole(w.t, seed, size, true)
}

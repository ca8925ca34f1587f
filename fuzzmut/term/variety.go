package term

import "math/bits"

// variety is how a term differs from others of its type.
type variety struct {
	varied bool
	repeat int     // of four numbers or texts, how many occurred before
	swarm  bool    // leave out alternatives
	kinds  []habit // of the types met so far
}

// habit is what a term has of a type.
type habit struct {
	t    *Type
	last [mostLast]*Term // of numbers and texts, to occur again
	n    int             // of last
	alts []int           // of a sum, those that are allowed
}

// swarmFrom is how many alternatives a sum has from which some may be left out.
const swarmFrom = 3

// mostLast bounds the numbers and texts that may occur again.
const mostLast = 8

// vary chooses how the term that is drawn differs from others.
func (d *drawing) vary() {
	d.varied, d.repeat = true, d.IntN(3)
	d.swarm = d.IntN(2) == 0
	if d.IntN(2) == 0 {
		d.reach = d.shorter()
	}
	if d.IntN(4) == 0 {
		d.size = d.shorter()
	}
}

// shorter is the size, halved a few times.
func (d *drawing) shorter() int { return d.size >> d.IntN(bits.Len(uint(d.size))+1) }

// habit is valid until the next call.
func (v *variety) habit(t *Type) *habit {
	for i := range v.kinds {
		if v.kinds[i].t == t {
			return &v.kinds[i]
		}
	}
	if n := len(v.kinds); n < cap(v.kinds) {
		v.kinds = v.kinds[:n+1]
	} else {
		v.kinds = append(v.kinds, habit{})
	}
	h := &v.kinds[len(v.kinds)-1]
	h.t, h.n, h.alts = t, 0, h.alts[:0]
	return h
}

// again draws a number or text, or one that occurred before.
func (d *drawing) again(t *Type) *Term {
	h := d.habit(t)
	if h.n > 0 && d.IntN(4) < d.repeat {
		return h.last[d.IntN(h.n)]
	}
	x := d.leaf(t)
	if h.n < mostLast {
		h.last[h.n] = x
		h.n++
	} else {
		h.last[d.IntN(mostLast)] = x
	}
	return x
}

// allowed draws an alternative of those that the term has.
func (d *drawing) allowed(t *Type) int {
	if !d.swarm {
		return d.IntN(len(t.Alts))
	}
	h := d.habit(t)
	if len(h.alts) == 0 {
		for i := range t.Alts {
			if d.IntN(2) == 0 {
				h.alts = append(h.alts, i)
			}
		}
		if len(h.alts) == 0 {
			h.alts = append(h.alts, d.IntN(len(t.Alts)))
		}
	}
	return h.alts[d.IntN(len(h.alts))]
}

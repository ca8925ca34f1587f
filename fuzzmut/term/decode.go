package term

import "math"

// Decode returns the term that data stands for, and how many bytes of data it took.
func Decode(t *Type, data []byte) (x *Term, used int) {
	d := decoder{data: data, nodes: t.cost}
	x = d.term(t, MaxDepth)
	return x, min(d.at, len(data))
}

// decoder reads bytes. The nodes that are certain so far are counted ahead, so that
// whether there is room for more does not depend on the order of reading.
type decoder struct {
	arena
	data  []byte
	at    int // may lie after the end
	nodes int
}

func (d *decoder) byte() byte {
	d.at++
	if d.at > len(d.data) {
		return 0
	}
	return d.data[d.at-1]
}

// bytes reads n bytes, the most significant first.
func (d *decoder) bytes(n int) uint64 {
	var u uint64
	for range n {
		u = u<<8 | uint64(d.byte())
	}
	return u
}

// term reads a term that may have depth levels.
func (d *decoder) term(t *Type, depth int) *Term {
	switch t.Kind {
	case Int, Uint:
		return d.arena.number(t, d.number(t))
	case Float:
		return d.arena.number(t, math.Float64bits(t.clamp(d.float(t.Bits))))
	case Text:
		return d.text(t)
	case List:
		return d.list(t, depth)
	case Sum:
		return d.sum(t, depth)
	}
	x := d.arena.term(t)
	x.Kids = d.arena.list(len(t.Fields))
	for i, f := range t.Fields {
		x.Kids[i] = d.term(f.Type, depth)
	}
	return x
}

func (d *decoder) number(t *Type) uint64 {
	if span := t.Max - t.Min; span < 256 {
		n := uint64(d.byte())
		return t.Min + (n+t.origin()-t.Min)%(span+1)
	}
	origin := t.origin()
	if t.Kind == Uint {
		n := uint64(d.byte())
		if lead := 256 - uint64(t.Bits/8); n >= lead {
			n = d.bytes(int(n-lead) + 1)
		}
		return t.wrap(origin + n)
	}
	n := int64(int8(d.byte()))
	if size := n + 129; size <= int64(t.Bits/8) {
		shift := 64 - 8*size
		n = int64(d.bytes(int(size))) << shift >> shift
	}
	return t.wrap(origin + uint64(n))
}

// Bytes before floats that are no small integers.
const (
	float64Follows = 0x80
	float32Follows = 0x81
)

func (d *decoder) float(bits int) float64 {
	switch b := d.byte(); {
	case b == float64Follows && bits == 64:
		return math.Float64frombits(d.bytes(8))
	case b == float32Follows, b == float64Follows:
		return float64(math.Float32frombits(uint32(d.bytes(4))))
	default:
		return float64(int8(b))
	}
}

// literally precedes a byte of a text that would end it, or is the mark itself.
const literally = 0xFE

func (d *decoder) text(t *Type) *Term {
	x := d.arena.term(t)
	if t.Nilable && t.MinLen == 0 {
		if d.byte()%2 == 0 {
			return x
		}
	}
	if t.Nilable {
		x.Bits = 1
	}
	var text []byte
	for range t.MinLen {
		text = append(text, d.byte())
	}
	for t.room(len(text)) {
		b := d.byte()
		if b == 0 {
			break
		}
		if b == literally {
			b = d.byte()
		}
		text = append(text, b)
	}
	x.Text = string(text)
	return x
}

func (d *decoder) list(t *Type, depth int) *Term {
	x := d.arena.term(t)
	var elems []*Term
	for range t.MinLen {
		elems = append(elems, d.term(t.Elem, depth-1))
	}
	for first := true; ; first = false {
		answers := byte(2)
		if first && t.Nilable && t.MinLen == 0 {
			answers = 3
		} else if !t.room(len(elems)) {
			break
		}
		mark := d.byte() % answers
		if mark == 2 {
			x.Bits = 1
		}
		if mark != 1 || !t.room(len(elems)) || depth < 1+t.Elem.height || d.nodes+t.Elem.cost > MaxNodes {
			break
		}
		d.nodes += t.Elem.cost
		elems = append(elems, d.term(t.Elem, depth-1))
	}
	x.Kids = elems
	if t.Set && len(elems) > 0 {
		x.Kids = NewList(t, elems).Kids
	}
	return x
}

func (d *decoder) sum(t *Type, depth int) *Term {
	alt := t.least
	if n := uint64(len(t.Alts)); n > 1 {
		alt = int((d.bytes(choiceBytes(t)) + uint64(t.least)) % n)
	}
	more := max(t.altCost(alt)-t.altCost(t.least), 0)
	if t.altHeight(alt) > depth || d.nodes+more > MaxNodes {
		alt, more = t.least, 0
	}
	d.nodes += more
	x := d.arena.choice(t, alt)
	if u := t.Alts[alt].Type; u != nil {
		x.Kids[0] = d.term(u, depth-1)
	}
	return x
}

// choiceBytes is the number of bytes that choose among alternatives.
func choiceBytes(t *Type) int {
	if len(t.Alts) <= 256 {
		return 1
	}
	return 4
}

package term

import (
	"bytes"
	"fmt"
	"math"
	"strings"
)

// Encode returns the canonical bytes that stand for x. It returns an error that names
// the part of x which does not belong to its type or lies beyond the limits.
func Encode(x *Term) ([]byte, error) {
	e := encoder{nodes: x.Type.cost}
	if err := e.term(x, MaxDepth); err != nil {
		return nil, err
	}
	return bytes.TrimRight(e.out, "\x00"), nil
}

// A BoundError says that a term can't be encoded.
type BoundError struct {
	Path string // from the whole to the part, such as ".Left.Keys[2]"
	What string // what is wrong with the part
}

// pathEnd is how much of the start and the end of a long path is shown, in bytes.
const pathEnd = 40

func (e *BoundError) Error() string {
	path := e.Path
	if n := len(path); n > 3*pathEnd { // that of a value that holds itself has thousands of steps
		path = strings.ToValidUTF8(path[:pathEnd], "") + "…" + strings.ToValidUTF8(path[n-pathEnd:], "")
	}
	return "the value" + path + " " + e.What
}

// encoding is the encoding of a part, without regard to limits on its surroundings.
func (x *Term) encoding() []byte {
	e := laxEncoder()
	return e.add(x)
}

// Bytes is Encode without regard to limits: from what it returns, another term may be
// decoded, as far as x goes beyond them.
func (x *Term) Bytes() []byte { return x.encoding() }

// encoder mirrors decoder.
type encoder struct {
	out   []byte
	nodes int
	lax   bool // what is out of bounds does not matter
}

// laxEncoder encodes whatever there is.
func laxEncoder() encoder { return encoder{nodes: -1 << 32, lax: true} }

// add appends the encoding of a term to those before.
func (e *encoder) add(x *Term) []byte {
	if err := e.term(x, 2*MaxDepth); err != nil {
		panic(err) // lax
	}
	return e.out
}

func (e *encoder) byte(b byte) { e.out = append(e.out, b) }

func (e *encoder) bytes(u uint64, n int) {
	for i := n - 1; i >= 0; i-- {
		e.byte(byte(u >> (8 * i)))
	}
}

// bound returns an error, unless bounds do not matter.
func (e *encoder) bound(format string, args ...any) error {
	if e.lax {
		return nil
	}
	return &BoundError{What: fmt.Sprintf(format, args...)}
}

// at puts a step before the path of an error.
func at(err error, format string, args ...any) error {
	if b, ok := err.(*BoundError); ok {
		return &BoundError{Path: fmt.Sprintf(format, args...) + b.Path, What: b.What}
	}
	return err
}

func (e *encoder) term(x *Term, depth int) error {
	t := x.Type
	switch t.Kind {
	case Int, Uint:
		return e.number(x)
	case Float:
		return e.float(x)
	case Text:
		return e.text(x)
	case List:
		return e.list(x, depth)
	case Sum:
		return e.sum(x, depth)
	}
	for i, k := range x.Kids {
		if err := e.term(k, depth); err != nil {
			return at(err, ".%s", t.Fields[i].Name)
		}
	}
	return nil
}

func (e *encoder) number(x *Term) error {
	t := x.Type
	if !t.inRange(x.Bits) {
		if err := e.bound("is %s, outside the range %s to %s", x, Number(t, t.Min), Number(t, t.Max)); err != nil {
			return err
		}
	}
	if span := t.Max - t.Min; span < 256 {
		e.byte(byte((x.Bits - t.Min + span + 1 - (t.origin() - t.Min)) % (span + 1)))
		return nil
	}
	n, size := x.Bits-t.origin(), uint64(t.Bits/8)
	if t.Kind == Uint {
		if n < 256-size {
			e.byte(byte(n))
			return nil
		}
		follow := uint64(1)
		for follow < size && n>>(8*follow) != 0 {
			follow++
		}
		e.byte(byte(255 - size + follow))
		e.bytes(n, int(follow))
		return nil
	}
	s := int64(n)
	if s >= -128+int64(size) && s <= 127 {
		e.byte(byte(s))
		return nil
	}
	follow := 1
	for follow < int(size) && s != s<<(64-8*follow)>>(64-8*follow) {
		follow++
	}
	e.byte(byte(-129 + follow))
	e.bytes(uint64(s), follow)
	return nil
}

func (e *encoder) float(x *Term) error {
	f := x.Float()
	if math.Float64bits(x.Type.clamp(f)) != x.Bits {
		if err := e.bound("is %v, outside the range %v to %v", f, x.Type.FloatMin, x.Type.FloatMax); err != nil {
			return err
		}
	}
	switch {
	case f == math.Trunc(f) && f >= -126 && f <= 127 && (f != 0 || x.Bits == 0):
		e.byte(byte(int8(f)))
	case x.Type.Bits == 32, math.Float64bits(float64(float32(f))) == x.Bits && f == f:
		e.byte(float32Follows)
		e.bytes(uint64(math.Float32bits(float32(f))), 4)
	default:
		e.byte(float64Follows)
		e.bytes(x.Bits, 8)
	}
	return nil
}

func (e *encoder) text(x *Term) error {
	t := x.Type
	if err := e.length(t, len(x.Text), "bytes"); err != nil {
		return err
	}
	if t.Nilable && t.MinLen == 0 {
		there := x.Bits != 0 || x.Text != ""
		if !there {
			e.byte(0)
			return nil
		}
		e.byte(1)
	}
	for i := range len(x.Text) {
		b := x.Text[i]
		if i >= t.MinLen && (b == 0 || b == literally) {
			e.byte(literally)
		}
		e.byte(b)
	}
	if t.room(len(x.Text)) {
		e.byte(0)
	}
	return nil
}

func (e *encoder) length(t *Type, n int, of string) error {
	switch {
	case n < t.MinLen:
		return e.bound("has %d %s, but the minimum is %d", n, of, t.MinLen)
	case t.MaxLen >= 0 && n > t.MaxLen:
		return e.bound("has %d %s, but the maximum is %d", n, of, t.MaxLen)
	}
	return nil
}

func (e *encoder) list(x *Term, depth int) error {
	t := x.Type
	if err := e.length(t, len(x.Kids), "elements"); err != nil {
		return err
	}
	for i, k := range x.Kids {
		if i >= t.MinLen {
			if err := e.room(depth, t.Elem.height+1, t.Elem.cost); err != nil {
				return at(err, "[%d]", i)
			}
			e.byte(1)
		}
		if err := e.term(k, depth-1); err != nil {
			return at(err, "[%d]", i)
		}
	}
	switch {
	case len(x.Kids) == 0 && t.Nilable && t.MinLen == 0:
		e.byte(byte(2 * min(x.Bits, 1)))
	case t.room(len(x.Kids)):
		e.byte(0)
	}
	return nil
}

// room books nodes, and returns an error if there is no room for them or for that
// number of levels.
func (e *encoder) room(depth, height, nodes int) error {
	e.nodes += nodes
	switch {
	case height > depth:
		return e.bound("is nested deeper than %d levels", MaxDepth)
	case e.nodes > MaxNodes:
		return e.bound("exceeds the %d parts that a value can have", MaxNodes)
	}
	return nil
}

func (e *encoder) sum(x *Term, depth int) error {
	t, alt := x.Type, x.Alt()
	more := max(t.altCost(alt)-t.altCost(t.least), 0)
	if err := e.room(depth, t.altHeight(alt), more); err != nil {
		return err
	}
	if n := len(t.Alts); n > 1 {
		e.bytes(uint64((alt+n-t.least)%n), choiceBytes(t))
	}
	if len(x.Kids) > 0 {
		return e.term(x.Kids[0], depth-1)
	}
	return nil
}

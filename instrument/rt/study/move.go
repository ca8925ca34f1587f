package study

import (
	"bytes"
	"encoding/binary"
	"strconv"
	"strings"
)

// A Move changes an input a little, in a way that can be taken further: something is
// added to a number, or a part is repeated or removed. Repeated with steps twice as
// long as long as that helps, moves are the pattern moves of the alternating variable
// method (Korel, Automated Software Test Data Generation, 1990).
type Move struct {
	kind     moveKind
	arg      int
	from, to int   // of the part
	step     int64 // added, or copies
	width    int   // of an integer
	big      bool  // its byte order
	room     int   // bytes by which a text may grow at once
}

// What a step may add to a text, in bytes: what is so far away is hardly reached by
// more for each unit of the distance, and long inputs use up the search's budget.
const (
	roomLeast = 64
	roomEach  = 16
)

type moveKind uint8

const (
	addScalar moveKind = iota
	addInteger
	addDecimal
	repeat
	nest
	remove
	kinds
)

// Draw draws a move for an input whose distance from what is wanted is known. draw(n)
// returns a random number in [0, n).
func Draw(vals []any, distance uint64, draw func(n int) int) Move {
	m := Move{
		arg: draw(len(vals)), step: length(distance, draw),
		room: roomLeast + roomEach*int(min(distance, 1<<20)),
	}
	text, ok := textOf(vals[m.arg])
	if !ok {
		m.kind = addScalar
		m.sign(draw)
		return m
	}
	m.kind = addInteger + moveKind(draw(int(kinds-addInteger)))
	if text == "" {
		m.kind = repeat
		return m
	}
	m.from = draw(len(text))
	m.to = m.from + 1
	switch m.kind {
	case addInteger:
		m.width, m.big = 1<<draw(3), draw(2) == 0
		m.sign(draw)
	case addDecimal:
		m.sign(draw)
	case nest:
	default:
		m.from, m.to = partOf(text, m.from, draw)
	}
	return m
}

func (m *Move) sign(draw func(int) int) {
	if draw(2) == 0 {
		m.step = -m.step
	}
}

// length draws the length of a step: one, all of the way, or something between.
func length(distance uint64, draw func(int) int) int64 {
	all := int64(min(distance, 1<<40))
	switch draw(4) {
	case 0:
		return 1
	case 1:
		return 1 << draw(16)
	case 2:
		return max(all/int64(1+draw(8)), 1)
	}
	return max(all, 1)
}

// partOf draws a part around a place: a byte, a few, or what is between separators,
// with the one before.
func partOf(text string, at int, draw func(int) int) (from, to int) {
	switch draw(3) {
	case 0:
		return at, at + 1
	case 1:
		return at, min(len(text), at+1+draw(8))
	}
	from, to = at, at+1
	for from > 0 && !separates(text[from]) {
		from--
	}
	for to < len(text) && !separates(text[to]) {
		to++
	}
	return from, to
}

func separates(b byte) bool { return strings.IndexByte(" \t\n,;:|&/", b) >= 0 }

// Apply makes the move with its step multiplied by times. ok is false if it can't be
// made, or would make an argument longer than maxLen.
func (m *Move) Apply(vals []any, times int64, maxLen int) (moved []any, ok bool) {
	step := m.step * times
	if times > 1<<20 {
		return nil, false
	}
	text, isText := textOf(vals[m.arg])
	if !isText {
		e := Edit{Arg: m.arg, Value: shifted(vals[m.arg], step)}
		return e.Apply(vals), e.Value != vals[m.arg]
	}
	if m.from > len(text) || m.to > len(text) {
		return nil, false
	}
	out, ok := m.text(text, step, min(maxLen-len(text), m.room))
	if !ok || len(out) > maxLen {
		return nil, false
	}
	e := Edit{Arg: m.arg, To: len(text), Text: out}
	return e.Apply(vals), out != text
}

func shifted(v any, step int64) any {
	if b, ok := v.(bool); ok {
		return !b
	}
	if isFloat(v) {
		return withFloat(v, floatOf(v)+float64(step))
	}
	w, _ := withInteger(v, scalarBits(v)+uint64(step))
	return w
}

// text makes the move in a text that may grow by room bytes.
func (m *Move) text(text string, step int64, room int) (out string, ok bool) {
	switch m.kind {
	case addInteger:
		return m.integer(text, step)
	case addDecimal:
		return m.decimal(text, step)
	case remove:
		to := int64(m.to-m.from)*step + int64(m.from)
		if to > int64(len(text)) {
			return "", false
		}
		return text[:m.from] + text[to:], true
	case nest:
		return m.nested(text, step, room)
	}
	part := text[m.from:m.to]
	if part == "" {
		part = "0"
	}
	if step > int64(room/len(part)) {
		return "", false
	}
	return text[:m.to] + strings.Repeat(part, int(step)) + text[m.to:], true
}

func (m *Move) integer(text string, step int64) (out string, ok bool) {
	if m.from+m.width > len(text) {
		return "", false
	}
	var order binary.ByteOrder = binary.LittleEndian
	if m.big {
		order = binary.BigEndian
	}
	b := []byte(text)
	at := b[m.from : m.from+m.width]
	var sum int64
	switch m.width {
	case 1:
		sum = int64(at[0]) + step
		at[0] = byte(sum)
	case 2:
		sum = int64(order.Uint16(at)) + step
		order.PutUint16(at, uint16(sum))
	default:
		sum = int64(order.Uint32(at)) + step
		order.PutUint32(at, uint32(sum))
	}
	return string(b), sum >= 0 && sum < 1<<(8*m.width)
}

// decimal adds to the decimal number at or after the move's place.
func (m *Move) decimal(text string, step int64) (out string, ok bool) {
	from := m.from
	for from > 0 && isDigit(text[m.from]) && isDigit(text[from-1]) {
		from--
	}
	for from < len(text) && !isDigit(text[from]) {
		from++
	}
	to := from
	for to < len(text) && isDigit(text[to]) {
		to++
	}
	n, err := strconv.ParseInt(text[from:to], 10, 62)
	if err != nil || n+step < 0 {
		return "", false
	}
	return text[:from] + strconv.FormatInt(n+step, 10) + text[to:], true
}

func isDigit(b byte) bool { return '0' <= b && b <= '9' }

// nested repeats the bracket at the move's place and its partner, so that each of
// them is there n times.
func (m *Move) nested(text string, n int64, room int) (out string, ok bool) {
	const openers, closers = "([{<", ")]}>"
	which := strings.IndexByte(openers, text[m.from])
	if which < 0 || n > int64(room/2) {
		return "", false
	}
	depth := 0
	for i := m.from; i < len(text); i++ {
		switch text[i] {
		case openers[which]:
			depth++
		case closers[which]:
			if depth--; depth > 0 {
				continue
			}
			var b bytes.Buffer
			b.WriteString(text[:m.from])
			b.WriteString(strings.Repeat(openers[which:which+1], int(n)))
			b.WriteString(text[m.from:i])
			b.WriteString(strings.Repeat(closers[which:which+1], int(n)))
			b.WriteString(text[i:])
			return b.String(), true
		}
	}
	return "", false
}

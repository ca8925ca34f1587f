// Package pump makes inputs grow: a part of a text is repeated in place, as often as
// wanted, and what that costs is fitted against the length.
//
// A text is cut into five parts: prefix, pump, middle, second pump, suffix. Both pumps are
// repeated the same number of times, which is the pumping lemma for context-free languages
// (Bar-Hillel, Perles, Shamir 1961): so lists grow, and chains, and nests of brackets whose
// two ends stand apart.
package pump

import (
	"bytes"
	"strconv"
)

// A Pump is a text with the parts that are repeated. The zero value is an empty text.
type Pump struct {
	Prefix, First, Middle, Second, Suffix []byte
	// Count says that the repetitions of First, and of Second, differ: each has its number at
	// an offset of First, and at one of Second.
	Count             bool
	FirstAt, SecondAt int
	Letters           bool // the numbers are written with letters, not with digits
}

// Fixed is the length in bytes of what is not repeated.
func (p *Pump) Fixed() int { return len(p.Prefix) + len(p.Middle) + len(p.Suffix) }

// Unit is the length in bytes of one repetition of both pumps, numbers left out.
func (p *Pump) Unit() int { return len(p.First) + len(p.Second) }

// Grown appends the text with n repetitions to dst[:0].
func (p *Pump) Grown(dst []byte, n int) []byte {
	dst = append(dst[:0], p.Prefix...)
	dst = p.repeat(dst, p.First, p.FirstAt, n)
	dst = append(dst, p.Middle...)
	dst = p.repeat(dst, p.Second, p.SecondAt, n)
	return append(dst, p.Suffix...)
}

func (p *Pump) repeat(dst, part []byte, at, n int) []byte {
	if len(part) == 0 {
		return dst
	}
	for i := range n {
		if !p.Count {
			dst = append(dst, part...)
			continue
		}
		dst = append(dst, part[:at]...)
		dst = p.number(dst, i)
		dst = append(dst, part[at:]...)
	}
	return dst
}

// number writes a number so that two are never the same, nor one the beginning of another of
// the same length.
func (p *Pump) number(dst []byte, i int) []byte {
	if !p.Letters {
		return strconv.AppendInt(dst, int64(i), 10)
	}
	var b [16]byte
	at := len(b)
	for {
		at--
		b[at] = 'a' + byte(i%26)
		if i /= 26; i == 0 {
			return append(dst, b[at:]...)
		}
	}
}

// Times returns how many repetitions make a text of about length bytes, at least 1.
func (p *Pump) Times(length int) int {
	return max((length-p.Fixed())/max(p.unit(), 1), 1)
}

// unit is Unit with a guess at what the numbers take.
func (p *Pump) unit() int {
	u := p.Unit()
	if p.Count {
		u += 2
		if len(p.Second) > 0 {
			u += 2
		}
	}
	return u
}

// Clone returns a copy that shares no memory with p.
func (p *Pump) Clone() Pump {
	q := *p
	for _, part := range q.parts() {
		*part = bytes.Clone(*part)
	}
	return q
}

func (p *Pump) parts() [5]*[]byte {
	return [...]*[]byte{&p.Prefix, &p.First, &p.Middle, &p.Second, &p.Suffix}
}

// Valid reports whether a pump that was received can be grown.
func (p *Pump) Valid() bool {
	return p.Unit() > 0 && p.FirstAt >= 0 && p.FirstAt <= len(p.First) && p.SecondAt >= 0 && p.SecondAt <= len(p.Second)
}

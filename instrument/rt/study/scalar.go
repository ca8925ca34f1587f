package study

import (
	"math"
	"strconv"

	"github.com/fuzzmut/fuzzmut/instrument/rt/codes"
)

// scalarBits returns a scalar argument as operands show it: two's complement,
// extended by its sign, or the bits of a float64.
func scalarBits(v any) uint64 {
	switch v := v.(type) {
	case bool:
		if v {
			return 1
		}
	case int:
		return uint64(v)
	case int8:
		return uint64(v)
	case int16:
		return uint64(v)
	case int32:
		return uint64(v)
	case int64:
		return uint64(v)
	case uint:
		return uint64(v)
	case uint8:
		return uint64(v)
	case uint16:
		return uint64(v)
	case uint32:
		return uint64(v)
	case uint64:
		return v
	case float32:
		return math.Float64bits(float64(v))
	case float64:
		return math.Float64bits(v)
	}
	return 0
}

func isFloat(v any) bool {
	switch v.(type) {
	case float32, float64:
		return true
	}
	return false
}

// withInteger returns bits as a scalar of the type of v, cut to its width. ok is
// false if v is no integer.
func withInteger(v any, bits uint64) (w any, ok bool) {
	switch v.(type) {
	case int:
		return int(bits), true
	case int8:
		return int8(bits), true
	case int16:
		return int16(bits), true
	case int32:
		return int32(bits), true
	case int64:
		return int64(bits), true
	case uint:
		return uint(bits), true
	case uint8:
		return uint8(bits), true
	case uint16:
		return uint16(bits), true
	case uint32:
		return uint32(bits), true
	case uint64:
		return bits, true
	}
	return nil, false
}

// floatOf returns the value of v, a float.
func floatOf(v any) float64 { return math.Float64frombits(scalarBits(v)) }

// withFloat returns f as a scalar of the type of v, a float.
func withFloat(v any, f float64) any {
	if _, ok := v.(float32); ok {
		return float32(f)
	}
	return f
}

// scalars adds edits for scalar arguments that are the number.
func (e *edits) scalars(c *Comparison, have, want uint64) {
	for arg, v := range e.vals {
		switch {
		case isFloat(v):
			if f := numberOf(c, have); scalarBits(v) == math.Float64bits(f) {
				e.set(arg, withFloat(v, numberOf(c, want)))
			}
		case c.Kind == codes.Float:
			if f := numberOf(c, have); f == math.Trunc(f) && f == float64(int64(scalarBits(v))) {
				e.setInteger(arg, uint64(int64(numberOf(c, want))))
			}
		case scalarBits(v) == have:
			e.setInteger(arg, want)
		}
	}
}

// shiftScalars adds edits for scalar arguments that the number may be computed from,
// by adding to it or cutting it to the operand's width.
func (e *edits) shiftScalars(c *Comparison, have, want uint64) {
	for arg, v := range e.vals {
		switch {
		case isFloat(v):
			f := math.Float64frombits(scalarBits(v))
			e.set(arg, withFloat(v, f+numberOf(c, want)-numberOf(c, have)))
		case c.Kind == codes.Float:
			e.setInteger(arg, scalarBits(v)+uint64(int64(numberOf(c, want)-numberOf(c, have))))
		default:
			e.setInteger(arg, scalarBits(v)+want-have)
		}
	}
}

func (e *edits) setInteger(arg int, bits uint64) {
	if w, ok := withInteger(e.vals[arg], bits); ok {
		e.set(arg, w)
	}
}

// scalarText adds edits for scalar arguments that the text is made of.
func (e *edits) scalarText(have, want string) {
	for arg, v := range e.vals {
		if isFloat(v) {
			f := math.Float64frombits(scalarBits(v))
			if w, err := strconv.ParseFloat(want, 64); err == nil && have == strconv.FormatFloat(f, 'g', -1, 64) {
				e.set(arg, withFloat(v, w))
			}
			continue
		}
		w, err := strconv.ParseInt(want, 10, 64)
		if err == nil && have == strconv.FormatInt(int64(scalarBits(v)), 10) {
			e.setInteger(arg, uint64(w))
		}
	}
}

// numberOf returns an operand's number as a float.
func numberOf(c *Comparison, bits uint64) float64 {
	switch c.Kind {
	case codes.Float:
		return math.Float64frombits(bits)
	case codes.Signed:
		return float64(int64(bits))
	}
	return float64(bits)
}

// plus returns an operand's number with d added, in its own width.
func (c *Comparison) plus(bits uint64, d int64) uint64 {
	if c.Kind == codes.Float {
		return math.Float64bits(math.Float64frombits(bits) + float64(d))
	}
	bits += uint64(d)
	free := 64 - 8*uint(c.Width)
	if c.Kind == codes.Signed {
		return uint64(int64(bits<<free) >> free)
	}
	return bits << free >> free
}

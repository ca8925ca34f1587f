// Package argtypes classifies values of every type that f.Fuzz accepts.
package argtypes

import (
	"fmt"
	"math"
)

// Integer is every integer type.
type Integer interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64
}

// Int says whether v is zero, negative, small (below 100) or large.
func Int[T Integer](v T) string {
	switch {
	case v == 0:
		return "zero"
	case v < 0:
		return "negative"
	case v < 100:
		return "small"
	}
	return "large"
}

// Float says which kind of number v is.
func Float[T ~float32 | ~float64](v T) string {
	f := float64(v)
	switch {
	case math.IsNaN(f):
		return "nan"
	case math.IsInf(f, 0):
		return "infinite"
	case f == math.Trunc(f):
		return "whole"
	}
	return "fraction"
}

// Text says whether v is empty, ASCII or neither.
func Text[T ~string | ~[]byte](v T) string {
	if len(v) == 0 {
		return "empty"
	}
	for i := range len(v) {
		if v[i] >= 0x80 {
			return "binary"
		}
	}
	return "ascii"
}

// Bool names v.
func Bool(v bool) string {
	if v {
		return "yes"
	}
	return "no"
}

// All classifies each of vs by its type.
func All(vs ...any) []string {
	var out []string
	for _, v := range vs {
		out = append(out, one(v))
	}
	return out
}

func one(v any) string {
	switch v := v.(type) {
	case []byte:
		return Text(v)
	case string:
		return Text(v)
	case bool:
		return Bool(v)
	case float32:
		return Float(v)
	case float64:
		return Float(v)
	case int:
		return Int(v)
	case int8:
		return Int(v)
	case int16:
		return Int(v)
	case int32:
		return Int(v)
	case int64:
		return Int(v)
	case uint:
		return Int(v)
	case uint8:
		return Int(v)
	case uint16:
		return Int(v)
	case uint32:
		return Int(v)
	case uint64:
		return Int(v)
	}
	return fmt.Sprintf("unknown type %T", v)
}

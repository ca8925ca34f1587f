package samples

import (
	"go/constant"
	"math"
)

// convert gives a constant the type of an argument, unless the type can't hold it.
func convert(v constant.Value, typ string) (any, bool) {
	switch typ {
	case "string":
		if v.Kind() == constant.String {
			return constant.StringVal(v), true
		}
	case "[]byte":
		if v.Kind() == constant.String {
			return []byte(constant.StringVal(v)), true
		}
	case "bool":
		if v.Kind() == constant.Bool {
			return constant.BoolVal(v), true
		}
	case "float64":
		f, ok := number(v)
		return f, ok
	case "float32":
		f, ok := number(v)
		return float32(f), ok && math.Abs(f) <= math.MaxFloat32
	case "int":
		return signed[int](v)
	case "int8":
		return signed[int8](v)
	case "int16":
		return signed[int16](v)
	case "int32", "rune":
		return signed[int32](v)
	case "int64":
		return signed[int64](v)
	case "uint":
		return unsigned[uint](v)
	case "uint8", "byte":
		return unsigned[uint8](v)
	case "uint16":
		return unsigned[uint16](v)
	case "uint32":
		return unsigned[uint32](v)
	case "uint64":
		return unsigned[uint64](v)
	}
	return nil, false
}

// number is the value of a number that a float can hold.
func number(v constant.Value) (float64, bool) {
	if v.Kind() != constant.Int && v.Kind() != constant.Float {
		return 0, false
	}
	f, _ := constant.Float64Val(v) // the nearest one
	return f, !math.IsInf(f, 0)
}

func signed[T int | int8 | int16 | int32 | int64](v constant.Value) (any, bool) {
	if v.Kind() != constant.Int {
		return nil, false
	}
	n, exact := constant.Int64Val(v)
	return T(n), exact && int64(T(n)) == n
}

func unsigned[T uint | uint8 | uint16 | uint32 | uint64](v constant.Value) (any, bool) {
	if v.Kind() != constant.Int {
		return nil, false
	}
	n, exact := constant.Uint64Val(v)
	return T(n), exact && uint64(T(n)) == n
}

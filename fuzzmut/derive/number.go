package derive

import (
	"cmp"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"unsafe"

	"github.com/fuzzmut/fuzzmut/fuzzmut/term"
)

// integer makes a number in the range that a tag gives.
func (d *deriver) integer(p *plan, tag string, s step) error {
	tg, err := d.parse(tag, s, "min", "max", "oneof")
	if err != nil {
		return err
	}
	t := p.typ
	if tg.oneof != nil {
		return d.oneof(p, tg, s)
	}
	t.Bits = p.rtype.Bits()
	signed := p.rtype.Kind() <= reflect.Int64
	if signed {
		t.Kind = term.Int
		low, high := int64(math.MinInt64)>>(64-t.Bits), int64(math.MaxInt64)>>(64-t.Bits)
		low, high, err = limits(tg, low, high, func(v string) (int64, error) { return strconv.ParseInt(v, 0, t.Bits) })
		t.Min, t.Max = uint64(low), uint64(high)
	} else {
		t.Kind = term.Uint
		t.Min, t.Max, err = limits(tg, 0, uint64(math.MaxUint64)>>(64-t.Bits), func(v string) (uint64, error) { return strconv.ParseUint(v, 0, t.Bits) })
	}
	if err != nil {
		return d.fail(s, "correct the tag", "has the tag `fuzz:%q`: %v", tag, err)
	}
	p.set, p.get = integers(t, signed)
	p.store = storeOf[t.Bits]
	return nil
}

// limits reads the bounds of a range, which are low and high where a tag gives none.
func limits[N cmp.Ordered](tg tag, low, high N, parse func(string) (N, error)) (N, N, error) {
	var err error
	if tg.min != "" {
		if low, err = parse(tg.min); err != nil {
			return low, high, err
		}
	}
	if tg.max != "" {
		if high, err = parse(tg.max); err != nil {
			return low, high, err
		}
	}
	if !(low <= high) {
		return low, high, fmt.Errorf("the minimum %v is above the maximum %v", low, high)
	}
	return low, high, nil
}

// integers returns how integers of t's size are written and read.
func integers(t *term.Type, signed bool) (set func(unsafe.Pointer, *term.Term), get func(unsafe.Pointer, int) (*term.Term, error)) {
	extend := 64 - t.Bits
	number := func(n uint64) (*term.Term, error) {
		if signed {
			n = uint64(int64(n<<extend) >> extend)
		}
		return term.Number(t, n), nil
	}
	switch t.Bits {
	case 8:
		return func(dst unsafe.Pointer, x *term.Term) { *(*uint8)(dst) = uint8(x.Bits) },
			func(src unsafe.Pointer, _ int) (*term.Term, error) { return number(uint64(*(*uint8)(src))) }
	case 16:
		return func(dst unsafe.Pointer, x *term.Term) { *(*uint16)(dst) = uint16(x.Bits) },
			func(src unsafe.Pointer, _ int) (*term.Term, error) { return number(uint64(*(*uint16)(src))) }
	case 32:
		return func(dst unsafe.Pointer, x *term.Term) { *(*uint32)(dst) = uint32(x.Bits) },
			func(src unsafe.Pointer, _ int) (*term.Term, error) { return number(uint64(*(*uint32)(src))) }
	}
	return func(dst unsafe.Pointer, x *term.Term) { *(*uint64)(dst) = x.Bits },
		func(src unsafe.Pointer, _ int) (*term.Term, error) { return number(*(*uint64)(src)) }
}

// floatRange sets the bounds of floats: all, or those between finite bounds.
func (d *deriver) floatRange(p *plan, tg tag, s step) error {
	if tg.min == "" && tg.max == "" {
		return nil
	}
	most := math.MaxFloat64
	if p.typ.Bits == 32 {
		most = math.MaxFloat32
	}
	low, high, err := limits(tg, -most, most, func(v string) (float64, error) { return strconv.ParseFloat(v, p.typ.Bits) })
	if err != nil {
		return d.fail(s, "correct the tag", "has a tag with bad bounds: %v", err)
	}
	if low == 0 && high == 0 {
		return d.fail(s, "", "has a tag that allows only 0")
	}
	p.typ.FloatMin, p.typ.FloatMax = low, high
	return nil
}

// oneof makes a sum of the numbers or strings that a tag lists.
func (d *deriver) oneof(p *plan, tg tag, s step) error {
	if tg.min != "" || tg.max != "" {
		return d.fail(s, "correct the tag", "has a tag with oneof and a range")
	}
	var values []reflect.Value
	for _, text := range tg.oneof {
		v := reflect.New(p.rtype).Elem()
		var err error
		switch {
		case v.CanInt():
			var n int64
			n, err = strconv.ParseInt(text, 0, p.rtype.Bits())
			v.SetInt(n)
		case v.CanUint():
			var n uint64
			n, err = strconv.ParseUint(text, 0, p.rtype.Bits())
			v.SetUint(n)
		case v.CanFloat():
			var f float64
			f, err = strconv.ParseFloat(text, p.rtype.Bits())
			v.SetFloat(f)
		default:
			v.SetString(text)
		}
		if err != nil {
			return d.fail(s, "correct the tag", "has a tag with a bad value: %v", err)
		}
		values = append(values, v)
	}
	listed(p, values)
	return nil
}

// lengths sets the bounds of a text's or list's length.
func (d *deriver) lengths(t *term.Type, tg tag, s step) error {
	low, high, err := limits(tg, 0, term.MaxNodes, func(v string) (int, error) {
		n, err := strconv.ParseUint(v, 0, 31)
		return int(n), err
	})
	if err != nil {
		return d.fail(s, "correct the tag", "has a tag with bad lengths: %v", err)
	}
	t.MinLen, t.MaxLen = low, -1
	if tg.max != "" {
		t.MaxLen = high
	}
	return nil
}

package loop

import (
	"bytes"
	"math"
	"reflect"
)

// reducer makes an input smaller, or plainer, as long as keep holds of it.
type reducer struct {
	best  []any
	keep  func(vals []any) bool
	spent func() bool // nothing more is to be tried

	values *values // what the input stands for; nil if for nothing else
	calls  int     // of keep, at most; only for values
}

// reduce cuts text and brings numbers towards zero.
func (r *reducer) reduce() {
	if r.values.breeds() {
		r.best = []any{r.values.Shrink(r.values.bytes(r.best), r.calls, func(data []byte) bool { return r.accept(0, data) })}
		return
	}
	for i := range r.best {
		if data, ok := bytesOf(r.best[i]); ok {
			r.cut(i, data)
		} else {
			r.lower(i)
		}
	}
}

// normalise makes text plain.
func (r *reducer) normalise() {
	if r.values.breeds() {
		return // the smallest value is the plainest one, too
	}
	for i := range r.best {
		if data, ok := bytesOf(r.best[i]); ok {
			r.plain(i, data)
		}
	}
}

// accept takes v as argument i if the input is then still good.
func (r *reducer) accept(i int, v any) bool {
	if r.spent() {
		return false
	}
	cand := append([]any(nil), r.best...)
	cand[i] = v
	if !r.keep(cand) {
		return false
	}
	r.best = cand
	return true
}

// acceptBytes is accept for an argument that is a string or a byte slice.
func (r *reducer) acceptBytes(i int, data []byte) bool {
	if _, ok := r.best[i].(string); ok {
		return r.accept(i, string(data))
	}
	return r.accept(i, data)
}

// cut takes chunks out of an argument, the largest first.
func (r *reducer) cut(i int, data []byte) {
	for size := len(data); size > 0; size /= 2 {
		for at := 0; at < len(data) && !r.spent(); {
			end := min(at+size, len(data))
			shorter := append(append(make([]byte, 0, len(data)), data[:at]...), data[end:]...)
			if r.acceptBytes(i, shorter) {
				data = shorter
			} else {
				at = end
			}
		}
	}
}

// plainByte is what bytes become where they do not matter.
const plainByte = '0'

// plain writes over chunks of an argument, the largest first.
func (r *reducer) plain(i int, data []byte) {
	for size := len(data); size > 0; size /= 2 {
		for at := 0; at < len(data) && !r.spent(); at += size {
			end := min(at+size, len(data))
			zeros := bytes.Repeat([]byte{plainByte}, end-at)
			if bytes.Equal(data[at:end], zeros) {
				continue
			}
			plainer := append([]byte(nil), data...)
			copy(plainer[at:], zeros)
			if r.acceptBytes(i, plainer) {
				data = plainer
			}
		}
	}
}

// lower brings a number towards zero: by all of it, by half of it, and so on.
func (r *reducer) lower(i int) {
	v := reflect.ValueOf(r.best[i])
	try := func(set func(v reflect.Value)) bool {
		cand := reflect.New(v.Type()).Elem()
		set(cand)
		return r.accept(i, cand.Interface())
	}
	switch {
	case v.Kind() == reflect.Bool:
		if v.Bool() {
			try(func(v reflect.Value) { v.SetBool(false) })
		}
	case v.CanInt():
		n := v.Int()
		for d := n; d != 0; d /= 2 {
			for n/d > 0 && try(func(v reflect.Value) { v.SetInt(n - d) }) {
				n -= d
			}
		}
	case v.CanUint():
		n := v.Uint()
		for d := n; d != 0; d /= 2 {
			for n/d > 0 && try(func(v reflect.Value) { v.SetUint(n - d) }) {
				n -= d
			}
		}
	case v.CanFloat():
		x := v.Float()
		set := func(to float64) bool {
			ok := try(func(v reflect.Value) { v.SetFloat(to) })
			if ok {
				x = to
			}
			return ok
		}
		if x == 0 || set(0) {
			return
		}
		if whole := math.Trunc(x); math.Abs(x-whole) > 0 {
			set(whole)
		}
		if math.Abs(x) >= 1<<53 {
			return
		}
		for d := math.Trunc(x / 2); math.Abs(d) > 0; d = math.Trunc(d / 2) {
			for math.Abs(x) >= math.Abs(d) && set(x-d) {
			}
		}
	}
}

func bytesOf(v any) ([]byte, bool) {
	switch v := v.(type) {
	case []byte:
		return v, true
	case string:
		return []byte(v), true
	}
	return nil, false
}

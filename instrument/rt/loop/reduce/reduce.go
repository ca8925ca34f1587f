// Package reduce makes inputs smaller, or plainer, as long as something holds of them.
package reduce

import (
	"bytes"
	"math"
	"math/bits"
	"reflect"

	"github.com/fuzzmut/fuzzmut/instrument/rt/loop/values"
)

// A Reducer makes an input smaller, or plainer, as long as Keep holds of it.
type Reducer struct {
	Best  []any
	Keep  func(vals []any) bool
	Spent func() bool // nothing more is to be tried

	// Record is how many bytes belong together in a []byte: what is taken out of it is such
	// chunks, from the first byte on, and no others; 0: none.
	Record int

	Values *values.Values // what the input stands for; nil if for nothing else
	Calls  int            // of Keep, at most; only for values
}

// Reduce cuts text and brings numbers towards zero.
func (r *Reducer) Reduce() {
	if r.Values.Breeds() {
		r.Best = []any{r.Values.Shrink(r.Values.Bytes(r.Best), r.Calls, func(data []byte) bool { return r.accept(0, data) })}
		return
	}
	for i := range r.Best {
		if data, ok := Bytes(r.Best[i]); ok {
			if _, list := r.Best[i].([]byte); list && r.Record > 1 {
				r.cutRecords(i, data)
			} else {
				r.cut(i, data)
			}
		} else {
			r.lower(i)
		}
	}
}

// Records takes records out, and changes nothing else.
func (r *Reducer) Records() {
	for i := range r.Best {
		if data, list := r.Best[i].([]byte); list && r.Record > 1 {
			r.cutRecords(i, data)
		}
	}
}

// Digits leaves of whole numbers the last decimal digits, as few as will do: Reduce looks for
// a border, and where a remainder matters there is none.
func (r *Reducer) Digits() {
	if r.Values.Breeds() {
		return
	}
	for i, best := range r.Best {
		v := reflect.ValueOf(best)
		for _, mod := range []int64{10, 100, 1000} {
			cand := reflect.New(v.Type()).Elem()
			switch {
			case v.CanInt() && v.Int()%mod != v.Int():
				cand.SetInt(v.Int() % mod)
			case v.CanUint() && v.Uint()%uint64(mod) != v.Uint():
				cand.SetUint(v.Uint() % uint64(mod))
			default:
				continue
			}
			if r.accept(i, cand.Interface()) {
				break
			}
		}
	}
}

// Normalise makes text plain.
func (r *Reducer) Normalise() {
	if r.Values.Breeds() {
		return // the smallest value is the plainest one, too
	}
	for i := range r.Best {
		if data, ok := Bytes(r.Best[i]); ok {
			r.plain(i, data)
		}
	}
}

// accept takes v as argument i if the input is then still good.
func (r *Reducer) accept(i int, v any) bool {
	if r.Spent() {
		return false
	}
	cand := append([]any(nil), r.Best...)
	cand[i] = v
	if !r.Keep(cand) {
		return false
	}
	r.Best = cand
	return true
}

// acceptBytes is accept for an argument that is a string or a byte slice.
func (r *Reducer) acceptBytes(i int, data []byte) bool {
	if _, ok := r.Best[i].(string); ok {
		return r.accept(i, string(data))
	}
	return r.accept(i, data)
}

// cutRecords takes records out of an argument, many at once before few, and the last first: what
// comes last needs what comes before. To take out parts of them would make others of all that follow.
func (r *Reducer) cutRecords(i int, data []byte) {
	if whole := len(data) / r.Record * r.Record; whole < len(data) && r.acceptBytes(i, data[:whole:whole]) {
		data = data[:whole:whole]
	}
	for size := len(data) / r.Record; size > 0; size /= 2 {
		for end := len(data); end > 0 && !r.Spent(); {
			at := max(end-size*r.Record, 0)
			shorter := append(append(make([]byte, 0, len(data)), data[:at]...), data[end:]...)
			if r.acceptBytes(i, shorter) {
				data = shorter
			}
			end = at
		}
	}
}

// cut takes chunks out of an argument, the largest first.
func (r *Reducer) cut(i int, data []byte) {
	for size := len(data); size > 0; size /= 2 {
		for at := 0; at < len(data) && !r.Spent(); {
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
func (r *Reducer) plain(i int, data []byte) {
	for size := len(data); size > 0; size /= 2 {
		for at := 0; at < len(data) && !r.Spent(); at += size {
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

// lower brings a number towards zero: by all of it, by half of it, and so on. Then it clears bits.
func (r *Reducer) lower(i int) {
	v := reflect.ValueOf(r.Best[i])
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
		if n > 0 {
			unset(uint64(n), func(n uint64) bool { return try(func(v reflect.Value) { v.SetInt(int64(n)) }) })
		}
	case v.CanUint():
		n := v.Uint()
		for d := n; d != 0; d /= 2 {
			for n/d > 0 && try(func(v reflect.Value) { v.SetUint(n - d) }) {
				n -= d
			}
		}
		unset(n, func(n uint64) bool { return try(func(v reflect.Value) { v.SetUint(n) }) })
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

// unset clears bits of a number, the highest first: where bits are flags, no border tells which of them matter. That all
// of them may go is known not to be so.
func unset(n uint64, try func(n uint64) bool) {
	for b := bits.Len64(n) - 1; b >= 0; b-- {
		if less := n &^ (1 << b); less != n && less != 0 && try(less) {
			n = less
		}
	}
}

// Bytes returns an argument as bytes, which share memory with it if it is a []byte; false: it is
// neither that nor a string.
func Bytes(v any) ([]byte, bool) {
	switch v := v.(type) {
	case []byte:
		return v, true
	case string:
		return []byte(v), true
	}
	return nil, false
}

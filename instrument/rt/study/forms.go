package study

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/fuzzmut/fuzzmut/instrument/rt/codes"
)

// A form is a way in which an operand may stand in an input: what to look for, and
// what to put there.
type form struct{ have, want string }

// forms gathers forms, each once, in the order of their likelihood.
type forms struct{ list []form }

func (f *forms) add(have, want string) {
	if have == "" || have == want {
		return
	}
	for _, g := range f.list {
		if g.have == have && g.want == want {
			return
		}
	}
	f.list = append(f.list, form{have, want})
}

// numberForms returns the forms of a number that is to become another.
func numberForms(c *Comparison, have, want uint64) []form {
	var f forms
	if c.Kind == codes.Float {
		f.floats(math.Float64frombits(have), math.Float64frombits(want))
		return f.list
	}
	f.raw(int(c.Width), have, want)
	f.digits(c, have, want)
	for _, w := range []int{8, 4, 2, 3, 1} {
		f.raw(w, have, want)
	}
	f.varint(have, want)
	f.runes(have, want)
	return f.list
}

// raw adds both byte orders of w bytes, if the numbers fit, with a sign or without.
func (f *forms) raw(w int, have, want uint64) {
	if w == 0 || !fits(have, w) || !fits(want, w) {
		return
	}
	var h, n [8]byte
	binary.BigEndian.PutUint64(h[:], have)
	binary.BigEndian.PutUint64(n[:], want)
	f.add(string(h[8-w:]), string(n[8-w:]))
	binary.LittleEndian.PutUint64(h[:], have)
	binary.LittleEndian.PutUint64(n[:], want)
	f.add(string(h[:w]), string(n[:w]))
}

func fits(v uint64, w int) bool {
	free := 64 - 8*w
	return v<<free>>free == v || uint64(int64(v<<free)>>free) == v
}

// digits adds the numbers as text.
func (f *forms) digits(c *Comparison, have, want uint64) {
	if c.Kind == codes.Signed {
		f.add(strconv.FormatInt(int64(have), 10), strconv.FormatInt(int64(want), 10))
	} else {
		f.add(strconv.FormatUint(have, 10), strconv.FormatUint(want, 10))
	}
	h, w := strconv.FormatUint(have, 16), strconv.FormatUint(want, 16)
	for _, n := range []int{0, 2 * int(c.Width), 8, 4, 2} {
		if len(h) > n && n > 0 || len(w) > n && n > 0 {
			continue
		}
		ph, pw := padded(h, n), padded(w, n)
		f.add(ph, pw)
		f.add(strings.ToUpper(ph), strings.ToUpper(pw))
	}
}

// padded puts zeros before s up to a length of n.
func padded(s string, n int) string { return strings.Repeat("0", max(0, n-len(s))) + s }

func (f *forms) varint(have, want uint64) {
	f.add(string(binary.AppendUvarint(nil, have)), string(binary.AppendUvarint(nil, want)))
	f.add(string(binary.AppendVarint(nil, int64(have))), string(binary.AppendVarint(nil, int64(want))))
}

func (f *forms) runes(have, want uint64) {
	if have <= utf8.MaxRune && want <= utf8.MaxRune && (have >= utf8.RuneSelf || want >= utf8.RuneSelf) {
		f.add(string(rune(have)), string(rune(want)))
	}
}

func (f *forms) floats(have, want float64) {
	for _, how := range []byte{'g', 'f'} {
		f.add(strconv.FormatFloat(have, how, -1, 64), strconv.FormatFloat(want, how, -1, 64))
	}
	var h, w [8]byte
	binary.BigEndian.PutUint64(h[:], math.Float64bits(have))
	binary.BigEndian.PutUint64(w[:], math.Float64bits(want))
	f.add(string(h[:]), string(w[:]))
	f.add(reversed(h[:]), reversed(w[:]))
	binary.BigEndian.PutUint32(h[:], math.Float32bits(float32(have)))
	binary.BigEndian.PutUint32(w[:], math.Float32bits(float32(want)))
	f.add(string(h[:4]), string(w[:4]))
	f.add(reversed(h[:4]), reversed(w[:4]))
	if have == math.Trunc(have) && want == math.Trunc(want) && math.Abs(have) < 1<<53 && math.Abs(want) < 1<<53 {
		for _, width := range []int{4, 2, 1, 8} {
			f.raw(width, uint64(int64(have)), uint64(int64(want)))
		}
	}
}

func reversed(b []byte) string {
	r := make([]byte, len(b))
	for i, c := range b {
		r[len(b)-1-i] = c
	}
	return string(r)
}

// textForms returns the forms of a text that is to become another.
func textForms(have, want string) []form {
	var f forms
	f.add(have, want)
	f.add(strings.ToUpper(have), strings.ToUpper(want))
	f.add(strings.ToLower(have), strings.ToLower(want))
	f.add(strings.ToUpper(have), want)
	f.add(strings.ToLower(have), want)
	h, w := hex.EncodeToString([]byte(have)), hex.EncodeToString([]byte(want))
	f.add(h, w)
	f.add(strings.ToUpper(h), strings.ToUpper(w))
	for _, enc := range []*base64.Encoding{base64.StdEncoding, base64.RawStdEncoding, base64.URLEncoding, base64.RawURLEncoding} {
		f.add(enc.EncodeToString([]byte(have)), enc.EncodeToString([]byte(want)))
	}
	return f.list
}

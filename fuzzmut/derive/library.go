package derive

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"math/big"
	"math/rand/v2"
	"net/url"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"time"
	"unsafe"
)

// ratio stands for a big.Rat. A denominator of 0 is 1.
type ratio struct {
	Num integer
	Den []byte `fuzz:"nonnil"` // most significant first
}

func (q ratio) rat() big.Rat {
	num, den := q.Num.big(), new(big.Int).SetBytes(q.Den)
	if num.Sign() == 0 {
		return big.Rat{}
	}
	if den.Sign() == 0 {
		den.SetInt64(1)
	}
	return *new(big.Rat).SetFrac(&num, den)
}

func ratioOf(q big.Rat) ratio {
	if q.Sign() == 0 {
		return ratio{Num: integer{Magnitude: []byte{}}, Den: []byte{}}
	}
	return ratio{integer{q.Sign() < 0, q.Num().Bytes()}, q.Denom().Bytes()}
}

// Bounds of a big.Float: what is larger takes very long to be printed.
const (
	mostExponent  = 4000
	mostPrecision = 512
)

// real stands for a big.Float: an integer times a power of two, or an infinity. A precision of
// 0 is 53, that of a float64.
type real struct {
	Infinite bool
	Mantissa integer
	Exponent int16  `fuzz:"min=-4000,max=4000"`
	Prec     uint16 `fuzz:"max=512"`
}

func (x real) float() big.Float {
	f := new(big.Float).SetPrec(53)
	if x.Prec > 0 {
		f.SetPrec(uint(x.Prec))
	}
	if x.Infinite {
		return *f.SetInf(x.Mantissa.Negative)
	}
	n := x.Mantissa.big()
	f.SetInt(&n)
	if f.Sign() == 0 && x.Mantissa.Negative {
		f.Neg(f)
	}
	return *f.SetMantExp(f, int(x.Exponent))
}

func realOf(f big.Float) real {
	x := real{Infinite: f.IsInf(), Mantissa: integer{Negative: f.Signbit(), Magnitude: []byte{}}, Prec: uint16(min(f.Prec(), mostPrecision))}
	if f.IsInf() || f.Sign() == 0 {
		return x
	}
	mantissa := new(big.Float)
	exponent := f.MantExp(mantissa)
	bits := int(f.MinPrec())
	n, _ := mantissa.SetMantExp(mantissa, bits).Int(nil)
	x.Mantissa.Magnitude = n.Bytes()
	x.Exponent = int16(max(-mostExponent, min(exponent-bits, mostExponent)))
	return x
}

// pattern stands for a *regexp.Regexp. A text that is no regular expression stands for one
// that it matches.
type pattern struct{ Text string }

func (p *pattern) compile() *regexp.Regexp {
	if p == nil {
		return nil
	}
	re, err := regexp.Compile(p.Text)
	if err != nil {
		re = regexp.MustCompile(regexp.QuoteMeta(p.Text))
	}
	return re
}

func patternOf(re *regexp.Regexp) *pattern {
	if re == nil {
		return nil
	}
	return &pattern{re.String()}
}

// drawPattern draws a regular expression of few parts.
func drawPattern(r *rand.Rand, size int) string {
	atoms := []string{"a", "b", "c", "0", ".", `\d`, `\w`, `\s`, "[a-c]", "[^a]", "^", "$", `\b`, "é", " "}
	var b strings.Builder
	for range r.IntN(2 + min(size, 6)) {
		switch atom := atoms[r.IntN(len(atoms))]; r.IntN(6) {
		case 0:
			b.WriteString("(" + drawPattern(r, size/2) + ")")
		case 1:
			b.WriteString(atom + "|")
		case 2:
			b.WriteString("(?:" + atom + ")" + []string{"*", "+", "?", "{2}", "*?"}[r.IntN(5)])
		default:
			b.WriteString(atom)
		}
	}
	return b.String()
}

// zone stands for a *time.Location: hours before or after UTC in quarters, perhaps with an
// hour more in summer.
type zone struct {
	Quarters int8 `fuzz:"min=-48,max=56"`
	Summer   bool
}

func (z *zone) location() *time.Location {
	switch {
	case z == nil:
		return nil
	case z.Summer:
		return summerTime(int(z.Quarters) * 900)
	case z.Quarters == 0:
		return time.UTC
	}
	return time.FixedZone("", int(z.Quarters)*900)
}

func zoneOf(l *time.Location) *zone {
	if l == nil {
		return nil
	}
	_, winter := time.Date(1990, 1, 15, 0, 0, 0, 0, time.UTC).In(l).Zone()
	_, summer := time.Date(1990, 7, 15, 0, 0, 0, 0, time.UTC).In(l).Zone()
	return &zone{int8(max(-48, min(min(winter, summer)/900, 56))), winter != summer}
}

// summerTime is a zone whose clocks go forward an hour in April and back in October, from 1970
// to 2037. It is made here, since not every system has the zones of the world. Its form is
// that of RFC 8536, section 3, version 1.
func summerTime(offset int) *time.Location {
	var at []int64
	for year := 1970; year <= 2037; year++ {
		at = append(at, time.Date(year, 4, 1, 1, 0, 0, 0, time.UTC).Unix(), time.Date(year, 10, 1, 1, 0, 0, 0, time.UTC).Unix())
	}
	data := append([]byte("TZif"), make([]byte, 16)...)
	put := func(n int64) { data = append(data, byte(n>>24), byte(n>>16), byte(n>>8), byte(n)) }
	for _, n := range []int{0, 0, 0, len(at), 2, 8} { // of what follows: transitions, types, bytes of names
		put(int64(n))
	}
	for _, t := range at {
		put(t)
	}
	for i := range at {
		data = append(data, byte(1-i%2))
	}
	for summer := range 2 {
		put(int64(offset + summer*3600))
		data = append(data, byte(summer), byte(4*summer))
	}
	data = append(data, "STD\x00DST\x00"...)
	l, err := time.LoadLocationFromTZData("", data)
	if err != nil {
		panic(err) // a mistake above
	}
	return l
}

// address of a resource, as an url.URL has it.
type resource struct {
	Scheme     string `fuzz:"oneof=|http|https|ftp|mailto|file|x-y.z"`
	Opaque     *string
	User       *userinfo
	Host, Path string
	ForceQuery bool
	RawQuery   string
	Fragment   string
}

type userinfo struct {
	Name     string
	Password *string
}

func (u resource) url() url.URL {
	v := url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path, ForceQuery: u.ForceQuery, RawQuery: u.RawQuery, Fragment: u.Fragment}
	if u.Opaque != nil {
		v.Opaque = *u.Opaque
	}
	switch {
	case u.User == nil:
	case u.User.Password == nil:
		v.User = url.User(u.User.Name)
	default:
		v.User = url.UserPassword(u.User.Name, *u.User.Password)
	}
	return v
}

func resourceOf(v url.URL) resource {
	u := resource{Scheme: v.Scheme, Host: v.Host, Path: v.Path, ForceQuery: v.ForceQuery, RawQuery: v.RawQuery, Fragment: v.Fragment}
	if !slices.Contains([]string{"", "http", "https", "ftp", "mailto", "file", "x-y.z"}, u.Scheme) {
		u.Scheme = "x-y.z"
	}
	if v.Opaque != "" {
		u.Opaque = &v.Opaque
	}
	if v.User != nil {
		u.User = &userinfo{Name: v.User.Username()}
		if p, ok := v.User.Password(); ok {
			u.User.Password = &p
		}
	}
	return u
}

// content stands for what is read, and for what has been written.
type content struct {
	Data []byte `fuzz:"nonnil"`
}

// failure stands for an error.
type failure struct{ Text string }

// sink stands for an io.Writer.
type sink struct{}

// done stands for a context.Context.
type done struct{ Canceled bool }

func (d done) context() context.Context {
	ctx := context.Background()
	if d.Canceled {
		c, cancel := context.WithCancel(ctx)
		cancel()
		return c
	}
	return ctx
}

// rest is what a reader still has.
func rest(r io.Reader) []byte {
	const most = 1 << 20
	data, err := io.ReadAll(io.LimitReader(r, most))
	if err != nil && data == nil {
		return []byte{}
	}
	return data
}

// addLibrary registers what stands for further types of the standard library.
func addLibrary(r *Registry) []error {
	r.reps[reflect.TypeFor[strings.Builder]()] = builder
	return []error{
		Represent(r, ratio.rat, ratioOf),
		Represent(r, real.float, realOf),
		Represent(r, (*pattern).compile, patternOf),
		Generate(r, func(rnd *rand.Rand, size int) *regexp.Regexp { return (&pattern{drawPattern(rnd, size)}).compile() }),
		Represent(r, (*zone).location, zoneOf),
		Represent(r, resource.url, resourceOf),
		Generate(r, drawNumber),
		Represent(r, func(c content) bytes.Buffer { return *bytes.NewBuffer(c.Data) }, func(b bytes.Buffer) content { return content{slices.Concat([]byte{}, b.Bytes())} }),
		Represent(r, func(c content) bytes.Reader { return *bytes.NewReader(c.Data) }, func(b bytes.Reader) content { return content{rest(&b)} }),
		Represent(r, func(c content) strings.Reader { return *strings.NewReader(string(c.Data)) }, func(b strings.Reader) content { return content{rest(&b)} }),
		Represent(r, func(c *content) io.Reader {
			if c == nil {
				return nil
			}
			return bytes.NewReader(c.Data)
		}, func(b io.Reader) *content {
			if b == nil {
				return nil
			}
			return &content{rest(b)}
		}),
		Represent(r, func(*sink) io.Writer { return new(bytes.Buffer) }, func(io.Writer) *sink { return &sink{} }),
		Represent(r, func(f *failure) error {
			if f == nil {
				return nil
			}
			return errors.New(f.Text)
		}, func(err error) *failure {
			if err == nil {
				return nil
			}
			return &failure{err.Error()}
		}),
		Represent(r, done.context, func(ctx context.Context) done { return done{ctx != nil && ctx.Err() != nil} }),
	}
}

// drawNumber draws the text of a number of JSON.
func drawNumber(r *rand.Rand, size int) json.Number {
	var b strings.Builder
	if r.IntN(3) == 0 {
		b.WriteByte('-')
	}
	digits := func(n int) {
		for range n {
			b.WriteByte(byte('0' + r.IntN(10)))
		}
	}
	if r.IntN(4) == 0 {
		b.WriteByte('0')
	} else {
		b.WriteByte(byte('1' + r.IntN(9)))
		digits(r.IntN(1 + min(size, 20)))
	}
	if r.IntN(3) == 0 {
		b.WriteByte('.')
		digits(1 + r.IntN(1+min(size, 20)))
	}
	if r.IntN(4) == 0 {
		b.WriteString([]string{"e", "E", "e-", "E+"}[r.IntN(4)])
		digits(1 + r.IntN(1+min(size, 3)))
	}
	return json.Number(b.String())
}

// builder carries a strings.Builder over. It must not be copied.
var builder = representation{
	as: reflect.TypeFor[content](),
	set: func(dst unsafe.Pointer, fill func(unsafe.Pointer)) {
		var c content
		fill(unsafe.Pointer(&c))
		(*strings.Builder)(dst).Write(c.Data)
	},
	get: func(src unsafe.Pointer, read func(unsafe.Pointer)) {
		c := content{[]byte((*strings.Builder)(src).String())}
		read(unsafe.Pointer(&c))
	},
}

package derive

import (
	"encoding"
	"math/big"
	"math/rand/v2"
	"net/netip"
	"reflect"
	"time"
	"unsafe"

	"github.com/fuzzmut/fuzzmut/fuzzmut/term"
)

// instant stands for a time.Time: years 1 to 9999, since many encodings know no
// others, and a zone without a name.
type instant struct {
	Sec    int64 `fuzz:"min=-62135596800,max=253402300799"` // since 1970
	Nsec   int32 `fuzz:"min=0,max=999999999"`
	Offset int32 `fuzz:"min=-86399,max=86399"` // seconds east of UTC
}

func (i instant) time() time.Time {
	t := time.Unix(i.Sec, int64(i.Nsec)).UTC()
	if i.Offset != 0 {
		t = t.In(time.FixedZone("", int(i.Offset)))
	}
	return t
}

func instantOf(t time.Time) instant {
	_, offset := t.Zone()
	return instant{t.Unix(), int32(t.Nanosecond()), int32(offset)}
}

// integer stands for a big.Int.
type integer struct {
	Negative  bool
	Magnitude []byte `fuzz:"nonnil"` // most significant first
}

func (i integer) big() big.Int {
	var n big.Int
	n.SetBytes(i.Magnitude)
	if n.Sign() == 0 {
		return big.Int{} // SetBytes leaves an empty slice in its place
	}
	if i.Negative {
		n.Neg(&n)
	}
	return n
}

// address stands for a netip.Addr: one of four bytes is the first of them.
type address struct {
	Kind  uint8 `fuzz:"max=2"` // none, IPv4, IPv6
	Bytes [16]byte
	Zone  string // of IPv6
}

func (a address) addr() netip.Addr {
	switch a.Kind {
	case 1:
		return netip.AddrFrom4([4]byte(a.Bytes[:4]))
	case 2:
		return netip.AddrFrom16(a.Bytes).WithZone(a.Zone)
	}
	return netip.Addr{}
}

func addressOf(a netip.Addr) address {
	switch {
	case !a.IsValid():
		return address{}
	case a.Is4():
		r := address{Kind: 1}
		b := a.As4()
		copy(r.Bytes[:], b[:])
		return r
	}
	return address{2, a.As16(), a.Zone()}
}

// prefix stands for a netip.Prefix, which has no zone, and -1 for bits that don't fit.
type prefix struct {
	Addr netip.Addr
	Bits int16 `fuzz:"min=-1,max=128"`
}

// endpoint stands for a netip.AddrPort.
type endpoint struct {
	Addr netip.Addr
	Port uint16
}

// addStandard registers what stands for types of the standard library.
func addStandard(r *Registry) {
	for _, err := range append(addLibrary(r),
		Represent(r, instant.time, instantOf),
		Represent(r, integer.big, func(n big.Int) integer { return integer{n.Sign() < 0, n.Bytes()} }),
		Represent(r, address.addr, addressOf),
		Represent(r, func(p prefix) netip.Prefix { return netip.PrefixFrom(p.Addr, int(p.Bits)) },
			func(p netip.Prefix) prefix { return prefix{p.Addr(), int16(p.Bits())} }),
		Represent(r, func(e endpoint) netip.AddrPort { return netip.AddrPortFrom(e.Addr, e.Port) },
			func(p netip.AddrPort) endpoint { return endpoint{p.Addr(), p.Port()} }),
	) {
		if err != nil {
			panic(err) // two of them for one type
		}
	}
	r.standard.reps, r.reps = r.reps, make(map[reflect.Type]representation)
	r.standard.generate, r.generate = r.generate, make(map[reflect.Type]func(*rand.Rand, int, unsafe.Pointer))
}

// rep is what stands for the values of a type: what the user says comes before what is known of
// the standard library.
func (r *Registry) rep(t reflect.Type) (representation, bool) {
	if rep, ok := r.reps[t]; ok {
		return rep, true
	}
	if r.values[t] != nil || r.impls[t] != nil {
		return representation{}, false
	}
	rep, ok := r.standard.reps[t]
	return rep, ok
}

// marshaled makes a type a text, if that is what it can be marshaled to and made
// from. A text that stands for no value is the zero value.
func marshaled(p *plan) bool {
	ptr := reflect.PointerTo(p.rtype)
	switch {
	case ptr.Implements(reflect.TypeFor[encoding.TextMarshaler]()) && ptr.Implements(reflect.TypeFor[encoding.TextUnmarshaler]()):
		p.marshal(func(v any) ([]byte, error) { return v.(encoding.TextMarshaler).MarshalText() },
			func(v any, text []byte) error { return v.(encoding.TextUnmarshaler).UnmarshalText(text) })
	case ptr.Implements(reflect.TypeFor[encoding.BinaryMarshaler]()) && ptr.Implements(reflect.TypeFor[encoding.BinaryUnmarshaler]()):
		p.marshal(func(v any) ([]byte, error) { return v.(encoding.BinaryMarshaler).MarshalBinary() },
			func(v any, data []byte) error { return v.(encoding.BinaryUnmarshaler).UnmarshalBinary(data) })
	default:
		return false
	}
	return true
}

func (p *plan) marshal(marshal func(any) ([]byte, error), unmarshal func(any, []byte) error) {
	p.typ.Kind, p.typ.MaxLen = term.Text, -1
	p.set = func(dst unsafe.Pointer, x *term.Term) {
		v := reflect.NewAt(p.rtype, dst)
		if unmarshal(v.Interface(), []byte(x.Text)) != nil {
			v.Elem().SetZero()
		}
		// Texts for one value may leave traces in it. Those of the text that it is
		// marshaled to stay when it is carried over once more.
		text, err := marshal(v.Interface())
		if v.Elem().SetZero(); err == nil && unmarshal(v.Interface(), text) != nil {
			v.Elem().SetZero()
		}
	}
	p.get = func(src unsafe.Pointer, _ int) (*term.Term, error) {
		text, err := marshal(reflect.NewAt(p.rtype, src).Interface())
		if err != nil {
			if reflect.NewAt(p.rtype, src).Elem().IsZero() {
				return p.typ.Default(), nil
			}
			return nil, bound("can't be marshaled: %v", err)
		}
		return &term.Term{Type: p.typ, Text: string(text)}, nil
	}
}

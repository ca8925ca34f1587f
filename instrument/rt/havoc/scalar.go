package havoc

import "math"

// boundary draws a number at which integers of that width or less change their
// behavior.
func (m *Mutator) boundary(bits int) int64 {
	u := m.r.Uint64()
	if u&7 == 0 {
		return int64(u>>3&3) * 8 // 0, 8, 16, 24: sizes
	}
	k := uint(u>>8) % uint(bits+1)
	if u>>3&1 == 0 { // the widths of machine integers, and one bit less for their sign
		widths := [...]uint{7, 8, 15, 16, 31, 32, 63, 64}
		k = widths[u>>4&7] % uint(bits+1)
	}
	v := uint64(1) << k // 0 for 64
	switch u >> 20 & 3 {
	case 0:
		v--
	case 1:
		v++
	}
	if u>>22&3 == 0 {
		v = -v
	}
	return int64(v)
}

// scalar returns a changed, of the same type. A donor's value of the same type takes
// part.
func (m *Mutator) scalar(a any) any {
	if m.r.OneIn(12) {
		if v, ok := m.donate.value(); ok && sameKind(v, a) && !same(v, a) {
			return v
		}
	}
	switch v := a.(type) {
	case bool:
		return !v
	case int:
		return int(m.integer(int64(v), intBits))
	case int8:
		return int8(m.integer(int64(v), 8))
	case int16:
		return int16(m.integer(int64(v), 16))
	case int32:
		if m.r.OneIn(4) {
			return m.rune(v)
		}
		return int32(m.integer(int64(v), 32))
	case int64:
		return m.integer(v, 64)
	case uint:
		return uint(m.integer(int64(v), intBits))
	case uint8:
		return uint8(m.integer(int64(v), 8))
	case uint16:
		return uint16(m.integer(int64(v), 16))
	case uint32:
		return uint32(m.integer(int64(v), 32))
	case uint64:
		return uint64(m.integer(int64(v), 64))
	case float32:
		return m.float32(v)
	case float64:
		return m.float64(v)
	}
	return a
}

// intBits is the width of an int.
const intBits = 32 << (^uint(0) >> 63)

func sameKind(a, b any) bool {
	ka := kindOf(a)
	return ka != 0 && ka == kindOf(b)
}

// kindOf numbers the types a fuzz target can take.
func kindOf(a any) int {
	switch a.(type) {
	case []byte:
		return 1
	case string:
		return 2
	case bool:
		return 3
	case int:
		return 4
	case int8:
		return 5
	case int16:
		return 6
	case int32:
		return 7
	case int64:
		return 8
	case uint:
		return 9
	case uint8:
		return 10
	case uint16:
		return 11
	case uint32:
		return 12
	case uint64:
		return 13
	case float32:
		return 14
	case float64:
		return 15
	}
	return 0
}

// integer returns another integer of that width than v, in the low bits of the
// result.
func (m *Mutator) integer(v int64, bits int) int64 {
	mask := uint64(1)<<(bits-1)<<1 - 1
	for {
		if w := m.relatedInteger(v, bits); uint64(w^v)&mask != 0 {
			return w
		}
	}
}

func (m *Mutator) relatedInteger(v int64, bits int) int64 {
	switch m.r.Intn(13) {
	case 0, 1:
		return v + 1
	case 2, 3:
		return v - 1
	case 4, 5:
		return v + m.little()
	case 6:
		return v ^ 1<<m.r.Intn(bits)
	case 7, 8:
		return m.boundary(bits)
	case 9:
		return v * 2
	case 10:
		return v / 2
	case 11:
		return -v
	}
	return int64(m.r.Uint64() >> m.r.Intn(64)) // any magnitude
}

var oddRuneValues = []rune{
	0, '\n', ' ', '"', '\'', '\\', '0', 'A', 'a', 0x7f, 0x80, 0xff, 0x100, 'ß', 'İ', 'ſ', 0x0301, 0x7ff, 0x800,
	0x2028, 0xd7ff, 0xd800, 0xdfff, 0xe000, 0xfeff, 0xfffd, 0xfffe, 0xffff, 0x10000, '😀', 0x10ffff, 0x110000, -1,
}

func (m *Mutator) rune(v rune) rune {
	w := oddRuneValues[m.r.Intn(len(oddRuneValues))]
	if m.r.OneIn(4) {
		w = v ^ 0x20 // the other case, in ASCII
	}
	if w == v {
		return v + 1
	}
	return w
}

var oddFloats = []float64{
	0, math.Copysign(0, -1), 1, -1, 0.5, 0.1, 2, 10, 1e10, 1e21, 1e-7, 1e300, -1e300, math.Pi,
	math.MaxFloat64, -math.MaxFloat64, math.SmallestNonzeroFloat64, 2.2250738585072014e-308,
	math.MaxFloat32, math.SmallestNonzeroFloat32, math.Inf(1), math.Inf(-1), math.NaN(),
	1 << 24, 1<<24 + 1, 1 << 31, 1 << 32, 1 << 53, 1<<53 + 1, 1 << 63, -1 << 63, 1 << 64,
}

// relatedFloat draws a number related to v. What depends on the width of the type is
// left to the caller: it is not done then.
func (m *Mutator) relatedFloat(v float64) (w float64, done bool) {
	switch m.r.Intn(12) {
	case 0:
		return v + 1, true
	case 1:
		return v - 1, true
	case 2:
		return v + float64(m.little()), true
	case 3:
		return v * 2, true
	case 4:
		return v / 2, true
	case 5:
		return -v, true
	case 6, 7:
		return oddFloats[m.r.Intn(len(oddFloats))], true
	case 8:
		return math.Trunc(v), true
	case 9:
		return float64(m.boundary(64)), true
	}
	return 0, false
}

func (m *Mutator) float64(v float64) float64 {
	for {
		w, done := m.relatedFloat(v)
		if !done {
			w = math.Float64frombits(m.floatBits(math.Float64bits(v), 64))
		}
		if math.Float64bits(w) != math.Float64bits(v) {
			return w
		}
	}
}

func (m *Mutator) float32(v float32) float32 {
	for {
		w, done := m.relatedFloat(float64(v))
		f := float32(w)
		if !done {
			f = math.Float32frombits(uint32(m.floatBits(uint64(math.Float32bits(v)), 32)))
		}
		if math.Float32bits(f) != math.Float32bits(v) {
			return f
		}
	}
}

// floatBits changes the representation: to a neighbor, in one bit, or all of it.
func (m *Mutator) floatBits(u uint64, bits int) uint64 {
	switch m.r.Intn(4) {
	case 0:
		return u + 1
	case 1:
		return u - 1
	case 2:
		return u ^ 1<<m.r.Intn(bits)
	}
	return m.r.Uint64()
}

package havoc

// flipBit inverts one bit.
func flipBit(m *Mutator) bool {
	if len(m.buf) == 0 {
		return false
	}
	m.buf[m.position(len(m.buf))] ^= 1 << (m.r.Uint64() >> 61)
	return true
}

// flipByte changes any of a byte's bits, at least one.
func flipByte(m *Mutator) bool {
	if len(m.buf) == 0 {
		return false
	}
	m.buf[m.position(len(m.buf))] ^= byte(1 + m.r.Intn(255))
	return true
}

// setByte writes a byte that fits the input.
func setByte(m *Mutator) bool {
	if len(m.buf) == 0 {
		return false
	}
	m.buf[m.position(len(m.buf))] = m.byte()
	return true
}

// addByte adds or subtracts a little.
func addByte(m *Mutator) bool {
	if len(m.buf) == 0 {
		return false
	}
	m.buf[m.position(len(m.buf))] += byte(m.little())
	return true
}

// little draws a number in [-35, 35], not 0.
func (m *Mutator) little() int64 {
	u := m.r.Uint64()
	n := int64(1)
	if u&3 != 0 {
		n += int64((u >> 8) % 35)
	}
	if u&4 != 0 {
		return -n
	}
	return n
}

// punctuation are the bytes with a meaning in most text formats, and some digits.
const punctuation = "\"\"'`(){}[]<>,,..::;=+-*/\\_|&!?#%@$^~ \n\t\r0123456789eEx"

// byte draws a byte that fits the input.
func (m *Mutator) byte() byte {
	u := m.r.Uint64()
	if !m.text || u&31 == 0 {
		return byte(u >> 56)
	}
	switch u >> 5 & 7 {
	case 0, 1, 2:
		if len(m.buf) > 0 {
			return m.buf[m.r.Intn(len(m.buf))]
		}
	case 3:
		if t := m.dict.draw(m.r); len(t) > 0 {
			return t[m.r.Intn(len(t))]
		}
	case 4, 5:
		return punctuation[(u>>16)%uint64(len(punctuation))]
	}
	return ' ' + byte((u>>32)%95)
}

// width draws an integer's width in bytes that fits the input: 2, 4 or 8, or 0.
func (m *Mutator) width() int {
	w := 2 << m.r.Intn(3)
	if w > len(m.buf) {
		return 0
	}
	return w
}

// addInteger adds a little to an integer of 2, 4 or 8 bytes in either byte order.
func addInteger(m *Mutator) bool {
	w := m.width()
	if w == 0 {
		return false
	}
	at := m.position(len(m.buf) - w + 1)
	big := m.r.OneIn(2)
	v := get(m.buf[at:at+w], big)
	put(m.buf[at:at+w], v+uint64(m.little()), big)
	return true
}

// setInteger writes a boundary value, of 1, 2, 4 or 8 bytes, in either byte order.
func setInteger(m *Mutator) bool {
	w := 1 << m.r.Intn(4)
	if w > len(m.buf) {
		return false
	}
	at := m.position(len(m.buf) - w + 1)
	put(m.buf[at:at+w], uint64(m.boundary(w*8)), m.r.OneIn(2))
	return true
}

// setLength writes an integer that tells how many bytes follow it, or are there, as
// a field with a length would.
func setLength(m *Mutator) bool {
	w := 1 << m.r.Intn(3)
	if w > len(m.buf) {
		return false
	}
	at := m.position(len(m.buf) - w + 1)
	n := len(m.buf) - at - w
	if m.r.OneIn(4) {
		n = len(m.buf)
	}
	put(m.buf[at:at+w], uint64(n), m.r.OneIn(2))
	return true
}

// copyInteger writes an integer found elsewhere in the input.
func copyInteger(m *Mutator) bool {
	w := m.width()
	if w == 0 {
		return false
	}
	from := m.r.Intn(len(m.buf) - w + 1)
	at := m.position(len(m.buf) - w + 1)
	v := get(m.buf[from:from+w], false)
	put(m.buf[at:at+w], v, m.r.OneIn(4))
	return true
}

// swapBytes exchanges two bytes.
func swapBytes(m *Mutator) bool {
	if len(m.buf) < 2 {
		return false
	}
	i := m.position(len(m.buf))
	j := m.r.Intn(len(m.buf))
	if m.r.OneIn(2) {
		j = (i + 1) % len(m.buf)
	}
	m.buf[i], m.buf[j] = m.buf[j], m.buf[i]
	return true
}

func get(b []byte, big bool) uint64 {
	var v uint64
	for i := range b {
		if big {
			v = v<<8 | uint64(b[i])
		} else {
			v |= uint64(b[i]) << (8 * i)
		}
	}
	return v
}

func put(b []byte, v uint64, big bool) {
	for i := range b {
		if big {
			b[len(b)-1-i] = byte(v >> (8 * i))
		} else {
			b[i] = byte(v >> (8 * i))
		}
	}
}

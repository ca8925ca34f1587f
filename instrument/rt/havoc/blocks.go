package havoc

// deleteBlock deletes a block.
func deleteBlock(m *Mutator) bool {
	if len(m.buf) == 0 {
		return false
	}
	m.remove(m.block())
	return true
}

// cutEnd deletes the end.
func cutEnd(m *Mutator) bool {
	if len(m.buf) == 0 {
		return false
	}
	m.remove(len(m.buf)-m.size(len(m.buf)), len(m.buf))
	return true
}

// cutStart deletes the beginning.
func cutStart(m *Mutator) bool {
	if len(m.buf) == 0 {
		return false
	}
	m.remove(0, m.size(len(m.buf)))
	return true
}

// repeatBlock inserts copies of a block right after it.
func repeatBlock(m *Mutator) bool {
	if len(m.buf) == 0 || m.room == 0 {
		return false
	}
	from, to := m.block()
	n := to - from
	times := 1
	if m.r.OneIn(4) {
		times = m.size(32)
	}
	opened := m.gap(to, n*times)
	for i := range opened {
		m.buf[to+i] = m.buf[from+i%n]
	}
	return true
}

// copyBlock inserts a copy of a block somewhere.
func copyBlock(m *Mutator) bool {
	if len(m.buf) == 0 {
		return false
	}
	from, to := m.block()
	return m.insert(m.r.Intn(len(m.buf)+1), m.save(from, to))
}

// overwriteBlock writes a copy of a block over another place.
func overwriteBlock(m *Mutator) bool {
	if len(m.buf) < 2 {
		return false
	}
	from, to := m.block()
	copy(m.buf[m.r.Intn(len(m.buf)):], m.buf[from:to])
	return true
}

// moveBlock moves a block elsewhere.
func moveBlock(m *Mutator) bool {
	if len(m.buf) < 2 {
		return false
	}
	from, to := m.block()
	b := m.save(from, to)
	m.remove(from, to)
	return m.insert(m.r.Intn(len(m.buf)+1), b)
}

// swapBlocks exchanges two blocks.
func swapBlocks(m *Mutator) bool {
	if len(m.buf) < 2 {
		return false
	}
	a, b := m.block()
	c, d := m.block()
	if a > c {
		a, b, c, d = c, d, a, b
	}
	if b > c {
		b = c // blocks may touch but not overlap
	}
	m.tmp = append(m.tmp[:0], m.buf[c:d]...)
	m.tmp = append(m.tmp, m.buf[b:c]...)
	m.tmp = append(m.tmp, m.buf[a:b]...)
	copy(m.buf[a:d], m.tmp)
	return true
}

// maxNoise bounds the bytes that are drawn one by one: longer noise is no better.
const maxNoise = 32

// insertBytes inserts bytes that fit the input.
func insertBytes(m *Mutator) bool {
	at := 0
	if len(m.buf) > 0 {
		at = m.position(len(m.buf) + 1)
	}
	var b [maxNoise]byte
	n := m.size(maxNoise)
	for i := range n {
		b[i] = m.byte()
	}
	n = m.gap(at, n)
	copy(m.buf[at:], b[:n])
	return n > 0
}

// insertByte inserts one byte that fits the input.
func insertByte(m *Mutator) bool {
	if m.room == 0 {
		return false
	}
	b := m.byte()
	at := m.position(len(m.buf) + 1)
	m.gap(at, 1)
	m.buf[at] = b
	return true
}

// deleteByte deletes one byte.
func deleteByte(m *Mutator) bool {
	if len(m.buf) == 0 {
		return false
	}
	at := m.position(len(m.buf))
	m.remove(at, at+1)
	return true
}

// insertRun inserts one byte many times.
func insertRun(m *Mutator) bool {
	at := m.r.Intn(len(m.buf) + 1)
	b := m.byte()
	if m.r.OneIn(4) {
		b = 0
	}
	n := m.gap(at, m.size(max(64, len(m.buf))))
	for i := range n {
		m.buf[at+i] = b
	}
	return n > 0
}

// fillBlock writes one byte all over a block.
func fillBlock(m *Mutator) bool {
	if len(m.buf) == 0 {
		return false
	}
	b := m.byte()
	from, to := m.block()
	for i := from; i < to; i++ {
		m.buf[i] = b
	}
	return true
}

// scrambleBlock writes other bytes all over a block.
func scrambleBlock(m *Mutator) bool {
	if len(m.buf) == 0 {
		return false
	}
	from, to := m.block()
	for i := from; i < min(to, from+maxNoise); i++ {
		m.buf[i] = m.byte()
	}
	return true
}

// double appends the input to itself, as far as there is room.
func double(m *Mutator) bool {
	old := len(m.buf)
	n := m.gap(old, old)
	copy(m.buf[old:], m.buf[:n])
	return n > 0
}

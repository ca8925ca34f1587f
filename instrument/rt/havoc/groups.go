package havoc

// A group is a balanced pair of brackets or a pair of quotes, with what is between.
const (
	groupSearch = 256  // bytes in which the start of a group is looked for
	maxGroup    = 4096 // bytes
)

const openers, closers = "([{<", ")]}>"

// group finds a group that begins at or soon after a random place. from is the
// place of the opening character, to is the place after the closing one.
func (m *Mutator) group() (from, to int, ok bool) {
	if len(m.buf) < 2 {
		return 0, 0, false
	}
	at := m.position(len(m.buf))
	if m.r.OneIn(2) { // early places find the outer groups
		at -= at & 31
	}
	return m.groupFrom(at)
}

func (m *Mutator) groupFrom(at int) (from, to int, ok bool) {
	end := min(len(m.buf), at+groupSearch)
	for from = at; from < end; from++ {
		switch b := m.buf[from]; b {
		case '(', '[', '{', '<':
			if to = m.closing(from, b, partner(b)); to > 0 {
				return from, to, true
			}
		case '"', '\'', '`':
			if to = m.closingQuote(from, b); to > 0 {
				return from, to, true
			}
		}
	}
	return 0, 0, false
}

func partner(opener byte) byte {
	for i := range openers {
		if openers[i] == opener {
			return closers[i]
		}
	}
	return opener
}

// closing returns the place after the bracket that closes the one at from, or 0.
func (m *Mutator) closing(from int, opener, closer byte) int {
	depth := 0
	for i, b := range m.buf[from:min(len(m.buf), from+maxGroup)] {
		switch b {
		case opener:
			depth++
		case closer:
			if depth--; depth == 0 {
				return from + i + 1
			}
		}
	}
	return 0
}

func (m *Mutator) closingQuote(from int, quote byte) int {
	end := min(len(m.buf), from+maxGroup)
	for i := from + 1; i < end; i++ {
		switch m.buf[i] {
		case '\\':
			i++
		case quote:
			return i + 1
		}
	}
	return 0
}

// separated extends a group's bounds over the separator beside it, so that deleting
// or repeating the group keeps a list in order.
func (m *Mutator) separated(from, to int) (int, int) {
	switch {
	case from > 0 && isSeparator(m.buf[from-1]):
		from--
	case to < len(m.buf) && isSeparator(m.buf[to]):
		to++
	}
	return from, to
}

func isSeparator(b byte) bool {
	return b == ',' || b == ';' || b == ' ' || b == '\n' || b == '|'
}

// deleteGroup deletes a group.
func deleteGroup(m *Mutator) bool {
	from, to, ok := m.group()
	if !ok {
		return false
	}
	if m.r.OneIn(2) {
		from, to = m.separated(from, to)
	}
	m.remove(from, to)
	return true
}

// emptyGroup deletes what is inside a group.
func emptyGroup(m *Mutator) bool {
	from, to, ok := m.group()
	if !ok || to-from == 2 {
		return false
	}
	m.remove(from+1, to-1)
	return true
}

// unwrapGroup deletes the brackets and keeps what is between them.
func unwrapGroup(m *Mutator) bool {
	from, to, ok := m.group()
	if !ok {
		return false
	}
	m.remove(to-1, to)
	m.remove(from, from+1)
	return true
}

// repeatGroup inserts copies of a group after it.
func repeatGroup(m *Mutator) bool {
	from, to, ok := m.group()
	if !ok {
		return false
	}
	from, to = m.separated(from, to)
	b := m.save(from, to)
	times := 1
	if m.r.OneIn(4) {
		times = m.size(8)
	}
	for range times {
		if !m.insert(to, b) {
			return false
		}
	}
	return true
}

// copyGroup puts a copy of one group in place of another.
func copyGroup(m *Mutator) bool {
	from, to, ok := m.group()
	if !ok {
		return false
	}
	b := m.save(from, to)
	from2, to2, ok := m.groupFrom(m.r.Intn(len(m.buf)))
	if !ok || from2 == from {
		return false
	}
	return m.replace(from2, to2, b)
}

// nestGroup puts a copy of a group inside itself, in place of an inner group or next
// to one, so that nesting grows; or it puts an inner group in the outer one's place.
func nestGroup(m *Mutator) bool {
	from, to, ok := m.group()
	if !ok || to-from < 3 {
		return false
	}
	at := from + 1 + m.r.Intn(to-from-2)
	inFrom, inTo, ok := m.groupFrom(at)
	if !ok || inTo >= to {
		inFrom, inTo = at, at
	}
	if inTo > inFrom && m.r.OneIn(2) {
		return m.replace(from, to, m.save(inFrom, inTo))
	}
	return m.replace(inFrom, inTo, m.save(from, to))
}

const wrappers = "()[]{}<>\"\"''``"

// wrap puts brackets or quotes around a token, a group or a block; sometimes many.
func wrap(m *Mutator) bool {
	from, to := 0, 0
	if len(m.buf) > 0 {
		switch m.r.Intn(3) {
		case 0:
			from, to = m.token()
		case 1:
			from, to = m.block()
		default:
			var ok bool
			if from, to, ok = m.group(); !ok {
				from, to = m.token()
			}
		}
	}
	pair := 2 * m.r.Intn(len(wrappers)/2)
	times := 1
	if m.r.OneIn(8) {
		times = m.size(64)
	}
	if m.room < 2*times {
		return false
	}
	m.gap(to, times)
	m.gap(from, times)
	for i := range times {
		m.buf[from+i] = wrappers[pair]
		m.buf[to+times+i] = wrappers[pair+1]
	}
	return true
}

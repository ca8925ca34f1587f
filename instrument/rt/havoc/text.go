package havoc

// maxToken bounds how far a token is followed to either side, in bytes.
const maxToken = 64

// Classes of bytes; a token is a run of word bytes or of spaces, or one other byte.
const (
	classOther   = iota
	classControl // not in text
	classSpace
	classWord
)

// classes holds the class of each byte and is never changed.
var classes = func() (t [256]uint8) {
	for i := range t {
		switch b := byte(i); {
		case b == ' ' || b == '\t' || b == '\n' || b == '\r':
			t[i] = classSpace
		case b < ' ' || b == 0x7f || b >= 0xf8:
			t[i] = classControl
		case b >= 'a' && b <= 'z', b >= 'A' && b <= 'Z', digit(b), b == '_', b >= 0x80:
			t[i] = classWord
		}
	}
	return t
}()

// tokenAt returns the bounds of the token of b that holds byte i.
func tokenAt(b []byte, i int) (from, to int) {
	c := classes[b[i]]
	from, to = i, i+1
	if c <= classControl {
		return from, to
	}
	for from > 0 && i-from < maxToken && classes[b[from-1]] == c {
		from--
	}
	for to < len(b) && to-i < maxToken && classes[b[to]] == c {
		to++
	}
	return from, to
}

func (m *Mutator) token() (from, to int) {
	return tokenAt(m.buf, m.position(len(m.buf)))
}

// deleteTokens deletes a token or a few.
func deleteTokens(m *Mutator) bool {
	if len(m.buf) == 0 {
		return false
	}
	from, to := m.token()
	for m.r.OneIn(2) && to < len(m.buf) {
		_, to = tokenAt(m.buf, to)
	}
	m.remove(from, to)
	return true
}

// copyTokens inserts, before another token, a copy of one token or a few.
func copyTokens(m *Mutator) bool {
	if len(m.buf) == 0 {
		return false
	}
	from, to := m.token()
	for m.r.OneIn(2) && to < len(m.buf) {
		_, to = tokenAt(m.buf, to)
	}
	b := m.save(from, to)
	at, _ := tokenAt(m.buf, m.r.Intn(len(m.buf)))
	return m.insert(at, b)
}

// copyOverToken puts a copy of one token in place of another.
func copyOverToken(m *Mutator) bool {
	if len(m.buf) < 2 {
		return false
	}
	from, to := m.token()
	b := m.save(from, to)
	from, to = tokenAt(m.buf, m.r.Intn(len(m.buf)))
	return m.replace(from, to, b)
}

// swapTokens exchanges two tokens.
func swapTokens(m *Mutator) bool {
	if len(m.buf) < 2 {
		return false
	}
	a, b := m.token()
	c, d := tokenAt(m.buf, m.r.Intn(len(m.buf)))
	if a > c {
		a, b, c, d = c, d, a, b
	}
	if a == c || b > c {
		return false
	}
	m.tmp = append(m.tmp[:0], m.buf[c:d]...)
	m.tmp = append(m.tmp, m.buf[b:c]...)
	m.tmp = append(m.tmp, m.buf[a:b]...)
	copy(m.buf[a:d], m.tmp)
	return true
}

// changeCase changes the case of a letter or of a word.
func changeCase(m *Mutator) bool {
	if len(m.buf) == 0 {
		return false
	}
	from := m.position(len(m.buf))
	to := from + 1
	if m.r.OneIn(2) {
		from, to = tokenAt(m.buf, from)
	}
	changed := false
	for i := from; i < to; i++ {
		if b := m.buf[i] | 0x20; b >= 'a' && b <= 'z' {
			m.buf[i] ^= 0x20
			changed = true
		}
	}
	return changed
}

// maxLine bounds how far a line is followed to either side, in bytes.
const maxLine = 4096

// line returns the bounds of a line, its end of line included.
func (m *Mutator) line() (from, to int) {
	i := m.r.Intn(len(m.buf))
	from, to = i, i
	for from > 0 && i-from < maxLine && m.buf[from-1] != '\n' {
		from--
	}
	for to < len(m.buf) && to-i < maxLine {
		to++
		if m.buf[to-1] == '\n' {
			break
		}
	}
	return from, to
}

// deleteLine deletes a line.
func deleteLine(m *Mutator) bool {
	if len(m.buf) == 0 {
		return false
	}
	from, to := m.line()
	if from == 0 && to == len(m.buf) {
		return false // the only one
	}
	m.remove(from, to)
	return true
}

// copyLine inserts a copy of a line before another one.
func copyLine(m *Mutator) bool {
	if len(m.buf) == 0 {
		return false
	}
	from, to := m.line()
	b := m.save(from, to)
	if b[len(b)-1] != '\n' {
		m.tmp = append(m.tmp, '\n')
		b = m.tmp
	}
	at, _ := m.line()
	return m.insert(at, b)
}

// moveLine moves a line before another one.
func moveLine(m *Mutator) bool {
	if len(m.buf) == 0 {
		return false
	}
	from, to := m.line()
	if from == 0 && to == len(m.buf) {
		return false
	}
	b := m.save(from, to)
	m.remove(from, to)
	at, _ := m.line()
	return m.insert(at, b)
}

// Runes that programs treat as special cases.
var oddRunes = []string{
	"\u0080", "ÿ", "ā", "ſ", "K", "İ", "ı", "ß", "é", "e\u0301", "\u0600", "א", "\u2028", "\u200b", "\u202e", "\ufeff",
	"中", "\ufffd", "\uffff", "𝔘", "😀", "\U0010ffff", "\u00a0", "\u3000", "ǆ", "ﬁ",
	"\x80", "\xc0\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xff", "\xe4\xb8", // not valid
}

// insertRune inserts a rune beyond ASCII, or what isn't quite one.
func insertRune(m *Mutator) bool {
	s := oddRunes[m.r.Intn(len(oddRunes))]
	m.tmp = append(m.tmp[:0], s...)
	return m.insert(m.position(len(m.buf)+1), m.tmp)
}

// replaceRune puts such a rune in place of one that is there.
func replaceRune(m *Mutator) bool {
	if len(m.buf) == 0 {
		return false
	}
	from := m.position(len(m.buf))
	for from > 0 && m.buf[from]&0xc0 == 0x80 {
		from--
	}
	to := from + 1
	for to < len(m.buf) && m.buf[to]&0xc0 == 0x80 {
		to++
	}
	m.tmp = append(m.tmp[:0], oddRunes[m.r.Intn(len(oddRunes))]...)
	return m.replace(from, to, m.tmp)
}

// escapes are ways to write a character that many text formats share.
var escapes = []string{
	`\n`, `\"`, `\\`, `\u0000`, `\ud800`, `\uDFFF`, `\x00`, `\0`, `\777`, `\U0010FFFF`, `\/`, `\b`, `\`,
	"%00", "%2F", "%", "&amp;", "&#0;", "&#x10FFFF;", "&lt;", "\r\n", "\x00",
}

// insertEscape inserts an escape sequence.
func insertEscape(m *Mutator) bool {
	m.tmp = append(m.tmp[:0], escapes[m.r.Intn(len(escapes))]...)
	return m.insert(m.position(len(m.buf)+1), m.tmp)
}

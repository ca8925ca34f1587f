package havoc

// findDigits returns the bounds of a run of decimal digits near a random place.
func (m *Mutator) findDigits() (from, to int, ok bool) {
	const window = 64
	at := m.position(len(m.buf))
	end := min(len(m.buf), at+window)
	for at < end && !digit(m.buf[at]) {
		at++
	}
	if at == end {
		return 0, 0, false
	}
	from, to = at, at
	for from > 0 && at-from < window && digit(m.buf[from-1]) {
		from--
	}
	for to < len(m.buf) && to-at < window && digit(m.buf[to]) {
		to++
	}
	return from, to, true
}

func digit(b byte) bool { return b-'0' < 10 }

// oddNumbers are numbers as text that readers of numbers tend to get wrong.
var oddNumbers = []string{
	"0", "-0", "1", "-1", "00", "01", "0.0", "-0.0", "1.5", ".5", "5.", "1e5", "1E+5", "1e-5", "1e400", "-1e400", "1e-400",
	"4.9e-324", "1.7976931348623157e308", "0.1", "0x10", "0X1p-2", "0b1", "0o7", "1_000", "NaN", "Inf", "-Inf",
	"127", "128", "-128", "-129", "255", "256", "32767", "32768", "65535", "65536", "2147483647", "2147483648",
	"-2147483648", "4294967295", "4294967296", "9007199254740993", "9223372036854775807", "9223372036854775808",
	"-9223372036854775808", "18446744073709551615", "18446744073709551616", "99999999999999999999",
}

// changeNumber changes a decimal number in the text.
func changeNumber(m *Mutator) bool {
	if len(m.buf) == 0 {
		return false
	}
	from, to, ok := m.findDigits()
	if !ok {
		return false
	}
	if m.r.OneIn(5) {
		m.tmp = append(m.tmp[:0], oddNumbers[m.r.Intn(len(oddNumbers))]...)
		return m.replace(from, to, m.tmp)
	}
	if m.r.OneIn(8) {
		return changeDigits(m, from, to)
	}
	var n uint64 // modulo 2^64, if there are many digits
	for _, b := range m.buf[from:to] {
		n = n*10 + uint64(b-'0')
	}
	m.tmp = appendDecimal(m.tmp[:0], m.arithmetic(n))
	return m.replace(from, to, m.tmp)
}

// arithmetic draws a number related to n.
func (m *Mutator) arithmetic(n uint64) int64 {
	switch m.r.Intn(10) {
	case 0, 1:
		return int64(n + 1)
	case 2, 3:
		return int64(n - 1)
	case 4:
		return int64(n * 2)
	case 5:
		return int64(n / 2)
	case 6:
		return -int64(n)
	case 7:
		return int64(n) + m.little()
	case 8:
		return int64(m.r.Intn(int(min(2*n+10, 1<<30))))
	}
	return m.boundary(64)
}

// changeDigits works on the digits as text: one more, one less, one other.
func changeDigits(m *Mutator, from, to int) bool {
	d := byte('0' + m.r.Intn(10))
	if m.r.OneIn(3) {
		at := from + m.r.Intn(to-from+1)
		if m.gap(at, 1) == 0 {
			return false
		}
		m.buf[at] = d
		return true
	}
	at := from + m.r.Intn(to-from)
	if m.r.OneIn(2) {
		m.buf[at] = d
		return true
	}
	m.remove(at, at+1)
	return true
}

// insertNumber inserts a number as text.
func insertNumber(m *Mutator) bool {
	m.tmp = append(m.tmp[:0], oddNumbers[m.r.Intn(len(oddNumbers))]...)
	return m.insert(m.position(len(m.buf)+1), m.tmp)
}

func appendDecimal(b []byte, v int64) []byte {
	u := uint64(v)
	if v < 0 {
		b, u = append(b, '-'), -u
	}
	var digits [20]byte
	i := len(digits)
	for {
		i--
		digits[i] = byte('0' + u%10)
		if u /= 10; u == 0 {
			return append(b, digits[i:]...)
		}
	}
}

// Package havoc derives new fuzz inputs from old ones by random changes.
//
// An input is the list of arguments of a fuzz target, of the types that
// testing.F.Fuzz accepts. Byte slices and strings get a stack of changes out of a
// table of operators: on bits and integers, on blocks, on the tokens, numbers, lines
// and bracketed groups of text, with tokens of a dictionary, and with parts of
// another input. Numbers are changed by their kind.
//
// A Mutator is deterministic: what it returns depends on the state of its Rand, the
// tokens it was given, the parent and the other inputs it is handed.
package havoc

// Limits, where Options says zero.
const (
	DefaultMaxLen    = 1 << 20 // bytes
	DefaultMaxTokens = 4096
)

// Options configure a Mutator. The zero value is ready for use.
type Options struct {
	// MaxLen bounds the length of each byte slice and string in bytes. Zero:
	// DefaultMaxLen. A longer parent is cut.
	MaxLen int
	// Dict are tokens that inputs of this target are likely to contain.
	Dict [][]byte
	// MaxTokens bounds the tokens kept from AddToken; a new one then takes the
	// place of the oldest. Zero: DefaultMaxTokens. Dict isn't counted.
	MaxTokens int
	// Record is how many bytes each record of a byte slice has, where such slices are lists of
	// records: changes keep them whole. Zero: they are bytes.
	Record int
}

// A Mutator makes inputs. It serves one goroutine.
type Mutator struct {
	r      *Rand
	maxLen int
	record int
	dict   dictionary
	boxes  boxes

	// For the argument under change:
	buf    []byte // its bytes
	tmp    []byte // scratch
	room   int    // bytes that buf may still grow by
	text   bool   // buf looks like text
	near   int    // where it was changed last
	donate donor
}

// New returns a Mutator that draws from r.
func New(r *Rand, opts Options) *Mutator {
	m := &Mutator{r: r, maxLen: opts.MaxLen, record: opts.Record}
	if m.maxLen <= 0 {
		m.maxLen = DefaultMaxLen
	}
	m.dict.max = opts.MaxTokens
	if m.dict.max <= 0 {
		m.dict.max = DefaultMaxTokens
	}
	m.dict.known = make(map[string]bool)
	for _, t := range opts.Dict {
		m.dict.add(t, true)
	}
	return m
}

// AddToken adds a token to the dictionary. It reports whether the token is new. Empty
// tokens and those longer than MaxLen are not taken.
func (m *Mutator) AddToken(token []byte) bool {
	return len(token) <= m.maxLen && m.dict.add(token, false)
}

// Mutate appends to dst[:0] the arguments of a new input made from parent, and
// returns it. The result differs from parent wherever the operators could bring that
// about in a few attempts. Its byte slices are new memory that the target may keep
// and change; parent's are not touched.
//
// other returns another input of the same target, for parts of it to be used. It is
// called at most once and may be nil or return nil.
//
// An argument of a type that a fuzz target can't have is handed on as it is.
func (m *Mutator) Mutate(dst, parent []any, other func() []any) []any {
	dst = dst[:0]
	m.donate = donor{ask: other}
	if len(parent) == 1 {
		m.donate.arg = 0
		return append(dst, m.argument(parent[0]))
	}
	if len(parent) == 0 {
		return dst
	}
	chosen := m.choose(parent)
	several := m.r.OneIn(4)
	for i, a := range parent {
		m.donate.arg = i
		switch {
		case i != chosen && (!several || m.r.OneIn(2)):
			a = m.clone(a)
		case m.r.OneIn(16):
			a = m.exchange(parent, a)
		default:
			a = m.argument(a)
		}
		dst = append(dst, a)
	}
	return dst
}

// choose draws the argument to change, those with more content more often.
func (m *Mutator) choose(parent []any) int {
	total := 0
	for _, a := range parent {
		total += m.weightOf(a)
	}
	at := m.r.Intn(total)
	for i, a := range parent {
		if at -= m.weightOf(a); at < 0 {
			return i
		}
	}
	return 0
}

func (m *Mutator) weightOf(a any) int {
	switch a.(type) {
	case []byte:
		if m.record > 0 {
			return 18 // texts beside it are of use to few of its records
		}
		return 6
	case string:
		return 6
	case bool:
		return 1
	}
	return 3
}

// exchange returns, in place of a, an argument of the same type and a different value: of
// another input, or of parent itself.
func (m *Mutator) exchange(parent []any, a any) any {
	v, ok := m.donate.value()
	if !ok || m.r.OneIn(2) {
		v = parent[m.r.Intn(len(parent))]
	}
	if sameKind(v, a) && !same(v, a) {
		return m.clone(v)
	}
	return m.argument(a)
}

// same compares two arguments of the same type. Values that are not a number are the same.
func same(a, b any) bool {
	if x, ok := a.([]byte); ok {
		return string(x) == string(b.([]byte))
	}
	return a == b || notANumber(a) && notANumber(b)
}

func notANumber(a any) bool {
	switch v := a.(type) {
	case float32:
		return v != v
	case float64:
		return v != v
	}
	return false
}

// clone returns a without memory that the target could change.
func (m *Mutator) clone(a any) any {
	if b, ok := a.([]byte); ok {
		m.buf = append(m.buf[:0], b[:min(len(b), m.maxLen)]...)
		return m.boxes.bytes(m.buf)
	}
	if s, ok := a.(string); ok && len(s) > m.maxLen {
		return s[:m.maxLen]
	}
	return a
}

// attempts is how often an argument is changed again when it came out as it was.
const attempts = 4

// bytesOfRecords is how often records are changed as bytes, as one in that number.
const bytesOfRecords = 8

func (m *Mutator) argument(a any) any {
	switch v := a.(type) {
	case []byte:
		for range attempts {
			m.load(len(v))
			m.buf = append(m.buf[:0], v[:min(len(v), m.maxLen)]...)
			if m.record > 0 && !m.r.OneIn(bytesOfRecords) {
				m.records()
			} else {
				m.havoc()
			}
			if string(m.buf) != string(v) {
				break
			}
		}
		return m.boxes.bytes(m.buf)
	case string:
		for range attempts {
			m.load(len(v))
			m.buf = append(m.buf[:0], v[:min(len(v), m.maxLen)]...)
			m.havoc()
			if string(m.buf) != v {
				break
			}
		}
		return m.boxes.string(m.buf)
	}
	return m.scalar(a)
}

// load prepares for a parent of n bytes: its children mostly stay near its size.
func (m *Mutator) load(n int) {
	limit := 2*n + 64
	if limit > m.maxLen || m.r.OneIn(64) {
		limit = m.maxLen
	}
	m.room = max(0, limit-n)
}

// havoc applies a stack of operators to m.buf.
func (m *Mutator) havoc() {
	m.text = m.looksLikeText()
	m.near = -1
	table := &binaryTable
	if m.text {
		table = &textTable
	}
	for n := m.stack(); n > 0; {
		op := table[m.r.Uint64()>>(64-tableBits)]
		// One that does not apply here is replaced by another; a few are always
		// applicable, to empty inputs too.
		if operators[op].run(m) {
			n--
		}
	}
}

// stack draws how many operators are applied: 2.7 on average, and sometimes many.
func (m *Mutator) stack() int {
	u := m.r.Uint64()
	if u&63 == 0 {
		return 1 + int(u>>8&63)
	}
	n := 1
	for u >>= 6; n < 16 && u&7 < 5; u >>= 3 {
		n++
	}
	return n
}

// looksLikeText judges by up to 32 bytes. An empty input may become either.
func (m *Mutator) looksLikeText() bool {
	n := len(m.buf)
	if n == 0 {
		return m.r.OneIn(2)
	}
	step := 1 + (n-1)/32
	for i := 0; i < n; i += step {
		if classes[m.buf[i]] == classControl {
			return false
		}
	}
	return true
}

// position draws a place in a buffer of n > 0 bytes, at times near the last one.
func (m *Mutator) position(n int) int {
	u := m.r.Uint64()
	if m.near >= 0 && u&3 == 0 {
		at := m.near + int(u>>2&31) - 16
		if at >= 0 && at < n {
			m.near = at
			return at
		}
	}
	m.near = below(u, n)
	return m.near
}

// size draws a block length in [1, limit]; limit > 0. Short ones are likelier.
func (m *Mutator) size(limit int) int {
	u := m.r.Uint64()
	most := limit
	switch k := u & 31; {
	case k < 16:
		most = 4
	case k < 24:
		most = 16
	case k < 29:
		most = 64
	case k < 31:
		most = 512
	}
	return 1 + below(u, min(most, limit))
}

// block draws a block of m.buf, which must not be empty.
func (m *Mutator) block() (from, to int) {
	from = m.position(len(m.buf))
	return from, from + m.size(len(m.buf)-from)
}

// gap opens n bytes of any content at position at, as far as there is room. It
// returns how many there are.
func (m *Mutator) gap(at, n int) int {
	n = min(n, m.room)
	if n <= 0 {
		return 0
	}
	old := len(m.buf)
	if cap(m.buf) < old+n {
		grown := make([]byte, old, 2*(old+n)+64)
		copy(grown, m.buf)
		m.buf = grown
	}
	m.buf = m.buf[:old+n]
	copy(m.buf[at+n:], m.buf[at:old])
	m.room -= n
	return n
}

// insert puts b, which must not be part of m.buf, at position at if there is room for
// all of it.
func (m *Mutator) insert(at int, b []byte) bool {
	if len(b) == 0 || len(b) > m.room {
		return false
	}
	m.gap(at, len(b))
	copy(m.buf[at:], b)
	return true
}

// remove deletes a block.
func (m *Mutator) remove(from, to int) {
	m.buf = append(m.buf[:from], m.buf[to:]...)
	m.room += to - from
}

// replace puts b, which must not be part of m.buf, in place of a block, if there is
// room for it.
func (m *Mutator) replace(from, to int, b []byte) bool {
	grow := len(b) - (to - from)
	switch {
	case grow > m.room:
		return false
	case grow > 0:
		m.gap(to, grow)
	case grow < 0:
		m.remove(to+grow, to)
	}
	copy(m.buf[from:], b)
	return true
}

// save returns a copy of a block, good until the next call.
func (m *Mutator) save(from, to int) []byte {
	m.tmp = append(m.tmp[:0], m.buf[from:to]...)
	return m.tmp
}

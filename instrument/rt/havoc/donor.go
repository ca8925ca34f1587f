package havoc

// A donor is another input, asked for when it is first needed.
type donor struct {
	ask   func() []any
	asked bool
	args  []any
	arg   int // the argument under change
}

// value returns the donor's argument with the number of the one under change.
func (d *donor) value() (any, bool) {
	if !d.asked {
		d.asked = true
		if d.ask != nil {
			d.args = d.ask()
		}
	}
	if d.arg >= len(d.args) {
		return nil, false
	}
	return d.args[d.arg], true
}

// length returns the length of the donor's argument, 0 if it has none.
func (d *donor) length() int {
	v, _ := d.value()
	switch v := v.(type) {
	case []byte:
		return len(v)
	case string:
		return len(v)
	}
	return 0
}

// slice returns bytes [from, to) of the donor's argument, as far as it has them. They
// must not be changed.
func (d *donor) slice(m *Mutator, from, to int) []byte {
	v, _ := d.value()
	switch v := v.(type) {
	case []byte:
		return v[min(from, len(v)):min(to, len(v))]
	case string:
		m.tmp = append(m.tmp[:0], v[min(from, len(v)):min(to, len(v))]...)
		return m.tmp
	}
	return nil
}

// part returns a block of the donor's argument, drawn by m, or nil. It must not be
// changed.
func (d *donor) part(m *Mutator) []byte {
	n := d.length()
	if n == 0 {
		return nil
	}
	from := m.r.Intn(n)
	return d.slice(m, from, from+m.size(n-from))
}

// splice goes on, from some place, with the end of another input.
func splice(m *Mutator) bool {
	n := m.donate.length()
	if n == 0 || len(m.buf) == 0 {
		return false
	}
	at := m.position(len(m.buf))
	from := m.r.Intn(n)
	if m.r.OneIn(2) && at < n { // the same place there
		from = at
	}
	most := len(m.buf) - at + m.room
	return m.replace(at, len(m.buf), m.donate.slice(m, from, from+most))
}

// insertFromOther inserts a block of another input.
func insertFromOther(m *Mutator) bool {
	b := m.donate.part(m)
	return m.insert(m.r.Intn(len(m.buf)+1), b)
}

// overwriteFromOther overwrites a block with one of another input.
func overwriteFromOther(m *Mutator) bool {
	b := m.donate.part(m)
	if len(b) == 0 || len(m.buf) == 0 {
		return false
	}
	copy(m.buf[m.position(len(m.buf)):], b)
	return true
}

// replaceFromOther replaces a block with one of another input and of another length.
func replaceFromOther(m *Mutator) bool {
	b := m.donate.part(m)
	if len(b) == 0 || len(m.buf) == 0 {
		return false
	}
	from, to := m.block()
	return m.replace(from, to, b)
}

// tokenFromOther replaces a token with one of another input.
func tokenFromOther(m *Mutator) bool {
	n := m.donate.length()
	if n == 0 || len(m.buf) == 0 {
		return false
	}
	at := m.r.Intn(n)
	lo := max(0, at-maxToken)
	window := m.donate.slice(m, lo, at+maxToken)
	from, to := tokenAt(window, at-lo)
	tok := window[from:to]
	if from, to = tokenAt(m.buf, m.position(len(m.buf))); m.r.OneIn(3) {
		to = from
	}
	return m.replace(from, to, tok)
}

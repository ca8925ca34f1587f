package havoc

// A dictionary holds tokens: fixed ones, then those added later. The oldest of the
// latter make room for new ones.
type dictionary struct {
	tokens [][]byte
	fixed  int // the number of tokens at the front that stay
	oldest int // among the others
	max    int // of the others
	known  map[string]bool
}

func (d *dictionary) add(token []byte, fixed bool) bool {
	if len(token) == 0 || d.known[string(token)] {
		return false
	}
	token = append([]byte(nil), token...)
	d.known[string(token)] = true
	switch {
	case fixed:
		d.fixed++
		d.tokens = append(d.tokens, token)
	case len(d.tokens)-d.fixed < d.max:
		d.tokens = append(d.tokens, token)
	default:
		old := &d.tokens[d.fixed+d.oldest]
		delete(d.known, string(*old))
		*old = token
		d.oldest = (d.oldest + 1) % d.max
	}
	return true
}

// draw returns a token, or nil if there is none.
func (d *dictionary) draw(r *Rand) []byte {
	n := len(d.tokens)
	if n == 0 {
		return nil
	}
	return d.tokens[r.Intn(n)]
}

// insertToken inserts a token of the dictionary.
func insertToken(m *Mutator) bool {
	t := m.dict.draw(m.r)
	return m.insert(m.r.Intn(len(m.buf)+1), t)
}

// overwriteToken writes a token of the dictionary over what stands there.
func overwriteToken(m *Mutator) bool {
	t := m.dict.draw(m.r)
	if len(t) == 0 || len(m.buf) == 0 || len(t) > len(m.buf) {
		return false
	}
	copy(m.buf[m.r.Intn(len(m.buf)-len(t)+1):], t)
	return true
}

// substituteToken puts a token of the dictionary in place of a token of the input.
func substituteToken(m *Mutator) bool {
	t := m.dict.draw(m.r)
	if len(t) == 0 || len(m.buf) == 0 {
		return false
	}
	from, to := tokenAt(m.buf, m.position(len(m.buf)))
	return m.replace(from, to, t)
}

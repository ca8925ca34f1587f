package pump

import (
	"bytes"

	"github.com/fuzzmut/fuzzmut/instrument/rt/havoc"
)

// Draws of one text are many: a place, what is repeated there, and whether something else
// is as well. What they have in common is taken from how inputs are built: of words and
// punctuation, of items that end in the same character, of brackets, and of tokens that
// the code compares with.

// A Drawer draws pumps from texts.
type Drawer struct {
	Rand *havoc.Rand
	Dict [][]byte // tokens that inputs are likely to contain
}

// Draw cuts a text into a pump. It reports false if it finds none, as in an empty text
// without a dictionary.
func (d *Drawer) Draw(text []byte) (Pump, bool) {
	if d.Rand.OneIn(4) || len(text) == 0 {
		text = d.insert(text)
	}
	if len(text) == 0 {
		return Pump{}, false
	}
	from, to := d.part(text)
	p := Pump{Prefix: text[:from], First: text[from:to], Suffix: text[to:]}
	switch d.Rand.Intn(8) {
	case 0, 1: // what closes is near what opens, most often
		if closes, ok := d.partner(text, from, to); ok {
			p.Middle, p.Second, p.Suffix = text[to:closes[0]], text[closes[0]:closes[1]], text[closes[1]:]
		}
	case 2:
		if to < len(text) {
			a, b := d.part(text[to:])
			p.Middle, p.Second, p.Suffix = text[to:to+a], text[to+a:to+b], text[to+b:]
		}
	}
	p = p.Clone()
	if d.Rand.OneIn(4) {
		d.number(&p)
	}
	return p, p.Valid()
}

// number has the repetitions differ: a name in them gets a number.
func (d *Drawer) number(p *Pump) {
	p.Count, p.Letters = true, d.Rand.OneIn(2)
	p.FirstAt, p.SecondAt = d.name(p.First), d.name(p.Second)
}

// name draws a place at the end of a word, or any.
func (d *Drawer) name(b []byte) int {
	if len(b) == 0 {
		return 0
	}
	at := d.Rand.Intn(len(b))
	for i := range b {
		if j := (at + i) % len(b); isWord(b[j]) && (j+1 == len(b) || !isWord(b[j+1])) {
			return j + 1
		}
	}
	return d.Rand.Intn(len(b) + 1)
}

// insert returns a text with one or two tokens more.
func (d *Drawer) insert(text []byte) []byte {
	token := d.token(text)
	if d.Rand.OneIn(3) {
		token = append(bytes.Clone(token), d.token(text)...)
	}
	at := d.boundary(text, d.Rand.Intn(len(text)+1))
	return append(append(bytes.Clone(text[:at]), token...), text[at:]...)
}

// punctuation are bytes with a meaning in most text formats.
const punctuation = "\"'`(){}[]<>,.:;=+-*/\\_|&!?#%@$^~ \n\t\r01aA"

// token draws a token of the dictionary, of the text, or punctuation.
func (d *Drawer) token(text []byte) []byte {
	switch {
	case len(d.Dict) > 0 && d.Rand.OneIn(2):
		return d.Dict[d.Rand.Intn(len(d.Dict))]
	case len(text) > 0 && d.Rand.OneIn(2):
		from, to := d.part(text)
		return text[from:to]
	}
	at := d.Rand.Intn(len(punctuation))
	return []byte(punctuation[at : at+1])
}

// part draws a part of a text that is not empty.
func (d *Drawer) part(text []byte) (from, to int) {
	at := d.Rand.Intn(len(text))
	switch d.Rand.Intn(16) {
	case 0, 1:
		return at, at + 1
	case 2:
		return 0, len(text)
	case 3, 4, 5, 6:
		return d.item(text, at)
	case 7, 8:
		if end, ok := closing(text, at); ok {
			return at, end
		}
	case 9:
		return at, at + 1 + d.Rand.Intn(min(len(text)-at, 32))
	}
	from = d.boundary(text, at)
	if from == len(text) {
		from = 0
	}
	to = tokenEnd(text, from)
	for to < len(text) && !d.Rand.OneIn(2) {
		to = tokenEnd(text, to)
	}
	return from, to
}

// item draws what stands from one occurrence of a character to the next: a line, a field, a
// tag.
func (d *Drawer) item(text []byte, at int) (from, to int) {
	c := text[at]
	next := bytes.IndexByte(text[at+1:], c)
	if next < 0 {
		return at, len(text)
	}
	if d.Rand.OneIn(2) {
		return at, at + 1 + next // with the first of the two
	}
	return at + 1, at + 2 + next
}

// boundary returns where the token at a place begins.
func (d *Drawer) boundary(text []byte, at int) int {
	if at == len(text) {
		return at
	}
	for at > 0 && isWord(text[at]) && isWord(text[at-1]) {
		at--
	}
	return at
}

// tokenEnd returns the end of the token that begins at a place: a word, or one other byte.
func tokenEnd(text []byte, at int) int {
	if !isWord(text[at]) {
		return at + 1
	}
	for at < len(text) && isWord(text[at]) {
		at++
	}
	return at
}

func isWord(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '_' || c >= 0x80
}

const openers, closers = "([{<", ")]}>"

// closing returns the end of the group that is opened at a place.
func closing(text []byte, at int) (end int, ok bool) {
	i := bytes.IndexByte([]byte(openers), text[at])
	if i < 0 {
		return 0, false
	}
	depth := 0
	for j, c := range text[at:] {
		switch c {
		case openers[i]:
			depth++
		case closers[i]:
			if depth--; depth == 0 {
				return at + j + 1, true
			}
		}
	}
	return 0, false
}

// partner draws what may close a part: the bracket that closes its first one, or else any
// part after it.
func (d *Drawer) partner(text []byte, from, to int) (closes [2]int, ok bool) {
	for at := from; at < to; at++ {
		if end, ok := closing(text, at); ok && end > to {
			return [2]int{end - 1, end}, true
		}
	}
	if to == len(text) {
		return closes, false
	}
	a, b := d.part(text[to:])
	return [2]int{to + a, to + b}, true
}

package observe

import (
	"math"
	"strconv"
)

const (
	maxTextLines  = 100_000 // of Snapshot.Text; what follows is counted
	maxTextString = 256     // bytes; a longer string is shown by its beginning, length and hash
	bulkPerLine   = 16      // numbers
	maxBrief      = 100     // bytes of a value in one line
	briefString   = 64      // bytes of a string there
)

// Text returns the content as lines of text, much like a composite literal. Equal
// content has equal text, on any machine, so that the text can be kept in a file and
// compared line by line. Only values that differ in what the Equal method of their
// type overlooks have different texts, though equal.
func (s *Snapshot) Text() string {
	p := printer{lines: maxTextLines, longest: maxTextString}
	p.node(s.root, 0)
	p.byte('\n')
	return string(p.out)
}

// Brief returns the content in one short line, as Diff shows it.
func (s *Snapshot) Brief() string {
	n := s.root
	for n.kind == kindInterface && len(n.kids) == 1 {
		n = n.kids[0]
	}
	return brief(n)
}

// brief shows n in one short line.
func brief(n *node) string {
	p := printer{lines: 1, longest: briefString, flat: true, limit: maxBrief}
	p.node(n, 0)
	if len(p.out) > maxBrief {
		cut := maxBrief
		for cut > 0 && p.out[cut]&0xc0 == 0x80 { // not inside a rune
			cut--
		}
		return string(p.out[:cut]) + "…"
	}
	return string(p.out)
}

// A printer writes nodes as text.
type printer struct {
	out     []byte
	lines   int  // that may still be written
	longest int  // string that is shown whole
	flat    bool // all in one line
	limit   int  // of out, if flat
}

func (p *printer) byte(b byte)     { p.out = append(p.out, b) }
func (p *printer) string(s string) { p.out = append(p.out, s...) }
func (p *printer) quote(s string)  { p.out = strconv.AppendQuote(p.out, s) }
func (p *printer) full() bool      { return p.lines <= 0 || (p.flat && len(p.out) > p.limit) }
func (p *printer) tag(mark string) { p.string("<" + mark + ">") }
func hex(h uint64) string          { return strconv.FormatUint(h, 16) }

func (p *printer) node(n *node, indent int) {
	if p.full() {
		p.string("…")
		return
	}
	switch n.kind {
	case kindInterface:
		p.dynamic(n, indent)
	case kindPointer:
		p.byte('&')
		p.node(n.kids[0], indent)
	case kindList:
		p.list(n, indent)
	case kindStruct:
		p.structure(n, indent)
	case kindMap:
		p.mapping(n, indent)
	case kindBulk:
		p.bulk(n, indent)
	default:
		p.leaf(n)
		if n.kind == kindError && len(n.kids) > 0 && !p.flat {
			p.byte(' ')
			p.node(n.kids[0], indent)
		}
	}
}

// dynamic prints a value in an interface, with its type.
func (p *printer) dynamic(n *node, indent int) {
	p.string(n.p.name)
	p.byte('(')
	p.node(n.kids[0], indent)
	p.byte(')')
}

func (p *printer) leaf(n *node) {
	switch n.kind {
	case kindNil:
		p.string("nil")
	case kindNumber:
		p.string(numberText(n))
	case kindString:
		p.text(n)
	case kindError:
		p.string("error ")
		p.text(n)
	case kindPanic:
		p.string("panic in Error: ")
		p.text(n)
	case kindPresent:
		p.tag("not nil")
	case kindIgnored:
		p.tag("ignored")
	case kindHidden:
		p.tag("not compared")
	case kindTime:
		p.string(timeText(int64(n.bits), n.imag))
	case kindTypeName:
		p.tag("type " + n.text)
	case kindTruncated:
		p.string("…truncated")
	case kindCycle:
		p.tag("cycle, " + strconv.FormatUint(n.bits, 10) + " up")
	case kindSeen:
		p.tag("met " + strconv.FormatUint(n.bits, 10) + " values ago")
	}
}

func (p *printer) text(n *node) {
	s := n.text
	if len(s) <= p.longest && uint64(len(s)) == n.bits {
		p.quote(s)
		return
	}
	cut := min(len(s), p.longest/4)
	p.quote(s[:cut])
	p.string("… (len " + strconv.FormatUint(n.bits, 10) + ", hash " + hex(hashString(s)) + ")")
}

// line starts a line in a block.
func (p *printer) line(indent int, first bool) {
	if p.flat {
		if !first {
			p.string(", ")
		}
		return
	}
	p.lines--
	p.byte('\n')
	for range indent {
		p.byte('\t')
	}
}

// close ends a block.
func (p *printer) close(b byte, indent int, empty bool) {
	if !empty && !p.flat {
		p.line(indent, false)
	}
	p.byte(b)
}

// rest tells how many members of a block are not shown.
func (p *printer) rest(n, indent int) {
	p.line(indent, false)
	p.string("… " + strconv.Itoa(n) + " more")
}

func (p *printer) list(n *node, indent int) {
	p.byte('[')
	for i, kid := range n.kids {
		if p.full() {
			p.rest(int(n.bits)-i, indent+1)
			p.close(']', indent, false)
			return
		}
		p.line(indent+1, i == 0)
		p.node(kid, indent+1)
	}
	if rest := int(n.bits) - len(n.kids); rest > 0 {
		p.rest(rest, indent+1)
	}
	p.close(']', indent, n.bits == 0)
}

func (p *printer) structure(n *node, indent int) {
	p.byte('{')
	for i, kid := range n.kids {
		if p.full() {
			p.rest(len(n.kids)-i, indent+1)
			break
		}
		p.line(indent+1, i == 0)
		p.string(n.p.fields[i].name)
		p.string(": ")
		p.node(kid, indent+1)
	}
	p.close('}', indent, len(n.kids) == 0)
}

func (p *printer) mapping(n *node, indent int) {
	p.string("map{")
	for i, e := range p.sorted(n) {
		if p.full() {
			p.rest(len(n.kids)/2-i, indent+1)
			break
		}
		p.line(indent+1, i == 0)
		p.string(e.key)
		p.string(": ")
		p.node(e.value, indent+1)
	}
	p.close('}', indent, len(n.kids) == 0)
}

type textEntry struct {
	key   string
	node  *node
	value *node
}

// sorted returns a map's entries in the order of their keys: numbers by size, other
// keys by their text. The sort is stable, so that keys that look alike stay in the
// order of their hashes.
func (p *printer) sorted(n *node) []textEntry {
	entries := make([]textEntry, 0, len(n.kids)/2)
	for i := 0; i+1 < len(n.kids); i += 2 {
		entries = append(entries, textEntry{key: brief(n.kids[i]), node: n.kids[i], value: n.kids[i+1]})
	}
	mergeSort(entries, make([]textEntry, len(entries)), (*textEntry).less)
	return entries
}

// mergeSort sorts in the order of less, and leaves what is alike as it is.
func mergeSort[T any](e, scratch []T, less func(a, b *T) bool) {
	if len(e) < 2 {
		return
	}
	m := len(e) / 2
	mergeSort(e[:m], scratch, less)
	mergeSort(e[m:], scratch, less)
	copy(scratch, e)
	i, j := 0, m
	for k := range e {
		if i < m && (j == len(e) || !less(&scratch[j], &scratch[i])) {
			e[k] = scratch[i]
			i++
		} else {
			e[k] = scratch[j]
			j++
		}
	}
}

func (e *textEntry) less(f *textEntry) bool {
	a, b := e.node, f.node
	if a.kind == kindNumber && b.kind == kindNumber && a.p == b.p {
		switch a.p.shape {
		case shapeInt:
			return int64(a.bits) < int64(b.bits)
		case shapeFloat:
			return math.Float64frombits(a.bits) < math.Float64frombits(b.bits)
		default:
			return a.bits < b.bits
		}
	}
	if a.kind == kindString && b.kind == kindString && a.text != b.text {
		return a.text < b.text
	}
	return e.key < f.key
}

func numberText(n *node) string {
	switch n.p.shape {
	case shapeBool:
		return strconv.FormatBool(n.bits != 0)
	case shapeInt:
		return strconv.FormatInt(int64(n.bits), 10)
	case shapeFloat:
		return floatText(n.bits, int(n.p.bits))
	case shapeComplex:
		half := int(n.p.bits) / 2
		return "(" + floatText(n.bits, half) + ", " + floatText(n.imag, half) + "i)"
	}
	return strconv.FormatUint(n.bits, 10)
}

func floatText(bits uint64, size int) string {
	return strconv.FormatFloat(math.Float64frombits(bits), 'g', -1, size)
}

// bulk prints a slice of integers: bytes as a string, others as rows of numbers.
func (p *printer) bulk(n *node, indent int) {
	if isText(n) {
		p.text(n)
		return
	}
	p.byte('[')
	size := int(n.p.elem.bits / 8)
	total := int(n.bits) / size
	shown := min(len(n.text)/size, total)
	for i := range shown {
		switch {
		case p.full():
			p.rest(total-i, indent+1)
			p.close(']', indent, false)
			return
		case i%bulkPerLine == 0 && total > bulkPerLine:
			p.line(indent+1, i == 0)
		case i > 0:
			p.string(", ")
		}
		p.string(numberText(numberAt(n, i*size)))
	}
	if shown < total {
		p.rest(total-shown, indent+1)
	}
	p.close(']', indent, total <= bulkPerLine)
}

// timeText formats an instant in UTC, as in 2006-01-02T15:04:05.000000000Z.
func timeText(sec int64, nsec uint64) string {
	days := sec / 86400
	rest := sec % 86400
	if rest < 0 {
		days, rest = days-1, rest+86400
	}
	year, month, day := civil(days)
	b := appendPadded(nil, year, 4)
	b = appendPadded(append(b, '-'), month, 2)
	b = appendPadded(append(b, '-'), day, 2)
	b = appendPadded(append(b, 'T'), rest/3600, 2)
	b = appendPadded(append(b, ':'), rest/60%60, 2)
	b = appendPadded(append(b, ':'), rest%60, 2)
	b = appendPadded(append(b, '.'), int64(nsec), 9)
	return string(append(b, 'Z'))
}

// civil returns the date that lies days after 1970-01-01 in the Gregorian calendar.
// Years begin in March for the while, so that the leap day is their last.
func civil(days int64) (year, month, day int64) {
	const perEra = 146097 // days in 400 years
	days += 719468        // since 0000-03-01
	era := days / perEra
	if days%perEra < 0 {
		era--
	}
	d := days - era*perEra
	y := (d - d/1460 + d/36524 - d/146096) / 365
	d -= 365*y + y/4 - y/100
	m := (5*d + 2) / 153
	day = d - (153*m+2)/5 + 1
	month = m + 3
	year = y + era*400
	if month > 12 {
		month -= 12
		year++
	}
	return year, month, day
}

func appendPadded(b []byte, n int64, width int) []byte {
	if n < 0 {
		b, n = append(b, '-'), -n
	}
	s := strconv.FormatInt(n, 10)
	for i := len(s); i < width; i++ {
		b = append(b, '0')
	}
	return append(b, s...)
}

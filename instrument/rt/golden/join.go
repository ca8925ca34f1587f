package golden

import "strings"

// Join joins the texts of a value in two executions: what differs between them is Unstable,
// and no more than that: a field, an element, the value of a key. Lists of different lengths
// differ as a whole. Of texts that were cut nothing is known.
func Join(a, b string) string {
	if Matches(a, b) {
		return a
	}
	x, ok := parsed(a)
	y, also := parsed(b)
	if !ok || !also {
		return Unstable
	}
	joined := joinTexts(x, y).layout()
	if !Matches(joined, a) || !Matches(joined, b) {
		return Unstable
	}
	return joined
}

// Masked is a text with Unstable in each place where another text has it, as far as they are
// of one structure: what is left differs.
func Masked(text, by string) string {
	if !strings.Contains(by, Unstable) {
		return text
	}
	x, ok := parsed(text)
	y, also := parsed(by)
	if !ok || !also {
		return text
	}
	return maskedText(x, y).layout()
}

// A valueText is a value in a text: "*p.T &{ID: 5}" is "*p.T &", and a block.
type valueText []part

// A part is a text, or a block if it has kids or closes.
type part struct {
	text        string
	open, close byte // 0: it is a text
	kids        []valueText
}

var allUnstable = valueText{{text: Unstable}}

// parsed divides a text. It is not ok if that was cut or brackets do not match.
func parsed(text string) (n valueText, ok bool) {
	if strings.Contains(text, "\n... cut: ") {
		return nil, false
	}
	p := textReader{s: Flat(text)}
	n, ok = p.value()
	return n, ok && p.at == len(p.s)
}

// textReader reads a text.
type textReader struct {
	s  string
	at int
}

// value reads up to the end of a value: see valueEnd.
func (p *textReader) value() (n valueText, ok bool) {
	begin := p.at
	flush := func() {
		if begin < p.at {
			n = append(n, part{text: p.s[begin:p.at]})
		}
	}
	for p.at < len(p.s) {
		switch c := p.s[p.at]; c {
		case '"':
			p.at = quoteEnd(p.s, p.at)
			continue
		case '(', '[', '{':
			flush()
			kids, close, ok := p.block()
			if !ok {
				return nil, false
			}
			n = append(n, part{open: c, close: close, kids: kids})
			begin = p.at
			continue
		case ')', ']', '}':
			flush()
			return n, true
		case ',':
			if strings.HasPrefix(p.s[p.at:], ", ") {
				flush()
				return n, true
			}
		}
		p.at++
	}
	flush()
	return n, true
}

func (p *textReader) block() (kids []valueText, close byte, ok bool) {
	closes := map[byte]byte{'(': ')', '[': ']', '{': '}'}[p.s[p.at]]
	p.at++
	if p.at < len(p.s) && p.s[p.at] == closes {
		p.at++
		return nil, closes, true
	}
	for {
		kid, ok := p.value()
		if !ok || p.at == len(p.s) {
			return nil, 0, false
		}
		kids = append(kids, kid)
		if p.s[p.at] == closes {
			p.at++
			return kids, closes, true
		}
		if p.s[p.at] != ',' {
			return nil, 0, false
		}
		p.at += len(", ")
	}
}

// label is what a value is called in its block, with what divides the two: "ID: ".
func (n valueText) label() string {
	if len(n) == 0 {
		return ""
	}
	s := n[0].text
	for i := 0; i+1 < len(s); i++ {
		switch {
		case s[i] == '"':
			i = quoteEnd(s, i) - 1
		case s[i] == ':' && s[i+1] == ' ':
			return s[:i+2]
		}
	}
	return ""
}

func joinTexts(a, b valueText) valueText {
	joined := make(valueText, len(a))
	same := len(a) == len(b)
	for i := 0; same && i < len(a); i++ {
		x, y := a[i], b[i]
		same = x.text == y.text && x.open == y.open && len(x.kids) == len(y.kids)
		joined[i] = x
		if same && x.kids != nil {
			joined[i].kids = make([]valueText, len(x.kids))
			for k := range x.kids {
				joined[i].kids[k] = joinTexts(x.kids[k], y.kids[k])
			}
		}
	}
	if same {
		return joined
	}
	if label := a.label(); label != "" && label == b.label() {
		return valueText{{text: label + Unstable}}
	}
	return allUnstable
}

func maskedText(n, by valueText) valueText {
	if len(by) == 1 && by[0].text == by.label()+Unstable {
		return by
	}
	if len(n) != len(by) {
		return n
	}
	masked := make(valueText, len(n))
	for i, x := range n {
		if y := by[i]; len(x.kids) == len(y.kids) && x.kids != nil {
			kids := make([]valueText, len(x.kids))
			for k := range kids {
				kids[k] = maskedText(x.kids[k], y.kids[k])
			}
			x.kids = kids
		}
		masked[i] = x
	}
	return masked
}

// layout writes a valueText as a Renderer does.
func (n valueText) layout() string {
	p := printer{}
	p.textOfValue(n)
	return string(p.out)
}

func (p *printer) textOfValue(n valueText) {
	p.nodes = 1
	for _, x := range n {
		if x.open == 0 {
			p.add(x.text)
			continue
		}
		p.block(string(x.open), string(x.close), len(x.kids), func(i int) { p.textOfValue(x.kids[i]) })
	}
}

package study

import (
	"cmp"
	"slices"

	"github.com/fuzzmut/fuzzmut/instrument/rt/codes"
)

// maxProbes bounds the bytes of an input that is probed.
const maxProbes = 128

// A Prober finds out which bytes of an input a comparison hangs on: each byte is
// changed a little in turn, and the comparisons of that execution are compared with
// those of the input as it is. It serves operands that are computed, and those that
// stand in too many places.
type Prober struct {
	vals    []any
	goals   *Goals
	base    []Comparison
	index   map[place]int // into base
	probes  []Edit
	effects [][]effect // by comparison
}

// place names a comparison in an execution.
type place struct {
	site uint32
	nth  int
}

// An effect is what a probe does to a comparison.
type effect struct {
	probe *Edit
	now   Comparison
}

// NewProber returns a Prober for an input on which the comparisons were recorded. It
// has no probes if nothing is open, or the input is too large.
func NewProber(vals []any, list []Comparison, goals *Goals) *Prober {
	p := &Prober{vals: vals, goals: goals, index: make(map[place]int)}
	worth := make(map[Goal]bool)
	for _, c := range list {
		if !goals.Open(&c) || c.XConst && c.YConst {
			continue
		}
		goal := goals.Of(&c)
		if _, asked := worth[goal]; !asked {
			worth[goal] = goals.Probe(goal)
		}
		if worth[goal] {
			p.index[place{c.Site, c.Nth}] = len(p.base)
			p.base = append(p.base, c)
		}
	}
	p.effects = make([][]effect, len(p.base))
	size := 0
	for _, v := range vals {
		s, _ := textOf(v)
		size += len(s)
	}
	if len(p.base) == 0 || size > maxProbes {
		return p
	}
	for arg, v := range vals {
		s, _ := textOf(v)
		for i := range len(s) {
			p.probes = append(p.probes, Edit{Arg: arg, From: i, To: i + 1, Text: string([]byte{s[i] + byte(step(s[i]))})})
		}
	}
	return p
}

// step is by how much a byte is changed: digits stay digits.
func step(b byte) int {
	if b == '9' || b == 'z' || b == 'Z' || b == 0xff {
		return -1
	}
	return 1
}

// Probes returns the inputs to record, as edits.
func (p *Prober) Probes() []Edit { return p.probes }

// See takes in what was recorded on a probe.
func (p *Prober) See(probe int, list []Comparison) {
	for i := range list {
		c := &list[i]
		b, ok := p.index[place{c.Site, c.Nth}]
		if ok && (c.X != p.base[b].X || c.Y != p.base[b].Y || c.XText != p.base[b].XText || c.YText != p.base[b].YText) {
			p.effects[b] = append(p.effects[b], effect{&p.probes[probe], *c})
		}
	}
}

// Edits returns edits that follow from what was seen.
func (p *Prober) Edits(maxLen int) []Edit {
	e := newEdits(p.vals, maxLen)
	e.most = maxEdits
	for i := range p.base {
		c := &p.base[i]
		if len(p.effects[i]) == 0 {
			continue
		}
		n := len(e.list)
		if c.Kind == codes.Text {
			e.inferText(c, p.effects[i])
		} else if c.Kind != codes.Float {
			for _, d := range c.offsets() {
				e.inferNumber(c, p.effects[i], d)
			}
		}
		for j := n; j < len(e.list); j++ {
			e.list[j].Goal, e.list[j].Mutant = p.goals.Of(c), c.Mutant
		}
	}
	return e.list
}

// inferNumber takes x - y for a sum over bytes with weights, as integers of any byte
// order and decimal numbers are, and makes it the offset.
func (e *edits) inferNumber(c *Comparison, effects []effect, offset int64) {
	gap := int64(c.X - c.Y)
	sum := weighted{arg: effects[0].probe.Arg}
	for _, f := range effects {
		if f.probe.Arg != sum.arg {
			continue
		}
		b := e.texts[sum.arg][f.probe.From]
		if w := (int64(f.now.X-f.now.Y) - gap) * int64(step(b)); w != 0 {
			sum.terms = append(sum.terms, term{f.probe.From, w})
		}
	}
	slices.SortStableFunc(sum.terms, func(a, b term) int { return cmp.Compare(abs(b.weight), abs(a.weight)) })
	for _, decimal := range []bool{true, false} {
		for _, anew := range []bool{false, true} {
			if text, ok := sum.fill(e.texts[sum.arg], offset-gap, decimal, anew); ok {
				e.rewrite(sum.arg, text)
			}
		}
	}
}

// weighted is a sum over bytes of an argument.
type weighted struct {
	arg   int
	terms []term // the heaviest first
}

type term struct {
	at     int
	weight int64
}

// fill returns the argument with so much added to the sum: to what is there, or, again,
// with all its bytes at their least first. If decimal, digits stay digits.
func (s *weighted) fill(arg string, missing int64, decimal, anew bool) (text string, ok bool) {
	buf := []byte(arg)
	bounds := func(i int) (least, most int64) {
		if b := arg[i]; decimal && '0' <= b && b <= '9' {
			return '0', '9'
		}
		return 0, 255
	}
	if anew {
		for _, t := range s.terms {
			least, _ := bounds(t.at)
			missing += (int64(buf[t.at]) - least) * t.weight
			buf[t.at] = byte(least)
		}
	}
	for _, t := range s.terms {
		least, most := bounds(t.at)
		was := int64(buf[t.at])
		now := min(max(was+missing/t.weight, least), most)
		missing -= (now - was) * t.weight
		buf[t.at] = byte(now)
	}
	return string(buf), missing == 0
}

func abs(v int64) int64 { return max(v, -v) }

// inferText finds for each byte of an operand the byte of the input that it comes
// from, and changes that as the operand's has to change: by a sum, or bit by bit.
func (e *edits) inferText(c *Comparison, effects []effect) {
	xs, ys := 0, 0
	for _, f := range effects {
		if f.now.XText != c.XText {
			xs++
		}
		if f.now.YText != c.YText {
			ys++
		}
	}
	if xs >= ys {
		e.inferBytes(c.XText, c.YText, effects, func(c *Comparison) string { return c.XText })
	} else {
		e.inferBytes(c.YText, c.XText, effects, func(c *Comparison) string { return c.YText })
	}
}

func (e *edits) inferBytes(have, want string, effects []effect, side func(*Comparison) string) {
	arg := effects[0].probe.Arg
	sum, xor := []byte(e.texts[arg]), []byte(e.texts[arg])
	from, to := len(sum), 0
	for _, f := range effects {
		now := side(&f.now)
		if f.probe.Arg != arg || len(now) != len(have) {
			continue
		}
		from, to = min(from, f.probe.From), max(to, f.probe.To)
		for j := range min(len(have), len(want)) {
			if now[j] != have[j] {
				sum[f.probe.From] += want[j] - have[j]
				xor[f.probe.From] ^= want[j] ^ have[j]
			}
		}
	}
	if from < to {
		e.replace(arg, from, to, want)
		e.rewrite(arg, string(sum))
		e.rewrite(arg, string(xor))
	}
}

// rewrite adds the edit that gives an argument a new content.
func (e *edits) rewrite(arg int, text string) { e.replace(arg, 0, len(e.texts[arg]), text) }

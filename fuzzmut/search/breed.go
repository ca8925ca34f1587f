package search

import (
	"math"
	"math/rand/v2"
	"strconv"
	"strings"

	"github.com/fuzzmut/fuzzmut/fuzzmut/term"
)

// A Breeder changes inputs that somebody else has chosen: the moves of the default
// strategy, and constants of the program that is tested.
type Breeder struct {
	mix     *mix
	numbers []uint64
	texts   []string
	known   map[string]bool // texts, and numbers as texts
}

// NewBreeder returns a Breeder of terms of a sealed type. Of the options it needs Seed
// and Size.
func NewBreeder(t *term.Type, o Options) *Breeder {
	if o.Size == 0 {
		o.Size = 10
	}
	return &Breeder{
		mix:   newMix(base{t: t, r: rand.New(rand.NewPCG(o.Seed, 0xb4eed)), o: o}),
		known: make(map[string]bool),
	}
}

// mostConstants bounds the constants of each kind: a new one then takes the place of
// any other.
const mostConstants = 1024

// Number adds a number that an input may hold.
func (b *Breeder) Number(n uint64) {
	if key := strconv.FormatUint(n, 10); !b.known[key] {
		b.known[key] = true
		b.numbers = keep(b.mix.r, b.numbers, n)
	}
}

// Text adds a text that an input may hold.
func (b *Breeder) Text(s string) {
	if key := "text " + s; !b.known[key] {
		b.known[key] = true
		b.texts = keep(b.mix.r, b.texts, s)
	}
}

// keep appends v, or has it take another one's place.
func keep[V any](r *rand.Rand, list []V, v V) []V {
	if len(list) < mostConstants {
		return append(list, v)
	}
	list[r.IntN(len(list))] = v
	return list
}

// Mutate returns a mutant of x, which may have parts of other.
func (b *Breeder) Mutate(x, other *term.Term) *term.Term {
	s := b.mix
	s.order = []*way{{x: other}}
	for again := true; again; again = s.r.IntN(3) == 0 {
		if s.r.IntN(4) == 0 {
			if y, ok := b.constant(x); ok {
				x = y
				continue
			}
		}
		x = moves[1+s.r.IntN(len(moves)-1)](s, x)
	}
	if x.Count(term.Free) > mostParts {
		return s.draw()
	}
	return x
}

// constant puts a constant in place of a number or text, or next to it.
func (b *Breeder) constant(x *term.Term) (y *term.Term, ok bool) {
	s := b.mix
	p, ok := pick(s.r, x, func(t *term.Term) bool {
		switch t.Type.Kind {
		case term.Int, term.Uint, term.Float:
			return len(b.numbers) > 0
		case term.Text:
			return len(b.texts) > 0
		}
		return false
	})
	if !ok {
		return x, false
	}
	old := x.At(p)
	if old.Type.Kind == term.Text {
		return x.Put(p, b.withText(old)), true
	}
	n := b.numbers[s.r.IntN(len(b.numbers))]
	if old.Type.Kind == term.Float {
		// Operands of a comparison of floats are their bits, all others whole numbers.
		if f := math.Float64frombits(n); s.r.IntN(2) == 0 && !math.IsNaN(f) {
			return x.Put(p, term.Number(old.Type, n).Next(0)), true
		}
		return x.Put(p, term.Number(old.Type, math.Float64bits(float64(int64(n)))).Next(0)), true
	}
	return x.Put(p, term.Number(old.Type, n).Next(s.r.IntN(3)-1)), true
}

// withText returns a text with a constant in it, or one that is nothing else, as long
// as the type's texts are.
func (b *Breeder) withText(old *term.Term) *term.Term {
	s, t := b.mix, old.Type
	text := b.texts[s.r.IntN(len(b.texts))]
	if s.r.IntN(2) == 0 {
		from := s.r.IntN(len(old.Text) + 1)
		to := from + s.r.IntN(len(old.Text)-from+1)
		text = old.Text[:from] + text + old.Text[to:]
	}
	if t.MaxLen >= 0 {
		text = text[:min(len(text), t.MaxLen)]
	}
	text += strings.Repeat("\x00", max(t.MinLen-len(text), 0))
	return &term.Term{Type: t, Text: text, Bits: t.Present(text != "")}
}

// Prefer has a type of numbers or texts draw some of its terms more often than others:
// the constants that a type has names for.
func Prefer(t *term.Type, numbers []uint64, texts []string) {
	var preferred []*term.Term
	switch t.Kind {
	case term.Int, term.Uint, term.Float:
		for _, n := range numbers {
			// Those that a tag excludes become others.
			preferred = append(preferred, term.Number(t, n).Next(0))
		}
	case term.Text:
		for _, s := range texts {
			if len(s) >= t.MinLen && (t.MaxLen < 0 || len(s) <= t.MaxLen) {
				preferred = append(preferred, &term.Term{Type: t, Text: s, Bits: t.Present(s != "")})
			}
		}
	}
	if len(preferred) == 0 {
		return
	}
	plain := *t
	// Two or three may be limits, and say little about the others.
	oneIn := 8 // is any
	if len(preferred) < 4 {
		oneIn = 2
	}
	t.Generate = func(r *rand.Rand, size int) *term.Term {
		if r.IntN(oneIn) > 0 {
			return preferred[r.IntN(len(preferred))]
		}
		x := plain.Draw(r, size)
		return &term.Term{Type: t, Bits: x.Bits, Text: x.Text}
	}
}

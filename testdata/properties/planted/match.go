package planted

import (
	"slices"

	"github.com/fuzzmut/fuzzmut/testdata/hunt"
)

// The bugs of the matcher.
const (
	MatchStarOnce    = 1 + iota // a repetition of a sequence is one of its first part
	MatchSkipsOption            // a sequence that begins with an option ends there
	MatchAltLeft                // an alternative that is a sequence is never empty
)

// Pattern is a regular expression.
type Pattern struct {
	Op   uint8 `fuzz:"max=5"` // nothing, a letter, a sequence, alternatives, a repetition, an option
	C    uint8 `fuzz:"max=2"` // the letter, from a
	L, R *Pattern
}

// The operators of patterns. A nil Pattern matches nothing at all.
const (
	opEmpty = iota
	opLetter
	opSequence
	opAlternatives
	opRepetition
	opOption
	ops
)

// ends marks where matches of p end that begin at the marked places: the reference.
func (p *Pattern) ends(text []uint8, at []bool) []bool {
	out := make([]bool, len(at))
	if p == nil {
		return out
	}
	switch p.Op % ops {
	case opEmpty:
		copy(out, at)
	case opLetter:
		for i, c := range text {
			out[i+1] = at[i] && c%3 == p.C%3
		}
	case opSequence:
		return p.R.ends(text, p.L.ends(text, at))
	case opAlternatives:
		return union(p.L.ends(text, at), p.R.ends(text, at))
	case opOption:
		return union(at, p.L.ends(text, at))
	case opRepetition:
		copy(out, at)
		for again := true; again; {
			more := union(out, p.L.ends(text, out))
			again, out = !slices.Equal(more, out), more
		}
	}
	return out
}

func union(a, b []bool) []bool {
	out := make([]bool, len(a))
	for i := range out {
		out[i] = a[i] || b[i]
	}
	return out
}

// matcher has a bug.
type matcher struct {
	bug   int
	steps int
}

// nullable says whether the empty text matches.
func (m *matcher) nullable(p *Pattern) bool {
	if p == nil {
		return false
	}
	switch p.Op % ops {
	case opEmpty, opRepetition, opOption:
		return true
	case opSequence:
		return m.nullable(p.L) && m.nullable(p.R)
	case opAlternatives:
		if m.bug == MatchAltLeft && p.R != nil && p.R.Op%ops == opSequence && p.L != nil {
			return m.nullable(p.L)
		}
		return m.nullable(p.L) || m.nullable(p.R)
	}
	return false
}

// after is what has to match the rest of a text that begins with c (Brzozowski,
// Derivatives of Regular Expressions, 1964, §3).
func (m *matcher) after(p *Pattern, c uint8) *Pattern {
	if m.steps++; p == nil {
		return nil
	}
	switch p.Op % ops {
	case opLetter:
		if p.C%3 == c%3 {
			return &Pattern{Op: opEmpty}
		}
	case opSequence:
		first := sequence(m.after(p.L, c), p.R)
		if !m.nullable(p.L) || m.bug == MatchSkipsOption && p.L.Op%ops == opOption && first != nil {
			return first
		}
		return m.either(first, m.after(p.R, c))
	case opAlternatives:
		return m.either(m.after(p.L, c), m.after(p.R, c))
	case opOption:
		return m.after(p.L, c)
	case opRepetition:
		again := p
		if m.bug == MatchStarOnce && p.L != nil && p.L.Op%ops == opSequence {
			again = &Pattern{Op: opRepetition, L: p.L.L}
		}
		return sequence(m.after(p.L, c), again)
	}
	return nil
}

func sequence(l, r *Pattern) *Pattern {
	switch {
	case l == nil || r == nil:
		return nil
	case l.Op%ops == opEmpty:
		return r
	}
	return &Pattern{Op: opSequence, L: l, R: r}
}

func (m *matcher) either(l, r *Pattern) *Pattern {
	switch {
	case l == nil:
		return r
	case r == nil:
		return l
	}
	return &Pattern{Op: opAlternatives, L: l, R: r}
}

// Bounds of a pattern, beyond which it says nothing.
const (
	mostSteps = 5000
	mostNodes = 40
	mostStars = 3 // inside each other
)

// texts are all of up to four letters.
var texts = func() [][]uint8 {
	all := [][]uint8{nil}
	for i := 0; len(all[i]) < 4; i++ {
		for c := range uint8(3) {
			all = append(all, append(slices.Clone(all[i]), c))
		}
	}
	return all
}()

// Matches tests whether a matcher says the same of texts as the reference.
func Matches(bug int) func(*Pattern) hunt.Outcome {
	return func(p *Pattern) hunt.Outcome {
		if p.nodes() > mostNodes || p.stars() > mostStars {
			return hunt.Discarded
		}
		for _, text := range texts {
			at := make([]bool, len(text)+1)
			at[0] = true
			m, q := matcher{bug: bug}, p
			for _, b := range text {
				if q = m.after(q, b); m.steps > mostSteps {
					return hunt.Discarded
				}
			}
			if m.nullable(q) != p.ends(text, at)[len(text)] {
				return hunt.Failed
			}
		}
		return hunt.Passed
	}
}

func (p *Pattern) nodes() int {
	if p == nil {
		return 0
	}
	return 1 + p.L.nodes() + p.R.nodes()
}

func (p *Pattern) stars() int {
	if p == nil {
		return 0
	}
	n := max(p.L.stars(), p.R.stars())
	if p.Op%ops == opRepetition {
		n++
	}
	return n
}

package search

import (
	"slices"

	"github.com/fuzzmut/fuzzmut/fuzzmut/term"
)

// byteStream mutates the bytes that inputs are decoded from, without knowing what they
// mean, as a fuzzer of bytes does below a generator (Crowbar).
type byteStream struct {
	base
	seen   virgin
	corpus [][]byte
	last   []byte
}

func newBytes(b base) *byteStream { return &byteStream{base: b} }

func (s *byteStream) Next() *term.Term {
	s.last = s.bytes()
	x, _ := term.Decode(s.t, s.last)
	return x
}

func (s *byteStream) bytes() []byte {
	if len(s.corpus) == 0 || s.r.IntN(50) == 0 {
		b := make([]byte, s.r.IntN(8*s.o.Size+1))
		for i := range b {
			b[i] = byte(s.r.Uint32())
		}
		return b
	}
	b := slices.Clone(s.corpus[s.r.IntN(len(s.corpus))])
	for range 1 << s.r.IntN(4) {
		b = s.havoc(b)
	}
	return b
}

// havoc makes one change.
func (s *byteStream) havoc(b []byte) []byte {
	i := s.r.IntN(len(b) + 1)
	if i == len(b) {
		return append(b, byte(s.r.Uint32()))
	}
	j := i + 1 + s.r.IntN(min(8, len(b)-i))
	switch s.r.IntN(6) {
	case 0:
		b[i] ^= 1 << s.r.IntN(8)
	case 1:
		b[i] = byte(s.r.Uint32())
	case 2:
		b[i] += byte(s.r.IntN(9)) - 4
	case 3:
		return slices.Delete(b, i, j)
	case 4:
		return slices.Insert(b, i, slices.Clone(b[i:j])...)
	case 5:
		other := s.corpus[s.r.IntN(len(s.corpus))]
		if len(other) > i {
			return append(b[:i], other[i:]...)
		}
	}
	return b
}

func (s *byteStream) Learn(f Feedback) {
	if s.seen.add(f.Counts) > 0 {
		s.corpus = append(s.corpus, s.last)
	}
}

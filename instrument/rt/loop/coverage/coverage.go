// Package coverage reads which blocks an execution has run, and how often, and remembers
// what was seen.
package coverage

import (
	"encoding/binary"
	"math/bits"

	fuzzmutrt "github.com/fuzzmut/fuzzmut/instrument/rt"
	"github.com/fuzzmut/fuzzmut/instrument/rt/havoc"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// Coverage reads the counters of the rewritten packages and remembers which
// features were seen. A feature is a counter together with a hit-count bucket:
// 1, 2, 3, 4-7, 8-15, 16-31, 32-127, 128 and more, as one of eight bits.
type Coverage struct {
	packages []*fuzzmutrt.Package
	seen     [][]uint8 // by package and counter, the bits seen
	// By package, eight counters in each, as they were when nothing about them was new:
	// most often they are the same again.
	dull   [][]uint64
	traced []*uint8 // counters
}

// bucket maps a count to its bit.
var bucket = func() (b [256]uint8) {
	for n := 1; n < 256; n++ {
		switch {
		case n <= 3:
			b[n] = 1 << (n - 1)
		case n <= 7:
			b[n] = 1 << 3
		case n <= 15:
			b[n] = 1 << 4
		case n <= 31:
			b[n] = 1 << 5
		case n <= 127:
			b[n] = 1 << 6
		default:
			b[n] = 1 << 7
		}
	}
	return b
}()

func New(packages []*fuzzmutrt.Package) *Coverage {
	c := &Coverage{packages: packages}
	for _, p := range packages {
		c.seen = append(c.seen, make([]uint8, len(p.Counters)))
		c.dull = append(c.dull, make([]uint64, len(p.Counters)/stride*stride/8))
	}
	return c
}

// Bucket returns the bit of a hit count's bucket, 0 for none.
func Bucket(count uint8) uint8 { return bucket[count] }

// Counts appends the hit counts of the last execution.
func (c *Coverage) Counts(to []uint8) []uint8 {
	for _, p := range c.packages {
		to = append(to, p.Counters...)
	}
	return to
}

// Trace has Traced say which of these counters are hit.
func (c *Coverage) Trace(counters []uint32) {
	for _, n := range counters {
		for _, p := range c.packages {
			if j := n - p.FirstCounter; j < uint32(len(p.Counters)) {
				c.traced = append(c.traced, &p.Counters[j])
			}
		}
	}
}

// Traced is a hash over the counters given to Trace that the last execution has hit.
func (c *Coverage) Traced() (h uint64) {
	for i, n := range c.traced {
		if *n != 0 {
			h = havoc.Mix(h ^ uint64(i+1))
		}
	}
	return h
}

// Clear zeroes the counters before an execution.
func (c *Coverage) Clear() {
	for _, p := range c.packages {
		clear(p.Counters)
	}
}

// Novel counts the features of the last execution that were not seen before.
func (c *Coverage) Novel() int {
	n := 0
	for i, p := range c.packages {
		n += novelIn(p.Counters, c.seen[i], c.dull[i])
	}
	return n
}

func novelIn(counters, seen []uint8, dull []uint64) int {
	n, i := 0, 0
	for ; len(counters)-i >= stride; i += stride {
		// Most counters are zero: many at a time.
		c := (*[stride]uint8)(counters[i:])
		w0, w1 := binary.LittleEndian.Uint64(c[0:]), binary.LittleEndian.Uint64(c[8:])
		w2, w3 := binary.LittleEndian.Uint64(c[16:]), binary.LittleEndian.Uint64(c[24:])
		if w0|w1|w2|w3 == 0 {
			continue
		}
		d := (*[stride / 8]uint64)(dull[i/8:])
		s := (*[stride]uint8)(seen[i:])
		if w0 != d[0] {
			n += novelInWord(w0, (*[8]uint8)(s[0:]), &d[0])
		}
		if w1 != d[1] {
			n += novelInWord(w1, (*[8]uint8)(s[8:]), &d[1])
		}
		if w2 != d[2] {
			n += novelInWord(w2, (*[8]uint8)(s[16:]), &d[2])
		}
		if w3 != d[3] {
			n += novelInWord(w3, (*[8]uint8)(s[24:]), &d[3])
		}
	}
	return n + novelAmong(counters[i:], seen[i:])
}

const stride = 32

// novelInWord is novelAmong of eight counters in one word. If nothing is new it keeps the
// word in dull.
func novelInWord(word uint64, seen *[8]uint8, dull *uint64) (n int) {
	all := word
	for i := range seen {
		if bucket[uint8(word)]&^seen[i] != 0 {
			n++
		}
		word >>= 8
	}
	if n == 0 {
		*dull = all
	}
	return n
}

func novelAmong(counters, seen []uint8) int {
	n := 0
	for i, c := range counters {
		if bucket[c]&^seen[i] != 0 {
			n++
		}
	}
	return n
}

// NovelBlock reports whether the last execution covered a counter that was never
// seen above zero.
func (c *Coverage) NovelBlock() bool {
	for i, p := range c.packages {
		for j, n := range p.Counters {
			if n != 0 && c.seen[i][j] == 0 {
				return true
			}
		}
	}
	return false
}

// Merge adds the features of the last execution to those seen.
func (c *Coverage) Merge() {
	for i, p := range c.packages {
		for j, n := range p.Counters {
			if n != 0 {
				c.seen[i][j] |= bucket[n]
			}
		}
	}
}

// See adds features to those seen.
func (c *Coverage) See(features wire.Features) {
	for _, f := range features {
		for i, p := range c.packages {
			if j := uint32(f.Block()) - p.FirstCounter; j < uint32(len(p.Counters)) {
				c.seen[i][j] |= 1 << f.Bucket()
			}
		}
	}
}

// Features lists the features of the last execution, ascending.
func (c *Coverage) Features() wire.Features {
	var list wire.Features
	for _, p := range c.packages {
		for j, n := range p.Counters {
			if n != 0 {
				list = append(list, wire.FeatureOf(p.FirstCounter+uint32(j), bits.TrailingZeros8(bucket[n])))
			}
		}
	}
	return list
}

// Fresh lists the features of the last execution that were not seen before.
func (c *Coverage) Fresh() wire.Features {
	var list wire.Features
	for i, p := range c.packages {
		for j, n := range p.Counters {
			if b := bucket[n]; b&^c.seen[i][j] != 0 {
				list = append(list, wire.FeatureOf(p.FirstCounter+uint32(j), bits.TrailingZeros8(b)))
			}
		}
	}
	return list
}

// Has reports whether the last execution has all these features.
func (c *Coverage) Has(features wire.Features) bool {
	for _, f := range features {
		if bucket[c.Counter(uint32(f.Block()))] != 1<<f.Bucket() {
			return false
		}
	}
	return true
}

// Counter returns the counter of a global number.
func (c *Coverage) Counter(number uint32) uint8 {
	for _, p := range c.packages {
		if i := number - p.FirstCounter; i < uint32(len(p.Counters)) {
			return p.Counters[i]
		}
	}
	return 0
}

// Path returns a hash of the features of the last execution.
func (c *Coverage) Path() uint64 {
	h := uint64(14695981039346656037)
	for _, p := range c.packages {
		i := 0
		for ; i+8 <= len(p.Counters); i += 8 {
			if binary.LittleEndian.Uint64(p.Counters[i:]) == 0 {
				continue
			}
			for j := i; j < i+8; j++ {
				if n := p.Counters[j]; n != 0 {
					h = havoc.Mix(h ^ (uint64(p.FirstCounter)+uint64(j))<<8 ^ uint64(bucket[n]))
				}
			}
		}
		for ; i < len(p.Counters); i++ {
			if n := p.Counters[i]; n != 0 {
				h = havoc.Mix(h ^ (uint64(p.FirstCounter)+uint64(i))<<8 ^ uint64(bucket[n]))
			}
		}
	}
	return h
}

// Counters lists the counters that the last execution hit, ascending.
func (c *Coverage) Counters() []uint32 {
	var list []uint32
	for _, p := range c.packages {
		for j, n := range p.Counters {
			if n != 0 {
				list = append(list, p.FirstCounter+uint32(j))
			}
		}
	}
	return list
}

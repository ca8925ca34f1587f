// Package coverage reads which blocks an execution has run, and how often, and remembers
// what was seen.
package coverage

import (
	"encoding/binary"
	"math/bits"
	"unsafe"

	fuzzmutrt "github.com/fuzzmut/fuzzmut/instrument/rt"
	"github.com/fuzzmut/fuzzmut/instrument/rt/havoc"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// Coverage reads the counters of the rewritten packages and remembers which
// features were seen. A feature is a counter together with a hit-count bucket:
// 1, 2, 3, 4-7, 8-15, 16-31, 32-127, 128 and more, as one of eight bits.
type Coverage struct {
	packages []*fuzzmutrt.Package
	seen     [][]uint8  // by package and counter, the bits seen
	strides  [][]stride // by package
	traced   []*uint8   // counters
}

// strideLen is how many counters are looked at at once.
const strideLen = 32

// A stride is what is known of some counters, eight in a word.
type stride struct {
	// A counter without bits outside of those of usual has a count that was seen.
	usual [strideLen / 8]uint64
	// The counters as they were when nothing about them was new: most of those that are not as
	// usual are the same again.
	dull [strideLen / 8]uint64
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

// usualOf maps the bits seen of a counter to the most low bits with which every count was
// seen, 0 aside.
var usualOf = func() (u [256]uint8) {
	for seen := range u {
		for n := 1; n < 256 && bucket[n]&^uint8(seen) == 0; n++ {
			if n&(n+1) == 0 {
				u[seen] = uint8(n)
			}
		}
	}
	return u
}()

func New(packages []*fuzzmutrt.Package) *Coverage {
	c := &Coverage{packages: packages}
	for _, p := range packages {
		c.seen = append(c.seen, make([]uint8, len(p.Counters)))
		c.strides = append(c.strides, make([]stride, len(p.Counters)/strideLen))
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
		n += novelIn(p.Counters, c.seen[i], c.strides[i])
	}
	return n
}

func novelIn(counters, seen []uint8, strides []stride) int {
	n := 0
	chunks := unsafe.Slice((*[strideLen]uint8)(unsafe.Pointer(unsafe.SliceData(counters))), len(counters)/strideLen)
	for i := range strides[:len(chunks)] {
		// Most counters are zero or as usual: many at a time.
		c, s := &chunks[i], &strides[i]
		if word(c, 0)&^s.usual[0]|word(c, 1)&^s.usual[1]|word(c, 2)&^s.usual[2]|word(c, 3)&^s.usual[3] != 0 {
			n += novelInStride(c, s, seen[i*strideLen:])
		}
	}
	rest := len(chunks) * strideLen
	return n + novelAmong(counters[rest:], seen[rest:])
}

// word is one of the words of some counters.
func word(c *[strideLen]uint8, n int) uint64 { return binary.LittleEndian.Uint64(c[8*n:]) }

// novelInStride is novelAmong of the words that are not as usual. It is not inlined, so that
// the loop that seldom calls it keeps what it needs in registers.
//
//go:noinline
func novelInStride(c *[strideLen]uint8, s *stride, seen []uint8) (n int) {
	for i, usual := range s.usual {
		if w := word(c, i); w&^usual != 0 && w != s.dull[i] {
			n += novelInWord(w, (*[8]uint8)(seen[8*i:]), &s.dull[i])
		}
	}
	return n
}

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
				c.add(i, j, bucket[n])
			}
		}
	}
}

// add adds a bit to those seen of a package's counter.
func (c *Coverage) add(pkg, counter int, bit uint8) {
	seen := &c.seen[pkg][counter]
	if *seen&bit != 0 {
		return
	}
	*seen |= bit
	if s, i := c.strides[pkg], counter/strideLen; i < len(s) {
		s[i].usual[counter%strideLen/8] |= uint64(usualOf[*seen]) << (counter % 8 * 8)
	}
}

// See adds features to those seen.
func (c *Coverage) See(features wire.Features) {
	for _, f := range features {
		for i, p := range c.packages {
			if j := uint32(f.Block()) - p.FirstCounter; j < uint32(len(p.Counters)) {
				c.add(i, int(j), 1<<f.Bucket())
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

package coverage

import (
	"math/rand/v2"
	"slices"
	"testing"

	fuzzmutrt "github.com/fuzzmut/fuzzmut/instrument/rt"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// model is what Coverage is to do, one counter after the other.
type model struct {
	counters []uint8
	seen     map[wire.Feature]bool
	blocks   map[int]bool
}

// bucketOf is the number of a count's bucket, by the bounds that the documentation names.
func bucketOf(count uint8) int {
	for i, most := range []uint8{1, 2, 3, 7, 15, 31, 127, 255} {
		if count <= most {
			return i
		}
	}
	return -1
}

func (m *model) features() (list wire.Features) {
	for i, n := range m.counters {
		if n > 0 {
			list = append(list, wire.FeatureOf(uint32(i), bucketOf(n)))
		}
	}
	return list
}

func (m *model) fresh() (list wire.Features) {
	for _, f := range m.features() {
		if !m.seen[f] {
			list = append(list, f)
		}
	}
	return list
}

func (m *model) novelBlock() bool {
	for i, n := range m.counters {
		if n > 0 && !m.blocks[i] {
			return true
		}
	}
	return false
}

func (m *model) see(list wire.Features) {
	for _, f := range list {
		m.seen[f], m.blocks[f.Block()] = true, true
	}
}

// New coverage is found by words of counters, and by those in which nothing was new before. It
// has to be what one counter after the other says, whatever was merged in between and however
// many counters a package has.
func TestCoverageIsThatOfItsCounters(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	for _, sizes := range [][]int{{1}, {8}, {31}, {32}, {33}, {70, 3}, {0, 64, 5}, {129, 40}} {
		var packages []*fuzzmutrt.Package
		m := &model{seen: make(map[wire.Feature]bool), blocks: make(map[int]bool)}
		total := 0
		for _, n := range sizes {
			packages = append(packages, &fuzzmutrt.Package{FirstCounter: uint32(total), Counters: make([]uint8, n)})
			total += n
		}
		m.counters = make([]uint8, total)
		c := New(packages)
		paths := make(map[uint64]string)
		for step := range 3000 {
			c.Clear()
			clear(m.counters)
			// Mostly the same few counters: what is seen once is often seen again.
			for range random.IntN(6) {
				i := random.IntN(total)
				if random.IntN(4) > 0 {
					i %= min(total, 12)
				}
				n := []uint8{1, 2, 3, 4, 7, 8, 16, 31, 32, 127, 128, 255}[random.IntN(12)]
				m.counters[i] = n
				at := i
				for _, p := range packages {
					if at < len(p.Counters) {
						p.Counters[at] = n
						break
					}
					at -= len(p.Counters)
				}
			}
			features, fresh := m.features(), m.fresh()
			if got := c.Features(); !slices.Equal(got, features) || !c.Has(features) {
				t.Fatalf("%v, step %d: features %v, want %v", sizes, step, got, features)
			}
			if got := c.Novel(); got != len(fresh) {
				t.Fatalf("%v, step %d: %d are new, want %d: %v", sizes, step, got, len(fresh), fresh)
			}
			if got := c.Fresh(); !slices.Equal(got, fresh) {
				t.Fatalf("%v, step %d: new are %v, want %v", sizes, step, got, fresh)
			}
			if got := c.NovelBlock(); got != m.novelBlock() {
				t.Fatalf("%v, step %d: a new block: %v", sizes, step, got)
			}
			if got := c.Counts(nil); !slices.Equal(got, m.counters) {
				t.Fatalf("%v, step %d: counts %v, want %v", sizes, step, got, m.counters)
			}
			var hit []uint32
			for _, f := range features {
				hit = append(hit, uint32(f.Block()))
			}
			if got := c.Counters(); !slices.Equal(got, hit) {
				t.Fatalf("%v, step %d: hit %v, want %v", sizes, step, got, hit)
			}
			key := ""
			for _, f := range features {
				key += string(rune(f))
			}
			if path := c.Path(); paths[path] != "" && paths[path] != key+"." {
				t.Fatalf("%v, step %d: two sets of features have one path", sizes, step)
			} else {
				paths[path] = key + "."
			}
			switch random.IntN(4) {
			case 0:
				c.Merge()
				m.see(features)
			case 1:
				if len(fresh) > 0 {
					some := fresh[:random.IntN(len(fresh)+1)]
					c.See(some)
					m.see(some)
				}
			}
		}
		if c.See(wire.Features{wire.FeatureOf(uint32(total), 0), wire.FeatureOf(1<<28, 3)}); c.Counter(uint32(total)) != 0 {
			t.Errorf("%v: a counter of no package", sizes)
		}
	}
}

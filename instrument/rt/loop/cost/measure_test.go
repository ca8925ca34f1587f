package cost

import (
	"testing"
	"time"

	"github.com/fuzzmut/fuzzmut/instrument/rt/loop/looptest"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// A length that took longer than the next longer one was disturbed.
func TestWhatWasDisturbedIsTimedAgain(t *testing.T) {
	for _, c := range []struct {
		name               string
		first, again, want []time.Duration // by size; 0: it does not pass again
		passes             bool
	}{
		{"steady", []time.Duration{1, 2, 4, 8}, []time.Duration{9, 9, 9, 9}, []time.Duration{1, 2, 4, 8}, true},
		{"the first", []time.Duration{5, 2, 4, 8}, []time.Duration{1, 9, 9, 9}, []time.Duration{1, 2, 4, 8}, true},
		{"disturbed again", []time.Duration{5, 2, 4, 8}, []time.Duration{6, 9, 9, 9}, []time.Duration{5, 2, 4, 8}, true},
		{"several", []time.Duration{7, 6, 5, 8}, []time.Duration{1, 2, 9, 9}, []time.Duration{1, 2, 5, 8}, true},
		{"a size looks disturbed since the next one is not any more", []time.Duration{3, 6, 4, 8}, []time.Duration{1, 2, 9, 9}, []time.Duration{1, 2, 4, 8}, true},
		{"it fails now", []time.Duration{5, 2}, []time.Duration{0, 9}, []time.Duration{5, 2}, false},
		{"none", nil, nil, nil, true},
	} {
		var list []wire.Size
		for i, d := range c.first {
			list = append(list, wire.Size{Times: i, CPU: d})
		}
		passes := steadied(list, func(s *wire.Size) bool {
			if c.again[s.Times] == 0 {
				return false
			}
			s.CPU = c.again[s.Times]
			return true
		})
		if passes != c.passes {
			t.Errorf("%s: passes %v", c.name, passes)
		}
		for i, s := range list {
			if s.CPU != c.want[i] {
				t.Errorf("%s: size %d: %d, want %d", c.name, i, s.CPU, c.want[i])
			}
		}
	}
}

// A length whose first runs take long is not the last if it takes little later: these runs may be those with new memory.
func TestLengthsAfterASlowFirstRun(t *testing.T) {
	runs := make(map[int]int)
	w := looptest.New(t, initial(), func(_ *testing.T, s string) {
		turns(len(s) * len(s) / 64)
		most := time.Duration(len(s)*len(s)/128) * time.Nanosecond
		if runs[len(s)]++; runs[len(s)] <= 2 && len(s) >= 1024 {
			most = enoughTime
		}
		for begin := cpu(); cpu()-begin < most; {
		}
	}, make([]uint8, 1), make([]bool, 1))
	got := served(t, w, ";", wire.Grow{CPU: enoughTime})
	if n := timedWell(got.Sizes); n < timedSizes {
		t.Errorf("%d lengths take a time that counts: %+v", n, got.Sizes)
	}
}

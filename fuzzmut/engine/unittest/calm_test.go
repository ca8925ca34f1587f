package unittest

import (
	"encoding/binary"
	"maps"
	"strings"
	"testing"

	"github.com/fuzzmut/fuzzmut/corpus/bitset"
	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// The counts of a trace are those of the mutants that it infects.
func TestTimesOf(t *testing.T) {
	counts := func(list ...uint64) (b []byte) {
		for _, n := range list {
			b = binary.AppendUvarint(b, n)
		}
		return b
	}
	reached, infected := []byte{0b1000_0110, 0, 0, 0, 0, 0, 0, 0}, []byte{0b1000_0010, 0, 0, 0, 0, 0, 0, 0}
	for _, c := range []struct {
		about string
		ran   *wire.TestRan
		want  map[int]uint64
	}{
		{"no run", nil, nil},
		{"a short one", &wire.TestRan{Reached: reached, Infected: infected}, nil},
		{"a long one", &wire.TestRan{Reached: reached, Infected: infected, Times: counts(7, 1, 900)}, map[int]uint64{1: 7, 7: 900}},
		{"too few counts", &wire.TestRan{Reached: reached, Infected: infected, Times: counts(7, 1)}, nil},
	} {
		if got := timesOf(c.ran); !maps.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.about, got, c.want)
		}
	}
}

// A pass in a group with others of the function counts the first time, and again if the site was
// evaluated as often as without a mutant.
func TestCalmMutantsPassTogether(t *testing.T) {
	one, other := 0, 1
	for _, c := range []struct {
		about  string
		fns    [2]int
		times  []uint32
		before int
		passed int
		apart  bool
	}{
		{"the first time", [2]int{one, one}, []uint32{3, 4}, 0, 1, true},
		{"calm, the first time", [2]int{one, one}, []uint32{4, 4}, 0, 1, false},
		{"calm", [2]int{one, one}, []uint32{4, 4}, 1, 2, false},
		{"evaluated less often", [2]int{one, one}, []uint32{3, 4}, 1, 1, true},
		{"evaluated more often", [2]int{one, one}, []uint32{5, 4}, 1, 1, true},
		{"not counted", [2]int{one, one}, nil, 1, 1, true},
		{"less often, without others", [2]int{one, other}, []uint32{3, 4}, 1, 2, true},
		{"less often, in no function", [2]int{-1, -1}, []uint32{3, 4}, 1, 2, false},
	} {
		conf := &confirmer{suite: newTestSuite(&Options{},
			instrument.Mutant{Status: instrument.StatusLive, FuncIndex: c.fns[0]}, instrument.Mutant{Status: instrument.StatusLive, FuncIndex: c.fns[1]})}
		long := &test{infected: bitset.Of(1, 2), times: map[int]uint64{1: 4, 2: 4}}
		g := &group{passes: true, fired: map[*test]bitset.Set{long: bitset.Of(1, 2)}, times: map[*test][]uint32{long: c.times}}
		for i := range c.fns {
			m := &member{item: &item{}, met: make(map[*member]bool)}
			m.verdict.Mutant = uint32(i + 1)
			g.members = append(g.members, m)
		}
		m := g.members[0]
		m.passed = c.before
		g.count(conf.sameFunction)
		third := &member{item: &item{verdict: Verdict{Mutant: 1}}}
		if apart := conf.inTheWay(m, third); m.passed != c.passed || apart != c.apart {
			t.Errorf("%s: passed %d times, and is apart from its function: %v", c.about, m.passed, apart)
		}
	}
}

// What keeps control from where a mutant shows stands in its function many times, and no test notices that:
// the mutant is killed nonetheless, as it is alone.
func TestAMutantThatItsFunctionHides(t *testing.T) {
	b := build(t, unpack(t, `
-- p.go --
package p

func Some(n, a, b, c int) (m int) {
`+strings.Repeat("\tif n < 0 {\n\t\treturn 7\n\t}\n", 9)+`
	m = c + 4
`+strings.Repeat("\tm += a - b\n", 20)+`
	return m
}
-- p_test.go --
package p

import (
	"testing"
	"time"
)

func TestShort(t *testing.T) { Some(1, 0, 0, 3) }

func TestLong(t *testing.T) {
	time.Sleep(150 * time.Millisecond)
	if Some(0, 0, 0, 3) != 7 {
		t.Error("wrong")
	}
	Some(1, 0, 0, 3)
}
`), "math,conditional-boundary")
	res := b.run(t)
	if v := b.verdict(t, res, "Some", "math", "+ to -"); v.Status != StatusKilled {
		t.Errorf("hidden: %s", v.show())
	}
	b.Isolated = true
	for i, v := range b.run(t).Verdicts {
		if got := res.Verdicts[i]; got.show() != v.show() {
			t.Errorf("%s: %s, isolated %s", b.Program.Mutants[v.Mutant-1].Description, got.show(), v.show())
		}
	}
}

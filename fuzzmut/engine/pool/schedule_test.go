package pool

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

func TestRoundsAreAFunctionOfTheSeed(t *testing.T) {
	plan := func(seed uint64) []*wire.Fuzz {
		p := newTestPool()
		s := p.NewSchedule(seed)
		var rounds []*wire.Fuzz
		for i := range 30 {
			p.add(Entry{Input: corpus.Of(i), Features: wire.Features{wire.Feature(i % 7), wire.Feature(i)}, Cost: int64(i * 100)})
			rounds = append(rounds, s.Round())
		}
		return rounds
	}
	if !reflect.DeepEqual(plan(1), plan(1)) {
		t.Error("one seed, two plans")
	}
	if reflect.DeepEqual(plan(1), plan(2)) {
		t.Error("two seeds, one plan")
	}
}

// energies adds entries to a new pool and lets change work on them, then returns what the
// schedule makes of it.
func energies(t *testing.T, list []Entry, change func(p *Pool, s *Schedule, m []*member)) []uint64 {
	t.Helper()
	p := newTestPool()
	s := p.NewSchedule(1)
	for _, e := range list {
		p.add(e)
	}
	s.Round()
	if change != nil {
		change(p, s, p.members)
	}
	s.weigh()
	return s.weights
}

func TestEnergyFollowsUse(t *testing.T) {
	// The two are alike until the second is changed.
	base := []Entry{
		{Input: corpus.Of("first"), Features: wire.Features{1, 2}, Cost: 100},
		{Input: corpus.Of("other"), Features: wire.Features{3, 4}, Cost: 100},
	}
	tests := []struct {
		name   string
		more   []Entry
		change func(p *Pool, s *Schedule, m []*member)
		want   int // of the second's energy against the first's
	}{
		{"alike", nil, func(_ *Pool, _ *Schedule, m []*member) { m[0].chosen, m[1].chosen = 0, 0 }, 0},
		{"more rare features", []Entry{{Input: corpus.Of("third"), Features: wire.Features{1, 2}, Cost: 100}}, nil, 1},
		{"near a kill", nil, func(p *Pool, _ *Schedule, m []*member) { p.infects(m[1], []uint32{1}) }, 1},
		{"near one that is dead", nil, func(p *Pool, _ *Schedule, m []*member) {
			p.infects(m[1], []uint32{1})
			p.Killed([]uint32{1})
		}, 0},
		{"no kill is near where a cheaper entry is nearer", nil, func(p *Pool, _ *Schedule, m []*member) {
			m[0].Cost, m[1].Cost = 99, 101
			p.infects(m[0], []uint32{1})
			p.infects(m[1], []uint32{1})
		}, -1},
		{"many rounds", nil, func(_ *Pool, _ *Schedule, m []*member) { m[1].chosen = 50 }, -1},
		{"barren", nil, func(_ *Pool, s *Schedule, _ []*member) {
			s.Yields([]wire.Yield{{ID: 0, Fuel: 1e6, Brought: 20}, {ID: 1, Fuel: 1e6, Brought: 0}})
		}, -1},
		{"the other barren", nil, func(_ *Pool, s *Schedule, _ []*member) {
			s.Yields([]wire.Yield{{ID: 0, Fuel: 1e6, Brought: 0}, {ID: 1, Fuel: 1e6, Brought: 20}})
		}, 1},
		{"slow", nil, func(_ *Pool, _ *Schedule, m []*member) { m[1].Cost = 10_000 }, -1},
		{"redundant", []Entry{{Input: corpus.Of("1"), Features: wire.Features{3, 4}, Cost: 100}}, nil, -1},
		{
			"not redundant: a kill",
			[]Entry{{Input: corpus.Of("1"), Features: wire.Features{1, 2, 3, 4}, Cost: 100}},
			func(_ *Pool, _ *Schedule, m []*member) { m[1].Kills = 1 }, 1,
		},
		{"dropped", nil, func(p *Pool, _ *Schedule, m []*member) { p.Drop(m[1].Input) }, -1},
	}
	for _, tt := range tests {
		w := energies(t, append(base[:2:2], tt.more...), func(p *Pool, s *Schedule, m []*member) {
			m[0].chosen, m[1].chosen = 0, 0
			if tt.change != nil {
				tt.change(p, s, m)
			}
			s.next = 0 // costs and yields are compared with what they now are
		})
		if got := cmp.Compare(w[1], w[0]); got != tt.want {
			t.Errorf("%s: energy %d against %d", tt.name, w[1], w[0])
		}
	}
}

// What is kept up change by change is what a look at the whole corpus gives.
func TestOwnersAreKeptUpToDate(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	p := newTestPool()
	s := p.NewSchedule(1)
	for i := range 300 {
		var features wire.Features
		for f := range wire.Feature(40) {
			if rng.IntN(4) == 0 {
				features = append(features, f)
			}
		}
		m := p.add(Entry{Input: corpus.Of(fmt.Sprintf("%0*d", 3+rng.IntN(20), i)), Features: features, Cost: rng.Int64N(1000)})
		p.infects(m, []uint32{1, 3}[:rng.IntN(3)])
		switch {
		case i == 200:
			p.Killed([]uint32{3})
		case i%100 == 99:
			p.Drop(p.features[7].owner.Input)
		}
		s.Round()
		checkOwners(t, p, s)
	}
	if m := p.infector[3]; m != nil || p.infector[1] == nil {
		t.Errorf("nearest to the dead mutant is %v, to the living %v", m, p.infector[1])
	}
}

func checkOwners(t *testing.T, p *Pool, s *Schedule) {
	t.Helper()
	s.weigh()
	best := make(map[wire.Feature]*member)
	count := make(map[wire.Feature]int)
	for _, m := range p.members {
		if m.dropped {
			continue
		}
		for _, f := range m.Features {
			count[f]++
			if b := best[f]; b == nil || m.price() < b.price() {
				best[f] = m
			}
		}
	}
	owned, nearest := make(map[*member]int), make(map[*member]int)
	rare := make(map[*member]int64)
	for f, m := range best {
		owned[m]++
		rare[m] += rareUnit / int64(count[f])
	}
	for _, m := range p.infector {
		nearest[m]++
	}
	for i, m := range p.members {
		if m.owned != owned[m] || m.rare != rare[m] || m.nearest != nearest[m] {
			t.Fatalf("entry %d owns %d (rarity %d), near %d; want %d (%d), %d",
				i, m.owned, m.rare, m.nearest, owned[m], rare[m], nearest[m])
		}
		if s.weights[i] != s.energy(m) {
			t.Fatalf("entry %d has energy %d, planned with is %d", i, s.energy(m), s.weights[i])
		}
	}
}

func TestSlowEntriesGetShortRounds(t *testing.T) {
	p := newTestPool()
	s := p.NewSchedule(1)
	p.add(Entry{Input: corpus.Of("slow"), Features: wire.Features{1}, Cost: 50_000_000})
	if n := s.Round().Execs; n != roundLeast {
		t.Errorf("a round of %d executions of half a second each", n)
	}
}

// A corpus as large targets have it: entries of hundreds of features, most of
// which many others have.
func largePool(entries int) *Pool {
	rng := rand.New(rand.NewPCG(3, 4))
	p := New(Config{Blocks: 5000})
	for i := range entries {
		growBy(p, rng, i)
	}
	return p
}

func growBy(p *Pool, rng *rand.Rand, i int) {
	features := make(wire.Features, 0, 300)
	for f := rng.Uint32N(40); len(features) < cap(features); f += 1 + rng.Uint32N(200) {
		features = append(features, wire.Feature(f%40_000))
	}
	p.add(Entry{
		Input: corpus.Of(binary.BigEndian.AppendUint64(make([]byte, rng.IntN(100)), uint64(i))), Features: features, Cost: rng.Int64N(5000),
	})
}

// BenchmarkRound plans rounds. In each, one entry is found and all parents report.
func BenchmarkRound(b *testing.B) {
	for _, n := range []int{100, 10_000, 100_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			p := largePool(n)
			s := p.NewSchedule(1)
			rng := rand.New(rand.NewPCG(5, 6))
			for b.Loop() {
				growBy(p, rng, len(p.members))
				var list []wire.Yield
				for _, parent := range s.Round().Parents {
					list = append(list, wire.Yield{ID: parent.ID, Fuel: 400_000, Brought: 1})
				}
				s.Yields(list)
			}
		})
	}
}

func TestFavouredEntriesHaveMoreEnergy(t *testing.T) {
	list := []Entry{
		{Input: corpus.Of("first"), Features: wire.Features{1, 2}, Cost: 100},
		{Input: corpus.Of("other"), Features: wire.Features{3, 4}, Cost: 100},
		{Input: corpus.Of("third"), Features: wire.Features{3, 4}, Cost: 200}, // shows nothing that others do not
	}
	before := energies(t, list, nil)
	got := energies(t, list, func(p *Pool, _ *Schedule, _ []*member) {
		p.Favour([]*corpus.Input{corpus.Of("other"), corpus.Of("third"), corpus.Of("none")})
	})
	if got[0] != before[0] || got[1] < 4*before[1] || got[2] < 100*before[2] {
		t.Errorf("%v, before %v", got, before)
	}
}

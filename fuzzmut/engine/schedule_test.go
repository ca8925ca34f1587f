package engine

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

func TestRoundsAreAFunctionOfTheSeed(t *testing.T) {
	plan := func(seed uint64) []*wire.Fuzz {
		e := newTestEngine(seed)
		s := newScheduler(e)
		var rounds []*wire.Fuzz
		for i := range 30 {
			e.add([]byte{byte(i)}, wire.Features{wire.Feature(i % 7), wire.Feature(i)}, int64(i*100), false)
			rounds = append(rounds, s.round())
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

// energies adds to a new engine an entry for each input and lets change work on
// them, then returns what the scheduler makes of it.
func energies(t *testing.T, list []Entry, change func(e *Engine, s *scheduler, en []*Entry)) []uint64 {
	t.Helper()
	e := newTestEngine(1)
	s := newScheduler(e)
	var en []*Entry
	for _, x := range list {
		en = append(en, e.add(x.Input, x.Features, x.Cost, false))
	}
	s.round()
	if change != nil {
		change(e, s, en)
	}
	s.weigh()
	return s.weights
}

func TestEnergyFollowsUse(t *testing.T) {
	// The two are alike until the second is changed.
	base := []Entry{
		{Input: []byte("first"), Features: wire.Features{1, 2}, Cost: 100},
		{Input: []byte("other"), Features: wire.Features{3, 4}, Cost: 100},
	}
	tests := []struct {
		name   string
		more   []Entry
		change func(e *Engine, s *scheduler, en []*Entry)
		want   int // of the second's energy against the first's
	}{
		{"alike", nil, func(_ *Engine, _ *scheduler, en []*Entry) { en[0].chosen, en[1].chosen = 0, 0 }, 0},
		{"more rare features", []Entry{{Input: []byte("third"), Features: wire.Features{1, 2}, Cost: 100}}, nil, 1},
		{"near a kill", nil, func(e *Engine, _ *scheduler, en []*Entry) { e.infects(en[1], []uint32{1}) }, 1},
		{"near one that is dead", nil, func(e *Engine, _ *scheduler, en []*Entry) {
			e.infects(en[1], []uint32{1})
			e.kill(1)
		}, 0},
		{"no kill is near where a cheaper entry is nearer", nil, func(e *Engine, _ *scheduler, en []*Entry) {
			en[0].Cost, en[1].Cost = 99, 101
			e.infects(en[0], []uint32{1})
			e.infects(en[1], []uint32{1})
		}, -1},
		{"many rounds", nil, func(_ *Engine, _ *scheduler, en []*Entry) { en[1].chosen = 50 }, -1},
		{"barren", nil, func(_ *Engine, s *scheduler, _ []*Entry) {
			s.yields([]wire.Yield{{ID: 0, Fuel: 1e6, Brought: 20}, {ID: 1, Fuel: 1e6, Brought: 0}})
		}, -1},
		{"the other barren", nil, func(_ *Engine, s *scheduler, _ []*Entry) {
			s.yields([]wire.Yield{{ID: 0, Fuel: 1e6, Brought: 0}, {ID: 1, Fuel: 1e6, Brought: 20}})
		}, 1},
		{"slow", nil, func(_ *Engine, _ *scheduler, en []*Entry) { en[1].Cost = 10_000 }, -1},
		{"redundant", []Entry{{Input: []byte("1"), Features: wire.Features{3, 4}, Cost: 100}}, nil, -1},
		{
			"not redundant: a kill",
			[]Entry{{Input: []byte("1"), Features: wire.Features{1, 2, 3, 4}, Cost: 100}},
			func(_ *Engine, _ *scheduler, en []*Entry) { en[1].Kills = 1 }, 1,
		},
		{"dropped", nil, func(e *Engine, _ *scheduler, en []*Entry) { e.drop(en[1].Input) }, -1},
	}
	for _, tt := range tests {
		w := energies(t, append(base[:2:2], tt.more...), func(e *Engine, s *scheduler, en []*Entry) {
			en[0].chosen, en[1].chosen = 0, 0
			if tt.change != nil {
				tt.change(e, s, en)
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
	e := newTestEngine(1)
	s := newScheduler(e)
	for i := range 300 {
		var features wire.Features
		for f := range wire.Feature(40) {
			if rng.IntN(4) == 0 {
				features = append(features, f)
			}
		}
		en := e.add(fmt.Appendf(nil, "%0*d", 3+rng.IntN(20), i), features, rng.Int64N(1000), false)
		e.infects(en, []uint32{1, 3}[:rng.IntN(3)])
		switch {
		case i == 200:
			e.kill(3)
		case i%100 == 99:
			e.drop(e.features[7].owner.Input)
		}
		s.round()
		checkOwners(t, e, s)
	}
	if en := e.infector[3]; en != nil || e.infector[1] == nil {
		t.Errorf("nearest to the dead mutant is %v, to the living %v", en, e.infector[1])
	}
}

func checkOwners(t *testing.T, e *Engine, s *scheduler) {
	t.Helper()
	s.weigh()
	best := make(map[wire.Feature]*Entry)
	count := make(map[wire.Feature]int)
	for _, en := range e.entries {
		if en.dropped {
			continue
		}
		for _, f := range en.Features {
			count[f]++
			if b := best[f]; b == nil || en.price() < b.price() {
				best[f] = en
			}
		}
	}
	owned, nearest := make(map[*Entry]int), make(map[*Entry]int)
	rare := make(map[*Entry]int64)
	for f, en := range best {
		owned[en]++
		rare[en] += rareUnit / int64(count[f])
	}
	for _, en := range e.infector {
		nearest[en]++
	}
	for i, en := range e.entries {
		if en.owned != owned[en] || en.rare != rare[en] || en.nearest != nearest[en] {
			t.Fatalf("entry %d owns %d (rarity %d), near %d; want %d (%d), %d",
				i, en.owned, en.rare, en.nearest, owned[en], rare[en], nearest[en])
		}
		if s.weights[i] != s.energy(en) {
			t.Fatalf("entry %d has energy %d, planned with is %d", i, s.energy(en), s.weights[i])
		}
	}
}

func TestSlowEntriesGetShortRounds(t *testing.T) {
	e := newTestEngine(1)
	s := newScheduler(e)
	e.add([]byte("slow"), wire.Features{1}, 50_000_000, false)
	if n := s.round().Execs; n != roundLeast {
		t.Errorf("a round of %d executions of half a second each", n)
	}
}

// A corpus as large targets have it: entries of hundreds of features, most of
// which many others have.
func largeEngine(entries int) *Engine {
	rng := rand.New(rand.NewPCG(3, 4))
	e := New(Config{Seed: 1, Program: &instrument.Program{Blocks: make([]instrument.Block, 5000)}})
	for i := range entries {
		growBy(e, rng, i)
	}
	return e
}

func growBy(e *Engine, rng *rand.Rand, i int) {
	features := make(wire.Features, 0, 300)
	for f := rng.Uint32N(40); len(features) < cap(features); f += 1 + rng.Uint32N(200) {
		features = append(features, wire.Feature(f%40_000))
	}
	e.add(binary.BigEndian.AppendUint64(make([]byte, rng.IntN(100)), uint64(i)), features, rng.Int64N(5000), false)
}

// BenchmarkRound plans rounds in each of which an entry is found and all parents
// report.
func BenchmarkRound(b *testing.B) {
	for _, n := range []int{100, 10_000, 100_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			e := largeEngine(n)
			s := newScheduler(e)
			rng := rand.New(rand.NewPCG(5, 6))
			for b.Loop() {
				growBy(e, rng, len(e.entries))
				var list []wire.Yield
				for _, p := range s.round().Parents {
					list = append(list, wire.Yield{ID: p.ID, Fuel: 400_000, Brought: 1})
				}
				s.yields(list)
			}
		})
	}
}

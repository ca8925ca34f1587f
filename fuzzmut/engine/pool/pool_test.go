package pool

import (
	"reflect"
	"slices"
	"testing"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// newTestPool has mutants 1 to 3 and 64 blocks.
func newTestPool() *Pool { return New(Config{Blocks: 64, Mutants: 3}) }

func inputs(p *Pool) []string {
	var list []string
	for _, e := range p.Entries() {
		list = append(list, e.Input.Values()[0].(string))
	}
	return list
}

func TestAddTakesAnInputOnce(t *testing.T) {
	var found []string
	p := New(Config{Blocks: 64, OnFound: func(input *corpus.Input) { found = append(found, input.Values()[0].(string)) }})
	for _, c := range []struct {
		e  Entry
		id int
		ok bool
	}{
		{Entry{Input: corpus.Of("a"), Features: wire.Features{8, 9, 16}, Given: true}, 0, true},
		{Entry{Input: corpus.Of("a"), Features: wire.Features{24}}, 0, false},
		{Entry{Input: corpus.Of("b"), Features: wire.Features{8, 600}}, 1, true}, // a feature that is no block's
	} {
		if id, ok := p.Add(c.e, false); id != c.id || ok != c.ok {
			t.Errorf("%v: entry %d, %v", c.e.Input, id, ok)
		}
	}
	if got := p.Size(); got != (Size{Entries: 2, Added: 1, Covered: 2}) {
		t.Errorf("size %+v", got)
	}
	if !slices.Equal(found, []string{"b"}) {
		t.Errorf("found %q: what was given was not found", found)
	}
}

func TestFindTakesWhatIsNew(t *testing.T) {
	for _, c := range []struct {
		name  string
		input string
		f     wire.Found
		kills int
		want  bool
	}{
		{"a new feature", "b", wire.Found{Features: wire.Features{1, 2}}, 0, true},
		{"nothing new", "b", wire.Found{Features: wire.Features{1}}, 0, false},
		{"a kill", "b", wire.Found{Features: wire.Features{1}}, 1, true},
		{"a kill by an entry", "a", wire.Found{Features: wire.Features{2}}, 1, false},
	} {
		p := newTestPool()
		p.Add(Entry{Input: corpus.Of("a"), Features: wire.Features{1}}, false)
		id, ok := p.Find(corpus.Of(c.input), &c.f, c.kills)
		if ok != c.want {
			t.Errorf("%s: taken %v", c.name, ok)
		}
		if ok && (p.Entries()[id].Kills != c.kills || !p.members[id].assigned) {
			t.Errorf("%s: it is added as %+v", c.name, p.members[id])
		}
	}
}

// What mutants do on an input may be known after the input is another worker's entry.
func TestUpdateCreditsTheEntry(t *testing.T) {
	p := newTestPool()
	p.Add(Entry{Input: corpus.Of("a"), Features: wire.Features{1}, Cost: 5}, false)
	p.Update(corpus.Of("a"), &wire.Found{Infects: []uint32{1, 2}}, 2)
	p.Update(corpus.Of("no entry, no kill"), &wire.Found{Infects: []uint32{3}}, 0)
	p.Update(corpus.Of("a kill"), &wire.Found{Infects: []uint32{3}}, 1)
	want := []Entry{{Input: corpus.Of("a"), Features: wire.Features{1}, Cost: 5, Kills: 2}, {ID: 1, Input: corpus.Of("a kill"), Kills: 1}}
	if got := p.Entries(); !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v", got)
	}
	if p.members[0].nearest != 2 || p.members[1].nearest != 1 {
		t.Errorf("near %d and %d kills", p.members[0].nearest, p.members[1].nearest)
	}
}

// A worker may report that it infects a mutant which another has killed meanwhile.
func TestNoEntryIsNearADeadMutant(t *testing.T) {
	p := newTestPool()
	id, _ := p.Add(Entry{Input: corpus.Of("a")}, false)
	p.Infects(id, []uint32{1, 2})
	p.Killed([]uint32{1, 3})
	p.Infects(id, []uint32{1, 2, 3})
	if m := p.members[id]; m.nearest != 1 || p.infector[2] != m {
		t.Errorf("near %d kills", m.nearest)
	}
}

func TestInputsAreTheCheapestOfTheFirst(t *testing.T) {
	p := newTestPool()
	for i, cost := range []int64{30, 10, 20, 1} {
		p.Add(Entry{Input: corpus.Of(string(rune('a' + i))), Cost: cost}, false)
	}
	for n, want := range map[int]string{0: "", 3: "bca", 9: "dbca"} {
		list, most := p.Inputs(n)
		got := ""
		for _, in := range list {
			got += in.Values()[0].(string)
		}
		if got != want || n > 0 && most != 30 {
			t.Errorf("%d: %q, at most %d", n, got, most)
		}
	}
}

// A dropped entry stays in the corpus, but no worker runs it.
func TestADroppedEntryIsNoParent(t *testing.T) {
	p := newTestPool()
	s := p.NewSchedule(1)
	p.Add(Entry{Input: corpus.Of("a"), Features: wire.Features{1}}, false)
	p.Add(Entry{Input: corpus.Of("b"), Features: wire.Features{2}}, false)
	p.Drop(corpus.Of("a"))
	p.Drop(corpus.Of("none"))
	if got := inputs(p); !slices.Equal(got, []string{"a", "b"}) {
		t.Errorf("the corpus is %q", got)
	}
	if parents := s.Round().Parents; len(parents) != 1 || parents[0].ID != 1 {
		t.Errorf("parents %+v", parents)
	}
}

// Inputs that pass come before those that are discarded.
func TestDiscardsAreParentsLessOften(t *testing.T) {
	p := newTestPool()
	p.Add(Entry{Input: corpus.Of("a"), Features: wire.Features{0}, Cost: 100}, false)
	p.Add(Entry{Input: corpus.Of("b"), Features: wire.Features{8}, Cost: 100}, true)
	s := p.NewSchedule(1)
	s.weigh()
	if a, b := s.weights[0], s.weights[1]; b == 0 || a < 10*b {
		t.Errorf("energies %d and %d", a, b)
	}
}

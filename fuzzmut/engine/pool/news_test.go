package pool

import (
	"reflect"
	"slices"
	"testing"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// A new process gets everything, and a running one only what is new.
func TestNewsAreWhatAWorkerDoesNotKnow(t *testing.T) {
	p := newTestPool()
	s := p.NewSchedule(1)
	p.Add(Entry{Input: corpus.Of("a"), Features: wire.Features{1, 2}, Given: true}, false)
	p.Add(Entry{Input: corpus.Of("b")}, false) // killed a process
	var c Cursor
	want := News{
		Entries: []wire.Entry{{ID: 0, Input: corpus.Of("a").Wire()}, {ID: 1, Input: corpus.Of("b").Wire(), Run: true}},
		Seen:    wire.Features{1, 2}, Study: []int{0, 1},
	}
	if got := s.News(&c, true); !reflect.DeepEqual(got, want) {
		t.Errorf("told %+v, want %+v", got, want)
	}
	p.Add(Entry{Input: corpus.Of("c"), Features: wire.Features{2, 3}}, false)
	p.Drop(corpus.Of("a"))
	want = News{Entries: []wire.Entry{{ID: 2, Input: corpus.Of("c").Wire()}}, Seen: wire.Features{3}, Study: []int{2}}
	if got := s.News(&c, true); !reflect.DeepEqual(got, want) {
		t.Errorf("told %+v, want %+v", got, want)
	}
	if got := s.News(&c, true); !reflect.DeepEqual(got, News{}) {
		t.Errorf("told %+v of nothing new", got)
	}
	if got := s.News(new(Cursor), true); len(got.Entries) != 2 || !slices.Equal(got.Seen, wire.Features{1, 2, 3}) || got.Study != nil {
		t.Errorf("a new process is told %+v", got)
	}
}

func TestEachEntryIsStudiedByOneWorker(t *testing.T) {
	p := newTestPool()
	s := p.NewSchedule(1)
	for i := range studyShare + 3 {
		p.Add(Entry{Input: corpus.Of(i), Given: true}, false)
	}
	mine, _ := p.Find(corpus.Of("mine"), &wire.Found{Features: wire.Features{1}}, 0)
	var a, b Cursor
	if s.News(&a, false).Study != nil {
		t.Error("entries to study for a worker that studies none")
	}
	first, second := s.News(&a, true).Study, s.News(&b, true).Study
	if len(first) != studyShare || len(second) != 3 {
		t.Errorf("%d and %d entries to study", len(first), len(second))
	}
	all := slices.Concat(first, second, s.News(&a, true).Study)
	slices.Sort(all)
	if len(slices.Compact(all)) != studyShare+3 || slices.Contains(all, mine) {
		t.Errorf("given out: %v", all)
	}
}

func TestStudiesAreReassignedOnceAndForNews(t *testing.T) {
	p := newTestPool()
	for i := range 3 {
		p.Add(Entry{Input: corpus.Of(i)}, false)
	}
	if again := p.Reassign([]int{0, 2}, false); !slices.Equal(again, []int{0, 2}) {
		t.Errorf("reassigned: %v", again)
	}
	if again := p.Reassign([]int{2, 1}, false); !slices.Equal(again, []int{1}) {
		t.Errorf("reassigned again: %v", again)
	}
	for n := 1; n < reassignedMost; n++ {
		if again := p.Reassign([]int{2}, true); len(again) != 1 {
			t.Errorf("reassigned after %d times with news: %v", n, again)
		}
	}
	if again := p.Reassign([]int{2}, true); again != nil {
		t.Errorf("reassigned without end: %v", again)
	}
}

package pool

import "github.com/fuzzmut/fuzzmut/instrument/rt/wire"

// Cursor says how much of a pool a worker knows. The zero value knows nothing.
type Cursor struct {
	entries int // members [0, entries)
	seen    int // of Pool.seen
}

// News is what a worker does not know of the pool.
type News struct {
	Entries []wire.Entry // but for those dropped
	Seen    wire.Features
	Study   []int // entries that are its to study from now on
}

// studyShare is how many entries that no worker has found go to one worker at a time.
const studyShare = 32

// News returns what is new to a worker that knows as much as c says, and moves c. If
// study is set, the worker gets entries to study: each entry is studied by one worker,
// the one that has found it, or, of entries that came in by other ways, the first to
// ask.
func (s *Schedule) News(c *Cursor, study bool) News {
	p := s.p
	p.mu.Lock()
	defer p.mu.Unlock()
	var n News
	for _, m := range p.members[c.entries:] {
		if !m.dropped {
			n.Entries = append(n.Entries, wire.Entry{ID: m.ID, Input: m.Input.Wire(), Run: m.Features == nil})
		}
	}
	n.Seen = append(n.Seen, p.seen[c.seen:]...)
	c.entries, c.seen = len(p.members), len(p.seen)
	if study {
		n.Study = s.assign()
	}
	return n
}

// assign takes entries that no worker studies. The caller holds the lock.
func (s *Schedule) assign() (ids []int) {
	for ; s.offered < len(s.p.members) && len(ids) < studyShare; s.offered++ {
		if m := s.p.members[s.offered]; !m.assigned && !m.dropped {
			m.assigned = true
			ids = append(ids, m.ID)
		}
	}
	return ids
}

// reassignedMost is how often another worker studies an entry from the start, where each death but one has shown
// a failure that was not known.
const reassignedMost = 8

// Reassign returns which of the entries that a worker was to study, when it died, another
// is to. One of them may lead to what ended it, and to more of the kind: they are reassigned once, and again
// as long as a death brings news.
func (p *Pool) Reassign(ids []int, news bool) (again []int) {
	most := 1
	if news {
		most = reassignedMost
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, id := range ids {
		if m := p.members[id]; m.reassigned < most {
			m.reassigned++
			again = append(again, id)
		}
	}
	return again
}

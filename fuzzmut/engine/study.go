package engine

import "slices"

// Each entry is studied by one worker: the one that has found it, or, of entries that
// came in by other ways, the one that is the first to ask.

// poolShare is how many entries that no worker has found go to one worker at a time.
const poolShare = 32

// toStudy returns the entries that the slot's process is to study from now on. The
// caller holds the lock.
func (s *slot) toStudy() []int {
	e := s.c.e
	if e.cfg.NoStudy {
		return nil
	}
	list := s.finds
	s.finds = nil
	for taken := 0; s.c.pooled < len(e.entries) && taken < poolShare; s.c.pooled++ {
		if en := e.entries[s.c.pooled]; !en.pupil && !en.dropped {
			en.pupil = true
			list = append(list, en.ID)
			taken++
		}
	}
	s.studies = append(s.studies, list...)
	return list
}

// studied notes that studies have come to their ends.
func (s *slot) studied(done []int) {
	s.studies = slices.DeleteFunc(s.studies, func(id int) bool { return slices.Contains(done, id) })
}

// abandon takes back what the slot's process did not come to study before it died.
// One of the entries may lead to what ended it: none is taken back twice.
func (s *slot) abandon() {
	e := s.c.e
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, id := range s.studies {
		if en := e.entries[id]; !en.orphaned {
			en.orphaned = true
			s.finds = append(s.finds, id)
		}
	}
	s.studies = nil
}

package pump

// Smaller makes a pump smaller as long as keeps holds for it, which is asked calls times at
// most. Parts that are not repeated go first, since they explain the least.
func (p Pump) Smaller(calls int, keeps func(*Pump) bool) Pump {
	s := smaller{best: p, left: calls, keeps: keeps}
	if p.Count {
		s.try(func(q *Pump) { q.Count, q.FirstAt, q.SecondAt, q.Letters = false, 0, 0, false })
	}
	s.try(func(q *Pump) { q.Second, q.SecondAt = nil, 0 })
	s.try(func(q *Pump) { q.First, q.FirstAt = nil, 0 })
	for i := range s.best.parts() {
		s.part(i)
	}
	return s.best
}

// smaller is a pump while it is minimized.
type smaller struct {
	best  Pump
	left  int
	keeps func(*Pump) bool
}

// try keeps a change if it can be kept.
func (s *smaller) try(change func(*Pump)) bool {
	q := s.best.Clone()
	change(&q)
	if s.left <= 0 || !q.Valid() || q.size() >= s.best.size() && q.Count == s.best.Count {
		return false
	}
	s.left--
	if !s.keeps(&q) {
		return false
	}
	s.best = q
	return true
}

func (p *Pump) size() int { return p.Fixed() + p.Unit() }

// part takes blocks out of one part, the large ones first.
func (s *smaller) part(i int) {
	for block := len(*s.best.parts()[i]); block > 0; block /= 2 {
		for at := 0; at+block <= len(*s.best.parts()[i]); {
			if !s.try(func(q *Pump) { q.cut(i, at, block) }) {
				at += block
			}
		}
	}
}

// cut takes a block out of a part.
func (p *Pump) cut(i, at, block int) {
	part := p.parts()[i]
	*part = append((*part)[:at], (*part)[at+block:]...)
	for j, number := range map[int]*int{1: &p.FirstAt, 3: &p.SecondAt} {
		if j == i && *number > at {
			*number = max(*number-block, at)
		}
	}
}

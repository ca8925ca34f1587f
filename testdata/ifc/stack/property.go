package stack

// Outcome is what a property says of two states.
type Outcome int

// The outcomes.
const (
	Passed Outcome = iota
	Discarded
	Failed
)

// Pair is two states of which an observer who sees what is low must not be able to
// tell one from the other.
type Pair struct{ S, T State }

// Check is single-step noninterference: two states that can't be told apart still
// can't be after a step.
func (t *Table) Check(p *Pair) Outcome {
	s1, s2 := &p.S, &p.T
	if s1.PC.Value < 0 || s1.PC.Value >= int64(len(s1.Code)) || !same(s1, s2) {
		return Discarded
	}
	t1, ok := t.Step(s1)
	if !ok {
		return Discarded
	}
	t2, ok := t.Step(s2)
	if !ok {
		return Discarded
	}
	switch {
	case s1.PC.Label == Low, t1.PC.Label == Low && t2.PC.Label == Low:
		return verdict(same(&t1, &t2))
	case t1.PC.Label == Low:
		return verdict(same(s2, &t2))
	}
	return verdict(same(s1, &t1))
}

func verdict(holds bool) Outcome {
	if holds {
		return Passed
	}
	return Failed
}

// same reports whether two states can't be told apart.
func same(s, t *State) bool {
	return sameMem(s.Mem, t.Mem) && sameCode(s.Code, t.Code) && sameAtom(s.PC, t.PC) && sameStack(visible(s), visible(t))
}

func sameAtom(a, b Atom) bool {
	return a.Label == b.Label && (a.Label == High || a.Value == b.Value)
}

func sameMem(a, b []Atom) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if !sameAtom(a[i], b[i]) {
			return false
		}
	}
	return true
}

func sameCode(a, b []Instr) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i].Op != b[i].Op {
			return false
		}
		if operandMatters := a[i].Op == Push || a[i].Op == BCall; operandMatters && a[i].N != b[i].N {
			return false
		}
	}
	return true
}

func sameStack(a, b []Elem) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i].Return != b[i].Return || !sameAtom(a[i].Atom, b[i].Atom) {
			return false
		}
	}
	return true
}

// visible is the part of the stack that an observer sees: while the pc is high, what
// lies from the first low return address on.
func visible(s *State) []Elem {
	if s.PC.Label == Low {
		return s.Stack
	}
	for i, e := range s.Stack {
		if e.Return && e.Atom.Label == Low {
			return s.Stack[i:]
		}
	}
	return nil
}

package register

// Outcome is what a property says of two states.
type Outcome int

// The outcomes.
const (
	Passed Outcome = iota
	Discarded
	Failed
)

// Case is two states of which an observer who sees what flows to a label must not be
// able to tell one from the other.
type Case struct {
	Observer Label
	S, T     State
}

// Check is single-step noninterference: two states that can't be told apart still
// can't be after a step, and no block can be reached by those whom its stamp excludes.
func (t *Table) Check(c *Case) Outcome {
	o, s1, s2 := c.Observer, &c.S, &c.T
	if !o.same(s1, s2) || !s1.wellFormed() || !s2.wellFormed() {
		return Discarded
	}
	t1, ok := t.Step(s1)
	if !ok {
		return Discarded
	}
	if !s1.PC.Label.flowsTo(o) && !t1.PC.Label.flowsTo(o) {
		return verdict(o.same(s1, &t1) && t1.wellFormed())
	}
	t2, ok := t.Step(s2)
	if !ok {
		return Discarded
	}
	if !s1.PC.Label.flowsTo(o) && !t2.PC.Label.flowsTo(o) {
		return Passed
	}
	return verdict(o.same(&t1, &t2) && t1.wellFormed() && t2.wellFormed())
}

func verdict(holds bool) Outcome {
	if holds {
		return Passed
	}
	return Failed
}

// same reports whether an observer can't tell two states apart.
func (o Label) same(s, t *State) bool {
	if !sameCode(s.Code, t.Code) || !o.sameMem(s, t) {
		return false
	}
	if s.PC.Label.flowsTo(o) || t.PC.Label.flowsTo(o) {
		return s.PC == t.PC && o.sameStacks(s.Stack, t.Stack) && o.sameAtoms(s.Regs, t.Regs)
	}
	return o.sameStacks(o.visible(s.Stack), o.visible(t.Stack))
}

func sameCode(a, b []Instr) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i].meant() != b[i].meant() {
			return false
		}
	}
	return true
}

func (o Label) sameAtom(a, b Atom) bool {
	return a.Label == b.Label && (!a.Label.flowsTo(o) || a.Value == b.Value)
}

func (o Label) sameAtoms(a, b []Atom) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if !o.sameAtom(a[i], b[i]) {
			return false
		}
	}
	return true
}

func (o Label) sameMem(s, t *State) bool {
	for stamp := range s.Mem {
		if !Label(stamp).flowsTo(o) {
			continue
		}
		a, b := s.Mem[stamp], t.Mem[stamp]
		if len(a) != len(b) {
			return false
		}
		for i := range a {
			if a[i].Label != b[i].Label || a[i].Label.flowsTo(o) && !o.sameAtoms(a[i].Cells, b[i].Cells) {
				return false
			}
		}
	}
	return true
}

func (o Label) sameStacks(a, b []StackFrame) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		f, g := &a[i], &b[i]
		if !f.Ret.Label.flowsTo(o) && !g.Ret.Label.flowsTo(o) {
			continue
		}
		if f.Ret != g.Ret || f.Reg != g.Reg || f.Label != g.Label || !o.sameAtoms(f.Saved, g.Saved) {
			return false
		}
	}
	return true
}

// visible is the stack from the first frame on that returns to where the observer
// sees the pc.
func (o Label) visible(stack []StackFrame) []StackFrame {
	for len(stack) > 0 && !stack[0].Ret.Label.flowsTo(o) {
		stack = stack[1:]
	}
	return stack
}

// wellFormed reports whether every block that can be reached by who sees a label has a
// stamp that flows to it.
func (s *State) wellFormed() bool {
	for l := L; l < labels; l++ {
		r := reach{s: s, label: l}
		if s.PC.Label.flowsTo(l) && !r.atoms(s.Regs) {
			return false
		}
		for i := range s.Stack {
			if f := &s.Stack[i]; f.Ret.Label.flowsTo(l) && !r.atoms(f.Saved) {
				return false
			}
		}
	}
	return true
}

// reach follows pointers.
type reach struct {
	s     *State
	label Label
	seen  []Block
}

// atoms reports whether the blocks that can be reached from some atoms may be.
func (r *reach) atoms(list []Atom) bool {
	for _, a := range list {
		p, ok := a.Value.(Ptr)
		if !ok || !a.Label.flowsTo(r.label) || r.known(p.Block) {
			continue
		}
		if !p.Block.Stamp.flowsTo(r.label) {
			return false
		}
		r.seen = append(r.seen, p.Block)
		if f, ok := r.s.frame(p.Block); ok && f.Label.flowsTo(r.label) && !r.atoms(f.Cells) {
			return false
		}
	}
	return true
}

func (r *reach) known(b Block) bool {
	for _, s := range r.seen {
		if s == b {
			return true
		}
	}
	return false
}

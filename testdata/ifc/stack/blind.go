package stack

import "math/rand/v2"

// DrawBlind draws a small state and a copy of it in which one to four numbers are
// drawn anew: all there is to do without feedback, and the yardstick of throughput.
func DrawBlind(r *rand.Rand) Pair {
	s := State{
		Code: make([]Instr, r.IntN(4)), Mem: make([]Atom, r.IntN(4)), Stack: make([]Elem, drawHeight(r)),
		PC: Atom{drawSmall(r), drawLabel(r)},
	}
	for i := range s.Code {
		s.Code[i] = Instr{Op(r.IntN(int(ops))), drawSmall(r)}
	}
	for i := range s.Mem {
		s.Mem[i] = Atom{drawSmall(r), drawLabel(r)}
	}
	for i := range s.Stack {
		s.Stack[i] = Elem{r.IntN(2) == 1, Atom{drawSmall(r), drawLabel(r)}}
	}
	t := State{
		Code: append([]Instr(nil), s.Code...), Mem: append([]Atom(nil), s.Mem...), Stack: append([]Elem(nil), s.Stack...), PC: s.PC,
	}
	for range 1 + r.IntN(4) {
		*t.number(r.IntN(len(t.Code) + len(t.Mem) + len(t.Stack) + 1)) = drawSmall(r)
	}
	return Pair{s, t}
}

// drawHeight draws the height of a stack: empty, data and return address have the
// weights 1, k and k where k more elements may come.
func drawHeight(r *rand.Rand) int {
	const most = 3
	n := 0
	for k := most; k > 0 && r.IntN(2*k+1) > 0; k-- {
		n++
	}
	return n
}

func drawSmall(r *rand.Rand) int64 { return r.Int64N(7) - 3 }

// number returns the i-th number of a state.
func (s *State) number(i int) *int64 {
	if i < len(s.Code) {
		return &s.Code[i].N
	}
	i -= len(s.Code)
	if i < len(s.Mem) {
		return &s.Mem[i].Value
	}
	i -= len(s.Mem)
	if i < len(s.Stack) {
		return &s.Stack[i].Atom.Value
	}
	return &s.PC.Value
}

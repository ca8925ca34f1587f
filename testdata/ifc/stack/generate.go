package stack

import "math/rand/v2"

// Draw is the generator written by hand: pairs of states that can't be told apart,
// of which most can make a step.
func Draw(r *rand.Rand) Pair {
	s := State{Mem: []Atom{drawAtom(r), drawAtom(r)}, PC: Atom{r.Int64N(2), drawLabel(r)}}
	for range 4 {
		s.Stack = append(s.Stack, Elem{Return: r.IntN(14) >= 10, Atom: drawAtom(r)})
	}
	in := drawInstr(r, s.Stack)
	s.Code = []Instr{in, in}
	return Pair{s, vary(r, s)}
}

func drawLabel(r *rand.Rand) Label { return Label(r.IntN(2) == 1) }

func drawAtom(r *rand.Rand) Atom { return Atom{r.Int64N(2), drawLabel(r)} }

// drawInstr draws an instruction that can run with the stack.
func drawInstr(r *rand.Rand, stack []Elem) Instr {
	args, frame := 0, false // data on top, and whether a return address is there at all
	for args < len(stack) && !stack[args].Return {
		args++
	}
	frame = args < len(stack)
	weights := [ops]int{Nop: 1, Push: 10}
	if args >= 1 {
		weights[BCall], weights[Load] = 10, 10
		if frame {
			weights[BRet] = 10
		}
	}
	if args >= 2 {
		weights[Add], weights[Store] = 10, 10
	}
	sum := 0
	for _, w := range weights {
		sum += w
	}
	n := r.IntN(sum)
	for op, w := range weights {
		if n -= w; n >= 0 {
			continue
		}
		switch in := (Instr{Op: Op(op)}); in.Op {
		case Push:
			in.N = r.Int64N(2)
			return in
		case BCall:
			in.N = r.Int64N(int64(args))
			return in
		default:
			return in
		}
	}
	panic("no instruction is left")
}

// vary redraws what an observer can't see.
func vary(r *rand.Rand, s State) State {
	t := s
	t.Mem = make([]Atom, len(s.Mem))
	for i, a := range s.Mem {
		t.Mem[i] = varyAtom(r, a)
	}
	t.PC = varyAtom(r, s.PC)
	t.Stack = nil
	hidden := s.PC.Label == High
	if hidden && r.IntN(2) == 0 {
		t.Stack = append(t.Stack, Elem{Atom: drawAtom(r)})
	}
	for _, e := range s.Stack {
		hidden = hidden && !(e.Return && e.Atom.Label == Low)
		if hidden && !e.Return {
			t.Stack = append(t.Stack, Elem{Atom: drawAtom(r)})
		} else {
			t.Stack = append(t.Stack, Elem{e.Return, varyAtom(r, e.Atom)})
		}
	}
	return t
}

func varyAtom(r *rand.Rand, a Atom) Atom {
	if a.Label == High {
		a.Value = r.Int64N(2)
	}
	return a
}

package register

import "math/rand/v2"

const regs = 10

// drawer draws cases by hand.
type drawer struct{ *rand.Rand }

// Draw is the generator written by hand: pairs of states that can't be told apart, of
// which most can make a step.
func Draw(r *rand.Rand) Case {
	d := drawer{r}
	s := State{PC: Addr{d.Int64N(2), d.label()}, Regs: d.atoms(regs)}
	s.Mem[L] = []Frame{{d.label(), d.atoms(2)}, {d.label(), d.atoms(2)}}
	if d.IntN(10) > 0 {
		s.Stack = []StackFrame{d.frame(d.label())}
	}
	in := d.instr(&s)
	s.Code = []Instr{in, in}
	c := Case{Observer: d.label(), S: s}
	c.T = d.vary(c.Observer, s)
	return c
}

func (d drawer) label() Label { return Label(d.IntN(int(labels))) }

// high draws a label that an observer does not see.
func (d drawer) high(o Label) Label {
	for {
		if l := d.label(); !l.flowsTo(o) {
			return l
		}
	}
}

func (d drawer) frame(ret Label) StackFrame {
	return StackFrame{Ret: Addr{d.Int64N(2), ret}, Saved: d.atoms(regs), Reg: uint8(d.IntN(regs)), Label: d.label()}
}

func (d drawer) atoms(n int) []Atom {
	list := make([]Atom, n)
	for i := range list {
		list[i] = Atom{d.value(d.IntN(3)), d.label()}
	}
	return list
}

// value draws a value of a kind: number, pointer or label.
func (d drawer) value(kind int) Value {
	switch kind {
	case 0:
		switch n := d.IntN(21); {
		case n < 10:
			return Int(d.Int64N(15) - 7)
		case n < 20:
			return Int(d.Int64N(2))
		}
		return Int(0)
	case 1:
		return Ptr{Block{uint16(d.IntN(2)), L}, d.Int64N(2)}
	}
	return Lab(d.label())
}

func kindOf(v Value) int {
	switch v.(type) {
	case Int:
		return 0
	case Ptr:
		return 1
	}
	return 2
}

// weights are those of the instructions.
var weights = [ops]int{
	Nop: 1, PcLab: 10, LabOf: 10, MLab: 10, PutLab: 10, BCall: 10, BRet: 50, Alloc: 200, Load: 10, Store: 100,
	Write: 100, Jump: 10, BNZ: 10, PSetOff: 10, Put: 10, BinOp: 10, MSize: 10, PGetOff: 10, Mov: 10,
}

// instr draws an instruction that finds what it needs in the registers.
func (d drawer) instr(s *State) Instr {
	for {
		n := 0
		for _, w := range weights {
			n += w
		}
		n = d.IntN(n)
		op := Op(0)
		for n -= weights[op]; n >= 0; n -= weights[op] {
			op++
		}
		if in, ok := d.operands(s, op); ok {
			return in
		}
	}
}

// holding draws a register that holds a value of a kind.
func (d drawer) holding(s *State, kind int) (r uint8, ok bool) {
	var list []uint8
	for i, a := range s.Regs {
		if kindOf(a.Value) == kind {
			list = append(list, uint8(i))
		}
	}
	if len(list) == 0 {
		return 0, false
	}
	return list[d.IntN(len(list))], true
}

// needs are the kinds of values in the registers that an operation reads, in the order
// in which it names them: n number, p pointer, l label, a any.
var needs = [ops]string{
	Mov: "a", Load: "p", Store: "pa", Write: "pa", Jump: "n", BNZ: "n", BCall: "nl", LabOf: "a", Alloc: "nl",
	PGetOff: "p", PSetOff: "pn", MSize: "p", MLab: "p",
}

func (d drawer) operands(s *State, op Op) (Instr, bool) {
	in := Instr{Op: op, A: uint8(d.IntN(regs)), B: uint8(d.IntN(regs)), C: uint8(d.IntN(regs)), Label: d.label()}
	kinds := needs[op]
	switch op {
	case BRet:
		return in, len(s.Stack) > 0
	case Put:
		in.N = int64(d.value(0).(Int))
	case BNZ:
		in.N = d.Int64N(4) - 1
	case BinOp:
		in.Bin = Bin(d.IntN(int(Eq) + 1))
		kinds = [...]string{Add: "nn", Mult: "nn", Join: "ll", FlowsTo: "ll", Eq: "aa"}[in.Bin]
	}
	for i, k := range kinds {
		r, ok := uint8(d.IntN(regs)), true
		switch k {
		case 'n':
			r, ok = d.holding(s, 0)
		case 'p':
			r, ok = d.holding(s, 1)
		case 'l':
			r, ok = d.holding(s, 2)
		}
		if !ok {
			return in, false
		}
		*[]*uint8{&in.A, &in.B, &in.C}[i] = r
	}
	return in, true
}

// vary redraws what an observer can't see.
func (d drawer) vary(o Label, s State) State {
	t := s
	for stamp, frames := range s.Mem {
		t.Mem[stamp] = nil
		for _, f := range frames {
			if f.Label.flowsTo(o) {
				f.Cells = d.varyAtoms(o, f.Cells)
			} else {
				f.Cells = d.atoms(len(f.Cells) + d.IntN(2))
			}
			t.Mem[stamp] = append(t.Mem[stamp], f)
		}
	}
	t.Stack = nil
	for _, f := range s.Stack {
		if f.Ret.Label.flowsTo(o) {
			f.Saved = d.varyAtoms(o, f.Saved)
		} else {
			f = d.frame(d.high(o))
		}
		t.Stack = append(t.Stack, f)
	}
	if s.PC.Label.flowsTo(o) {
		t.Regs = d.varyAtoms(o, s.Regs)
	} else {
		t.PC = Addr{d.Int64N(2), d.high(o)}
		t.Regs = d.atoms(len(s.Regs))
	}
	return t
}

func (d drawer) varyAtoms(o Label, list []Atom) []Atom {
	out := make([]Atom, len(list))
	for i, a := range list {
		if !a.Label.flowsTo(o) {
			kind := kindOf(a.Value)
			if d.IntN(10) == 0 {
				kind = d.IntN(3)
			}
			a.Value = d.value(kind)
		}
		out[i] = a
	}
	return out
}

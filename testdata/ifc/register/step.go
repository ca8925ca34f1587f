package register

// mostCells bounds an allocation: more is stuck.
const mostCells = 4096

// Step makes one step by the rules of a table, and leaves s alone. It is not ok when
// the machine is stuck.
func (t *Table) Step(s *State) (next State, ok bool) {
	if s.PC.Value < 0 || s.PC.Value >= int64(len(s.Code)) {
		return State{}, false
	}
	in := s.Code[s.PC.Value]
	if in.Op >= Halt {
		return State{}, false
	}
	rule, pc := &t[in.Op], s.PC.Label
	// Each has a case of its own, even if it shares the function, so that a trace tells
	// which it was, as that of the original does.
	switch in.Op {
	case Put:
		res, to, _ := rule.apply(pc)
		return s.set(in.A, Int(in.N), res, to)
	case PcLab:
		res, to, _ := rule.apply(pc)
		return s.set(in.A, Lab(pc), res, to)
	case PutLab:
		res, to, _ := rule.apply(pc)
		return s.set(in.A, Lab(in.Label), res, to)
	case Nop:
		_, to, _ := rule.apply(pc)
		return s.at(s.PC.Value+1, to), true
	case Mov:
		return s.move(in, rule)
	case LabOf:
		return s.move(in, rule)
	case BinOp:
		return s.binOp(in, rule)
	case Jump:
		return s.jump(in, rule)
	case BNZ:
		return s.jump(in, rule)
	case BCall:
		return s.call(in, rule)
	case BRet:
		return s.ret(rule)
	case Load:
		return s.load(in, rule)
	case Store:
		return s.store(in, rule)
	case Write:
		return s.store(in, rule)
	case Alloc:
		return s.alloc(in, rule)
	case PGetOff:
		return s.offset(in, rule)
	case PSetOff:
		return s.offset(in, rule)
	case MSize:
		return s.about(in, rule)
	default: // MLab
		return s.about(in, rule)
	}
}

func (s *State) move(in Instr, rule *Rule) (State, bool) {
	a, ok := s.reg(in.A)
	if !ok {
		return State{}, false
	}
	res, to, _ := rule.apply(s.PC.Label, a.Label)
	if in.Op == LabOf {
		return s.set(in.B, Lab(a.Label), res, to)
	}
	return s.set(in.B, a.Value, res, to)
}

func (s *State) binOp(in Instr, rule *Rule) (State, bool) {
	a, ok := s.reg(in.A)
	if !ok {
		return State{}, false
	}
	b, ok := s.reg(in.B)
	if !ok {
		return State{}, false
	}
	v, ok := compute(in.Bin, a.Value, b.Value)
	if !ok {
		return State{}, false
	}
	res, to, _ := rule.apply(s.PC.Label, a.Label, b.Label)
	return s.set(in.C, v, res, to)
}

func compute(op Bin, a, b Value) (Value, bool) {
	switch op {
	case Add, Mult:
		x, ok1 := a.(Int)
		y, ok2 := b.(Int)
		if op == Add {
			return x + y, ok1 && ok2
		}
		return x * y, ok1 && ok2
	case Join, FlowsTo:
		x, ok1 := a.(Lab)
		y, ok2 := b.(Lab)
		if op == Join {
			return x | y, ok1 && ok2
		}
		return truth(Label(x).flowsTo(Label(y))), ok1 && ok2
	}
	return truth(a == b), true
}

func truth(b bool) Value {
	if b {
		return Int(1)
	}
	return Int(0)
}

func (s *State) jump(in Instr, rule *Rule) (State, bool) {
	n, l, ok := s.number(in.A)
	if !ok {
		return State{}, false
	}
	_, to, _ := rule.apply(s.PC.Label, l)
	switch {
	case in.Op == Jump:
		return s.at(n, to), true
	case n == 0:
		return s.at(s.PC.Value+1, to), true
	}
	return s.at(s.PC.Value+in.N, to), true
}

func (s *State) call(in Instr, rule *Rule) (State, bool) {
	target, l, ok := s.number(in.A)
	if !ok {
		return State{}, false
	}
	a, ok := s.reg(in.B)
	if !ok {
		return State{}, false
	}
	declared, ok := a.Value.(Lab)
	if !ok {
		return State{}, false
	}
	res, to, _ := rule.apply(s.PC.Label, l, a.Label)
	t := s.at(target, to)
	frame := StackFrame{Ret: Addr{s.PC.Value + 1, res}, Saved: s.Regs, Reg: in.C, Label: Label(declared)}
	t.Stack = append([]StackFrame{frame}, s.Stack...)
	return t, true
}

func (s *State) ret(rule *Rule) (State, bool) {
	if len(s.Stack) == 0 {
		return State{}, false
	}
	f := &s.Stack[0]
	a, ok := s.reg(f.Reg)
	if !ok || int(f.Reg) >= len(f.Saved) {
		return State{}, false
	}
	res, to, ok := rule.apply(s.PC.Label, a.Label, f.Label, f.Ret.Label)
	if !ok {
		return State{}, false
	}
	t := s.at(f.Ret.Value, to)
	t.Stack = s.Stack[1:]
	t.Regs = append([]Atom(nil), f.Saved...)
	t.Regs[f.Reg] = Atom{a.Value, res}
	return t, true
}

func (s *State) load(in Instr, rule *Rule) (State, bool) {
	p, l, ok := s.pointer(in.A)
	if !ok {
		return State{}, false
	}
	f, c, ok := s.cell(p)
	if !ok {
		return State{}, false
	}
	res, to, _ := rule.apply(s.PC.Label, l, f.Label, c.Label)
	return s.set(in.B, c.Value, res, to)
}

func (s *State) store(in Instr, rule *Rule) (State, bool) {
	p, l, ok := s.pointer(in.A)
	if !ok {
		return State{}, false
	}
	f, old, ok := s.cell(p)
	if !ok {
		return State{}, false
	}
	v, ok := s.reg(in.B)
	if !ok {
		return State{}, false
	}
	res, to, ok := rule.apply(s.PC.Label, l, f.Label, v.Label, old.Label)
	if !ok {
		return State{}, false
	}
	t := s.at(s.PC.Value+1, to)
	cells := append([]Atom(nil), f.Cells...)
	cells[p.Off] = Atom{v.Value, res}
	frames := append([]Frame(nil), s.Mem[p.Block.Stamp]...)
	frames[p.Block.Index].Cells = cells
	t.Mem[p.Block.Stamp] = frames
	return t, true
}

func (s *State) alloc(in Instr, rule *Rule) (State, bool) {
	n, size, ok := s.number(in.A)
	if !ok || n < 0 || n > mostCells {
		return State{}, false
	}
	a, ok := s.reg(in.B)
	if !ok {
		return State{}, false
	}
	label, ok := a.Value.(Lab)
	if !ok {
		return State{}, false
	}
	stamp := size | a.Label | s.PC.Label // no rule says so, and no fault changes it
	res, to, _ := rule.apply(s.PC.Label, size, a.Label, Label(label))
	block := Block{uint16(len(s.Mem[stamp])), stamp}
	t, ok := s.set(in.C, Ptr{Block: block}, res, to)
	if !ok {
		return State{}, false
	}
	cells := make([]Atom, n)
	for i := range cells {
		cells[i].Value = Int(0)
	}
	t.Mem[stamp] = append(s.Mem[stamp][:block.Index:block.Index], Frame{Label(label), cells})
	return t, true
}

func (s *State) offset(in Instr, rule *Rule) (State, bool) {
	p, l, ok := s.pointer(in.A)
	if !ok {
		return State{}, false
	}
	if in.Op == PGetOff {
		res, to, _ := rule.apply(s.PC.Label, l)
		return s.set(in.B, Int(p.Off), res, to)
	}
	n, nl, ok := s.number(in.B)
	if !ok {
		return State{}, false
	}
	res, to, _ := rule.apply(s.PC.Label, l, nl)
	return s.set(in.C, Ptr{p.Block, n}, res, to)
}

// about is what there is to know of a block: its size and its label.
func (s *State) about(in Instr, rule *Rule) (State, bool) {
	p, l, ok := s.pointer(in.A)
	if !ok {
		return State{}, false
	}
	f, ok := s.frame(p.Block)
	if !ok {
		return State{}, false
	}
	res, to, _ := rule.apply(s.PC.Label, l, f.Label)
	if in.Op == MSize {
		return s.set(in.B, Int(len(f.Cells)), res, to)
	}
	return s.set(in.B, Lab(f.Label), res, to)
}

// Package register is an abstract machine with information-flow labels, after the
// second benchmark of the FuzzChick paper: registers, pointers to memory that is
// allocated, and labels that are values themselves. A fault changes one of the rules
// by which labels spread, and so lets secrets leak.
package register

// Value is a number, a pointer or a label.
type Value interface{ value() }

type (
	// Int is a number.
	Int int64
	// Ptr points to a cell of a block.
	Ptr struct {
		Block Block
		Off   int64
	}
	// Lab is a label as a value.
	Lab Label
)

func (Int) value() {}
func (Ptr) value() {}
func (Lab) value() {}

// Block names a frame of the memory: the one of that index among those of its stamp.
type Block struct {
	Index uint16
	Stamp Label
}

// Atom is a value with its label.
type Atom struct {
	Value Value
	Label Label
}

// Frame is a block's contents.
type Frame struct {
	Label Label
	Cells []Atom
}

// Addr is a code address with its label.
type Addr struct {
	Value int64
	Label Label
}

// StackFrame is what a call leaves.
type StackFrame struct {
	Ret   Addr
	Saved []Atom
	Reg   uint8 `fuzz:"max=9"` // for the result
	Label Label // declared for the result
}

// State is that of the machine.
type State struct {
	Code  []Instr
	Mem   [labels][]Frame // by stamp
	Stack []StackFrame    // the innermost first
	Regs  []Atom
	PC    Addr
}

// Op is what an instruction does.
type Op uint8

// The instructions, in the order in which faults are numbered; behind them Halt.
const (
	Put Op = iota
	Mov
	Load
	Store
	Write
	BinOp
	Nop
	Jump
	BNZ
	BCall
	BRet
	LabOf
	PcLab
	PutLab
	Alloc
	PGetOff
	PSetOff
	MSize
	MLab
	Halt
	ops
)

// Ops lists the instructions.
func Ops() []Op {
	list := make([]Op, ops)
	for i := range list {
		list[i] = Op(i)
	}
	return list
}

// Bin is the operation of a BinOp.
type Bin uint8

// The operations.
const (
	Add Bin = iota
	Mult
	Join
	FlowsTo
	Eq
)

// Bins lists the operations.
func Bins() []Bin { return []Bin{Add, Mult, Join, FlowsTo, Eq} }

// Instr is an instruction. Registers come in the order in which they are written; the
// one for the result is the last that an operation has.
type Instr struct {
	Op      Op
	A, B, C uint8 `fuzz:"max=9"`
	N       int64 // of Put and BNZ
	Label   Label // of PutLab
	Bin     Bin
}

// registers is how many registers each operation names.
var registers = [ops]int{
	Put: 1, Mov: 2, Load: 2, Store: 2, Write: 2, BinOp: 3, Jump: 1, BNZ: 1, BCall: 3,
	LabOf: 2, PcLab: 1, PutLab: 1, Alloc: 3, PGetOff: 2, PSetOff: 3, MSize: 2, MLab: 2,
}

// meant is an instruction without what means nothing to it.
func (in Instr) meant() Instr {
	m := Instr{Op: in.Op}
	if in.Op >= ops {
		return m
	}
	switch registers[in.Op] {
	case 3:
		m.A, m.B, m.C = in.A, in.B, in.C
	case 2:
		m.A, m.B = in.A, in.B
	case 1:
		m.A = in.A
	}
	switch in.Op {
	case Put, BNZ:
		m.N = in.N
	case PutLab:
		m.Label = in.Label
	case BinOp:
		m.Bin = in.Bin
	}
	return m
}

func (s *State) reg(r uint8) (Atom, bool) {
	if int(r) >= len(s.Regs) {
		return Atom{}, false
	}
	return s.Regs[r], true
}

// set returns the state with a value in a register, at the next instruction.
func (s *State) set(r uint8, v Value, l, pc Label) (State, bool) {
	if int(r) >= len(s.Regs) {
		return State{}, false
	}
	t := s.at(s.PC.Value+1, pc)
	t.Regs = append([]Atom(nil), s.Regs...)
	t.Regs[r] = Atom{v, l}
	return t, true
}

// at returns the state with another pc.
func (s *State) at(pc int64, l Label) State {
	t := *s
	t.PC = Addr{pc, l}
	return t
}

// frame returns the frame that a pointer points to.
func (s *State) frame(b Block) (*Frame, bool) {
	if b.Stamp >= labels || int(b.Index) >= len(s.Mem[b.Stamp]) {
		return nil, false
	}
	return &s.Mem[b.Stamp][b.Index], true
}

// cell returns the frame and the cell that a pointer points to.
func (s *State) cell(p Ptr) (*Frame, Atom, bool) {
	f, ok := s.frame(p.Block)
	if !ok || p.Off < 0 || p.Off >= int64(len(f.Cells)) {
		return nil, Atom{}, false
	}
	return f, f.Cells[p.Off], true
}

// pointer reads a register that holds a pointer.
func (s *State) pointer(r uint8) (p Ptr, l Label, ok bool) {
	a, ok := s.reg(r)
	if !ok {
		return Ptr{}, 0, false
	}
	p, ok = a.Value.(Ptr)
	return p, a.Label, ok
}

// number reads a register that holds a number.
func (s *State) number(r uint8) (n int64, l Label, ok bool) {
	a, ok := s.reg(r)
	if !ok {
		return 0, 0, false
	}
	i, ok := a.Value.(Int)
	return int64(i), a.Label, ok
}

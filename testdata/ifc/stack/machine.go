// Package stack is an abstract machine with information-flow labels, after the
// benchmark of the FuzzChick paper: a stack machine whose rules say how labels
// spread. A fault takes one label out of one rule, and so lets secrets leak.
package stack

// Label says who may see a value.
type Label bool

// The labels: what is low may be seen, what is high is secret.
const (
	Low  Label = false
	High Label = true
)

// Atom is a number with its label.
type Atom struct {
	Value int64
	Label Label
}

// Elem is an element of the stack: data, or a return address.
type Elem struct {
	Return bool
	Atom   Atom
}

// Op is what an instruction does.
type Op uint8

// The instructions, in the order in which faults are numbered.
const (
	BCall Op = iota // N is the number of arguments
	BRet
	Nop
	Push // N is the number
	Add
	Load
	Store
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

// Instr is an instruction; N means something to Push and BCall.
type Instr struct {
	Op Op
	N  int64
}

// State is that of the machine.
type State struct {
	Code  []Instr
	Mem   []Atom
	Stack []Elem // the top first
	PC    Atom
}

func (s *State) next(label Label) Atom { return Atom{s.PC.Value + 1, label} }

// with returns the state with another pc, and elements on the stack in place of the
// first drop.
func (s *State) with(pc Atom, drop int, push ...Elem) State {
	t := *s
	t.PC = pc
	t.Stack = make([]Elem, 0, len(push)+len(s.Stack)-drop)
	t.Stack = append(append(t.Stack, push...), s.Stack[drop:]...)
	return t
}

// data returns the i-th element of the stack if it is data.
func (s *State) data(i int) (Atom, bool) {
	if i >= len(s.Stack) || s.Stack[i].Return {
		return Atom{}, false
	}
	return s.Stack[i].Atom, true
}

func data(v int64, l Label) Elem { return Elem{Atom: Atom{v, l}} }

// Step makes one step by the rules of a table, and leaves s alone. It is not ok when
// the machine is stuck.
func (t *Table) Step(s *State) (next State, ok bool) {
	if s.PC.Value < 0 || s.PC.Value >= int64(len(s.Code)) {
		return State{}, false
	}
	in := s.Code[s.PC.Value]
	rule := &t[in.Op]
	pc := s.PC.Label
	switch in.Op {
	case Nop:
		_, to, _ := rule.apply(pc, Low, Low, Low)
		return s.with(s.next(to), 0), true
	case Push:
		res, to, _ := rule.apply(pc, Low, Low, Low)
		return s.with(s.next(to), 0, data(in.N, res)), true
	case Add:
		return t.add(s, rule)
	case Load:
		return t.load(s, rule)
	case Store:
		return t.store(s, rule)
	case BCall:
		return t.call(s, rule, in.N)
	case BRet:
		return t.ret(s, rule)
	}
	return State{}, false // Halt
}

func (t *Table) add(s *State, rule *Rule) (State, bool) {
	a, ok := s.data(0)
	if !ok {
		return State{}, false
	}
	b, ok := s.data(1)
	if !ok {
		return State{}, false
	}
	res, pc, _ := rule.apply(s.PC.Label, a.Label, b.Label, Low)
	return s.with(s.next(pc), 2, data(a.Value+b.Value, res)), true
}

func (t *Table) load(s *State, rule *Rule) (State, bool) {
	p, ok := s.data(0)
	if !ok || p.Value < 0 || p.Value >= int64(len(s.Mem)) {
		return State{}, false
	}
	cell := s.Mem[p.Value]
	res, pc, _ := rule.apply(s.PC.Label, cell.Label, p.Label, Low)
	return s.with(s.next(pc), 1, data(cell.Value, res)), true
}

func (t *Table) store(s *State, rule *Rule) (State, bool) {
	p, ok := s.data(0)
	if !ok {
		return State{}, false
	}
	v, ok := s.data(1)
	if !ok || p.Value < 0 || p.Value >= int64(len(s.Mem)) {
		return State{}, false
	}
	res, pc, ok := rule.apply(s.PC.Label, p.Label, v.Label, s.Mem[p.Value].Label)
	if !ok {
		return State{}, false
	}
	next := s.with(s.next(pc), 2)
	next.Mem = append([]Atom(nil), s.Mem...)
	next.Mem[p.Value] = Atom{v.Value, res}
	return next, true
}

func (t *Table) call(s *State, rule *Rule, n int64) (State, bool) {
	target, ok := s.data(0)
	if !ok || n < 0 || n > int64(len(s.Stack)) {
		return State{}, false
	}
	frame := make([]Elem, 0, n+1)
	for i := range int(n) {
		a, ok := s.data(1 + i)
		if !ok {
			return State{}, false
		}
		frame = append(frame, Elem{Atom: a})
	}
	res, pc, _ := rule.apply(s.PC.Label, target.Label, Low, Low)
	frame = append(frame, Elem{Return: true, Atom: s.next(res)})
	return s.with(Atom{target.Value, pc}, 1+int(n), frame...), true
}

func (t *Table) ret(s *State, rule *Rule) (State, bool) {
	a, ok := s.data(0)
	if !ok {
		return State{}, false
	}
	for i := 1; i < len(s.Stack); i++ {
		if s.Stack[i].Return {
			r := s.Stack[i].Atom
			res, pc, _ := rule.apply(s.PC.Label, r.Label, a.Label, Low)
			return s.with(Atom{r.Value, pc}, i+1, data(a.Value, res)), true
		}
	}
	return State{}, false
}

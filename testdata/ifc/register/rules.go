package register

// Label says who may see a value: two bits, of which a greater set is more secret.
type Label uint8

// The labels: M1 and M2 lie between the others and can't be compared.
const (
	L Label = iota
	M1
	M2
	H
	labels
)

// Labels lists the labels.
func Labels() []Label { return []Label{L, M1, M2, H} }

func (l Label) flowsTo(m Label) bool { return l&^m == 0 }

// operand is a label that a rule may mention.
type operand uint8

const (
	first operand = iota
	second
	third
	fourth
	current // that of the pc
)

// Rule says how labels spread: each list is the join of its operands.
type Rule struct {
	Check, Under []operand // each of Check must flow to the join of Under
	Res, Next    []operand // of the result, and of the next pc
	noResult     bool
}

// Table is the rule of each instruction.
type Table [ops]Rule

// rules returns the table that keeps secrets. The order of operands fixes the numbers
// of the faults.
func rules() Table {
	pc := []operand{current}
	only := func(o operand) []operand { return []operand{o} }
	return Table{
		Put:     {Next: pc},
		Mov:     {Res: only(first), Next: pc},
		Load:    {Res: only(third), Next: []operand{current, first, second}}, // pointer, frame, cell
		Store:   {Check: []operand{first, current}, Under: only(second), Res: only(third), Next: pc},
		Write:   {Check: []operand{current, first, third}, Under: []operand{second, fourth}, Res: only(fourth), Next: pc},
		BinOp:   {Res: []operand{first, second}, Next: pc},
		Nop:     {Next: pc, noResult: true},
		Jump:    {Next: []operand{current, first}, noResult: true},
		BNZ:     {Next: []operand{first, current}, noResult: true},
		BCall:   {Res: []operand{second, current}, Next: []operand{first, current}},
		BRet:    {Check: []operand{first, current}, Under: []operand{second, third}, Res: only(second), Next: only(third)},
		LabOf:   {Next: pc},
		PcLab:   {Next: pc},
		PutLab:  {Next: pc},
		Alloc:   {Res: []operand{first, second}, Next: pc},
		PGetOff: {Res: only(first), Next: pc},
		PSetOff: {Res: []operand{first, second}, Next: pc},
		MSize:   {Res: only(second), Next: []operand{current, first}},
		MLab:    {Res: only(first), Next: pc},
	}
}

// Faults is the number of faults.
const Faults = 33

// New returns the table with a fault from 1 to Faults, or without one for 0.
func New(fault int) *Table {
	t := rules()
	f := faulter{fault: fault}
	for op := range t {
		r := &t[op]
		r.Check = f.drop(r.Check)
		r.Res = f.drop(r.Res)
		if r.noResult {
			r.Next = f.drop(r.Next)
		} else {
			f.move(r)
		}
	}
	return &t
}

// faulter counts faults and makes one of them.
type faulter struct{ fault, n int }

// drop leaves out one operand.
func (f *faulter) drop(list []operand) []operand {
	for i := range list {
		if f.n++; f.n == f.fault {
			return without(list, i)
		}
	}
	return list
}

// move has one operand taint the result in place of the pc.
func (f *faulter) move(r *Rule) {
	for i, o := range r.Next {
		if o == current {
			continue
		}
		if f.n++; f.n == f.fault {
			r.Next = without(r.Next, i)
			r.Res = append(append([]operand(nil), r.Res...), o)
			return
		}
	}
}

func without(list []operand, i int) []operand {
	return append(append([]operand(nil), list[:i]...), list[i+1:]...)
}

// apply returns the labels that a rule yields, and whether its check holds.
func (r *Rule) apply(pc Label, given ...Label) (res, next Label, ok bool) {
	var l [5]Label
	copy(l[:], given)
	l[current] = pc
	if !join(&l, r.Check).flowsTo(join(&l, r.Under)) {
		return 0, 0, false
	}
	return join(&l, r.Res), join(&l, r.Next), true
}

func join(l *[5]Label, list []operand) (j Label) {
	for _, o := range list {
		j |= l[o]
	}
	return j
}

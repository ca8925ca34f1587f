package stack

// operand is a label that a rule may mention.
type operand uint8

const (
	first operand = iota
	second
	third
	current // that of the pc
)

// Rule says how labels spread: each list is the join of its operands.
type Rule struct {
	Check     []operand // each must flow to the third operand
	Res, Next []operand // of the result, and of the next pc
}

// Table is the rule of each instruction.
type Table [ops]Rule

// rules returns the table that keeps secrets. The order of operands fixes the
// numbers of the faults.
func rules() Table {
	pc := []operand{current}
	return Table{
		BCall: {Res: pc, Next: []operand{first, current}},
		BRet:  {Res: []operand{second, current}, Next: []operand{first}},
		Nop:   {Next: pc},
		Push:  {Next: pc},
		Add:   {Res: []operand{first, second}, Next: pc},
		Load:  {Res: []operand{first, second}, Next: pc}, // of the cell and of the pointer
		Store: {Check: []operand{first, current}, Res: []operand{current, first, second}, Next: pc},
		Halt:  {},
	}
}

// Faults is the number of faults that can be seen.
const Faults = 20

// New returns the table with a fault from 1 to Faults, or without one for 0.
func New(fault int) *Table {
	t := rules()
	n := 0
	without := func(list []operand) []operand {
		for i := range list {
			if n++; n == fault {
				return append(append([]operand(nil), list[:i]...), list[i+1:]...)
			}
		}
		return list
	}
	for op := range t {
		r := &t[op]
		r.Check, r.Res, r.Next = without(r.Check), without(r.Res), without(r.Next)
	}
	return &t
}

// apply returns the labels that a rule yields, and whether its check holds.
func (r *Rule) apply(pc, a, b, c Label) (res, next Label, ok bool) {
	labels := [...]Label{first: a, second: b, third: c, current: pc}
	for _, o := range r.Check {
		if labels[o] == High && c == Low {
			return Low, Low, false
		}
	}
	for _, o := range r.Res {
		res = res || labels[o]
	}
	for _, o := range r.Next {
		next = next || labels[o]
	}
	return res, next, true
}

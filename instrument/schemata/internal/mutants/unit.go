package mutants

import (
	"cmp"
	"go/ast"
	"go/token"

	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/operator"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/equivalence"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/plain"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/reasons"
)

// A Unit is what is switched between its bodies as a whole, or an initializer.
type Unit struct {
	Name   string         // of the function, for reports; "" of an initializer
	Scope  string         // names the unit in mutant IDs
	Static reasons.Reason // why its mutants can't be switched; nil if they can
	Func   int            // number of the function; -1 of an initializer

	Live []token.Pos // of the sites that got schemata

	file *File
}

// NewUnit returns a unit of a file; fn is its function's number.
func (f *File) NewUnit(fn int, name, scope string, static reasons.Reason) *Unit {
	return &Unit{Name: name, Scope: scope, Static: static, Func: fn, file: f}
}

// A Site is one place that can be mutated.
type Site interface {
	// Describe returns what the operators are asked about, and the node whose text
	// names the mutants. It is asked more than once.
	Describe() (*operator.Site, ast.Node)
	// Plain returns the edit of the source that a change stands for, or why there is
	// none.
	Plain(operator.Change) (plain.Edit, reasons.Reason)
	// Schemata writes the changes into the copied bodies. Their mutants have
	// consecutive numbers from base on. There is at least one.
	Schemata(base int, live []operator.Change)
}

// Offer asks all operators for changes at a site, makes a mutant of each, and has the
// site write the schemata that are needed, for static mutants, too. It returns the
// number of the first mutant, 0 if there is none that needs schemata. Where mutants
// are not wanted, quiet says why.
func (u *Unit) Offer(s Site, quiet reasons.Reason) (base int) {
	site, node := s.Describe()
	list := u.file.list
	base = list.Next()
	counted := u.Count(s)
	var live []operator.Change
	seen := map[string]bool{}
	var left reasons.Reason
	noise := list.uninteresting(node.Pos())
	for _, op := range list.Operators {
		status, reason := u.status(node.Pos(), op)
		for _, c := range op.Inspect(site) {
			key := equivalence.Key(site, c)
			if seen[key] {
				continue
			}
			seen[key] = true
			p, why := plain.Edit{}, equivalence.Reason(site, c)
			if why == nil && u.file.facts.Unread(node.Pos()) {
				why = reasons.NeverRead
			}
			if why == nil {
				p, why = s.Plain(c)
				left = cmp.Or(left, leftOut(why, quiet))
			}
			switch {
			case quiet != nil:
			case why != nil:
				list.Skip(node.Pos(), op.Name, why)
			case u.add(op, node, equivalence.Name(site, c), counted, p, status, reason) && status != instrument.StatusSkipped:
				live = append(live, c)
			}
		}
	}
	if mutated := list.Next() > base; mutated && len(live) == 0 && noise != nil {
		list.count(false, noise)
	} else {
		list.count(mutated, left)
	}
	if len(live) == 0 {
		return 0
	}
	u.Live = append(u.Live, node.Pos())
	s.Schemata(base, live)
	return base
}

// uninteresting returns why nobody would want to read of mutants at a position.
func (l *List) uninteresting(pos token.Pos) reasons.Reason {
	if l.Uninteresting == nil {
		return nil
	}
	return l.Uninteresting(pos, pos+1)
}

// doubt returns why mutants at a position are seldom worth a test.
func (l *List) doubt(pos token.Pos) string {
	if l.Doubt == nil {
		return ""
	}
	return l.Doubt(pos)
}

// leftOut returns why there is no mutant of a change that could be one: the
// reason for its place, or for itself. A change that would not compile is none,
// nor is one that makes no difference.
func leftOut(why, quiet reasons.Reason) reasons.Reason {
	if why != nil && (why.Class() == reasons.NoCompile || why.Class() == reasons.NoChange) {
		return nil
	}
	return cmp.Or(quiet, why)
}

// status returns whether an operator's mutants at a position can be run, and why not. Guards
// are repairs: what is logged may panic, too.
func (u *Unit) status(pos token.Pos, op *operator.Operator) (instrument.Status, string) {
	if reason := u.file.ignored.At(pos); reason != "" {
		return instrument.StatusSkipped, reason
	}
	if why := u.file.list.uninteresting(pos); why != nil && op.Group != operator.GroupGuards {
		return instrument.StatusSkipped, why.String()
	}
	if u.Static != nil {
		return instrument.StatusStatic, u.Static.String()
	}
	return instrument.StatusLive, ""
}

// add lists a mutant, unless the same edit was made from another site before.
func (u *Unit) add(op *operator.Operator, node ast.Node, change string, counted ordinals, p plain.Edit, status instrument.Status, reason string) bool {
	list, src := u.file.list, u.file.src
	lo, hi := src.Off(p.Lo), src.Off(p.Hi)
	key := editKey(lo, hi, p.Text)
	if u.file.edits[key] || string(src.Src[lo:hi]) == p.Text {
		return false
	}
	u.file.edits[key] = true
	u.file.ignored.Met(node.Pos())
	pos := list.Fset.PositionFor(p.Lo, false)
	name := u.key(op, src.Node(node), change)
	list.Mutants = append(list.Mutants, instrument.Mutant{
		Index: list.Next(), ID: list.id(name, counted[name]),
		Operator: op.Name, Package: list.ImportPath, FuncIndex: u.Func, Func: u.Name,
		File: src.Path, Line: pos.Line, Column: pos.Column, Offset: lo, End: hi,
		Original: string(src.Src[lo:hi]), Replacement: p.Text, Description: p.Desc, Doubt: cmp.Or(p.Doubt, list.doubt(node.Pos())),
		Status: status, Reason: reason,
	})
	return true
}

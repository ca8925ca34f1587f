package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/fuzzmut/fuzzmut/instrument/operator"
	"github.com/fuzzmut/fuzzmut/instrument/rt/observe"
)

// A Finding is what survivors say of the tests that is worth a reader's time: one survivor, and
// those that are shown by it.
type Finding struct {
	*Mutant // the one that is shown

	// Whole says that tests run the function, and that none of its mutants is killed: its
	// body could do something else, and no test would notice (the pseudo-tested methods of
	// Niedermayr, Juergens and Wagner, 2016).
	Whole bool
	// More are the others: of the function if it is Whole, else those in the code that the
	// mutant takes away, and those of its line.
	More []*Mutant
	// Same are those that make the same change to the same text in other places, with those
	// that are shown by them.
	Same []Finding
}

// Findings returns what the survivors among ms say, what matters most first.
//
// Those that no test of any kind notices stand before those that nobody knows of, and these
// before those that another test notices. Within each, survivors come first with which a call
// in a test returns something else, since such a test lacks an assertion only. Functions
// that no test checks come next. Then come one finding for each line: what changes more before what changes
// less (see [operator.Extent]), what is in doubt last, and the functions take turns, so that one function
// full of survivors does not hide the others. Values beside an error come at the end: callers do not
// look at them.
func Findings(ms []Mutant) []Finding {
	functions := make(map[string][]*Mutant)
	for i := range ms {
		functions[ms[i].declaration()] = append(functions[ms[i].declaration()], &ms[i])
	}
	type ranked struct {
		Finding
		class, place int
	}
	var all []ranked
	for _, fn := range functions {
		list := inFunction(fn)
		slices.SortFunc(list, func(a, b Finding) int { return compareFindings(&a, &b) })
		// Each further finding of a function waits as if it changed less.
		for turn, f := range list {
			all = append(all, ranked{f, f.noticed(), int(extent(f.Mutant)) + turn + f.unseen()})
		}
	}
	slices.SortFunc(all, func(a, b ranked) int {
		return cmp.Or(
			cmp.Compare(a.class, b.class),
			cmp.Compare(a.distance(), b.distance()),
			FalseFirst(b.Whole, a.Whole),
			cmp.Compare(a.place, b.place),
			compareFindings(&a.Finding, &b.Finding),
		)
	})
	var out []Finding
	shown := make(map[string]int)
	for _, f := range all {
		key := fmt.Sprintf("%d %s %q %q", f.class, f.Operator, f.Original, f.Replacement)
		i, same := shown[key]
		if same && !f.Whole && !out[i].Whole && f.isCopy() {
			out[i].Same = append(out[i].Same, f.Finding)
			continue
		}
		if !same {
			shown[key] = len(out)
		}
		out = append(out, f.Finding)
	}
	return out
}

// copied is the length in bytes from which on the same text in two places is taken for a copy:
// shorter texts, as "i++", are the same by chance.
const copied = 24

// copiedCall is that of a statement with a call: it names what is done, as "i = indirect(i)".
const copiedCall = 12

// isCopy says whether the same change in two places is taken for one.
func (m *Mutant) isCopy() bool {
	call := extent(m) == removal && strings.Contains(m.Original, "(")
	return len(m.Original) >= copied || call && len(m.Original) >= copiedCall
}

// RankSurvivors returns the survivors among ms in the order of their findings: see InOrder.
func RankSurvivors(ms []Mutant) []*Mutant { return InOrder(Findings(ms)) }

// InOrder returns the survivors of findings: first those that are shown, and then those that
// are shown by them.
func InOrder(findings []Finding) []*Mutant {
	var shown, more []*Mutant
	for _, f := range findings {
		shown = append(shown, f.Mutant)
		more = append(more, f.others()...)
	}
	return append(shown, more...)
}

// others returns the survivors that are shown by f.
func (f *Finding) others() []*Mutant {
	list := slices.Clone(f.More)
	for _, same := range f.Same {
		list = append(append(list, same.Mutant), same.More...)
	}
	return list
}

// compareFindings orders the findings of one function. It is total.
func compareFindings(a, b *Finding) int {
	return cmp.Or(
		cmp.Compare(a.noticed(), b.noticed()),
		cmp.Compare(a.distance(), b.distance()),
		cmp.Compare(extent(a.Mutant), extent(b.Mutant)),
		cmp.Compare(a.unseen(), b.unseen()),
		cmp.Compare(len(b.More), len(a.More)),
		ByPosition(a.Mutant, b.Mutant),
	)
}

// FalseFirst compares two booleans: false comes before true.
func FalseFirst(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

// noticed is 0 for a survivor that no test of any kind notices, 1 if that is not known, and 2
// if another test notices it.
func (m *Mutant) noticed() int {
	switch {
	case m.OtherTests.Status == Killed:
		return 2
	case !m.OtherTests.Unnoticed():
		return 1
	}
	return 0
}

// distance says how far what a survivor changes is from a test that fails: 0 if a call in a
// test returns a different value, 1 if callers hardly rely on it, 2 if none is known, and 3 if it
// returns an error, too.
func (m *Mutant) distance() int {
	switch {
	case m.Seen == nil:
		return 2
	case m.Seen.Weak == string(observe.BesideError):
		return 3
	case m.Seen.Weak != "":
		return 1
	}
	return 0
}

// unseen is 1 if no value ever differed with the mutant, else 0. Where it is a result, such as
// an error that was always nil, the tests lack a case with another one.
func (m *Mutant) unseen() int {
	if m.Infected > 0 || operator.IsOutcome(m.Operator) {
		return 0
	}
	return 1
}

// inFunction returns the findings of one function, in no particular order.
func inFunction(ms []*Mutant) []Finding {
	var survivors []*Mutant
	reached, unjudged := 0, 0
	for _, m := range ms {
		switch {
		case m.Survives():
			survivors = append(survivors, m)
			reached++
		case m.Status == Killed, m.KilledByLeftOut != "":
			reached++
		case m.Status == Pending:
			unjudged++
		}
	}
	if len(survivors) == 0 {
		return nil
	}
	slices.SortFunc(survivors, func(a, b *Mutant) int {
		return cmp.Or(
			cmp.Compare(a.noticed(), b.noticed()),
			cmp.Compare(extent(a), extent(b)),
			cmp.Compare(a.distance(), b.distance()),
			cmp.Compare(a.unseen(), b.unseen()),
			ByPosition(a, b),
		)
	})
	if wholly(survivors, reached, unjudged) {
		f := Finding{Mutant: survivors[0], Whole: true, More: survivors[1:]}
		f.promote()
		return []Finding{f}
	}
	return byCode(survivors)
}

// fewest is the number of mutants from which on it says something of a function that none is
// killed. A function with fewer may have none that a test could notice.
const fewest = 4

// wholly says whether tests reach a function and notice nothing of what it does. A mutant that
// changes a value has to be among them, or the tests may not reach what matters.
func wholly(survivors []*Mutant, reached, unjudged int) bool {
	if len(survivors) < max(fewest, reached) || unjudged > 0 || survivors[0].Function == "" {
		return false
	}
	infected := false
	for _, m := range survivors {
		if m.noticed() != survivors[0].noticed() || m.noticed() == 2 {
			return false
		}
		infected = infected || m.Infected > 0
	}
	return infected
}

// byCode returns one finding for each piece of code that a survivor takes away, and for each
// line of the others. survivors are of one function, those that change most first.
func byCode(survivors []*Mutant) []Finding {
	var out []Finding
	taken := make(map[*Mutant]bool)
	take := func(m *Mutant, belongs func(*Mutant) bool) {
		if taken[m] {
			return
		}
		taken[m] = true
		f := Finding{Mutant: m}
		for _, other := range survivors {
			if !taken[other] && other.noticed() == m.noticed() && belongs(other) {
				taken[other] = true
				f.More = append(f.More, other)
			}
		}
		f.promote()
		out = append(out, f)
	}
	// What takes most away comes first, or a part of it would be a finding beside it.
	var removals []*Mutant
	for _, m := range survivors {
		if extent(m) == removal {
			removals = append(removals, m)
		}
	}
	slices.SortStableFunc(removals, func(a, b *Mutant) int { return cmp.Compare(len(b.Original), len(a.Original)) })
	for _, m := range removals {
		take(m, func(other *Mutant) bool { return m.contains(other) || m.sameLine(other) })
	}
	for _, m := range survivors {
		take(m, m.sameLine)
	}
	return out
}

// promote shows the survivor that is nearest to a test that fails in place of the one that is
// shown.
func (f *Finding) promote() {
	for i, m := range f.More {
		if m.distance() < f.distance() {
			f.Mutant, f.More[i] = m, f.Mutant
		}
	}
}

func (m *Mutant) sameLine(other *Mutant) bool { return m.File == other.File && m.Line == other.Line }

// contains says whether another mutant is within the code that m replaces.
func (m *Mutant) contains(other *Mutant) bool {
	if m.File != other.File || other.before(m.Line, m.Column) {
		return false
	}
	endLine, endColumn := m.end()
	line, column := other.end()
	return line < endLine || line == endLine && column <= endColumn
}

func (m *Mutant) before(line, column int) bool {
	return m.Line < line || m.Line == line && m.Column < column
}

// end returns the place after the code that m replaces.
func (m *Mutant) end() (line, column int) {
	if i := strings.LastIndexByte(m.Original, '\n'); i >= 0 {
		return m.Line + strings.Count(m.Original, "\n"), len(m.Original) - i
	}
	return m.Line, m.Column + len(m.Original)
}

// extent says how much a mutant changes. What a test should notice sooner is less.
func extent(m *Mutant) operator.Extent {
	if m.Doubt != "" {
		return operator.Doubtful
	}
	return operator.ExtentOf(m.Operator)
}

const removal = operator.Removal

package study

import (
	"strings"

	"github.com/fuzzmut/fuzzmut/instrument/rt/codes"
)

// Bounds on the edits of one input.
const (
	maxEdits    = 1024
	goalEdits   = 64 // of a goal at its first attempt
	triesToHalf = 4  // attempts after which a goal gets half of that
	maxPlaces   = 8  // of one form in one argument
	maxResize   = 4096
)

// Plan returns edits of an input on which the comparisons were recorded. Each may make
// an open comparison come out differently. What is near the end of the execution comes
// first, and no goal has its second edit before all have had their first. Also open are
// comparisons for whose first mutant wants holds: some mutant of theirs differs only
// with equal operands, for example. maxLen bounds the length of an argument, in bytes.
func Plan(vals []any, list []Comparison, goals *Goals, wants func(mutant uint32) bool, maxLen int) []Edit {
	p := planner{vals: vals, maxLen: maxLen}
	return p.plan(list, goals, wants, p.edit)
}

// plan has edit make at most n edits for each group of open comparisons.
func (p *planner) plan(list []Comparison, goals *Goals, wants func(mutant uint32) bool, edit func(g *group, n int)) []Edit {
	for i := len(list) - 1; i >= 0; i-- {
		if c := &list[i]; (goals.Open(c) || wants(c.Mutant)) && !(c.XConst && c.YConst) {
			p.group(goals.Of(c)).list = append(p.group(goals.Of(c)).list, c)
		}
	}
	for _, g := range p.groups {
		if n := goals.Try(g.goal); n/triesToHalf < 8 {
			edit(g, goalEdits>>(n/triesToHalf))
		}
	}
	return p.dealt()
}

// planner makes the edits of one input.
type planner struct {
	vals   []any
	maxLen int
	groups []*group
	byGoal map[Goal]*group
}

// group is what serves one goal.
type group struct {
	goal  Goal
	list  []*Comparison
	edits []Edit
}

func (p *planner) group(goal Goal) *group {
	if p.byGoal == nil {
		p.byGoal = make(map[Goal]*group)
	}
	g := p.byGoal[goal]
	if g == nil {
		g = &group{goal: goal}
		p.byGoal[goal] = g
		p.groups = append(p.groups, g)
	}
	return g
}

// edit makes at most n edits for a group.
func (p *planner) edit(g *group, n int) {
	e := newEdits(p.vals, p.maxLen)
	for i, c := range g.list {
		// Each evaluation has its share of what those before it have left.
		e.most = len(e.list) + (n-len(e.list))/(len(g.list)-i)
		e.comparison(c)
	}
	for i := range e.list {
		e.list[i].Goal, e.list[i].Mutant = g.goal, g.list[0].Mutant
	}
	g.edits = e.list
}

// dealt returns the edits of all groups, one of each in turn.
func (p *planner) dealt() []Edit {
	var all []Edit
	for n, more := 0, true; more && len(all) < maxEdits; n++ {
		more = false
		for _, g := range p.groups {
			if n < len(g.edits) {
				all = append(all, g.edits[n])
				more = true
			}
		}
	}
	return all[:min(len(all), maxEdits)]
}

// comparison adds edits that bring the operands of a comparison together, or just
// past each other.
func (e *edits) comparison(c *Comparison) {
	if c.Kind == codes.Text {
		e.textComparison(c)
		return
	}
	for _, d := range c.offsets() {
		if !c.XConst {
			e.number(c, c.X, c.plus(c.Y, d))
		}
		if !c.YConst {
			e.number(c, c.Y, c.plus(c.X, -d))
		}
	}
}

// offsets returns what is to be added to y to have an x with which the comparison
// comes out otherwise, and then what else lies next to y.
func (c *Comparison) offsets() []int64 {
	switch c.Op {
	case codes.Less:
		if !c.Held {
			return []int64{-1, 0, 1}
		}
	case codes.Greater:
		if !c.Held {
			return []int64{1, 0, -1}
		}
	case codes.LessEqual:
		if c.Held {
			return []int64{1, 0, -1}
		}
	case codes.GreaterEqual:
		if c.Held {
			return []int64{-1, 0, 1}
		}
	default:
		if c.equal() {
			return []int64{1}
		}
		return []int64{0}
	}
	return []int64{0, 1, -1}
}

// equal reports whether the operands were equal.
func (c *Comparison) equal() bool { return c.Held != (c.Op == codes.NotEqual) }

// number adds edits that turn a number into another wherever it may stand.
func (e *edits) number(c *Comparison, have, want uint64) {
	if have == want {
		return
	}
	e.scalars(c, have, want)
	for _, f := range numberForms(c, have, want) {
		e.everywhere(f)
	}
	e.resize(c, have, want)
	e.shiftScalars(c, have, want)
}

// everywhere adds an edit for each place of a form.
func (e *edits) everywhere(f form) (found bool) {
	for arg, text := range e.texts {
		for _, at := range places(text, f.have) {
			found = true
			e.replace(arg, at, at+len(f.have), f.want)
		}
	}
	return found
}

// places returns where s stands in text: if that is in many places, the first and the
// last ones.
func places(text, s string) []int {
	var list []int
	for from := 0; len(list) < maxPlaces/2; {
		i := strings.Index(text[from:], s)
		if i < 0 {
			return list
		}
		list = append(list, from+i)
		from += i + 1
	}
	end := len(text)
	for n := len(list); n < maxPlaces; n++ {
		i := strings.LastIndex(text[:end], s)
		if i <= list[maxPlaces/2-1] {
			break
		}
		list = append(list, i)
		end = i + len(s) - 1
	}
	return list
}

// resize adds the edit with which the longest argument has the length wanted, should
// the number be its length, or the length of a part that reaches to its end.
func (e *edits) resize(c *Comparison, have, want uint64) {
	arg := 0
	for i, t := range e.texts {
		if len(t) > len(e.texts[arg]) {
			arg = i
		}
	}
	if c.Kind == codes.Float || len(e.texts) == 0 {
		return
	}
	n := len(e.texts[arg])
	if _, ok := textOf(e.vals[arg]); !ok || have > uint64(n) || want > have+maxResize {
		return
	}
	if want > have {
		e.replace(arg, n, n, strings.Repeat("0", int(want-have)))
	} else {
		e.replace(arg, n-int(have-want), n, "")
	}
}

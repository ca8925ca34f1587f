package study

import "github.com/fuzzmut/fuzzmut/instrument/rt/codes"

// A Matcher knows the value that an input stands for. It returns at most most inputs.
// In the value of each, one part is to instead of from.
type Matcher interface {
	MatchNumber(data []byte, from, to uint64, most int) [][]byte
	MatchText(data []byte, from, to string, most int) [][]byte
}

// maxMatches bounds the parts of a value that are tried in place of one operand.
const maxMatches = 8

// PlanValues is Plan for an input whose value is known: it is parts of the value that
// are put in place of others, wherever they stand in the bytes.
func PlanValues(data []byte, list []Comparison, goals *Goals, wants func(mutant uint32) bool, m Matcher) []Edit {
	var p planner
	return p.plan(list, goals, wants, func(g *group, n int) { g.match(data, m, n) })
}

// match makes at most n edits for a group.
func (g *group) match(data []byte, m Matcher, n int) {
	known := make(map[string]bool)
	for _, c := range g.list {
		for _, input := range c.matches(data, m) {
			if len(g.edits) >= n {
				return
			}
			if text := string(input); !known[text] {
				known[text] = true
				g.edits = append(g.edits, Edit{Goal: g.goal, Mutant: c.Mutant, To: len(data), Text: text})
			}
		}
	}
}

// matches returns inputs in which the operands of a comparison come together, or just
// past each other.
func (c *Comparison) matches(data []byte, m Matcher) (list [][]byte) {
	if c.Kind == codes.Text {
		whole := len(c.XText) == c.XLen && len(c.YText) == c.YLen
		if !c.XConst && whole {
			list = append(list, m.MatchText(data, c.XText, c.YText, maxMatches)...)
		}
		if !c.YConst && whole {
			list = append(list, m.MatchText(data, c.YText, c.XText, maxMatches)...)
		}
		return list
	}
	for _, d := range c.offsets() {
		if !c.XConst {
			list = append(list, m.MatchNumber(data, c.X, c.plus(c.Y, d), maxMatches)...)
		}
		if !c.YConst {
			list = append(list, m.MatchNumber(data, c.Y, c.plus(c.X, -d), maxMatches)...)
		}
	}
	return list
}

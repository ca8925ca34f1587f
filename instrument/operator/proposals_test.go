package operator

import (
	"go/constant"
	"go/token"
	"go/types"
	"strings"
	"testing"
)

// sitesOf are sites of a kind with all operators, classes and values that there may be.
func sitesOf(kind Kind) (sites []*Site) {
	ops := map[Kind][]token.Token{
		Arithmetic: {token.ADD, token.SUB, token.MUL, token.QUO, token.REM, token.AND, token.OR, token.XOR, token.AND_NOT, token.SHL, token.SHR},
		Comparison: {token.LSS, token.LEQ, token.GTR, token.GEQ, token.EQL, token.NEQ},
		Logical:    {token.LAND, token.LOR}, IncDec: {token.INC, token.DEC}, ErrorCheck: {token.EQL, token.NEQ},
		Branch: {token.BREAK, token.CONTINUE, token.FALLTHROUGH}, Concatenation: {token.ADD},
	}[kind]
	if ops == nil {
		ops = []token.Token{token.ILLEGAL}
	}
	values := []constant.Value{
		nil, number(-1), number(0), number(1), number(7), constant.MakeFloat64(0.5), constant.MakeImag(number(1)), text(""), text("A"), text("go"),
		constant.MakeBool(true), constant.MakeBool(false), constant.MakeUint64(1<<64 - 1),
	}
	for _, op := range ops {
		for class := Other; class <= Bool; class++ {
			for _, v := range values {
				for flags := range 8 {
					s := &Site{Kind: kind, Op: op, Class: class, Value: v, Type: basic(types.Int), Ordered: flags&1 != 0, Assigns: flags&2 != 0, Char: flags&4 != 0}
					if fits(s) {
						sites = append(sites, s)
					}
				}
			}
		}
	}
	return sites
}

// fits says whether there can be such a site.
func fits(s *Site) bool {
	if s.Kind == Constant && s.Value == nil {
		return false
	}
	bits := s.Op == token.REM || s.Op == token.AND || s.Op == token.OR || s.Op == token.XOR || s.Op == token.AND_NOT || s.Op == token.SHL || s.Op == token.SHR
	switch {
	case s.Kind == Arithmetic && (s.Class != Integer && s.Class != Number || s.Class == Number && bits):
		return false
	case s.Value == nil:
		return true
	}
	switch s.Value.Kind() {
	case constant.Int:
		return s.Class == Integer || s.Class == Number
	case constant.Float, constant.Complex:
		return s.Class == Number && !s.Char
	case constant.String:
		return s.Class == String
	}
	return s.Class == Bool
}

// No operator proposes what is there, nor the same twice, nor what the class does not have.
func TestProposals(t *testing.T) {
	forNumbers := []token.Token{token.ADD, token.SUB, token.MUL, token.QUO}
	for kind := Arithmetic; kind <= Field; kind++ {
		for _, s := range sitesOf(kind) {
			for _, op := range All() {
				seen := make(map[string]bool)
				for _, c := range op.Inspect(s) {
					shown := show([]Change{c})
					switch {
					case seen[shown]:
						t.Errorf("%s at %+v: %s twice", op.Name, *s, shown)
					case c.Do == Swap && c.Op == s.Op:
						t.Errorf("%s at %+v: %s is there", op.Name, *s, shown)
					case c.Do == Swap && s.Kind == Arithmetic && s.Class == Number && !contains(forNumbers, c.Op):
						t.Errorf("%s at %+v: %s", op.Name, *s, shown)
					case c.Do == Replace && s.Kind == Constant && constant.Compare(c.Value, token.EQL, s.Value):
						t.Errorf("%s at %+v: %s is there", op.Name, *s, shown)
					case c.Do == Replace && s.Kind == Constant && (c.Value.Kind() == constant.String) != (s.Value.Kind() == constant.String):
						t.Errorf("%s at %+v: %s is of another kind", op.Name, *s, shown)
					case c.Do == Exchange && s.Kind == Arithmetic && contains([]token.Token{token.ADD, token.MUL, token.AND, token.OR, token.XOR}, s.Op):
						t.Errorf("%s at %+v: %s changes nothing", op.Name, *s, shown)
					}
					if actionNames[c.Do] == "" {
						t.Errorf("%s at %+v: the action %d", op.Name, *s, c.Do)
					}
					seen[shown] = true
				}
			}
		}
	}
}

func contains(list []token.Token, op token.Token) bool {
	for _, o := range list {
		if o == op {
			return true
		}
	}
	return false
}

// Applied to what it has made, an operator that has one other for each leads back.
func TestOperatorsThatAreTheirOwnInverse(t *testing.T) {
	for _, op := range []*Operator{conditionalBoundary, negateConditionals, increments, breakContinueSwap} {
		n := 0
		for kind := Arithmetic; kind <= Field; kind++ {
			for _, s := range sitesOf(kind) {
				for _, c := range op.Inspect(s) {
					again := *s
					again.Op = c.Op
					back := op.Inspect(&again)
					if n++; len(back) != 1 || back[0].Op != s.Op {
						t.Errorf("%s: %s becomes %s, and that %s", op.Name, s.Op, c.Op, show(back))
					}
				}
			}
		}
		if n == 0 {
			t.Errorf("%s proposes nothing", op.Name)
		}
	}
}

// Names are those that lists of operators take, and examples show a change.
func TestNamesAndExamples(t *testing.T) {
	for _, op := range All() {
		if strings.Trim(op.Name, "abcdefghijklmnopqrstuvwxyz-") != "" || strings.HasPrefix(op.Name, "-") || strings.Contains(op.Name, "--") {
			t.Errorf("%q is no name", op.Name)
		}
		if chosen, err := ByNames(op.Name); err != nil || len(chosen) != 1 || chosen[0] != op {
			t.Errorf("%s chooses %s, %v", op.Name, names(chosen), err)
		}
		before, after, ok := strings.Cut(op.Example, " →")
		if !ok || before == strings.TrimSpace(after) {
			t.Errorf("%s: the example %q", op.Name, op.Example)
		}
		if first := op.Doc[:1]; first != strings.ToLower(first) || strings.HasSuffix(op.Doc, ".") {
			t.Errorf("%s: %q is a sentence of its own", op.Name, op.Doc)
		}
	}
	for _, group := range []string{"default", "strong", "all", "guards"} {
		for _, op := range All() {
			if op.Name == group {
				t.Errorf("an operator is called like the group %s", group)
			}
		}
	}
}

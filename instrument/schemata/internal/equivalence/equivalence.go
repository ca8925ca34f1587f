// Package equivalence knows which changes at a site are no change of the program, or the same
// as another, without a look at the code around the site.
package equivalence

import (
	"fmt"
	"go/constant"
	"go/token"

	"github.com/fuzzmut/fuzzmut/instrument/operator"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/reasons"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/typing"
)

// Reason returns why a change would give the same program, or one that does
// not compile; nil if neither is obvious.
func Reason(s *operator.Site, c operator.Change) reasons.Reason {
	switch c.Do {
	case operator.KeepLeft, operator.KeepRight, operator.Exchange:
		return equivalentOperand(s, c.Do)
	}
	if s.Kind == operator.Comparison && c.Do != operator.Swap && Truth(s, operator.Change{Do: operator.Swap, Op: s.Op}) == c.Do {
		return reasons.NeverBelow
	}
	if c.Do == operator.Swap && s.Kind == operator.Arithmetic && s.Disjoint && joins[s.Op] && joins[c.Op] {
		return reasons.NoSharedBits
	}
	if s.Kind == operator.Comparison {
		return unseen(s, c)
	}
	if c.Do != operator.Swap || s.Value == nil {
		return nil
	}
	if s.Kind != operator.Arithmetic || s.Value.Kind() == constant.String || s.Value.Kind() == constant.Bool {
		return nil
	}
	zero := constant.Sign(s.Value) == 0
	one := constant.Compare(s.Value, token.EQL, constant.MakeInt64(1))
	if zero && (c.Op == token.QUO || c.Op == token.REM) {
		return reasons.DividesByZero
	}
	if zero && neutralZero[s.Op] && neutralZero[c.Op] || one && neutralOne[s.Op] && neutralOne[c.Op] {
		return reasons.NeutralOperand
	}
	return nil
}

// atLeast says that the left operand of a comparison is never below the right one: a number
// that is not negative and 0, or any string and the empty one.
func atLeast(s *operator.Site) bool {
	switch {
	case s.Kind != operator.Comparison || s.Value == nil:
		return false
	case s.Value.Kind() == constant.String:
		return typing.IsEmptyString(s.Value)
	}
	return s.NonNegative && constant.Sign(s.Value) == 0
}

// unseen is why a comparison is the same with a change: the two differ for operands alone that it can't have.
func unseen(s *operator.Site, c operator.Change) reasons.Reason {
	if c.Do == operator.Swap && s.Value != nil && s.Value.Kind() != constant.Bool {
		if atLeast(s) && (samePair(s.Op, c.Op, token.EQL, token.LEQ) || samePair(s.Op, c.Op, token.NEQ, token.GTR)) {
			return reasons.NeverBelow
		}
		if s.Value.Kind() != constant.String && (s.Least != nil || s.Most != nil) {
			below := s.Least == nil || constant.Compare(s.Least, token.LSS, s.Value)
			above := s.Most == nil || constant.Compare(s.Most, token.GTR, s.Value)
			if alike(s, c, orders(below, above)) {
				return reasons.Unseen
			}
		}
	}
	if s.Orders != 0 && alike(s, c, s.Orders) {
		return reasons.Unseen
	}
	return nil
}

// orders are those with values below another, above it, and the same.
func orders(below, above bool) operator.Orders {
	possible := operator.Same
	if below {
		possible |= operator.Below
	}
	if above {
		possible |= operator.Above
	}
	return possible
}

// alike says whether a comparison with a change is the same as without for all possible orders of its operands.
func alike(s *operator.Site, c operator.Change, possible operator.Orders) bool {
	var changed operator.Orders
	switch c.Do {
	case operator.Swap:
		changed = operator.Holding(c.Op)
	case operator.True:
		changed = operator.AnyOrder
	case operator.False:
	default:
		return false
	}
	return possible&(changed^operator.Holding(s.Op)) == 0
}

var neutralZero = map[token.Token]bool{
	token.ADD: true, token.SUB: true, token.OR: true, token.XOR: true,
	token.AND_NOT: true, token.SHL: true, token.SHR: true,
}

// joins are the operations that are the same for operands without a common bit.
var joins = map[token.Token]bool{token.ADD: true, token.OR: true, token.XOR: true}

var neutralOne = map[token.Token]bool{token.MUL: true, token.QUO: true}

func samePair(a, b, x, y token.Token) bool { return a == x && b == y || a == y && b == x }

// equivalentOperand is equivalent for changes that keep or exchange operands.
func equivalentOperand(s *operator.Site, do operator.Action) reasons.Reason {
	switch {
	case do == operator.KeepLeft && neutral(s.Value, s.Op, neutralZero, neutralOne),
		do == operator.KeepRight && !s.Assigns && neutral(s.LeftValue, s.Op, leftNeutralZero, leftNeutralOne),
		do == operator.KeepRight && neutral(s.Value, s.Op, absorbingZero, nil),
		do == operator.Exchange && s.Op == token.ADD && (typing.IsEmptyString(s.Value) || typing.IsEmptyString(s.LeftValue)):
		return reasons.NeutralOperand
	case do == operator.Exchange && (s.Op == token.QUO || s.Op == token.REM) && s.LeftValue != nil && constant.Sign(s.LeftValue) == 0:
		return reasons.DividesByZero
	}
	return nil
}

// neutral says whether an operation with a constant operand v does nothing.
func neutral(v constant.Value, op token.Token, zero, one map[token.Token]bool) bool {
	switch {
	case v == nil:
		return false
	case v.Kind() == constant.String:
		return zero[op] && typing.IsEmptyString(v)
	}
	return zero[op] && constant.Sign(v) == 0 || one[op] && constant.Compare(v, token.EQL, constant.MakeInt64(1))
}

// The operations whose result is the right operand if the left one is 0, or 1;
// and those whose result is 0 if the right one is.
var (
	leftNeutralZero = map[token.Token]bool{token.ADD: true, token.OR: true, token.XOR: true}
	leftNeutralOne  = map[token.Token]bool{token.MUL: true}
	absorbingZero   = map[token.Token]bool{token.MUL: true, token.AND: true}
)

// Truth returns True or False for a change that makes a boolean always so, and 0
// for others: a number that is not negative is never below 0, and no string below "".
func Truth(s *operator.Site, c operator.Change) operator.Action {
	switch {
	case c.Do == operator.True || c.Do == operator.False:
		return c.Do
	case c.Do != operator.Swap || !atLeast(s):
		return 0
	case c.Op == token.GEQ:
		return operator.True
	case c.Op == token.LSS:
		return operator.False
	}
	return 0
}

// Key tells the changes at a site apart. One that always holds, or never, is
// the same as another that does.
func Key(s *operator.Site, c operator.Change) string {
	if do := Truth(s, c); do != 0 {
		return fmt.Sprint(do)
	}
	key := fmt.Sprint(c.Do, c.Op)
	if c.Value != nil {
		key += c.Value.ExactString()
	}
	return key
}

// Name is Key for IDs: a constant that has a name goes by it, whatever
// its value is today.
func Name(s *operator.Site, c operator.Change) string {
	if c.Const != nil {
		return fmt.Sprint(c.Do, c.Const.Name())
	}
	return Key(s, c)
}

package calc

import "strconv"

// String prints n in decimal.
func (n Num) String() string { return strconv.FormatInt(int64(n), 10) }

// String prints the name.
func (v Var) String() string { return string(rune(v)) }

// String prints a minus sign and the operand.
func (n *Neg) String() string { return "-" + group(n.X, precNeg) }

// String prints the operands on both sides of the operator.
func (b *Binary) String() string {
	left, right := sides(b.Op)
	sep := " "
	if b.Op == '^' {
		sep = ""
	}
	return group(b.L, left) + sep + string(rune(b.Op)) + sep + group(b.R, right)
}

// sides returns the precedences that the operands of op need to stand without
// parentheses.
func sides(op byte) (left, right int) {
	if op == '^' {
		return precAtom, precNeg
	}
	return precedence(op), precedence(op) + 1
}

// group prints x, in parentheses if it binds less tightly than min.
func group(x Expr, min int) string {
	if binds(x) < min {
		return "(" + x.String() + ")"
	}
	return x.String()
}

func binds(x Expr) int {
	switch x := x.(type) {
	case *Neg:
		return precNeg
	case *Binary:
		if x.Op == '^' {
			return precPower
		}
		return precedence(x.Op)
	}
	return precAtom
}

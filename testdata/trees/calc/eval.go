package calc

import (
	"errors"
	"fmt"
	"math"
)

// Errors that Eval returns, possibly wrapped.
var (
	ErrOverflow = errors.New("calc: result does not fit into 64 bits")
	ErrDivide   = errors.New("calc: division by zero")
	ErrExponent = errors.New("calc: negative exponent")
	ErrUnset    = errors.New("calc: variable without a value")
)

// Eval returns the value of x with the given variables.
func Eval(x Expr, vars map[Var]int64) (int64, error) {
	return x.eval(vars)
}

func (n Num) eval(map[Var]int64) (int64, error) { return int64(n), nil }

func (v Var) eval(vars map[Var]int64) (int64, error) {
	n, ok := vars[v]
	if !ok {
		return 0, fmt.Errorf("%w: %c", ErrUnset, v)
	}
	return n, nil
}

func (n *Neg) eval(vars map[Var]int64) (int64, error) {
	x, err := n.X.eval(vars)
	if err != nil {
		return 0, err
	}
	return sub(0, x)
}

func (b *Binary) eval(vars map[Var]int64) (int64, error) {
	x, err := b.L.eval(vars)
	if err != nil {
		return 0, err
	}
	y, err := b.R.eval(vars)
	if err != nil {
		return 0, err
	}
	switch b.Op {
	case '+':
		return add(x, y)
	case '-':
		return sub(x, y)
	case '*':
		return mul(x, y)
	case '/':
		return div(x, y)
	case '%':
		return mod(x, y)
	}
	return pow(x, y)
}

func add(x, y int64) (int64, error) {
	sum := x + y
	if (sum > x) != (y > 0) {
		return 0, ErrOverflow
	}
	return sum, nil
}

func sub(x, y int64) (int64, error) {
	diff := x - y
	if (diff < x) != (y > 0) {
		return 0, ErrOverflow
	}
	return diff, nil
}

func mul(x, y int64) (int64, error) {
	if x == 0 || y == 0 {
		return 0, nil
	}
	// MinInt64 * -1 wraps to MinInt64, and so does the division back.
	prod := x * y
	if prod/y != x || x == math.MinInt64 && y == -1 {
		return 0, ErrOverflow
	}
	return prod, nil
}

func div(x, y int64) (int64, error) {
	if y == 0 {
		return 0, ErrDivide
	}
	if x == math.MinInt64 && y == -1 {
		return 0, ErrOverflow
	}
	return x / y, nil
}

func mod(x, y int64) (int64, error) {
	if y == 0 {
		return 0, ErrDivide
	}
	return x % y, nil
}

// pow raises x to the power y by squaring.
func pow(x, y int64) (int64, error) {
	if y < 0 {
		return 0, ErrExponent
	}
	var err error
	result := int64(1)
	for {
		if y&1 == 1 {
			if result, err = mul(result, x); err != nil {
				return 0, err
			}
		}
		if y >>= 1; y == 0 {
			return result, nil
		}
		if x, err = mul(x, x); err != nil {
			return 0, err
		}
	}
}

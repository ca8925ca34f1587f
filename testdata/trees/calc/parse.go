package calc

import (
	"fmt"
	"strconv"
)

// maxNodes bounds the size of an expression, and so the depth of its tree.
const maxNodes = 1000

// Expr is a parsed expression: a Num, a Var, a *Neg or a *Binary.
type Expr interface {
	// String prints the expression with as few parentheses as possible.
	String() string
	eval(vars map[Var]int64) (int64, error)
}

// The kinds of expressions.
type (
	// Num is a number; the parser makes none below zero.
	Num int64
	// Var is a name.
	Var byte
	// Neg is the negation of X.
	Neg struct{ X Expr }
	// Binary applies one of + - * / % ^ to L and R.
	Binary struct {
		Op   byte
		L, R Expr
	}
)

// SyntaxError says what is wrong, and where.
type SyntaxError struct {
	Offset int // in bytes from the start of the source
	Msg    string
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("calc: offset %d: %s", e.Offset, e.Msg)
}

// Parse reads an expression. Its errors are of type *SyntaxError.
func Parse(src string) (Expr, error) {
	p := &parser{src: src}
	x, err := p.binary(1)
	if err != nil {
		return nil, err
	}
	if c := p.peek(); c != 0 || p.pos < len(p.src) {
		return nil, p.errorf("unexpected %q", c)
	}
	return x, nil
}

type parser struct {
	src   string
	pos   int
	nodes int
}

func (p *parser) errorf(format string, args ...any) error {
	return &SyntaxError{Offset: p.pos, Msg: fmt.Sprintf(format, args...)}
}

// peek skips blanks and returns the next byte, or 0 at the end.
func (p *parser) peek() byte {
	for p.pos < len(p.src) && (p.src[p.pos] == ' ' || p.src[p.pos] == '\t') {
		p.pos++
	}
	if p.pos == len(p.src) {
		return 0
	}
	return p.src[p.pos]
}

// grow accounts for one more node or parenthesis.
func (p *parser) grow() error {
	if p.nodes++; p.nodes > maxNodes {
		return p.errorf("expression too large")
	}
	return nil
}

// precedence returns how tightly a left-associative operator binds; 0 for any
// other byte.
func precedence(op byte) int {
	switch op {
	case '+', '-':
		return 1
	case '*', '/', '%':
		return 2
	}
	return 0
}

// The precedences of the operators that binary does not handle.
const (
	precNeg   = 3
	precPower = 4
	precAtom  = 5
)

// binary parses a chain of operators that bind at least as tightly as prec.
func (p *parser) binary(prec int) (Expr, error) {
	x, err := p.unary()
	if err != nil {
		return nil, err
	}
	for {
		op := p.peek()
		if precedence(op) < prec {
			return x, nil
		}
		p.pos++
		if err := p.grow(); err != nil {
			return nil, err
		}
		y, err := p.binary(precedence(op) + 1)
		if err != nil {
			return nil, err
		}
		x = &Binary{Op: op, L: x, R: y}
	}
}

func (p *parser) unary() (Expr, error) {
	if p.peek() != '-' {
		return p.power()
	}
	p.pos++
	if err := p.grow(); err != nil {
		return nil, err
	}
	x, err := p.unary()
	if err != nil {
		return nil, err
	}
	return &Neg{X: x}, nil
}

// power parses "^", which groups to the right and binds tighter than a minus
// sign before it, but not than one after it: -2^-2 is -(2^(-2)).
func (p *parser) power() (Expr, error) {
	x, err := p.primary()
	if err != nil || p.peek() != '^' {
		return x, err
	}
	p.pos++
	if err := p.grow(); err != nil {
		return nil, err
	}
	y, err := p.unary()
	if err != nil {
		return nil, err
	}
	return &Binary{Op: '^', L: x, R: y}, nil
}

func (p *parser) primary() (Expr, error) {
	if err := p.grow(); err != nil {
		return nil, err
	}
	switch c := p.peek(); {
	case '0' <= c && c <= '9':
		return p.number()
	case 'a' <= c && c <= 'z':
		p.pos++
		return Var(c), nil
	case c == '(':
		p.pos++
		x, err := p.binary(1)
		if err != nil {
			return nil, err
		}
		if p.peek() != ')' {
			return nil, p.errorf("missing )")
		}
		p.pos++
		return x, nil
	}
	return nil, p.errorf("operand expected")
}

func (p *parser) number() (Expr, error) {
	start := p.pos
	for p.pos < len(p.src) && '0' <= p.src[p.pos] && p.src[p.pos] <= '9' {
		p.pos++
	}
	n, err := strconv.ParseInt(p.src[start:p.pos], 10, 64)
	if err != nil {
		p.pos = start
		return nil, p.errorf("number too large")
	}
	return Num(n), nil
}

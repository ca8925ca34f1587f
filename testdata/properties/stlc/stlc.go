// Package stlc is the simply typed lambda calculus with booleans, whose variables are
// numbered from the innermost binder (de Bruijn), with the known faults of shifting and
// substitution that studies of property testing plant there.
package stlc

// Type is that of a function, or, nil or without an argument, Bool.
type Type struct{ Arg, Res *Type }

// Expr is an expression. What it is its Op says, modulo 4, and a part that is missing
// is false, so that every value is one.
type Expr struct {
	Op  uint8 // Bool, Var, Abs or App
	N   uint8 // of a variable, or 1 for true
	Arg *Type // of an abstraction
	L   *Expr // body of an abstraction, function of an application
	R   *Expr // argument of an application
}

// Kinds of expressions.
const (
	Bool = iota
	Var
	Abs
	App
)

func (e *Expr) op() uint8 {
	if e == nil {
		return Bool
	}
	return e.Op % 4
}

// The faults, of which at most one is there.
const (
	None             = iota
	ShiftNone        // shift leaves variables as they are
	ShiftAll         // shift moves bound variables, too
	ShiftBound       // shift moves the variable at the limit wrongly
	ShiftNoIncrement // shift does not raise the limit below a binder
	SubstAll         // substitution puts the argument in the place of every variable
	SubstNone        // substitution puts it nowhere
	SubstNoShift     // substitution does not shift the argument below a binder
	SubstNoIncrement // substitution does not raise the variable below a binder
	SubstLeftOnly    // substitution leaves arguments of applications alone
	BetaNoUnshift    // reduction does not take the binder off the other variables
	Faults           = BetaNoUnshift
)

// Calculus are the operations, with a fault.
type Calculus struct{ Fault int }

// Shift returns e with d added to the variables from limit on.
func (c Calculus) Shift(e *Expr, d, limit int) *Expr {
	switch e.op() {
	case Var:
		free := int(e.N) >= limit
		switch c.Fault {
		case ShiftNone:
			free = false
		case ShiftAll:
			free = true
		case ShiftBound:
			free = int(e.N) > limit
		}
		if free {
			return &Expr{Op: Var, N: uint8(int(e.N) + d)}
		}
		return e
	case Abs:
		if c.Fault != ShiftNoIncrement {
			limit++
		}
		return &Expr{Op: Abs, Arg: e.Arg, L: c.Shift(e.L, d, limit)}
	case App:
		return &Expr{Op: App, L: c.Shift(e.L, d, limit), R: c.Shift(e.R, d, limit)}
	}
	return e
}

// Subst returns e with s in the place of variable n.
func (c Calculus) Subst(e *Expr, n int, s *Expr) *Expr {
	switch e.op() {
	case Var:
		if c.Fault == SubstAll || int(e.N) == n && c.Fault != SubstNone {
			return s
		}
		return e
	case Abs:
		if c.Fault != SubstNoShift {
			s = c.Shift(s, 1, 0)
		}
		if c.Fault != SubstNoIncrement {
			n++
		}
		return &Expr{Op: Abs, Arg: e.Arg, L: c.Subst(e.L, n, s)}
	case App:
		right := e.R
		if c.Fault != SubstLeftOnly {
			right = c.Subst(right, n, s)
		}
		return &Expr{Op: App, L: c.Subst(e.L, n, s), R: right}
	}
	return e
}

// beta applies an abstraction to an argument.
func (c Calculus) beta(body, arg *Expr) *Expr {
	e := c.Subst(body, 0, c.Shift(arg, 1, 0))
	if c.Fault == BetaNoUnshift {
		return e
	}
	return c.Shift(e, -1, 0)
}

// Step reduces the outermost redex that is leftmost, below binders as well.
func (c Calculus) Step(e *Expr) (*Expr, bool) {
	switch e.op() {
	case Abs:
		body, ok := c.Step(e.L)
		return &Expr{Op: Abs, Arg: e.Arg, L: body}, ok
	case App:
		if e.L.op() == Abs {
			return c.beta(e.L.L, e.R), true
		}
		if left, ok := c.Step(e.L); ok {
			return &Expr{Op: App, L: left, R: e.R}, true
		}
		right, ok := c.Step(e.R)
		return &Expr{Op: App, L: e.L, R: right}, ok
	}
	return e, false
}

// TypeOf returns the type of e, where the types of free variables, the innermost last,
// are env. ok is false if it has none.
func TypeOf(env []*Type, e *Expr) (t *Type, ok bool) {
	switch e.op() {
	case Var:
		if int(e.N) >= len(env) {
			return nil, false
		}
		return env[len(env)-1-int(e.N)], true
	case Abs:
		res, ok := TypeOf(append(env[:len(env):len(env)], e.Arg), e.L)
		return function(e.Arg, res), ok
	case App:
		f, ok := TypeOf(env, e.L)
		if !ok || f.isBool() {
			return nil, false
		}
		arg, ok := TypeOf(env, e.R)
		return f.Res, ok && same(f.Arg, arg)
	}
	return nil, true
}

// boolean is Bool where a function's argument needs a type that is not nil.
var boolean = &Type{}

func function(arg, res *Type) *Type {
	if arg == nil {
		arg = boolean
	}
	return &Type{Arg: arg, Res: res}
}

func (t *Type) isBool() bool { return t == nil || t.Arg == nil }

func same(a, b *Type) bool {
	if a.isBool() || b.isBool() {
		return a.isBool() && b.isBool()
	}
	return same(a.Arg, b.Arg) && same(a.Res, b.Res)
}

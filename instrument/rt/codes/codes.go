// Package codes has the numbers that tell the helpers of the core what to do. The rewriter
// writes them into calls of the helpers, the core reads them there. They are untyped:
// a helper gets them as digits of a number, and a constant costs nothing there.
package codes

// A site's alternatives are packed into one number, a code in each group of Bits
// bits, the first one lowest; 0 ends them.
const (
	Bits = 4
	Mask = 1<<Bits - 1
)

// Operators of arithmetic, of the original and of alternatives.
const (
	Add = iota + 1
	Sub
	Mul
	Quo
	Rem
	And
	Or
	Xor
	AndNot
	Shl
	Shr
	Left      // the left operand alone
	Right     // the right operand alone
	Exchanged // the original's operator, operands exchanged
)

// What a comparison is, or is made.
const (
	Less = iota + 1
	LessEqual
	Greater
	GreaterEqual
	Equal
	NotEqual
	AlwaysTrue
	AlwaysFalse
	// Of texts: the left one is the longer one, the right one what is looked for.
	HasPrefix
	HasSuffix
	Contains
	EqualFold
	Lookup // of the left one, a key, in a map; the right one is one of the map's keys
)

// What is done to a boolean.
const (
	Negated = iota + 1
	MadeTrue
	MadeFalse
)

// Flags of && and || where they are exchanged for each other.
const (
	DecidedByTrue = 1 << iota // the operator is ||
	RightHasEffects
)

// What is put in place of a constant integer v.
const (
	Zero = iota + 1
	One
	MinusOne
	OneMore // v + 1
	OneLess // v - 1
	Minus   // -v
)

// What is done to an index, a bound or a length.
const (
	Up = iota + 1
	Down
	Away // the bound that stands where none is written, or the capacity for the length
)

// Integer types that a conversion takes a way round by.
const (
	Int8 = iota + 1
	Int16
	Int32
	Int64
	Uint8
	Uint16
	Uint32
	Uint64
)

// Kinds of operands.
const (
	Unknown = iota // or of several kinds
	Signed
	Unsigned
	Float
	Text
)

// A comparison is described to its helper by one number: from its lowest bit on, what
// the comparison is, which operands are constants, their kind, and the comparison's
// number.
const (
	LeftConstant  = 1 << Bits
	RightConstant = 2 << Bits
	KindShift     = 2 * Bits
	NumberShift   = 3 * Bits
)

// Describe describes a comparison to its helper.
func Describe(number, kind, op int, leftConstant, rightConstant bool) uint64 {
	what := uint64(number)<<NumberShift | uint64(kind)<<KindShift | uint64(op)
	if leftConstant {
		what |= LeftConstant
	}
	if rightConstant {
		what |= RightConstant
	}
	return what
}

// MostTurns is how many turns of a loop, in one call, the guard of the loop allows.
const MostTurns = 1000

// MostDepth is how many calls of a function may be in progress that the guard of its depth allows.
const MostDepth = 1000

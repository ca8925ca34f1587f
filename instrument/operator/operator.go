// Package operator declares the mutation operators: which small changes are
// worth trying at which places of a program.
//
// An operator sees one Site at a time, a place of a kind the rewriter knows how
// to switch at run time, and answers with Changes. It knows nothing of source
// text: package schemata finds the sites, drops changes that would not compile,
// that are trivially the same program, or that another operator proposed before,
// and writes the rest into the source.
package operator

import (
	"go/constant"
	"go/token"
	"go/types"
	"slices"
)

// Group says in which set of operators one is. The groups are nested: strong
// includes default, all includes strong.
type Group uint8

// The groups, smallest first. Guards are repairs rather than faults: they serve
// triage, and are in no other group. What is in GroupNone has to be named.
const (
	GroupDefault Group = iota + 1
	GroupStrong
	GroupAll
	GroupGuards
	GroupNone
)

func (g Group) String() string {
	switch g {
	case GroupDefault:
		return "default"
	case GroupStrong:
		return "strong"
	case GroupAll:
		return "all"
	case GroupGuards:
		return "guards"
	}
	return "none"
}

// An Operator is one kind of small change. Operators are values without state.
type Operator struct {
	Name    string // lower case with hyphens; part of every mutant's ID
	Group   Group
	Extent  Extent // for the order of survivors
	Doc     string // one sentence for the manual
	Example string // "before → after"

	// Inspect returns what the operator would change at a site, in a fixed order,
	// and nil at sites of kinds that are not its own.
	Inspect func(s *Site) []Change
}

// Kind is what sort of place a Site is.
type Kind uint8

// The kinds of sites.
const (
	Arithmetic    Kind = iota + 1 // x Op y, or x Op= y, with a numeric result that is not constant
	Comparison                    // x Op y
	Logical                       // x && y, x || y
	Condition                     // the whole condition of an if, a for or a case without tag
	Term                          // an operand of && or ||
	Negation                      // -x
	IncDec                        // x++ or x--: Op is token.INC or token.DEC
	Constant                      // an outermost constant expression
	Result                        // one operand of a return statement, or a named result at one without
	Statement                     // a statement that could be left out
	ErrorCheck                    // err != nil, err == nil: a comparison of an error with nil
	ErrorMatch                    // a call of errors.Is or errors.As
	WrapVerb                      // a %w in the constant format of fmt.Errorf
	Recover                       // a call of recover whose result is used
	Context                       // an argument of type context.Context
	Guard                         // a statement or a lazy operand that can panic, at the expression that can
	Concatenation                 // x + y, or x += y, of strings
	Complement                    // ^x
	Not                           // !x
	Body                          // the statements of a branch: Part says which
	Branch                        // break, continue or fallthrough: Op
	Loop                          // a for statement, with or without range
	Locking                       // the calls in a function that lock and unlock one mutex
	SliceBound                    // a bound of a slice expression
	Index                         // the index of an element, not of a map
	Length                        // len(x) or cap(x) that is not constant
	CommaOk                       // the ok of v, ok := m[k], x.(T) or <-c
	Append                        // a call of append
	Copy                          // a call of copy that is no statement
	MinMax                        // a call of min or max
	Conversion                    // of an integer to an integer type
	Arguments                     // two neighboring arguments of one type
	Field                         // a value with key in a struct literal
)

// Class sorts types by the operations they have. A type parameter has a class
// when all types of its type set share it.
type Class uint8

// The classes of types.
const (
	Other Class = iota
	Integer
	Number // floating-point, complex, or a type parameter that may be one or an integer
	String
	Bool
)

// A Site is one place in a program that can be changed.
type Site struct {
	Kind  Kind
	Op    token.Token // of Arithmetic, Comparison, Logical, IncDec, ErrorCheck, Branch; without "=" for assignments
	Class Class       // of the operands, of the Constant, of the Result
	Type  types.Type  // of the Constant; declared, of the Result

	// Assigns says that an Arithmetic or Concatenation is x Op= y.
	Assigns bool
	// Disjoint says that the operands of an Arithmetic are whole numbers that have no bit in
	// common, whatever they are.
	Disjoint bool
	// LeftValue of a left operand that is constant.
	LeftValue constant.Value
	// Ordered says that the operands of a Comparison are of one ordered type.
	Ordered bool
	// Value of a Constant, or of a Result or right operand that is one.
	Value constant.Value
	// Decided says that a Comparison is a condition, a term or a result: its truth is
	// another site's.
	Decided bool
	// NonNegative says that the left operand of a Comparison can't be below zero.
	NonNegative bool
	// Least and Most are bounds of the left operand of a Comparison of whole numbers, as far
	// as it says them itself; nil: not known.
	Least, Most constant.Value
	// Orders are the only ones that the operands of a Comparison have, or that matter, as far as
	// the code around it tells; zero: not known.
	Orders Orders
	// Char says that a Constant is written as a character: 'a'.
	Char bool
	// Neighbours are the constants declared before and after the one that a Constant
	// names, in the same enumeration.
	Neighbours []*types.Const
	// IsZero says that a Result is the zero value already: nil, T{}.
	IsZero bool
	// Named says that a Result is a variable that a return statement without
	// operands returns.
	Named bool
	// NotNil says that a Result can't be nil where it stands.
	NotNil bool
	// IsComparison says that a Condition, a Term or the operand of a Not is a Comparison.
	IsComparison bool
	// Stmt is what sort of Statement it is.
	Stmt StmtKind
	// Part is what a Body belongs to.
	Part Part
	// Labeled says that a Branch names a label.
	Labeled bool
	// Risk is what a Guard is about.
	Risk Risk
	// Skippable says that the statement of a Guard could be left out, or its loop ended.
	Skippable bool
	// Fails says that the last result of the function of a Guard is an error.
	Fails bool
	// Lazy says that a Guard is of a boolean operand or condition that is evaluated later than
	// its statement begins, or not at all. Op is token.LOR of a right operand of ||.
	Lazy bool
	// Called says that a Guard is of a pointer that a call returns and that is used at once.
	Called bool
	// Effect of a Statement that has no other.
	Effect Effect
	// Taken are the changes of a SliceBound, Index, Length or Conversion that make
	// no sense there, or would be the same as another operator's.
	Taken []Action
}

// Orders are ways in which the left operand of a comparison compares with the right one.
type Orders uint8

// The orders. Of numbers and texts there is no other.
const (
	Below Orders = 1 << iota
	Same
	Above
	AnyOrder = Below | Same | Above
)

// Holding are the orders for which a comparison holds: none for what is no comparison.
func Holding(op token.Token) Orders {
	switch op {
	case token.LSS:
		return Below
	case token.LEQ:
		return Below | Same
	case token.EQL:
		return Same
	case token.NEQ:
		return Below | Above
	case token.GEQ:
		return Same | Above
	case token.GTR:
		return Above
	}
	return 0
}

// Flipped are the orders of the right operand with the left one.
func (o Orders) Flipped() Orders {
	return o&Same | o&Below<<2 | o&Above>>2
}

// StmtKind sorts the statements that could be left out.
type StmtKind uint8

// The kinds of statements.
const (
	OtherStmt StmtKind = iota // assignment, x++, send, receive, call with results left unused
	VoidCall                  // call of a function without results
	Defer
	Go
)

// Part says which branch of a statement a Body is.
type Part uint8

// The parts.
const (
	Then Part = iota + 1
	Else
	Case    // of a switch
	Default // of a switch or select
	SelectCase
)

// Effect is what a statement does to a slice or map.
type Effect uint8

// The effects.
const (
	Appends   Effect = iota + 1 // s = append(s, x)
	Copies                      // copy
	Deletes                     // delete, clear
	WritesMap                   // assignment to an element of a map
)

// Risk is why a statement could panic.
type Risk uint8

// The risks.
const (
	NilUse Risk = iota + 1
	OutOfBounds
	ZeroDivisor
	WrongType
	BigSize
	BadResult // of the call before the statement
	ManyTurns // of a loop, in one call
	DeepCalls // of a function, all in progress
)

// Action is what a Change does.
type Action uint8

// The actions.
const (
	Swap        Action = iota + 1 // put Op in the operator's place
	Negate                        // of a boolean expression
	True                          // in place of a boolean expression, which is still evaluated
	False                         //
	Operand                       // leave out a unary operator
	Replace                       // a constant, or a result, by Value; a %w by %v
	Zero                          // the zero value in place of a result, which is still evaluated
	Fresh                         // an empty slice, map or context, or a pointer to a zero value, in place of another
	NewError                      // an error of fuzzmut's own in place of a result; from a Guard, with zero values for the others
	Delete                        // a statement, those of a Body, or a call of recover
	Leave                         // the function with zero values, in the case of a Guard
	KeepLeft                      // of a binary operation only the left operand; both are evaluated
	KeepRight                     // likewise; of x Op= y it makes x = y
	Exchange                      // the operands of a binary operation, or two arguments
	InPlace                       // make a call now and here rather than deferred or elsewhere
	Unlabel                       // leave out a label
	Skip                          // a Loop: no round; the statement of a Guard in its case, or the rest of its loop
	Once                          // a Loop: one round
	Up                            // one more
	Down                          // one less
	Drop                          // a bound; what append or copy was to add
	Counterpart                   // len for cap, max for min, and back
	Truncate                      // an integer to fewer bits before it is converted
	Extend                        // an integer with the other sort of sign before it is converted
)

// A Change is one alternative at a site.
type Change struct {
	Do    Action
	Op    token.Token    // of Swap
	Value constant.Value // of Replace
	Const *types.Const   // of Replace, if it is by a constant with a name
}

// free returns those of some changes that are not taken at a site.
func free(s *Site, actions ...Action) []Change {
	var changes []Change
	for _, do := range actions {
		if !slices.Contains(s.Taken, do) {
			changes = append(changes, Change{Do: do})
		}
	}
	return changes
}

// swaps returns one Swap for each operator.
func swaps(ops ...token.Token) []Change {
	changes := make([]Change, len(ops))
	for i, op := range ops {
		changes[i] = Change{Do: Swap, Op: op}
	}
	return changes
}

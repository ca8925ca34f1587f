// Package reasons has the reasons why code is left without mutants, or without one of them.
package reasons

import (
	"fmt"

	"github.com/fuzzmut/fuzzmut/instrument"
)

// A Reason says why there is no mutant. Nil says that there may be one.
type Reason interface {
	Class() Class
	String() string
}

// A Class says what a reason means for the count of sites.
type Class uint8

// The classes.
const (
	LeftOut   Class = iota // a mutant could be, and can't be made or switched
	NoCompile              // the changed code would not compile: it is no mutant
	NoChange               // the changed program is the same, or that of another mutant
	Noise                  // nobody would want to read of such a mutant
)

// Kind is a reason. Those that need to be told what they are about have With.
type Kind uint8

// The reasons.
const (
	CantName   Kind = iota
	Redeclared      // with the name
	ReadEarly
	OrderMatters
	HasEffects
	EffectsOfType // with the type
	EffectsOutside
	SeveralLines
	Escapes
	FloatShift
	UntypedShift
	IndexShift
	MovesRecover
	NarrowBound
	CopiesLiteral
	SliceOrString
	NoErrorValue
	GuardEffects
	GuardLines
	DirectiveBefore
	InterfaceOk
	ToTypeParam
	IndexedText
	UnsafePointers
	NothingToObserve
	CgoFile
	NoBody
	Marked // with the directive
	ReadsAddresses
	UnsharedType
	Dropped // with what the caller says
	Initializer
	InitFunction
	NotChanged

	DividesByZero
	Negative // with what it would be
	OutOfRange
	OutOfOrder // with what the operands are of
	IndexOutOfRange
	LastUse
	LastUseOfVariable
	LastUseOfImport // with its name
	LastUseOfLabel  // with its name
	Overflows
	NoCharacter
	MissingReturn
	OutsideLoop

	NeverBelow
	Unseen
	NeutralOperand
	NoSharedBits
	SignOfDivisor
	SameArgument
	EqualOperands
	LikeDeletion
	DecidesWhole
	DecidesPart
	LikeSwap
	GoesThere
	LikeAnother
	NextCaseEmpty
	LikeFalse
	NeverEntered
	NoSecondRound
	EmptyNotNil
	OnlyCondition
	NeverRead
	ZeroThere
	ThereAlready

	GeneratedFile
	UnreachableCode
	LoggingCall
	PackageTable
	HalfOfPair
	BigTable
	ConstantHint

	OnlyLogs
	OnlyLogged
	EmptyBranch
	OnlyPooled
	ReservesSpace
)

// table has what is known of each reason.
var table = [...]struct {
	class Class
	text  string // with a verb for what With gives
}{
	CantName:         {LeftOut, "its type can't be named here"},
	Redeclared:       {LeftOut, "%s has another declaration here"},
	ReadEarly:        {LeftOut, "it would be read before a call that may change it"},
	OrderMatters:     {LeftOut, "evaluating the operands may have effects, whose order would change"},
	HasEffects:       {LeftOut, "operand that may have effects"},
	EffectsOfType:    {LeftOut, "operand that may have effects, of type %s"},
	EffectsOutside:   {LeftOut, "operand that may have effects, outside of a statement list"},
	SeveralLines:     {LeftOut, "argument on several lines"},
	Escapes:          {LeftOut, "the pointed-to value would escape to the heap"},
	FloatShift:       {LeftOut, "shift count written as a floating-point constant"},
	UntypedShift:     {LeftOut, "a shift of an untyped constant takes its type from the other operand"},
	IndexShift:       {LeftOut, "index with a shift of an untyped constant"},
	MovesRecover:     {LeftOut, "recover can't be moved into a function literal"},
	NarrowBound:      {LeftOut, "the type of the bound may not hold the length"},
	CopiesLiteral:    {LeftOut, "function literal in code that would have to be copied"},
	SliceOrString:    {LeftOut, "type parameter that may be a slice or a string"},
	NoErrorValue:     {LeftOut, "no error value available: neither errors nor fmt is imported, and no error variable exists"},
	GuardEffects:     {LeftOut, "the operand of a guard could have effects, or is not known before the statement"},
	GuardLines:       {LeftOut, "the operand of a guard spans several lines"},
	DirectiveBefore:  {LeftOut, "a directive to the compiler stands before the function"},
	InterfaceOk:      {LeftOut, "ok in a variable of an interface type"},
	ToTypeParam:      {LeftOut, "constant converted to a type parameter"},
	IndexedText:      {LeftOut, "constant string with an index"},
	UnsafePointers:   {LeftOut, "unsafe pointer arithmetic"},
	NothingToObserve: {LeftOut, "//fuzzmut:target: nothing to observe"},
	CgoFile:          {LeftOut, "cgo file"},
	NoBody:           {LeftOut, "no body: implemented elsewhere"},
	Marked:           {LeftOut, "marked %s"},
	ReadsAddresses:   {LeftOut, "computes with addresses: its mutants vary from run to run"},
	UnsharedType:     {LeftOut, "declares a type that its two bodies can't share: the name has another meaning elsewhere in the function"},
	Dropped:          {LeftOut, "%s"},
	Initializer:      {LeftOut, "a package-level initializer runs once, before the fuzz test starts"},
	InitFunction:     {LeftOut, "init runs before the fuzz test starts"},
	NotChanged:       {LeftOut, "not a part of the change"},

	DividesByZero:     {NoCompile, "does not compile: division by zero"},
	Negative:          {NoCompile, "does not compile: negative %s"},
	OutOfRange:        {NoCompile, "does not compile: out of range"},
	OutOfOrder:        {NoCompile, "does not compile: operands of %s out of order"},
	IndexOutOfRange:   {NoCompile, "does not compile: index out of range"},
	LastUse:           {NoCompile, "does not compile: last use of an import or variable"},
	LastUseOfVariable: {NoCompile, "does not compile: last use of a variable"},
	LastUseOfImport:   {NoCompile, "does not compile: last use of import %s"},
	LastUseOfLabel:    {NoCompile, "does not compile: last use of label %s"},
	Overflows:         {NoCompile, "does not compile: the type can't hold it"},
	NoCharacter:       {NoCompile, "does not compile: no such character"},
	MissingReturn:     {NoCompile, "does not compile: missing return"},
	OutsideLoop:       {NoCompile, "does not compile: continue outside of a loop"},

	NeverBelow:     {NoChange, "the same program: the operand is never below 0, or the empty string"},
	Unseen:         {NoChange, "the same program: the operands have no values for which it would differ"},
	NeutralOperand: {NoChange, "the same program: neutral operand"},
	NoSharedBits:   {NoChange, "the same program: the operands have no bit in common"},
	SignOfDivisor:  {NoChange, "the same program: a remainder does not depend on the sign of the divisor"},
	SameArgument:   {NoChange, "the same program: the function that is called does the same with either value"},
	EqualOperands:  {NoChange, "the same program: equal operands"},
	LikeDeletion:   {NoChange, "the same program as without the statement"},
	DecidesWhole:   {NoChange, "the same program as another mutant: decides the whole expression"},
	DecidesPart:    {NoChange, "the same program as another mutant: decides the same part of the expression"},
	LikeSwap:       {NoChange, "the same program as another mutant: an operand that is never below 0, or the empty string"},
	GoesThere:      {NoChange, "the same program: control goes there anyway"},
	LikeAnother:    {NoChange, "the same as another mutant here"},
	NextCaseEmpty:  {NoChange, "the same program: the next case is empty"},
	LikeFalse:      {NoChange, "the same as the condition always false"},
	NeverEntered:   {NoChange, "the same program: unreachable code"},
	NoSecondRound:  {NoChange, "the same program: there is no second iteration"},
	EmptyNotNil:    {NoChange, "the same program: empty, and not nil"},
	OnlyCondition:  {NoChange, "the same program: only a condition, which is negated"},
	NeverRead:      {NoChange, "the same program: nothing reads what is stored here"},
	ThereAlready:   {NoChange, "the same program: the variable has this value whenever control gets here"},
	ZeroThere:      {NoChange, "the same program: it is zero whenever control gets here"},

	GeneratedFile:   {Noise, "generated file"},
	UnreachableCode: {Noise, "unreachable code"},
	LoggingCall:     {Noise, "logging call"},
	PackageTable:    {Noise, "table of a package-level variable"},
	HalfOfPair:      {Noise, "one half of Lock and Unlock: removing only one panics or blocks"},
	BigTable:        {Noise, "table of more than 32 elements"},
	ConstantHint:    {Noise, "capacity hint"},

	OnlyLogs:      {Noise, instrument.Uninteresting + ": it only logs, measures, traces or reserves space"},
	OnlyLogged:    {Noise, instrument.Uninteresting + ": its value is only logged, measured or traced"},
	EmptyBranch:   {Noise, instrument.Uninteresting + ": nothing happens on the condition"},
	OnlyPooled:    {Noise, instrument.Uninteresting + ": a sync.Pool may drop what it is given, so that no test can rely on it"},
	ReservesSpace: {Noise, instrument.Uninteresting + ": it only says how much space is reserved"},
}

// Class returns what the reason means.
func (k Kind) Class() Class { return table[k].class }

// String returns the text of the reason.
func (k Kind) String() string { return table[k].text }

// With returns a reason whose text says what it is about.
func (k Kind) With(what string) Reason { return about{k, what} }

// about is a reason with what it is about.
type about struct {
	Kind
	what string
}

func (a about) String() string { return fmt.Sprintf(a.Kind.String(), a.what) }

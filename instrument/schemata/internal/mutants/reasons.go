package mutants

import "strings"

// Reasons for which places that could be mutated are not: nobody would want to
// read of such a mutant.
const (
	GeneratedFile   = "generated file"
	UnreachableCode = "unreachable code"
	LoggingCall     = "logging call"
	PackageTable    = "table of a package-level variable"
	HalfOfPair      = "one half of Lock and Unlock: removing only one panics or blocks"
	BigTable        = "table of more than 32 elements"
	ConstantHint    = "capacity hint"
)

var noise = map[string]bool{
	GeneratedFile: true, UnreachableCode: true, LoggingCall: true, PackageTable: true, BigTable: true, HalfOfPair: true,
	ConstantHint: true,
}

// NoCompile begins the reason for a change that would not compile, NoChange that
// for one that gives the same program, or the same as another mutant.
const (
	NoCompile = "does not compile"
	NoChange  = "the same"
)

// MissingReturn is the reason for a change after which a function could end without a
// return.
const MissingReturn = NoCompile + ": missing return"

// leftOut returns why there is no mutant of a change that could be one: the
// reason for its place, or for itself. A change that would not compile is none,
// nor is one that makes no difference.
func leftOut(why, quiet string) string {
	switch {
	case strings.HasPrefix(why, NoCompile), strings.HasPrefix(why, NoChange):
		return ""
	case quiet != "":
		return quiet
	}
	return why
}

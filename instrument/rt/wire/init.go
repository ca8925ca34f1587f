package wire

import "github.com/fuzzmut/fuzzmut/instrument/rt/golden"

// Init tells a fresh worker about the program it holds.
type Init struct {
	MutantFunc   Funcs // by mutant index - 1: global function number; -1: can't be switched; nil: nothing is
	Counters     int   // coverage counters over all packages, to be checked against the binary
	Funcs        int
	Comparisons  int      // whose operands are recorded, over all packages
	RenewContext bool     // the test uses T.Context: every execution gets its own
	Excluded     []Value  // observed values that do not count
	Dead         IDs      // mutants that are not to be run: killed, or another worker's
	Dict         [][]byte // tokens for the input mutator
	MaxLen       int      // of an input, in bytes; 0 means 1 MiB
	Record       int      `json:",omitempty"` // bytes of a record, where byte slices are lists of records; 0: they are bytes
	MemLimit     int64    // of the process, in bytes; 0 or less: none
	HangFuel     int64    // what an input of the original burns that is a hang; 0: the default
	UserPackages []string // import path prefixes of code whose frames tell failures apart
	// Inputs says how inputs that are values are bred: the name of a strategy of
	// package search, which default mixes with changes of bytes; "bytes" and "" leave
	// them to those.
	Inputs string
	// Seeds has the Hello hold the seeds. They may be megabytes, and nobody needs them twice.
	Seeds bool `json:",omitempty"`
	// CostShare says how much fuel goes to inputs that may cost too much: one part in that
	// number; 0: none.
	CostShare int `json:",omitempty"`
	// CostKills has mutants killed that differ in nothing but what they cost.
	CostKills bool `json:",omitempty"`
	// NoiseOfInputs has what differs from run to run on one input left out for that input, and
	// not for those after it, unless that is so on more than half of the inputs that are checked:
	// whoever asks tries each kill once more. Noise is what processes before this one have seen.
	NoiseOfInputs bool  `json:",omitempty"`
	Noise         Noise `json:",omitzero"`
	// Leaks has an input fail that leaves goroutines waiting.
	Leaks bool `json:",omitempty"`
	// Overflows has an input fail with which a number that lost something sizes or bounds
	// something.
	Overflows bool `json:",omitempty"`
	// Constants are tried first as values of their types.
	Constants []Constants `json:",omitempty"`
	// Places are the functions by number, and CounterFunc the numbers of the functions
	// that have the counters. Without them a hang is not traced to its loop.
	Places      Places `json:",omitempty"`
	CounterFunc Funcs  `json:",omitempty"`
	// Loops are the loops of the functions, in the order of their counters. Without them a
	// hang is traced to the function.
	Loops Loops `json:",omitempty"`
	// Views say how much golden texts hold of values: of types, as golden.Renderer has
	// them, and of the values of sites, by number, where not all are of the usual view.
	Views     map[string]golden.View   `json:",omitempty"`
	SiteViews map[uint32][]golden.View `json:",omitempty"`
	// TextTimes is how many times the bounds of golden texts hold: see golden.Renderer; 0: once.
	TextTimes int `json:",omitempty"`
	// Inner are the sites of results that functions show wherever they are called, and
	// that no caller of the program need see. No kill comes of them.
	Inner IDs `json:",omitempty"`
	// Traced are the coverage counters that Recording.Path is about.
	Traced IDs `json:",omitempty"`
}

// Noise counts inputs that were checked, and those on which some value differs from run to run.
type Noise struct{ Checked, Noisy int64 }

// Place is where a function is.
type Place struct {
	File          string // as stacks show it
	Line, EndLine int
}

// Loop is a loop, in the file of the function that its counter is in.
type Loop struct {
	Counter uint32 // of its body
	// Line is where it begins, Body where its body does.
	Line, Body, EndLine int
}

// Constants are those of a type that has a name.
type Constants struct {
	Type    string   // as package reflect calls it: "pkg.Name"
	Numbers []uint64 // two's complement, or the bits of float64s
	Texts   []string
}

// Value names one observed value: the index into the results of a site.
type Value struct {
	Site  uint32
	Value int
	// Field is a field of a struct in it, as observe.Difference has it; "" for all of the
	// value.
	Field string `json:",omitempty"`
}

// Hello is the answer to Init: what only the running program can tell.
type Hello struct {
	Types     []string // of the fuzz target's arguments
	Seeds     [][]byte // f.Add entries, encoded, if Init asks for them
	SeedError string   // an f.Add call whose values are not the target's
	Zero      []byte   // the zero values of the arguments, encoded
	Values    string   // the type of the values that inputs stand for; "" if they are none
	NoBreeder bool     // inputs stand for values, but what would breed them is not known

	// What came before the first request: initialization, and the fuzz test up to
	// f.Fuzz, or TestMain up to m.Run. The mutants are known where EnvInit asks for them.
	StartFuel    int64 // burned
	InitReached  IDs   `json:",omitempty"`
	InitInfected IDs   `json:",omitempty"`
	InitFired    IDs   `json:",omitempty"` // of several mutants that are active from the start, those that took effect

	Tests []string // the package's own, in the order in which they are run
}

// NativeConfig is read by the test binary under the stock engine.
type NativeConfig struct {
	Init   Init
	Filter string
	K      int
	Seed   uint64
	Log    string // file that kills are appended to, as JSON lines of Kill
}

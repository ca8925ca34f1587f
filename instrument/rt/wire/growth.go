package wire

import "time"

// Pump is a text in which two parts are repeated: see package pump, which this is the form on
// the wire of.
type Pump struct {
	Prefix, First, Middle, Second, Suffix []byte `json:",omitempty"`
	Count                                 bool   `json:",omitempty"`
	FirstAt, SecondAt                     int    `json:",omitempty"`
	Letters                               bool   `json:",omitempty"`
}

// Growing is an input with one argument that grows.
type Growing struct {
	Input []byte // encoded; the argument that grows is empty
	Arg   int    // its index: a []byte or a string
	Pump  Pump
	// ByTime says that the search has seen the processor time grow too fast, and neither work nor bytes.
	ByTime bool `json:",omitempty"`
}

// Size is what a growing input costs at one length.
type Size struct {
	Times int   // repetitions
	Len   int   // bytes of the argument
	Fuel  int64 // burned, the least of the runs
	Bytes int64 // allocated, the least of the runs
	// CPU is the processor time of one run, the median of several; 0: not measured.
	CPU time.Duration `json:",omitempty"`
}

// Costly is an input that costs more than is in proportion to its length: an event of a Fuzz.
type Costly struct {
	Growing
	Sizes  []Size   // in ascending order
	Frames []string // of where most of the work is done, or most bytes allocated, innermost first, as Outcome has them
	Count  int64    // inputs of this place since the last report, this one included
	Rough  bool     `json:",omitempty"` // there was no time yet to make the pump smaller
}

// Grow asks for what a growing input costs, up to lengths at which it takes measurable time.
type Grow struct {
	Growing
	Most int           // bytes that the argument may have; 0: as many as inputs may
	CPU  time.Duration // of one run, at which it is long enough

	// Times has the input run at these numbers of repetitions, once each, within an amount of fuel
	// for each, and with a mutant if there is one: then nothing is timed. Where asks for the frames
	// of the original. None: as above.
	Times  []int  `json:",omitempty"`
	Mutant uint32 `json:",omitempty"`
	Fuel   int64  `json:",omitempty"`
	Where  bool   `json:",omitempty"`
}

// Grown closes a Grow.
type Grown struct {
	Sizes  []Size
	Frames []string // of where most of the work is done, at the largest size that could be sampled
	// Allocates are the frames of where most bytes are allocated, at the largest size at which that can be
	// looked at.
	Allocates []string
	// Of an input that grows by time, Frames are where most of that goes, and Outside is the function of a package that is
	// not the user's that the innermost of them calls there; "": none is known.
	Outside string `json:",omitempty"`
	Failed  bool   // an input of a larger size fails, or burns more than an input may
	// Stops is a larger size at which the work is too little: it no longer grows, and all of it takes
	// less than a second. nil: no such size was seen.
	Stops *Size `json:",omitempty"`
}

package wire

import "time"

// Repair asks which mutants make failing inputs pass. For each mutant that makes a
// difference an Effect comes, for each input a Diagnosis, and Ran in the end.
type Repair struct {
	Items []RepairItem
}

// RepairItem is one failing input of a Repair.
type RepairItem struct {
	Input []byte // encoded values
	// Fuel is what each run may burn, with a mutant or without. Less than the
	// failure takes makes a hang of it, which is how an input is looked at whose
	// failure ends the process.
	Fuel int64
	// Mutants are the only ones to be run; nil: all that the input infects.
	Mutants IDs
	// Bare says that the original ends the process, and is not run: the listed mutants
	// are, and an Effect comes for each. Linger is as in Run, after each run.
	Bare   bool          `json:",omitempty"`
	Linger time.Duration `json:",omitempty"`
	// After is the last mutant that is done with, after a death; 0: none is.
	After uint32
}

// Effect tells what a mutant makes of a failing input, if that is not the same
// failure.
type Effect struct {
	Item     int // index into Repair.Items
	Mutant   uint32
	Repaired bool // it passes, twice; else it fails in another way, or skips
	// Moved are, of a repair, the counters that are hit with it and not without it,
	// or the other way round. The function with the mutant counts nothing while it
	// is active.
	Moved IDs
}

// Diagnosis closes an item of a Repair.
type Diagnosis struct {
	Item     int
	Outcome  Outcome // of the original
	Counters IDs     // that it hits
	Tried    IDs     // mutants that were run: those that the input infects
	// Unsteady says how the original did not do the same twice; nothing is tried
	// then.
	Unsteady string `json:",omitempty"`
}

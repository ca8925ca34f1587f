package wire

import (
	"time"

	"github.com/fuzzmut/fuzzmut/instrument/rt/oracle"
)

// Run asks for exact work on given inputs: seeds, replays, kill matrices.
type Run struct {
	Items []Item
	Fuel  int64 // once mutants have burned so much, items are run without them; 0: no limit
	// Skip are mutants that no item is run with. With Trace they are traced all the same, and so
	// are those that an item has killed: Infected then says what an input does to any mutant. What
	// it covers is not told.
	Skip  IDs  `json:",omitempty"`
	Trace bool `json:",omitempty"`
	// Linger is how long to wait before the last reply, for goroutines that the
	// target left behind and that may end the process.
	Linger time.Duration `json:",omitempty"`
}

// Item is one input of a Run.
type Item struct {
	Input []byte // encoded values
	// Mutants to run, among those alive: the ones that the input infects until
	// they are killed, the ones that it infects whatever other inputs did, the
	// ones listed, the ones that it reaches, every one, or none.
	Select  Select
	Mutants IDs
	Skip    IDs  // never these; set after a death, to go on with the mutants after it
	Known   IDs  `json:",omitempty"` // nor these, from this item on: their kills are known
	Explain bool // say what each kill saw
	Check   bool // run the original several times more and report unstable values
	// Repeat is how often the original is run, with maps in another order each time, as
	// long as all runs together burn no more than Burn. Nothing else is done then.
	Repeat int   `json:",omitempty"`
	Burn   int64 `json:",omitempty"`
	// Patience is how many times the fuel of a hang the original may burn, if no mutant is run; 0: once.
	Patience int64 `json:",omitempty"`
	// Hoard has the process end once as many bytes live in its heap, and print where most of them were asked for, after
	// HoardText. Nothing else is done then. 0: it is not looked at.
	Hoard int64 `json:",omitempty"`
	// Pause is how long to wait after each mutant, so that a goroutine of its that
	// ends the process is not taken for another's.
	Pause time.Duration `json:",omitempty"`
}

// HoardText begins what a process prints as an Item takes as much memory as its Hoard.
const HoardText = "\nfuzzmut: most of what lives in the heap was asked for here:\n"

// Select says which mutants an Item is run with.
type Select uint8

const (
	SelectNone Select = iota
	SelectAlive
	SelectInfected
	SelectListed
	SelectReached // those alive that the input reaches: for measurements, since no other can differ
	SelectEvery   // those alive, reached or not
)

// Ran closes a Run, a Repair, a Tests or a Try. Its results came before it, as events.
type Ran struct {
	Stats Stats
	Fuel  int64 // burned by mutants
}

// Result is what the original did on one input, and which mutants it concerns.
// The kills came before it as separate events.
type Result struct {
	Item     int    // index into Run.Items
	Select   Select // which mutants it was run with
	Outcome  Outcome
	Features Features // covered
	Reached  IDs      // mutants
	Infected IDs
	Cost     int64 // fuel burned by the original
	Observed int   // values observed that count
	Noisy    bool  `json:",omitempty"` // some values differ from run to run
	Runs     int   `json:",omitempty"` // of an item that is repeated; Outcome is that of the first that failed
	Failed   int   `json:",omitempty"` // of these
	Rest     int   // bytes that say nothing about the value that the input stands for
}

// Kill is a mutant told from the original by an input.
type Kill struct {
	Mutant uint32
	Kind   oracle.Kind
	Detail string `json:",omitempty"`
	Item   int    // of a Run: which input, in events
}

// InsideTries is how many inputs that kill a mutant only inside are looked at, where one kill
// of a mutant is wanted: the next may show what a caller can see.
const InsideTries = 8

// Stats count work. Slices are sparse: pairs of (mutant, count).
type Stats struct {
	Execs       int64 // of the original, re-runs included
	MutantExecs int64
	// Of inputs that are values, those that were bred, and where they were discarded.
	Bred     int64        `json:",omitempty"`
	Discards []Discarding `json:",omitempty"`
	// Of a round: how long it took, and how much of that the fuzz target ran, with
	// mutants and without, as far as a sample tells.
	Time, Inside time.Duration
	// Hunted is the processor time that the search for inputs that cost too much took in it.
	Hunted   time.Duration `json:",omitempty"`
	Reached  Tally         `json:",omitempty"`
	Infected Tally         `json:",omitempty"`
	Executed Tally         `json:",omitempty"`
}

// Discarding counts inputs that were discarded at one place.
type Discarding struct {
	Place  string // "file.go:12"; "" if it is not known
	Inputs int64
}

// Unstable is an observed value that differs between runs of the original.
type Unstable struct {
	Value   Value
	Outcome bool   // not a value: the target passes in one run and not in another
	Text    string // how it differed
}

// Damaged says that the original no longer does what it did: one of the suspects
// changed global state. The worker exits with ExitDamaged after it.
type Damaged struct {
	Input    []byte
	Suspects IDs    // mutants run since the original was last seen healthy, in order
	Text     string // what differs now
	Value    *Value // the observed value that differs; nil when it is the outcome
	Kill     *Kill  // what the judge said of the last suspect, not credited
	Stats    Stats  // of the request in progress
}

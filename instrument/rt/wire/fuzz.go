package wire

import "time"

// Fuzz asks for a round of fuzzing.
type Fuzz struct {
	Seed  uint64
	Execs int64 // of the original, at most

	Add     []Entry  // entries this worker does not have yet
	Parents []Parent // whose children to try, with their share
	Dead    IDs      // mutants killed elsewhere since the last round
	Seen    Features // that are in the corpus since the last round
	Study   []int    // entries to study, the first one first
	Deadly  []uint64 `json:",omitempty"` // inputs on which processes have ended, by HashOf: no study runs them again
	Try     [][]byte `json:",omitempty"` // inputs from elsewhere, which are run in between
	Paced   bool     `json:",omitempty"` // as often as they bring more than those that are bred

	Filter string // none, all, eager, random, least-executed, adaptive
	K      int

	// Slow is the fuel above which an input is worth keeping only if it covers a
	// block that no other does. Limit is where it is cut off, and suspected to
	// hang.
	Slow, Limit int64

	// Log wants the inputs of the round in its reply, as long as they have no more bytes
	// than that.
	Log int `json:",omitempty"`

	// Timed says that the clock ends the run: then it may bound parts of it.
	Timed bool `json:",omitempty"`
	// Ahead is the processor time that the search for costly inputs may take ahead of its share, in the first
	// round of a worker.
	Ahead time.Duration `json:",omitempty"`
	// Rest is for how long the filter that bounds what mutants take runs none, from the start of the round on. It is 0 unless
	// Timed.
	Rest time.Duration `json:",omitempty"`

	// Careful has the worker tell each input before it runs it, by an About: something
	// has overwritten the shared memory where the input in progress is to be found.
	Careful bool `json:",omitempty"`
}

// About is an input that is about to be run.
type About struct{ Input []byte }

// Entry is a corpus entry as workers know it.
type Entry struct {
	ID    int
	Input []byte
	Run   bool `json:",omitempty"` // nobody knows its features: run it
}

// Parent gives an entry its share of a round.
type Parent struct {
	ID     int
	Weight uint32
}

// Fuzzed closes a round.
type Fuzzed struct {
	Stats   Stats
	Yields  []Yield // by parent
	Studied []int   // entries whose study is complete
	Tried   int     `json:",omitempty"` // inputs of Fuzz.Try that were run, from the first on
	// Bred are the inputs that were run, encoded, in order, and Unlogged is the number of
	// those that there was no room for; if the request wants them.
	Bred     [][]byte `json:",omitempty"`
	Unlogged int      `json:",omitempty"`
	// Error says what a function that makes values did wrong: the round ended there.
	Error string `json:",omitempty"`
}

// Yield is what the children of a parent came to in a round.
type Yield struct {
	ID      int
	Fuel    int64 // burned by them, and by mutants on them
	Brought int64 // new features, kills, mutants infected for the first time
}

// Found is a new input that is worth keeping.
type Found struct {
	// Early says that the worker goes on to make the input smaller, and reports it
	// again when it has. Its features are those that are new.
	Early bool `json:",omitempty"`
	// Update says that the input was reported before, and now mutants have been run
	// on it. Only these mutants are reported.
	Update   bool `json:",omitempty"`
	Input    []byte
	Features Features
	Kills    []Kill
	Infects  IDs // live mutants that it infects without killing them, if it was traced
	Cost     int64
	// Discarded says that the input is a value that the fuzz test says nothing about.
	Discarded bool `json:",omitempty"`
}

// Failure is an input on which the original fails.
type Failure struct {
	Input   []byte // nil: only more executions of a known stack
	Outcome Outcome
	Key     string // the stack
	Count   int64  // executions of this stack since the last report, this one included
	Cost    int64  // fuel that the input burned
}

// Flaky is an input on which the original fails in one run and passes in another.
type Flaky struct {
	Input   []byte
	Outcome Outcome // of the run that failed first
	Key     string  // the stack
	Failed  int     // runs
	Runs    int     // of this input, in this process
}

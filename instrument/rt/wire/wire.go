// Package wire is what the coordinator and the worker say to each other: one
// request type, one reply type, and the layout of the memory they share. It is
// compiled into both sides, so that constants have one source.
//
// A worker is the rewritten test binary, started with the environment variable
// [EnvWorker]. [EnvConn] names the descriptors on which requests come in and replies
// go out, and that of memory which both sides map. Replies are written as soon as
// there is something to say: what a worker has found is not lost when the input
// after it kills the process.
package wire

import "time"

// Environment variables that make a test binary a worker.
const (
	EnvWorker = "FUZZMUT_WORKER" // name of the fuzz test to serve
	EnvNative = "FUZZMUT_NATIVE" // path of a NativeConfig: serve the stock engine
	EnvTests  = "FUZZMUT_TESTS"  // any value: serve the package's own tests
	// EnvConn has the descriptors, on Windows the handles, by which a worker talks to
	// the coordinator: of requests, of replies and of the shared memory, in decimal and
	// with commas between them.
	EnvConn = "FUZZMUT_CONN"
)

// Exit codes of a worker, chosen to differ from those of a Go program: 1 (test
// failed), 2 (panic), and fuzzing's own 70.
const (
	ExitDone     = 0
	ExitInternal = 77 // the loop itself is broken: our bug, never the target's
	ExitDamaged  = 78 // global state no longer what it was; a fresh process must go on
	ExitBroken   = 79 // the target has closed, read or overwritten what is the worker's
)

// A Request is sent by the coordinator. Exactly one field is set.
type Request struct {
	Init *Init `json:",omitempty"`
	Run  *Run  `json:",omitempty"`
	Fuzz *Fuzz `json:",omitempty"`
	Trim *Trim `json:",omitempty"`

	Replay *Replay `json:",omitempty"`
	Repair *Repair `json:",omitempty"`

	// Of a worker that serves the package's own tests, after Init:
	Tests *Tests `json:",omitempty"`
	Try   *Try   `json:",omitempty"`
}

// A Reply is sent by the worker. Exactly one field is set. Every Request is
// answered by any number of event replies and then by one of Hello, Ran,
// Fuzzed, Trimmed or Replayed.
type Reply struct {
	Hello   *Hello   `json:",omitempty"`
	Ran     *Ran     `json:",omitempty"`
	Fuzzed  *Fuzzed  `json:",omitempty"`
	Trimmed *Trimmed `json:",omitempty"`

	Replayed *Replayed `json:",omitempty"`

	Result   *Result   `json:",omitempty"`
	Found    *Found    `json:",omitempty"`
	Kill     *Kill     `json:",omitempty"`
	Failure  *Failure  `json:",omitempty"`
	Unstable *Unstable `json:",omitempty"`
	Damaged  *Damaged  `json:",omitempty"`
	About    *About    `json:",omitempty"`
	Flaky    *Flaky    `json:",omitempty"`

	Recording *Recording `json:",omitempty"`

	Mended    *Mended    `json:",omitempty"`
	Diagnosis *Diagnosis `json:",omitempty"`

	TestRan *TestRan `json:",omitempty"`
	Tried   *Tried   `json:",omitempty"`
}

// Init tells a fresh worker about the program it holds.
type Init struct {
	MutantFunc   []int32 // by mutant index - 1: global function number; -1: can't be switched; nil: nothing is
	Counters     int     // coverage counters over all packages, to be checked against the binary
	Funcs        int
	Comparisons  int      // whose operands are recorded, over all packages
	RenewContext bool     // the test uses T.Context: every execution gets its own
	Excluded     []Value  // observed values that do not count
	Dead         IDs      // mutants that are not to be run: killed, or another worker's
	Dict         [][]byte // tokens for the input mutator
	MaxLen       int      // of an input, in bytes; 0 means 1 MiB
	MemLimit     int64    // of the process, in bytes; 0 or less: none
	UserPackages []string // import path prefixes of code whose frames tell failures apart
	// Inputs says how inputs that are values are bred: the name of a strategy of
	// package search, which default mixes with changes of bytes; "bytes" and "" leave
	// them to those.
	Inputs string
	// Constants are tried first as values of their types.
	Constants []Constants `json:",omitempty"`
	// Places are the functions by number, and CounterFunc the numbers of the functions
	// that have the counters. Without them a hang is not traced to its loop.
	Places      []Place `json:",omitempty"`
	CounterFunc []int32 `json:",omitempty"`
}

// Place is where a function is.
type Place struct {
	File          string // as stacks show it
	Line, EndLine int
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
}

// Hello is the answer to Init: what only the running program can tell.
type Hello struct {
	Types     []string // of the fuzz target's arguments
	Seeds     [][]byte // f.Add entries, encoded
	SeedError string   // an f.Add call whose values are not the target's
	Zero      []byte   // the zero values of the arguments, encoded
	Values    string   // the type of the values that inputs stand for; "" if they are none
	NoBreeder bool     // inputs stand for values, but what would breed them is not known

	// What came before the first request: initialisation, and the fuzz test up to
	// f.Fuzz, or TestMain up to m.Run. The mutants are known where EnvInit asks for them.
	StartFuel    int64 // burned
	InitReached  IDs   `json:",omitempty"`
	InitInfected IDs   `json:",omitempty"`

	Tests []string // the package's own, in the order in which they are run
}

// Run asks for exact work on given inputs: seeds, replays, kill matrices.
type Run struct {
	Items []Item
	Fuel  int64 // once mutants have burned so much, items are run without them; 0: no limit
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
	Skip    IDs  // never these; set after a death to go on behind it
	Explain bool // say what each kill saw
	Check   bool // run the original several times more and report unstable values
	// Repeat is how often the original is run, with maps in another order each time, as
	// long as all runs together burn no more than Burn. Nothing else is done then.
	Repeat int   `json:",omitempty"`
	Burn   int64 `json:",omitempty"`
	// Pause is how long to wait after each mutant, so that a goroutine of its that
	// ends the process is not taken for another's.
	Pause time.Duration `json:",omitempty"`
}

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

// Ran closes a Run. Its results came before it, one event for each item.
type Ran struct {
	Stats Stats
	Fuel  int64 // burned by mutants
}

// Result is what the original did on one input, and which mutants it concerns.
// The kills came before it as events of their own.
type Result struct {
	Item     int    // index into Run.Items
	Select   Select // which mutants it was run with
	Outcome  Outcome
	Features Features // covered
	Reached  IDs      // mutants
	Infected IDs
	Cost     int64 // fuel burned by the original
	Observed int   // values observed that count
	Runs     int   `json:",omitempty"` // of an item that is repeated; Outcome is that of the first that failed
	Failed   int   `json:",omitempty"` // of these
	Rest     int   // bytes that say nothing about the value that the input stands for
}

// Outcome is how an execution ended.
type Outcome struct {
	Kind    OutcomeKind
	Message string   `json:",omitempty"` // panic value, or the test's output
	Frames  []string `json:",omitempty"` // "pkg.Func file:line", innermost first, user code only
	// Loop says that Frames, of a hang, begin with the function that has the loop, or
	// the recursion, which does not end. What that calls is not among them.
	Loop bool `json:",omitempty"`
}

// OutcomeKind says how an execution ended.
type OutcomeKind uint8

const (
	Pass OutcomeKind = iota
	Skip             // t.Skip
	Fail             // t.Error, t.Fatal
	Panic
	Fuel  // ran out of fuel: a hang
	Exit  // os.Exit, log.Fatal, runtime.Goexit
	Death // the process died; only the coordinator sees this
)

func (k OutcomeKind) String() string {
	return [...]string{"pass", "skip", "fail", "panic", "fuel", "exit", "death"}[k]
}

// Failed reports whether the execution is a finding.
func (k OutcomeKind) Failed() bool { return k >= Fail }

// Kill is a mutant told from the original by an input.
type Kill struct {
	Mutant uint32
	Kind   string // assertion, panic, fuel, exit, difference
	Detail string `json:",omitempty"`
	Item   int    // of a Run: which input, in events
}

// Dear says that finding out costs a process, or many times the work of the
// original: once is enough.
func (k *Kill) Dear() bool { return k.Kind == "fuel" || k.Kind == "exit" }

// Fuzz asks for a round of fuzzing.
type Fuzz struct {
	Seed  uint64
	Execs int64 // of the original, at most

	Add     []Entry  // entries this worker does not have yet
	Parents []Parent // whose children to try, with their share
	Dead    IDs      // mutants killed elsewhere since the last round
	Seen    Features // that are in the corpus since the last round
	Study   []int    // entries to study, the first one first

	Filter string // none, all, random, least-executed, adaptive
	K      int

	// Slow is the fuel above which an input is worth keeping only if it covers a
	// block that no other does. Limit is where it is cut off, and suspected to
	// hang.
	Slow, Limit int64

	// Careful has the worker tell each input before it runs it, by an About: something
	// has overwritten the shared memory where the input under way is to be found.
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
	Studied []int   // entries whose study has come to its end
	// Error says what a function that makes values did wrong: the round ended there.
	Error string `json:",omitempty"`
}

// Yield is what the children of a parent came to in a round.
type Yield struct {
	ID      int
	Fuel    int64 // burned by them, and by mutants on them
	Brought int64 // new features, kills, mutants infected for the first time
}

// Trim asks for a smaller input that fails in the same bucket.
type Trim struct {
	Input []byte
	Execs int   // at most
	Fuel  int64 // at most, over all executions
}

// Trimmed is the smallest such input found: the one given, at worst.
type Trimmed struct {
	Input []byte
	Stats Stats
}

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
	Reached      Tally `json:",omitempty"`
	Infected     Tally `json:",omitempty"`
	Executed     Tally `json:",omitempty"`
}

// Discarding counts inputs that were discarded at one place.
type Discarding struct {
	Place  string // "file.go:12"; "" if it is not known
	Inputs int64
}

// Found is a new input that is worth keeping.
type Found struct {
	// Early says that the worker goes on to make the input smaller, and reports it
	// again when it has. Its features are those that are new.
	Early bool `json:",omitempty"`
	// Judged says that the input was reported before, and now mutants have been run
	// on it. Only these are told.
	Judged   bool `json:",omitempty"`
	Input    []byte
	Features Features
	Kills    []Kill
	Infects  IDs // living mutants that it infects without killing them, if it was traced
	Cost     int64
	// Discarded says that the input is a value of which the fuzz test says nothing.
	Discarded bool `json:",omitempty"`
}

// Failure is an input on which the original fails.
type Failure struct {
	Input   []byte // nil: only more executions of a known bucket
	Outcome Outcome
	Key     string // the bucket
	Count   int64  // executions of this bucket since the last report, this one included
	Cost    int64  // fuel that the input burned
}

// Unstable is an observed value that differs between runs of the original.
type Unstable struct {
	Value   Value
	Outcome bool // not a value: the target passes in one run and not in another
	Input   []byte
	Text    string // how it differed
}

// Flaky is an input on which the original fails in one run and passes in another.
type Flaky struct {
	Input   []byte
	Outcome Outcome // of the run that failed first
	Key     string  // the bucket
	Failed  int     // runs
	Runs    int     // of this input, in this process
}

// Damaged says that the original no longer does what it did: one of the suspects
// changed global state. The worker exits with ExitDamaged after it.
type Damaged struct {
	Input    []byte
	Suspects IDs    // mutants run since the original was last seen healthy, in order
	Text     string // what differs now
	Value    *Value // the observed value that differs; nil when it is the outcome
	Kill     *Kill  // what the judge said of the last suspect, not credited
	Stats    Stats  // of the request under way
}

// NativeConfig is read by the test binary under the stock engine.
type NativeConfig struct {
	Init   Init
	Filter string
	K      int
	Seed   uint64
	Log    string // file that kills are appended to, as JSON lines of Kill
}

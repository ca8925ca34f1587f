package wire

// Replay asks for one execution of each input, in order, of what is active in the
// process from its start: of the original, to record what it does, or of a static
// mutant, to compare it with that. The two see the same inputs in the same order,
// and nothing else is run in between, so that what the target keeps from one
// input to the next is no difference.
type Replay struct {
	Items []ReplayItem
	// Golden asks for the texts of values in the form of package golden, in whole,
	// and for nothing else of them.
	Golden bool `json:",omitempty"`
	// Brief has golden texts replaced by their hashes, and adds the hashes of inner
	// results: see Init.Inner.
	Brief bool `json:",omitempty"`
	// Fuel is what an input of a Golden may burn; 0: until it is a hang.
	Fuel int64 `json:",omitempty"`
	// Weigh says which inputs of a Golden have their allocated bytes measured.
	Weigh Weigh `json:",omitempty"`
}

// Weigh says which inputs are run once more, to measure the bytes that they allocate: what
// writes observed values down allocates as well.
type Weigh uint8

// Weights.
const (
	WeighNone Weigh = iota
	WeighSome       // one in eight, chosen by its content
	WeighAll
)

// weighedOf is the number of inputs for each that WeighSome takes.
const weighedOf = 8

// Takes reports whether an input is measured.
func (w Weigh) Takes(input []byte) bool {
	if w != WeighSome {
		return w == WeighAll
	}
	return HashOf(input)%weighedOf == 0
}

// ReplayItem is one input of a Replay.
type ReplayItem struct {
	Input []byte
	Ref   *Recording `json:",omitempty"` // what the original does; nil: record it
	Order uint64     `json:",omitempty"` // of maps, for golden texts
}

// Recording is what the original did on one input, in a form that another process
// can compare with.
type Recording struct {
	Item int // index into Replay.Items
	Kind OutcomeKind
	// Message is of a failure, if golden texts are asked for.
	Message string `json:",omitempty"`
	Cost    int64  // fuel burned
	// Bytes are those allocated, of a Replay that measures them; 0: not measured.
	Bytes int64 `json:",omitempty"`
	// Path is a hash over those of Init.Traced that a brief Replay has hit.
	Path   uint64 `json:",omitempty"`
	Events []Seen
	More   int    // values beyond those in Events
	Folded uint64 // hash over them
}

// Seen is one observed value. Its hash is the same in every process.
type Seen struct {
	Site  uint32
	Value int
	Hash  uint64
	Soft  bool   `json:",omitempty"` // another hash does not decide: a function compares such values
	Brief string `json:",omitempty"` // the value in one short line
	Text  string `json:",omitempty"` // in many, as far as there is room
	// Folded says that Text is the hash of a golden text.
	Folded bool `json:",omitempty"`
	// Hidden is the number of fields that do not count in the hash.
	Hidden int `json:",omitempty"`
}

// Replayed closes a Replay: all items are done, or a Kill came before it.
type Replayed struct {
	Execs int64
}

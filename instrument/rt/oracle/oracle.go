// Package oracle lists how a mutant can be told from the original: the kinds of kill. An
// oracle is a constant and a row of the table.
package oracle

import "errors"

// Kind is the kind of a kill. The kinds of an input's kills are in order of preference for
// the corpus: the first are seen by plain go test in a moment, a fuel kill only after go
// test's timeout, a difference only by golden values, and one inside, or what it costs, not at
// all. The zero value is no kill.
type Kind uint8

const (
	Assertion Kind = 1 + iota
	Panic
	Exit
	Fuel
	Difference
	OnlyInside
	Cost
	Timeout
	Memory
)

// row describes a kind.
type row struct {
	kind Kind
	name string // in reports, journals and messages between processes
	// What happens with the mutant, where an input or a test kills it; "" where it can't.
	byInput, byTest string
}

// table is in the order in which reports list the kinds: from the user's own oracles down
// to ours.
var table = [...]row{
	{Assertion, "assertion", "the fuzz test fails", "the test fails"},
	{Panic, "panic", "the code under test panics", "it panics"},
	{Fuel, "fuel", "it does many times the work of the original, or never ends", "it does many times the work of the original, or never ends"},
	{Exit, "exit", "the process exits or dies", "the process exits or dies"},
	{Cost, "cost", "it does more than twice the work of the original, or allocates more than four times as much, and nothing else differs; if -oracle cost asks for it", ""},
	{Timeout, "timeout", "", "it blocks: -timeout has passed"},
	{Memory, "memory", "", "it uses more than -memlimit"},
	{Difference, "difference", "a value that is observed differs", ""},
	{OnlyInside, "only-inside", "a value differs, but in nothing that a caller can see", ""},
}

// All returns the kinds in the order in which reports list them.
func All() []Kind {
	var list []Kind
	for i := range table {
		list = append(list, table[i].kind)
	}
	return list
}

// Parse returns the kind of that name.
func Parse(name string) (k Kind, ok bool) {
	for i := range table {
		if table[i].name == name {
			return table[i].kind, true
		}
	}
	return 0, false
}

// row returns the row of a kind, one without names if there is none.
func (k Kind) row() *row {
	for i := range table {
		if table[i].kind == k {
			return &table[i]
		}
	}
	return &row{}
}

// String returns the name of the kind; "" for no kill.
func (k Kind) String() string { return k.row().name }

// ByInput says, as a clause, how an input kills in this way; "" if none does.
func (k Kind) ByInput() string { return k.row().byInput }

// ByTest says, as a clause, how one of the package's own tests kills in this way; "" if
// none does.
func (k Kind) ByTest() string { return k.row().byTest }

// Dear reports whether finding out costs a process, or many times the work of the
// original: one such kill of a mutant is enough.
func (k Kind) Dear() bool { return k == Fuel || k == Exit }

// ByValue reports whether nothing but a different value shows the kill: no assertion does.
func (k Kind) ByValue() bool { return k == Difference || k == OnlyInside }

// MarshalText implements encoding.TextMarshaler.
func (k Kind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

var errUnknown = errors.New("an unknown kind of kill")

// UnmarshalText implements encoding.TextUnmarshaler.
func (k *Kind) UnmarshalText(text []byte) error {
	have, ok := Parse(string(text))
	if !ok && len(text) > 0 {
		return errUnknown
	}
	*k = have
	return nil
}

package corpus

import (
	"cmp"
	"errors"
	"slices"
	"strings"
	"sync"

	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// An Input is the arguments of one execution of a fuzz target. It is decoded once, where
// it comes in: from a file, from a worker, or as values. From then on it does not change,
// and nothing that it gives out can change it: several goroutines may share it.
//
// It holds the values and their encoding for workers. The encoding for files is made each
// time it is asked for: an input is written twice at most, and quoted bytes take four times
// their number.
type Input struct {
	vals []any
	wire string

	once sync.Once // guards what follows
	hash string
	name string
	size int
}

// Of returns the input of some values. Like [Marshal] it panics on values that no fuzz test
// takes.
func Of(vals ...any) *Input {
	if len(vals) == 0 {
		panic("corpus: an input of no values")
	}
	return newInput(clone(vals))
}

// newInput makes an input of values that nobody else has.
func newInput(vals []any) *Input { return &Input{vals: vals, wire: string(wire.Encode(vals))} }

// Decode decodes the content of a file, as [Unmarshal] does. One without any value is an
// error.
func Decode(data []byte) (*Input, error) {
	vals, err := Unmarshal(data)
	if err != nil {
		return nil, err
	}
	if len(vals) == 0 {
		return nil, errNoValues
	}
	return newInput(vals), nil
}

// FromWorker decodes an input as workers send it.
func FromWorker(data []byte) (*Input, error) {
	vals, err := wire.Decode(data)
	if err != nil {
		return nil, err
	}
	if len(vals) == 0 {
		return nil, errNoValues
	}
	return newInput(vals), nil
}

var errNoValues = errors.New("has no values")

// clone copies what of values could be written to.
func clone(vals []any) []any {
	list := slices.Clone(vals)
	for i, v := range list {
		if b, ok := v.([]byte); ok {
			list[i] = append([]byte{}, b...)
		}
	}
	return list
}

// Values returns a copy of the values.
func (in *Input) Values() []any { return clone(in.vals) }

// Is reports whether the values are of these types, in the spelling of [Types].
func (in *Input) Is(types []string) bool {
	return slices.EqualFunc(in.vals, types, func(v any, t string) bool { return wire.TypeName(v) == t })
}

// Wire returns a copy of the encoding for workers.
func (in *Input) Wire() []byte { return []byte(in.wire) }

// Key returns the encoding for workers: two inputs have the same key if their values are
// the same.
func (in *Input) Key() string { return in.wire }

// Len returns the length of the encoding for workers, in bytes.
func (in *Input) Len() int { return len(in.wire) }

// Equal reports whether two inputs have the same values.
func (in *Input) Equal(other *Input) bool { return in.wire == other.wire }

// Compare compares two inputs by size: the one that is shorter for workers comes first, and
// of the same length the lower one.
func (in *Input) Compare(other *Input) int {
	return cmp.Or(cmp.Compare(len(in.wire), len(other.wire)), cmp.Compare(in.wire, other.wire))
}

// String returns the values as Go source, one on each line.
func (in *Input) String() string {
	_, lines, _ := strings.Cut(string(Marshal(in.vals)), "\n")
	return strings.TrimSuffix(lines, "\n")
}

// Encode returns the content of the input's file: what [Marshal] gives for its values.
func (in *Input) Encode() []byte {
	data := Marshal(in.vals)
	in.once.Do(func() { in.measure(data) })
	return data
}

// measure notes what the content of the file says.
func (in *Input) measure(data []byte) {
	in.hash, in.name, in.size = FileName(data), ManagedName(data), len(data)
}

// managedName is the name of the input's file if fuzzmut keeps it.
func (in *Input) managedName() string {
	in.once.Do(func() { in.measure(Marshal(in.vals)) })
	return in.name
}

// Hash returns the name that Go gives the input's file: [FileName] of its content.
func (in *Input) Hash() string {
	in.once.Do(func() { in.measure(Marshal(in.vals)) })
	return in.hash
}

// Size returns the length of the input's file, in bytes.
func (in *Input) Size() int {
	in.once.Do(func() { in.measure(Marshal(in.vals)) })
	return in.size
}

// Distinct leaves out inputs with the values of one before them.
func Distinct(list []*Input) (distinct []*Input) {
	have := make(map[string]bool, len(list))
	for _, in := range list {
		if key := in.Key(); !have[key] {
			have[key] = true
			distinct = append(distinct, in)
		}
	}
	return distinct
}

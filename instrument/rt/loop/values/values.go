// Package values breeds inputs that stand for values of a Go type.
package values

import (
	"slices"
	"strings"

	"github.com/fuzzmut/fuzzmut/instrument/rt/codes"
	"github.com/fuzzmut/fuzzmut/instrument/rt/loop/exec"
	"github.com/fuzzmut/fuzzmut/instrument/rt/study"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// A Breeder makes inputs that stand for values of a Go type. It comes from the package
// that makes fuzz tests of values, in whatever version the user has of it: all that the
// two sides know of each other is these methods. It is called between executions.
type Breeder interface {
	// Type names the type.
	Type() string
	// Enumerate tells the constants of a type, before Start: see wire.Constants.
	Enumerate(name string, numbers []uint64, texts []string)
	// Start starts a strategy, by its name in package search.
	Start(strategy string, seed uint64) error
	// Next returns the input that the strategy wants to be run, and Learn tells it
	// what became of that.
	Next() (data []byte, err error)
	Learn(discarded bool, kills int, counts []uint8, path []uint16) error
	// Take tells the strategy of another input.
	Take(data []byte, discarded bool, kills int, counts []uint8, path []uint16) error
	// Mutate returns a mutant of an input, perhaps with parts of another.
	Mutate(data, other []byte) (mutant []byte, err error)
	// Constants tells what parts of values may be.
	Constants(numbers []uint64, texts []string)
	// Parts of the value of an input that are what a program has compared become what
	// they were compared with.
	study.Matcher
	// Canonical returns the bytes to which a value is encoded, and how many of those
	// given say nothing about it.
	Canonical(data []byte) (canonical []byte, rest int)
	// Shrink returns a smaller input for which keep holds.
	Shrink(data []byte, calls int, keep func(data []byte) bool) []byte
	// Discarded says where the last input was discarded, "" if it was not.
	Discarded() string
}

// Values breeds inputs that stand for values. It lives as long as the worker, and so
// does what its strategy has learned.
type Values struct {
	Breeder
	strategy string
	started  bool

	bred     int64
	discards map[string]int64 // by place
}

// New returns what breeds inputs for a strategy.
func New(b Breeder, strategy string) *Values {
	return &Values{Breeder: b, strategy: strategy, discards: make(map[string]int64)}
}

// Breeds reports whether values are bred as such, not as the bytes that stand for them.
func (v *Values) Breeds() bool { return v != nil && v.strategy != "" && v.strategy != "bytes" }

// Learns reports whether the strategy goes by what becomes of inputs.
func (v *Values) Learns() bool { return v.Breeds() && v.strategy != "derived" && v.strategy != "blind" }

// Mixed reports whether the strategy is one of several ways to breed.
func (v *Values) Mixed() bool { return v.strategy == "default" }

// ByPath reports whether the strategy goes by the order in which an input's comparisons
// come out.
func (v *Values) ByPath() bool { return strings.HasPrefix(v.strategy, "mutagen") }

// Begin starts the strategy with the first round.
func (v *Values) Begin(seed uint64, dict [][]byte, constants []wire.Constants) error {
	if !v.Breeds() || v.started {
		return nil
	}
	v.started = true
	for i := range constants {
		v.Enumerate(constants[i].Type, constants[i].Numbers, constants[i].Texts)
	}
	if err := v.Start(v.strategy, seed); err != nil {
		return err
	}
	var texts []string
	for _, t := range dict {
		texts = append(texts, string(t))
	}
	v.Constants(nil, texts)
	return nil
}

// Count counts an input that was bred.
func (v *Values) Count(ex exec.Execution) {
	v.bred++
	if ex.Kind == wire.Skip {
		v.discards[v.Discarded()]++
	}
}

// Report returns what was counted since it was last called.
func (v *Values) Report(stats *wire.Stats) {
	stats.Bred, v.bred = v.bred, 0
	for place, n := range v.discards {
		stats.Discards = append(stats.Discards, wire.Discarding{Place: place, Inputs: n})
	}
	slices.SortFunc(stats.Discards, func(a, b wire.Discarding) int { return strings.Compare(a.Place, b.Place) })
	clear(v.discards)
}

// Bytes is the input's only argument.
func (v *Values) Bytes(vals []any) []byte { return vals[0].([]byte) }

// Canon returns the input that stands for the same value and for nothing else.
func (v *Values) Canon(data []byte, mostLen int) []byte {
	data, _ = v.Canonical(data)
	if len(data) > mostLen {
		data, _ = v.Canonical(data[:mostLen])
	}
	return data[:min(len(data), mostLen)]
}

// Compared has the constants that values were compared with become parts of values.
func (v *Values) Compared(list []study.Comparison) {
	if !v.Mixed() {
		return
	}
	var numbers []uint64
	var texts []string
	for i := range list {
		c := &list[i]
		switch text := c.Kind == codes.Text; {
		case c.XConst && text && len(c.XText) == c.XLen:
			texts = append(texts, c.XText)
		case c.YConst && text && len(c.YText) == c.YLen:
			texts = append(texts, c.YText)
		case c.XConst && !text:
			numbers = append(numbers, c.X)
		case c.YConst && !text:
			numbers = append(numbers, c.Y)
		}
	}
	v.Constants(numbers, texts)
}
